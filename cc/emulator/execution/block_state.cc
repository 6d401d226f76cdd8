// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/execution/block_state.h"

#include <bit>
#include <cstdint>

namespace warpyard::emulator {

bool TryComplete(Block& block, int barrier) {
  BlockBarrier& state = block.state->barriers[barrier];
  const uint32_t expected = state.expected != 0 ? state.expected : block.state->live_threads;
  if (state.arrived == 0 || state.arrived < expected) return false;
  for (Warp* const warp : block.warps()) {
    Warp::State& waiter = *warp->state;
    const uint32_t lanes = waiter.barrier_waiting[barrier];
    if (lanes == 0) continue;
    waiter.barrier_waiting[barrier] = 0;
    waiter.barrier_released[barrier] |= lanes;
    waiter.barrier_result[barrier] = state.popc << 2 | (state.any ? 2 : 0) | (state.all ? 1 : 0);
    waiter.WakeAll();
  }
  state = BlockBarrier();
  block.Wake();
  return true;
}

bool TryCompleteCluster(Cluster& cluster) {
  Cluster::State& state = *cluster.state;
  if (state.arrived == 0 || state.arrived < state.live_threads) return false;
  for (Block* const block : cluster.blocks()) {
    for (Warp* const warp : block->warps()) {
      Warp::State& waiter = *warp->state;
      waiter.cluster_complete |= waiter.cluster_arrived;
      waiter.cluster_arrived = 0;
      waiter.WakeAll();
    }
    block->Wake();
  }
  state.arrived = 0;
  return true;
}

void LanesExited(Warp& warp, uint32_t lanes) {
  Block& block = warp.block();
  Cluster& cluster = block.cluster();
  Warp::State& state = *warp.state;
  block.state->live_threads -= std::popcount(lanes);
  cluster.state->live_threads -= std::popcount(lanes);
  // One that arrived without waiting and ended no longer counts on either side.
  cluster.state->arrived -= std::popcount(state.cluster_arrived & lanes);
  state.cluster_arrived &= ~lanes;
  for (int barrier = 0; barrier < kBarriers; ++barrier) {
    if (block.state->barriers[barrier].arrived != 0) TryComplete(block, barrier);
  }
  TryCompleteCluster(cluster);
  state.WakeAll();  // those that wait for lanes of this warp
  block.Wake();
}

}  // namespace warpyard::emulator
