// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Counts what a launch does: instructions by class, memory traffic by space,
// coalescing, bank conflicts, divergence.

#ifndef WARPYARD_CC_EMULATOR_EXECUTION_PROFILE_H_
#define WARPYARD_CC_EMULATOR_EXECUTION_PROFILE_H_

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "cc/emulator/execution/observer.h"
#include "cc/emulator/program/program.h"

namespace warpyard::emulator {

// "integer", "float32", ...
std::string_view OperationClassName(OperationClass operation_class);

// Memory traffic of one space. A request is one instruction of one warp.
struct Traffic {
  uint64_t load_requests = 0, store_requests = 0, atomic_requests = 0;
  uint64_t load_bytes = 0, store_bytes = 0, atomic_bytes = 0;  // of all lanes
};

// Sums over all launches that it is given to. Not thread-safe.
class Profile : public Observer {
 public:
  void LaunchBegins(const LaunchConfig& config) override;
  void BlockBegins(Block& block) override;
  void OnInstruction(Warp& warp, const Instruction& instruction, uint32_t mask,
                     uint32_t active) override;
  void OnAccess(Warp& warp, const Instruction& instruction, const MemoryAccess& access) override;
  void OnBarrier(Warp& warp, const Instruction& instruction, BarrierEvent event, int barrier,
                 uint32_t mask, bool divergent) override;

  uint64_t launches = 0;
  uint64_t blocks = 0;
  // By OperationClass: instructions of warps, and lanes that took part.
  std::array<uint64_t, kOperationClassCount> instructions = {};
  std::array<uint64_t, kOperationClassCount> lanes = {};
  // Instructions that not all living lanes of their warp ran together.
  uint64_t divergent_instructions = 0;
  Traffic global, shared, local;
  // Segments of 32 bytes, aligned to 32, that requests to global memory touched:
  // 4 for a coalesced load of 4 bytes by 32 lanes.
  uint64_t global_sectors = 0;
  // Rounds that shared memory takes for its requests: its 32 banks are 4 bytes
  // wide and give one word each in a round; wide accesses take a round for each
  // 128 bytes at least. Conflicts are the rounds beyond that.
  uint64_t shared_rounds = 0;
  uint64_t shared_conflicts = 0;
  uint64_t barriers = 0;  // completed, of blocks and clusters

  uint64_t total_instructions() const;
  uint64_t total_lanes() const;
  double sectors_per_request() const;
  double lanes_per_instruction() const;

  // Some lines for people. Equal profiles give equal text.
  std::string ToString() const;
};

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_EXECUTION_PROFILE_H_
