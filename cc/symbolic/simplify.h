// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// What is known of an expression where its variables are in given ranges.

#ifndef WARPYARD_CC_SYMBOLIC_SIMPLIFY_H_
#define WARPYARD_CC_SYMBOLIC_SIMPLIFY_H_

#include "absl/types/span.h"
#include "cc/symbolic/expr.h"
#include "cc/symbolic/interval.h"

namespace warpyard::symbolic {

// The ranges of variables; one that is not there may have any value.
using Ranges = PerVariable<Interval>;

// That the value of `expr` is in `in`.
struct Constraint {
  Expr expr;
  Interval in;
  friend bool operator==(const Constraint&, const Constraint&) = default;
};

// An interval that holds every value of `e`, seldom the least. Empty where a
// variable's range is.
// What `known` says of an expression is used wherever exactly that one occurs.
Interval RangeOf(const Expr& e, const Ranges& ranges, absl::Span<const Constraint> known = {});

// An expression with the same value as `e` at every point of `ranges` where `e` has
// one and all of `known` holds, no greater in size(). Simplifying the result again changes nothing.
//
//   d0 in [0, 7]:   (d0 + s0 * 8) / 8    ->  s0
//   d0 in [0, 7]:   (s0 * 8 + d0) mod 16 ->  (s0 mod 2) * 8 + d0
//                   d0 / 4 * 4 + d0 mod 4  ->  d0
Expr Simplify(const Expr& e, const Ranges& ranges, absl::Span<const Constraint> known = {});

// Whether a and b are equal at every point of `ranges` where both have a value: by
// simplifying their difference, written without remainders. False where it cannot
// be shown.
bool ProvablyEqual(const Expr& a, const Expr& b, const Ranges& ranges,
                   absl::Span<const Constraint> known = {});

}  // namespace warpyard::symbolic

#endif  // WARPYARD_CC_SYMBOLIC_SIMPLIFY_H_
