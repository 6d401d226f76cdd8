// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Barriers and fences: bar, barrier, barrier.cluster, bar.warp.sync, membar,
// fence. PTX ISA, "Parallel Synchronization and Communication Instructions".

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_BARRIER_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_BARRIER_H_

#include "absl/types/span.h"
#include "cc/emulator/program/decoder.h"

namespace warpyard::emulator {

absl::Span<const Operation> BarrierOperations();

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_BARRIER_H_
