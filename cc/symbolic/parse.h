// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Expressions out of text, as Expr::ToString writes them and as people do.

#ifndef WARPYARD_CC_SYMBOLIC_PARSE_H_
#define WARPYARD_CC_SYMBOLIC_PARSE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cc/symbolic/expr.h"
#include "cc/symbolic/interval.h"

namespace warpyard::symbolic {

// Reads tokens and expressions from a text. Blanks divide words and mean nothing
// else.
class TextReader {
 public:
  // What a name stands for, or nothing where there is no such variable.
  using Resolve = absl::FunctionRef<std::optional<Variable>(std::string_view)>;

  explicit TextReader(std::string_view text) : text_(text) {}

  // Takes `token` if it is next; a word only where it ends there.
  bool Consume(std::string_view token);
  // INVALID_ARGUMENT if it is not next.
  absl::Status Expect(std::string_view token);
  bool AtEnd();
  // A letter or '_', then letters, digits and '_'; empty where none is next.
  std::string_view ConsumeName();
  // An integer with or without a minus.
  absl::StatusOr<int64_t> ConsumeInteger();
  // "[-3, 7]"; "-inf" and "inf" stand for the ends of int64.
  absl::StatusOr<Interval> ConsumeInterval();
  // Precedence from low to high: + and -; * / floordiv ceildiv mod, from the left; minus
  // before an operand; min(a, b, ...), max(a, b, ...), (a). RESOURCE_EXHAUSTED where the
  // expression is nested too deeply or is too great when multiplied out, OUT_OF_RANGE where a
  // number is no int64, INVALID_ARGUMENT for all else.
  absl::StatusOr<Expr> ConsumeExpr(Resolve resolve);

  // What was expected, with the position, and what is there.
  absl::Status Error(std::string_view expected);

  // How far the text was read; to go back to.
  size_t position() const { return position_; }
  void set_position(size_t position) { position_ = position; }

 private:
  absl::StatusOr<Expr> ReadSum(Resolve resolve, int depth);
  absl::StatusOr<Expr> ReadProduct(Resolve resolve, int depth);
  absl::StatusOr<Expr> ReadFactor(Resolve resolve, int depth);
  absl::StatusOr<Expr> Checked(Expr e);
  void Skip();
  std::string_view rest() const { return text_.substr(position_); }

  std::string_view text_;
  size_t position_ = 0;
  int64_t work_ = 0;
};

// An expression of the variables that `names` has, and of d0, s0, rt0 and so on
// where `names` is empty.
absl::StatusOr<Expr> ParseExpr(std::string_view text, const Names& names = {});

// The variable of a name that VariableName() gives without other names.
std::optional<Variable> DefaultVariable(std::string_view name);

}  // namespace warpyard::symbolic

#endif  // WARPYARD_CC_SYMBOLIC_PARSE_H_
