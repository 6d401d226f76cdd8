// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/numerics/small_float.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "cc/numerics/element_type.h"
#include "gtest/gtest.h"

namespace warpyard {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

static_assert(EncodeFloat(kF8E4M3FN, 3.14) == 0x45);
static_assert(DecodeFloat(kF8E4M3FN, 0x45) == 3.25);
static_assert(EncodeFloat(kBF16, 1.0) == 0x3f80);
static_assert(MakeDecodeTable(kF4E2M1FN).values[0xf] == -6.0f);

class AllFormats : public testing::TestWithParam<ElementType> {};

INSTANTIATE_TEST_SUITE_P(SmallFloat, AllFormats,
                         testing::Values(ElementType::kF4E2M1FN, ElementType::kF6E2M3FN,
                                         ElementType::kF6E3M2FN, ElementType::kF8E3M4,
                                         ElementType::kF8E4M3, ElementType::kF8E4M3FN,
                                         ElementType::kF8E4M3FNUZ, ElementType::kF8E4M3B11FNUZ,
                                         ElementType::kF8E5M2, ElementType::kF8E5M2FNUZ,
                                         ElementType::kF8E8M0FNU, ElementType::kF16,
                                         ElementType::kBF16),
                         [](const auto& info) { return std::string(ElementTypeName(info.param)); });

TEST_P(AllFormats, WidthIsThatOfTheType) {
  EXPECT_EQ(FormatOf(GetParam()).bits(), BitWidth(GetParam()));
}

TEST_P(AllFormats, EveryPatternComesBackUnderEveryRounding) {
  const FloatFormat format = FormatOf(GetParam());
  for (uint32_t code = 0; code < 1u << format.bits(); ++code) {
    const double value = DecodeFloat(format, code);
    for (int rounding = 0; rounding <= static_cast<int>(Rounding::kStochastic); ++rounding) {
      const uint32_t back = EncodeFloat(
          format, value, {.rounding = static_cast<Rounding>(rounding), .random = 0xffffffff});
      if (std::isnan(value)) {
        ASSERT_TRUE(std::isnan(DecodeFloat(format, back))) << code;
      } else {
        ASSERT_EQ(back, code) << value << " rounding " << rounding;
      }
    }
  }
}

// The neighbours of a value, by walking the patterns rather than by arithmetic on bits.
TEST_P(AllFormats, RoundsBetweenNeighbours) {
  const FloatFormat format = FormatOf(GetParam());
  for (uint32_t code = 0; code < format.max_finite(); ++code) {
    const double low = DecodeFloat(format, code);
    const double high = DecodeFloat(format, code + 1);
    ASSERT_LT(low, high);
    const double middle = low + (high - low) / 2;
    const uint32_t even = format.exponent_only || (code & 1) != 0 ? code + 1 : code;
    const double below = std::nextafter(middle, 0);
    const double above = std::nextafter(middle, kInfinity);
    const auto encode = [&](double value, Rounding rounding) {
      return EncodeFloat(format, value, {.rounding = rounding});
    };
    ASSERT_EQ(encode(middle, Rounding::kNearestEven), even);
    ASSERT_EQ(encode(middle, Rounding::kNearestAway), code + 1);
    ASSERT_EQ(encode(below, Rounding::kNearestEven), code);
    ASSERT_EQ(encode(above, Rounding::kNearestEven), code + 1);
    ASSERT_EQ(encode(below, Rounding::kNearestAway), code);
    for (const double value : {below, middle, above}) {
      ASSERT_EQ(encode(value, Rounding::kTowardZero), code);
      ASSERT_EQ(encode(value, Rounding::kDown), code);
      ASSERT_EQ(encode(value, Rounding::kUp), code + 1);
      if (format.exponent_only) continue;
      const uint32_t sign = format.sign_bit();
      const uint32_t minus_low = code == 0 && !format.has_negative_zero() ? 0 : sign | code;
      ASSERT_EQ(encode(-value, Rounding::kTowardZero), minus_low);
      ASSERT_EQ(encode(-value, Rounding::kUp), minus_low);
      ASSERT_EQ(encode(-value, Rounding::kDown), sign | (code + 1));
    }
  }
}

// Of the 2^n random numbers exactly the share that was cut off rounds away.
TEST_P(AllFormats, StochasticRoundingIsFair) {
  const FloatFormat format = FormatOf(GetParam());
  const uint32_t step = format.bits() > 8 ? 997 : 1;
  for (uint32_t code = 0; code < format.max_finite(); code += step) {
    const double low = DecodeFloat(format, code);
    const double high = DecodeFloat(format, code + 1);
    for (const int sixteenths : {1, 5, 8, 15}) {
      const double value = low + (high - low) * sixteenths / 16;
      int away = 0;
      for (uint32_t random = 0; random < 64; ++random) {
        const uint32_t found = EncodeFloat(
            format, value,
            {.rounding = Rounding::kStochastic, .random_bits = 6, .random = random | 0xabc0});
        ASSERT_TRUE(found == code || found == code + 1);
        away += found == code + 1 ? 1 : 0;
      }
      ASSERT_EQ(away, sixteenths * 4) << value;
    }
  }
}

TEST_P(AllFormats, Overflow) {
  const FloatFormat format = FormatOf(GetParam());
  const uint32_t greatest = format.max_finite();
  for (const double value : {1e300, kInfinity}) {
    EXPECT_EQ(EncodeFloat(format, value, {.saturation = Saturation::kFinite}), greatest);
    const uint32_t plain = EncodeFloat(format, value);
    if (format.has_infinity()) {
      EXPECT_EQ(DecodeFloat(format, plain), kInfinity);
    } else if (format.has_nan()) {
      EXPECT_TRUE(std::isnan(DecodeFloat(format, plain)));
    } else {
      EXPECT_EQ(plain, greatest);
    }
  }
  EXPECT_EQ(EncodeFloat(format, 1e300, {.rounding = Rounding::kTowardZero}), greatest);
  EXPECT_EQ(EncodeFloat(format, 1e300, {.rounding = Rounding::kDown}), greatest);
  if (format.exponent_only) return;
  EXPECT_EQ(EncodeFloat(format, -1e300, {.rounding = Rounding::kUp}), greatest | format.sign_bit());
  EXPECT_EQ(EncodeFloat(format, -kInfinity, {.saturation = Saturation::kFinite}),
            greatest | format.sign_bit());
}

TEST(SmallFloatTest, GreatestAndLeastValues) {
  const auto greatest = [](const FloatFormat& f) { return DecodeFloat(f, f.max_finite()); };
  EXPECT_EQ(greatest(kF4E2M1FN), 6);
  EXPECT_EQ(greatest(kF6E2M3FN), 7.5);
  EXPECT_EQ(greatest(kF6E3M2FN), 28);
  EXPECT_EQ(greatest(kF8E3M4), 15.5);
  EXPECT_EQ(greatest(kF8E4M3), 240);
  EXPECT_EQ(greatest(kF8E4M3FN), 448);
  EXPECT_EQ(greatest(kF8E4M3FNUZ), 240);
  EXPECT_EQ(greatest(kF8E4M3B11FNUZ), 30);
  EXPECT_EQ(greatest(kF8E5M2), 57344);
  EXPECT_EQ(greatest(kF8E5M2FNUZ), 57344);
  EXPECT_EQ(greatest(kF8E8M0FNU), std::ldexp(1, 127));
  EXPECT_EQ(DecodeFloat(kF8E8M0FNU, 0), std::ldexp(1, -127));
  EXPECT_EQ(DecodeFloat(kF8E5M2FNUZ, 1), std::ldexp(1, -17));
  EXPECT_EQ(DecodeFloat(kF8E4M3B11FNUZ, 1), std::ldexp(1, -13));
}

// A float in between would round 1 + 2^-11 + 2^-40 to a tie, and the tie to 1.
TEST(SmallFloatTest, DoublesAreRoundedOnce) {
  const double value = 1 + std::ldexp(1, -11) + std::ldexp(1, -40);
  EXPECT_EQ(EncodeFloat(kF16, value), 0x3c01u);
  EXPECT_EQ(EncodeFloat(kF16, static_cast<float>(value)), 0x3c00u);
}

TEST(SmallFloatTest, F32IsWhatTheMachineDoes) {
  uint64_t state = 1;
  for (int i = 0; i < 2'000'000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    // Exponents around and beyond those of floats.
    const uint64_t field = 1023 - 155 + (state >> 55) % 290;
    const double value = std::bit_cast<double>((state >> 63 << 63) | field << 52 |
                                               (state >> 8 & ((uint64_t{1} << 52) - 1)));
    const uint32_t expected = std::bit_cast<uint32_t>(static_cast<float>(value));
    ASSERT_EQ(EncodeFloat(kF32, value), expected) << value;
    if (std::isfinite(std::bit_cast<float>(expected))) {
      ASSERT_EQ(DecodeFloat(kF32, expected), std::bit_cast<float>(expected));
    }
  }
}

TEST(SmallFloatTest, ConventionsDiffer) {
  const FloatConversion ptx = {.convention = Convention::kPtx};
  EXPECT_EQ(EncodeFloat(kF4E2M1FN, kNan), 0x8u);
  EXPECT_EQ(EncodeFloat(kF4E2M1FN, -kNan), 0x0u);
  EXPECT_EQ(EncodeFloat(kF4E2M1FN, -kNan, ptx), 0x7u);
  EXPECT_EQ(EncodeFloat(kF8E5M2, -kNan), 0xfeu);
  EXPECT_EQ(EncodeFloat(kF8E5M2, -kNan, ptx), 0x7fu);
  EXPECT_EQ(EncodeFloat(kF16, -kNan, ptx), 0x7fffu);
  EXPECT_EQ(EncodeFloat(kF8E4M3FN, -kNan, ptx), 0x7fu);
  EXPECT_EQ(EncodeFloat(kF8E8M0FNU, 0.0), 0xffu);
  EXPECT_EQ(EncodeFloat(kF8E8M0FNU, -2.0), 0xffu);
  EXPECT_EQ(EncodeFloat(kF8E8M0FNU, 0.0, ptx), 0u);
  EXPECT_EQ(EncodeFloat(kF8E8M0FNU, -2.0, ptx), 128u);
}

TEST(ElementTypeTest, NamesRoundTrip) {
  for (const ElementTypeInfo& info : kElementTypes) {
    EXPECT_EQ(ParseElementType(info.name), info.type);
    EXPECT_EQ(&Info(info.type), &info);
    EXPECT_TRUE(IsElementType(static_cast<int>(info.type)));
  }
  EXPECT_EQ(ParseElementType("F32"), std::nullopt);
  EXPECT_EQ(ParseElementType(""), std::nullopt);
  EXPECT_FALSE(IsElementType(0));
  EXPECT_FALSE(IsElementType(13));  // XLA's TUPLE
  EXPECT_FALSE(IsElementType(256));
  EXPECT_FALSE(IsElementType(-1));
  EXPECT_EQ(ByteWidth(ElementType::kS4), 1);
  EXPECT_EQ(ByteWidth(ElementType::kC128), 16);
}

}  // namespace
}  // namespace warpyard
