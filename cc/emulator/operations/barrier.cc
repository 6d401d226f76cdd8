// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/operations/barrier.h"

#include <bit>
#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/execution/block.h"
#include "cc/emulator/execution/block_state.h"
#include "cc/emulator/execution/observer.h"
#include "cc/emulator/execution/warp.h"
#include "cc/emulator/execution/warp_state.h"
#include "cc/emulator/operations/decode_support.h"
#include "cc/emulator/program/decoder.h"
#include "cc/emulator/program/program.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {
namespace {

using syntax::Operand;
using syntax::ScalarType;

enum Mode : uint32_t { kSync, kArrive, kPopc, kAnd, kOr };
// Instruction::flags: the mode, and these.
constexpr uint32_t kModeMask = 7;
constexpr uint32_t kAligned = 1 << 8;
constexpr uint32_t kNegated = 1 << 9;
// Instruction::rows: the result where there is one, the barrier, the count (0:
// all), the predicate of .red.

void Tell(Warp& warp, const Instruction& in, BarrierEvent event, int barrier, uint32_t mask,
          bool divergent) {
  Observer* const observer = warp.state->observer;
  if (observer != nullptr) observer->OnBarrier(warp, in, event, barrier, mask, divergent);
}

// Lanes `done` of the group in `mask` go on, the others try again.
Next GoOnInPart(Warp& warp, const Instruction& in, uint32_t mask, uint32_t done) {
  Warp::State& s = *warp.state;
  const uint32_t pc = s.PcOf(in);
  s.Add(s.frame, pc + 1, done | (s.mask & ~mask), false);
  s.mask = mask & ~done;
  s.pc = pc;
  return Next::kJumped;
}

void WriteResult(Warp& warp, const Instruction& in, uint32_t lanes, uint32_t result) {
  const uint32_t mode = in.flags & kModeMask;
  if (mode == kPopc) {
    uint32_t* d = warp.Row<uint32_t>(in.rows[0]);
    for (; lanes != 0; lanes &= lanes - 1) d[std::countr_zero(lanes)] = result >> 2;
  } else if (mode == kAnd || mode == kOr) {
    const bool truth = (result & (mode == kAnd ? 1 : 2)) != 0;
    uint32_t& p = warp.Predicate(in.rows[0]);
    p = truth ? p | lanes : p & ~lanes;
  }
}

Next Bar(Warp& warp, const Instruction& in, uint32_t mask) {
  Warp::State& s = *warp.state;
  const uint32_t mode = in.flags & kModeMask;
  const int first_source = in.rows_written;
  const int lane = std::countr_zero(mask);
  const uint32_t barrier = warp.Row<uint32_t>(in.rows[first_source])[lane];
  const uint32_t count = warp.Row<uint32_t>(in.rows[first_source + 1])[lane];
  if (barrier >= kBarriers) {
    return warp.RaiseFault(in, lane, FaultKind::kIllegalInstruction,
                           absl::StrCat("barrier ", barrier, "; a block has 16"));
  }
  Block& block = warp.block();
  BlockBarrier& state = block.state->barriers[barrier];
  if (mode != kArrive) {
    const uint32_t done = s.barrier_released[barrier] & mask;
    if (done != 0) {
      s.barrier_released[barrier] &= ~done;
      WriteResult(warp, in, done, s.barrier_result[barrier]);
      return done == mask ? Next::kAdvance : GoOnInPart(warp, in, mask, done);
    }
  }
  const uint32_t arriving = mask & ~s.barrier_waiting[barrier];
  if (arriving != 0) {
    const uint32_t live = warp.live_lanes();
    const bool divergent = (in.flags & kAligned) != 0 && mask != live;
    if (s.observer != nullptr) {
      Tell(warp, in, BarrierEvent::kArrive, static_cast<int>(barrier), arriving, divergent);
      if (s.faulted) return Next::kFault;
    }
    state.arrived += std::popcount(arriving);
    if (count != 0) {
      state.expected = count;
      // A warp counts whole, also where the block or its own threads end early.
      if ((arriving | s.barrier_waiting[barrier]) == live) {
        state.arrived += kWarpSize - std::popcount(live);
      }
    }
    if (mode >= kPopc) {
      uint32_t votes = warp.Predicate(in.rows[first_source + 2]);
      if ((in.flags & kNegated) != 0) votes = ~votes;
      state.popc += std::popcount(votes & arriving);
      state.any |= (votes & arriving) != 0;
      state.all &= (~votes & arriving) == 0;
    }
    if (mode != kArrive) s.barrier_waiting[barrier] |= arriving;
    if (TryComplete(block, static_cast<int>(barrier))) {
      Tell(warp, in, BarrierEvent::kRelease, static_cast<int>(barrier), arriving, false);
      if (mode == kArrive) return Next::kAdvance;
      const uint32_t done = s.barrier_released[barrier] & mask;
      s.barrier_released[barrier] &= ~done;
      WriteResult(warp, in, done, s.barrier_result[barrier]);
      return done == mask ? Next::kAdvance : GoOnInPart(warp, in, mask, done);
    }
  }
  return mode == kArrive ? Next::kAdvance : Next::kWait;
}

// immediate: 0 arrive, 1 wait.
Next ClusterBarrier(Warp& warp, const Instruction& in, uint32_t mask) {
  Warp::State& s = *warp.state;
  if (in.immediate == 1) {
    const uint32_t done = s.cluster_complete & mask;
    if (done == 0) return Next::kWait;
    s.cluster_complete &= ~done;
    return done == mask ? Next::kAdvance : GoOnInPart(warp, in, mask, done);
  }
  Cluster& cluster = warp.block().cluster();
  const uint32_t again = mask & (s.cluster_arrived | s.cluster_complete);
  if (again != 0) {
    return warp.RaiseFault(in, std::countr_zero(again), FaultKind::kIllegalInstruction,
                           "barrier.cluster.arrive a second time without a wait");
  }
  if (s.observer != nullptr) {
    const bool divergent = (in.flags & kAligned) != 0 && mask != warp.live_lanes();
    Tell(warp, in, BarrierEvent::kArrive, kClusterBarrier, mask, divergent);
    if (s.faulted) return Next::kFault;
  }
  s.cluster_arrived |= mask;
  cluster.state->arrived += std::popcount(mask);
  if (TryCompleteCluster(cluster)) {
    Tell(warp, in, BarrierEvent::kRelease, kClusterBarrier, mask, false);
  }
  return Next::kAdvance;
}

Next WarpBarrier(Warp& warp, const Instruction& in, uint32_t mask) {
  Warp::State& s = *warp.state;
  const uint32_t* members = warp.Row<uint32_t>(in.rows[0]);
  uint32_t done = s.warp_released & mask;
  if (done == 0) {
    s.warp_waiting |= mask;
    for (uint32_t left = mask; left != 0;) {
      const uint32_t wanted = members[std::countr_zero(left)];
      uint32_t same = 0;
      for (uint32_t other = left; other != 0; other &= other - 1) {
        const int lane = std::countr_zero(other);
        if (members[lane] == wanted) same |= uint32_t{1} << lane;
      }
      left &= ~same;
      // Lanes at other places of the program count too.
      if ((wanted & warp.live_lanes() & ~s.warp_waiting) != 0) continue;
      const uint32_t released = s.warp_waiting & (wanted | same);
      s.warp_waiting &= ~released;
      s.warp_released |= released;
      if ((released & ~mask) != 0) s.WakeAll();
      if (s.observer != nullptr) {
        Tell(warp, in, BarrierEvent::kRelease, kWarpBarrier, released, false);
      }
    }
    done = s.warp_released & mask;
    if (done == 0) return Next::kWait;
  }
  s.warp_released &= ~done;
  return done == mask ? Next::kAdvance : GoOnInPart(warp, in, mask, done);
}

absl::Status DecodeWarpBarrier(DecodeContext& context, const syntax::Instruction& syntax,
                               Instruction* instruction) {
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(syntax, 1));
  WARPYARD_ASSIGN_OR_RETURN(const RowRef members,
                            context.Source(syntax.operands[0], ScalarType::kB32));
  instruction->handler = WarpBarrier;
  instruction->operation_class = OperationClass::kBarrier;
  context.SetRows(instruction, {}, {members});
  return absl::OkStatus();
}

absl::Status DecodeBarrier(DecodeContext& context, const syntax::Instruction& syntax,
                           Instruction* instruction) {
  Modifiers modifiers(syntax);
  if (modifiers.Take("warp")) {
    modifiers.Take("sync");
    WARPYARD_RETURN_IF_ERROR(modifiers.Done());
    return DecodeWarpBarrier(context, syntax, instruction);
  }
  instruction->operation_class = OperationClass::kBarrier;
  const bool aligned = modifiers.Take("aligned") || syntax.opcode == "bar";
  if (modifiers.Take("cluster")) {
    const int half = modifiers.TakeOneOf({"arrive", "wait"});
    modifiers.TakeOneOf({"release", "relaxed", "acquire"});
    WARPYARD_RETURN_IF_ERROR(modifiers.Done());
    if (half < 0) return modifiers.Unsupported();
    instruction->handler = ClusterBarrier;
    instruction->immediate = static_cast<uint64_t>(half);
    instruction->flags = aligned ? kAligned : 0;
    return absl::OkStatus();
  }
  modifiers.Take("cta");
  int mode = modifiers.TakeOneOf({"sync", "arrive", "red"});
  if (mode < 0) return modifiers.Unsupported();
  if (mode == 2) {
    mode = modifiers.TakeOneOf({"popc", "and", "or"});
    if (mode < 0) return modifiers.Unsupported();
    mode += kPopc;
    modifiers.TakeOneOf({"u32", "pred"});
  }
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  const bool red = mode >= kPopc;
  const size_t fixed = red ? 3 : 1;
  const size_t count = syntax.operands.size();
  if (count != fixed && count != fixed + 1) {
    return absl::InvalidArgumentError(absl::StrCat(
        syntax.opcode, " with ", count, " operands; expected ", fixed, " or ", fixed + 1));
  }
  std::vector<RowRef> destinations, sources;
  size_t at = 0;
  if (red) {
    const Operand& operand = syntax.operands[at++];
    auto d = mode == kPopc ? context.Destination(operand, ScalarType::kU32)
                           : context.PredicateDestination(operand);
    WARPYARD_RETURN_IF_ERROR(d.status());
    destinations.push_back(*d);
  }
  WARPYARD_ASSIGN_OR_RETURN(const RowRef barrier,
                            context.Source(syntax.operands[at++], ScalarType::kU32));
  sources.push_back(barrier);
  if (count == fixed + 1) {
    WARPYARD_ASSIGN_OR_RETURN(const RowRef threads,
                              context.Source(syntax.operands[at++], ScalarType::kU32));
    sources.push_back(threads);
  } else {
    sources.push_back(context.Constant(0, 32));
  }
  bool negated = false;
  if (red) {
    WARPYARD_ASSIGN_OR_RETURN(const RowRef vote,
                              context.PredicateSource(syntax.operands[at], &negated));
    sources.push_back(vote);
  }
  instruction->handler = Bar;
  instruction->flags =
      static_cast<uint32_t>(mode) | (aligned ? kAligned : 0) | (negated ? kNegated : 0);
  context.SetRows(instruction, destinations, sources);
  return absl::OkStatus();
}

// All of a block's threads see memory in one order, and accesses that others may
// see are made with acquire and release: a fence has nothing to do but for host
// threads that run other blocks.
Next Fence(Warp&, const Instruction&, uint32_t) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  return Next::kAdvance;
}

absl::Status DecodeFence(DecodeContext&, const syntax::Instruction&, Instruction* instruction) {
  instruction->handler = Fence;
  instruction->operation_class = OperationClass::kFence;
  return absl::OkStatus();
}

constexpr Operation kOperations[] = {
    {"bar", DecodeBarrier},
    {"barrier", DecodeBarrier},
    {"membar", DecodeFence},
    {"fence", DecodeFence},
};

}  // namespace

absl::Span<const Operation> BarrierOperations() { return kOperations; }

}  // namespace warpyard::emulator
