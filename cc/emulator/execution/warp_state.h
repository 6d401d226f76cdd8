// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// How a warp is scheduled: groups of lanes, frames of functions, and what a warp
// waits for.
//
// Lanes that execute together are a *group*: a frame, a program counter and a
// mask. A warp that has not diverged has one. Of several, the one in the deepest
// call runs, and among those of one frame the one with the lowest program
// counter, which is where the others cannot get without passing ("thread
// frontiers", Diamos et al., MICRO 2011); groups that stand at the same place in
// the same frame are merged. A group that goes round a loop for long while others
// stand is put behind them, so that every thread makes progress.

#ifndef WARPYARD_CC_EMULATOR_EXECUTION_WARP_STATE_H_
#define WARPYARD_CC_EMULATOR_EXECUTION_WARP_STATE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "cc/emulator/execution/memory_map.h"
#include "cc/emulator/execution/special_rows.h"
#include "cc/emulator/execution/warp.h"
#include "cc/emulator/program/program.h"

namespace warpyard::emulator {

class Launch;    // launch_state.h
class Observer;  // observer.h

struct FreeAligned {
  void operator()(std::byte* memory) const;
};
using AlignedBytes = std::unique_ptr<std::byte[], FreeAligned>;
// Zeroed, aligned to 64 bytes.
AlignedBytes MakeAlignedBytes(uint64_t bytes);

// One call of a function by some lanes. Lanes that call the same function from
// the same frame share it, whatever place they call from: each has its own place
// to return to, and they can merge inside.
struct Frame {
  Frame* parent = nullptr;  // the caller's; null for the kernel's
  Frame* first_child = nullptr;
  Frame* next_sibling = nullptr;
  const Function* function = nullptr;
  AlignedBytes rows;
  uint64_t row_bytes = 0;
  uint32_t function_id = 0;
  uint32_t depth = 0;
  uint32_t lanes = 0;  // that are in this call or in one that it makes
  uint32_t return_pc[kWarpSize] = {};
  // Where the lane's local memory of this call begins: .local variables, then,
  // aligned to 16, the param area; alloca's blocks follow.
  uint64_t local_base[kWarpSize] = {};
};

// Offset of the param area behind Frame::local_base.
inline uint64_t ParamArea(const Function& function) {
  return (uint64_t{function.local_bytes} + 15) & ~uint64_t{15};
}

struct Group {
  Frame* frame;
  uint32_t pc;
  uint32_t mask;
  uint64_t stamp;  // when it last ran
  bool waiting;
};

inline constexpr int kBarriers = 16;

// Instructions of a warp's turn, roughly.
inline constexpr int64_t kSlice = 1 << 15;

struct Warp::State {
  State();
  ~State();

  Warp* warp = nullptr;
  const Launch* launch = nullptr;
  Observer* observer = nullptr;
  bool faulted = false;

  // The group that runs; mask 0 if none does.
  Frame* frame = nullptr;
  uint32_t pc = 0;
  uint32_t mask = 0;
  uint64_t stamp = 0;
  // The pc at which it meets another group on the straight way; ~0: nowhere.
  uint32_t stop_pc = ~uint32_t{0};
  // Those that do not.
  std::array<Group, kWarpSize> others;
  int other_count = 0;
  // Chosen for its age rather than its place: it runs until its fuel is used
  // up, it waits, ends or merges.
  bool pinned = false;
  int64_t fuel = 0;
  uint64_t clock = 0;
  // Instructions left in this turn of the warp, roughly.
  int64_t slice = 0;
  bool spun = false;  // SpinHint was called

  // ---- Frames.
  std::vector<std::vector<std::unique_ptr<Frame>>> free_frames;  // by Function::id
  std::vector<std::unique_ptr<Frame>> live_frames;

  // ---- Local memory: lane i's is at local + i * local_stride.
  AlignedBytes local;
  uint64_t local_stride = 0;
  uint64_t local_top[kWarpSize] = {};  // in use, per lane

  // ---- What global memory there is, and the allocation that an access hit last.
  std::shared_ptr<const MemoryMap::Snapshot> snapshot;
  uint64_t snapshot_version = 0;
  uint64_t cached_base = 1;  // none contains it: size 0
  uint64_t cached_size = 0;
  bool cached_read_only = false;

  // ---- Barriers of the block: lanes that wait, that are released and have not
  // gone on, and what .red gave them.
  uint32_t barrier_waiting[kBarriers] = {};
  uint32_t barrier_released[kBarriers] = {};
  uint32_t barrier_result[kBarriers] = {};
  // barrier.cluster: lanes that arrived in this phase; whose phase is complete.
  uint32_t cluster_arrived = 0;
  uint32_t cluster_complete = 0;
  // bar.warp.sync: lanes that wait, and released ones.
  uint32_t warp_waiting = 0;
  uint32_t warp_released = 0;

  // %clock: instructions up to the beginning of this turn, and reads since.
  uint64_t cycles = 0;

  alignas(64) SpecialRows special = {};
  AlignedBytes scratch;
  uint64_t scratch_bytes = 0;

  // Starts `lanes` at the beginning of `function`.
  void Start(const Function& function, uint32_t lanes);
  // The warp is done: keeps the memory for the next one, forgets the program.
  void Finish();
  // Of frames, local memory and scratch rows that are kept.
  uint64_t HeldBytes() const;

  // Puts the running group among the others (merging it).
  void Park(bool waiting);
  // Takes the group that is to run from the others, with those that stand where
  // it stands. False if all wait, or none is left.
  bool Select();
  // After the running group jumped, with others there: lets the right one run.
  // False as Select().
  bool Reselect();
  // Adds a group; merges it with one at the same place.
  void Add(Frame* frame, uint32_t pc, uint32_t lanes, bool waiting);
  // All waiting groups may try again.
  void WakeAll() {
    for (int i = 0; i < other_count; ++i) others[i].waiting = false;
  }
  // An operation as spinning code has it was executed.
  void SpinHint() {
    spun = true;
    slice -= kSlice / 16;
    fuel -= 2048;
  }

  // A later value than any before.
  uint64_t ReadCycles() {
    cycles += 16;
    return cycles + static_cast<uint64_t>(kSlice - slice);
  }

  // Takes the memory map's present state. False if it is the one already known.
  bool RefreshSnapshot();

  // ---- For handlers that change the flow; all return kJumped.
  uint32_t PcOf(const Instruction& instruction) const {
    return static_cast<uint32_t>(&instruction - frame->function->code.data());
  }
  // Lanes `taken` of the running group go to `target`, the rest to the next
  // instruction.
  Next Branch(const Instruction& instruction, uint32_t taken, uint32_t target);
  // Lanes of `lanes` end.
  Next Exit(const Instruction& instruction, uint32_t lanes);
  // Lanes of `lanes` enter `callee`. Null where the stack has no room (the fault
  // is raised). `frame` is then the callee's frame.
  Frame* Call(const Instruction& instruction, uint32_t lanes, const Function& callee);
  // Lanes of `lanes` leave the running function, which is not the kernel.
  Next Return(const Instruction& instruction, uint32_t lanes);
  // Gives the lane `bytes` more of local memory; its offset, or ~0 where the
  // limit is passed.
  uint64_t PushLocal(int lane, uint64_t bytes, uint64_t alignment);
  bool EnsureLocal(uint64_t bytes);

 private:
  Frame* NewFrame(Frame* parent, const Function& function);
  void ReleaseFrame(Frame* frame);
  void FillAddresses(Frame& frame, uint32_t lanes);
  void LeaveAt(const Instruction& instruction, uint32_t lanes);
  int Best() const;
  int Oldest() const;
  void Run(int index);
  void SetStop();
};

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_EXECUTION_WARP_STATE_H_
