// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// mbarrier objects in shared memory: initialise, arrive (also in other blocks of
// the cluster), expect transactions, wait. Waiting is what makes asynchronous
// work happen (async_engine.h).

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_MBARRIER_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_MBARRIER_H_

#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "cc/emulator/execution/block.h"
#include "cc/emulator/execution/warp.h"
#include "cc/emulator/program/decoder.h"

namespace warpyard::emulator {

absl::Span<const Operation> MbarrierOperations();

// A barrier that an operation names, found and checked.
struct BarrierPlace {
  std::byte* memory = nullptr;  // null: a fault was raised
  Block* block = nullptr;       // whose shared memory it lies in
};

// The mbarrier at a shared address (of any block of the cluster). Raises a fault
// where there is no memory, or no initialised barrier in it.
BarrierPlace FindBarrier(Warp& warp, const Instruction& instruction, int lane, uint64_t address);

// As UpdateBarrier (async_engine.h), after checking that the counts stay in range;
// false after a fault.
bool CheckedUpdateBarrier(Warp& warp, const Instruction& instruction, int lane,
                          const BarrierPlace& place, int64_t arrivals, int64_t transactions);

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_MBARRIER_H_
