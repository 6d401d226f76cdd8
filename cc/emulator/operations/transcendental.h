// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Division, square roots and the functions that the special function unit
// computes (PTX ISA, "Floating Point Instructions").
//
// .rn .rz .rm .rp are exact. The .approx forms give the correctly rounded result,
// or one within a unit in the last place of it, which is inside of the manual's
// bounds for each: PTX leaves the exact bits open.

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_TRANSCENDENTAL_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_TRANSCENDENTAL_H_

#include "absl/types/span.h"
#include "cc/emulator/program/decoder.h"

namespace warpyard::emulator {

// cos div ex2 lg2 rcp rsqrt sin sqrt tanh.
absl::Span<const Operation> TranscendentalOperations();

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_TRANSCENDENTAL_H_
