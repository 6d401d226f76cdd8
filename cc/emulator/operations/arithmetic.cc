// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/operations/arithmetic.h"

#include <cstdint>

#include "absl/status/status.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/operations/decode_support.h"
#include "cc/emulator/operations/extended.h"
#include "cc/emulator/operations/floating_point.h"
#include "cc/emulator/operations/half_precision.h"
#include "cc/emulator/operations/integer.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {
namespace {

using syntax::BitWidth;
using syntax::ScalarType;

bool IsHalf(ScalarType type) {
  return type == ScalarType::kF16 || type == ScalarType::kF16x2 || type == ScalarType::kBf16 ||
         type == ScalarType::kBf16x2;
}
bool IsWideFloat(ScalarType type) {
  return type == ScalarType::kF32 || type == ScalarType::kF64 || type == ScalarType::kF32x2;
}

// .rn .rz .rm .rp; .rn where nothing is said.
FloatRounding TakeRounding(Modifiers& modifiers) {
  const int index = modifiers.TakeOneOf({"rn", "rz", "rm", "rp"});
  return index < 0 ? FloatRounding::kNearestEven : static_cast<FloatRounding>(index);
}

FloatModifiers TakeFloatModifiers(Modifiers& modifiers) {
  FloatModifiers m;
  m.rounding = TakeRounding(modifiers);
  m.ftz = modifiers.Take("ftz");
  m.saturate = modifiers.Take("sat");
  m.nan = modifiers.Take("NaN");
  m.xor_sign_absolute = modifiers.Take("xorsign");
  if (m.xor_sign_absolute) modifiers.Take("abs");
  return m;
}

OperationClass FloatClass(ScalarType type) {
  return type == ScalarType::kF64 ? OperationClass::kFloat64 : OperationClass::kFloat32;
}

// A floating-point operation on `count` sources of one type; the first type of the
// instruction has been taken.
absl::Status DecodeFloat(DecodeContext& context, const syntax::Instruction& syntax,
                         Instruction* instruction, Modifiers& modifiers, ScalarType type,
                         FloatOperation operation, int count) {
  FloatModifiers m = TakeFloatModifiers(modifiers);
  const bool of_three = operation == FloatOperation::kMin3 || operation == FloatOperation::kMax3;
  if (of_three) {
    if (m.xor_sign_absolute) return modifiers.Unsupported();
    m.absolute = modifiers.Take("abs");
  }
  Form form;
  form.result = type;
  form.operation_class = FloatClass(type);
  form.sources.assign(count, type);
  // add.f32.bf16 d, a, c: all sources but the last are of the second type.
  if (type == ScalarType::kF32) {
    const ScalarType narrow = modifiers.TakeType();
    if (narrow == ScalarType::kF16 || narrow == ScalarType::kBf16) {
      m.narrow_sources = narrow == ScalarType::kF16 ? 1 : 2;
      for (int i = 0; i + 1 < count; ++i) form.sources[i] = narrow;
    } else if (narrow != ScalarType::kNone) {
      return modifiers.Unsupported();
    }
  }
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  form.handler = FloatHandler(operation, type, m);
  instruction->flags = m.Pack();
  return Emit(context, syntax, instruction, form);
}

absl::Status DecodeHalf(DecodeContext& context, const syntax::Instruction& syntax,
                        Instruction* instruction, Modifiers& modifiers, ScalarType type,
                        HalfOperation operation, int count) {
  HalfModifiers m;
  m.rounding = TakeRounding(modifiers);
  const bool rounded = m.rounding != FloatRounding::kNearestEven;
  if (rounded && operation != HalfOperation::kFma) return modifiers.Unsupported();
  m.ftz = modifiers.Take("ftz");
  m.saturate = modifiers.Take("sat");
  m.relu = modifiers.Take("relu");
  m.nan = modifiers.Take("NaN");
  m.xor_sign_absolute = modifiers.Take("xorsign");
  if (m.xor_sign_absolute) modifiers.Take("abs");
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  Form form;
  form.handler = rounded ? DirectedHalfFma(type) : HalfHandler(operation, type, m.Pack() == 0);
  form.operation_class = OperationClass::kFloat16;
  form.result = type;
  form.sources.assign(count, type);
  instruction->flags = m.Pack();
  return Emit(context, syntax, instruction, form);
}

absl::Status DecodeInteger(DecodeContext& context, const syntax::Instruction& syntax,
                           Instruction* instruction, const Modifiers& modifiers, ScalarType type,
                           IntegerOperation operation, int count) {
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  Form form;
  form.handler = IntegerHandler(operation, type);
  form.result = type;
  form.sources.assign(count, type);
  return Emit(context, syntax, instruction, form);
}

// `add` and the others that exist for all kinds of types.
template <IntegerOperation kInteger, IntegerOperation kIntegerSaturated, FloatOperation kFloat,
          HalfOperation kHalf, int kCount>
absl::Status DecodeAny(DecodeContext& context, const syntax::Instruction& syntax,
                       Instruction* instruction) {
  Modifiers modifiers(syntax);
  const ScalarType type = modifiers.TakeType();
  if (IsWideFloat(type)) {
    return DecodeFloat(context, syntax, instruction, modifiers, type, kFloat, kCount);
  }
  if (IsHalf(type)) {
    return DecodeHalf(context, syntax, instruction, modifiers, type, kHalf, kCount);
  }
  if (syntax.Has("cc")) return DecodeExtended(context, syntax, instruction);
  IntegerOperation operation = kInteger;
  if (kInteger != kIntegerSaturated && modifiers.Take("sat")) operation = kIntegerSaturated;
  return DecodeInteger(context, syntax, instruction, modifiers, type, operation, kCount);
}

// min and max: of three f32 too, and of integers with .relu.
template <bool kMaximum>
absl::Status DecodeExtreme(DecodeContext& context, const syntax::Instruction& syntax,
                           Instruction* instruction) {
  Modifiers modifiers(syntax);
  const ScalarType type = modifiers.TakeType();
  if (IsWideFloat(type)) {
    if (syntax.operands.size() == 4) {
      return DecodeFloat(context, syntax, instruction, modifiers, type,
                         kMaximum ? FloatOperation::kMax3 : FloatOperation::kMin3, 3);
    }
    return DecodeFloat(context, syntax, instruction, modifiers, type,
                       kMaximum ? FloatOperation::kMax : FloatOperation::kMin, 2);
  }
  if (IsHalf(type)) {
    return DecodeHalf(context, syntax, instruction, modifiers, type,
                      kMaximum ? HalfOperation::kMax : HalfOperation::kMin, 2);
  }
  IntegerOperation operation = kMaximum ? IntegerOperation::kMax : IntegerOperation::kMin;
  if (modifiers.Take("relu")) {
    operation = kMaximum ? IntegerOperation::kMaxRelu : IntegerOperation::kMinRelu;
  }
  return DecodeInteger(context, syntax, instruction, modifiers, type, operation, 2);
}

ScalarType Doubled(ScalarType type) {
  switch (type) {
    case ScalarType::kU16:
      return ScalarType::kU32;
    case ScalarType::kS16:
      return ScalarType::kS32;
    case ScalarType::kU32:
      return ScalarType::kU64;
    case ScalarType::kS32:
      return ScalarType::kS64;
    default:
      return ScalarType::kNone;
  }
}

absl::Status DecodeMul(DecodeContext& context, const syntax::Instruction& syntax,
                       Instruction* instruction) {
  Modifiers modifiers(syntax);
  const ScalarType type = modifiers.TakeType();
  if (IsWideFloat(type)) {
    return DecodeFloat(context, syntax, instruction, modifiers, type, FloatOperation::kMul, 2);
  }
  if (IsHalf(type)) {
    return DecodeHalf(context, syntax, instruction, modifiers, type, HalfOperation::kMul, 2);
  }
  const int part = modifiers.TakeOneOf({"lo", "hi", "wide"});
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  if (part < 0) return absl::InvalidArgumentError("mul of integers needs .lo, .hi or .wide");
  static constexpr IntegerOperation kParts[] = {IntegerOperation::kMulLo, IntegerOperation::kMulHi,
                                                IntegerOperation::kMulWide};
  Form form;
  form.handler = IntegerHandler(kParts[part], type);
  form.result = part == 2 ? Doubled(type) : type;
  form.sources = {type, type};
  return Emit(context, syntax, instruction, form);
}

absl::Status DecodeMad(DecodeContext& context, const syntax::Instruction& syntax,
                       Instruction* instruction) {
  Modifiers modifiers(syntax);
  const ScalarType type = modifiers.TakeType();
  if (IsWideFloat(type)) {
    return DecodeFloat(context, syntax, instruction, modifiers, type, FloatOperation::kFma, 3);
  }
  if (syntax.Has("cc")) return DecodeExtended(context, syntax, instruction);
  const int part = modifiers.TakeOneOf({"lo", "hi", "wide"});
  const bool saturate = modifiers.Take("sat");
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  if (part < 0) return absl::InvalidArgumentError("mad of integers needs .lo, .hi or .wide");
  if (saturate && part != 1) return modifiers.Unsupported();
  static constexpr IntegerOperation kParts[] = {IntegerOperation::kMadLo, IntegerOperation::kMadHi,
                                                IntegerOperation::kMadWide};
  const ScalarType result = part == 2 ? Doubled(type) : type;
  Form form;
  form.handler = IntegerHandler(saturate ? IntegerOperation::kMadHiSat : kParts[part], type);
  form.result = result;
  form.sources = {type, type, result};
  return Emit(context, syntax, instruction, form);
}

template <bool kAddend>
absl::Status DecodeMul24(DecodeContext& context, const syntax::Instruction& syntax,
                         Instruction* instruction) {
  Modifiers modifiers(syntax);
  const ScalarType type = modifiers.TakeType();
  const int part = modifiers.TakeOneOf({"lo", "hi"});
  const bool saturate = kAddend && modifiers.Take("sat");
  if (part < 0) return absl::InvalidArgumentError("mul24 and mad24 need .lo or .hi");
  if (saturate && part != 1) return modifiers.Unsupported();
  instruction->flags = static_cast<uint32_t>(part);
  const IntegerOperation operation = saturate  ? IntegerOperation::kMad24HiSat
                                     : kAddend ? IntegerOperation::kMad24
                                               : IntegerOperation::kMul24;
  return DecodeInteger(context, syntax, instruction, modifiers, type, operation, kAddend ? 3 : 2);
}

absl::Status DecodeFma(DecodeContext& context, const syntax::Instruction& syntax,
                       Instruction* instruction) {
  Modifiers modifiers(syntax);
  const ScalarType type = modifiers.TakeType();
  if (IsHalf(type)) {
    return DecodeHalf(context, syntax, instruction, modifiers, type, HalfOperation::kFma, 3);
  }
  if (!IsWideFloat(type)) return modifiers.Unsupported();
  return DecodeFloat(context, syntax, instruction, modifiers, type, FloatOperation::kFma, 3);
}

template <IntegerOperation kOperation, int kCount>
absl::Status DecodeIntegerOnly(DecodeContext& context, const syntax::Instruction& syntax,
                               Instruction* instruction) {
  Modifiers modifiers(syntax);
  const ScalarType type = modifiers.TakeType();
  return DecodeInteger(context, syntax, instruction, modifiers, type, kOperation, kCount);
}

absl::Status DecodeCopySign(DecodeContext& context, const syntax::Instruction& syntax,
                            Instruction* instruction) {
  Modifiers modifiers(syntax);
  const ScalarType type = modifiers.TakeType();
  if (type != ScalarType::kF32 && type != ScalarType::kF64) return modifiers.Unsupported();
  return DecodeFloat(context, syntax, instruction, modifiers, type, FloatOperation::kCopySign, 2);
}

using I = IntegerOperation;
using F = FloatOperation;
using H = HalfOperation;
constexpr Operation kOperations[] = {
    {"abs", &DecodeAny<I::kAbs, I::kAbs, F::kAbs, H::kAbs, 1>},
    {"add", &DecodeAny<I::kAdd, I::kAddSat, F::kAdd, H::kAdd, 2>},
    {"copysign", &DecodeCopySign},
    {"fma", &DecodeFma},
    {"mad", &DecodeMad},
    {"mad24", &DecodeMul24<true>},
    {"max", &DecodeExtreme<true>},
    {"min", &DecodeExtreme<false>},
    {"mul", &DecodeMul},
    {"mul24", &DecodeMul24<false>},
    {"neg", &DecodeAny<I::kNeg, I::kNeg, F::kNeg, H::kNeg, 1>},
    {"rem", &DecodeIntegerOnly<I::kRem, 2>},
    {"sad", &DecodeIntegerOnly<I::kSad, 3>},
    {"sub", &DecodeAny<I::kSub, I::kSubSat, F::kSub, H::kSub, 2>},
};

}  // namespace

absl::Span<const Operation> ArithmeticOperations() { return kOperations; }

}  // namespace warpyard::emulator
