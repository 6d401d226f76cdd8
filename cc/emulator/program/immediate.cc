// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/program/immediate.h"

#include <bit>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {
namespace {

using syntax::ScalarType;

uint64_t Truncate(uint64_t bits, int width) {
  return width >= 64 ? bits : bits & ((uint64_t{1} << width) - 1);
}

absl::StatusOr<uint64_t> IntegerBits(uint64_t value, bool is_unsigned, ScalarType type) {
  switch (type) {
    case ScalarType::kF32: {
      const float number =
          is_unsigned ? static_cast<float>(value) : static_cast<float>(static_cast<int64_t>(value));
      return std::bit_cast<uint32_t>(number);
    }
    case ScalarType::kF64: {
      const double number = is_unsigned ? static_cast<double>(value)
                                        : static_cast<double>(static_cast<int64_t>(value));
      return std::bit_cast<uint64_t>(number);
    }
    case ScalarType::kPred:
      return uint64_t{value != 0};
    default:
      break;
  }
  const int width = syntax::BitWidth(type);
  if (width == 0 || width > 64) {
    return absl::InvalidArgumentError(
        absl::StrCat("an integer constant cannot be read as .", syntax::TypeName(type)));
  }
  return Truncate(value, width);
}

absl::StatusOr<uint64_t> FloatBits(uint64_t bits, bool is_32, ScalarType type) {
  const double number =
      is_32 ? std::bit_cast<float>(static_cast<uint32_t>(bits)) : std::bit_cast<double>(bits);
  // A NaN written as a pattern keeps its payload.
  const uint32_t single =
      is_32 ? static_cast<uint32_t>(bits) : std::bit_cast<uint32_t>(static_cast<float>(number));
  switch (type) {
    case ScalarType::kF32:
    case ScalarType::kTf32:
    case ScalarType::kB32:
    case ScalarType::kU32:
    case ScalarType::kS32:
      return single;
    case ScalarType::kF64:
    case ScalarType::kB64:
    case ScalarType::kU64:
    case ScalarType::kS64:
      return is_32 ? std::bit_cast<uint64_t>(number) : bits;
    default:
      return absl::InvalidArgumentError(
          absl::StrCat("a floating-point constant cannot be read as .", syntax::TypeName(type)));
  }
}

}  // namespace

absl::StatusOr<uint64_t> ImmediateBits(const syntax::Operand& operand, ScalarType type) {
  switch (operand.kind) {
    case syntax::Operand::Kind::kInteger:
      return IntegerBits(operand.integer, operand.is_unsigned, type);
    case syntax::Operand::Kind::kFloat:
      return FloatBits(operand.float_bits, operand.float_is_32, type);
    default:
      return absl::InvalidArgumentError("expected a constant");
  }
}

absl::StatusOr<uint64_t> InitialBits(const syntax::Variable::Initial& initial, ScalarType type) {
  switch (initial.kind) {
    case syntax::Variable::Initial::Kind::kInteger:
      return IntegerBits(initial.bits, false, type);
    case syntax::Variable::Initial::Kind::kFloat:
      return FloatBits(initial.bits, initial.float_is_32, type);
    case syntax::Variable::Initial::Kind::kSymbol:
      break;
  }
  return absl::InvalidArgumentError("expected a constant");
}

}  // namespace warpyard::emulator
