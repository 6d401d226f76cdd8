// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Random expressions as plain trees, which know nothing of canonical forms: their
// values, computed step by step, are what those of Expr are held against.

#ifndef WARPYARD_CC_SYMBOLIC_TESTING_RANDOM_EXPR_H_
#define WARPYARD_CC_SYMBOLIC_TESTING_RANDOM_EXPR_H_

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "cc/symbolic/expr.h"
#include "cc/symbolic/simplify.h"

namespace warpyard::symbolic::testing {

struct Tree {
  // '+', '-', '*', '/', 'c' (ceildiv), '%', 'm' (min), 'M' (max), 'v' (variable), 'k' (constant).
  char sign;
  int64_t value = 0;
  Variable variable = {};
  std::unique_ptr<Tree> left = nullptr, right = nullptr;

  // The value, or nothing where a divisor is below 1.
  std::optional<__int128> Evaluate(const Point& point) const {
    if (sign == 'k') return value;
    if (sign == 'v') return *point.find(variable);
    const std::optional<__int128> a = left->Evaluate(point), b = right->Evaluate(point);
    if (!a.has_value() || !b.has_value()) return std::nullopt;
    switch (sign) {
      case '+':
        return *a + *b;
      case '-':
        return *a - *b;
      case '*':
        return *a * *b;
      case 'm':
        return std::min(*a, *b);
      case 'M':
        return std::max(*a, *b);
      default:
        break;
    }
    if (*b < 1) return std::nullopt;
    __int128 floor = *a / *b;
    if (floor * *b > *a) --floor;
    if (sign == '/') return floor;
    if (sign == '%') return *a - floor * *b;
    return floor * *b == *a ? floor : floor + 1;
  }

  Expr Build() const {
    if (sign == 'k') return Expr(value);
    if (sign == 'v') return Expr::Of(variable);
    const Expr a = left->Build(), b = right->Build();
    switch (sign) {
      case '+':
        return a + b;
      case '-':
        return a - b;
      case '*':
        return a * b;
      case 'm':
        return Min(a, b);
      case 'M':
        return Max(a, b);
      case '/':
        return FloorDiv(a, b);
      case '%':
        return Mod(a, b);
      default:
        return CeilDiv(a, b);
    }
  }

  std::string ToString() const {
    if (sign == 'k') return std::to_string(value);
    if (sign == 'v') return VariableName(variable);
    const std::string a = left->ToString(), b = right->ToString();
    if (sign == 'm') return "min(" + a + ", " + b + ")";
    if (sign == 'M') return "max(" + a + ", " + b + ")";
    const std::string name = sign == '%' ? "mod" : sign == 'c' ? "ceildiv" : std::string(1, sign);
    return "(" + a + " " + name + " " + b + ")";
  }
};

class RandomTrees {
 public:
  explicit RandomTrees(uint64_t seed) : random_(seed) {}

  int64_t Between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random_() % static_cast<uint64_t>(high - low + 1));
  }

  // Of two dimensions, a range variable and a runtime one. Divisors are mostly constants, as
  // in programs, and numbers mostly share factors.
  std::unique_ptr<Tree> Make(int depth) {
    const int64_t choice = Between(0, 99);
    if (depth == 0 || choice < 12) {
      if (choice % 4 == 0) return Constant();
      const int64_t which = Between(0, 4);
      const Variable variable = which < 2   ? Variable{VariableKind::kDimension, (int)which}
                                : which < 4 ? Variable{VariableKind::kRange, 0}
                                            : Variable{VariableKind::kRuntime, 0};
      return std::make_unique<Tree>(Tree{'v', 0, variable});
    }
    if (choice < 45) return Node(choice < 35 ? '+' : '-', Make(depth - 1), Make(depth - 1));
    if (choice < 60) {
      return Node('*', Make(depth - 1), choice < 57 ? Constant() : Make(depth - 1));
    }
    if (choice < 92) {
      const char sign = choice < 75 ? '/' : choice < 88 ? '%' : 'c';
      std::unique_ptr<Tree> divisor =
          Between(0, 19) == 0 ? Make(depth - 1)
                              : std::make_unique<Tree>(Tree{'k', kDivisors[Between(0, 7)]});
      return Node(sign, Make(depth - 1), std::move(divisor));
    }
    return Node(choice < 96 ? 'm' : 'M', Make(depth - 1), Make(depth - 1));
  }

  // A box for the variables of Make(), of a few dozen points.
  Ranges MakeRanges() {
    const auto range = [&] {
      const int64_t lower = Between(0, 3) == 0 ? Between(-5, 5) : 0;
      return Interval{lower, lower + Between(0, 1) * Between(0, 9) + Between(0, 2)};
    };
    return {{range(), range()}, {range()}, {range()}};
  }

 private:
  static constexpr int64_t kDivisors[] = {2, 4, 8, 3, 6, 16, 1, 5};
  static constexpr int64_t kFactors[] = {2, 4, 8, 3, -1, 16, 1, 5, 0, -4, 6, 7};

  std::unique_ptr<Tree> Constant() {
    return std::make_unique<Tree>(Tree{'k', kFactors[Between(0, 11)]});
  }
  static std::unique_ptr<Tree> Node(char sign, std::unique_ptr<Tree> a, std::unique_ptr<Tree> b) {
    return std::make_unique<Tree>(Tree{sign, 0, {}, std::move(a), std::move(b)});
  }

  std::mt19937_64 random_;
};

// Calls `function` with every point of a box of few variables.
inline void ForEachPoint(const Ranges& ranges, const std::function<void(const Point&)>& function) {
  Point point;
  std::vector<std::pair<int64_t*, Interval>> all;
  for (const VariableKind kind : kVariableKinds) {
    point.of(kind).resize(ranges.of(kind).size());
    for (size_t i = 0; i < ranges.of(kind).size(); ++i) {
      all.emplace_back(&point.of(kind)[i], ranges.of(kind)[i]);
      point.of(kind)[i] = ranges.of(kind)[i].lower;
      if (ranges.of(kind)[i].empty()) return;
    }
  }
  while (true) {
    function(point);
    size_t i = 0;
    while (i < all.size() && ++*all[i].first > all[i].second.upper) {
      *all[i].first = all[i].second.lower;
      ++i;
    }
    if (i == all.size()) return;
  }
}

}  // namespace warpyard::symbolic::testing

#endif  // WARPYARD_CC_SYMBOLIC_TESTING_RANDOM_EXPR_H_
