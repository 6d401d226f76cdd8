// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// What holds for every expression, tried on random ones at every point of a box.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "cc/symbolic/expr.h"
#include "cc/symbolic/interval.h"
#include "cc/symbolic/parse.h"
#include "cc/symbolic/simplify.h"
#include "cc/symbolic/testing/random_expr.h"
#include "gtest/gtest.h"

namespace warpyard::symbolic {
namespace {

using ::warpyard::symbolic::testing::ForEachPoint;
using ::warpyard::symbolic::testing::RandomTrees;
using ::warpyard::symbolic::testing::Tree;

constexpr int kExpressions = 20000;

TEST(ExprPropertyTest, SimplifyKeepsEveryValue) {
  RandomTrees random(1);
  int64_t points = 0, smaller = 0;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < kExpressions; ++i) {
    const std::unique_ptr<Tree> tree = random.Make(1 + i % 5);
    const Ranges ranges = random.MakeRanges();
    const Expr e = tree->Build();
    if (e.is_undefined()) continue;  // a divisor that is a constant below 1
    const Expr simple = Simplify(e, ranges);
    ASSERT_FALSE(simple.is_undefined());
    ASSERT_LE(simple.size(), e.size()) << e << " -> " << simple;
    ASSERT_EQ(Simplify(simple, ranges), simple)
        << e << " -> " << simple << " -> " << Simplify(simple, ranges);
    smaller += simple.size() < e.size() ? 1 : 0;
    const Interval range = RangeOf(e, ranges), simple_range = RangeOf(simple, ranges);
    ForEachPoint(ranges, [&](const Point& point) {
      const std::optional<__int128> expected = tree->Evaluate(point);
      if (!expected.has_value()) return;
      ++points;
      const absl::StatusOr<int64_t> value = e.Evaluate(point);
      ASSERT_TRUE(value.ok()) << value.status() << tree->ToString();
      ASSERT_EQ(*value, static_cast<int64_t>(*expected)) << tree->ToString() << " = " << e;
      ASSERT_TRUE(range.Contains(*value)) << e << " " << range << " " << *value;
      const absl::StatusOr<int64_t> simple_value = simple.Evaluate(point);
      ASSERT_TRUE(simple_value.ok()) << simple_value.status();
      ASSERT_EQ(*simple_value, *value) << e << " -> " << simple;
      ASSERT_TRUE(simple_range.Contains(*value)) << simple << " " << simple_range;
    });
    if (HasFatalFailure()) return;
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  std::printf("%d expressions, %lld points, %lld became smaller; %.0f expressions a second\n",
              kExpressions, static_cast<long long>(points), static_cast<long long>(smaller),
              kExpressions / taken.count());
  EXPECT_GT(smaller, kExpressions / 10);
}

TEST(ExprPropertyTest, TextComesBack) {
  RandomTrees random(2);
  for (int i = 0; i < kExpressions; ++i) {
    const std::unique_ptr<Tree> tree = random.Make(1 + i % 6);
    const Expr e = tree->Build();
    const absl::StatusOr<Expr> parsed = ParseExpr(tree->ToString());
    if (e.is_undefined()) {
      ASSERT_FALSE(parsed.ok()) << tree->ToString();
      continue;
    }
    ASSERT_TRUE(parsed.ok()) << parsed.status() << tree->ToString();
    ASSERT_EQ(*parsed, e) << tree->ToString();
    const absl::StatusOr<Expr> again = ParseExpr(e.ToString());
    ASSERT_TRUE(again.ok()) << again.status() << e;
    ASSERT_EQ(*again, e) << e;
    ASSERT_EQ(again->hash(), e.hash());
  }
}

TEST(ExprPropertyTest, ProofsAreTrue) {
  RandomTrees random(3);
  int proofs = 0;
  for (int i = 0; i < kExpressions; ++i) {
    const Ranges ranges = random.MakeRanges();
    const Expr a = random.Make(3)->Build(), b = random.Make(3)->Build();
    // Two that are not related are seldom equal; parts of one sum often are.
    const Expr c = Simplify(a + b, ranges) - b;
    for (const auto& [x, y] : {std::pair(a, b), std::pair(a, c)}) {
      if (!ProvablyEqual(x, y, ranges)) continue;
      ++proofs;
      ForEachPoint(ranges, [&](const Point& point) {
        const absl::StatusOr<int64_t> p = x.Evaluate(point), q = y.Evaluate(point);
        if (p.ok() && q.ok()) {
          ASSERT_EQ(*p, *q) << x << " and " << y;
        }
      });
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(proofs, kExpressions / 2);
}

TEST(ExprPropertyTest, ReplacingVariablesReplacesValues) {
  RandomTrees random(4);
  for (int i = 0; i < kExpressions / 4; ++i) {
    const Expr outer = random.Make(3)->Build();
    const Expr inner[] = {random.Make(2)->Build(), random.Make(2)->Build()};
    if (outer.is_undefined() || inner[0].is_undefined() || inner[1].is_undefined()) continue;
    const Expr replaced = outer.Replace([&](Variable v) -> std::optional<Expr> {
      if (v.kind != VariableKind::kDimension) return std::nullopt;
      return inner[v.index];
    });
    if (replaced.is_undefined()) continue;  // a divisor became a constant below 1
    ForEachPoint(random.MakeRanges(), [&](const Point& point) {
      const absl::StatusOr<int64_t> x = inner[0].Evaluate(point), y = inner[1].Evaluate(point);
      if (!x.ok() || !y.ok()) return;
      Point moved = point;
      moved.dimensions = {*x, *y};
      const absl::StatusOr<int64_t> expected = outer.Evaluate(moved);
      const absl::StatusOr<int64_t> found = replaced.Evaluate(point);
      if (expected.ok()) {
        ASSERT_TRUE(found.ok()) << found.status();
        ASSERT_EQ(*found, *expected) << outer << " of " << inner[0] << ", " << inner[1];
      }
    });
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace warpyard::symbolic
