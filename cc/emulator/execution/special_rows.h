// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The special registers of a warp as rows (PTX ISA, "Special Registers"), at
// fixed offsets behind RowRef::kSpecial.

#ifndef WARPYARD_CC_EMULATOR_EXECUTION_SPECIAL_ROWS_H_
#define WARPYARD_CC_EMULATOR_EXECUTION_SPECIAL_ROWS_H_

#include <cstdint>

#include "cc/emulator/program/program.h"

namespace warpyard::emulator {

using Row32 = uint32_t[kWarpSize];
using Row64 = uint64_t[kWarpSize];

struct alignas(64) SpecialRows {
  Row32 tid[3];
  Row32 ntid[3];
  Row32 ctaid[3];
  Row32 nctaid[3];
  Row32 clusterid[3];
  Row32 nclusterid[3];
  Row32 cluster_ctaid[3];
  Row32 cluster_nctaid[3];
  Row32 cluster_ctarank;
  Row32 cluster_nctarank;
  Row32 laneid;
  Row32 warpid;
  Row32 nwarpid;
  Row32 smid;
  Row32 nsmid;
  Row32 lanemask_eq, lanemask_le, lanemask_lt, lanemask_ge, lanemask_gt;
  Row32 dynamic_smem_size;
  Row32 total_smem_size;
  Row32 aggr_smem_size;
  // The 32-bit address at which the block's shared memory begins: its rank in
  // the cluster in bits 24 and up, so that an address names one block of the
  // cluster, as hardware does. A variable's address is this plus its offset.
  Row32 shared_base;
  Row32 zero;
  // CC.CF, the condition code of extended-precision arithmetic: 0 or 1. Written by
  // add.cc and its kin.
  Row32 carry;
  // %envreg0 to %envreg2; 1 and 2 hold the address of a cooperative launch's grid
  // workspace (high and low half), where cooperative_groups looks for it.
  Row32 envreg[3];
  // Refreshed by the instruction that the decoder puts before a reader.
  Row32 clock, clock_hi;
  Row32 globaltimer_lo, globaltimer_hi;
  Row64 clock64;
  Row64 globaltimer;
  Row64 gridid;
  Row64 current_graph_exec;
  // Predicates: one word each.
  uint32_t is_explicit_cluster;
  uint32_t all_true;
  uint32_t all_false;
};

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_EXECUTION_SPECIAL_ROWS_H_
