// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// saxpy: y[i] = a * x[i] + y[i] on float32, one thread for each element.
//
// Shows: the shortest kernel with a bounds check; one fused multiply-add for each element.
// Runs on: every target.
//
//   saxpy(float a, const float* x, float* y, size_t n)
//     grid   (ceil(n / 256), 1, 1)
//     block  (256, 1, 1)
//     dynamic shared memory: 0 bytes
//
// x, y: n float32 each, 4-byte aligned, not overlapping. n = 0 needs no launch.
// Not yet run on hardware.

namespace {

constexpr int kThreads = 256;

}  // namespace

extern "C" __global__ void __launch_bounds__(kThreads)
    saxpy(float a, const float* __restrict__ x, float* __restrict__ y, size_t n) {
  const size_t i = static_cast<size_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (i < n) y[i] = fmaf(a, x[i], y[i]);
}
