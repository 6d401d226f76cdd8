// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/symbolic/interval.h"

#include <algorithm>
#include <cstdint>
#include <functional>

#include "gtest/gtest.h"

namespace warpyard::symbolic {
namespace {

constexpr int64_t kInfinity = Interval::kInfinity;
constexpr int64_t kMinusInfinity = Interval::kMinusInfinity;

int64_t FloorDiv(int64_t a, int64_t b) { return Interval::Floor(a, b); }

// The least interval that holds f of all pairs, by trying them.
Interval Tried(Interval a, Interval b, bool positive,
               const std::function<int64_t(int64_t, int64_t)>& f) {
  Interval result = Interval::Empty();
  for (int64_t x = a.lower; x <= a.upper; ++x) {
    for (int64_t y = b.lower; y <= b.upper; ++y) {
      if (positive && y < 1) continue;
      result = result.Union(Interval::Point(f(x, y)));
    }
  }
  return result;
}

TEST(IntervalTest, AllSmallPairs) {
  constexpr int64_t kEnd = 5;
  for (int64_t a = -kEnd; a <= kEnd; ++a) {
    for (int64_t b = a - 1; b <= kEnd; ++b) {
      for (int64_t c = -kEnd; c <= kEnd; ++c) {
        for (int64_t d = c - 1; d <= kEnd; ++d) {
          const Interval x = {a, b}, y = {c, d};
          const auto same = [&](Interval found, Interval tried) {
            return found == tried || (found.empty() && tried.empty());
          };
          ASSERT_TRUE(same(x + y, Tried(x, y, false, std::plus<>()))) << x << y;
          ASSERT_TRUE(same(x - y, Tried(x, y, false, std::minus<>()))) << x << y;
          ASSERT_TRUE(same(x * y, Tried(x, y, false, std::multiplies<>()))) << x << y;
          ASSERT_TRUE(
              same(x.Min(y), Tried(x, y, false, [](auto p, auto q) { return std::min(p, q); })));
          ASSERT_TRUE(
              same(x.Max(y), Tried(x, y, false, [](auto p, auto q) { return std::max(p, q); })));
          ASSERT_TRUE(same(x.FloorDiv(y), Tried(x, y, true, FloorDiv))) << x << y;
          ASSERT_TRUE(same(x.CeilDiv(y),
                           Tried(x, y, true, [](auto p, auto q) { return -FloorDiv(-p, q); })))
              << x << y;
          const Interval mod =
              Tried(x, y, true, [](auto p, auto q) { return p - FloorDiv(p, q) * q; });
          ASSERT_TRUE(x.Mod(y).Contains(mod)) << x << " mod " << y << " " << x.Mod(y) << mod;
          ASSERT_EQ(x.Mod(y).empty(), mod.empty());
        }
      }
    }
  }
}

TEST(IntervalTest, Saturates) {
  const Interval all;
  const Interval big = {kInfinity - 1, kInfinity - 1};
  EXPECT_EQ(big + big, (Interval{kInfinity, kInfinity}));
  EXPECT_EQ(big * Interval::Point(-2), (Interval{kMinusInfinity, kMinusInfinity}));
  EXPECT_EQ(all + Interval::Point(5), all);
  EXPECT_EQ(all * Interval::Point(0), Interval::Point(0));
  EXPECT_EQ(-all, all);
  EXPECT_EQ((Interval{0, kInfinity}) - Interval::Point(7), (Interval{-7, kInfinity}));
  EXPECT_EQ((Interval{0, kInfinity}).FloorDiv(Interval::Point(8)), (Interval{0, kInfinity}));
  EXPECT_EQ(all.Mod(Interval::Point(8)), (Interval{0, 7}));
  EXPECT_EQ(all.size(), kInfinity);
  EXPECT_FALSE((Interval{kInfinity, kInfinity}).is_point());
  EXPECT_EQ((Interval{3, 5}).size(), 3);
  EXPECT_EQ((Interval{kMinusInfinity, 7}).ToString(), "[-inf, 7]");
}

}  // namespace
}  // namespace warpyard::symbolic
