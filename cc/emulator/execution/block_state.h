// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// What blocks and clusters wait with: the sixteen barriers of a block and the
// barrier of a cluster.

#ifndef WARPYARD_CC_EMULATOR_EXECUTION_BLOCK_STATE_H_
#define WARPYARD_CC_EMULATOR_EXECUTION_BLOCK_STATE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "cc/emulator/execution/block.h"
#include "cc/emulator/execution/warp_state.h"

namespace warpyard::emulator {

struct BlockBarrier {
  uint32_t arrived = 0;   // threads, of .sync, .red and .arrive
  uint32_t expected = 0;  // threads; 0: all that live
  // Of .red, over the threads that arrived with one.
  uint32_t popc = 0;
  bool all = true;
  bool any = false;
};

struct Block::State {
  BlockBarrier barriers[kBarriers];
  uint32_t live_threads = 0;
  AlignedBytes shared;
  uint64_t shared_capacity = 0;
  uint64_t cluster_index = 0;  // in the grid's order
};

struct Cluster::State {
  uint32_t arrived = 0;  // threads, of barrier.cluster
  uint32_t live_threads = 0;
  uint64_t index = 0;  // in the grid's order
};

// If the barrier has all it expects, releases the lanes that wait and starts
// its next phase. `warp` is the last one that arrived, for the observer.
bool TryComplete(Block& block, int barrier);
bool TryCompleteCluster(Cluster& cluster);

// Lanes of a warp ended: barriers no longer expect them.
void LanesExited(Warp& warp, uint32_t lanes);

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_EXECUTION_BLOCK_STATE_H_
