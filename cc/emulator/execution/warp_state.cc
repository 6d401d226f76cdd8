// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/execution/warp_state.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cc/emulator/execution/address.h"
#include "cc/emulator/execution/block_state.h"
#include "cc/emulator/execution/launch_state.h"

namespace warpyard::emulator {
namespace {

// How long a group may go round while others stand.
constexpr int64_t kFuel = 1 << 16;
// Of a call's local memory.
constexpr uint64_t kCallAlignment = 32;

}  // namespace

void FreeAligned::operator()(std::byte* memory) const { std::free(memory); }

AlignedBytes MakeAlignedBytes(uint64_t bytes) {
  const uint64_t rounded = (std::max<uint64_t>(bytes, 1) + 63) & ~uint64_t{63};
  auto* memory = static_cast<std::byte*>(std::aligned_alloc(64, rounded));
  if (memory == nullptr) throw std::bad_alloc();
  std::memset(memory, 0, rounded);
  return AlignedBytes(memory);
}

Warp::State::State() = default;
Warp::State::~State() = default;

void Warp::State::Finish() {
  for (std::unique_ptr<Frame>& live : live_frames) {
    free_frames[live->function_id].push_back(std::move(live));
  }
  live_frames.clear();
  other_count = 0;
  mask = 0;
}

uint64_t Warp::State::HeldBytes() const {
  uint64_t bytes = local_stride * kWarpSize + scratch_bytes;
  for (const auto& pool : free_frames) {
    for (const std::unique_ptr<Frame>& frame_of_pool : pool) bytes += frame_of_pool->row_bytes;
  }
  return bytes;
}

void Warp::State::Start(const Function& function, uint32_t lanes) {
  faulted = false;
  other_count = 0;
  pinned = false;
  fuel = kFuel;
  clock = 0;
  stamp = 0;
  cycles = 0;
  slice = kSlice;
  std::fill(std::begin(local_top), std::end(local_top), 0);
  std::fill(std::begin(barrier_waiting), std::end(barrier_waiting), 0);
  std::fill(std::begin(barrier_released), std::end(barrier_released), 0);
  cluster_arrived = cluster_complete = warp_waiting = warp_released = 0;
  if (local != nullptr) std::memset(local.get(), 0, local_stride * kWarpSize);

  frame = NewFrame(nullptr, function);
  frame->lanes = lanes;
  mask = lanes;
  pc = 0;
  stop_pc = ~uint32_t{0};
  const uint64_t bytes = ParamArea(function) + function.param_bytes;
  if (bytes != 0) {
    EnsureLocal(bytes);
    std::fill(std::begin(local_top), std::end(local_top), bytes);
  }
  FillAddresses(*frame, ~uint32_t{0});
  warp->bases_[RowRef::kFrame] = frame->rows.get();
}

Frame* Warp::State::NewFrame(Frame* parent, const Function& function) {
  if (function.id >= free_frames.size()) free_frames.resize(function.id + 1);
  std::vector<std::unique_ptr<Frame>>& pool = free_frames[function.id];
  std::unique_ptr<Frame> made;
  if (!pool.empty()) {
    made = std::move(pool.back());
    pool.pop_back();
  } else {
    made = std::make_unique<Frame>();
  }
  // The pool outlives programs: a frame may come from another one's function.
  if (made->rows == nullptr || made->row_bytes < function.frame_bytes) {
    made->rows = MakeAlignedBytes(function.frame_bytes);
    made->row_bytes = function.frame_bytes;
  } else {
    std::memset(made->rows.get(), 0, function.frame_bytes);
  }
  made->function = &function;
  made->function_id = function.id;
  made->parent = parent;
  made->first_child = nullptr;
  made->next_sibling = nullptr;
  made->depth = 0;
  made->lanes = 0;
  if (parent != nullptr) {
    made->depth = parent->depth + 1;
    made->next_sibling = parent->first_child;
    parent->first_child = made.get();
  }
  live_frames.push_back(std::move(made));
  return live_frames.back().get();
}

void Warp::State::ReleaseFrame(Frame* released) {
  if (released->parent != nullptr) {
    Frame** link = &released->parent->first_child;
    while (*link != released) link = &(*link)->next_sibling;
    *link = released->next_sibling;
  }
  // The latest frames die first: the search is short.
  for (size_t i = live_frames.size(); i-- > 0;) {
    if (live_frames[i].get() != released) continue;
    std::swap(live_frames[i], live_frames.back());
    free_frames[released->function_id].push_back(std::move(live_frames.back()));
    live_frames.pop_back();
    return;
  }
}

void Warp::State::FillAddresses(Frame& filled, uint32_t lanes) {
  for (const FrameAddress& address : filled.function->frame_addresses) {
    uint64_t base = address.offset;
    bool per_lane = false;
    switch (address.area) {
      case FrameAddress::Area::kShared:
        base += special.shared_base[0];
        break;
      case FrameAddress::Area::kDynamicShared:
        base += special.shared_base[0] + launch->DynamicSharedOffset(address.alignment);
        break;
      case FrameAddress::Area::kLocal:
        per_lane = true;
        break;
      case FrameAddress::Area::kParam:
        base += ParamArea(*filled.function) + kLocalWindow;
        per_lane = true;
        break;
      case FrameAddress::Area::kKernelParam:
        base += reinterpret_cast<uint64_t>(launch->parameters());
        break;
    }
    std::byte* row = filled.rows.get() + address.row;
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      const uint64_t value = base + (per_lane ? filled.local_base[lane] : 0);
      if (address.bits == 64) {
        std::memcpy(row + lane * 8, &value, 8);
      } else {
        const uint32_t low = static_cast<uint32_t>(value);
        std::memcpy(row + lane * 4, &low, 4);
      }
    }
  }
}

bool Warp::State::EnsureLocal(uint64_t bytes) {
  if (bytes <= local_stride) return true;
  if (bytes > launch->local_limit()) return false;
  // An odd number of cache lines, so that the lanes do not share one set.
  uint64_t stride = std::max(bytes, std::min(2 * local_stride, launch->local_limit()));
  stride = ((stride + 63) & ~uint64_t{63}) | 64;
  AlignedBytes grown = MakeAlignedBytes(stride * kWarpSize);
  for (int lane = 0; lane < kWarpSize && local != nullptr; ++lane) {
    std::memcpy(grown.get() + lane * stride, local.get() + lane * local_stride, local_stride);
  }
  local = std::move(grown);
  local_stride = stride;
  return true;
}

uint64_t Warp::State::PushLocal(int lane, uint64_t bytes, uint64_t alignment) {
  const uint64_t limit = launch->local_limit();
  if (bytes > limit || alignment > limit) return ~uint64_t{0};
  const uint64_t base = (local_top[lane] + alignment - 1) & ~(alignment - 1);
  if (base > limit || !EnsureLocal(base + bytes)) return ~uint64_t{0};
  local_top[lane] = base + bytes;
  return base;
}

bool Warp::State::RefreshSnapshot() {
  const MemoryMap& map = *launch->config().memory;
  const uint64_t version = map.version();
  if (snapshot != nullptr && version == snapshot_version) return false;
  snapshot = map.Get();
  snapshot_version = version;  // read before: at worst it is taken once more
  cached_base = 1;
  cached_size = 0;
  return true;
}

// ---- Groups.

void Warp::State::Add(Frame* at, uint32_t at_pc, uint32_t lanes, bool waiting) {
  for (int i = 0; i < other_count; ++i) {
    Group& other = others[i];
    if (other.frame == at && other.pc == at_pc) {
      other.mask |= lanes;
      other.stamp = std::max(other.stamp, stamp);
      other.waiting = false;  // with more lanes it is worth a try
      return;
    }
  }
  others[other_count++] = Group{at, at_pc, lanes, stamp, waiting};
}

void Warp::State::Park(bool waiting) {
  if (mask != 0) Add(frame, pc, mask, waiting);
  mask = 0;
}

// Deeper calls first; in one frame the lowest pc. Frames of one depth in the
// order of their functions and then of their lanes: an order that no address of
// the host decides.
int Warp::State::Best() const {
  int best = -1;
  for (int i = 0; i < other_count; ++i) {
    const Group& a = others[i];
    if (a.waiting) continue;
    if (best < 0) {
      best = i;
      continue;
    }
    const Group& b = others[best];
    if (a.frame->depth != b.frame->depth) {
      if (a.frame->depth > b.frame->depth) best = i;
    } else if (a.frame->function->id != b.frame->function->id) {
      if (a.frame->function->id < b.frame->function->id) best = i;
    } else if (a.pc != b.pc) {
      if (a.pc < b.pc) best = i;
    } else if (std::countr_zero(a.mask) < std::countr_zero(b.mask)) {
      best = i;
    }
  }
  return best;
}

int Warp::State::Oldest() const {
  int oldest = -1;
  for (int i = 0; i < other_count; ++i) {
    const Group& a = others[i];
    if (a.waiting) continue;
    if (oldest < 0 || a.stamp < others[oldest].stamp ||
        (a.stamp == others[oldest].stamp &&
         std::countr_zero(a.mask) < std::countr_zero(others[oldest].mask))) {
      oldest = i;
    }
  }
  return oldest;
}

void Warp::State::Run(int index) {
  const Group& group = others[index];
  frame = group.frame;
  pc = group.pc;
  mask = group.mask;
  stamp = ++clock;
  others[index] = others[--other_count];
  warp->bases_[RowRef::kFrame] = frame->rows.get();
  SetStop();
}

void Warp::State::SetStop() {
  stop_pc = ~uint32_t{0};
  for (int i = 0; i < other_count; ++i) {
    if (others[i].frame == frame && others[i].pc > pc) stop_pc = std::min(stop_pc, others[i].pc);
  }
}

bool Warp::State::Select() {
  const int best = Best();
  if (best < 0) {
    mask = 0;
    return false;
  }
  pinned = false;
  Run(best);
  return true;
}

bool Warp::State::Reselect() {
  if (mask == 0) return Select();
  // Merge with who stands here already.
  bool merged = false;
  for (int i = 0; i < other_count; ++i) {
    if (others[i].frame == frame && others[i].pc == pc) {
      mask |= others[i].mask;
      others[i] = others[--other_count];
      merged = true;
      break;
    }
  }
  if (other_count == 0) {
    pinned = false;
    stop_pc = ~uint32_t{0};
    fuel = kFuel;
    return true;
  }
  if (fuel < 0) {
    // It had its time: the one that has stood longest is next.
    fuel = kFuel;
    stamp = ++clock;
    Park(false);
    Run(Oldest());
    pinned = true;
    return true;
  }
  if (pinned && !merged) {
    SetStop();
    return true;
  }
  pinned = false;
  Park(false);
  return Select();
}

// ---- Flow.

// The lanes of the running group that an instruction does not take along go to
// the next one.
void Warp::State::LeaveAt(const Instruction& instruction, uint32_t lanes) {
  const uint32_t rest = mask & ~lanes;
  if (rest != 0) Add(frame, PcOf(instruction) + 1, rest, false);
}

Next Warp::State::Branch(const Instruction& instruction, uint32_t taken, uint32_t target) {
  LeaveAt(instruction, taken);
  mask = taken;
  pc = target;
  return Next::kJumped;
}

Next Warp::State::Exit(const Instruction& instruction, uint32_t lanes) {
  LeaveAt(instruction, lanes);
  mask = 0;
  for (Frame* left = frame; left != nullptr;) {
    Frame* const parent = left->parent;
    left->lanes &= ~lanes;
    if (left->lanes == 0 && parent != nullptr) ReleaseFrame(left);
    left = parent;
  }
  warp->live_lanes_ &= ~lanes;
  LanesExited(*warp, lanes);
  return Next::kJumped;
}

Frame* Warp::State::Call(const Instruction& instruction, uint32_t lanes, const Function& callee) {
  const uint64_t bytes = ParamArea(callee) + callee.param_bytes;
  // What a real call would put on the stack: the registers of the callee. It
  // bounds the depth of a recursion that has no local variables.
  const uint64_t charge = bytes + callee.frame_bytes / kWarpSize + 16;
  const uint32_t return_pc = PcOf(instruction) + 1;
  uint64_t highest = 0;
  for (uint32_t left = lanes; left != 0; left &= left - 1) {
    highest = std::max(highest, local_top[std::countr_zero(left)]);
  }
  const uint64_t end = ((highest + kCallAlignment - 1) & ~(kCallAlignment - 1)) + charge;
  if (end > launch->local_limit() || !EnsureLocal(end)) {
    warp->RaiseFault(
        instruction, std::countr_zero(lanes), FaultKind::kStackOverflow,
        absl::StrCat("stack overflow at call depth ", frame->depth + 1, ": the limit is ",
                     launch->local_limit(), " bytes per thread (cudaLimitStackSize)"));
    return nullptr;
  }
  Frame* called = frame->first_child;
  while (called != nullptr && called->function != &callee) called = called->next_sibling;
  if (called == nullptr) called = NewFrame(frame, callee);
  called->lanes |= lanes;
  for (uint32_t left = lanes; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const uint64_t base = (local_top[lane] + kCallAlignment - 1) & ~(kCallAlignment - 1);
    called->return_pc[lane] = return_pc;
    called->local_base[lane] = base;
    if (bytes != 0) {
      std::memset(local.get() + lane * local_stride + base, 0, bytes);
    }
    local_top[lane] = base + charge;
  }
  FillAddresses(*called, lanes);
  LeaveAt(instruction, lanes);
  mask = lanes;
  frame = called;
  pc = 0;
  slice -= 16;
  fuel -= 16;
  warp->bases_[RowRef::kFrame] = frame->rows.get();
  return called;
}

Next Warp::State::Return(const Instruction& instruction, uint32_t lanes) {
  LeaveAt(instruction, lanes);
  Frame* const left_frame = frame;
  Frame* const parent = frame->parent;
  for (uint32_t left = lanes; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    // alloca's blocks and the call's own go; alignment padding may stay.
    local_top[lane] = left_frame->local_base[lane];
  }
  left_frame->lanes &= ~lanes;
  // Lanes may have come from different places.
  uint32_t rest = lanes;
  mask = 0;
  while (rest != 0) {
    const uint32_t target = left_frame->return_pc[std::countr_zero(rest)];
    uint32_t same = 0;
    for (uint32_t left = rest; left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      if (left_frame->return_pc[lane] == target) same |= uint32_t{1} << lane;
    }
    rest &= ~same;
    if (mask == 0) {
      mask = same;
      pc = target;
    } else {
      Add(parent, target, same, false);
    }
  }
  frame = parent;
  if (left_frame->lanes == 0) ReleaseFrame(left_frame);
  warp->bases_[RowRef::kFrame] = frame->rows.get();
  return Next::kJumped;
}

}  // namespace warpyard::emulator
