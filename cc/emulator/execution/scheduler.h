// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Runs the clusters of a launch on one host thread: warps in turns, blocks of a
// cluster together, several clusters together where they may wait for each other.

#ifndef WARPYARD_CC_EMULATOR_EXECUTION_SCHEDULER_H_
#define WARPYARD_CC_EMULATOR_EXECUTION_SCHEDULER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "cc/emulator/execution/block.h"
#include "cc/emulator/execution/block_state.h"
#include "cc/emulator/execution/launch_state.h"
#include "cc/emulator/execution/warp.h"
#include "cc/emulator/execution/warp_state.h"

namespace warpyard::emulator {

// Owns the memory of warps and blocks, and keeps it from one launch to the next.
// Not thread-safe.
class Scheduler {
 public:
  Scheduler();
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  // The calling thread's.
  static Scheduler& Thread();

  // Takes clusters of the launch and runs them until none is left. `between` is
  // called now and then.
  void Run(Launch& launch, const std::function<void()>& between);

 private:
  struct WarpSlot;
  struct BlockSlot;
  struct ClusterSlot;
  enum class Round { kProgress, kFinished, kDropped };

  std::unique_ptr<ClusterSlot> Admit(Launch& launch, uint64_t index);
  void SetUpBlock(Launch& launch, ClusterSlot& cluster, uint32_t rank, uint64_t index);
  void SetUpWarp(Launch& launch, BlockSlot& block, WarpSlot& slot, uint32_t warp_index);
  // One turn for each warp of the cluster. *spinning: whether they do what
  // waiting code does.
  Round RunRound(Launch& launch, ClusterSlot& cluster, bool* spinning);
  void Finish(Launch& launch, ClusterSlot& cluster);
  void Retire(std::unique_ptr<ClusterSlot> cluster);
  void RaiseDeadlock(Launch& launch, ClusterSlot& cluster);
  template <bool kObserve>
  static bool RunWarp(Warp& warp);
  static bool TakeTurn(Warp& warp);

  uint64_t launch_number_ = 0;
  std::vector<std::unique_ptr<ClusterSlot>> free_;
};

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_EXECUTION_SCHEDULER_H_
