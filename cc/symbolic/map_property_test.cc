// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// What holds for every index map, tried on random ones at every point.

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "cc/symbolic/expr.h"
#include "cc/symbolic/index_map.h"
#include "cc/symbolic/interval.h"
#include "cc/symbolic/map_algebra.h"
#include "cc/symbolic/simplify.h"
#include "cc/symbolic/testing/random_expr.h"
#include "gtest/gtest.h"

namespace warpyard::symbolic {
namespace {

using ::warpyard::symbolic::testing::RandomTrees;

constexpr int kMaps = 3000;
constexpr int64_t kMostPoints = 1 << 16;

struct Key {
  std::vector<int64_t> dimensions, ranges, runtimes;
  friend auto operator<=>(const Key&, const Key&) = default;
};
using Table = std::map<Key, std::vector<int64_t>>;

// The points of the domain with their results; false where one has no value, as with a divisor
// that is 0 there.
bool MakeTable(const IndexMap& map, Table& table) {
  return ForEachPoint(map, kMostPoints,
                      [&](const Point& p, absl::Span<const int64_t> values) {
                        table[{p.dimensions, p.ranges, p.runtimes}] = {values.begin(),
                                                                       values.end()};
                        return absl::OkStatus();
                      })
      .ok();
}

IndexMap MakeMap(RandomTrees& random, int results) {
  std::vector<Expr> all;
  for (int i = 0; i < results; ++i) all.push_back(random.Make(3)->Build());
  std::vector<Constraint> constraints;
  for (int64_t i = random.Between(0, 2); i > 0; --i) {
    const int64_t lower = random.Between(-4, 8);
    constraints.push_back({random.Make(2)->Build(), {lower, lower + random.Between(0, 9)}});
  }
  return IndexMap(random.MakeRanges(), std::move(all), std::move(constraints));
}

TEST(MapPropertyTest, SimplifiedIsTheSameMap) {
  RandomTrees random(11);
  int compared = 0, empty = 0;
  for (int i = 0; i < kMaps; ++i) {
    const IndexMap map = MakeMap(random, 2);
    Table expected, found;
    if (map.is_undefined() || !MakeTable(map, expected)) continue;
    const IndexMap simple = map.Simplified();
    ASSERT_TRUE(MakeTable(simple, found)) << simple;
    ASSERT_EQ(found, expected) << map << "\n" << simple;
    ASSERT_EQ(simple.Simplified(), simple) << map;
    ASSERT_EQ(*IsEmpty(map), expected.empty()) << map;
    ASSERT_EQ(CompareMaps(map, simple), Comparison::kEqual);
    ++compared;
    empty += expected.empty() ? 1 : 0;
    for (size_t r = 0; r < map.results().size(); ++r) {
      const Interval range = RangeOf(simple.results()[r], simple.ranges(), simple.constraints());
      for (const auto& [key, values] : expected) ASSERT_TRUE(range.Contains(values[r]));
    }
  }
  EXPECT_GT(compared, kMaps / 2);
  EXPECT_GT(empty, kMaps / 50);
}

TEST(MapPropertyTest, TextComesBack) {
  RandomTrees random(12);
  for (int i = 0; i < kMaps; ++i) {
    const IndexMap map = MakeMap(random, i % 4);
    const absl::StatusOr<IndexMap> back = ParseIndexMap(map.ToString());
    ASSERT_TRUE(back.ok()) << back.status() << map;
    ASSERT_EQ(*back, map) << map;
    ASSERT_EQ(back->ToString(), map.ToString());
  }
}

TEST(MapPropertyTest, ComposeIsSecondAfterFirst) {
  RandomTrees random(13);
  int compared = 0;
  for (int i = 0; i < kMaps; ++i) {
    const IndexMap first = MakeMap(random, 2), second = MakeMap(random, 2);
    Table first_table, second_table, expected, found;
    if (first.is_undefined() || second.is_undefined() || !MakeTable(first, first_table) ||
        !MakeTable(second, second_table)) {
      continue;
    }
    for (const auto& [x, y] : first_table) {
      // All points of the second map with these dimensions.
      for (auto at = second_table.lower_bound({y, {}, {}});
           at != second_table.end() && at->first.dimensions == y; ++at) {
        Key key = x;
        key.ranges.insert(key.ranges.end(), at->first.ranges.begin(), at->first.ranges.end());
        key.runtimes.insert(key.runtimes.end(), at->first.runtimes.begin(),
                            at->first.runtimes.end());
        expected[key] = at->second;
      }
    }
    const absl::StatusOr<IndexMap> both = Compose(first, second);
    ASSERT_TRUE(both.ok()) << both.status();
    if (both->is_undefined() || !MakeTable(*both, found)) continue;
    ASSERT_EQ(found, expected) << first << "\n" << second << "\n" << *both;
    ++compared;
  }
  EXPECT_GT(compared, kMaps / 4);
}

// Random reshapes: an array's index as a number, the number as an index of another array.
TEST(MapPropertyTest, ReshapesInvertAndCompose) {
  RandomTrees random(14);
  for (int i = 0; i < kMaps / 4; ++i) {
    const auto shape = [&] {
      // Factors of one number in any order.
      std::vector<int64_t> sizes(random.Between(1, 4), 1);
      for (const int64_t factor : {2, 2, 2, 3, 4}) {
        sizes[random.Between(0, static_cast<int64_t>(sizes.size()) - 1)] *= factor;
      }
      return sizes;
    };
    const std::vector<int64_t> from = shape(), to = shape();
    Expr number = 0;
    Ranges ranges;
    for (size_t k = 0; k < from.size(); ++k) {
      number = number * Expr(from[k]) + Expr::Dimension(static_cast<int>(k));
      ranges.dimensions.push_back({0, from[k] - 1});
    }
    std::vector<Expr> index(to.size());
    for (size_t k = to.size(); k-- > 0;) {
      index[k] = k == 0 ? number : Mod(number, Expr(to[k]));
      number = FloorDiv(number, Expr(to[k]));
    }
    const IndexMap map(ranges, index);
    const absl::StatusOr<IndexMap> inverse = Invert(map);
    ASSERT_TRUE(inverse.ok()) << inverse.status();
    const absl::StatusOr<IndexMap> round = Compose(map, *inverse);
    ASSERT_TRUE(round.ok()) << round.status();
    ASSERT_EQ(CompareMaps(*round, IndexMap::Identity(from)), Comparison::kEqual) << map << "\n"
                                                                                 << *inverse << "\n"
                                                                                 << *round;
    Table expected, found;
    ASSERT_TRUE(MakeTable(map, found));
    for (const auto& [x, y] : found) expected[{y, {}, {}}] = x.dimensions;
    found.clear();
    ASSERT_TRUE(MakeTable(*inverse, found));
    ASSERT_EQ(found, expected) << *inverse;
  }
}

}  // namespace
}  // namespace warpyard::symbolic
