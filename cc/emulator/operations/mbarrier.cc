// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
#include "cc/emulator/operations/mbarrier.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/types/span.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/execution/address.h"
#include "cc/emulator/execution/block.h"
#include "cc/emulator/execution/warp.h"
#include "cc/emulator/execution/warp_state.h"
#include "cc/emulator/operations/async_engine.h"
#include "cc/emulator/operations/decode_support.h"
#include "cc/emulator/operations/lane_address.h"
#include "cc/emulator/operations/mbarrier_word.h"
#include "cc/emulator/program/decoder.h"
#include "cc/emulator/program/program.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {
namespace {

using syntax::Operand;
using syntax::ScalarType;
using syntax::StateSpace;

uint64_t Load(const std::byte* memory) {
  uint64_t word;
  std::memcpy(&word, memory, sizeof(word));
  return word;
}

void Store(std::byte* memory, uint64_t word) { std::memcpy(memory, &word, sizeof(word)); }

// Where an mbarrier can lie: eight bytes of shared memory.
BarrierPlace FindPlace(Warp& warp, const Instruction& instruction, int lane, uint64_t address,
                       AccessKind kind) {
  uint32_t shared;
  if (!ToShared(address, &shared)) {
    warp.RaiseFault(instruction, lane, FaultKind::kInvalidAddressSpace,
                    absl::StrFormat("mbarrier at 0x%x, which is not in shared memory", address));
    return {};
  }
  BarrierPlace place;
  place.memory = warp.Access(instruction, lane, StateSpace::kShared, shared, 8, 8, kind);
  if (place.memory != nullptr) place.block = warp.block().cluster().Find(shared);
  return place;
}

enum class Verb : uint8_t {
  kInit,
  kInval,
  kArrive,
  kArriveNoComplete,
  kArriveExpectTx,
  kExpectTx,
  kCompleteTx,
};

// Rows: state (where there is one), count.
struct MbarrierDetail {
  Verb verb = Verb::kInit;
  Address address;
  bool has_state = false;
  bool has_count = false;
  bool drop = false;  // arrive_drop: later phases expect less
};

bool RunOne(Warp& warp, const Instruction& instruction, int lane) {
  const auto& detail = *static_cast<const MbarrierDetail*>(instruction.detail);
  const uint64_t address = AddressOf(warp, detail.address, lane);
  int64_t count = 1;
  if (detail.has_count) {
    count = warp.Row<uint32_t>(instruction.row(detail.has_state ? 1 : 0))[lane];
  }
  const auto bad_count = [&](std::string_view what, int64_t low, int64_t high) {
    warp.RaiseFault(
        instruction, lane, FaultKind::kIllegalInstruction,
        absl::StrCat("mbarrier: ", what, " is ", count, ", expected ", low, " to ", high));
    return false;
  };
  if (detail.verb == Verb::kInit) {
    if (count < 1 || count > kMaxBarrierCount) return bad_count("count", 1, kMaxBarrierCount);
    const BarrierPlace place = FindPlace(warp, instruction, lane, address, AccessKind::kWrite);
    if (place.memory == nullptr) return false;
    BarrierWord word;
    word.pending = word.expected = count;
    word.valid = true;
    Store(place.memory, word.Pack());
    return true;
  }
  const BarrierPlace place = FindBarrier(warp, instruction, lane, address);
  if (place.memory == nullptr) return false;
  const uint64_t before = Load(place.memory);
  switch (detail.verb) {
    case Verb::kInval:
      Store(place.memory, 0);
      return true;
    case Verb::kExpectTx:
    case Verb::kCompleteTx:
      if (count > kMaxBarrierCount) return bad_count("transaction count", 0, kMaxBarrierCount);
      return CheckedUpdateBarrier(warp, instruction, lane, place, 0,
                                  detail.verb == Verb::kExpectTx ? count : -count);
    case Verb::kArriveExpectTx:
      if (count > kMaxBarrierCount) return bad_count("transaction count", 0, kMaxBarrierCount);
      break;
    default:
      if (count < 1 || count > kMaxBarrierCount) return bad_count("count", 1, kMaxBarrierCount);
      break;
  }
  const bool expects = detail.verb == Verb::kArriveExpectTx;
  if (detail.drop) {
    BarrierWord word = BarrierWord::Unpack(before);
    word.expected -= expects ? 1 : count;
    if (word.expected < 0) return bad_count("count of arrive_drop", 1, word.expected + count);
    Store(place.memory, word.Pack());
  }
  if (!CheckedUpdateBarrier(warp, instruction, lane, place, expects ? 1 : count,
                            expects ? count : 0)) {
    return false;
  }
  if (detail.verb == Verb::kArriveNoComplete &&
      BarrierWord::Unpack(Load(place.memory)).parity != BarrierWord::Unpack(before).parity) {
    warp.RaiseFault(instruction, lane, FaultKind::kIllegalInstruction,
                    "mbarrier.arrive.noComplete completed the phase");
    return false;
  }
  if (detail.has_state) warp.Row<uint64_t>(instruction.row(0))[lane] = before;
  return true;
}

Next RunMbarrier(Warp& warp, const Instruction& instruction, uint32_t mask) {
  return ForEachLane(mask, [&](int lane) { return RunOne(warp, instruction, lane); })
             ? Next::kAdvance
             : Next::kFault;
}

// Rows: predicate, state or parity.
struct WaitDetail {
  Address address;
  bool parity = false;
};

Next Wait(Warp& warp, const Instruction& instruction, uint32_t mask) {
  const auto& detail = *static_cast<const WaitDetail*>(instruction.detail);
  uint32_t done = 0;
  const bool fine = ForEachLane(mask, [&](int lane) {
    const BarrierPlace place =
        FindBarrier(warp, instruction, lane, AddressOf(warp, detail.address, lane));
    if (place.memory == nullptr) return false;
    const bool waited_for =
        detail.parity ? (warp.Row<uint32_t>(instruction.row(1))[lane] & 1) != 0
                      : BarrierWord::Unpack(warp.Row<uint64_t>(instruction.row(1))[lane]).parity;
    const auto passed = [&] {
      return BarrierWord::Unpack(Load(place.memory)).parity != waited_for;
    };
    bool complete = passed();
    if (!complete && AsyncEngine::Of(*place.block).RunForBarrier(place.memory)) complete = passed();
    done |= uint32_t{complete} << lane;
    return true;
  });
  if (!fine) return Next::kFault;
  uint32_t& predicate = warp.Predicate(instruction.row(0));
  predicate = (predicate & ~mask) | done;
  return done == mask ? Next::kAdvance : Next::kYield;
}

// mbarrier.pending_count.b64 count, state.
Next PendingCount(Warp& warp, const Instruction& instruction, uint32_t mask) {
  uint32_t* d = warp.Row<uint32_t>(instruction.row(0));
  const uint64_t* state = warp.Row<uint64_t>(instruction.row(1));
  ForEachLane(mask, [&](int lane) {
    d[lane] = static_cast<uint32_t>(BarrierWord::Unpack(state[lane]).pending);
    return true;
  });
  return Next::kAdvance;
}

absl::Status DecodeWait(DecodeContext& context, const syntax::Instruction& syntax,
                        Modifiers& modifiers, StateSpace space, Instruction* instruction) {
  WaitDetail detail;
  detail.parity = modifiers.Take("parity");
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  // A fourth operand is the time to suspend: a hint.
  if (syntax.operands.size() != 3 && syntax.operands.size() != 4) {
    return absl::InvalidArgumentError(
        absl::StrCat("mbarrier wait has ", syntax.operands.size(), " operands, expected 3 or 4"));
  }
  WARPYARD_ASSIGN_OR_RETURN(const RowRef p, context.PredicateDestination(syntax.operands[0]));
  WARPYARD_ASSIGN_OR_RETURN(detail.address, context.MemoryOperand(syntax.operands[1], space));
  WARPYARD_ASSIGN_OR_RETURN(
      const RowRef what,
      context.Source(syntax.operands[2], detail.parity ? ScalarType::kB32 : ScalarType::kB64));
  instruction->handler = Wait;
  instruction->operation_class = OperationClass::kBarrier;
  instruction->detail = context.program().Keep(detail);
  context.SetRows(instruction, {p}, {what});
  return absl::OkStatus();
}

absl::Status DecodeMbarrier(DecodeContext& context, const syntax::Instruction& syntax,
                            Instruction* instruction) {
  Modifiers modifiers(syntax);
  if (modifiers.Take("pending_count")) {
    modifiers.Take("b64");
    WARPYARD_RETURN_IF_ERROR(modifiers.Done());
    return Emit(context, syntax, instruction,
                {.handler = PendingCount,
                 .operation_class = OperationClass::kBarrier,
                 .result = ScalarType::kB32,
                 .sources = {ScalarType::kB64}});
  }
  // What orders other accesses has no effect here: lanes see memory in order.
  modifiers.TakeOneOf({"release", "acquire", "relaxed"});
  modifiers.TakeOneOf({"cta", "cluster"});
  StateSpace space = StateSpace::kNone;
  if (modifiers.TakeOneOf({"shared", "shared::cta", "shared::cluster"}) >= 0) {
    space = StateSpace::kShared;
  }
  modifiers.Take("b64");
  if (modifiers.TakeOneOf({"test_wait", "try_wait"}) >= 0) {
    return DecodeWait(context, syntax, modifiers, space, instruction);
  }
  MbarrierDetail detail;
  size_t next = 0;  // operand
  std::vector<RowRef> destinations, sources;
  if (modifiers.Take("init")) {
    detail.verb = Verb::kInit;
  } else if (modifiers.Take("inval")) {
    detail.verb = Verb::kInval;
  } else if (const int arrive = modifiers.TakeOneOf({"arrive", "arrive_drop"}); arrive >= 0) {
    detail.drop = arrive == 1;
    detail.verb = modifiers.Take("expect_tx")    ? Verb::kArriveExpectTx
                  : modifiers.Take("noComplete") ? Verb::kArriveNoComplete
                                                 : Verb::kArrive;
    if (syntax.operands.empty()) return modifiers.Unsupported();
    // The state may be `_`, or left out.
    if (syntax.operands[0].kind != Operand::Kind::kAddress) {
      next = 1;
      detail.has_state = syntax.operands[0].kind != Operand::Kind::kSink;
      if (detail.has_state) {
        WARPYARD_ASSIGN_OR_RETURN(const RowRef state,
                                  context.Destination(syntax.operands[0], ScalarType::kB64));
        destinations.push_back(state);
      }
    }
  } else if (modifiers.Take("expect_tx")) {
    detail.verb = Verb::kExpectTx;
  } else if (modifiers.Take("complete_tx")) {
    detail.verb = Verb::kCompleteTx;
  } else {
    return modifiers.Unsupported();
  }
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  const size_t left = syntax.operands.size() - next;
  const bool needs_count = detail.verb != Verb::kInval && detail.verb != Verb::kArrive;
  if (left < (needs_count ? 2u : 1u) || left > (detail.verb == Verb::kInval ? 1u : 2u)) {
    return absl::InvalidArgumentError(
        absl::StrCat("mbarrier: ", syntax.operands.size(), " operands are not what this form has"));
  }
  WARPYARD_ASSIGN_OR_RETURN(detail.address, context.MemoryOperand(syntax.operands[next], space));
  if (left == 2) {
    WARPYARD_ASSIGN_OR_RETURN(const RowRef count,
                              context.Source(syntax.operands[next + 1], ScalarType::kB32));
    sources.push_back(count);
    detail.has_count = true;
  }
  instruction->handler = RunMbarrier;
  instruction->operation_class = OperationClass::kBarrier;
  instruction->detail = context.program().Keep(detail);
  context.SetRows(instruction, destinations, sources);
  return absl::OkStatus();
}

constexpr Operation kOperations[] = {{"mbarrier", DecodeMbarrier}};

}  // namespace

BarrierPlace FindBarrier(Warp& warp, const Instruction& instruction, int lane, uint64_t address) {
  BarrierPlace place = FindPlace(warp, instruction, lane, address, AccessKind::kAtomic);
  if (place.memory != nullptr && !BarrierWord::Unpack(Load(place.memory)).valid) {
    warp.RaiseFault(instruction, lane, FaultKind::kIllegalInstruction,
                    absl::StrFormat("there is no initialised mbarrier at shared address 0x%x; "
                                    "expected mbarrier.init before, and a barrier after it",
                                    static_cast<uint32_t>(address)));
    place.memory = nullptr;
  }
  return place;
}

bool CheckedUpdateBarrier(Warp& warp, const Instruction& instruction, int lane,
                          const BarrierPlace& place, int64_t arrivals, int64_t transactions) {
  const BarrierWord word = BarrierWord::Unpack(Load(place.memory));
  const int64_t sum = word.transactions + transactions;
  if (arrivals > word.pending || sum > kMaxBarrierCount || sum < -kMaxBarrierCount) {
    warp.RaiseFault(
        instruction, lane, FaultKind::kIllegalInstruction,
        arrivals > word.pending
            ? absl::StrCat("mbarrier: ", arrivals, " arrivals at a barrier that expects ",
                           word.pending, " more in this phase (", word.expected, " in each)")
            : absl::StrCat("mbarrier: the transaction count becomes ", sum, ", expected at most ",
                           kMaxBarrierCount, " either way"));
    return false;
  }
  UpdateBarrier(*place.block, place.memory, arrivals, transactions);
  return true;
}

absl::Span<const Operation> MbarrierOperations() { return kOperations; }

}  // namespace warpyard::emulator
