// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// What an Expr points to, and how one is rebuilt of its parts. For the files of
// this folder alone.

#ifndef WARPYARD_CC_SYMBOLIC_EXPR_NODE_H_
#define WARPYARD_CC_SYMBOLIC_EXPR_NODE_H_

#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "cc/symbolic/expr.h"

namespace warpyard::symbolic {

struct Expr::Node {
  Kind kind;
  VariableKind variable_kind;
  bool has_variables = false;
  int depth = 1;
  int64_t value = 0;  // a constant, the constant of a sum, or the index of a variable
  int64_t size = 1;
  uint64_t hash = 0;
  std::vector<Expr> operands;
  std::vector<int64_t> coefficients;
};

// `e` with `operand(x)` in the place of each of its operands x, made canonical again.
Expr Rebuild(const Expr& e, absl::FunctionRef<Expr(const Expr&)> operand);

}  // namespace warpyard::symbolic

#endif  // WARPYARD_CC_SYMBOLIC_EXPR_NODE_H_
