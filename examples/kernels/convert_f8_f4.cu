// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// convert_f8_f4: float32 and float16 to the eight-bit and four-bit formats of tensor cores.
//
// Shows: <cuda_fp8.h> and <cuda_fp4.h>, which pick one instruction (cvt.rn.satfinite.*, from 8.9 on
// for f8, from 10.0a on for f4) or a software sequence with the same result; block scaling as in
// the OCP Microscaling Formats specification 1.0, section 6.3.
// Runs on: every target.
//
//   convert_f32_to_e4m3(const float* in, unsigned char* out, size_t n)
//   convert_f16_to_e5m2(const __half* in, unsigned char* out, size_t n)
//   convert_f32_to_e2m1(const float* in, unsigned char* out, size_t n)
//     grid (g, 1, 1), any g >= 1, block (256, 1, 1); ceil(n / 512) gives each thread one pair
//   quantize_f32_to_mxfp4(const float* in, unsigned char* out, unsigned char* scales,
//                         size_t groups)
//     grid (ceil(groups / 8), 1, 1), block (256, 1, 1); one warp for each group of 32 values
//   dynamic shared memory: 0 bytes for all four
//
// in: n values (quantize: 32 * groups); float32 8-byte, float16 4-byte aligned. out: one byte a
// value and 2-byte aligned for f8; ceil(n / 2) bytes for f4 (quantize: 16 * groups), the value with
// the even index in the low half of its byte, a missing last value as 0. scales: one e8m0 for each
// group. Rounding is to nearest even; what is too large becomes the largest finite value,
// infinities too. NaN stays NaN in f8 and becomes +6 in e2m1, which has none; in quantize a group
// with a NaN gets the NaN scale 0xff.
// Not yet run on hardware.

#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp8.h>

namespace {

constexpr unsigned kFullWarp = 0xffffffffu;
constexpr int kWarp = 32;
constexpr int kThreads = 256;
constexpr int kWarps = kThreads / kWarp;

// The exponent of the largest power of two in e2m1, whose largest value is 6 = 1.5 * 2^2.
constexpr int kMaxExponentE2m1 = 2;
constexpr unsigned kScaleNan = 0xff;

// Returns 2^(127 - code), the factor that undoes the e8m0 scale `code`.
__device__ __forceinline__ float InverseScale(unsigned code) {
  // 2^-127 is below the normal range and has its own bit pattern.
  return __uint_as_float(code >= 254 ? 0x00400000u : (254 - code) << 23);
}

}  // namespace

extern "C" __global__ void __launch_bounds__(kThreads)
    convert_f32_to_e4m3(const float* __restrict__ in, unsigned char* __restrict__ out, size_t n) {
  const size_t thread = static_cast<size_t>(blockIdx.x) * kThreads + threadIdx.x;
  const size_t stride = static_cast<size_t>(gridDim.x) * kThreads;
  const float2* in2 = reinterpret_cast<const float2*>(in);
  __nv_fp8x2_storage_t* out2 = reinterpret_cast<__nv_fp8x2_storage_t*>(out);
  for (size_t i = thread; i < n / 2; i += stride) {
    out2[i] = __nv_cvt_float2_to_fp8x2(in2[i], __NV_SATFINITE, __NV_E4M3);
  }
  if (n % 2 != 0 && thread == 0) {
    out[n - 1] = __nv_cvt_float_to_fp8(in[n - 1], __NV_SATFINITE, __NV_E4M3);
  }
}

extern "C" __global__ void __launch_bounds__(kThreads)
    convert_f16_to_e5m2(const __half* __restrict__ in, unsigned char* __restrict__ out, size_t n) {
  const size_t thread = static_cast<size_t>(blockIdx.x) * kThreads + threadIdx.x;
  const size_t stride = static_cast<size_t>(gridDim.x) * kThreads;
  const __half2* in2 = reinterpret_cast<const __half2*>(in);
  __nv_fp8x2_storage_t* out2 = reinterpret_cast<__nv_fp8x2_storage_t*>(out);
  for (size_t i = thread; i < n / 2; i += stride) {
    out2[i] = __nv_cvt_halfraw2_to_fp8x2(in2[i], __NV_SATFINITE, __NV_E5M2);
  }
  if (n % 2 != 0 && thread == 0) {
    out[n - 1] = __nv_cvt_halfraw_to_fp8(in[n - 1], __NV_SATFINITE, __NV_E5M2);
  }
}

extern "C" __global__ void __launch_bounds__(kThreads)
    convert_f32_to_e2m1(const float* __restrict__ in, unsigned char* __restrict__ out, size_t n) {
  const size_t thread = static_cast<size_t>(blockIdx.x) * kThreads + threadIdx.x;
  const size_t stride = static_cast<size_t>(gridDim.x) * kThreads;
  const float2* in2 = reinterpret_cast<const float2*>(in);
  for (size_t i = thread; i < n / 2; i += stride) {
    out[i] = __nv_cvt_float2_to_fp4x2(in2[i], __NV_E2M1, cudaRoundNearest);
  }
  if (n % 2 != 0 && thread == 0) {
    out[n / 2] =
        __nv_cvt_float2_to_fp4x2(make_float2(in[n - 1], 0.0f), __NV_E2M1, cudaRoundNearest);
  }
}

extern "C" __global__ void __launch_bounds__(kThreads)
    quantize_f32_to_mxfp4(const float* __restrict__ in, unsigned char* __restrict__ out,
                          unsigned char* __restrict__ scales, size_t groups) {
  const int lane = threadIdx.x % kWarp;
  const size_t group = static_cast<size_t>(blockIdx.x) * kWarps + threadIdx.x / kWarp;
  if (group >= groups) return;  // uniform over the warp

  const float value = in[group * kWarp + lane];
  float largest = fabsf(value);
#pragma unroll
  for (int offset = kWarp / 2; offset > 0; offset /= 2) {
    largest = fmaxf(largest, __shfl_xor_sync(kFullWarp, largest, offset));
  }
  const bool has_nan = __any_sync(kFullWarp, isnan(value));

  // scale = 2^(floor(log2(largest)) - 2): rounding to e8m0 towards zero is the floor.
  constexpr float kDown = 1.0f / (1 << kMaxExponentE2m1);
  const unsigned scale =
      has_nan ? kScaleNan : __nv_cvt_float_to_e8m0(largest * kDown, __NV_SATFINITE, cudaRoundZero);
  const float scaled = value * InverseScale(scale);

  // Even lanes write their own and the next lane's value as one byte.
  const float neighbour = __shfl_down_sync(kFullWarp, scaled, 1);
  if (lane % 2 == 0) {
    out[group * (kWarp / 2) + lane / 2] =
        __nv_cvt_float2_to_fp4x2(make_float2(scaled, neighbour), __NV_E2M1, cudaRoundNearest);
  }
  if (lane == 0) scales[group] = static_cast<unsigned char>(scale);
}
