// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// transpose: out[b][c][r] = in[b][r][c] on float32, through a shared-memory tile.
//
// Shows: coalesced reads and writes on both sides; one word of padding for each tile row, so that
// the 32 threads that read a tile column meet 32 different shared-memory banks.
// Runs on: every target.
//
//   transpose_f32(const float* in, float* out, int rows, int cols)
//     grid   (ceil(cols / 32), ceil(rows / 32), batch); rows <= 32 * 65535
//     block  (32, 8, 1)
//     dynamic shared memory: 0 bytes (static: 4224)
//
// in: [batch, rows, cols], out: [batch, cols, rows], row-major float32, not overlapping.
// rows, cols >= 1; no divisibility is needed.
// Not yet run on hardware.

namespace {

constexpr int kTile = 32;
constexpr int kBlockRows = 8;
constexpr int kThreads = kTile * kBlockRows;

}  // namespace

extern "C" __global__ void __launch_bounds__(kThreads)
    transpose_f32(const float* __restrict__ in, float* __restrict__ out, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];

  const size_t matrix = static_cast<size_t>(rows) * cols;
  in += blockIdx.z * matrix;
  out += blockIdx.z * matrix;

  const int tile_row = blockIdx.y * kTile;
  const int tile_col = blockIdx.x * kTile;

  const int in_col = tile_col + threadIdx.x;
#pragma unroll
  for (int i = 0; i < kTile; i += kBlockRows) {
    const int in_row = tile_row + threadIdx.y + i;
    if (in_row < rows && in_col < cols) {
      tile[threadIdx.y + i][threadIdx.x] = in[static_cast<size_t>(in_row) * cols + in_col];
    }
  }
  __syncthreads();

  // Threads of a warp now run along the rows of `in`, which are the columns of `out`.
  const int out_col = tile_row + threadIdx.x;
#pragma unroll
  for (int i = 0; i < kTile; i += kBlockRows) {
    const int out_row = tile_col + threadIdx.y + i;
    if (out_row < cols && out_col < rows) {
      out[static_cast<size_t>(out_row) * rows + out_col] = tile[threadIdx.x][threadIdx.y + i];
    }
  }
}
