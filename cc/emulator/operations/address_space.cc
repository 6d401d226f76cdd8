// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/operations/address_space.h"

#include <bit>
#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/execution/address.h"
#include "cc/emulator/execution/block.h"
#include "cc/emulator/execution/launch_state.h"
#include "cc/emulator/execution/warp.h"
#include "cc/emulator/execution/warp_state.h"
#include "cc/emulator/operations/address_operand.h"
#include "cc/emulator/operations/decode_support.h"
#include "cc/emulator/program/decoder.h"
#include "cc/emulator/program/program.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {
namespace {

using syntax::ScalarType;
using syntax::StateSpace;

// Rows of addresses have 32 or 64 bits. Instruction::flags, bits 0 and 1: the
// destination and the source are wide.
uint64_t ReadAddress(Warp& warp, RowRef row, bool wide, int lane) {
  return wide ? warp.Row<uint64_t>(row)[lane] : warp.Row<uint32_t>(row)[lane];
}

void WriteAddress(Warp& warp, RowRef row, bool wide, int lane, uint64_t value) {
  if (wide) {
    warp.Row<uint64_t>(row)[lane] = value;
  } else {
    warp.Row<uint32_t>(row)[lane] = static_cast<uint32_t>(value);
  }
}

constexpr uint32_t kWideResult = 1;
constexpr uint32_t kWideSource = 2;

// immediate: the window to set (cvta) or ~0 to take it away (cvta.to).
Next ConvertAddress(Warp& warp, const Instruction& in, uint32_t mask) {
  const bool wide = (in.flags & kWideResult) != 0;
  for (; mask != 0; mask &= mask - 1) {
    const int lane = std::countr_zero(mask);
    const uint64_t a = ReadAddress(warp, in.rows[1], wide, lane);
    const uint64_t r = in.immediate == ~uint64_t{0} ? a & ~kWindowMask : a | in.immediate;
    WriteAddress(warp, in.rows[0], wide, lane, r);
  }
  return Next::kAdvance;
}

Next CopyAddress(Warp& warp, const Instruction& in, uint32_t mask) {
  const bool wide = (in.flags & kWideResult) != 0;
  for (; mask != 0; mask &= mask - 1) {
    const int lane = std::countr_zero(mask);
    WriteAddress(warp, in.rows[0], wide, lane, ReadAddress(warp, in.rows[1], wide, lane));
  }
  return Next::kAdvance;
}

absl::Status DecodeConvert(DecodeContext& context, const syntax::Instruction& syntax,
                           Instruction* instruction) {
  StateSpace space = StateSpace::kNone;
  ScalarType type = ScalarType::kU64;
  bool to = false;
  for (const std::string_view modifier : syntax.modifiers) {
    if (modifier == "to") {
      to = true;
    } else if (modifier == "u32" || modifier == "u64") {
      type = modifier == "u32" ? ScalarType::kU32 : ScalarType::kU64;
    } else if (!ReadSpace(modifier, &space)) {
      return absl::UnimplementedError(absl::StrCat("cvta with .", modifier, " is not supported"));
    }
  }
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(syntax, 2));
  WARPYARD_ASSIGN_OR_RETURN(const RowRef d, context.Destination(syntax.operands[0], type));
  WARPYARD_ASSIGN_OR_RETURN(const RowRef a, context.Source(syntax.operands[1], type));
  const bool window = space == StateSpace::kShared || space == StateSpace::kLocal;
  instruction->handler = window ? ConvertAddress : CopyAddress;
  instruction->immediate = to                             ? ~uint64_t{0}
                           : space == StateSpace::kShared ? kSharedWindow
                                                          : kLocalWindow;
  instruction->flags = type == ScalarType::kU64 ? kWideResult | kWideSource : 0;
  instruction->operation_class = OperationClass::kMove;
  context.SetRows(instruction, {d}, {a});
  return absl::OkStatus();
}

enum class Kind : uint32_t { kShared, kSharedBlock, kLocal, kConst, kParam, kGlobal };

// immediate: the kind; flags: whether the source is wide.
Next IsInSpace(Warp& warp, const Instruction& in, uint32_t mask) {
  const Launch& launch = *warp.state->launch;
  const uint64_t parameters = reinterpret_cast<uint64_t>(launch.parameters());
  uint32_t result = 0;
  for (uint32_t left = mask; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const uint64_t a = ReadAddress(warp, in.rows[1], (in.flags & kWideSource) != 0, lane);
    const bool global = (a & kWindowMask) == 0;
    const auto is_parameter = [&] { return a - parameters < launch.parameter_bytes(); };
    const auto is_constant = [&] {
      const Allocation* found = MemoryMap::Find(*warp.state->snapshot, a);
      return found != nullptr && found->kind == AllocationKind::kModule && found->read_only;
    };
    bool inside = false;
    switch (static_cast<Kind>(in.immediate)) {
      case Kind::kShared:
        inside = IsShared(a);
        break;
      case Kind::kSharedBlock:
        inside = IsShared(a) &&
                 static_cast<uint32_t>(a) >> kClusterRankShift == warp.block().rank_in_cluster();
        break;
      case Kind::kLocal:
        inside = IsLocal(a);
        break;
      case Kind::kConst:
        inside = global && is_constant();
        break;
      case Kind::kParam:
        inside = global && is_parameter();
        break;
      case Kind::kGlobal:
        inside = global && !is_constant() && !is_parameter();
        break;
    }
    result |= uint32_t{inside} << lane;
  }
  uint32_t& predicate = warp.Predicate(in.rows[0]);
  predicate = (predicate & ~mask) | result;
  return Next::kAdvance;
}

absl::Status DecodeIsInSpace(DecodeContext& context, const syntax::Instruction& syntax,
                             Instruction* instruction) {
  if (syntax.modifiers.size() != 1) {
    return absl::InvalidArgumentError("isspacep expects one state space");
  }
  const std::string_view space = syntax.modifiers[0];
  Kind kind = Kind::kGlobal;
  if (space == "shared" || space == "shared::cta") {
    kind = Kind::kSharedBlock;
  } else if (space == "shared::cluster") {
    kind = Kind::kShared;
  } else if (space == "local") {
    kind = Kind::kLocal;
  } else if (space == "const") {
    kind = Kind::kConst;
  } else if (space == "param" || space == "param::entry") {
    kind = Kind::kParam;
  } else if (space != "global") {
    return absl::InvalidArgumentError(absl::StrCat("isspacep.", space, ": not a state space"));
  }
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(syntax, 2));
  WARPYARD_ASSIGN_OR_RETURN(const RowRef d, context.PredicateDestination(syntax.operands[0]));
  const bool wide = syntax::BitWidth(context.RegisterType(syntax.operands[1])) != 32;
  WARPYARD_ASSIGN_OR_RETURN(
      const RowRef a,
      context.Source(syntax.operands[1], wide ? ScalarType::kU64 : ScalarType::kU32));
  instruction->handler = IsInSpace;
  instruction->immediate = static_cast<uint64_t>(kind);
  instruction->flags = wide ? kWideSource : 0;
  instruction->operation_class = OperationClass::kPredicate;
  context.SetRows(instruction, {d}, {a});
  return absl::OkStatus();
}

// immediate 0: mapa; 1: getctarank.
Next MapAddress(Warp& warp, const Instruction& in, uint32_t mask) {
  const bool wide = (in.flags & kWideSource) != 0;
  for (; mask != 0; mask &= mask - 1) {
    const int lane = std::countr_zero(mask);
    const uint64_t a = ReadAddress(warp, in.rows[1], wide, lane);
    if (in.immediate == 1) {
      warp.Row<uint32_t>(in.rows[0])[lane] = static_cast<uint32_t>(a) >> kClusterRankShift;
      continue;
    }
    const uint32_t rank = warp.Row<uint32_t>(in.rows[2])[lane];
    const uint64_t upper = a & ~uint64_t{0xffffffff};
    const uint64_t low = (a & kSharedOffsetMask) | uint64_t{rank & 0xff} << kClusterRankShift;
    WriteAddress(warp, in.rows[0], wide, lane, upper | low);
  }
  return Next::kAdvance;
}

absl::Status DecodeMap(DecodeContext& context, const syntax::Instruction& syntax,
                       Instruction* instruction, bool rank) {
  Modifiers modifiers(syntax);
  modifiers.Take("shared::cluster");
  const int width = modifiers.TakeOneOf({"u32", "u64"});
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  if (width < 0) return absl::InvalidArgumentError(absl::StrCat(syntax.opcode, " without a type"));
  const ScalarType type = width == 0 ? ScalarType::kU32 : ScalarType::kU64;
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(syntax, rank ? 2 : 3));
  WARPYARD_ASSIGN_OR_RETURN(
      const RowRef d, context.Destination(syntax.operands[0], rank ? ScalarType::kU32 : type));
  WARPYARD_ASSIGN_OR_RETURN(const RowRef a, context.Source(syntax.operands[1], type));
  instruction->handler = MapAddress;
  instruction->immediate = rank ? 1 : 0;
  instruction->flags = width == 1 ? kWideSource : 0;
  instruction->operation_class = OperationClass::kMove;
  if (rank) {
    context.SetRows(instruction, {d}, {a});
    return absl::OkStatus();
  }
  WARPYARD_ASSIGN_OR_RETURN(const RowRef b, context.Source(syntax.operands[2], ScalarType::kU32));
  context.SetRows(instruction, {d}, {a, b});
  return absl::OkStatus();
}

absl::Status DecodeMapa(DecodeContext& context, const syntax::Instruction& syntax,
                        Instruction* instruction) {
  return DecodeMap(context, syntax, instruction, /*rank=*/false);
}

absl::Status DecodeGetRank(DecodeContext& context, const syntax::Instruction& syntax,
                           Instruction* instruction) {
  return DecodeMap(context, syntax, instruction, /*rank=*/true);
}

constexpr Operation kOperations[] = {
    {"cvta", DecodeConvert},
    {"isspacep", DecodeIsInSpace},
    {"mapa", DecodeMapa},
    {"getctarank", DecodeGetRank},
};

}  // namespace

absl::Span<const Operation> AddressSpaceOperations() { return kOperations; }

}  // namespace warpyard::emulator
