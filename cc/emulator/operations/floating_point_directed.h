// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// f32 and f64 arithmetic with a directed rounding, saturation or sources of half
// precision: rare, so one loop for all of them.

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_FLOATING_POINT_DIRECTED_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_FLOATING_POINT_DIRECTED_H_

#include "cc/emulator/operations/floating_point.h"
#include "cc/emulator/program/program.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {

// Any of kAdd, kSub, kMul, kFma, kDiv, kSqrt, kReciprocal on f32, f64 or f32x2
// with any modifiers. The rounding is the processor's, set for the calling thread
// while the row is computed.
Handler DirectedFloatHandler(FloatOperation operation, syntax::ScalarType type);

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_FLOATING_POINT_DIRECTED_H_
