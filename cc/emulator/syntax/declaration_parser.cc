// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/syntax/declaration_parser.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/syntax/ast.h"
#include "cc/emulator/syntax/constant_expression.h"
#include "cc/emulator/syntax/scanner.h"

namespace warpyard::emulator::syntax {
namespace {

constexpr int kMaxDimensions = 32;
// Missing elements of inner rows that are written out as zeros.
constexpr uint64_t kMaxPadding = uint64_t{1} << 22;

absl::Status ParseUnsigned(Scanner& scanner, std::string_view what, uint64_t* value) {
  const Position position = scanner.position();
  ConstantValue constant;
  WARPYARD_RETURN_IF_ERROR(ParseConstantExpression(scanner, &constant));
  if (constant.is_float() || constant.negative ||
      (constant.kind == ConstantValue::Kind::kSigned && constant.bits >> 63 != 0)) {
    return Scanner::ErrorAt(position, absl::StrCat("expected ", what, ", a natural number"));
  }
  *value = constant.bits;
  return absl::OkStatus();
}

absl::Status ParseAlignment(Scanner& scanner, uint64_t* alignment) {
  const Position position = scanner.position();
  WARPYARD_RETURN_IF_ERROR(ParseUnsigned(scanner, "an alignment", alignment));
  if (*alignment == 0 || (*alignment & (*alignment - 1)) != 0 || *alignment > 1 << 20) {
    return Scanner::ErrorAt(position,
                            absl::StrCat("expected an alignment that is a power of two up to 2^20, "
                                         "found ",
                                         *alignment));
  }
  return absl::OkStatus();
}

// Reads the initialiser of one variable.
class InitialParser {
 public:
  InitialParser(Scanner& scanner, Variable* variable) : scanner_(scanner), variable_(variable) {
    // strides_[d]: scalars in one element at nesting depth d.
    std::vector<uint64_t> extents = variable->dimensions;
    if (variable->vector_size > 1) extents.push_back(variable->vector_size);
    uint64_t stride = 1;
    strides_.resize(extents.size() + 1);
    for (size_t d = extents.size() + 1; d-- > 0;) {
      strides_[d] = stride;
      if (d > 0) {
        stride = extents[d - 1] != 0 && stride > kMaxPadding / extents[d - 1]
                     ? kMaxPadding + 1
                     : stride * extents[d - 1];
      }
    }
  }

  absl::Status Value(size_t depth) {
    if (scanner_.Peek() == '{') {
      if (depth >= strides_.size()) return scanner_.Error("too many braces in an initialiser");
      return Braces(depth);
    }
    if (scanner_.Peek() == '"') return String();
    return Scalar();
  }

 private:
  absl::Status Braces(size_t depth) {
    scanner_.Eat('{');
    const size_t start = variable_->initials.size();
    if (!scanner_.Eat('}')) {
      do {
        WARPYARD_RETURN_IF_ERROR(Value(depth + 1));
      } while (scanner_.Eat(',') && scanner_.Peek() != '}');
      if (!scanner_.Eat('}')) return scanner_.Expected("',' or '}' in an initialiser");
    }
    if (depth == 0) return absl::OkStatus();  // what is missing at the end is zero
    const size_t given = variable_->initials.size() - start;
    if (given > strides_[depth]) {
      return scanner_.Error(absl::StrCat("expected at most ", strides_[depth],
                                         " numbers between the braces, found ", given));
    }
    padding_ += strides_[depth] - given;
    if (padding_ > kMaxPadding) return scanner_.Error("too many numbers left out of rows");
    variable_->initials.resize(start + strides_[depth]);
    return absl::OkStatus();
  }

  absl::Status String() {
    const Position position = scanner_.position();
    bool closed = false;
    const std::string_view quoted = scanner_.Quoted(&closed);
    if (!closed) return Scanner::ErrorAt(position, "string without its closing '\"'");
    std::string bytes, error;
    if (!absl::CUnescape(quoted, &bytes, &error)) return Scanner::ErrorAt(position, error);
    for (char c : bytes) Add().bits = static_cast<uint8_t>(c);
    Add();  // the terminating zero
    return absl::OkStatus();
  }

  absl::Status Scalar() {
    if (IsWordStart(scanner_.Peek())) {
      Scanner behind = scanner_;
      if (behind.Word() != "WARP_SZ") return Symbol(0);
    }
    ConstantValue constant;
    WARPYARD_RETURN_IF_ERROR(ParseConstantExpression(scanner_, &constant));
    if (scanner_.Peek() == '(' && !constant.is_float()) {  // 0xFF00(symbol)
      scanner_.Eat('(');
      WARPYARD_RETURN_IF_ERROR(Symbol(constant.bits));
      if (!scanner_.Eat(')')) return scanner_.Expected("')' of a mask");
      return absl::OkStatus();
    }
    Variable::Initial& initial = Add();
    initial.bits = constant.bits;
    if (constant.is_float()) {
      initial.kind = Variable::Initial::Kind::kFloat;
      initial.float_is_32 = constant.kind == ConstantValue::Kind::kSingle;
    }
    return absl::OkStatus();
  }

  // symbol, generic(symbol), each with an offset.
  absl::Status Symbol(uint64_t mask) {
    std::string_view word = scanner_.Word();
    if (word.empty()) return scanner_.Expected("a symbol");
    bool generic = false;
    uint64_t addend = 0;
    if (word == "generic" && scanner_.Peek() == '(') {
      generic = true;
      scanner_.Eat('(');
      word = scanner_.Word();
      if (word.empty()) return scanner_.Expected("a symbol");
      WARPYARD_RETURN_IF_ERROR(Offset(&addend));
      if (!scanner_.Eat(')')) return scanner_.Expected("')' of generic()");
    }
    WARPYARD_RETURN_IF_ERROR(Offset(&addend));
    Variable::Initial& initial = Add();
    initial.kind = Variable::Initial::Kind::kSymbol;
    initial.symbol = word;
    initial.bits = addend;
    initial.generic = generic;
    initial.mask = mask;
    return absl::OkStatus();
  }

  absl::Status Offset(uint64_t* addend) {
    if (scanner_.Peek() != '+' && scanner_.Peek() != '-') return absl::OkStatus();
    const bool minus = scanner_.Peek() == '-';
    scanner_.Advance(1);
    ConstantValue constant;
    WARPYARD_RETURN_IF_ERROR(ParseConstantExpression(scanner_, &constant));
    if (constant.is_float()) return scanner_.Error("expected an integer offset");
    *addend += minus ? 0 - constant.bits : constant.bits;
    return absl::OkStatus();
  }

  Variable::Initial& Add() { return variable_->initials.emplace_back(); }

  Scanner& scanner_;
  Variable* variable_;
  std::vector<uint64_t> strides_;
  uint64_t padding_ = 0;
};

}  // namespace

std::optional<StateSpace> ParseStateSpace(std::string_view name) {
  if (name == "reg") return StateSpace::kReg;
  if (name == "param") return StateSpace::kParam;
  if (name == "global") return StateSpace::kGlobal;
  if (name == "shared" || name == "shared::cta" || name == "shared::cluster") {
    return StateSpace::kShared;
  }
  if (name == "local") return StateSpace::kLocal;
  if (name == "const") return StateSpace::kConst;
  if (name == "tex") return StateSpace::kTex;
  return std::nullopt;
}

absl::Status SkipParentheses(Scanner& scanner) {
  if (!scanner.Eat('(')) return scanner.Expected("'('");
  for (int depth = 1; depth > 0;) {
    if (scanner.AtEnd()) return scanner.Expected("')'");
    if (scanner.Peek() == '(') ++depth;
    if (scanner.Peek() == ')') --depth;
    scanner.Advance(1);
  }
  return absl::OkStatus();
}

namespace declaration_internal {

absl::Status ParseHead(Scanner& scanner, Variable* head) {
  head->position = scanner.position();
  while (scanner.Peek() == '.') {
    const Position position = scanner.position();
    const std::string_view word = scanner.Modifier();
    if (word == "align") {
      WARPYARD_RETURN_IF_ERROR(
          ParseAlignment(scanner, head->is_pointer ? &head->pointer_alignment : &head->alignment));
    } else if (word == "attribute") {
      WARPYARD_RETURN_IF_ERROR(SkipParentheses(scanner));
    } else if (word == "ptr") {
      head->is_pointer = true;
    } else if (word == "v2" || word == "v4" || word == "v8") {
      head->vector_size = word[1] - '0';
    } else if (const auto space = ParseStateSpace(word)) {
      (head->is_pointer ? head->pointer_space : head->space) = *space;
    } else if (const auto type = ParseScalarType(word)) {
      head->type = *type;
    } else {
      return Scanner::ErrorAt(
          position,
          absl::StrCat("expected a state space, a type or .align in a declaration, found '.", word,
                       "'"));
    }
  }
  if (head->space == StateSpace::kNone) {
    return Scanner::ErrorAt(head->position, "expected a state space in a declaration");
  }
  if (head->type == ScalarType::kNone) return scanner.Expected("a type in a declaration");
  return absl::OkStatus();
}

absl::Status ParseDeclarator(Scanner& scanner, const Variable& head, Variable* variable) {
  *variable = head;
  variable->position = scanner.position();
  variable->name = scanner.Word();
  if (variable->name.empty()) return scanner.Expected("a name in a declaration");
  if (scanner.Eat('<')) {
    const Position position = scanner.position();
    if (!IsDigit(scanner.Peek())) return scanner.Expected("a count of registers");
    // Not an expression: '>' would be read as an operator.
    ConstantValue count;
    absl::Status status = ParseNumber(scanner.NumberText(), &count);
    if (!status.ok()) return Scanner::ErrorAt(position, status.message());
    if (count.is_float() || count.bits == 0 || count.bits > std::numeric_limits<uint32_t>::max()) {
      return Scanner::ErrorAt(position, "expected a count of registers from 1 to 2^32-1");
    }
    if (!scanner.Eat('>')) return scanner.Expected("'>'");
    variable->register_count = static_cast<uint32_t>(count.bits);
  }
  while (scanner.Eat('[')) {
    if (variable->dimensions.size() == kMaxDimensions) return scanner.Error("too many dimensions");
    uint64_t extent = 0;
    if (!scanner.Eat(']')) {
      WARPYARD_RETURN_IF_ERROR(ParseUnsigned(scanner, "an array extent", &extent));
      if (!scanner.Eat(']')) return scanner.Expected("']'");
    }
    variable->dimensions.push_back(extent);
  }
  if (scanner.Eat('=')) {
    WARPYARD_RETURN_IF_ERROR(InitialParser(scanner, variable).Value(0));
    if (!variable->dimensions.empty() && variable->dimensions[0] == 0) {
      // x[] takes its extent from what is given.
      uint64_t inner = std::max(variable->vector_size, 1);
      for (size_t d = 1; d < variable->dimensions.size(); ++d) {
        if (variable->dimensions[d] == 0) {
          return Scanner::ErrorAt(variable->position, "only the first extent may be left out");
        }
        if (inner > kMaxPadding / variable->dimensions[d]) {
          return Scanner::ErrorAt(variable->position, "rows too long to be counted");
        }
        inner *= variable->dimensions[d];
      }
      variable->dimensions[0] = (variable->initials.size() + inner - 1) / inner;
    }
  }
  return absl::OkStatus();
}

}  // namespace declaration_internal

absl::Status ParseParameterList(Scanner& scanner, std::vector<Variable>* parameters) {
  if (!scanner.Eat('(')) return scanner.Expected("'('");
  if (scanner.Eat(')')) return absl::OkStatus();
  do {
    if (scanner.Eat("...")) break;
    Variable head;
    WARPYARD_RETURN_IF_ERROR(declaration_internal::ParseHead(scanner, &head));
    WARPYARD_RETURN_IF_ERROR(
        declaration_internal::ParseDeclarator(scanner, head, &parameters->emplace_back()));
  } while (scanner.Eat(','));
  if (!scanner.Eat(')')) return scanner.Expected("',' or ')' in a list of parameters");
  return absl::OkStatus();
}

}  // namespace warpyard::emulator::syntax
