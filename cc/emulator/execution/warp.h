// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// A warp as handlers see it: rows, memory, faults. How it is scheduled is
// behind this (scheduler.h).

#ifndef WARPYARD_CC_EMULATOR_EXECUTION_WARP_H_
#define WARPYARD_CC_EMULATOR_EXECUTION_WARP_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cc/emulator/execution/fault.h"
#include "cc/emulator/program/program.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {

class Block;

enum class AccessKind : uint8_t { kRead, kWrite, kAtomic };

// Who makes an access: ordinary loads and stores, or one of the units that
// need a proxy fence (PTX ISA, "Async proxy", "Tensor memory proxy").
enum class Proxy : uint8_t { kGeneric, kAsync };

class Warp {
 public:
  // The row behind a reference: 32 values of T (uint32_t, uint64_t, float, ...).
  template <typename T>
  T* Row(RowRef ref) {
    return reinterpret_cast<T*>(bases_[ref.base] + ref.offset);
  }
  template <typename T>
  const T* Row(RowRef ref) const {
    return reinterpret_cast<const T*>(bases_[ref.base] + ref.offset);
  }
  uint32_t& Predicate(RowRef ref) { return *Row<uint32_t>(ref); }

  Block& block() { return *block_; }
  uint32_t index_in_block() const { return index_in_block_; }
  // Lanes that exist and have not exited.
  uint32_t live_lanes() const { return live_lanes_; }

  // For `.sync` operations: whether every live lane of `members` is among the
  // lanes `mask` that execute together now. Otherwise return Next::kWait: lanes
  // that stand at the same instruction are merged before it is tried again.
  bool Arrived(uint32_t mask, uint32_t members) const {
    return (members & live_lanes_ & ~mask) == 0;
  }

  // Host memory behind `bytes` bytes at `address` for one lane, checked for
  // bounds, alignment (a power of two, or 1) and permission, and shown to the
  // sanitizer. `space` kNone is generic; shared addresses are shared::cluster
  // ones; local ones are offsets. Null after a fault was raised: return
  // Next::kFault. Memory behind local addresses is contiguous per thread.
  std::byte* Access(const Instruction& instruction, int lane, syntax::StateSpace space,
                    uint64_t address, uint32_t bytes, uint32_t alignment, AccessKind kind,
                    Proxy proxy = Proxy::kGeneric);

  // Raises a fault of the launch at this instruction. `lane` -1: no one thread.
  // `detail` stands behind the thread in the message.
  Next RaiseFault(const Instruction& instruction, int lane, FaultKind kind, std::string what,
                  std::string detail = "");

  // As Access, but for a space that is known to be global, without showing it to
  // the observer; null where it is out of bounds (no fault is raised). Refreshes
  // what the warp knows of the memory map.
  std::byte* FindGlobal(uint64_t address, uint32_t bytes, bool write);

 protected:
  friend class Block;
  friend class Scheduler;

  std::byte* bases_[4] = {nullptr, nullptr, nullptr, nullptr};
  Block* block_ = nullptr;
  uint32_t index_in_block_ = 0;
  uint32_t live_lanes_ = 0;

 public:
  // State of the scheduler and of groups of operations; see scheduler.h.
  struct State;
  State* state = nullptr;
};

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_EXECUTION_WARP_H_
