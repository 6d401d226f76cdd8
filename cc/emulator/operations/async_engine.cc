// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
#include "cc/emulator/operations/async_engine.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cc/emulator/execution/warp_state.h"

namespace warpyard::emulator {
namespace {

// Rounds of a block after which work is done that nobody asked for, so that code
// that waits in a way of its own (for data, not for a barrier) gets on.
constexpr uint32_t kPatience = 4096;

}  // namespace

void SmallCopies::RunBefore(int lane, uint32_t before) {
  const uint32_t bit = uint32_t{1} << lane;
  for (SmallCopy& copy : copies) {
    // Group numbers wrap around; differences do not.
    if ((copy.mask & bit) == 0 || static_cast<int32_t>(copy.group[lane] - before) >= 0) continue;
    copy.mask &= ~bit;
    const uint32_t taken = copy.source_bytes[lane];
    std::memcpy(copy.destination[lane], copy.source[lane], taken);
    std::memset(copy.destination[lane] + taken, 0, copy.bytes - taken);
  }
  while (!copies.empty() && copies.front().mask == 0) copies.pop_front();
}

SmallCopies& AsyncEngine::small_copies(const Warp& warp) {
  if (small_.size() <= warp.index_in_block()) small_.resize(warp.index_in_block() + 1);
  return small_[warp.index_in_block()];
}

void AsyncEngine::AddForBarrier(const std::byte* barrier, std::function<void()> work) {
  work_.push_back({barrier, std::move(work)});
}

bool AsyncEngine::RunForBarrier(const std::byte* barrier) {
  // Work may add work: what is to be done is taken out first.
  std::vector<BarrierWork> todo;
  size_t kept = 0;
  for (size_t i = 0; i < work_.size(); ++i) {
    if (work_[i].barrier == barrier) {
      todo.push_back(std::move(work_[i]));
    } else {
      if (kept != i) work_[kept] = std::move(work_[i]);
      ++kept;
    }
  }
  work_.resize(kept);
  for (BarrierWork& item : todo) item.work();
  return !todo.empty();
}

AsyncEngine::ThreadGroups& AsyncEngine::groups(const Warp& warp, int lane) {
  const size_t thread = warp.index_in_block() * kWarpSize + static_cast<size_t>(lane);
  if (groups_.size() <= thread) groups_.resize(thread + 1);
  return groups_[thread];
}

void AsyncEngine::AddToGroup(const Warp& warp, int lane, BulkOperation operation) {
  groups(warp, lane).open.push_back(std::move(operation));
}

void AsyncEngine::CommitGroup(const Warp& warp, int lane) {
  ThreadGroups& thread = groups(warp, lane);
  thread.committed.push_back(std::move(thread.open));
  thread.open.clear();
}

void AsyncEngine::WaitGroups(const Warp& warp, int lane, uint64_t pending, bool read_only) {
  ThreadGroups& thread = groups(warp, lane);
  const size_t count = thread.committed.size();
  const size_t covered = pending >= count ? 0 : count - static_cast<size_t>(pending);
  for (size_t i = 0; i < covered; ++i) {
    for (BulkOperation& operation : thread.committed[i]) {
      if (!operation.done_reading) operation.read();
      operation.done_reading = true;
      if (!read_only) operation.write();
    }
  }
  if (!read_only) {
    thread.committed.erase(thread.committed.begin(),
                           thread.committed.begin() + static_cast<std::ptrdiff_t>(covered));
  }
}

bool AsyncEngine::Progress(Block& block) {
  if (work_.empty() || ++idle_rounds_ < kPatience) return false;
  idle_rounds_ = 0;
  const std::byte* barrier = work_.front().barrier;
  return RunForBarrier(barrier);
}

std::string AsyncEngine::Finish(Block& block) {
  for (size_t warp = 0; warp < small_.size(); ++warp) {
    for (int lane = 0; lane < kWarpSize; ++lane) {
      small_[warp].RunBefore(lane, small_[warp].group[lane] + 1);
    }
  }
  while (!work_.empty()) RunForBarrier(work_.front().barrier);
  for (ThreadGroups& thread : groups_) {
    thread.committed.push_back(std::move(thread.open));
    for (std::vector<BulkOperation>& group : thread.committed) {
      for (BulkOperation& operation : group) {
        if (!operation.done_reading) operation.read();
        operation.write();
      }
    }
  }
  small_.clear();
  groups_.clear();
  return "";
}

void UpdateBarrier(Block& block, std::byte* barrier, int64_t arrivals, int64_t transactions) {
  uint64_t word;
  std::memcpy(&word, barrier, sizeof(word));
  BarrierWord state = BarrierWord::Unpack(word);
  if (!state.valid) return;  // invalidated in the meantime: nobody waits for it
  state.pending -= arrivals;
  state.transactions += transactions;
  const bool complete = state.TryComplete();
  word = state.Pack();
  std::memcpy(barrier, &word, sizeof(word));
  if (!complete) return;
  for (Warp* const warp : block.warps()) warp->state->WakeAll();
  block.Wake();
}

}  // namespace warpyard::emulator
