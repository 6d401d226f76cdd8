// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Decodes the arithmetic operations, which PTX names alike for integers,
// f32 and f64, and halves: integer.h, floating_point.h and half_precision.h have
// the handlers.

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_ARITHMETIC_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_ARITHMETIC_H_

#include "absl/types/span.h"
#include "cc/emulator/program/decoder.h"

namespace warpyard::emulator {

// abs add copysign fma mad mad24 max min mul mul24 neg rem sad sub.
absl::Span<const Operation> ArithmeticOperations();

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_ARITHMETIC_H_
