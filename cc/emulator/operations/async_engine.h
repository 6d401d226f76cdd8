// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Asynchronous work of a block: copies that were started and have not been
// waited for.
//
// A kernel that forgets a wait must not see right data by luck, so nothing is
// done before it has to be: work that ends with an arrival at an mbarrier is done
// when a thread waits for that barrier, work of a group when a thread waits for
// the group, and what is left when the block ends. Until then the source is not
// read, and a destination in shared memory holds poison (bytes of 0xff, a NaN in
// every format that has one).

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_ASYNC_ENGINE_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_ASYNC_ENGINE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "cc/emulator/execution/block.h"
#include "cc/emulator/execution/warp.h"
#include "cc/emulator/operations/mbarrier_word.h"
#include "cc/emulator/program/program.h"

namespace warpyard::emulator {

inline constexpr unsigned char kPoison = 0xff;

// One piece of a copy: `bytes` from `source` to `destination`.
struct CopyPiece {
  std::byte* destination;
  const std::byte* source;
  uint32_t bytes;
};

// One cp.async of a warp: what its lanes copy, and to which of their groups it belongs.
struct SmallCopy {
  uint32_t mask = 0;  // lanes whose part is still to be done
  uint32_t bytes = 0;
  std::array<std::byte*, kWarpSize> destination;
  std::array<const std::byte*, kWarpSize> source;
  std::array<uint8_t, kWarpSize> source_bytes;  // the rest is filled with zeros
  std::array<uint32_t, kWarpSize> group;
};

// The cp.async state of a warp.
struct SmallCopies {
  std::deque<SmallCopy> copies;
  std::array<uint32_t, kWarpSize> group = {};  // the one that is being filled, per lane

  // Does lane's copies of groups before `group`.
  void RunBefore(int lane, uint32_t group);
};

// A bulk copy that completes with its thread's bulk group.
struct BulkOperation {
  std::function<void()> read;   // takes what is to be written from the source
  std::function<void()> write;  // makes it visible
  bool done_reading = false;
};

class AsyncEngine final : public BlockExtension {
 public:
  static AsyncEngine& Of(Block& block) { return block.Extension<AsyncEngine>(Block::kAsyncCopies); }

  SmallCopies& small_copies(const Warp& warp);

  // Work that is done when someone waits for the barrier at `barrier` (host
  // memory of an mbarrier in this block), in the order it was added.
  void AddForBarrier(const std::byte* barrier, std::function<void()> work);
  // Does the work that waits for a wait on this barrier. False if there was none.
  bool RunForBarrier(const std::byte* barrier);

  // Adds to the thread's current bulk group.
  void AddToGroup(const Warp& warp, int lane, BulkOperation operation);
  void CommitGroup(const Warp& warp, int lane);
  // Waits until at most `pending` of the latest groups are not done; `read_only`:
  // their sources need be read alone.
  void WaitGroups(const Warp& warp, int lane, uint64_t pending, bool read_only);

  bool Progress(Block& block) override;
  std::string Finish(Block& block) override;

 private:
  struct BarrierWork {
    const std::byte* barrier;
    std::function<void()> work;
  };
  struct ThreadGroups {
    std::vector<BulkOperation> open;
    std::deque<std::vector<BulkOperation>> committed;
  };
  ThreadGroups& groups(const Warp& warp, int lane);

  std::vector<SmallCopies> small_;
  std::vector<BarrierWork> work_;
  std::vector<ThreadGroups> groups_;
  uint32_t idle_rounds_ = 0;
};

// Takes arrivals from an mbarrier and adds transactions that it still expects
// (negative: that have come), and ends its phase where nothing is missing. Wakes
// `block`, whose barrier it is. The barrier must be valid.
void UpdateBarrier(Block& block, std::byte* barrier, int64_t arrivals, int64_t transactions);

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_ASYNC_ENGINE_H_
