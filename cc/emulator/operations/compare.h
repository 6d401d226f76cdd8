// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// setp, set, selp, slct, testp.

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_COMPARE_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_COMPARE_H_

#include <cstdint>

#include "absl/types/span.h"
#include "cc/emulator/program/decoder.h"

namespace warpyard::emulator {

// Comparisons of PTX; the unordered ones (equ …) are true where one operand is a
// NaN. lo ls hi hs are lt le gt ge of unsigned types.
enum class Comparison : uint8_t {
  kEq,
  kNe,
  kLt,
  kLe,
  kGt,
  kGe,
  kEqu,
  kNeu,
  kLtu,
  kLeu,
  kGtu,
  kGeu,
  kNum,
  kNan,
};

// setp set selp slct testp.
absl::Span<const Operation> CompareOperations();

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_COMPARE_H_
