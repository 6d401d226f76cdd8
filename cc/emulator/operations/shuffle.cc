// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
#include "cc/emulator/operations/shuffle.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/execution/warp.h"
#include "cc/emulator/operations/decode_support.h"
#include "cc/emulator/program/decoder.h"
#include "cc/emulator/program/program.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {
namespace {

using syntax::Operand;
using syntax::ScalarType;

// Calls f(lane) for each lane of `mask`, lowest first.
template <typename F>
inline void ForLanes(uint32_t mask, F f) {
  for (; mask != 0; mask &= mask - 1) f(std::countr_zero(mask));
}

inline void WritePredicate(Warp& warp, RowRef ref, uint32_t mask, uint32_t bits) {
  uint32_t& predicate = warp.Predicate(ref);
  predicate = (predicate & ~mask) | (bits & mask);
}

// Whether the lanes that those of `mask` name as members all stand here.
inline bool AllArrived(const Warp& warp, const uint32_t* members, uint32_t mask) {
  uint32_t all = 0;
  ForLanes(mask, [&](int lane) { all |= members[lane]; });
  return warp.Arrived(mask, all);
}

// Rows: d, predicate, a, b, c, members. Flags: mode, and bit 8 where there are members.
constexpr uint32_t kHasMembers = 1 << 8;

Next Shuffle(Warp& warp, const Instruction& instruction, uint32_t mask) {
  const auto mode = static_cast<ShuffleMode>(instruction.flags & 3);
  if ((instruction.flags & kHasMembers) != 0 &&
      !AllArrived(warp, warp.Row<uint32_t>(instruction.row(5)), mask)) {
    return Next::kWait;
  }
  uint32_t* d = warp.Row<uint32_t>(instruction.row(0));
  uint32_t a[kWarpSize], b[kWarpSize], c[kWarpSize];
  std::memcpy(a, warp.Row<uint32_t>(instruction.row(2)), sizeof(a));
  std::memcpy(b, warp.Row<uint32_t>(instruction.row(3)), sizeof(b));
  std::memcpy(c, warp.Row<uint32_t>(instruction.row(4)), sizeof(c));
  uint32_t in_range = 0;
  ForLanes(mask, [&](int lane) {
    const ShuffleSource source = FindShuffleSource(mode, lane, b[lane], c[lane]);
    d[lane] = a[source.lane];
    in_range |= uint32_t{source.in_range} << lane;
  });
  WritePredicate(warp, instruction.row(1), mask, in_range);
  return Next::kAdvance;
}

absl::Status DecodeShuffle(DecodeContext& context, const syntax::Instruction& syntax,
                           Instruction* instruction) {
  Modifiers modifiers(syntax);
  const bool sync = modifiers.Take("sync");
  const int mode = modifiers.TakeOneOf({"up", "down", "bfly", "idx"});
  if (mode < 0 || !modifiers.Take("b32")) return modifiers.Unsupported();
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(syntax, sync ? 5 : 4));
  const Operand& result = syntax.operands[0];
  const bool pair = result.kind == Operand::Kind::kPair;
  WARPYARD_ASSIGN_OR_RETURN(
      const RowRef d, context.Destination(pair ? result.elements[0] : result, ScalarType::kB32));
  WARPYARD_ASSIGN_OR_RETURN(const RowRef p,
                            context.PredicateDestination(pair ? result.elements[1] : Operand()));
  std::vector<RowRef> sources;
  for (size_t i = 1; i < syntax.operands.size(); ++i) {
    WARPYARD_ASSIGN_OR_RETURN(const RowRef row,
                              context.Source(syntax.operands[i], ScalarType::kB32));
    sources.push_back(row);
  }
  instruction->handler = Shuffle;
  instruction->operation_class = OperationClass::kShuffle;
  instruction->flags = static_cast<uint32_t>(mode) | (sync ? kHasMembers : 0);
  context.SetRows(instruction, {d, p}, sources);
  return absl::OkStatus();
}

// Rows: d, a (predicate), members.
enum VoteMode : uint32_t { kAll, kAny, kUni, kBallot };
constexpr uint32_t kNegated = 1 << 9;

Next Vote(Warp& warp, const Instruction& instruction, uint32_t mask) {
  const bool has_members = (instruction.flags & kHasMembers) != 0;
  const uint32_t* members = has_members ? warp.Row<uint32_t>(instruction.row(2)) : nullptr;
  if (has_members && !AllArrived(warp, members, mask)) return Next::kWait;
  uint32_t votes = warp.Predicate(instruction.row(1));
  if ((instruction.flags & kNegated) != 0) votes = ~votes;
  const auto mode = static_cast<VoteMode>(instruction.flags & 3);
  const uint32_t live = warp.live_lanes();
  uint32_t ballots[kWarpSize];
  uint32_t truth = 0;
  ForLanes(mask, [&](int lane) {
    // A lane that has exited counts as not being a member.
    const uint32_t voters = has_members ? members[lane] & live : mask;
    const uint32_t yes = votes & voters;
    ballots[lane] = yes;
    const bool all = yes == voters;
    const bool result = mode == kAll ? all : mode == kAny ? yes != 0 : all || yes == 0;
    truth |= uint32_t{result} << lane;
  });
  if (mode == kBallot) {
    uint32_t* d = warp.Row<uint32_t>(instruction.row(0));
    ForLanes(mask, [&](int lane) { d[lane] = ballots[lane]; });
  } else {
    WritePredicate(warp, instruction.row(0), mask, truth);
  }
  return Next::kAdvance;
}

absl::Status DecodeVote(DecodeContext& context, const syntax::Instruction& syntax,
                        Instruction* instruction) {
  Modifiers modifiers(syntax);
  const bool sync = modifiers.Take("sync");
  const int mode = modifiers.TakeOneOf({"all", "any", "uni", "ballot"});
  if (mode < 0 || !modifiers.Take(mode == kBallot ? "b32" : "pred")) return modifiers.Unsupported();
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(syntax, sync ? 3 : 2));
  RowRef d;
  if (mode == kBallot) {
    WARPYARD_ASSIGN_OR_RETURN(d, context.Destination(syntax.operands[0], ScalarType::kB32));
  } else {
    WARPYARD_ASSIGN_OR_RETURN(d, context.PredicateDestination(syntax.operands[0]));
  }
  bool negated = false;
  WARPYARD_ASSIGN_OR_RETURN(const RowRef a, context.PredicateSource(syntax.operands[1], &negated));
  std::vector<RowRef> sources = {a};
  if (sync) {
    WARPYARD_ASSIGN_OR_RETURN(const RowRef members,
                              context.Source(syntax.operands[2], ScalarType::kB32));
    sources.push_back(members);
  }
  instruction->handler = Vote;
  instruction->operation_class = OperationClass::kShuffle;
  instruction->flags =
      static_cast<uint32_t>(mode) | (sync ? kHasMembers : 0) | (negated ? kNegated : 0);
  context.SetRows(instruction, {d}, sources);
  return absl::OkStatus();
}

// Rows: d, predicate, a, members. Flags: bit 0 all (any otherwise).
template <typename T>
Next Match(Warp& warp, const Instruction& instruction, uint32_t mask) {
  const bool all = (instruction.flags & 1) != 0;
  const uint32_t* members = warp.Row<uint32_t>(instruction.row(3));
  if (!AllArrived(warp, members, mask)) return Next::kWait;
  const T* a = warp.Row<T>(instruction.row(2));
  uint32_t result[kWarpSize];
  uint32_t truth = 0;
  ForLanes(mask, [&](int lane) {
    const uint32_t others = members[lane] & mask;
    uint32_t equal = 0;
    ForLanes(others, [&](int other) { equal |= uint32_t{a[other] == a[lane]} << other; });
    const bool same = equal == others;
    truth |= uint32_t{same} << lane;
    result[lane] = !all ? equal : same ? others : 0;
  });
  uint32_t* d = warp.Row<uint32_t>(instruction.row(0));
  ForLanes(mask, [&](int lane) { d[lane] = result[lane]; });
  if (all) WritePredicate(warp, instruction.row(1), mask, truth);
  return Next::kAdvance;
}

absl::Status DecodeMatch(DecodeContext& context, const syntax::Instruction& syntax,
                         Instruction* instruction) {
  Modifiers modifiers(syntax);
  const int mode = modifiers.TakeOneOf({"any", "all"});
  const int width = modifiers.TakeOneOf({"b32", "b64"});
  if (!modifiers.Take("sync") || mode < 0 || width < 0) return modifiers.Unsupported();
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(syntax, 3));
  const Operand& result = syntax.operands[0];
  const bool pair = result.kind == Operand::Kind::kPair;
  WARPYARD_ASSIGN_OR_RETURN(
      const RowRef d, context.Destination(pair ? result.elements[0] : result, ScalarType::kB32));
  WARPYARD_ASSIGN_OR_RETURN(const RowRef p,
                            context.PredicateDestination(pair ? result.elements[1] : Operand()));
  WARPYARD_ASSIGN_OR_RETURN(
      const RowRef a,
      context.Source(syntax.operands[1], width == 0 ? ScalarType::kB32 : ScalarType::kB64));
  WARPYARD_ASSIGN_OR_RETURN(const RowRef members,
                            context.Source(syntax.operands[2], ScalarType::kB32));
  instruction->handler = width == 0 ? Match<uint32_t> : Match<uint64_t>;
  instruction->operation_class = OperationClass::kShuffle;
  instruction->flags = static_cast<uint32_t>(mode);
  context.SetRows(instruction, {d, p}, {a, members});
  return absl::OkStatus();
}

// --- redux ---

struct FloatExtremes {
  bool is_max;
  bool absolute;
  bool keeps_nan;
  uint32_t operator()(uint32_t a_bits, uint32_t b_bits) const {
    float a = std::bit_cast<float>(a_bits);
    float b = std::bit_cast<float>(b_bits);
    if (std::isnan(a) || std::isnan(b)) {
      if (keeps_nan || (std::isnan(a) && std::isnan(b))) return 0x7fffffff;
      return std::isnan(a) ? b_bits : a_bits;
    }
    // -0 is less than +0.
    const bool a_less = a < b || (a == b && std::signbit(a) && !std::signbit(b));
    return a_less == is_max ? b_bits : a_bits;
  }
};

enum ReduxOperation : uint32_t { kAddU, kMinU, kMaxU, kMinS, kMaxS, kAnd, kOr, kXor, kMinF, kMaxF };
constexpr uint32_t kAbsolute = 1 << 8;
constexpr uint32_t kNan = 1 << 9;

uint32_t Combine(uint32_t flags, uint32_t a, uint32_t b) {
  switch (static_cast<ReduxOperation>(flags & 15)) {
    case kAddU:
      return a + b;
    case kMinU:
      return a < b ? a : b;
    case kMaxU:
      return a < b ? b : a;
    case kMinS:
      return static_cast<int32_t>(a) < static_cast<int32_t>(b) ? a : b;
    case kMaxS:
      return static_cast<int32_t>(a) < static_cast<int32_t>(b) ? b : a;
    case kAnd:
      return a & b;
    case kOr:
      return a | b;
    case kXor:
      return a ^ b;
    default:
      return FloatExtremes{(flags & 15) == kMaxF, (flags & kAbsolute) != 0, (flags & kNan) != 0}(a,
                                                                                                 b);
  }
}

// Rows: d, a, members.
Next Redux(Warp& warp, const Instruction& instruction, uint32_t mask) {
  const uint32_t* members = warp.Row<uint32_t>(instruction.row(2));
  if (!AllArrived(warp, members, mask)) return Next::kWait;
  const uint32_t* a = warp.Row<uint32_t>(instruction.row(1));
  const bool absolute = (instruction.flags & kAbsolute) != 0;
  uint32_t result[kWarpSize];
  ForLanes(mask, [&](int lane) {
    bool first = true;
    uint32_t total = 0;
    ForLanes(members[lane] & mask, [&](int other) {
      const uint32_t value = absolute ? a[other] & 0x7fffffff : a[other];
      total = first ? value : Combine(instruction.flags, total, value);
      first = false;
    });
    // One NaN alone is made canonical too.
    if ((instruction.flags & 15) >= kMinF) total = Combine(instruction.flags, total, total);
    result[lane] = total;
  });
  uint32_t* d = warp.Row<uint32_t>(instruction.row(0));
  ForLanes(mask, [&](int lane) { d[lane] = result[lane]; });
  return Next::kAdvance;
}

absl::Status DecodeRedux(DecodeContext& context, const syntax::Instruction& syntax,
                         Instruction* instruction) {
  Modifiers modifiers(syntax);
  const bool sync = modifiers.Take("sync");
  const int operation = modifiers.TakeOneOf({"add", "min", "max", "and", "or", "xor"});
  uint32_t flags = modifiers.Take("abs") ? kAbsolute : 0;
  if (modifiers.Take("NaN")) flags |= kNan;
  const ScalarType type = modifiers.TakeType();
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  if (!sync || operation < 0) return modifiers.Unsupported();
  if (type == ScalarType::kB32) {
    constexpr uint32_t kBits[] = {99, 99, 99, kAnd, kOr, kXor};
    if (operation < 3 || flags != 0) return modifiers.Unsupported();
    flags = kBits[operation];
  } else if (type == ScalarType::kF32) {
    if (operation != 1 && operation != 2) return modifiers.Unsupported();
    flags |= operation == 1 ? kMinF : kMaxF;
  } else if ((type == ScalarType::kU32 || type == ScalarType::kS32) && operation < 3 &&
             flags == 0) {
    constexpr uint32_t kUnsigned[] = {kAddU, kMinU, kMaxU}, kSigned[] = {kAddU, kMinS, kMaxS};
    flags = (type == ScalarType::kU32 ? kUnsigned : kSigned)[operation];
  } else {
    return modifiers.Unsupported();
  }
  WARPYARD_RETURN_IF_ERROR(Emit(context, syntax, instruction,
                                {.handler = Redux,
                                 .operation_class = OperationClass::kShuffle,
                                 .result = type,
                                 .sources = {type, ScalarType::kB32}}));
  instruction->flags = flags;
  return absl::OkStatus();
}

// --- activemask, elect ---

Next ActiveMask(Warp& warp, const Instruction& instruction, uint32_t mask) {
  uint32_t* d = warp.Row<uint32_t>(instruction.row(0));
  ForLanes(mask, [&](int lane) { d[lane] = mask; });
  return Next::kAdvance;
}

absl::Status DecodeActiveMask(DecodeContext& context, const syntax::Instruction& syntax,
                              Instruction* instruction) {
  return Emit(context, syntax, instruction,
              {.handler = ActiveMask,
               .operation_class = OperationClass::kShuffle,
               .result = ScalarType::kB32,
               .sources = {}});
}

// Rows: d, predicate, members. The lowest live member is elected; PTX leaves the
// choice open but makes it the same one each time.
Next Elect(Warp& warp, const Instruction& instruction, uint32_t mask) {
  const uint32_t* members = warp.Row<uint32_t>(instruction.row(2));
  if (!AllArrived(warp, members, mask)) return Next::kWait;
  uint32_t result[kWarpSize];
  uint32_t truth = 0;
  ForLanes(mask, [&](int lane) {
    const int leader = std::countr_zero(members[lane] & mask);
    result[lane] = static_cast<uint32_t>(leader);
    truth |= uint32_t{leader == lane} << lane;
  });
  uint32_t* d = warp.Row<uint32_t>(instruction.row(0));
  ForLanes(mask, [&](int lane) { d[lane] = result[lane]; });
  WritePredicate(warp, instruction.row(1), mask, truth);
  return Next::kAdvance;
}

absl::Status DecodeElect(DecodeContext& context, const syntax::Instruction& syntax,
                         Instruction* instruction) {
  Modifiers modifiers(syntax);
  if (!modifiers.Take("sync")) return modifiers.Unsupported();
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(syntax, 2));
  const Operand& result = syntax.operands[0];
  if (result.kind != Operand::Kind::kPair) {
    return absl::InvalidArgumentError("elect.sync: expected a destination d|p");
  }
  WARPYARD_ASSIGN_OR_RETURN(const RowRef d,
                            context.Destination(result.elements[0], ScalarType::kB32));
  WARPYARD_ASSIGN_OR_RETURN(const RowRef p, context.PredicateDestination(result.elements[1]));
  WARPYARD_ASSIGN_OR_RETURN(const RowRef members,
                            context.Source(syntax.operands[1], ScalarType::kB32));
  instruction->handler = Elect;
  instruction->operation_class = OperationClass::kShuffle;
  context.SetRows(instruction, {d, p}, {members});
  return absl::OkStatus();
}

constexpr Operation kOperations[] = {
    {"shfl", DecodeShuffle}, {"vote", DecodeVote},   {"match", DecodeMatch},
    {"redux", DecodeRedux},  {"elect", DecodeElect}, {"activemask", DecodeActiveMask},
};

}  // namespace

ShuffleSource FindShuffleSource(ShuffleMode mode, int lane, uint32_t b, uint32_t c) {
  const int distance = static_cast<int>(b & 31);
  const int clamp = static_cast<int>(c & 31);
  const int segment = static_cast<int>(c >> 8 & 31);
  const int first = lane & segment;
  const int last = first | (clamp & ~segment);
  int source = lane;
  bool in_range = false;
  switch (mode) {
    case ShuffleMode::kUp:
      source = lane - distance;
      in_range = source >= last;  // c's clamp is 0 there: `last` is the lowest lane allowed
      break;
    case ShuffleMode::kDown:
      source = lane + distance;
      in_range = source <= last;
      break;
    case ShuffleMode::kBfly:
      source = lane ^ distance;
      in_range = source <= last;
      break;
    case ShuffleMode::kIdx:
      source = first | (distance & ~segment);
      in_range = source <= last;
      break;
  }
  return {in_range ? source : lane, in_range};
}

absl::Span<const Operation> ShuffleOperations() { return kOperations; }

}  // namespace warpyard::emulator
