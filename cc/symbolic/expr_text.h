// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The text of an expression: Expr::ToString. For the files of this folder alone.

#ifndef WARPYARD_CC_SYMBOLIC_EXPR_TEXT_H_
#define WARPYARD_CC_SYMBOLIC_EXPR_TEXT_H_

#include <string>

#include "cc/symbolic/expr.h"

namespace warpyard::symbolic {

std::string ExprToString(const Expr& e, const Names& names);

}  // namespace warpyard::symbolic

#endif  // WARPYARD_CC_SYMBOLIC_EXPR_TEXT_H_
