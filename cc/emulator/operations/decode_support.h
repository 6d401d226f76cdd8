// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// What the decoders of arithmetic operations share: reading modifiers in any
// order, and filling an Instruction from a handler and its operand types.

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_DECODE_SUPPORT_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_DECODE_SUPPORT_H_

#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "cc/emulator/program/decoder.h"
#include "cc/emulator/program/program.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {

// The modifiers of one instruction, each to be taken once. What is left in the
// end is something that this decoder does not know.
class Modifiers {
 public:
  explicit Modifiers(const syntax::Instruction& instruction);

  // Takes `name` if it is there.
  bool Take(std::string_view name);
  // Takes the first of `names` that is there and gives its index; -1 for none.
  int TakeOneOf(std::initializer_list<std::string_view> names);
  // Takes the first modifier that is left and names a type; kNone if there is none.
  syntax::ScalarType TakeType();
  // UNIMPLEMENTED names the first modifier that is left.
  absl::Status Done() const;
  // An UNIMPLEMENTED status for a combination that is not executed.
  absl::Status Unsupported() const;

 private:
  const syntax::Instruction& instruction_;
  uint32_t taken_ = 0;  // bit i: modifiers[i]
};

// Handler, class and operand types of an instruction with one destination.
struct Form {
  Handler handler = nullptr;
  OperationClass operation_class = OperationClass::kInteger;
  syntax::ScalarType result = syntax::ScalarType::kNone;
  absl::InlinedVector<syntax::ScalarType, 4> sources;
};

// Resolves the operands `d, a, b, …` as the form's types and fills the
// instruction. UNIMPLEMENTED where the form has no handler, INVALID_ARGUMENT
// where the number of operands is another.
absl::Status Emit(DecodeContext& context, const syntax::Instruction& syntax,
                  Instruction* instruction, const Form& form);

// INVALID_ARGUMENT unless the instruction has `count` operands.
absl::Status ExpectOperands(const syntax::Instruction& syntax, size_t count);

// Properties of types.
bool IsSigned(syntax::ScalarType type);   // s8 … s64
bool IsInteger(syntax::ScalarType type);  // u8 … s64 and b8 … b64
bool IsFloat(syntax::ScalarType type);    // f16, bf16, f32, f64
// The unsigned type of a width of 8, 16, 32 or 64 bits.
syntax::ScalarType UnsignedOf(int bits);

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_DECODE_SUPPORT_H_
