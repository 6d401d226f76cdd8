// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The value of an expression, in 128 bits on the way: Expr::Evaluate. For the
// files of this folder alone.

#ifndef WARPYARD_CC_SYMBOLIC_EXPR_EVALUATE_H_
#define WARPYARD_CC_SYMBOLIC_EXPR_EVALUATE_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "cc/symbolic/expr.h"

namespace warpyard::symbolic {

absl::StatusOr<int64_t> EvaluateExpr(const Expr& e, const Point& point);

}  // namespace warpyard::symbolic

#endif  // WARPYARD_CC_SYMBOLIC_EXPR_EVALUATE_H_
