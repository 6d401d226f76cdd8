// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// reduce: sums of float32 in the three shapes that a compiler emits: everything to a scalar, the
// minor dimension (rows), the major dimension (columns).
//
// Shows: warp shuffles, a block reduction in two steps, a tile that turns a column walk into
// coalesced row reads. All three are deterministic: no atomics, a fixed order of additions for a
// given launch configuration.
// Runs on: every target.
//
//   reduce_sum_f32(const float* in, float* partial, size_t n)
//     grid (g, 1, 1), block (256, 1, 1); partial[b] = the sum of what block b reads.
//     A full sum is two launches: g blocks over the input, then one block over the g partials.
//   reduce_rows_f32(const float* in, float* out, int rows, int cols)
//     grid (ceil(rows / 8), 1, 1), block (256, 1, 1), a warp for each row; out[r] = sum_c in[r][c]
//   reduce_columns_f32(const float* in, float* out, int rows, int cols)
//     grid (ceil(cols / 32), 1, 1), block (32, 8, 1); out[c] = sum_r in[r][c]
//   dynamic shared memory: 0 bytes for all three
//
// in: row-major float32, 4-byte aligned. n = 0, rows = 0 and cols = 0 give sums of 0.
// Not yet run on hardware.

namespace {

constexpr unsigned kFullWarp = 0xffffffffu;
constexpr int kWarp = 32;
constexpr int kThreads = 256;
constexpr int kWarps = kThreads / kWarp;

// Returns the sum over the warp in every lane.
__device__ __forceinline__ float WarpSum(float value) {
#pragma unroll
  for (int offset = kWarp / 2; offset > 0; offset /= 2) {
    value += __shfl_xor_sync(kFullWarp, value, offset);
  }
  return value;
}

}  // namespace

extern "C" __global__ void __launch_bounds__(kThreads)
    reduce_sum_f32(const float* __restrict__ in, float* __restrict__ partial, size_t n) {
  __shared__ float warp_sums[kWarps];
  const int lane = threadIdx.x % kWarp;
  const int warp = threadIdx.x / kWarp;

  float sum = 0.0f;
  const size_t stride = static_cast<size_t>(gridDim.x) * kThreads;
  for (size_t i = static_cast<size_t>(blockIdx.x) * kThreads + threadIdx.x; i < n; i += stride) {
    sum += in[i];
  }

  sum = WarpSum(sum);
  if (lane == 0) warp_sums[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = WarpSum(lane < kWarps ? warp_sums[lane] : 0.0f);
    if (lane == 0) partial[blockIdx.x] = sum;
  }
}

extern "C" __global__ void __launch_bounds__(kThreads)
    reduce_rows_f32(const float* __restrict__ in, float* __restrict__ out, int rows, int cols) {
  const int lane = threadIdx.x % kWarp;
  const int row = blockIdx.x * kWarps + threadIdx.x / kWarp;
  if (row >= rows) return;  // uniform over the warp

  const float* line = in + static_cast<size_t>(row) * cols;
  float sum = 0.0f;
  for (int c = lane; c < cols; c += kWarp) sum += line[c];
  sum = WarpSum(sum);
  if (lane == 0) out[row] = sum;
}

extern "C" __global__ void __launch_bounds__(kThreads)
    reduce_columns_f32(const float* __restrict__ in, float* __restrict__ out, int rows, int cols) {
  // Warp y sums rows y, y + 8, ... of 32 neighbouring columns; warp 0 adds the eight results.
  __shared__ float sums[kWarps][kWarp];
  const int col = blockIdx.x * kWarp + threadIdx.x;

  float sum = 0.0f;
  if (col < cols) {
    for (int r = threadIdx.y; r < rows; r += kWarps) {
      sum += in[static_cast<size_t>(r) * cols + col];
    }
  }
  sums[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();

  if (threadIdx.y == 0 && col < cols) {
#pragma unroll
    for (int w = 1; w < kWarps; ++w) sum += sums[w][threadIdx.x];
    out[col] = sum;
  }
}
