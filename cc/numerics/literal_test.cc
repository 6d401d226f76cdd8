// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/numerics/literal.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cc/numerics/convert.h"
#include "cc/numerics/element_type.h"
#include "cc/numerics/literal_compare.h"
#include "cc/numerics/literal_text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Text that XLA printed (jaxlib 0.10.2) comes back letter for letter.
TEST(LiteralTextTest, AsXlaPrints) {
  struct Case {
    ElementType type;
    std::vector<int64_t> dimensions;
    std::string_view text;
  };
  const Case cases[] = {
      {ElementType::kF32, {2, 3}, "{ { 1, 2.5, 1e+20 }, { nan, -inf, -0.1 } }"},
      {ElementType::kF32,
       {2, 2, 2, 2},
       "{ { /*i0=0*/ { /*i1=0*/ { 1, 2 }, { 3, 4 } }, { /*i1=1*/ { 5, 6 }, { 7, 8 } } }, { "
       "/*i0=1*/ { /*i1=0*/ { 1, 2 }, { 3, 4 } }, { /*i1=1*/ { 5, 6 }, { 7, 8 } } } }"},
      {ElementType::kF32, {2, 2, 2}, "{ { { 1, 2 }, { 3, 4 } }, { { 5, 6 }, { 7, 8 } } }"},
      {ElementType::kPred, {2, 1}, "{ {1}, {0} }"},
      {ElementType::kPred, {}, "true"},
      {ElementType::kF8E4M3FNUZ, {2}, "{-nan, 0.0195}"},
      {ElementType::kC64, {2}, "{(1, 2), (-0, 3e-07)}"},
      {ElementType::kF8E4M3FN, {3}, "{0.102, 448, nan}"},
      {ElementType::kBF16, {3}, "{0.1001, 3.141, nan}"},
      {ElementType::kF64, {3}, "{0.1, 3.14159, 1e+300}"},
      {ElementType::kS4, {2}, "{-8, 7}"},
      {ElementType::kF32, {2, 0}, "{ {}, {} }"},
      {ElementType::kF32, {0}, "{}"},
      {ElementType::kF32, {0, 2}, "{  }"},
      {ElementType::kF32, {}, "0.333333343"},
      {ElementType::kF16, {2}, "{0.099976, 65504}"},
      {ElementType::kF32, {1, 1}, "{ {1} }"},
      {ElementType::kF32, {5}, "{nan(0x1), -nan, 1.4013e-45, 16777216, 123456792}"},
      {ElementType::kF8E8M0FNU, {2}, "{1, 0.5}"},
      {ElementType::kF64, {4}, "{1e+15, 1e+16, 1e+17, 1.2345678901234568e+17}"},
      {ElementType::kU64, {2}, "{18446744073709551615, 0}"},
      {ElementType::kS64, {1}, "{-9223372036854775808}"},
  };
  for (const Case& one : cases) {
    const absl::StatusOr<Literal> literal = ParseLiteral(one.type, one.dimensions, one.text);
    ASSERT_TRUE(literal.ok()) << one.text << ": " << literal.status();
    EXPECT_EQ(LiteralToString(*literal), one.text);
  }
}

TEST(LiteralTextTest, EveryValueOfEveryNarrowTypeComesBack) {
  for (const ElementTypeInfo& type : kElementTypes) {
    if (type.bits > 16) continue;
    const int64_t count = int64_t{1} << (IsPred(type.type) ? 1 : type.bits);
    Literal literal = *Literal::Create(type.type, {count});
    for (int64_t i = 0; i < count; ++i) std::memcpy(literal.At(i), &i, ByteWidth(type.type));
    // Upper bits of a byte do not count; conversion clears them.
    if (IsInteger(type.type)) literal = literal.Convert(type.type);
    const absl::StatusOr<Literal> back = ParseLiteral(type.type, {count}, LiteralToString(literal));
    ASSERT_TRUE(back.ok()) << back.status();
    for (int64_t i = 0; i < count; ++i) {
      // All NaNs of a narrow format are one.
      if (type.bits <= 8 && std::isnan(literal.GetDouble(i))) {
        ASSERT_TRUE(std::isnan(back->GetDouble(i)));
        continue;
      }
      ASSERT_EQ(std::memcmp(literal.At(i), back->At(i), ByteWidth(type.type)), 0)
          << type.name << " " << i << ": " << ElementToString(type.type, literal.At(i));
    }
  }
}

TEST(LiteralTextTest, Errors) {
  const auto error = [](ElementType type, std::vector<int64_t> dimensions, std::string_view text) {
    return std::string(ParseLiteral(type, dimensions, text).status().message());
  };
  EXPECT_THAT(error(ElementType::kF32, {2}, "{1}   "),
              HasSubstr("expected ',' and value 2 of the 2"));
  EXPECT_THAT(error(ElementType::kF32, {2}, "{1, 2, 3}"), HasSubstr("expected '}' after the 2"));
  EXPECT_THAT(error(ElementType::kF32, {2}, "1, 2, 3"),
              HasSubstr("expected '{' of f32, found '1,"));
  EXPECT_THAT(error(ElementType::kF32, {2}, "{1, two}"), HasSubstr("found 'two}'"));
  EXPECT_THAT(error(ElementType::kF32, {2}, "{...}         "), HasSubstr("left out"));
  EXPECT_THAT(error(ElementType::kF32, {1}, "{1} x"), HasSubstr("after the values: 'x'"));
  EXPECT_THAT(error(ElementType::kF32, {}, "1e39"), HasSubstr("in the range"));
  EXPECT_THAT(error(ElementType::kS8, {}, "128"), HasSubstr("an integer in the range of s8"));
  EXPECT_THAT(error(ElementType::kU8, {}, "-1"), HasSubstr("an integer in the range of u8"));
  EXPECT_THAT(error(ElementType::kF4E2M1FN, {}, "nan"), HasSubstr("instead of NaN"));
  EXPECT_THAT(error(ElementType::kF8E8M0FNU, {}, "-1"), HasSubstr("in the range"));
  EXPECT_THAT(error(ElementType::kF32, {}, "nan(0x0)"), HasSubstr("bits of a NaN"));
  EXPECT_THAT(error(ElementType::kF32, {}, ""), HasSubstr("the text can hold"));
  EXPECT_THAT(error(ElementType::kF32, {1 << 20, 1 << 20, 1 << 20}, "{}"),
              HasSubstr("the text can hold"));
  EXPECT_THAT(error(ElementType::kF32, {-1}, "{}"), HasSubstr("negative"));
  // The text stops where the error is.
  std::string_view text = "{1, 2x}";
  EXPECT_FALSE(ConsumeLiteral(ElementType::kF32, {2}, text).ok());
  EXPECT_EQ(text, "2x}");
}

TEST(LiteralTest, CreateChecksShapeAndLayout) {
  EXPECT_EQ(Literal::Create(ElementType::kF32, {-1}).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(Literal::Create(ElementType::kF32, {1 << 30, 1 << 30, 1 << 30}).status().code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_TRUE(Literal::Create(ElementType::kF32, {int64_t{1} << 62, 4, 0}).ok());
  EXPECT_FALSE(Literal::Create(ElementType::kF32, {2, 3}, {0}).ok());
  EXPECT_FALSE(Literal::Create(ElementType::kF32, {2, 3}, {0, 0}).ok());
  EXPECT_FALSE(Literal::Create(ElementType::kF32, {2, 3}, {0, 2}).ok());
  EXPECT_FALSE(Literal::FromBytes(ElementType::kF32, {2}, "1234567").ok());
}

TEST(LiteralTest, LayoutsHoldTheSameValues) {
  const Literal rows = *ParseLiteral(ElementType::kS32, {2, 3}, "{ { 1, 2, 3 }, { 4, 5, 6 } }");
  EXPECT_TRUE(rows.is_row_major());
  EXPECT_THAT(rows.data<int32_t>(), ElementsAre(1, 2, 3, 4, 5, 6));
  const Literal columns = *rows.Relayout({0, 1});
  EXPECT_THAT(columns.data<int32_t>(), ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_THAT(columns.strides(), ElementsAre(1, 2));
  EXPECT_EQ(LiteralToString(columns), LiteralToString(rows));
  EXPECT_EQ(*columns.Relayout(), rows);
  EXPECT_TRUE(Compare(rows, columns, {})->ok());
  EXPECT_EQ(columns.GetInt64(columns.Offset({1, 2})), 6);
}

TEST(LiteralTest, ElementsAreConverted) {
  Literal literal = *Literal::Create(ElementType::kF8E4M3FN, {3});
  literal.SetDouble(0, 3.14);
  literal.SetInt64(1, 7);
  literal.SetComplex(2, {2, 5});
  EXPECT_EQ(literal.GetDouble(0), 3.25);
  EXPECT_EQ(literal.GetInt64(0), 3);
  const Literal wide = literal.Convert(ElementType::kF32);
  EXPECT_THAT(wide.data<float>(), ElementsAre(3.25f, 7.0f, 2.0f));
}

TEST(CompareTest, TellsTheWorst) {
  const Literal expected = *ParseLiteral(ElementType::kF32, {2, 2}, "{ { 1, 2 }, { 3, nan } }");
  Literal found = expected;
  EXPECT_TRUE(Compare(expected, found, {})->ok());
  found.SetDouble(1, 2.5);
  found.SetDouble(2, 3 + 2.0 / (1 << 22));
  const Comparison strict = *Compare(expected, found, {});
  EXPECT_EQ(strict.differing, 2);
  EXPECT_EQ(strict.greatest_absolute, 0.5);
  const Comparison loose = *Compare(expected, found, {.ulps = 2});
  EXPECT_EQ(loose.ToString(),
            "1 of 4 elements differ; the worst:\n"
            "  [0,1] expected 2, found 2.5: 0.5 absolute, 0.25 relative, 2097152 ulps");
  EXPECT_TRUE(Compare(expected, found, {.relative = 0.25})->ok());
  EXPECT_FALSE(Compare(expected, found, {.relative = 0.24})->ok());
  EXPECT_TRUE(Compare(expected, found, {.absolute = 0.5})->ok());
  found.SetDouble(3, 1);
  EXPECT_EQ(Compare(expected, found, {.absolute = 1e300})->worst[0].index[1], 1);
  EXPECT_EQ(Compare(expected, found, {}, 1)->worst.size(), 1u);
}

TEST(CompareTest, SpecialValues) {
  const auto ok = [](ElementType type, std::string_view a, std::string_view b,
                     Tolerance tolerance) {
    return Compare(*ParseLiteral(type, {}, a), *ParseLiteral(type, {}, b), tolerance)->ok();
  };
  const Tolerance wide = {.absolute = 1e300, .relative = 1, .ulps = 1 << 30};
  EXPECT_TRUE(ok(ElementType::kF32, "nan", "-nan", {}));
  EXPECT_FALSE(ok(ElementType::kF32, "nan", "1", wide));
  EXPECT_FALSE(ok(ElementType::kF32, "inf", "3e38", wide));
  EXPECT_FALSE(ok(ElementType::kF32, "inf", "-inf", wide));
  EXPECT_TRUE(ok(ElementType::kF32, "inf", "inf", {}));
  EXPECT_TRUE(ok(ElementType::kF32, "0", "-0", {}));
  EXPECT_TRUE(ok(ElementType::kF32, "1e-45", "-1e-45", {.ulps = 2}));
  EXPECT_FALSE(ok(ElementType::kF32, "1e-45", "-1e-45", {.ulps = 1}));
  EXPECT_TRUE(ok(ElementType::kF8E5M2, "1", "1.25", {.ulps = 1}));
  EXPECT_FALSE(ok(ElementType::kC64, "(1, 2)", "(1, 3)", {.absolute = 0.5}));
  EXPECT_TRUE(ok(ElementType::kC64, "(1, 2)", "(1, 3)", {.absolute = 1}));
  EXPECT_FALSE(ok(ElementType::kU64, "18446744073709551615", "18446744073709551614", {}));
  EXPECT_FALSE(ok(ElementType::kS64, "-9223372036854775808", "9223372036854775807", {.ulps = 5}));
  EXPECT_FALSE(ok(ElementType::kPred, "true", "false", {}));
}

TEST(CompareTest, AReferenceOfHigherPrecision) {
  const Literal expected = *ParseLiteral(ElementType::kF64, {2}, "{3.1415926535, 1e300}");
  const Literal found = *ParseLiteral(ElementType::kBF16, {2}, "{3.140625, inf}");
  const Comparison comparison = *Compare(expected, found, {.ulps = 0});
  EXPECT_EQ(comparison.differing, 1);
  EXPECT_EQ(comparison.worst[0].index[0], 1);
  EXPECT_FALSE(Compare(expected, *ParseLiteral(ElementType::kF32, {1}, "{1}"), {}).ok());
}

TEST(ConvertTest, IntegersAreRoundedOnce) {
  // 2^60 + 2^36 is a tie for f32, which the last bit breaks; a double would lose it.
  const int64_t value = (int64_t{1} << 60) + (int64_t{1} << 36) + 1;
  float wide;
  ConvertElements(ElementType::kS64, &value, ElementType::kF32, &wide, 1);
  EXPECT_EQ(wide, static_cast<float>(value));
  EXPECT_EQ(wide, std::nextafter(0x1p60f, 0x1p61f));
  uint16_t narrow;
  const int64_t tie = -((int64_t{1} << 62) + (int64_t{1} << 54) + 1);
  ConvertElements(ElementType::kS64, &tie, ElementType::kBF16, &narrow, 1);
  EXPECT_EQ(ReadDouble(ElementType::kBF16, &narrow), -(0x1p62 + 0x1p55));
}

}  // namespace
}  // namespace warpyard
