// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Handlers of f32 and f64 arithmetic (PTX ISA, "Floating Point Instructions").
//
// f32: a NaN result is the canonical 0x7fffffff. f64: the payload of the first
// operand that is a NaN, made quiet; an invalid operation gives
// 0xfff8000000000000.

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_FLOATING_POINT_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_FLOATING_POINT_H_

#include <cstdint>

#include "cc/emulator/program/program.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {

enum class FloatOperation : uint8_t {
  kAdd,
  kSub,
  kMul,
  kFma,
  kDiv,
  kSqrt,
  kReciprocal,
  kMin,
  kMax,
  kMin3,
  kMax3,
  kAbs,
  kNeg,
  kCopySign,  // copysign(sign, magnitude)
};

enum class FloatRounding : uint8_t { kNearestEven, kTowardZero, kDown, kUp };

// The modifiers of a floating-point operation; what the handlers read from
// Instruction::flags.
struct FloatModifiers {
  FloatRounding rounding = FloatRounding::kNearestEven;
  bool ftz = false;
  bool saturate = false;           // .sat: to [0, 1], NaN to +0
  bool nan = false;                // .NaN: min and max of a NaN are NaN
  bool xor_sign_absolute = false;  // .xorsign.abs
  bool absolute = false;           // .abs of min and max of three
  // Mixed precision: the types of the first and second source where they are
  // narrower than the operation: 0 same, 1 f16, 2 bf16; the last source is never
  // narrower.
  uint8_t narrow_sources = 0;

  uint32_t Pack() const {
    return static_cast<uint32_t>(rounding) | uint32_t{ftz} << 2 | uint32_t{saturate} << 3 |
           uint32_t{nan} << 4 | uint32_t{xor_sign_absolute} << 5 | uint32_t{narrow_sources} << 6 |
           uint32_t{absolute} << 8;
  }
  static FloatModifiers Unpack(uint32_t flags) {
    FloatModifiers m;
    m.rounding = static_cast<FloatRounding>(flags & 3);
    m.ftz = (flags >> 2 & 1) != 0;
    m.saturate = (flags >> 3 & 1) != 0;
    m.nan = (flags >> 4 & 1) != 0;
    m.xor_sign_absolute = (flags >> 5 & 1) != 0;
    m.narrow_sources = flags >> 6 & 3;
    m.absolute = (flags >> 8 & 1) != 0;
    return m;
  }
};

// `type` is f32, f64 or f32x2. The caller puts modifiers.Pack() into
// Instruction::flags. Null where PTX has no such operation.
Handler FloatHandler(FloatOperation operation, syntax::ScalarType type,
                     const FloatModifiers& modifiers);

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_FLOATING_POINT_H_
