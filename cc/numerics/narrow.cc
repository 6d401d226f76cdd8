// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/numerics/narrow.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>

#include "cc/numerics/packed.h"
#include "cc/numerics/small_float.h"

namespace warpyard {
namespace {

// What the loops need to know of a format. All patterns are without their sign.
struct NarrowParameters {
  uint32_t shift;         // bits of the float's mantissa that are cut off
  uint32_t below_half;    // of what is cut off, all ones but the highest
  uint32_t rebias;        // the difference of the biases, in place
  uint32_t least_normal;  // as a float's bits
  float magic;            // 2^23 steps of the format's subnormal numbers
  uint32_t magic_bits;
  uint32_t sign_shift;
  uint32_t sign_bit;
  uint32_t max_finite;
  uint32_t no_negative_zero;  // all ones, or 0
  // A special value is its pattern and the sign where the mask has it. For NaN the two are
  // combined with xor, as formats without NaN get the zero of the other sign.
  uint32_t overflow, overflow_sign;
  uint32_t nan, nan_sign;
  // For f8e8m0fnu, of which only the special values above count besides:
  bool exponent_only;
  uint32_t positive_only;  // all ones where other numbers become NaN
};

NarrowParameters MakeParameters(const FloatFormat& format, const FloatConversion& how) {
  NarrowParameters p;
  p.exponent_only = format.exponent_only;
  p.positive_only = how.convention == Convention::kXla ? ~0u : 0;
  p.shift = 23 - format.mantissa_bits;
  p.below_half = (1u << (p.shift - 1)) - 1;
  p.rebias = static_cast<uint32_t>(127 - format.bias) << format.mantissa_bits;
  p.least_normal = static_cast<uint32_t>(128 - format.bias) << 23;
  p.magic_bits = static_cast<uint32_t>(format.min_exponent() + 23 + 127) << 23;
  p.magic = std::bit_cast<float>(p.magic_bits);
  p.sign_shift = 32 - format.bits();
  p.sign_bit = format.sign_bit();
  p.max_finite = format.max_finite();
  p.no_negative_zero = format.has_negative_zero() ? 0 : ~0u;
  const double infinity = std::bit_cast<double>(uint64_t{0x7ff} << 52);
  const double nan = std::bit_cast<double>(uint64_t{0x7ff8} << 48);
  p.overflow = EncodeFloat(format, infinity, how);
  p.overflow_sign = EncodeFloat(format, -infinity, how) ^ p.overflow;
  p.nan = EncodeFloat(format, nan, how);
  p.nan_sign = EncodeFloat(format, -nan, how) ^ p.nan;
  return p;
}

// The vectors are passed between functions that are inlined, never by the ABI.
#ifdef __GNUC__
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace baseline {
#include "cc/numerics/narrow_kernel.inc"
}  // namespace baseline

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define WARPYARD_NARROW_AVX2
#pragma GCC push_options
#pragma GCC target("avx2")
namespace avx2 {
#include "cc/numerics/narrow_kernel.inc"
}  // namespace avx2
#pragma GCC pop_options
#endif

std::atomic<bool> force_baseline = false;

bool HasAvx2() {
#ifdef WARPYARD_NARROW_AVX2
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has && !force_baseline.load(std::memory_order_relaxed);
#else
  return false;
#endif
}

// What the loops do not do.
template <typename Element>
void NarrowEach(const FloatFormat& format, const float* from, Element* to, int64_t count,
                const FloatConversion& how) {
  for (int64_t i = 0; i < count; ++i) {
    to[i] = static_cast<Element>(EncodeFloat(format, from[i], how));
  }
}

}  // namespace

void NarrowToBytes(const FloatFormat& format, const float* from, uint8_t* to, int64_t count,
                   const FloatConversion& how) {
  if (how.rounding != Rounding::kNearestEven) return NarrowEach(format, from, to, count, how);
  const NarrowParameters parameters = MakeParameters(format, how);
#ifdef WARPYARD_NARROW_AVX2
  if (HasAvx2()) return avx2::ToBytes(parameters, from, to, count);
#endif
  baseline::ToBytes(parameters, from, to, count);
}

void NarrowToHalves(const FloatFormat& format, const float* from, uint16_t* to, int64_t count,
                    const FloatConversion& how) {
  if (how.rounding != Rounding::kNearestEven) return NarrowEach(format, from, to, count, how);
  const NarrowParameters parameters = MakeParameters(format, how);
#ifdef WARPYARD_NARROW_AVX2
  if (HasAvx2()) return avx2::ToHalves(parameters, from, to, count);
#endif
  baseline::ToHalves(parameters, from, to, count);
}

void NarrowToNibbles(const FloatFormat& format, const float* from, uint8_t* to, int64_t count,
                     const FloatConversion& how) {
  constexpr int64_t kBlock = 2048;
  uint8_t codes[kBlock];
  for (int64_t at = 0; at < count; at += kBlock) {
    const int64_t block = std::min(kBlock, count - at);
    NarrowToBytes(format, from + at, codes, block, how);
    PackBits(codes, 4, to + at / 2, block);
  }
}

const char* NarrowKernelName() { return HasAvx2() ? "avx2" : "baseline"; }

void narrow_internal::ForceBaseline(bool force) { force_baseline = force; }

}  // namespace warpyard
