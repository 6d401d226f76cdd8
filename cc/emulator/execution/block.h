// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// A block of a launch and its cluster, as operations see them.

#ifndef WARPYARD_CC_EMULATOR_EXECUTION_BLOCK_H_
#define WARPYARD_CC_EMULATOR_EXECUTION_BLOCK_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "cc/emulator/execution/warp.h"
#include "cc/emulator/program/program.h"
#include "cc/target/device_spec.h"

namespace warpyard::emulator {

class Cluster;
class Launch;  // launch.h

// State that a family of operations keeps for a block (asynchronous copies,
// tensor memory, ...), made on first use. The scheduler gives each one turns.
class BlockExtension {
 public:
  virtual ~BlockExtension() = default;
  // Does some of the asynchronous work that is under way, and says whether
  // anything changed. Called whenever the block's warps have all had a turn, and
  // until false when all of them wait, before a deadlock is declared.
  virtual bool Progress(Block& block) { return false; }
  // The block's threads have all exited: finish what is under way. Returns what
  // the kernel did wrong ("tensor memory was not deallocated"), or "".
  virtual std::string Finish(Block& block) { return ""; }
};

class Block {
 public:
  // Which extension sits in which slot.
  enum Slot { kAsyncCopies, kTensorMemory, kWarpgroup, kReserved, kSlotCount };

  const Launch& launch() const { return *launch_; }
  Cluster& cluster() { return *cluster_; }
  uint32_t rank_in_cluster() const { return rank_; }
  const uint32_t* index() const { return index_; }  // %ctaid
  std::vector<Warp*>& warps() { return warps_; }

  // This block's own shared memory, static and dynamic; without the part that
  // the system reserves at its start, so that shared offset `o` lies at
  // `shared()[o - shared_offset()]`.
  std::byte* shared() { return shared_; }
  uint32_t shared_bytes() const { return shared_bytes_; }
  // 1024 from compute capability 9.0 on, 0 before.
  uint32_t shared_offset() const { return shared_offset_; }

  // Something happened that a waiting warp of this block may wait for.
  void Wake() { progress_ = true; }

  template <typename T>
  T& Extension(Slot slot) {
    if (extensions_[slot] == nullptr) extensions_[slot] = std::make_unique<T>();
    return static_cast<T&>(*extensions_[slot]);
  }
  BlockExtension* extension(Slot slot) { return extensions_[slot].get(); }

 protected:
  friend class Scheduler;
  friend class Warp;

  const Launch* launch_ = nullptr;
  Cluster* cluster_ = nullptr;
  uint32_t rank_ = 0;
  uint32_t index_[3] = {0, 0, 0};
  std::vector<Warp*> warps_;
  std::byte* shared_ = nullptr;
  uint32_t shared_bytes_ = 0;
  uint32_t shared_offset_ = 0;
  bool progress_ = false;
  std::array<std::unique_ptr<BlockExtension>, kSlotCount> extensions_;

 public:
  struct State;
  State* state = nullptr;
};

// The co-resident blocks that share addresses; one block where there are no
// clusters. All of its blocks run on one thread of the host.
class Cluster {
 public:
  // By rank; blocks()[0] where there is no cluster.
  std::vector<Block*>& blocks() { return blocks_; }
  // The block that a shared::cluster address names, or null.
  Block* Find(uint32_t shared_address);

 protected:
  friend class Scheduler;
  std::vector<Block*> blocks_;

 public:
  struct State;
  State* state = nullptr;
};

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_EXECUTION_BLOCK_H_
