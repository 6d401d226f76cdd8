// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Immediates as the operation that reads them takes them.

#ifndef WARPYARD_CC_EMULATOR_PROGRAM_IMMEDIATE_H_
#define WARPYARD_CC_EMULATOR_PROGRAM_IMMEDIATE_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {

// The bit pattern of an integer or floating-point constant read as `type`, upper
// bits zero. Integers wrap to the width; for .f32 and .f64 they are converted, for
// the other floating-point types they are the pattern itself. A floating-point
// constant is rounded to nearest even for .f32 and kept as a pattern for .b32
// (0f...) and .b64 (0d...). INVALID_ARGUMENT for what has no meaning as `type`.
absl::StatusOr<uint64_t> ImmediateBits(const syntax::Operand& operand, syntax::ScalarType type);

// The same for an element of an initialiser.
absl::StatusOr<uint64_t> InitialBits(const syntax::Variable::Initial& initial,
                                     syntax::ScalarType type);

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_PROGRAM_IMMEDIATE_H_
