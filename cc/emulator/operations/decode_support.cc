// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/operations/decode_support.h"

#include <optional>

#include "absl/strings/str_cat.h"
#include "cc/base/status_macros.h"

namespace warpyard::emulator {

using syntax::ScalarType;

Modifiers::Modifiers(const syntax::Instruction& instruction) : instruction_(instruction) {}

bool Modifiers::Take(std::string_view name) {
  for (size_t i = 0; i < instruction_.modifiers.size() && i < 32; ++i) {
    if ((taken_ >> i & 1) == 0 && instruction_.modifiers[i] == name) {
      taken_ |= uint32_t{1} << i;
      return true;
    }
  }
  return false;
}

int Modifiers::TakeOneOf(std::initializer_list<std::string_view> names) {
  int index = 0;
  for (std::string_view name : names) {
    if (Take(name)) return index;
    ++index;
  }
  return -1;
}

ScalarType Modifiers::TakeType() {
  for (size_t i = 0; i < instruction_.modifiers.size() && i < 32; ++i) {
    if ((taken_ >> i & 1) != 0) continue;
    const std::optional<ScalarType> type = syntax::ParseScalarType(instruction_.modifiers[i]);
    if (!type.has_value()) continue;
    taken_ |= uint32_t{1} << i;
    return *type;
  }
  return ScalarType::kNone;
}

absl::Status Modifiers::Done() const {
  for (size_t i = 0; i < instruction_.modifiers.size(); ++i) {
    if (i >= 32 || (taken_ >> i & 1) == 0) {
      return absl::UnimplementedError(absl::StrCat("modifier .", instruction_.modifiers[i], " of ",
                                                   instruction_.opcode, " is not supported"));
    }
  }
  return absl::OkStatus();
}

absl::Status Modifiers::Unsupported() const {
  std::string name(instruction_.opcode);
  for (std::string_view modifier : instruction_.modifiers) absl::StrAppend(&name, ".", modifier);
  return absl::UnimplementedError(absl::StrCat(name, " is not supported"));
}

absl::Status ExpectOperands(const syntax::Instruction& syntax, size_t count) {
  if (syntax.operands.size() == count) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(syntax.opcode, " has ", syntax.operands.size(), " operands, expected ", count));
}

absl::Status Emit(DecodeContext& context, const syntax::Instruction& syntax,
                  Instruction* instruction, const Form& form) {
  if (form.handler == nullptr) return Modifiers(syntax).Unsupported();
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(syntax, 1 + form.sources.size()));
  WARPYARD_ASSIGN_OR_RETURN(RowRef destination,
                            context.Destination(syntax.operands[0], form.result));
  absl::InlinedVector<RowRef, 4> sources;
  for (size_t i = 0; i < form.sources.size(); ++i) {
    WARPYARD_ASSIGN_OR_RETURN(RowRef row, context.Source(syntax.operands[i + 1], form.sources[i]));
    sources.push_back(row);
  }
  instruction->handler = form.handler;
  instruction->operation_class = form.operation_class;
  context.SetRows(instruction, {destination}, sources);
  return absl::OkStatus();
}

bool IsSigned(ScalarType type) {
  return type == ScalarType::kS8 || type == ScalarType::kS16 || type == ScalarType::kS32 ||
         type == ScalarType::kS64;
}

bool IsInteger(ScalarType type) {
  switch (type) {
    case ScalarType::kB8:
    case ScalarType::kB16:
    case ScalarType::kB32:
    case ScalarType::kB64:
    case ScalarType::kU8:
    case ScalarType::kU16:
    case ScalarType::kU32:
    case ScalarType::kU64:
      return true;
    default:
      return IsSigned(type);
  }
}

bool IsFloat(ScalarType type) {
  return type == ScalarType::kF16 || type == ScalarType::kBf16 || type == ScalarType::kF32 ||
         type == ScalarType::kF64;
}

ScalarType UnsignedOf(int bits) {
  switch (bits) {
    case 8:
      return ScalarType::kU8;
    case 16:
      return ScalarType::kU16;
    case 64:
      return ScalarType::kU64;
    default:
      return ScalarType::kU32;
  }
}

}  // namespace warpyard::emulator
