// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Handlers of logic, shifts and bit fields (PTX ISA, "Logic and Shift
// Instructions" and the bit operations among the integer instructions).

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_BIT_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_BIT_H_

#include <cstdint>

#include "absl/types/span.h"
#include "cc/emulator/program/decoder.h"
#include "cc/emulator/program/program.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {

enum class BitOperation : uint8_t {
  kAnd,
  kOr,
  kXor,
  kNot,
  kCnot,
  kShl,
  kShr,      // fills with the sign for signed types
  kLop3,     // Instruction::immediate: the table
  kShfLeft,  // Instruction::flags 1: .wrap, 0: .clamp
  kShfRight,
  kBfe,
  kBfi,
  kBfind,  // flags 1: .shiftamt
  kPopc,
  kClz,
  kBrev,
  kFns,
  kBmsk,  // flags 1: .wrap, 0: .clamp
  kSzext,
};

// Null where there is no such operation. `type` is the one that PTX writes.
Handler BitHandler(BitOperation operation, syntax::ScalarType type);

// and or xor not cnot shl shr lop3 shf bfe bfi bfind popc clz brev fns bmsk szext.
absl::Span<const Operation> BitOperations();

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_BIT_H_
