// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// What the rules of all operations share: how they look at an instruction, and
// how they say what is wrong with it.

#ifndef WARPYARD_CC_HLO_RULES_RULE_H_
#define WARPYARD_CC_HLO_RULES_RULE_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "cc/hlo/module.h"
#include "cc/hlo/shape.h"

namespace warpyard::hlo {

// INVALID_ARGUMENT "dot d: <what is wrong>".
template <typename... Parts>
absl::Status Wrong(const Instruction& instruction, const Parts&... parts) {
  return absl::InvalidArgumentError(
      absl::StrCat(OpcodeName(instruction.opcode()), " ", instruction.name(), ": ", parts...));
}

// That the instruction's shape is `expected`, layouts aside.
absl::Status ExpectShape(const Instruction& instruction, const Shape& expected);
// That operand `i` is an array, or all are.
absl::Status ExpectArray(const Instruction& instruction, int64_t i);
absl::Status ExpectArrays(const Instruction& instruction);
absl::Status ExpectOperands(const Instruction& instruction, int64_t least, int64_t most = -1);
// That `dimensions` are dimensions of an array of this rank, each once.
// `attribute` is what they are called.
absl::Status ExpectDimensions(const Instruction& instruction, std::string_view attribute,
                              absl::Span<const int64_t> dimensions, int64_t rank);
// That a computation takes these and gives that.
absl::Status ExpectSignature(const Instruction& instruction, std::string_view attribute,
                             absl::Span<const Shape> parameters, const Shape* result);
// The computation under an attribute, or an error that names it.
absl::StatusOr<Computation*> ExpectComputation(const Instruction& instruction,
                                               std::string_view attribute);

// The families. Each gives NOT_FOUND for an opcode that is not its own.
absl::Status CheckElementwise(const Instruction& instruction);
absl::Status CheckDataMovement(const Instruction& instruction);
absl::Status CheckIndexing(const Instruction& instruction);
absl::Status CheckContraction(const Instruction& instruction);
absl::Status CheckReduction(const Instruction& instruction);
absl::Status CheckControl(const Instruction& instruction);
absl::Status CheckCollective(const Instruction& instruction);
absl::Status CheckLibrary(const Instruction& instruction);

// Of a window over a dimension of `size`: how many places it has. Negative
// padding cuts off. See XLA's operation semantics, "Convolution".
absl::StatusOr<int64_t> WindowPlaces(const Instruction& instruction, int64_t size,
                                     const WindowDimension& window);

}  // namespace warpyard::hlo

#endif  // WARPYARD_CC_HLO_RULES_RULE_H_
