// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/symbolic/index_map.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "cc/symbolic/expr.h"
#include "cc/symbolic/interval.h"
#include "cc/symbolic/map_algebra.h"
#include "cc/symbolic/simplify.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::symbolic {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

IndexMap M(std::string_view text) {
  absl::StatusOr<IndexMap> map = ParseIndexMap(text);
  EXPECT_TRUE(map.ok()) << text << ": " << map.status();
  return map.ok() ? *std::move(map) : IndexMap();
}

// Points of the domain with the results there.
std::map<std::vector<int64_t>, std::vector<int64_t>> Table(const IndexMap& map) {
  std::map<std::vector<int64_t>, std::vector<int64_t>> table;
  const absl::Status status =
      ForEachPoint(map, 1 << 20, [&](const Point& point, absl::Span<const int64_t> values) {
        std::vector<int64_t> key = point.dimensions;
        key.insert(key.end(), point.ranges.begin(), point.ranges.end());
        key.insert(key.end(), point.runtimes.begin(), point.runtimes.end());
        table[key] = {values.begin(), values.end()};
        return absl::OkStatus();
      });
  EXPECT_TRUE(status.ok()) << status;
  return table;
}

// Maps as OpenXLA's documentation of indexing analysis prints them.
TEST(IndexMapTest, PrintedFormComesBack) {
  const std::string_view texts[] = {
      "(d0, d1)[s0]{rt0} -> (d0 * 2 + s0 - 1, rt0), domain: d0 in [0, 6], d1 in [0, 3], s0 in [0, "
      "2], rt0 in [0, 8], d0 * 2 + s0 in [1, 13]",
      "(d0, d1) -> ((d0 - 1) / 2, d1 - 4), domain: d0 in [1, 7], d1 in [4, 7], (d0 - 1) mod 2 in "
      "[0, 0]",
      "(d0, d1) -> (), domain: d0 in [0, 11], d1 in [0, 15]",
      "() -> ()",
      "UNDEFINED",
      "(d0, d1) -> (0, 0), KNOWN EMPTY",
      "(d0, d1, d2) -> (d0 * 2 + d1 / 2, (d1 mod 2) * 4 + d2), domain: d0 in [0, 1], d1 in [0, 3], "
      "d2 in [0, 3]",
      "(d0, d1) -> (d0, d1 mod 128), domain: d0 in [0, 127], d1 in [0, 255]",
      "(d0, d1) -> (d1 / 128), domain: d0 in [0, 127], d1 in [0, 255]",
      "(d0)[s0, s1] -> (s0, d0, s1), domain: d0 in [0, 9], s0 in [0, 19], s1 in [0, 49]",
      "(th_x, bl_x) -> (bl_x * 128 + th_x), domain: th_x in [0, 127], bl_x in [0, 15]",
      "(d0) -> (-d0 + 16, s0)",
  };
  for (const std::string_view text : texts) {
    if (text.ends_with("s0)")) {
      EXPECT_FALSE(ParseIndexMap(text).ok());
      continue;
    }
    const IndexMap map = M(text);
    EXPECT_EQ(map.ToString(), text);
    // These are what simplification leaves alone.
    EXPECT_EQ(map.Simplified(), map) << map.Simplified();
    EXPECT_EQ(M(map.Simplified().ToString()), map);
  }
}

// White space and order carry no meaning.
TEST(IndexMapTest, OtherWaysToWriteIt) {
  EXPECT_EQ(M("(d0,d1)->(d1,d0),domain:d1 in[0,3],d0 in [0,6]"),
            M("(d0, d1) -> (d1, d0), domain: d0 in [0, 6], d1 in [0, 3]"));
  EXPECT_EQ(M("(x)\n -> (x floordiv 2)\n, domain: x in [0, 9]").ToString(),
            "(x) -> (x / 2), domain: x in [0, 9]");
  EXPECT_EQ(M("(a) -> (a), domain: a in [-inf, inf]").ToString(),
            "(a) -> (a), domain: a in [-inf, inf]");
}

TEST(IndexMapTest, ParseErrors) {
  const auto error = [](std::string_view text) {
    return std::string(ParseIndexMap(text).status().message());
  };
  EXPECT_EQ(error(""), "at 0: expected '(', found the end");
  EXPECT_EQ(error("(d0) -> (d0)"), "the domain has no range for d0");
  EXPECT_EQ(error("(d0, d0) -> ()"),
            "at 5: expected a name that no other variable has, found 'd0) -> ()'");
  EXPECT_EQ(error("(mod) -> ()"), "at 1: expected the name of a variable, found 'mod) -> ()'");
  EXPECT_EQ(error("(d0) -> (d1), domain: d0 in [0, 1]"),
            "at 9: expected a variable of the map, found 'd1), domain: d0 in ['");
  EXPECT_THAT(error("(d0) -> (d0), domain: d0 in [0, 1"), HasSubstr("expected ']'"));
  EXPECT_THAT(error("(d0) -> (d0), domain: d0 in [0, 1] x"), HasSubstr("the end of the map"));
  EXPECT_THAT(error("UNDEFINED x"), HasSubstr("the end of the map"));
}

TEST(IndexMapTest, ConstraintsNarrowRanges) {
  const auto simplified = [](std::string_view text) { return M(text).Simplified().ToString(); };
  // A pad of f32[4,4] by 1_4_1x4_8_0, from the ranges of the operand alone.
  EXPECT_EQ(simplified("(d0, d1) -> ((d0 - 1) / 2, d1 - 4), domain: d0 in [0, 11], d1 in [0, 15], "
                       "(d0 - 1) / 2 in [0, 3], (d0 - 1) mod 2 in [0, 0], d1 - 4 in [0, 3]"),
            "(d0, d1) -> ((d0 - 1) / 2, d1 - 4), domain: d0 in [1, 7], d1 in [4, 7], (d0 - 1) mod "
            "2 in [0, 0]");
  EXPECT_EQ(simplified("(d0) -> (d0), domain: d0 in [0, 10], d0 * 2 in [1, 13]"),
            "(d0) -> (d0), domain: d0 in [1, 6]");
  EXPECT_EQ(simplified("(d0) -> (d0), domain: d0 in [0, 10], -d0 in [-4, -2]"),
            "(d0) -> (d0), domain: d0 in [2, 4]");
  EXPECT_EQ(simplified("(d0) -> (d0), domain: d0 in [0, 100], d0 ceildiv 8 in [2, 3]"),
            "(d0) -> (d0), domain: d0 in [9, 24]");
  EXPECT_EQ(simplified("(d0, d1) -> (d0 + d1), domain: d0 in [0, 10], d1 in [3, 3]"),
            "(d0, d1) -> (d0 + 3), domain: d0 in [0, 10], d1 in [3, 3]");
  EXPECT_EQ(
      simplified("(d0, d1) -> (d0), domain: d0 in [0, 10], d1 in [0, 5], d0 + d1 in [14, 20]"),
      "(d0, d1) -> (d0), domain: d0 in [9, 10], d1 in [4, 5], d0 + d1 in [14, 15]");
  EXPECT_EQ(simplified("(d0) -> (d0 mod 4), domain: d0 in [0, 99], d0 mod 4 in [2, 2]"),
            "(d0) -> (2), domain: d0 in [2, 98], d0 mod 4 in [2, 2]");
  EXPECT_EQ(simplified("(d0) -> (d0), domain: d0 in [0, 3], d0 in [2, 9], d0 in [0, 100]"),
            "(d0) -> (d0), domain: d0 in [2, 3]");
}

TEST(IndexMapTest, EmptyDomainsAreFound) {
  for (const std::string_view text : {
           "(d0) -> (d0), domain: d0 in [0, -1]",
           "(d0) -> (d0), domain: d0 in [0, 4], d0 in [5, 9]",
           "(d0) -> (d0), domain: d0 in [0, 4], d0 * 2 in [3, 3]",
           "(d0) -> (d0), domain: d0 in [0, 9], (d0 * 2) mod 4 in [1, 1]",
           "(d0) -> (d0), domain: d0 in [0, 9], d0 mod 5 in [7, 9]",
           "(d0) -> (d0), domain: d0 in [0, 9], d0 - d0 in [1, 2]",
           "(d0) -> (d0), domain: d0 in [0, 9], d0 + 1 in [0, 0]",
       }) {
    EXPECT_EQ(M(text).Simplified().ToString(), "(d0) -> (0), KNOWN EMPTY") << text;
    EXPECT_TRUE(*IsEmpty(M(text)));
  }
  // Not seen by looking at one range at a time, but by trying.
  const IndexMap hidden = M(
      "(d0, d1) -> (d0), domain: d0 in [0, 9], d1 in [0, 9], d0 * 2 + d1 * 2 in [3, 9], (d0 + d1) "
      "mod 8 in [6, 7]");
  EXPECT_FALSE(hidden.Simplified().is_known_empty());
  EXPECT_TRUE(*IsEmpty(hidden));
  EXPECT_EQ(IsEmpty(hidden, 10).status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_FALSE(*IsEmpty(M("() -> ()")));
  EXPECT_FALSE(*IsEmpty(M("(d0) -> (d0), domain: d0 in [0, 99], d0 mod 7 in [3, 3]")));
}

TEST(IndexMapTest, EvaluateAndDomain) {
  const IndexMap map = M(
      "(d0)[s0] -> (d0 * 2 + s0 - 1), domain: d0 in [0, 6], s0 in [0, 2], d0 * 2 + s0 in [1, 13]");
  EXPECT_THAT(*map.Evaluate({{3}, {1}, {}}), ElementsAre(6));
  EXPECT_TRUE(*map.InDomain({{0}, {1}, {}}));
  EXPECT_FALSE(*map.InDomain({{0}, {0}, {}}));
  EXPECT_FALSE(*map.InDomain({{7}, {0}, {}}));
  EXPECT_FALSE(map.InDomain({{7}, {}, {}}).ok());
  EXPECT_FALSE(IndexMap::Undefined().Evaluate({}).ok());
  EXPECT_EQ(Table(map).size(), 19u);
}

TEST(IndexMapTest, UnusedVariablesGo) {
  const IndexMap map =
      M("(d0)[s0, k, s2]{rt0} -> (d0 + s2), domain: d0 in [0, 6], s0 in [0, 2], k in [0, 3], s2 in "
        "[0, 0], rt0 in [0, 1], d0 + k in [1, 5]");
  EXPECT_EQ(map.Simplified().WithoutUnusedVariables().ToString(),
            "(d0)[k] -> (d0), domain: d0 in [0, 5], k in [0, 3], d0 + k in [1, 5]");
}

TEST(IndexMapTest, UndefinedAndOverflow) {
  Expr large = Expr(Interval::kInfinity) * Expr::Dimension(0);
  IndexMap map({{{0, 3}}, {}, {}}, {large});
  EXPECT_FALSE(map.is_undefined());
  EXPECT_FALSE(map.Evaluate({{2}, {}, {}}).ok());
  EXPECT_TRUE(IndexMap({{{0, 3}}, {}, {}}, {large + large}).is_undefined());
  map.AddConstraint(large + large, {0, 1});
  EXPECT_TRUE(map.is_undefined());
}

TEST(ComposeTest, IsSecondAfterFirst) {
  const std::string_view pairs[][2] = {
      {"(d0, d1) -> (d1, d0), domain: d0 in [0, 3], d1 in [0, 7]",
       "(d0, d1) -> (d0 * 4 + d1), domain: d0 in [0, 7], d1 in [0, 3]"},
      {"(d0)[s0] -> (d0 * 2 + s0), domain: d0 in [0, 5], s0 in [0, 2]",
       "(d0)[s0] -> (d0 + s0 - 1), domain: d0 in [1, 9], s0 in [0, 1], d0 + s0 in [2, 8]"},
      {"(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 5], rt0 in [0, 3]",
       "(d0){rt0} -> (d0 mod 4, rt0), domain: d0 in [0, 7], rt0 in [1, 2]"},
      {"(d0) -> (d0 + 100), domain: d0 in [0, 5]", "(d0) -> (d0), domain: d0 in [0, 7]"},
  };
  for (const auto& [first_text, second_text] : pairs) {
    const IndexMap first = M(first_text), second = M(second_text);
    const IndexMap both = *Compose(first, second);
    std::map<std::vector<int64_t>, std::vector<int64_t>> expected;
    for (const auto& [x, y] : Table(first)) {
      const int64_t dimensions = first.dimension_count();
      for (const auto& [y2, z] : Table(second)) {
        if (!std::equal(y.begin(), y.end(), y2.begin())) continue;
        std::vector<int64_t> key(x.begin(), x.begin() + dimensions);
        key.insert(key.end(), x.begin() + dimensions, x.end());
        key.insert(key.end(), y2.begin() + static_cast<int64_t>(y.size()), y2.end());
        expected[key] = z;
      }
    }
    EXPECT_EQ(Table(both), expected) << both;
  }
  EXPECT_TRUE(Compose(M(pairs[3][0]), M(pairs[3][1]))->is_known_empty());
  EXPECT_FALSE(Compose(M("() -> ()"), M(pairs[0][0])).ok());
  EXPECT_TRUE(Compose(IndexMap::Undefined(), M(pairs[0][0]))->is_undefined());
}

TEST(ComposeTest, AReshapeAndItsReverseAreTheIdentity) {
  const IndexMap there = M(
      "(d0, d1, d2) -> (d0 * 2 + d1 / 2, (d1 mod 2) * 4 + d2), domain: d0 in [0, 1], d1 in [0, 3], "
      "d2 in [0, 3]");
  const IndexMap back =
      M("(d0, d1) -> (d0 / 2, (d0 mod 2) * 2 + d1 / 4, d1 mod 4), domain: d0 in [0, 3], d1 in [0, "
        "7]");
  EXPECT_EQ(*Compose(there, back), IndexMap::Identity({2, 4, 4}));
  EXPECT_EQ(*Compose(back, there), IndexMap::Identity({4, 8}));
  EXPECT_EQ(*Invert(there), back) << *Invert(there);
  EXPECT_EQ(*Invert(back), there) << *Invert(back);
}

TEST(ComposeTest, NamesStay) {
  const IndexMap first = M("(th_x)[i] -> (th_x + i), domain: th_x in [0, 3], i in [0, 1]");
  const IndexMap second = M("(d0)[j] -> (d0 * 8 + j), domain: d0 in [0, 9], j in [0, 7]");
  EXPECT_EQ(Compose(first, second)->ToString(),
            "(th_x)[i, j] -> (th_x * 8 + i * 8 + j), domain: th_x in [0, 3], i in [0, 1], j in [0, "
            "7]");
}

TEST(InvertTest, IsTheInverse) {
  for (const std::string_view text : {
           "() -> ()",
           "(d0, d1) -> (d1, d0), domain: d0 in [0, 3], d1 in [0, 7]",
           "(d0) -> (-d0 + 16), domain: d0 in [0, 16]",
           "(d0) -> (d0 * 3 + 5), domain: d0 in [2, 9]",
           "(d0) -> (d0 * -3 + 5), domain: d0 in [2, 9]",
           "(d0, d1) -> (d0 * 8 + d1), domain: d0 in [0, 3], d1 in [0, 7]",
           "(d0, d1) -> (d0 * 8 + d1), domain: d0 in [0, 3], d1 in [0, 4]",
           "(d0, d1) -> (d0 * 8 - d1), domain: d0 in [-1, 3], d1 in [2, 6]",
           "(d0, d1, d2) -> (d0 * 7 + d1 * 20 - d2 * 2), domain: d0 in [0, 1], d1 in [0, 2], d2 in "
           "[0, 3]",
           "(d0) -> (d0 / 4, d0 mod 4), domain: d0 in [0, 18]",
           "(d0) -> (d0 mod 4, (d0 / 4) mod 2, d0 / 8), domain: d0 in [0, 31]",
           "(d0) -> (d0 mod 4, (d0 / 4) mod 8), domain: d0 in [0, 31]",
           "(d0, d1) -> ((d0 * 4 + d1) / 3, (d0 * 4 + d1) mod 3), domain: d0 in [0, 5], d1 in [0, "
           "3]",
           "(d0, d1) -> ((d0 * 6 + d1) / 4, (d0 * 6 + d1) mod 4), domain: d0 in [0, 3], d1 in [0, "
           "5]",
           "(d0, d1) -> (d0 - 2, 7, d1), domain: d0 in [2, 5], d1 in [0, 3]",
           "(d0, d1) -> (d0), domain: d0 in [2, 5], d1 in [3, 3]",
           "(d0, d1) -> ((d0 - 1) / 2, d1 - 4), domain: d0 in [1, 7], d1 in [4, 7], (d0 - 1) mod 2 "
           "in [0, 0]",
           "(d0, d1) -> (d0, d0 + d1), domain: d0 in [0, 3], d1 in [0, 3]",
       }) {
    const IndexMap map = M(text);
    const absl::StatusOr<IndexMap> inverse = Invert(map);
    ASSERT_TRUE(inverse.ok()) << inverse.status();
    std::map<std::vector<int64_t>, std::vector<int64_t>> expected;
    for (const auto& [x, y] : Table(map)) expected[y] = x;
    EXPECT_EQ(Table(*inverse), expected) << map << "\n" << *inverse;
  }
}

TEST(InvertTest, WhatHasNone) {
  EXPECT_THAT(Invert(M("(d0, d1) -> (d0), domain: d0 in [0, 3], d1 in [0, 3]")).status().message(),
              HasSubstr("cannot find dimension d1"));
  EXPECT_FALSE(Invert(M("(d0) -> (d0 / 2), domain: d0 in [0, 3]")).ok());
  EXPECT_FALSE(Invert(M("(d0, d1) -> (d0 + d1), domain: d0 in [0, 3], d1 in [0, 3]")).ok());
  EXPECT_FALSE(Invert(M("(d0)[s0] -> (d0), domain: d0 in [0, 3], s0 in [0, 1]")).ok());
  EXPECT_TRUE(Invert(IndexMap::KnownEmpty(2, 3))->is_known_empty());
}

TEST(CompareMapsTest, Verdicts) {
  const auto compare = [](std::string_view a, std::string_view b, int64_t most = 1 << 16) {
    return CompareMaps(M(a), M(b), most);
  };
  EXPECT_EQ(compare("(d0) -> ((d0 - 1) mod 2), domain: d0 in [0, 9]",
                    "(d0) -> ((d0 + 1) mod 2), domain: d0 in [0, 9]", 0),
            Comparison::kEqual);
  EXPECT_EQ(compare("(d0) -> (d0 mod 4), domain: d0 in [0, 9], d0 in [0, 3]",
                    "(d0) -> (d0), domain: d0 in [0, 3]", 0),
            Comparison::kEqual);
  EXPECT_EQ(compare("(d0) -> (d0), domain: d0 in [0, 3]", "(d0) -> (d0), domain: d0 in [0, 4]"),
            Comparison::kDifferent);
  EXPECT_EQ(
      compare("(d0) -> (d0 * d0), domain: d0 in [0, 1]", "(d0) -> (d0), domain: d0 in [0, 1]"),
      Comparison::kEqual);
  EXPECT_EQ(
      compare("(d0) -> (d0 * d0), domain: d0 in [0, 1]", "(d0) -> (d0), domain: d0 in [0, 1]", 1),
      Comparison::kUnknown);
  EXPECT_EQ(compare("(d0) -> (d0), domain: d0 in [0, 3]", "(d0) -> (d0, 1), domain: d0 in [0, 3]"),
            Comparison::kDifferent);
  EXPECT_EQ(CompareMaps(IndexMap::Undefined(), IndexMap::Undefined()), Comparison::kDifferent);
}

}  // namespace
}  // namespace warpyard::symbolic
