// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/numerics/narrow.h"

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "cc/numerics/element_type.h"
#include "cc/numerics/packed.h"
#include "cc/numerics/small_float.h"
#include "gtest/gtest.h"

namespace warpyard {
namespace {

// One float in 2^13, and its neighbours: every mantissa that a format could keep or round.
std::vector<float> Samples() {
  std::vector<float> samples;
  for (uint32_t top = 0; top < 1u << 19; ++top) {
    const uint32_t bits = top << 13;
    for (const uint32_t pattern : {bits, bits + 1, bits - 1}) {
      samples.push_back(std::bit_cast<float>(pattern));
    }
  }
  return samples;
}

// With the vectors that the machine has, and with those that all have.
class NarrowTest : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override { narrow_internal::ForceBaseline(GetParam()); }
  void TearDown() override { narrow_internal::ForceBaseline(false); }
};

INSTANTIATE_TEST_SUITE_P(Kernels, NarrowTest, testing::Bool(),
                         [](const auto& info) { return info.param ? "Baseline" : "Best"; });

TEST_P(NarrowTest, SameBitsAsOneByOne) {
  const std::vector<float> samples = Samples();
  const auto count = static_cast<int64_t>(samples.size());
  std::vector<uint8_t> bytes(samples.size());
  std::vector<uint16_t> halves(samples.size());
  for (const ElementTypeInfo& type : kElementTypes) {
    if (type.kind != ElementKind::kFloat || type.bits > 16) continue;
    const FloatFormat format = FormatOf(type.type);
    for (const FloatConversion& how :
         {FloatConversion{}, FloatConversion{.saturation = Saturation::kFinite},
          FloatConversion{.convention = Convention::kPtx},
          FloatConversion{.saturation = Saturation::kFinite, .convention = Convention::kPtx}}) {
      if (type.bits == 16) {
        NarrowToHalves(format, samples.data(), halves.data(), count, how);
      } else {
        NarrowToBytes(format, samples.data(), bytes.data(), count, how);
      }
      for (size_t i = 0; i < samples.size(); ++i) {
        const uint32_t found = type.bits == 16 ? halves[i] : bytes[i];
        ASSERT_EQ(found, EncodeFloat(format, samples[i], how)) << type.name << " " << samples[i];
      }
    }
  }
}

TEST_P(NarrowTest, EveryLengthAndNothingBeyond) {
  std::vector<float> floats(100);
  for (size_t i = 0; i < floats.size(); ++i) floats[i] = static_cast<float>(i) * 0.37f - 9;
  for (int64_t count = 0; count <= 100; ++count) {
    std::vector<uint8_t> bytes(101, 0x55);
    NarrowToBytes(kF8E4M3FN, floats.data(), bytes.data(), count);
    for (int64_t i = 0; i < count; ++i) ASSERT_EQ(bytes[i], EncodeFloat(kF8E4M3FN, floats[i]));
    ASSERT_EQ(bytes[count], 0x55) << count;

    std::vector<uint8_t> nibbles(52, 0x55);
    NarrowToNibbles(kF4E2M1FN, floats.data(), nibbles.data(), count);
    for (int64_t i = 0; i < count; ++i) {
      ASSERT_EQ(nibbles[i / 2] >> (4 * (i % 2)) & 0xf, EncodeFloat(kF4E2M1FN, floats[i]));
    }
    if (count % 2 == 1) {
      ASSERT_EQ(nibbles[count / 2] >> 4, 0);
    }
    ASSERT_EQ(nibbles[(count + 1) / 2], 0x55);
  }
}

TEST(PackedTest, EveryWidthAndLengthComesBack) {
  for (int width = 1; width <= 8; ++width) {
    for (int64_t count = 0; count < 70; ++count) {
      std::vector<uint8_t> values(count);
      for (int64_t i = 0; i < count; ++i) values[i] = static_cast<uint8_t>(i * 37 + 11);
      std::vector<uint8_t> packed(PackedBytes(count, width) + 1, 0xaa);
      PackBits(values.data(), width, packed.data(), count);
      ASSERT_EQ(packed.back(), 0xaa);
      std::vector<uint8_t> plain(count), extended(count);
      UnpackBits(packed.data(), width, false, plain.data(), count);
      UnpackBits(packed.data(), width, true, extended.data(), count);
      for (int64_t i = 0; i < count; ++i) {
        const int value = values[i] & ((1 << width) - 1);
        ASSERT_EQ(plain[i], value);
        const int top = 1 << (width - 1);
        ASSERT_EQ(static_cast<int8_t>(extended[i]), static_cast<int8_t>((value ^ top) - top));
      }
    }
  }
}

TEST(PackedTest, LowBitsFirst) {
  const uint8_t nibbles[] = {0x1, 0x2, 0x3};
  uint8_t packed[3] = {};
  PackBits(nibbles, 4, packed, 3);
  EXPECT_EQ(packed[0], 0x21);
  EXPECT_EQ(packed[1], 0x03);
  const uint8_t sixes[] = {0x3f, 0x00, 0x3f, 0x00};
  PackBits(sixes, 6, packed, 4);
  EXPECT_EQ(packed[0], 0x3f);
  EXPECT_EQ(packed[1], 0xf0);
  EXPECT_EQ(packed[2], 0x03);
  EXPECT_EQ(PackedBytes(4, 6), 3);
  EXPECT_EQ(PackedBytes(int64_t{1} << 62, 4), int64_t{1} << 61);
}

}  // namespace
}  // namespace warpyard
