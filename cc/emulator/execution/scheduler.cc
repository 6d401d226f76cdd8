// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/execution/scheduler.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "cc/emulator/execution/address.h"
#include "cc/emulator/execution/observer.h"

namespace warpyard::emulator {
namespace {

// Rounds of spinning after which one more cluster is let in, in case the ones
// that run wait for it.
constexpr int kPatience = 8;
// Warps that are let in at most because others spin.
constexpr uint64_t kMostResidentWarps = 4096;

// Clusters whose memory is kept from one launch to the next, and the bytes that
// one of them may have.
constexpr size_t kKeptClusters = 4;
constexpr uint64_t kKeptBytes = 8 << 20;

template <typename T>
void Broadcast(T (&row)[kWarpSize], T value) {
  std::fill(std::begin(row), std::end(row), value);
}

void Broadcast3(Row32 (&rows)[3], uint64_t x, uint64_t y, uint64_t z) {
  Broadcast(rows[0], static_cast<uint32_t>(x));
  Broadcast(rows[1], static_cast<uint32_t>(y));
  Broadcast(rows[2], static_cast<uint32_t>(z));
}

}  // namespace

struct Scheduler::WarpSlot {
  Warp warp;
  Warp::State state;
  uint64_t launch_number = 0;
};

struct Scheduler::BlockSlot {
  Block block;
  Block::State state;
  std::vector<std::unique_ptr<WarpSlot>> warps;
};

struct Scheduler::ClusterSlot {
  Cluster cluster;
  Cluster::State state;
  std::vector<std::unique_ptr<BlockSlot>> blocks;
};

Scheduler::Scheduler() = default;
Scheduler::~Scheduler() = default;

Scheduler& Scheduler::Thread() {
  static thread_local Scheduler scheduler;
  return scheduler;
}

// ---- Setting up.

void Scheduler::SetUpWarp(Launch& launch, BlockSlot& block, WarpSlot& slot, uint32_t warp_index) {
  Warp& warp = slot.warp;
  Warp::State& state = slot.state;
  const LaunchConfig& config = launch.config();
  SpecialRows& special = state.special;
  const Block& at = block.block;
  const uint32_t threads = launch.threads_per_block();
  const uint32_t first = warp_index * kWarpSize;
  const uint32_t count = std::min<uint32_t>(kWarpSize, threads - first);
  const uint32_t lanes = count == kWarpSize ? ~uint32_t{0} : (uint32_t{1} << count) - 1;
  const Dim3& cluster = config.cluster;

  if (slot.launch_number != launch_number_) {
    slot.launch_number = launch_number_;
    warp.state = &state;
    warp.block_ = &block.block;
    warp.index_in_block_ = warp_index;
    state.warp = &warp;
    state.launch = &launch;
    state.observer = config.observer;
    warp.bases_[RowRef::kConstants] = const_cast<std::byte*>(config.module->constants());
    warp.bases_[RowRef::kSpecial] = reinterpret_cast<std::byte*>(&special);
    const uint64_t scratch = std::max<uint64_t>(launch.program().scratch_bytes, 2048);
    if (state.scratch_bytes < scratch) {
      state.scratch = MakeAlignedBytes(scratch);
      state.scratch_bytes = scratch;
    }
    warp.bases_[RowRef::kScratch] = state.scratch.get();
    for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
      const uint32_t thread = first + lane;
      special.tid[0][lane] = thread % config.block.x;
      special.tid[1][lane] = thread / config.block.x % config.block.y;
      special.tid[2][lane] = thread / config.block.x / config.block.y;
      special.laneid[lane] = lane;
      const uint32_t bit = uint32_t{1} << lane;
      special.lanemask_eq[lane] = bit;
      special.lanemask_lt[lane] = bit - 1;
      special.lanemask_le[lane] = (bit - 1) | bit;
      special.lanemask_gt[lane] = ~((bit - 1) | bit);
      special.lanemask_ge[lane] = ~(bit - 1);
    }
    Broadcast3(special.ntid, config.block.x, config.block.y, config.block.z);
    Broadcast3(special.nctaid, config.grid.x, config.grid.y, config.grid.z);
    Broadcast3(special.nclusterid, config.grid.x / cluster.x, config.grid.y / cluster.y,
               config.grid.z / cluster.z);
    Broadcast3(special.cluster_nctaid, cluster.x, cluster.y, cluster.z);
    Broadcast(special.cluster_nctarank, launch.cluster_size());
    Broadcast(special.warpid, warp_index);
    Broadcast(special.nwarpid, static_cast<uint32_t>(config.device->generation->max_warps_per_sm));
    Broadcast(special.nsmid, static_cast<uint32_t>(config.device->sm_count));
    Broadcast(special.dynamic_smem_size, config.dynamic_shared_bytes);
    const uint32_t total = launch.shared_bytes();
    Broadcast(special.total_smem_size, total);
    Broadcast(special.aggr_smem_size, total + launch.shared_offset());
    Broadcast(special.zero, uint32_t{0});
    Broadcast(special.envreg[0], uint32_t{0});
    const uint64_t workspace = config.cooperative ? launch.grid_workspace() : 0;
    Broadcast(special.envreg[1], static_cast<uint32_t>(workspace >> 32));
    Broadcast(special.envreg[2], static_cast<uint32_t>(workspace));
    Broadcast(special.gridid, config.grid_id);
    Broadcast(special.current_graph_exec, uint64_t{0});
    special.is_explicit_cluster = config.has_cluster ? ~uint32_t{0} : 0;
    special.all_true = ~uint32_t{0};
    special.all_false = 0;
    state.snapshot = nullptr;
    state.RefreshSnapshot();
  }
  const uint32_t* index = at.index();
  Broadcast3(special.ctaid, index[0], index[1], index[2]);
  Broadcast3(special.clusterid, index[0] / cluster.x, index[1] / cluster.y, index[2] / cluster.z);
  Broadcast3(special.cluster_ctaid, index[0] % cluster.x, index[1] % cluster.y,
             index[2] % cluster.z);
  Broadcast(special.cluster_ctarank, at.rank_);
  const uint64_t block_number =
      index[0] + config.grid.x * (index[1] + uint64_t{config.grid.y} * index[2]);
  Broadcast(special.smid,
            static_cast<uint32_t>(block_number % std::max(1, config.device->sm_count)));
  Broadcast(special.shared_base, at.rank_ << kClusterRankShift | launch.shared_offset());
  warp.live_lanes_ = lanes;
  state.Start(launch.function(), lanes);
}

void Scheduler::SetUpBlock(Launch& launch, ClusterSlot& cluster, uint32_t rank, uint64_t index) {
  const LaunchConfig& config = launch.config();
  BlockSlot& slot = *cluster.blocks[rank];
  Block& block = slot.block;
  block.launch_ = &launch;
  block.cluster_ = &cluster.cluster;
  block.rank_ = rank;
  block.state = &slot.state;
  // The clusters of a grid in the order of their coordinates, x first; in a
  // cluster, likewise, by rank.
  const Dim3& size = config.cluster;
  const uint64_t across = config.grid.x / size.x;
  const uint64_t down = config.grid.y / size.y;
  block.index_[0] = static_cast<uint32_t>(index % across * size.x + rank % size.x);
  block.index_[1] = static_cast<uint32_t>(index / across % down * size.y + rank / size.x % size.y);
  block.index_[2] = static_cast<uint32_t>(index / across / down * size.z + rank / size.x / size.y);

  block.shared_bytes_ = launch.shared_bytes();
  block.shared_offset_ = launch.shared_offset();
  if (slot.state.shared_capacity < block.shared_bytes_ || slot.state.shared == nullptr) {
    slot.state.shared = MakeAlignedBytes(block.shared_bytes_);
    slot.state.shared_capacity = block.shared_bytes_;
  } else {
    std::memset(slot.state.shared.get(), 0, block.shared_bytes_);
  }
  block.shared_ = slot.state.shared.get();
  block.progress_ = false;
  for (auto& extension : block.extensions_) extension.reset();
  for (BlockBarrier& barrier : slot.state.barriers) barrier = BlockBarrier();
  slot.state.live_threads = launch.threads_per_block();
  slot.state.cluster_index = index;

  const uint32_t warps = launch.warps_per_block();
  while (slot.warps.size() < warps) slot.warps.push_back(std::make_unique<WarpSlot>());
  block.warps_.clear();
  for (uint32_t i = 0; i < warps; ++i) {
    block.warps_.push_back(&slot.warps[i]->warp);
    SetUpWarp(launch, slot, *slot.warps[i], i);
  }
  if (config.observer != nullptr) config.observer->BlockBegins(block);
}

std::unique_ptr<Scheduler::ClusterSlot> Scheduler::Admit(Launch& launch, uint64_t index) {
  std::unique_ptr<ClusterSlot> slot;
  if (free_.empty()) {
    slot = std::make_unique<ClusterSlot>();
  } else {
    slot = std::move(free_.back());
    free_.pop_back();
  }
  const uint32_t size = launch.cluster_size();
  while (slot->blocks.size() < size) slot->blocks.push_back(std::make_unique<BlockSlot>());
  slot->cluster.state = &slot->state;
  slot->state = Cluster::State();
  slot->state.live_threads = size * launch.threads_per_block();
  slot->state.index = index;
  slot->cluster.blocks_.clear();
  for (uint32_t rank = 0; rank < size; ++rank) {
    slot->cluster.blocks_.push_back(&slot->blocks[rank]->block);
  }
  for (uint32_t rank = 0; rank < size; ++rank) SetUpBlock(launch, *slot, rank, index);
  return slot;
}

void Scheduler::Retire(std::unique_ptr<ClusterSlot> slot) {
  for (Block* const block : slot->cluster.blocks()) {
    for (auto& extension : block->extensions_) extension.reset();
    for (Warp* const warp : block->warps()) warp->state->Finish();
  }
  if (free_.size() < kKeptClusters) free_.push_back(std::move(slot));
}

// ---- Running.

template <bool kObserve>
bool Scheduler::RunWarp(Warp& warp) {
  Warp::State& s = *warp.state;
  s.cycles += static_cast<uint64_t>(kSlice - s.slice);
  s.slice = kSlice;
  if (s.other_count != 0) {
    s.WakeAll();
    if (!s.Reselect()) return false;
  }
  if (s.mask == 0) return false;
  bool progressed = false;
  const Instruction* code;
  const Instruction* ip;
  const Instruction* stop;
  const std::byte* rows;
  uint32_t mask;
  const auto reload = [&] {
    code = s.frame->function->code.data();
    ip = code + s.pc;
    stop = s.stop_pc == ~uint32_t{0} ? nullptr : code + s.stop_pc;
    rows = s.frame->rows.get();
    mask = s.mask;
  };
  reload();
  for (;;) {
    if (ip == stop) [[unlikely]] {
      s.pc = static_cast<uint32_t>(ip - code);
      if (!s.Reselect()) return progressed;
      reload();
      continue;
    }
    uint32_t taken = mask;
    if (ip->guard != Instruction::kNoGuard) {
      uint32_t guard;
      std::memcpy(&guard, rows + ip->guard, sizeof(guard));
      taken &= ip->guard_negated ? ~guard : guard;
      if (taken == 0) {
        ++ip;
        progressed = true;
        continue;
      }
    }
    if constexpr (kObserve) {
      s.observer->OnInstruction(warp, *ip, taken, mask);
      if (s.faulted) return true;
    }
    const Next next = ip->handler(warp, *ip, taken);
    if (next == Next::kAdvance) [[likely]] {
      ++ip;
      progressed = true;
      continue;
    }
    switch (next) {
      case Next::kAdvance:
        break;
      case Next::kJumped: {
        progressed = true;
        const Instruction* const from = ip;
        if (s.mask == 0) {
          if (!s.Select()) return true;
        } else {
          // A step back is what a loop takes: it is paid from the turn.
          const std::ptrdiff_t back = from - (s.frame->function->code.data() + s.pc);
          if (back >= 0) {
            const int64_t cost = std::min<std::ptrdiff_t>(back, kSlice) + 1;
            s.slice -= cost;
            s.fuel -= cost;
          }
          if (s.other_count != 0) {
            if (!s.Reselect()) return true;
          } else {
            s.stop_pc = ~uint32_t{0};
          }
          if (s.slice < 0) return true;
        }
        reload();
        break;
      }
      case Next::kWait: {
        s.pc = static_cast<uint32_t>(ip - code);
        if (taken != mask) {
          progressed = true;
          s.Add(s.frame, s.pc + 1, mask & ~taken, false);
          s.mask = taken;
        }
        s.Park(true);
        if (!s.Select()) return progressed;
        reload();
        break;
      }
      case Next::kYield:
        s.pc = static_cast<uint32_t>(ip - code) + 1;
        s.SpinHint();
        if (s.other_count != 0 && !s.Reselect()) return true;
        return true;
      case Next::kFault:
        s.faulted = true;
        return true;
    }
  }
}

bool Scheduler::TakeTurn(Warp& warp) {
  return warp.state->observer != nullptr ? RunWarp<true>(warp) : RunWarp<false>(warp);
}

Scheduler::Round Scheduler::RunRound(Launch& launch, ClusterSlot& slot, bool* spinning) {
  bool progressed = false;
  bool alive = false;
  for (Block* const block : slot.cluster.blocks()) {
    for (Warp* const warp : block->warps()) {
      if (warp->live_lanes_ == 0) continue;
      Warp::State& state = *warp->state;
      const uint64_t version = launch.config().memory->version();
      if (version != state.snapshot_version) state.RefreshSnapshot();
      progressed |= TakeTurn(*warp);
      if (state.faulted) return Round::kDropped;
      if (warp->live_lanes_ != 0) {
        alive = true;
        if (state.spun) *spinning = true;
        state.spun = false;
      }
    }
    for (const auto& extension : block->extensions_) {
      if (extension != nullptr) progressed |= extension->Progress(*block);
    }
    progressed |= block->progress_;
    block->progress_ = false;
  }
  if (!alive) return Round::kFinished;
  if (!progressed) {
    RaiseDeadlock(launch, slot);
    return Round::kDropped;
  }
  return launch.Stopped(slot.state.index) ? Round::kDropped : Round::kProgress;
}

void Scheduler::Finish(Launch& launch, ClusterSlot& slot) {
  for (Block* const block : slot.cluster.blocks()) {
    std::string wrong;
    for (const auto& extension : block->extensions_) {
      if (extension != nullptr && wrong.empty()) wrong = extension->Finish(*block);
    }
    if (launch.config().observer != nullptr) launch.config().observer->BlockEnds(*block);
    if (wrong.empty()) continue;
    Fault fault;
    fault.kind = FaultKind::kIllegalInstruction;
    fault.what = std::move(wrong);
    fault.kernel = std::string(launch.function().name);
    for (int i = 0; i < 3; ++i) fault.block[i] = block->index()[i];
    fault.has_block = true;
    launch.SetFault(slot.state.index, std::move(fault));
  }
}

void Scheduler::RaiseDeadlock(Launch& launch, ClusterSlot& slot) {
  Fault fault;
  fault.kind = FaultKind::kDeadlock;
  fault.what = "deadlock: all threads wait";
  fault.kernel = std::string(launch.function().name);
  int listed = 0;
  int more = 0;
  for (Block* const block : slot.cluster.blocks()) {
    for (Warp* const warp : block->warps()) {
      const Warp::State& state = *warp->state;
      for (int i = 0; i < state.other_count; ++i) {
        const Group& group = state.others[i];
        if (++listed > 8) {
          ++more;
          continue;
        }
        const Instruction& instruction = group.frame->function->code[group.pc];
        absl::StrAppend(&fault.detail, fault.detail.empty() ? "" : "; ");
        if (slot.cluster.blocks().size() > 1) {
          absl::StrAppend(&fault.detail, "block ", block->rank_, " of the cluster, ");
        }
        absl::StrAppend(&fault.detail, "warp ", warp->index_in_block_, ", ",
                        std::popcount(group.mask), " lanes (",
                        absl::StrFormat("0x%08x", group.mask), ")");
        if (instruction.syntax != nullptr) {
          absl::StrAppend(&fault.detail, " at line ", instruction.syntax->position.line, " '",
                          absl::StripAsciiWhitespace(instruction.syntax->text), "'");
        }
      }
    }
  }
  if (more != 0) absl::StrAppend(&fault.detail, "; and ", more, " more");
  const Block& first = *slot.cluster.blocks()[0];
  for (int i = 0; i < 3; ++i) fault.block[i] = first.index()[i];
  fault.has_block = true;
  launch.SetFault(slot.state.index, std::move(fault));
}

void Scheduler::Run(Launch& launch, const std::function<void()>& between) {
  static std::atomic<uint64_t> next_number{1};
  launch_number_ = next_number.fetch_add(1, std::memory_order_relaxed);
  std::vector<std::unique_ptr<ClusterSlot>> resident;
  const bool together = launch.config().cooperative;
  const uint64_t most = std::max<uint64_t>(
      1, kMostResidentWarps / (uint64_t{launch.cluster_size()} * launch.warps_per_block()));
  int patience = kPatience;
  const auto admit = [&] {
    const std::optional<uint64_t> index = launch.TakeCluster();
    if (!index.has_value()) return false;
    resident.push_back(Admit(launch, *index));
    return true;
  };
  while (admit() && together) {
  }
  while (!resident.empty()) {
    bool spinning = false;
    bool finished = false;
    for (size_t i = 0; i < resident.size(); ++i) {
      bool spins = false;
      const Round round = RunRound(launch, *resident[i], &spins);
      spinning |= spins;
      if (round == Round::kProgress) continue;
      if (round == Round::kFinished) Finish(launch, *resident[i]);
      Retire(std::move(resident[i]));
      finished = true;
    }
    std::erase(resident, nullptr);
    between();
    if (finished) {
      patience = kPatience;
      if (resident.empty()) admit();
    } else if (spinning && --patience <= 0 && resident.size() < most) {
      patience = kPatience;
      admit();
    }
  }
  // What a huge launch took is not kept.
  std::erase_if(free_, [](const std::unique_ptr<ClusterSlot>& slot) {
    uint64_t bytes = 0;
    for (const auto& block : slot->blocks) {
      bytes += block->state.shared_capacity;
      for (const auto& warp : block->warps) bytes += warp->state.HeldBytes();
    }
    return bytes > kKeptBytes;
  });
}

}  // namespace warpyard::emulator
