// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Handlers of integer arithmetic. What PTX calls `add.s32` is
// IntegerHandler(IntegerOperation::kAdd, ScalarType::kS32); arithmetic.h decodes.

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_INTEGER_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_INTEGER_H_

#include <cstdint>

#include "cc/emulator/program/program.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {

enum class IntegerOperation : uint8_t {
  kAdd,
  kSub,
  kAddSat,  // s32 and packed types: clamped to the type's range
  kSubSat,
  kMulLo,
  kMulHi,
  kMulWide,
  kMadLo,
  kMadHi,
  kMadHiSat,
  kMadWide,
  kMul24,  // Instruction::flags 0: .lo, 1: .hi
  kMad24,
  kMad24HiSat,
  kSad,
  kDiv,
  kRem,
  kMin,
  kMax,
  kMinRelu,
  kMaxRelu,
  kAbs,
  kNeg,
};

// Null where PTX has no such operation. `type` is u16 … s64, or one of u16x2,
// s16x2, u8x4, s8x4 where the operation has packed forms.
Handler IntegerHandler(IntegerOperation operation, syntax::ScalarType type);

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_INTEGER_H_
