// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Handlers of f16, bf16, f16x2 and bf16x2 arithmetic (PTX ISA, "Half Precision
// Floating Point Instructions"). Results are rounded once; a NaN result is the
// canonical 0x7fff.

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_HALF_PRECISION_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_HALF_PRECISION_H_

#include <cstdint>

#include "cc/emulator/operations/floating_point.h"
#include "cc/emulator/program/program.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {

enum class HalfOperation : uint8_t { kAdd, kSub, kMul, kFma, kMin, kMax, kAbs, kNeg };

// What the handlers read from Instruction::flags.
struct HalfModifiers {
  bool ftz = false;
  bool saturate = false;           // .sat: to [0, 1], NaN to +0
  bool relu = false;               // negative results become +0
  bool nan = false;                // .NaN of min and max
  bool xor_sign_absolute = false;  // .xorsign.abs of min and max
  FloatRounding rounding = FloatRounding::kNearestEven;

  uint32_t Pack() const {
    return uint32_t{ftz} | uint32_t{saturate} << 1 | uint32_t{relu} << 2 | uint32_t{nan} << 3 |
           uint32_t{xor_sign_absolute} << 4 | static_cast<uint32_t>(rounding) << 5;
  }
};

// `plain`: without modifiers, which is faster. Null where PTX has no such operation.
Handler HalfHandler(HalfOperation operation, syntax::ScalarType type, bool plain);

// fma.rz, .rm and .rp of bf16 and bf16x2, which ptxas takes though the manual does
// not name them. Null for other types.
Handler DirectedHalfFma(syntax::ScalarType type);

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_HALF_PRECISION_H_
