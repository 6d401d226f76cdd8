// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// What looks on while a kernel runs: the profile and the sanitizer. A launch
// without an observer pays one test of a pointer per memory access.

#ifndef WARPYARD_CC_EMULATOR_EXECUTION_OBSERVER_H_
#define WARPYARD_CC_EMULATOR_EXECUTION_OBSERVER_H_

#include <cstddef>
#include <cstdint>

#include "cc/emulator/execution/block.h"
#include "cc/emulator/execution/warp.h"
#include "cc/emulator/program/program.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {

// One access of some lanes of a warp, found to be in bounds, before it is made.
struct MemoryAccess {
  // Never kNone: kGlobal (also .const and the kernel's parameters), kShared, kLocal.
  syntax::StateSpace space;
  AccessKind kind;
  Proxy proxy;
  uint32_t mask;   // lanes
  uint32_t bytes;  // per lane
  // Per lane of `mask`: host memory.
  std::byte* const* memory;
  // kShared: the block whose memory it is, by lane; null where all lanes use the
  // warp's own block.
  Block* const* owner;
};

struct LaunchConfig;  // launch.h

enum class BarrierEvent : uint8_t {
  kArrive,   // lanes reach a barrier (or its .arrive half)
  kRelease,  // the barrier completes; `warp` is the one that arrived last
};

// Which barrier: 0 to 15 of the block, or one of these.
inline constexpr int kClusterBarrier = 16;
inline constexpr int kWarpBarrier = 17;

class Observer {
 public:
  virtual ~Observer() = default;

  virtual void LaunchBegins(const LaunchConfig& config) {}
  virtual void LaunchEnds(const LaunchConfig& config) {}
  virtual void BlockBegins(Block& block) {}
  virtual void BlockEnds(Block& block) {}
  // Before an instruction runs for the lanes in `mask`; `active` are the lanes
  // of the group before its guard.
  virtual void OnInstruction(Warp& warp, const Instruction& instruction, uint32_t mask,
                             uint32_t active) {}
  // Warp::RaiseFault may be called here; the launch then ends.
  virtual void OnAccess(Warp& warp, const Instruction& instruction, const MemoryAccess& access) {}
  // `divergent`: an aligned barrier that not all live lanes of the warp reached
  // together.
  virtual void OnBarrier(Warp& warp, const Instruction& instruction, BarrierEvent event,
                         int barrier, uint32_t mask, bool divergent) {}
};

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_EXECUTION_OBSERVER_H_
