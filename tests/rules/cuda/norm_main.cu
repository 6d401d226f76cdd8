// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// A kernel that calls a function of another source.

__device__ float SquareRoot(float value);

extern "C" __global__ void length(const float* x, const float* y, float* out) {
  const unsigned i = threadIdx.x;
  out[i] = SquareRoot(x[i] * x[i] + y[i] * y[i]);
}
