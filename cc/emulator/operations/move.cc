// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/operations/move.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/execution/warp.h"
#include "cc/emulator/operations/decode_support.h"
#include "cc/emulator/operations/vector_regions.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {
namespace {

using syntax::BitWidth;
using syntax::Operand;
using syntax::ScalarType;

WARPYARD_BEGIN_BASELINE
namespace baseline {
#include "cc/emulator/operations/row_map.inc"
// After row_map.inc.
#include "cc/emulator/operations/move_rows.inc"
}  // namespace baseline
WARPYARD_END_REGION

#if WARPYARD_HAS_AVX2_REGION
WARPYARD_BEGIN_AVX2
namespace avx2 {
#include "cc/emulator/operations/row_map.inc"
// After row_map.inc.
#include "cc/emulator/operations/move_rows.inc"
}  // namespace avx2
WARPYARD_END_REGION
#define WARPYARD_PICK(CALL) (UseAvx2() ? avx2::CALL : baseline::CALL)
#else
#define WARPYARD_PICK(CALL) (baseline::CALL)
#endif

Next MovePredicate(Warp& warp, const Instruction& in, uint32_t mask) {
  const uint32_t a = warp.Predicate(in.rows[1]) ^ in.flags;
  uint32_t& p = warp.Predicate(in.rows[0]);
  p = (p & ~mask) | (a & mask);
  return Next::kAdvance;
}

// One lane of a row of up to 128 bits; 128-bit rows are two of 64, low first.
struct Lane128 {
  uint64_t half[2] = {0, 0};
};
Lane128 ReadLane(const Warp& warp, RowRef ref, int bits, int lane) {
  Lane128 value;
  if (bits <= 32) {
    value.half[0] = warp.Row<uint32_t>(ref)[lane];
  } else {
    value.half[0] = warp.Row<uint64_t>(ref)[lane];
    if (bits == 128) value.half[1] = warp.Row<uint64_t>(ref)[kWarpSize + lane];
  }
  return value;
}
void WriteLane(Warp& warp, RowRef ref, int bits, int lane, const Lane128& value) {
  if (bits <= 32) {
    warp.Row<uint32_t>(ref)[lane] = static_cast<uint32_t>(value.half[0]);
  } else {
    warp.Row<uint64_t>(ref)[lane] = value.half[0];
    if (bits == 128) warp.Row<uint64_t>(ref)[kWarpSize + lane] = value.half[1];
  }
}

// mov between a register and a vector of any shape, lane by lane.
// Instruction::flags: the register's bits, those of an element << 8.
Next PackAny(Warp& warp, const Instruction& in, uint32_t mask) {
  const int bits = static_cast<int>(in.flags & 0xff), part = static_cast<int>(in.flags >> 8);
  for (; mask != 0; mask &= mask - 1) {
    const int lane = __builtin_ctz(mask);
    Lane128 value;
    for (int i = 1; i < in.row_count; ++i) {
      const uint64_t element = ReadLane(warp, in.row(i), part, lane).half[0];
      const int at = (i - 1) * part;
      value.half[at / 64] |= element << (at % 64);
    }
    WriteLane(warp, in.row(0), bits, lane, value);
  }
  return Next::kAdvance;
}
Next UnpackAny(Warp& warp, const Instruction& in, uint32_t mask) {
  const int bits = static_cast<int>(in.flags & 0xff), part = static_cast<int>(in.flags >> 8);
  const int count = in.rows_written;
  for (; mask != 0; mask &= mask - 1) {
    const int lane = __builtin_ctz(mask);
    const Lane128 value = ReadLane(warp, in.row(count), bits, lane);
    for (int i = 0; i < count; ++i) {
      const int at = i * part;
      Lane128 element;
      element.half[0] = value.half[at / 64] >> (at % 64);
      if (part < 64) element.half[0] &= (uint64_t{1} << part) - 1;
      WriteLane(warp, in.row(i), part, lane, element);
    }
  }
  return Next::kAdvance;
}
Next Copy128(Warp& warp, const Instruction& in, uint32_t mask) {
  for (; mask != 0; mask &= mask - 1) {
    const int lane = __builtin_ctz(mask);
    WriteLane(warp, in.rows[0], 128, lane, ReadLane(warp, in.rows[1], 128, lane));
  }
  return Next::kAdvance;
}

ScalarType BitsType(int bits) {
  switch (bits) {
    case 8:
      return ScalarType::kB8;
    case 16:
      return ScalarType::kB16;
    case 32:
      return ScalarType::kB32;
    case 64:
      return ScalarType::kB64;
    default:
      return ScalarType::kNone;
  }
}

absl::Status DecodeVectorMove(DecodeContext& context, const syntax::Instruction& syntax,
                              Instruction* instruction, ScalarType type) {
  const bool packs = syntax.operands[1].kind == Operand::Kind::kVector;
  const Operand& vector = syntax.operands[packs ? 1 : 0];
  const int bits = BitWidth(type);
  const int count = static_cast<int>(vector.elements.size());
  const ScalarType element = count > 0 ? BitsType(bits / count) : ScalarType::kNone;
  if (count < 2 || bits % count != 0 || element == ScalarType::kNone ||
      (packs && syntax.operands[0].kind == Operand::Kind::kVector)) {
    return absl::InvalidArgumentError(absl::StrCat("mov of ", bits, " bits and a vector of ", count,
                                                   " elements do not fit together"));
  }
  const int part = bits / count;
  const bool simple = count == 2 && bits <= 64;
  instruction->flags = simple ? static_cast<uint32_t>(part)
                              : static_cast<uint32_t>(bits) | static_cast<uint32_t>(part) << 8;
  if (packs) {
    WARPYARD_ASSIGN_OR_RETURN(RowRef d, context.Destination(syntax.operands[0], type));
    WARPYARD_ASSIGN_OR_RETURN(std::vector<RowRef> sources, context.Sources(vector, element));
    instruction->handler = simple ? WARPYARD_PICK(FindPack(bits)) : &PackAny;
    context.SetRows(instruction, {d}, sources);
  } else {
    WARPYARD_ASSIGN_OR_RETURN(std::vector<RowRef> destinations,
                              context.Destinations(vector, element));
    WARPYARD_ASSIGN_OR_RETURN(RowRef a, context.Source(syntax.operands[1], type));
    instruction->handler = simple ? WARPYARD_PICK(FindUnpack(bits)) : &UnpackAny;
    context.SetRows(instruction, destinations, {a});
  }
  return absl::OkStatus();
}

// mov.v2 {a, b}, {c, d}: all sources are read before a destination is written.
Next CopyElements(Warp& warp, const Instruction& in, uint32_t mask) {
  const int count = in.rows_written, bits = static_cast<int>(in.flags);
  for (; mask != 0; mask &= mask - 1) {
    const int lane = __builtin_ctz(mask);
    Lane128 values[4];
    for (int i = 0; i < count; ++i) values[i] = ReadLane(warp, in.row(count + i), bits, lane);
    for (int i = 0; i < count; ++i) WriteLane(warp, in.row(i), bits, lane, values[i]);
  }
  return Next::kAdvance;
}

absl::Status DecodeElementwise(DecodeContext& context, const syntax::Instruction& syntax,
                               Instruction* instruction, ScalarType type, size_t count) {
  WARPYARD_ASSIGN_OR_RETURN(std::vector<RowRef> destinations,
                            context.Destinations(syntax.operands[0], type));
  WARPYARD_ASSIGN_OR_RETURN(std::vector<RowRef> sources, context.Sources(syntax.operands[1], type));
  if (destinations.size() != count || sources.size() != count) {
    return absl::InvalidArgumentError(absl::StrCat("mov.v", count, " has vectors of ", count));
  }
  instruction->handler = &CopyElements;
  instruction->flags = static_cast<uint32_t>(BitWidth(type));
  context.SetRows(instruction, destinations, sources);
  return absl::OkStatus();
}

absl::Status DecodeMov(DecodeContext& context, const syntax::Instruction& syntax,
                       Instruction* instruction) {
  Modifiers modifiers(syntax);
  const ScalarType type = modifiers.TakeType();
  const int elements = modifiers.TakeOneOf({"v2", "v4"});
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(syntax, 2));
  instruction->operation_class = OperationClass::kMove;
  if (elements >= 0) {
    return DecodeElementwise(context, syntax, instruction, type, elements == 0 ? 2 : 4);
  }
  if (type == ScalarType::kPred) {
    bool negated = false;
    WARPYARD_ASSIGN_OR_RETURN(RowRef p, context.PredicateDestination(syntax.operands[0]));
    WARPYARD_ASSIGN_OR_RETURN(RowRef a, context.PredicateSource(syntax.operands[1], &negated));
    instruction->handler = &MovePredicate;
    instruction->flags = negated ? 0xffffffffu : 0;
    context.SetRows(instruction, {p}, {a});
    return absl::OkStatus();
  }
  if (syntax.operands[0].kind == Operand::Kind::kVector ||
      syntax.operands[1].kind == Operand::Kind::kVector) {
    return DecodeVectorMove(context, syntax, instruction, type);
  }
  const int bits = BitWidth(type);
  Form form;
  form.handler = bits == 128 ? &Copy128
                 : bits == 8 || bits == 16 || bits == 32 || bits == 64
                     ? WARPYARD_PICK(FindCopy(bits))
                     : nullptr;
  form.operation_class = OperationClass::kMove;
  form.result = type;
  form.sources = {type};
  return Emit(context, syntax, instruction, form);
}

// The selector that a mode of prmt makes of c's low two bits.
uint32_t ModeSelector(int mode, uint32_t c) {
  static constexpr uint32_t kSelectors[6][4] = {
      {0x3210, 0x4321, 0x5432, 0x6543},  // f4e: four bytes from c on, forward
      {0x5670, 0x6701, 0x7012, 0x0123},  // b4e: backward
      {0x0000, 0x1111, 0x2222, 0x3333},  // rc8: one byte replicated
      {0x3210, 0x3211, 0x3222, 0x3333},  // ecl: clamped from the left
      {0x0000, 0x1110, 0x2210, 0x3210},  // ecr: clamped from the right
      {0x1010, 0x3232, 0x1010, 0x3232},  // rc16: one half replicated
  };
  return kSelectors[mode][c & 3];
}
// Instruction::flags: the mode.
Next PrmtMode(Warp& warp, const Instruction& in, uint32_t mask) {
  const baseline::Prmt prmt(in);
  for (; mask != 0; mask &= mask - 1) {
    const int lane = __builtin_ctz(mask);
    const uint32_t c = warp.Row<uint32_t>(in.rows[3])[lane];
    warp.Row<uint32_t>(in.rows[0])[lane] =
        prmt(warp.Row<uint32_t>(in.rows[1])[lane], warp.Row<uint32_t>(in.rows[2])[lane],
             ModeSelector(static_cast<int>(in.flags), c));
  }
  return Next::kAdvance;
}

absl::Status DecodePrmt(DecodeContext& context, const syntax::Instruction& syntax,
                        Instruction* instruction) {
  Modifiers modifiers(syntax);
  const ScalarType type = modifiers.TakeType();
  const int mode = modifiers.TakeOneOf({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"});
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  if (type != ScalarType::kB32) return modifiers.Unsupported();
  Form form;
  form.handler = mode < 0 ? WARPYARD_PICK(FindPrmt()) : &PrmtMode;
  form.operation_class = OperationClass::kInteger;
  form.result = type;
  form.sources = {type, type, type};
  instruction->flags = mode < 0 ? 0 : static_cast<uint32_t>(mode);
  return Emit(context, syntax, instruction, form);
}

constexpr Operation kOperations[] = {{"mov", &DecodeMov}, {"prmt", &DecodePrmt}};

}  // namespace

absl::Span<const Operation> MoveOperations() { return kOperations; }

}  // namespace warpyard::emulator
