// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/operations/bit.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/execution/warp.h"
#include "cc/emulator/operations/decode_support.h"
#include "cc/emulator/operations/vector_regions.h"

namespace warpyard::emulator {
namespace {

using syntax::ScalarType;

WARPYARD_BEGIN_BASELINE
namespace baseline {
#include "cc/emulator/operations/row_map.inc"
// After row_map.inc.
#include "cc/emulator/operations/bit_rows.inc"
}  // namespace baseline
WARPYARD_END_REGION

#if WARPYARD_HAS_AVX2_REGION
WARPYARD_BEGIN_AVX2
namespace avx2 {
#include "cc/emulator/operations/row_map.inc"
// After row_map.inc.
#include "cc/emulator/operations/bit_rows.inc"
}  // namespace avx2
WARPYARD_END_REGION
#endif

}  // namespace

Handler BitHandler(BitOperation operation, ScalarType type) {
#if WARPYARD_HAS_AVX2_REGION
  if (UseAvx2()) return avx2::Find(operation, type);
#endif
  return baseline::Find(operation, type);
}

namespace {

// Predicates are masks of 32 lanes, so their logic is one operation.
enum class PredicateLogic : uint32_t { kAnd, kOr, kXor, kNot, kCnot };

// Instruction::flags: the logic, bits 4 and 5 to negate the sources.
Next LogicOfPredicates(Warp& warp, const Instruction& in, uint32_t mask) {
  uint32_t a = warp.Predicate(in.rows[1]);
  if ((in.flags >> 4 & 1) != 0) a = ~a;
  uint32_t b = 0;
  if (in.row_count > 2) {
    b = warp.Predicate(in.rows[2]);
    if ((in.flags >> 5 & 1) != 0) b = ~b;
  }
  uint32_t r = 0;
  switch (static_cast<PredicateLogic>(in.flags & 7)) {
    case PredicateLogic::kAnd:
      r = a & b;
      break;
    case PredicateLogic::kOr:
      r = a | b;
      break;
    case PredicateLogic::kXor:
      r = a ^ b;
      break;
    case PredicateLogic::kNot:
    case PredicateLogic::kCnot:
      r = ~a;
      break;
  }
  uint32_t& p = warp.Predicate(in.rows[0]);
  p = (p & ~mask) | (r & mask);
  return Next::kAdvance;
}

absl::Status DecodePredicateLogic(DecodeContext& context, const syntax::Instruction& syntax,
                                  Instruction* instruction, PredicateLogic logic, int count) {
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(syntax, 1 + count));
  WARPYARD_ASSIGN_OR_RETURN(RowRef p, context.PredicateDestination(syntax.operands[0]));
  bool negated = false;
  WARPYARD_ASSIGN_OR_RETURN(RowRef a, context.PredicateSource(syntax.operands[1], &negated));
  instruction->flags = static_cast<uint32_t>(logic) | uint32_t{negated} << 4;
  if (count == 2) {
    bool second_negated = false;
    WARPYARD_ASSIGN_OR_RETURN(RowRef b,
                              context.PredicateSource(syntax.operands[2], &second_negated));
    instruction->flags |= uint32_t{second_negated} << 5;
    context.SetRows(instruction, {p}, {a, b});
  } else {
    context.SetRows(instruction, {p}, {a});
  }
  instruction->handler = &LogicOfPredicates;
  instruction->operation_class = OperationClass::kPredicate;
  return absl::OkStatus();
}

// `type` is what PTX writes; the sources after the first are u32 for shifts.
template <BitOperation kOperation, PredicateLogic kLogic, int kCount>
absl::Status DecodeLogic(DecodeContext& context, const syntax::Instruction& syntax,
                         Instruction* instruction) {
  Modifiers modifiers(syntax);
  const ScalarType type = modifiers.TakeType();
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  if (type == ScalarType::kPred) {
    return DecodePredicateLogic(context, syntax, instruction, kLogic, kCount);
  }
  Form form;
  form.handler = BitHandler(kOperation, type);
  form.result = type;
  form.sources.assign(kCount, type);
  return Emit(context, syntax, instruction, form);
}

// One source of the type, then `kCounts` of u32; the result is of the type, or u32.
template <BitOperation kOperation, int kCounts, bool kCountsResult>
absl::Status DecodeField(DecodeContext& context, const syntax::Instruction& syntax,
                         Instruction* instruction) {
  Modifiers modifiers(syntax);
  const ScalarType type = modifiers.TakeType();
  if (kOperation == BitOperation::kBfind) instruction->flags = modifiers.Take("shiftamt") ? 1 : 0;
  if (kOperation == BitOperation::kSzext) {
    instruction->flags = modifiers.TakeOneOf({"clamp", "wrap"}) == 1 ? 1 : 0;
  }
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  Form form;
  form.handler = BitHandler(kOperation, type);
  form.result = kCountsResult ? ScalarType::kU32 : type;
  form.sources.push_back(type);
  for (int i = 0; i < kCounts; ++i) form.sources.push_back(ScalarType::kU32);
  return Emit(context, syntax, instruction, form);
}

absl::Status DecodeBfi(DecodeContext& context, const syntax::Instruction& syntax,
                       Instruction* instruction) {
  Modifiers modifiers(syntax);
  const ScalarType type = modifiers.TakeType();
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  Form form;
  form.handler = BitHandler(BitOperation::kBfi, type);
  form.result = type;
  form.sources = {type, type, ScalarType::kU32, ScalarType::kU32};
  return Emit(context, syntax, instruction, form);
}

absl::Status DecodeShf(DecodeContext& context, const syntax::Instruction& syntax,
                       Instruction* instruction) {
  Modifiers modifiers(syntax);
  const ScalarType type = modifiers.TakeType();
  const int direction = modifiers.TakeOneOf({"l", "r"});
  const int mode = modifiers.TakeOneOf({"clamp", "wrap"});
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  if (direction < 0 || mode < 0 || syntax::BitWidth(type) != 32) return modifiers.Unsupported();
  Form form;
  form.handler =
      BitHandler(direction == 0 ? BitOperation::kShfLeft : BitOperation::kShfRight, type);
  form.result = type;
  form.sources = {type, type, ScalarType::kU32};
  instruction->flags = static_cast<uint32_t>(mode);
  return Emit(context, syntax, instruction, form);
}

absl::Status DecodeFns(DecodeContext& context, const syntax::Instruction& syntax,
                       Instruction* instruction) {
  Modifiers modifiers(syntax);
  const ScalarType type = modifiers.TakeType();
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  Form form;
  form.handler = BitHandler(BitOperation::kFns, type);
  form.result = type;
  form.sources = {type, type, ScalarType::kS32};
  return Emit(context, syntax, instruction, form);
}

absl::Status DecodeBmsk(DecodeContext& context, const syntax::Instruction& syntax,
                        Instruction* instruction) {
  Modifiers modifiers(syntax);
  const ScalarType type = modifiers.TakeType();
  const int mode = modifiers.TakeOneOf({"clamp", "wrap"});
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  if (mode < 0) return modifiers.Unsupported();
  Form form;
  form.handler = BitHandler(BitOperation::kBmsk, type);
  form.result = type;
  form.sources = {type, type};
  instruction->flags = static_cast<uint32_t>(mode);
  return Emit(context, syntax, instruction, form);
}

// lop3.and d|p, a, b, c, table, q: p = (d != 0) and q.
// Rows: d, p, a, b, c, q; Instruction::flags: 0 or, 1 and; bit 1 negates q.
Next Lop3WithPredicate(Warp& warp, const Instruction& in, uint32_t mask) {
  uint32_t* d = warp.Row<uint32_t>(in.row(0));
  const uint32_t* a = warp.Row<uint32_t>(in.row(2));
  const uint32_t* b = warp.Row<uint32_t>(in.row(3));
  const uint32_t* c = warp.Row<uint32_t>(in.row(4));
  uint32_t q = warp.Predicate(in.row(5));
  if ((in.flags & 2) != 0) q = ~q;
  const baseline::Lop3 lop3(in);
  uint32_t nonzero = 0;
  for (int i = 0; i < kWarpSize; ++i) {
    const uint32_t r = lop3(a[i], b[i], c[i]);
    nonzero |= static_cast<uint32_t>(r != 0) << i;
    if ((mask >> i & 1) != 0) d[i] = r;
  }
  const uint32_t t = (in.flags & 1) != 0 ? nonzero & q : nonzero | q;
  uint32_t& p = warp.Predicate(in.row(1));
  p = (p & ~mask) | (t & mask);
  return Next::kAdvance;
}

absl::Status DecodeLop3(DecodeContext& context, const syntax::Instruction& syntax,
                        Instruction* instruction) {
  Modifiers modifiers(syntax);
  const ScalarType type = modifiers.TakeType();
  const int combine = modifiers.TakeOneOf({"or", "and"});
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  if (type != ScalarType::kB32) return modifiers.Unsupported();
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(syntax, combine < 0 ? 5 : 6));
  const syntax::Operand* destination = &syntax.operands[0];
  const syntax::Operand* predicate = nullptr;
  if (destination->kind == syntax::Operand::Kind::kPair) {
    if (destination->elements.size() != 2) return absl::InvalidArgumentError("lop3 has d or d|p");
    predicate = &destination->elements[1];
    destination = &destination->elements[0];
  }
  if ((combine >= 0) != (predicate != nullptr)) {
    return absl::InvalidArgumentError("lop3 has d|p with .or and .and, and d without");
  }
  WARPYARD_ASSIGN_OR_RETURN(RowRef d, context.Destination(*destination, type));
  WARPYARD_ASSIGN_OR_RETURN(RowRef a, context.Source(syntax.operands[1], type));
  WARPYARD_ASSIGN_OR_RETURN(RowRef b, context.Source(syntax.operands[2], type));
  WARPYARD_ASSIGN_OR_RETURN(RowRef c, context.Source(syntax.operands[3], type));
  WARPYARD_ASSIGN_OR_RETURN(int64_t table, context.Immediate(syntax.operands[4]));
  if (table < 0 || table > 255) {
    return absl::InvalidArgumentError("the table of lop3 is a number from 0 to 255");
  }
  instruction->immediate = static_cast<uint64_t>(table);
  instruction->handler = BitHandler(BitOperation::kLop3, type);
  instruction->operation_class = OperationClass::kInteger;
  if (predicate == nullptr) {
    context.SetRows(instruction, {d}, {a, b, c});
    return absl::OkStatus();
  }
  bool negated = false;
  WARPYARD_ASSIGN_OR_RETURN(RowRef p, context.PredicateDestination(*predicate));
  WARPYARD_ASSIGN_OR_RETURN(RowRef q, context.PredicateSource(syntax.operands[5], &negated));
  instruction->handler = &Lop3WithPredicate;
  instruction->flags = static_cast<uint32_t>(combine) | uint32_t{negated} << 1;
  context.SetRows(instruction, {d, p}, {a, b, c, q});
  return absl::OkStatus();
}

using B = BitOperation;
using P = PredicateLogic;
constexpr Operation kOperations[] = {
    {"and", &DecodeLogic<B::kAnd, P::kAnd, 2>},
    {"bfe", &DecodeField<B::kBfe, 2, false>},
    {"bfi", &DecodeBfi},
    {"bfind", &DecodeField<B::kBfind, 0, true>},
    {"bmsk", &DecodeBmsk},
    {"brev", &DecodeField<B::kBrev, 0, false>},
    {"clz", &DecodeField<B::kClz, 0, true>},
    {"cnot", &DecodeLogic<B::kCnot, P::kCnot, 1>},
    {"fns", &DecodeFns},
    {"lop3", &DecodeLop3},
    {"not", &DecodeLogic<B::kNot, P::kNot, 1>},
    {"or", &DecodeLogic<B::kOr, P::kOr, 2>},
    {"popc", &DecodeField<B::kPopc, 0, true>},
    {"shf", &DecodeShf},
    {"shl", &DecodeField<B::kShl, 1, false>},
    {"shr", &DecodeField<B::kShr, 1, false>},
    {"szext", &DecodeField<B::kSzext, 1, false>},
    {"xor", &DecodeLogic<B::kXor, P::kXor, 2>},
};

}  // namespace

absl::Span<const Operation> BitOperations() { return kOperations; }

}  // namespace warpyard::emulator
