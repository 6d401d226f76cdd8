// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// vector_add: c[i] = a[i] + b[i] on float32, the smallest kernel that is limited by memory alone.
//
// Shows: 16-byte accesses where the pointers allow them, a grid-stride loop, a scalar tail.
// Runs on: every target.
//
//   vector_add_f32(const float* a, const float* b, float* c, size_t n)
//     grid   (g, 1, 1), any g >= 1; ceil(n / 1024) gives each thread one 16-byte access
//     block  (256, 1, 1)
//     dynamic shared memory: 0 bytes
//
// a, b, c: n float32 each; c may be a or b. Any 4-byte alignment is accepted; the fast path needs
// all three pointers on a 16-byte boundary. n = 0 is allowed.
// Not yet run on hardware.

namespace {

constexpr int kThreads = 256;

__device__ __forceinline__ bool IsAligned16(const void* p) {
  return (reinterpret_cast<size_t>(p) & 15) == 0;
}

}  // namespace

// The pointers are not __restrict__: in-place addition is allowed.
extern "C" __global__ void __launch_bounds__(kThreads)
    vector_add_f32(const float* a, const float* b, float* c, size_t n) {
  const size_t thread = static_cast<size_t>(blockIdx.x) * kThreads + threadIdx.x;
  const size_t stride = static_cast<size_t>(gridDim.x) * kThreads;

  size_t done = 0;
  if (IsAligned16(a) && IsAligned16(b) && IsAligned16(c)) {
    const float4* a4 = reinterpret_cast<const float4*>(a);
    const float4* b4 = reinterpret_cast<const float4*>(b);
    float4* c4 = reinterpret_cast<float4*>(c);
    const size_t n4 = n / 4;
    for (size_t i = thread; i < n4; i += stride) {
      const float4 x = a4[i];
      const float4 y = b4[i];
      c4[i] = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
    }
    done = n4 * 4;
  }
  for (size_t i = done + thread; i < n; i += stride) c[i] = a[i] + b[i];
}
