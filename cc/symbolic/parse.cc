// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/symbolic/parse.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "cc/base/status_macros.h"
#include "cc/symbolic/expr.h"
#include "cc/symbolic/interval.h"

namespace warpyard::symbolic {
namespace {

constexpr int kMaxNesting = 200;
// Of an expression and of all that it was made of: bounds time and memory for any text.
constexpr int64_t kMaxSize = 1 << 16;
constexpr int64_t kMaxWork = 1 << 21;
constexpr int kMaxVariableIndex = 1 << 20;

bool IsNameStart(char c) { return absl::ascii_isalpha(c) || c == '_'; }
bool IsNamePart(char c) { return absl::ascii_isalnum(c) || c == '_'; }

}  // namespace

void TextReader::Skip() {
  while (position_ < text_.size() && absl::ascii_isspace(text_[position_])) ++position_;
}

bool TextReader::Consume(std::string_view token) {
  Skip();
  if (!absl::StartsWith(rest(), token)) return false;
  const size_t end = position_ + token.size();
  if (IsNamePart(token.back()) && end < text_.size() && IsNamePart(text_[end])) return false;
  position_ = end;
  return true;
}

absl::Status TextReader::Expect(std::string_view token) {
  return Consume(token) ? absl::OkStatus() : Error(absl::StrCat("'", token, "'"));
}

bool TextReader::AtEnd() {
  Skip();
  return position_ == text_.size();
}

std::string_view TextReader::ConsumeName() {
  Skip();
  size_t end = position_;
  if (end < text_.size() && IsNameStart(text_[end])) {
    while (end < text_.size() && IsNamePart(text_[end])) ++end;
  }
  const std::string_view name = text_.substr(position_, end - position_);
  position_ = end;
  return name;
}

absl::StatusOr<int64_t> TextReader::ConsumeInteger() {
  Skip();
  size_t end = position_;
  if (end < text_.size() && text_[end] == '-') ++end;
  const size_t digits = end;
  while (end < text_.size() && absl::ascii_isdigit(text_[end])) ++end;
  if (end == digits || (end < text_.size() && IsNameStart(text_[end]))) {
    return Error("an integer");
  }
  const std::string_view word = text_.substr(position_, end - position_);
  int64_t value = 0;
  if (!absl::SimpleAtoi(word, &value)) {
    return absl::OutOfRangeError(
        absl::StrCat("at ", position_, ": ", word, " is no integer of 64 bits"));
  }
  position_ = end;
  return value;
}

absl::StatusOr<Interval> TextReader::ConsumeInterval() {
  const auto bound = [&]() -> absl::StatusOr<int64_t> {
    if (Consume("-inf")) return Interval::kMinusInfinity;
    if (Consume("inf")) return Interval::kInfinity;
    return ConsumeInteger();
  };
  Interval interval;
  WARPYARD_RETURN_IF_ERROR(Expect("["));
  WARPYARD_ASSIGN_OR_RETURN(interval.lower, bound());
  WARPYARD_RETURN_IF_ERROR(Expect(","));
  WARPYARD_ASSIGN_OR_RETURN(interval.upper, bound());
  WARPYARD_RETURN_IF_ERROR(Expect("]"));
  return interval;
}

absl::Status TextReader::Error(std::string_view expected) {
  Skip();
  const std::string_view found = rest().substr(0, 20);
  return absl::InvalidArgumentError(
      absl::StrCat("at ", position_, ": expected ", expected, ", found ",
                   found.empty() ? "the end" : absl::StrCat("'", absl::CHexEscape(found), "'")));
}

absl::StatusOr<Expr> TextReader::Checked(Expr e) {
  if (e.is_undefined()) {
    return absl::OutOfRangeError(absl::StrCat(
        "before ", position_, ": a number is no integer of 64 bits, or a divisor is less than 1"));
  }
  work_ += std::min(e.size(), kMaxSize);
  if (e.size() > kMaxSize || e.depth() > kMaxNesting || work_ > kMaxWork) {
    return absl::ResourceExhaustedError(
        absl::StrCat("before ", position_, ": the expression is too large"));
  }
  return e;
}

absl::StatusOr<Expr> TextReader::ConsumeExpr(Resolve resolve) { return ReadSum(resolve, 0); }

absl::StatusOr<Expr> TextReader::ReadSum(Resolve resolve, int depth) {
  WARPYARD_ASSIGN_OR_RETURN(Expr sum, ReadProduct(resolve, depth));
  while (true) {
    const bool plus = Consume("+");
    if (!plus && !Consume("-")) return sum;
    WARPYARD_ASSIGN_OR_RETURN(const Expr term, ReadProduct(resolve, depth));
    WARPYARD_ASSIGN_OR_RETURN(sum, Checked(plus ? sum + term : sum - term));
  }
}

absl::StatusOr<Expr> TextReader::ReadProduct(Resolve resolve, int depth) {
  WARPYARD_ASSIGN_OR_RETURN(Expr product, ReadFactor(resolve, depth));
  while (true) {
    enum { kTimes, kFloor, kCeil, kMod } sign;
    if (Consume("*")) {
      sign = kTimes;
    } else if (Consume("/") || Consume("floordiv")) {
      sign = kFloor;
    } else if (Consume("ceildiv")) {
      sign = kCeil;
    } else if (Consume("mod")) {
      sign = kMod;
    } else {
      return product;
    }
    WARPYARD_ASSIGN_OR_RETURN(const Expr factor, ReadFactor(resolve, depth));
    WARPYARD_ASSIGN_OR_RETURN(product, Checked(sign == kTimes   ? product * factor
                                               : sign == kFloor ? FloorDiv(product, factor)
                                               : sign == kCeil  ? CeilDiv(product, factor)
                                                                : Mod(product, factor)));
  }
}

absl::StatusOr<Expr> TextReader::ReadFactor(Resolve resolve, int depth) {
  if (depth > kMaxNesting) {
    return absl::ResourceExhaustedError(
        absl::StrCat("at ", position_, ": the expression is nested too deeply"));
  }
  Skip();
  if (rest().empty()) return Error("an operand");
  const bool number = absl::ascii_isdigit(rest()[0]) ||
                      (rest().size() > 1 && rest()[0] == '-' && absl::ascii_isdigit(rest()[1]));
  if (number) {
    WARPYARD_ASSIGN_OR_RETURN(const int64_t value, ConsumeInteger());
    return Expr(value);
  }
  if (Consume("-")) {
    WARPYARD_ASSIGN_OR_RETURN(const Expr operand, ReadFactor(resolve, depth + 1));
    return Checked(-operand);
  }
  if (Consume("(")) {
    WARPYARD_ASSIGN_OR_RETURN(Expr inner, ReadSum(resolve, depth + 1));
    WARPYARD_RETURN_IF_ERROR(Expect(")"));
    return inner;
  }
  const size_t start = position_;
  const std::string_view name = ConsumeName();
  if ((name == "min" || name == "max") && Consume("(")) {
    WARPYARD_ASSIGN_OR_RETURN(Expr chosen, ReadSum(resolve, depth + 1));
    WARPYARD_RETURN_IF_ERROR(Expect(","));
    do {
      WARPYARD_ASSIGN_OR_RETURN(const Expr other, ReadSum(resolve, depth + 1));
      WARPYARD_ASSIGN_OR_RETURN(chosen,
                                Checked(name == "min" ? Min(chosen, other) : Max(chosen, other)));
    } while (Consume(","));
    WARPYARD_RETURN_IF_ERROR(Expect(")"));
    return chosen;
  }
  const std::optional<Variable> variable = name.empty() ? std::nullopt : resolve(name);
  if (!variable.has_value()) {
    position_ = start;
    return Error(name.empty() ? "an operand" : "a variable of the map");
  }
  return Expr::Of(*variable);
}

std::optional<Variable> DefaultVariable(std::string_view name) {
  VariableKind kind;
  if (absl::ConsumePrefix(&name, "rt")) {
    kind = VariableKind::kRuntime;
  } else if (absl::ConsumePrefix(&name, "d")) {
    kind = VariableKind::kDimension;
  } else if (absl::ConsumePrefix(&name, "s")) {
    kind = VariableKind::kRange;
  } else {
    return std::nullopt;
  }
  int index = 0;
  if (name.empty() || !absl::ascii_isdigit(name[0]) || !absl::SimpleAtoi(name, &index) ||
      index > kMaxVariableIndex || (name[0] == '0' && name.size() > 1)) {
    return std::nullopt;
  }
  return Variable{kind, index};
}

absl::StatusOr<Expr> ParseExpr(std::string_view text, const Names& names) {
  const bool none = names == Names{};
  const auto resolve = [&](std::string_view name) -> std::optional<Variable> {
    if (none) return DefaultVariable(name);
    for (const VariableKind kind : kVariableKinds) {
      for (size_t i = 0; i < names.of(kind).size(); ++i) {
        const Variable variable = {kind, static_cast<int>(i)};
        if (VariableName(variable, names) == name) return variable;
      }
    }
    return std::nullopt;
  };
  TextReader reader(text);
  WARPYARD_ASSIGN_OR_RETURN(Expr e, reader.ConsumeExpr(resolve));
  if (!reader.AtEnd()) return reader.Error("the end of the expression");
  return e;
}

}  // namespace warpyard::symbolic
