// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Conversions in PTX's convention agree with NVIDIA's own, as the host side of
// cuda_fp4.h, cuda_fp6.h, cuda_fp8.h, cuda_bf16.h and cuda_fp16.h has them.

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

#include <bit>
#include <cmath>
#include <cstdint>

#include "cc/numerics/small_float.h"
#include "gtest/gtest.h"

namespace warpyard {
namespace {

// Floats that share out their patterns, with neighbours; the special ones.
template <typename Function>
void ForFloats(Function function) {
  for (uint32_t top = 0; top < 1u << 17; ++top) {
    const uint32_t bits = top << 15;
    const uint32_t noise = (top * 2654435761u) >> 17;
    for (const uint32_t pattern : {bits, bits + 1, bits - 1, bits | noise}) {
      function(std::bit_cast<float>(pattern));
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

constexpr FloatConversion kSaturating = {.saturation = Saturation::kFinite,
                                         .convention = Convention::kPtx};
constexpr FloatConversion kPlain = {.convention = Convention::kPtx};

TEST(SmallFloatCudaTest, Fp8) {
  ForFloats([](float x) {
    ASSERT_EQ(EncodeFloat(kF8E4M3FN, x, kSaturating),
              __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E4M3))
        << x;
    ASSERT_EQ(EncodeFloat(kF8E5M2, x, kSaturating),
              __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E5M2))
        << x;
    ASSERT_EQ(EncodeFloat(kF8E5M2, x, kPlain), __nv_cvt_float_to_fp8(x, __NV_NOSAT, __NV_E5M2))
        << x;
    ASSERT_EQ(EncodeFloat(kF8E4M3FN, x, kPlain), __nv_cvt_float_to_fp8(x, __NV_NOSAT, __NV_E4M3))
        << x;
  });
}

TEST(SmallFloatCudaTest, DoublesToFp8) {
  ForFloats([](float x) {
    // PTX has no such conversion; in software NaN keeps its sign.
    if (std::isnan(x)) return;
    const double value = x * (1 + 0x1p-45);
    ASSERT_EQ(EncodeFloat(kF8E4M3FN, value, kSaturating),
              __nv_cvt_double_to_fp8(value, __NV_SATFINITE, __NV_E4M3))
        << x;
  });
}

TEST(SmallFloatCudaTest, Fp6AndFp4) {
  ForFloats([](float x) {
    ASSERT_EQ(EncodeFloat(kF6E2M3FN, x, kSaturating),
              __nv_cvt_float_to_fp6(x, __NV_E2M3, cudaRoundNearest))
        << x;
    ASSERT_EQ(EncodeFloat(kF6E3M2FN, x, kSaturating),
              __nv_cvt_float_to_fp6(x, __NV_E3M2, cudaRoundNearest))
        << x;
    ASSERT_EQ(EncodeFloat(kF4E2M1FN, x, kSaturating),
              __nv_cvt_float_to_fp4(x, __NV_E2M1, cudaRoundNearest))
        << x;
  });
}

TEST(SmallFloatCudaTest, ScaleFactors) {
  const auto check = [](float x, Rounding rounding, cudaRoundMode mode) {
    for (const auto saturation : {Saturation::kFinite, Saturation::kNone}) {
      ASSERT_EQ(
          EncodeFloat(
              kF8E8M0FNU, x,
              {.rounding = rounding, .saturation = saturation, .convention = Convention::kPtx}),
          __nv_cvt_float_to_e8m0(x, saturation == Saturation::kFinite ? __NV_SATFINITE : __NV_NOSAT,
                                 mode))
          << x;
    }
  };
  ForFloats([&](float x) {
    check(x, Rounding::kNearestEven, cudaRoundNearest);
    check(x, Rounding::kTowardZero, cudaRoundZero);
    check(x, Rounding::kUp, cudaRoundPosInf);
  });
}

TEST(SmallFloatCudaTest, HalfAndBfloat16) {
  ForFloats([](float x) {
    const auto code = [&](const FloatFormat& format, Rounding rounding) {
      return EncodeFloat(format, x, {.rounding = rounding, .convention = Convention::kPtx});
    };
    ASSERT_EQ(code(kF16, Rounding::kNearestEven), __half_raw(__float2half_rn(x)).x) << x;
    ASSERT_EQ(code(kF16, Rounding::kTowardZero), __half_raw(__float2half_rz(x)).x) << x;
    ASSERT_EQ(code(kF16, Rounding::kDown), __half_raw(__float2half_rd(x)).x) << x;
    ASSERT_EQ(code(kF16, Rounding::kUp), __half_raw(__float2half_ru(x)).x) << x;
    ASSERT_EQ(code(kBF16, Rounding::kNearestEven), __nv_bfloat16_raw(__float2bfloat16_rn(x)).x);
    ASSERT_EQ(code(kBF16, Rounding::kTowardZero), __nv_bfloat16_raw(__float2bfloat16_rz(x)).x);
    ASSERT_EQ(code(kBF16, Rounding::kDown), __nv_bfloat16_raw(__float2bfloat16_rd(x)).x);
    ASSERT_EQ(code(kBF16, Rounding::kUp), __nv_bfloat16_raw(__float2bfloat16_ru(x)).x);
  });
}

}  // namespace
}  // namespace warpyard
