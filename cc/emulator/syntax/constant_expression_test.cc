// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/syntax/constant_expression.h"

#include <bit>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "cc/emulator/syntax/scanner.h"
#include "gtest/gtest.h"

namespace warpyard::emulator::syntax {
namespace {

ConstantValue Evaluate(const std::string& text) {
  Scanner scanner(text);
  ConstantValue value;
  const absl::Status status = ParseConstantExpression(scanner, &value);
  EXPECT_TRUE(status.ok()) << text << ": " << status;
  EXPECT_TRUE(scanner.AtEnd()) << text;
  return value;
}

std::string ErrorOf(const std::string& text) {
  Scanner scanner(text);
  ConstantValue value;
  const absl::Status status = ParseConstantExpression(scanner, &value);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
  return std::string(status.message());
}

TEST(ConstantExpressionTest, Numbers) {
  EXPECT_EQ(Evaluate("0").bits, 0u);
  EXPECT_EQ(Evaluate("12").bits, 12u);
  EXPECT_EQ(Evaluate("0x1F").bits, 31u);
  EXPECT_EQ(Evaluate("017").bits, 15u);
  EXPECT_EQ(Evaluate("0b101").bits, 5u);
  EXPECT_EQ(Evaluate("5U").kind, ConstantValue::Kind::kUnsigned);
  EXPECT_EQ(Evaluate("18446744073709551615").bits, ~uint64_t{0});
  EXPECT_EQ(Evaluate("18446744073709551615").kind, ConstantValue::Kind::kUnsigned);
  EXPECT_EQ(Evaluate("-1").bits, ~uint64_t{0});
  EXPECT_TRUE(Evaluate("-1").negative);
  EXPECT_EQ(Evaluate("WARP_SZ").bits, 32u);
}

TEST(ConstantExpressionTest, FloatingPoint) {
  EXPECT_EQ(Evaluate("0f3F800000").kind, ConstantValue::Kind::kSingle);
  EXPECT_EQ(Evaluate("0F3f800000").bits, 0x3f800000u);
  EXPECT_EQ(Evaluate("-0f3f800000").bits, 0xbf800000u);
  EXPECT_EQ(Evaluate("0d3FF0000000000000").bits, 0x3FF0000000000000u);
  EXPECT_EQ(std::bit_cast<double>(Evaluate("1.5e-3").bits), 1.5e-3);
  EXPECT_EQ(std::bit_cast<double>(Evaluate("-2.").bits), -2.0);
  EXPECT_EQ(std::bit_cast<double>(Evaluate("1E2").bits), 100.0);
  EXPECT_EQ(std::bit_cast<double>(Evaluate("1.5*2.0+1.0").bits), 4.0);
}

TEST(ConstantExpressionTest, OperatorsBindAsInC) {
  EXPECT_EQ(Evaluate("1+2*3").bits, 7u);
  EXPECT_EQ(Evaluate("(1+2)*3").bits, 9u);
  EXPECT_EQ(Evaluate("10-4-3").bits, 3u);
  EXPECT_EQ(Evaluate("1<<4|3").bits, 19u);
  EXPECT_EQ(Evaluate("7&3==3").bits, 1u);
  EXPECT_EQ(Evaluate("1?2:3").bits, 2u);
  EXPECT_EQ(Evaluate("0?2:0?4:5").bits, 5u);
  EXPECT_EQ(Evaluate("!0 && 2 || 0").bits, 1u);
  EXPECT_EQ(Evaluate("~0").bits, ~uint64_t{0});
  EXPECT_EQ(Evaluate("-7/2").bits, static_cast<uint64_t>(-3));
  EXPECT_EQ(Evaluate("-7%2").bits, static_cast<uint64_t>(-1));
  EXPECT_EQ(Evaluate("-1 > 0").bits, 0u);
  EXPECT_EQ(Evaluate("(.u64)-1 > 0").bits, 1u);
  EXPECT_EQ(Evaluate("-1 > 0U").bits, 1u);
  EXPECT_EQ(Evaluate("-16>>2").bits, static_cast<uint64_t>(-4));
  EXPECT_EQ(Evaluate("0x8000000000000000/-1").bits, 0u);
  EXPECT_EQ(Evaluate("(.s64)0x8000000000000000/-1").bits, uint64_t{1} << 63);
}

TEST(ConstantExpressionTest, Mistakes) {
  EXPECT_EQ(ErrorOf("1/0"), "line 1, column 4: division by zero in a constant expression");
  EXPECT_EQ(ErrorOf("(1"), "line 1, column 3: expected ')', found the end of the text");
  EXPECT_EQ(ErrorOf("0x"), "line 1, column 1: expected a number, found '0x'");
  EXPECT_EQ(ErrorOf("09"), "line 1, column 1: expected a number, found '09'");
  EXPECT_EQ(ErrorOf("18446744073709551616"),
            "line 1, column 1: expected a number, found '18446744073709551616'");
  EXPECT_EQ(ErrorOf("1.5 << 2"),
            "line 1, column 9: expected integers: the operator does not take floating-point "
            "numbers");
  EXPECT_NE(ErrorOf(std::string(100000, '(')).find("nested deeper"), std::string::npos);
  EXPECT_NE(ErrorOf(std::string(100000, '-')).find("nested deeper"), std::string::npos);
}

}  // namespace
}  // namespace warpyard::emulator::syntax
