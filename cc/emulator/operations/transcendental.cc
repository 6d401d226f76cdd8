// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/operations/transcendental.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/execution/warp.h"
#include "cc/emulator/operations/decode_support.h"
#include "cc/emulator/operations/floating_point.h"
#include "cc/emulator/operations/integer.h"
#include "cc/emulator/operations/vector_regions.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {
namespace {

using syntax::ScalarType;

enum class FunctionOperation : uint8_t { kEx2, kTanh, kLg2, kRsqrt, kSin, kCos, kDivApprox };

WARPYARD_BEGIN_BASELINE
namespace baseline {
#include "cc/emulator/operations/row_map.inc"
// After row_map.inc.
#include "cc/emulator/operations/float_values.inc"
// After float_values.inc.
#include "cc/emulator/operations/half_values.inc"
// After half_values.inc.
#include "cc/emulator/operations/transcendental_rows.inc"
}  // namespace baseline
WARPYARD_END_REGION

#if WARPYARD_HAS_AVX2_REGION
WARPYARD_BEGIN_AVX2
namespace avx2 {
#include "cc/emulator/operations/row_map.inc"
// After row_map.inc.
#include "cc/emulator/operations/float_values.inc"
// After float_values.inc.
#include "cc/emulator/operations/half_values.inc"
// After half_values.inc.
#include "cc/emulator/operations/transcendental_rows.inc"
}  // namespace avx2
WARPYARD_END_REGION
#define WARPYARD_PICK(CALL) (UseAvx2() ? avx2::CALL : baseline::CALL)
#else
#define WARPYARD_PICK(CALL) (baseline::CALL)
#endif

// .rn .rz .rm .rp, if one is there.
bool TakeRounding(Modifiers& modifiers, FloatRounding* rounding) {
  const int index = modifiers.TakeOneOf({"rn", "rz", "rm", "rp"});
  if (index >= 0) *rounding = static_cast<FloatRounding>(index);
  return index >= 0;
}

OperationClass ClassOf(ScalarType type) {
  return type == ScalarType::kF64 ? OperationClass::kFloat64 : OperationClass::kSpecialFunction;
}

// Emits an exact operation of floating_point.h.
absl::Status EmitExact(DecodeContext& context, const syntax::Instruction& syntax,
                       Instruction* instruction, FloatOperation operation, ScalarType type,
                       const FloatModifiers& m, int count) {
  Form form;
  form.handler = FloatHandler(operation, type, m);
  form.operation_class = ClassOf(type);
  form.result = type;
  form.sources.assign(count, type);
  instruction->flags = m.Pack();
  return Emit(context, syntax, instruction, form);
}

absl::Status EmitFunction(DecodeContext& context, const syntax::Instruction& syntax,
                          Instruction* instruction, FunctionOperation operation, ScalarType type,
                          bool ftz, int count) {
  Form form;
  form.handler = WARPYARD_PICK(Find(operation, type));
  form.operation_class = OperationClass::kSpecialFunction;
  form.result = type;
  form.sources.assign(count, type);
  instruction->flags = ftz ? 1 : 0;
  return Emit(context, syntax, instruction, form);
}

// ex2 lg2 sin cos tanh: .approx alone.
template <FunctionOperation kOperation>
absl::Status DecodeFunction(DecodeContext& context, const syntax::Instruction& syntax,
                            Instruction* instruction) {
  Modifiers modifiers(syntax);
  const ScalarType type = modifiers.TakeType();
  modifiers.Take("approx");
  const bool ftz = modifiers.Take("ftz");
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  return EmitFunction(context, syntax, instruction, kOperation, type, ftz, 1);
}

// rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 read and write the upper 32 bits: a
// mantissa of 20 bits. Subnormals are zeros.
template <bool kRoot>
Next UpperHalfFunction(Warp& warp, const Instruction& in, uint32_t mask) {
  for (; mask != 0; mask &= mask - 1) {
    const int lane = __builtin_ctz(mask);
    const auto flush = [](uint64_t bits) {
      return (bits >> 52 & 0x7ff) == 0 ? bits & 0x8000000000000000u : bits;
    };
    const uint64_t source = warp.Row<uint64_t>(in.rows[1])[lane];
    const double a = std::bit_cast<double>(flush(source & 0xffffffff00000000u));
    uint64_t result = 0x7fffffff00000000u;
    if (!std::isnan(std::bit_cast<double>(source))) {
      const double r = 1.0 / (kRoot ? std::sqrt(a) : a);
      // To nearest of the upper half; infinities stay.
      if (!std::isnan(r)) {
        const uint64_t bits = std::bit_cast<uint64_t>(r);
        result = std::isinf(r) ? bits : flush((bits + 0x80000000u) & 0xffffffff00000000u);
      }
    }
    warp.Row<uint64_t>(in.rows[0])[lane] = result;
  }
  return Next::kAdvance;
}
Next RsqrtF64(Warp& warp, const Instruction& in, uint32_t mask) {
  for (; mask != 0; mask &= mask - 1) {
    const int lane = __builtin_ctz(mask);
    const double a = warp.Row<double>(in.rows[1])[lane];
    double r = 1.0 / std::sqrt(a);
    if (std::isnan(a)) {
      r = std::bit_cast<double>(std::bit_cast<uint64_t>(a) | 0x0008000000000000u);
    } else if (std::isnan(r)) {
      r = std::bit_cast<double>(uint64_t{0xfff8000000000000u});
    }
    warp.Row<double>(in.rows[0])[lane] = r;
  }
  return Next::kAdvance;
}

absl::Status EmitF64(DecodeContext& context, const syntax::Instruction& syntax,
                     Instruction* instruction, Handler handler) {
  Form form;
  form.handler = handler;
  form.operation_class = OperationClass::kFloat64;
  form.result = ScalarType::kF64;
  form.sources = {ScalarType::kF64};
  return Emit(context, syntax, instruction, form);
}

absl::Status DecodeRcp(DecodeContext& context, const syntax::Instruction& syntax,
                       Instruction* instruction) {
  Modifiers modifiers(syntax);
  const ScalarType type = modifiers.TakeType();
  FloatModifiers m;
  const bool approx = modifiers.Take("approx");
  const bool exact = TakeRounding(modifiers, &m.rounding);
  m.ftz = modifiers.Take("ftz");
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  if (approx == exact || (type != ScalarType::kF32 && type != ScalarType::kF64)) {
    return modifiers.Unsupported();
  }
  if (approx && type == ScalarType::kF64) {
    return EmitF64(context, syntax, instruction, &UpperHalfFunction<false>);
  }
  return EmitExact(context, syntax, instruction, FloatOperation::kReciprocal, type, m, 1);
}

absl::Status DecodeSqrt(DecodeContext& context, const syntax::Instruction& syntax,
                        Instruction* instruction) {
  Modifiers modifiers(syntax);
  const ScalarType type = modifiers.TakeType();
  FloatModifiers m;
  const bool approx = modifiers.Take("approx");
  const bool exact = TakeRounding(modifiers, &m.rounding);
  m.ftz = modifiers.Take("ftz");
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  if (approx == exact || (type != ScalarType::kF32 && (approx || type != ScalarType::kF64))) {
    return modifiers.Unsupported();
  }
  return EmitExact(context, syntax, instruction, FloatOperation::kSqrt, type, m, 1);
}

absl::Status DecodeRsqrt(DecodeContext& context, const syntax::Instruction& syntax,
                         Instruction* instruction) {
  Modifiers modifiers(syntax);
  const ScalarType type = modifiers.TakeType();
  modifiers.Take("approx");
  const bool ftz = modifiers.Take("ftz");
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  if (type == ScalarType::kF64) {
    return EmitF64(context, syntax, instruction, ftz ? &UpperHalfFunction<true> : &RsqrtF64);
  }
  return EmitFunction(context, syntax, instruction, FunctionOperation::kRsqrt, type, ftz, 1);
}

absl::Status DecodeDiv(DecodeContext& context, const syntax::Instruction& syntax,
                       Instruction* instruction) {
  Modifiers modifiers(syntax);
  const ScalarType type = modifiers.TakeType();
  if (IsInteger(type)) {
    WARPYARD_RETURN_IF_ERROR(modifiers.Done());
    Form form;
    form.handler = IntegerHandler(IntegerOperation::kDiv, type);
    form.result = type;
    form.sources = {type, type};
    return Emit(context, syntax, instruction, form);
  }
  FloatModifiers m;
  const int approximate = modifiers.TakeOneOf({"approx", "full"});
  const bool exact = TakeRounding(modifiers, &m.rounding);
  m.ftz = modifiers.Take("ftz");
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  if ((approximate >= 0) == exact ||
      (type != ScalarType::kF32 && (!exact || type != ScalarType::kF64))) {
    return modifiers.Unsupported();
  }
  if (approximate == 0) {
    return EmitFunction(context, syntax, instruction, FunctionOperation::kDivApprox, type, m.ftz,
                        2);
  }
  return EmitExact(context, syntax, instruction, FloatOperation::kDiv, type, m, 2);
}

constexpr Operation kOperations[] = {
    {"cos", &DecodeFunction<FunctionOperation::kCos>},
    {"div", &DecodeDiv},
    {"ex2", &DecodeFunction<FunctionOperation::kEx2>},
    {"lg2", &DecodeFunction<FunctionOperation::kLg2>},
    {"rcp", &DecodeRcp},
    {"rsqrt", &DecodeRsqrt},
    {"sin", &DecodeFunction<FunctionOperation::kSin>},
    {"sqrt", &DecodeSqrt},
    {"tanh", &DecodeFunction<FunctionOperation::kTanh>},
};

}  // namespace

absl::Span<const Operation> TranscendentalOperations() { return kOperations; }

}  // namespace warpyard::emulator
