// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Numbers as PTX writes them, and constant expressions (PTX ISA, "Constants").

#ifndef WARPYARD_CC_EMULATOR_SYNTAX_CONSTANT_EXPRESSION_H_
#define WARPYARD_CC_EMULATOR_SYNTAX_CONSTANT_EXPRESSION_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "cc/emulator/syntax/scanner.h"

namespace warpyard::emulator::syntax {

struct ConstantValue {
  enum class Kind : uint8_t {
    kSigned,
    kUnsigned,
    kDouble,  // decimal or 0d…
    kSingle,  // 0f…: only a sign may be applied to it
  };
  Kind kind = Kind::kSigned;
  uint64_t bits = 0;
  // An integer that was written with a minus sign: "-1".
  bool negative = false;

  bool is_float() const { return kind == Kind::kDouble || kind == Kind::kSingle; }
};

// Reads one number: 12, 0x1f, 017, 0b101, each with U; 0f3F800000,
// 0d3FF0000000000000, 1.5, 1e-3. INVALID_ARGUMENT if `text` is none or does
// not fit 64 bits.
absl::Status ParseNumber(std::string_view text, ConstantValue* value);

// Reads a constant expression with C's operators, casts (.s64) and (.u64), and
// WARP_SZ. Integers are 64 bits wide and wrap; a value is unsigned where an
// operand is, as in C. Bounded in depth.
absl::Status ParseConstantExpression(Scanner& scanner, ConstantValue* value);

}  // namespace warpyard::emulator::syntax

#endif  // WARPYARD_CC_EMULATOR_SYNTAX_CONSTANT_EXPRESSION_H_
