// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// What all GPUs of one compute capability have in common: the bounds that a
// kernel must keep to.

#ifndef WARPYARD_CC_TARGET_GENERATION_H_
#define WARPYARD_CC_TARGET_GENERATION_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cc/target/compute_capability.h"
#include "cc/target/device_spec.pb.h"

namespace warpyard {

// A plain value. Memory is in bytes, registers are 32 bit wide. The fields and
// their sources are described in device_spec.proto.
struct Generation {
  ComputeCapability compute_capability;  // plain: 9.0
  std::string architecture;              // "Hopper"
  // The target that uses all of the hardware: 9.0a.
  ComputeCapability native_target;

  int warp_size = 0;
  int max_threads_per_block = 0;
  int max_threads_per_sm = 0;
  int max_warps_per_sm = 0;
  int max_blocks_per_sm = 0;
  std::optional<int> named_barriers_per_sm;  // absent: no bound of blocks
  int sub_partitions_per_sm = 0;

  int registers_per_sm = 0;
  int max_registers_per_block = 0;
  int max_registers_per_thread = 0;
  int register_allocation_unit = 0;  // per warp

  int shared_memory_per_sm = 0;
  int shared_memory_per_block = 0;           // static shared memory never gets more
  int shared_memory_per_block_optin = 0;     // static and dynamic, after opting in
  int reserved_shared_memory_per_block = 0;  // the system's, besides the kernel's own
  int shared_memory_allocation_unit = 0;
  std::vector<int> shared_memory_carveouts_kib;  // rising
  int constant_memory = 0;

  // Columns of tensor memory that one block can have; 0: there is none.
  int tensor_memory_columns = 0;

  // Blocks in a cluster; 1: there are no clusters.
  int max_cluster_size_portable = 0;
  std::optional<int> max_cluster_size_nonportable;

  std::vector<target::Source> sources;
};

// Checks and converts. `shared_sources` are those of the file; the ones that
// apply to this generation are added to its own. INVALID_ARGUMENT names the
// generation and the field: a figure without a source (figure_sources.h), a
// number out of range, or two figures that contradict each other.
absl::StatusOr<Generation> GenerationFromProto(
    const target::GenerationProto& proto, const std::vector<target::SharedSource>& shared_sources);

}  // namespace warpyard

#endif  // WARPYARD_CC_TARGET_GENERATION_H_
