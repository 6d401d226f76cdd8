// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
#include "cc/emulator/execution/tensor_map.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::emulator {
namespace {

using ::testing::HasSubstr;

struct Arguments {
  std::vector<uint64_t> dims = {64, 100};
  std::vector<uint64_t> strides = {128};
  std::vector<uint32_t> box = {64, 32};
  std::vector<uint32_t> steps = {1, 1};
  TiledTensor Tensor() const {
    return {.element = 6,
            .address = 0x1000,
            .dims = dims,
            .strides = strides,
            .box = box,
            .element_strides = steps,
            .swizzle = 3};
  }
};

TEST(TensorMapTest, KeepsWhatItWasGiven) {
  const Arguments arguments;
  const auto map = EncodeTiled(arguments.Tensor());
  ASSERT_TRUE(map.ok()) << map.status();
  EXPECT_EQ(map->rank, 2);
  EXPECT_EQ(map->dim(1), 100);
  EXPECT_EQ(map->stride(0), 2);
  EXPECT_EQ(map->stride(1), 128);
  EXPECT_EQ(map->box[1], 32);
  EXPECT_EQ(map->swizzle, TensorSwizzle::k128B);
  EXPECT_TRUE(CheckTensorMap(*map).ok());
}

TEST(TensorMapTest, RefusesWhatTheDriverDocumentationForbids) {
  struct Case {
    std::string says;
    Arguments arguments;
    int element = 6, swizzle = 3, interleave = 0, fill = 0;
    uint64_t address = 0x1000;
  };
  const Arguments good;
  Arguments wide_box = good, zero_dim = good, odd_stride = good, long_stride = good, big_box = good,
            step = good, six = good;
  wide_box.box[0] = 128;
  zero_dim.dims[1] = 0;
  odd_stride.strides[0] = 24;
  long_stride.strides[0] = uint64_t{1} << 40;
  big_box.box[1] = 257;
  step.steps[1] = 9;
  six.dims.assign(6, 16);
  six.strides.assign(5, 16);
  six.box.assign(6, 8);
  six.steps.assign(6, 1);
  Arguments narrow = good;
  narrow.box[0] = 4;
  const std::vector<Case> cases = {
      {"256 bytes; the swizzle allows at most 128", wide_box},
      {"globalDim[1] is 0", zero_dim},
      {"globalStrides[0] is 24; it must be a multiple of 16", odd_stride},
      {"less than 2^40", long_stride},
      {"boxDim[1] is 257", big_box},
      {"elementStrides[1] is 9", step},
      {"tensorRank is 6", six},
      {"inner dimension in bytes is 8; it must be a multiple of 16", narrow},
      {"globalAddress is 4104; it must be a multiple of 16", good, 6, 3, 0, 0, 0x1008},
      {"of rank 3 or more", good, 6, 3, 1},
      {"NaN for elements out of bounds", good, 0, 3, 0, 1},
      {"tensorDataType is 16", good, 16},
      {"swizzle is 7", good, 6, 7},
      {"it must be 128 for a padded type",
       [&] {
         Arguments a = good;
         a.dims[0] = 128;
         return a;
       }(),
       14},
  };
  for (const Case& test : cases) {
    TiledTensor tensor = test.arguments.Tensor();
    tensor.element = test.element;
    tensor.swizzle = test.swizzle;
    tensor.interleave = test.interleave;
    tensor.oob_fill = test.fill;
    tensor.address = test.address;
    const auto map = EncodeTiled(tensor);
    EXPECT_EQ(map.status().code(), absl::StatusCode::kInvalidArgument) << test.says;
    EXPECT_THAT(map.status().message(), HasSubstr(test.says));
  }
}

TEST(TensorMapTest, Im2colCornersAreLimitedByRank) {
  const std::vector<uint64_t> dims = {64, 9, 8, 2}, strides = {128, 1152, 9216};
  const std::vector<uint32_t> steps = {1, 1, 1, 1};
  std::vector<int> lower = {-1, -2}, upper = {-1, 0};
  Im2colTensor tensor{.element = 6,
                      .dims = dims,
                      .strides = strides,
                      .lower_corner = lower,
                      .upper_corner = upper,
                      .channels_per_pixel = 64,
                      .pixels_per_column = 1024,
                      .element_strides = steps,
                      .swizzle = 3};
  const auto map = EncodeIm2col(tensor);
  ASSERT_TRUE(map.ok()) << map.status();
  EXPECT_EQ(map->lower[0], -2);  // W first
  EXPECT_EQ(map->lower[1], -1);
  EXPECT_EQ(map->upper[1], -1);
  lower[0] = -129;
  EXPECT_THAT(EncodeIm2col(tensor).status().message(), HasSubstr("[-128, 127]"));
  lower[0] = 0;
  upper[0] = -8;
  EXPECT_THAT(EncodeIm2col(tensor).status().message(), HasSubstr("non-zero area"));
  upper[0] = 0;
  tensor.pixels_per_column = 1025;
  EXPECT_FALSE(EncodeIm2col(tensor).ok());
}

TEST(TensorMapTest, ReplacedFieldsAreCheckedTogetherWhenUsed) {
  auto map = EncodeTiled(Arguments().Tensor());
  ASSERT_TRUE(map.ok());
  EXPECT_TRUE(ReplaceField(*map, "global_dim", 1, 7).ok());
  EXPECT_EQ(map->dim(1), 7);
  EXPECT_TRUE(ReplaceField(*map, "global_stride", 0, 256).ok());
  EXPECT_TRUE(ReplaceField(*map, "elemtype", 0, 10).ok());
  EXPECT_EQ(map->element, TensorElement::kBfloat16);
  EXPECT_TRUE(ReplaceField(*map, "swizzle_atomicity", 0, 3).ok());
  EXPECT_EQ(map->swizzle, TensorSwizzle::k128BAtom64B);
  EXPECT_TRUE(CheckTensorMap(*map).ok());
  EXPECT_TRUE(ReplaceField(*map, "global_address", 0, 0x1001).ok());
  EXPECT_FALSE(CheckTensorMap(*map).ok());
  EXPECT_FALSE(ReplaceField(*map, "colour", 0, 1).ok());
  EXPECT_FALSE(ReplaceField(*map, "box_dim", 5, 1).ok());
  TensorMap zeros{};
  EXPECT_THAT(CheckTensorMap(zeros).message(), HasSubstr("no tensor map"));
}

}  // namespace
}  // namespace warpyard::emulator
