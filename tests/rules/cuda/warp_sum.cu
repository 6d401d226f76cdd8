// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// A kernel with headers that CCCL brings.

#include <cooperative_groups.h>

#include <cub/warp/warp_reduce.cuh>
#include <cuda/std/limits>

extern "C" __global__ void warp_sum(const float* values, float* sum) {
  using Reduce = cub::WarpReduce<float>;
  __shared__ Reduce::TempStorage storage;
  const auto block = cooperative_groups::this_thread_block();
  const float total = Reduce(storage).Sum(values[block.thread_rank()]);
  if (block.thread_rank() == 0) {
    *sum = total == 0 ? cuda::std::numeric_limits<float>::lowest() : total;
  }
}
