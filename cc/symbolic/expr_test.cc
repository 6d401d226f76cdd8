// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/symbolic/expr.h"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cc/symbolic/parse.h"
#include "cc/symbolic/simplify.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::symbolic {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kGreatest = std::numeric_limits<int64_t>::max();

Expr E(std::string_view text) {
  absl::StatusOr<Expr> e = ParseExpr(text);
  EXPECT_TRUE(e.ok()) << text << ": " << e.status();
  return e.ok() ? *e : Expr();
}

TEST(ExprTest, CanonicalText) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"1 + 2 * 3", "7"},
      {"-1 + s0 + 2 * d0", "d0 * 2 + s0 - 1"},
      {"d0 + s0 mod 3", "s0 mod 3 + d0"},
      {"16 - d1", "-d1 + 16"},
      {"d0 - d1", "-d1 + d0"},
      {"d1 * 2 - d0 * 3", "d0 * -3 + d1 * 2"},
      {"rt0 + s1 + s0 + d1 + d0", "d0 + d1 + s0 + s1 + rt0"},
      {"d0 + d0", "d0 * 2"},
      {"d0 - d0", "0"},
      {"(d0 + 1) * 2", "d0 * 2 + 2"},
      {"(d0 + 1) * (s0 + 2)", "d0 * s0 + d0 * 2 + s0 + 2"},
      {"s0 * d0 - d0 * s0 + 1", "1"},
      {"d0 * 8 / 4", "d0 * 2"},
      {"(d0 * 8 + s0) / 4", "d0 * 2 + s0 / 4"},
      {"(d0 - 1) / 2", "(d0 - 1) / 2"},
      {"(d0 - 1) mod 2", "(d0 - 1) mod 2"},
      {"(d0 + 5) / 2", "(d0 + 1) / 2 + 2"},
      {"(d0 * 2 + 1) / 4", "d0 / 2"},
      {"d0 / 2 / 3", "d0 / 6"},
      {"(d0 / 2 + 1) / 3", "(d0 + 2) / 6"},
      {"d0 mod 8 / 2", "(d0 / 2) mod 4"},
      {"d0 mod 6 mod 3", "d0 mod 3"},
      {"(d0 * 2) mod 4", "(d0 mod 2) * 2"},
      {"(d1 mod 2) * 4 + d2", "(d1 mod 2) * 4 + d2"},
      {"d0 * 2 + d1 / 2", "d0 * 2 + d1 / 2"},
      {"d0 ceildiv 2", "d0 ceildiv 2"},
      {"(d0 * 4 + s0) ceildiv 4", "s0 ceildiv 4 + d0"},
      {"-7 / 2", "-4"},
      {"-7 mod 2", "1"},
      {"-7 ceildiv 2", "-3"},
      {"7 ceildiv 2", "4"},
      {"min(d0, 3, d0 + 1)", "min(d0, 3)"},
      {"max(d0 - 1, d0)", "d0"},
      {"min(min(s0, d0), s1)", "min(d0, s0, s1)"},
      {"-(d0 / 2)", "-(d0 / 2)"},
      {"-d0 * d1", "-(d0 * d1)"},
      {"(d0 * s0 + d1) / s0", "d1 / s0 + d0"},
      {"(d0 * s0 + d1) mod s0", "d1 mod s0"},
      {"d0 floordiv 4", "d0 / 4"},
      {" d0+\n1 ", "d0 + 1"},
      {"9223372036854775807 - 0", "9223372036854775807"},
      {"-9223372036854775808 + d0", "d0 + -9223372036854775808"},
  };
  for (const auto& [text, expected] : cases) {
    const Expr e = E(text);
    EXPECT_EQ(e.ToString(), expected) << text;
    EXPECT_EQ(E(e.ToString()), e) << text;
  }
}

TEST(ExprTest, NamesOfVariables) {
  const Names names = {.dimensions = {"th_x", "bl_x"}, .ranges = {"s0"}};
  const Expr e = *ParseExpr("bl_x * 128 + th_x + s0", names);
  EXPECT_EQ(e, Expr::Dimension(1) * 128 + Expr::Dimension(0) + Expr::Range(0));
  EXPECT_EQ(e.ToString(names), "bl_x * 128 + th_x + s0");
  EXPECT_FALSE(ParseExpr("d0", names).ok());
}

TEST(ExprTest, OverflowIsNeverSilent) {
  const Expr d0 = Expr::Dimension(0);
  EXPECT_TRUE((Expr(kGreatest) + 1).is_undefined());
  EXPECT_TRUE((d0 * kGreatest * 2).is_undefined());
  EXPECT_TRUE((d0 * kGreatest + d0).is_undefined());
  EXPECT_TRUE((d0 / 0).is_undefined());
  EXPECT_TRUE(Mod(d0, -1).is_undefined());
  EXPECT_TRUE((Expr::Undefined() * 0 + d0).is_undefined());
  const Expr large = d0 * kGreatest;
  EXPECT_EQ(*large.Evaluate({.dimensions = {1}}), kGreatest);
  EXPECT_EQ(large.Evaluate({.dimensions = {2}}).status().code(), absl::StatusCode::kOutOfRange);
  // On the way values may be greater.
  EXPECT_EQ(*(d0 * kGreatest / 8).Evaluate({.dimensions = {8}}), kGreatest);
  const Expr product = d0 * d0 * d0 * d0;
  EXPECT_EQ(product.Evaluate({.dimensions = {kGreatest}}).status().code(),
            absl::StatusCode::kOutOfRange);
}

TEST(ExprTest, EvaluationErrors) {
  const Expr e = E("d0 / s0 + rt1");
  EXPECT_THAT(e.Evaluate({{1}, {2}, {}}).status().message(), HasSubstr("no value for rt1"));
  EXPECT_THAT(e.Evaluate({{1}, {0}, {0, 0}}).status().message(), HasSubstr("less than 1"));
  EXPECT_EQ(*e.Evaluate({{-7}, {2}, {0, 10}}), 6);
  EXPECT_EQ(Expr::Undefined().Evaluate({}).status().code(), absl::StatusCode::kFailedPrecondition);
}

TEST(ExprTest, ParseErrors) {
  const auto error = [](std::string_view text) {
    return std::string(ParseExpr(text).status().message());
  };
  EXPECT_EQ(error(""), "at 0: expected an operand, found the end");
  EXPECT_EQ(error("d0 + x"), "at 5: expected a variable of the map, found 'x'");
  EXPECT_EQ(error("(d0"), "at 3: expected ')', found the end");
  EXPECT_EQ(error("d0 d1"), "at 3: expected the end of the expression, found 'd1'");
  EXPECT_EQ(error("min(d0)"), "at 6: expected ',', found ')'");
  EXPECT_THAT(error("9223372036854775808"), HasSubstr("64 bits"));
  EXPECT_THAT(error("9223372036854775807 + 1"), HasSubstr("64 bits"));
  EXPECT_THAT(error("d0 / 0"), HasSubstr("less than 1"));
  EXPECT_FALSE(ParseExpr("d00").ok());
  EXPECT_FALSE(ParseExpr("3d0").ok());
  EXPECT_EQ(ParseExpr(std::string(100000, '(')).status().code(),
            absl::StatusCode::kResourceExhausted);
  std::string powers = "d0 + d1 + d2 + 1";
  for (int i = 0; i < 12; ++i) powers = "(" + powers + ") * (" + powers + ")";
  EXPECT_EQ(ParseExpr(powers).status().code(), absl::StatusCode::kResourceExhausted);
}

TEST(ExprTest, ReplaceKeepsTheCanonicalForm) {
  const Expr e = E("d0 * 4 + d1");
  const Expr replaced = e.Replace([](Variable v) -> std::optional<Expr> {
    if (v == Variable{VariableKind::kDimension, 0}) return Expr::Range(0) / 4;
    if (v == Variable{VariableKind::kDimension, 1}) return Mod(Expr::Range(0), 4);
    return std::nullopt;
  });
  EXPECT_EQ(replaced.ToString(), "(s0 / 4) * 4 + s0 mod 4");
  EXPECT_EQ(Simplify(replaced, {}).ToString(), "s0");
}

TEST(SimplifyTest, OnRanges) {
  const Ranges ranges = {.dimensions = {{0, 7}, {0, 15}, {5, 5}, {-3, 2}},
                         .ranges = {{0, 31}, {0, 1}}};
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"(d0 + s0 * 8) / 8", "s0"},
      {"(s0 * 8 + d0) mod 16", "(s0 mod 2) * 8 + d0"},
      {"(s0 * 8 + d0) / 16", "s0 / 2"},
      {"d0 mod 8", "d0"},
      {"(d0 + 8) mod 8", "d0"},
      {"d0 / 8 + d1", "d1"},
      {"d2 * 2 + d0", "d0 + 10"},
      {"min(d0, 7)", "d0"},
      {"max(d0, -1)", "d0"},
      {"min(d0, d3 + 20)", "d0"},
      {"(d1 / 4) * 4 + d1 mod 4", "d1"},
      {"((d1 / 4) mod 2) * 4 + d1 mod 4", "d1 mod 8"},
      {"d1 - (d1 / 4) * 4", "d1 mod 4"},
      {"(d1 + 3) / 4 * 8 + (d1 + 3) mod 4 * 2", "d1 * 2 + 6"},
      {"(d0 * 128 + d1 * 8 + s1) mod 128", "d1 * 8 + s1"},
      {"(d0 * 128 + d1 * 8 + s1) / 128", "d0"},
      {"s0 ceildiv 32 + d0 mod 2", "d0 mod 2 + s0 ceildiv 32"},
      {"(s0 / 8 * 8 + s0 mod 8) * 2", "s0 * 2"},
      {"d3 / 4", "d3 / 4"},
      {"(d3 + 3) / 6", "0"},
  };
  for (const auto& [text, expected] : cases) {
    const Expr simple = Simplify(E(text), ranges);
    EXPECT_EQ(simple.ToString(), expected) << text;
    EXPECT_EQ(Simplify(simple, ranges), simple) << text;
  }
}

TEST(SimplifyTest, SymbolicTileSizes) {
  // s0 is a tile size, d0 the tile, d1 within it.
  const Ranges ranges = {.dimensions = {{0, 100}, {0, 100}}, .ranges = {{1, 128}}};
  EXPECT_EQ(Simplify(E("(d0 * s0) / s0"), ranges).ToString(), "d0");
  EXPECT_EQ(Simplify(E("(d1 / s0) * s0 + d1 mod s0"), ranges).ToString(), "d1");
}

TEST(SimplifyTest, ProvablyEqual) {
  const Ranges ranges = {.dimensions = {{0, 7}, {0, 100}}};
  const std::pair<std::string_view, std::string_view> equal[] = {
      {"(d0 - 1) mod 2", "(d0 + 1) mod 2"}, {"d0 ceildiv 4", "(d0 + 3) / 4"},
      {"max(d0, d1)", "-min(-d0, -d1)"},    {"d1 mod 4", "d1 - d1 / 4 * 4"},
      {"(d0 + d1 * 8) / 8", "d1"},          {"(d1 + 7) / 8", "d1 ceildiv 8"},
      {"(d1 - 9) / 4", "(d1 - 1) / 4 - 2"},
  };
  for (const auto& [a, b] : equal) EXPECT_TRUE(ProvablyEqual(E(a), E(b), ranges)) << a << " " << b;
  EXPECT_FALSE(ProvablyEqual(E("d0"), E("d1"), ranges));
  EXPECT_FALSE(ProvablyEqual(E("d0 / 2"), E("d0 ceildiv 2"), ranges));
}

}  // namespace
}  // namespace warpyard::symbolic
