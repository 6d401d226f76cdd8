// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/hlo/rules/rule.h"

#include <algorithm>
#include <vector>

#include "cc/base/status_macros.h"

namespace warpyard::hlo {

absl::Status ExpectShape(const Instruction& instruction, const Shape& expected) {
  if (instruction.shape().Compatible(expected)) return absl::OkStatus();
  return Wrong(instruction, "its shape is ", instruction.shape().ToString(false),
               ", its operands give ", expected.ToString(false));
}

absl::Status ExpectArray(const Instruction& instruction, int64_t i) {
  if (instruction.operand(i)->shape().IsArray()) return absl::OkStatus();
  return Wrong(instruction, "operand ", i, " is ", instruction.operand(i)->shape().ToString(false),
               ", expected an array");
}

absl::Status ExpectArrays(const Instruction& instruction) {
  for (size_t i = 0; i < instruction.operands().size(); ++i) {
    WARPYARD_RETURN_IF_ERROR(ExpectArray(instruction, static_cast<int64_t>(i)));
  }
  return absl::OkStatus();
}

absl::Status ExpectOperands(const Instruction& instruction, int64_t least, int64_t most) {
  const int64_t count = static_cast<int64_t>(instruction.operands().size());
  if (count >= least && (most < 0 || count <= most)) return absl::OkStatus();
  if (least == most) return Wrong(instruction, "it has ", count, " operands, expected ", least);
  return Wrong(instruction, "it has ", count, " operands, expected at least ", least,
               most < 0 ? "" : absl::StrCat(" and at most ", most));
}

absl::Status ExpectDimensions(const Instruction& instruction, std::string_view attribute,
                              absl::Span<const int64_t> dimensions, int64_t rank) {
  std::vector<bool> seen(rank, false);
  for (const int64_t dimension : dimensions) {
    if (dimension < 0 || dimension >= rank) {
      return Wrong(instruction, attribute, " has ", dimension, ", an array of ", rank,
                   " dimensions has none such");
    }
    if (seen[dimension]) return Wrong(instruction, attribute, " has ", dimension, " twice");
    seen[dimension] = true;
  }
  return absl::OkStatus();
}

absl::StatusOr<Computation*> ExpectComputation(const Instruction& instruction,
                                               std::string_view attribute) {
  Computation* const* computation = instruction.Find<Computation*>(attribute);
  if (computation == nullptr || *computation == nullptr) {
    return Wrong(instruction, "it has no ", attribute);
  }
  return *computation;
}

absl::Status ExpectSignature(const Instruction& instruction, std::string_view attribute,
                             absl::Span<const Shape> parameters, const Shape* result) {
  WARPYARD_ASSIGN_OR_RETURN(const Computation* computation,
                            ExpectComputation(instruction, attribute));
  const std::vector<Instruction*> given = computation->Parameters();
  if (given.size() != parameters.size()) {
    return Wrong(instruction, attribute, " ", computation->name(), " takes ", given.size(),
                 " arguments, expected ", parameters.size());
  }
  for (size_t i = 0; i < given.size(); ++i) {
    if (given[i] == nullptr) {
      return Wrong(instruction, attribute, " ", computation->name(), " has no parameter ", i);
    }
    if (!given[i]->shape().Compatible(parameters[i])) {
      return Wrong(instruction, "parameter ", i, " of ", attribute, " ", computation->name(),
                   " is ", given[i]->shape().ToString(false), ", expected ",
                   parameters[i].ToString(false));
    }
  }
  if (result != nullptr && !computation->root()->shape().Compatible(*result)) {
    return Wrong(instruction, attribute, " ", computation->name(), " gives ",
                 computation->root()->shape().ToString(false), ", expected ",
                 result->ToString(false));
  }
  return absl::OkStatus();
}

absl::StatusOr<int64_t> WindowPlaces(const Instruction& instruction, int64_t size,
                                     const WindowDimension& window) {
  if (window.size < 1 || window.stride < 1 || window.base_dilation < 1 ||
      window.window_dilation < 1) {
    return Wrong(instruction, "sizes, strides and dilations of a window are at least 1");
  }
  int64_t base, extent, dilated;
  if (__builtin_mul_overflow(size > 0 ? size - 1 : 0, window.base_dilation, &base) ||
      __builtin_add_overflow(base, size > 0 ? 1 : 0, &base) ||
      __builtin_add_overflow(base, window.padding_low, &base) ||
      __builtin_add_overflow(base, window.padding_high, &extent) ||
      __builtin_mul_overflow(window.size - 1, window.window_dilation, &dilated)) {
    return Wrong(instruction, "its window does not fit 64 bits");
  }
  if (extent < 0) return Wrong(instruction, "its padding cuts off more than there is");
  return dilated >= extent ? 0 : (extent - dilated - 1) / window.stride + 1;
}

}  // namespace warpyard::hlo
