// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// gemm_f32: C = alpha * A * B + beta * C on float32, without tensor cores.
//
// Shows: two levels of tiling (128 x 128 x 8 for each block in shared memory, 8 x 8 for each thread
// in registers) and two shared-memory buffers, so that the next tile is fetched from global memory
// while the current one is used.
// Runs on: every target.
//
//   gemm_f32(int m, int n, int k, float alpha, const float* a, const float* b, float beta,
//            float* c)
//     grid   (ceil(n / 128), ceil(m / 128), 1)
//     block  (256, 1, 1)
//     dynamic shared memory: 0 bytes (static: 16640)
//
// A: [m, k], B: [k, n], C: [m, n], row-major float32, 4-byte aligned, not overlapping.
// m, n >= 1, k >= 0; no divisibility is needed. Where k (for A) or n (for B) is a multiple of 4 and
// the pointer is 16-byte aligned, global loads are 16 bytes wide. beta = 0 does not read C.
// Not yet run on hardware.

namespace {

constexpr int kThreads = 256;
constexpr int kTileM = 128;
constexpr int kTileN = 128;
constexpr int kTileK = 8;
constexpr int kHalfM = kTileM / 2;
constexpr int kHalfN = kTileN / 2;
// A is stored k-major in shared memory; the padding spreads the transposing stores over the banks
// and keeps each row on a 16-byte boundary.
constexpr int kPitchA = kTileM + 4;

__device__ __forceinline__ bool IsAligned16(const void* p) {
  return (reinterpret_cast<size_t>(p) & 15) == 0;
}

// Returns four neighbouring elements from `source`, zeros from `valid` on.
__device__ __forceinline__ float4 Load4(const float* source, int valid, bool vector) {
  if (vector && valid >= 4) return *reinterpret_cast<const float4*>(source);
  return make_float4(valid > 0 ? source[0] : 0.0f, valid > 1 ? source[1] : 0.0f,
                     valid > 2 ? source[2] : 0.0f, valid > 3 ? source[3] : 0.0f);
}

}  // namespace

extern "C" __global__ void __launch_bounds__(kThreads)
    gemm_f32(int m, int n, int k, float alpha, const float* __restrict__ a,
             const float* __restrict__ b, float beta, float* __restrict__ c) {
  __shared__ __align__(16) float tile_a[2][kTileK][kPitchA];
  __shared__ __align__(16) float tile_b[2][kTileK][kTileN];

  const int block_row = blockIdx.y * kTileM;
  const int block_col = blockIdx.x * kTileN;

  // What this thread fetches of each tile: four elements along k of one row of A, four elements
  // along n of one row of B.
  const int a_row = threadIdx.x / 2;
  const int a_k = (threadIdx.x % 2) * 4;
  const int b_k = threadIdx.x / 32;
  const int b_col = (threadIdx.x % 32) * 4;
  const bool a_vector = k % 4 == 0 && IsAligned16(a);
  const bool b_vector = n % 4 == 0 && IsAligned16(b);
  const float* a_source = a + static_cast<size_t>(block_row + a_row) * k + a_k;
  const float* b_source = b + static_cast<size_t>(b_k) * n + block_col + b_col;
  const bool a_row_valid = block_row + a_row < m;

  // What it computes: four rows from 4 * (thread / 16) on and four more 64 rows below, four columns
  // from 4 * (thread % 16) on and four more 64 columns to the right. Two groups of four, not one of
  // eight, make the 16-byte shared-memory reads of a warp free of bank conflicts.
  const int row_base = (threadIdx.x / 16) * 4;
  const int col_base = (threadIdx.x % 16) * 4;

  float4 next_a;
  float4 next_b;
  auto fetch = [&](int k0) {
    next_a = Load4(a_source + k0, a_row_valid ? k - k0 - a_k : 0, a_vector);
    const int b_valid = k0 + b_k < k ? n - block_col - b_col : 0;
    next_b = Load4(b_source + static_cast<size_t>(k0) * n, b_valid, b_vector);
  };
  auto store = [&](int buffer) {
    tile_a[buffer][a_k + 0][a_row] = next_a.x;
    tile_a[buffer][a_k + 1][a_row] = next_a.y;
    tile_a[buffer][a_k + 2][a_row] = next_a.z;
    tile_a[buffer][a_k + 3][a_row] = next_a.w;
    *reinterpret_cast<float4*>(&tile_b[buffer][b_k][b_col]) = next_b;
  };

  float sum[8][8] = {};
  int buffer = 0;
  if (k > 0) {
    fetch(0);
    store(0);
  }
  __syncthreads();

  for (int k0 = 0; k0 < k; k0 += kTileK) {
    const bool more = k0 + kTileK < k;
    if (more) fetch(k0 + kTileK);

#pragma unroll
    for (int kk = 0; kk < kTileK; ++kk) {
      float left[8];
      float right[8];
      *reinterpret_cast<float4*>(left) =
          *reinterpret_cast<const float4*>(&tile_a[buffer][kk][row_base]);
      *reinterpret_cast<float4*>(left + 4) =
          *reinterpret_cast<const float4*>(&tile_a[buffer][kk][kHalfM + row_base]);
      *reinterpret_cast<float4*>(right) =
          *reinterpret_cast<const float4*>(&tile_b[buffer][kk][col_base]);
      *reinterpret_cast<float4*>(right + 4) =
          *reinterpret_cast<const float4*>(&tile_b[buffer][kk][kHalfN + col_base]);
#pragma unroll
      for (int i = 0; i < 8; ++i) {
#pragma unroll
        for (int j = 0; j < 8; ++j) sum[i][j] = fmaf(left[i], right[j], sum[i][j]);
      }
    }

    // The other buffer was last read before the previous barrier.
    if (more) store(buffer ^ 1);
    __syncthreads();
    buffer ^= 1;
  }

#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int row = block_row + (i / 4) * kHalfM + row_base + i % 4;
    if (row >= m) continue;
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      const int col = block_col + (j / 4) * kHalfN + col_base + j % 4;
      if (col >= n) continue;
      float* out = c + static_cast<size_t>(row) * n + col;
      const float product = alpha * sum[i][j];
      *out = beta == 0.0f ? product : fmaf(beta, *out, product);
    }
  }
}
