// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// A kernel with what could make two compilations differ: names local to the file.

#include "tests/rules/cuda/factor.h"

namespace {

__device__ unsigned launches;

__device__ __noinline__ float Scaled(float value) { return value * Factor(); }

}  // namespace

extern "C" __global__ void scale(float* values, unsigned n) {
  if (blockIdx.x == 0 && threadIdx.x == 0) atomicAdd(&launches, 1u);
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = Scaled(values[i]);
}
