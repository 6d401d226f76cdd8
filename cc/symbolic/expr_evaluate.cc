// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/symbolic/expr_evaluate.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "cc/symbolic/expr.h"

namespace warpyard::symbolic {
namespace {

using Kind = Expr::Kind;
using Wide = __int128;

enum class Failure { kNone, kOverflow, kDivisor, kVariable, kUndefined };

struct Evaluator {
  const Point& point;
  Failure failure = Failure::kNone;
  Variable missing = {};

  Wide Fail(Failure why) {
    if (failure == Failure::kNone) failure = why;
    return 0;
  }

  Wide Value(const Expr& e) {
    switch (e.kind()) {
      case Kind::kConstant:
        return e.constant();
      case Kind::kVariable: {
        const int64_t* const value = point.find(e.variable());
        if (value != nullptr) return *value;
        missing = e.variable();
        return Fail(Failure::kVariable);
      }
      case Kind::kSum: {
        Wide sum = e.constant();
        for (size_t i = 0; i < e.operands().size(); ++i) {
          Wide term = 0;
          if (__builtin_mul_overflow(Value(e.operands()[i]), Wide{e.coefficients()[i]}, &term) ||
              __builtin_add_overflow(sum, term, &sum)) {
            return Fail(Failure::kOverflow);
          }
        }
        return sum;
      }
      case Kind::kProduct: {
        Wide product = 1;
        for (const Expr& factor : e.operands()) {
          if (__builtin_mul_overflow(product, Value(factor), &product)) {
            return Fail(Failure::kOverflow);
          }
        }
        return product;
      }
      case Kind::kMin:
      case Kind::kMax: {
        Wide chosen = Value(e.operands()[0]);
        for (const Expr& other : e.operands().subspan(1)) {
          const Wide value = Value(other);
          chosen = e.kind() == Kind::kMin ? std::min(chosen, value) : std::max(chosen, value);
        }
        return chosen;
      }
      case Kind::kMod:
      case Kind::kFloorDiv:
      case Kind::kCeilDiv: {
        const Wide a = Value(e.operands()[0]);
        const Wide b = Value(e.operands()[1]);
        if (failure != Failure::kNone) return 0;
        if (b < 1) return Fail(Failure::kDivisor);
        const Wide rest = a % b;
        if (e.kind() == Kind::kMod) return rest < 0 ? rest + b : rest;
        if (e.kind() == Kind::kFloorDiv) return a / b - (rest < 0 ? 1 : 0);
        return a / b + (rest > 0 ? 1 : 0);
      }
      case Kind::kUndefined:
        return Fail(Failure::kUndefined);
    }
    return 0;
  }
};

}  // namespace

absl::StatusOr<int64_t> EvaluateExpr(const Expr& e, const Point& point) {
  Evaluator evaluator = {.point = point};
  const Wide value = evaluator.Value(e);
  if (evaluator.failure == Failure::kNone) {
    if (value >= std::numeric_limits<int64_t>::min() &&
        value <= std::numeric_limits<int64_t>::max()) {
      return static_cast<int64_t>(value);
    }
    evaluator.failure = Failure::kOverflow;
  }
  switch (evaluator.failure) {
    case Failure::kVariable:
      return absl::InvalidArgumentError(absl::StrCat(
          "the point has no value for ", VariableName(evaluator.missing), " of ", e.ToString()));
    case Failure::kDivisor:
      return absl::InvalidArgumentError(
          absl::StrCat("a divisor in ", e.ToString(), " is less than 1"));
    case Failure::kUndefined:
      return absl::FailedPreconditionError("the expression is undefined");
    default:
      return absl::OutOfRangeError(absl::StrCat("the value of ", e.ToString(), " is no int64"));
  }
}

}  // namespace warpyard::symbolic
