// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// What norm_main.cu calls, and a kernel of its own. log1p comes from libdevice.

__device__ float SquareRoot(float value) { return sqrtf(value); }

extern "C" __global__ void log_norm(const float* x, float* out) {
  out[threadIdx.x] = log1pf(SquareRoot(x[threadIdx.x]));
}
