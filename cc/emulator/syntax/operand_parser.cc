// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/syntax/operand_parser.h"

#include <cstdint>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/syntax/ast.h"
#include "cc/emulator/syntax/constant_expression.h"
#include "cc/emulator/syntax/scanner.h"

namespace warpyard::emulator::syntax {
namespace {

// [map, {c0, c1}] is two deep; nothing in PTX is deeper than three.
constexpr int kMaxDepth = 8;

absl::Status ParseNested(Scanner& scanner, bool is_call, int depth, Operand* operand);

absl::Status ParseConstant(Scanner& scanner, Operand* operand) {
  ConstantValue value;
  WARPYARD_RETURN_IF_ERROR(ParseConstantExpression(scanner, &value));
  if (value.is_float()) {
    operand->kind = Operand::Kind::kFloat;
    operand->float_bits = value.bits;
    operand->float_is_32 = value.kind == ConstantValue::Kind::kSingle;
  } else {
    operand->kind = Operand::Kind::kInteger;
    operand->integer = value.bits;
    operand->minus = value.negative;
    operand->is_unsigned = value.kind == ConstantValue::Kind::kUnsigned;
  }
  return absl::OkStatus();
}

// "+4", "-4", "+-4" and "+(2*4)" behind a name; adds to `offset`.
absl::Status ParseOffset(Scanner& scanner, uint64_t* offset) {
  if (scanner.Peek() != '+' && scanner.Peek() != '-') return absl::OkStatus();
  const bool minus = scanner.Peek() == '-';
  scanner.Advance(1);
  const Position position = scanner.position();
  ConstantValue value;
  WARPYARD_RETURN_IF_ERROR(ParseConstantExpression(scanner, &value));
  if (value.is_float()) return Scanner::ErrorAt(position, "expected an integer offset");
  *offset += minus ? 0 - value.bits : value.bits;
  return absl::OkStatus();
}

// The elements up to `close`, which is taken.
absl::Status ParseElements(Scanner& scanner, char close, int depth, Operand* operand) {
  if (scanner.Eat(close)) return absl::OkStatus();
  do {
    WARPYARD_RETURN_IF_ERROR(
        ParseNested(scanner, false, depth + 1, &operand->elements.emplace_back()));
  } while (scanner.Eat(','));
  if (!scanner.Eat(close)) {
    return scanner.Expected(absl::StrCat("',' or '", std::string_view(&close, 1), "'"));
  }
  return absl::OkStatus();
}

// [base], [base+offset], [base+offset, more...]
absl::Status ParseAddress(Scanner& scanner, int depth, Operand* operand) {
  operand->kind = Operand::Kind::kAddress;
  scanner.Eat('[');
  Operand& base = operand->elements.emplace_back();
  base.position = scanner.position();
  if (IsWordStart(scanner.Peek())) {
    base.kind = Operand::Kind::kIdentifier;
    base.identifier = scanner.Word();
    if (scanner.Peek() == '.') base.component = scanner.DotWord();
    WARPYARD_RETURN_IF_ERROR(ParseOffset(scanner, &operand->integer));
  } else {
    WARPYARD_RETURN_IF_ERROR(ParseConstant(scanner, &base));
    if (base.kind != Operand::Kind::kInteger) {
      return Scanner::ErrorAt(base.position, "expected an address, found a floating-point number");
    }
  }
  if (scanner.Eat(',')) {
    operand->kind = Operand::Kind::kTensor;
    return ParseElements(scanner, ']', depth, operand);
  }
  if (!scanner.Eat(']')) return scanner.Expected("'+', ',' or ']' in an address");
  return absl::OkStatus();
}

absl::Status ParseName(Scanner& scanner, Operand* operand) {
  const std::string_view word = scanner.Word();
  if (word == "_") {
    operand->kind = Operand::Kind::kSink;
    return absl::OkStatus();
  }
  operand->kind = Operand::Kind::kIdentifier;
  operand->identifier = word;
  switch (scanner.Peek()) {
    case '.':
      operand->component = scanner.DotWord();
      if (operand->component.empty()) return scanner.Expected("a component such as .x");
      return absl::OkStatus();
    case '+':
    case '-':
      return ParseOffset(scanner, &operand->integer);
    case '[': {
      scanner.Eat('[');
      const Position position = scanner.position();
      ConstantValue index;
      WARPYARD_RETURN_IF_ERROR(ParseConstantExpression(scanner, &index));
      if (index.is_float()) return Scanner::ErrorAt(position, "expected an integer index");
      if (!scanner.Eat(']')) return scanner.Expected("']' of an index");
      operand->integer = index.bits;
      operand->is_element = true;
      return absl::OkStatus();
    }
    default:
      return absl::OkStatus();
  }
}

absl::Status ParseNested(Scanner& scanner, bool is_call, int depth, Operand* operand) {
  operand->position = scanner.position();
  if (depth > kMaxDepth) return scanner.Error("operand nested too deeply");
  const char c = scanner.Peek();
  if (IsWordStart(c)) {
    if (c == 'W') {
      Scanner behind = scanner;
      if (behind.Word() == "WARP_SZ") return ParseConstant(scanner, operand);
    }
    WARPYARD_RETURN_IF_ERROR(ParseName(scanner, operand));
  } else if (c == '[') {
    return ParseAddress(scanner, depth, operand);
  } else if (c == '{') {
    operand->kind = Operand::Kind::kVector;
    scanner.Eat('{');
    return ParseElements(scanner, '}', depth, operand);
  } else if (c == '(' && is_call) {
    operand->kind = Operand::Kind::kList;
    scanner.Eat('(');
    return ParseElements(scanner, ')', depth, operand);
  } else if (c == '!' || c == '-') {
    Scanner behind = scanner;
    behind.Eat(c);
    if (!IsWordStart(behind.Peek())) return ParseConstant(scanner, operand);
    scanner = behind;
    WARPYARD_RETURN_IF_ERROR(ParseName(scanner, operand));
    (c == '!' ? operand->logical_not : operand->minus) = true;
  } else if (IsDigit(c) || c == '+' || c == '~' || c == '(' || c == '.') {
    return ParseConstant(scanner, operand);
  } else {
    return scanner.Expected("an operand");
  }
  if (scanner.Peek() == '|') {  // behind a name alone: two destinations
    scanner.Eat('|');
    Operand pair;
    pair.kind = Operand::Kind::kPair;
    pair.position = operand->position;
    pair.elements.reserve(2);
    pair.elements.push_back(std::move(*operand));
    *operand = std::move(pair);
    Operand& second = operand->elements.emplace_back();
    second.position = scanner.position();
    if (scanner.Eat('!')) second.logical_not = true;
    if (!IsWordStart(scanner.Peek())) return scanner.Expected("a register behind '|'");
    return ParseName(scanner, &second);
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ParseOperand(Scanner& scanner, bool is_call, Operand* operand) {
  return ParseNested(scanner, is_call, 0, operand);
}

}  // namespace warpyard::emulator::syntax
