// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// gemm_f16_mma: C = A * B^T with float16 operands on tensor cores, accumulated in float32.
//
// Shows: ldmatrix and mma.sync as inline PTX (PTX ISA, "Warp Level Matrix Instructions"). The next
// tile travels global memory -> registers -> second shared-memory buffer while the tensor cores
// work on the first: the double buffering of GPUs without cp.async. Turing has no m16n8k16: there
// two m16n8k8 take its place, with the same fragments.
// Runs on: every target.
//
//   gemm_f16_mma(int m, int n, int k, const __half* a, const __half* b, __half* c)
//     grid   (ceil(n / 128), ceil(m / 128), 1)
//     block  (256, 1, 1)
//     dynamic shared memory: 0 bytes (static: 40960)
//
// A: [m, k], B: [n, k], C: [m, n], row-major float16, not overlapping. A and B 16-byte aligned,
// C 2-byte aligned. m, n >= 1, k >= 0, k a multiple of 8; m and n are free.
// Not yet run on hardware.

#include <cuda_fp16.h>

namespace {

constexpr int kThreads = 256;
constexpr int kWarp = 32;
constexpr int kTileM = 128;
constexpr int kTileN = 128;
constexpr int kTileK = 32;
// Eight warps in two rows of four; each owns 64 x 32 of the block's tile.
constexpr int kWarpColumns = 4;
constexpr int kWarpM = 64;
constexpr int kWarpN = 32;
constexpr int kFragmentsM = kWarpM / 16;
constexpr int kFragmentsN = kWarpN / 8;
// A row is 80 bytes: the eight rows that one ldmatrix phase reads start in different banks.
constexpr int kPitch = kTileK + 8;
// 16-byte pieces of each tile that one thread moves.
constexpr int kPiecesPerRow = kTileK / 8;
constexpr int kPieces = kTileM * kPiecesPerRow / kThreads;
static_assert(kTileM == kTileN, "A and B tiles share the copy loop");

// Loads four 8x8 matrices; lane l gives the address of row l % 8 of matrix l / 8.
__device__ __forceinline__ void LoadMatrix4(unsigned (&d)[4], const __half* row) {
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
               : "r"(address)
               : "memory");
}

// d += a * b for a 16x16 fragment of A and a 16x8 fragment of B (two registers: k 0-7, k 8-15).
__device__ __forceinline__ void MultiplyAdd(float (&d)[4], const unsigned (&a)[4], unsigned b0,
                                            unsigned b1) {
#if __CUDA_ARCH__ >= 800
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#else
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(b0));
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[2]), "r"(a[3]), "r"(b1));
#endif
}

// Fetches this thread's pieces of rows [row0, row0 + 128), columns [k0, k0 + 32) of a [rows, k]
// matrix; zeros outside of it.
__device__ __forceinline__ void Fetch(uint4 (&pieces)[kPieces], const __half* __restrict__ matrix,
                                      int row0, int rows, int k0, int k) {
#pragma unroll
  for (int i = 0; i < kPieces; ++i) {
    const int piece = i * kThreads + threadIdx.x;
    const int row = row0 + piece / kPiecesPerRow;
    const int col = k0 + (piece % kPiecesPerRow) * 8;
    pieces[i] = make_uint4(0, 0, 0, 0);
    if (row < rows && col < k) {
      pieces[i] = *reinterpret_cast<const uint4*>(matrix + static_cast<size_t>(row) * k + col);
    }
  }
}

__device__ __forceinline__ void Store(__half (&tile)[kTileM][kPitch],
                                      const uint4 (&pieces)[kPieces]) {
#pragma unroll
  for (int i = 0; i < kPieces; ++i) {
    const int piece = i * kThreads + threadIdx.x;
    const int row = piece / kPiecesPerRow;
    const int col = (piece % kPiecesPerRow) * 8;
    *reinterpret_cast<uint4*>(&tile[row][col]) = pieces[i];
  }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(kThreads)
    gemm_f16_mma(int m, int n, int k, const __half* __restrict__ a, const __half* __restrict__ b,
                 __half* __restrict__ c) {
  __shared__ __align__(16) __half tile_a[2][kTileM][kPitch];
  __shared__ __align__(16) __half tile_b[2][kTileN][kPitch];

  const int lane = threadIdx.x % kWarp;
  const int warp = threadIdx.x / kWarp;
  const int warp_row = (warp / kWarpColumns) * kWarpM;
  const int warp_col = (warp % kWarpColumns) * kWarpN;
  const int block_row = blockIdx.y * kTileM;
  const int block_col = blockIdx.x * kTileN;

  float sum[kFragmentsM][kFragmentsN][4] = {};
  uint4 next_a[kPieces];
  uint4 next_b[kPieces];

  if (k > 0) {
    Fetch(next_a, a, block_row, m, 0, k);
    Fetch(next_b, b, block_col, n, 0, k);
    Store(tile_a[0], next_a);
    Store(tile_b[0], next_b);
  }
  __syncthreads();

  int buffer = 0;
  for (int k0 = 0; k0 < k; k0 += kTileK) {
    const bool more = k0 + kTileK < k;
    if (more) {
      Fetch(next_a, a, block_row, m, k0 + kTileK, k);
      Fetch(next_b, b, block_col, n, k0 + kTileK, k);
    }

#pragma unroll
    for (int kk = 0; kk < kTileK; kk += 16) {
      unsigned left[kFragmentsM][4];
      unsigned right[kFragmentsN / 2][4];
      // Matrices of A: rows 0-7 and 8-15 at k 0-7, then the same at k 8-15.
#pragma unroll
      for (int i = 0; i < kFragmentsM; ++i) {
        LoadMatrix4(left[i], &tile_a[buffer][warp_row + i * 16 + lane % 16][kk + (lane / 16) * 8]);
      }
      // Matrices of B: columns 0-7 at k 0-7 and k 8-15, then columns 8-15.
#pragma unroll
      for (int j = 0; j < kFragmentsN / 2; ++j) {
        const int col = warp_col + j * 16 + (lane / 16) * 8 + lane % 8;
        LoadMatrix4(right[j], &tile_b[buffer][col][kk + (lane / 8 % 2) * 8]);
      }
#pragma unroll
      for (int i = 0; i < kFragmentsM; ++i) {
#pragma unroll
        for (int j = 0; j < kFragmentsN; ++j) {
          MultiplyAdd(sum[i][j], left[i], right[j / 2][j % 2 * 2], right[j / 2][j % 2 * 2 + 1]);
        }
      }
    }

    // The other buffer was last read before the previous barrier.
    if (more) {
      Store(tile_a[buffer ^ 1], next_a);
      Store(tile_b[buffer ^ 1], next_b);
    }
    __syncthreads();
    buffer ^= 1;
  }

  // Lane l holds columns 2 * (l % 4) and + 1 of rows l / 4 and l / 4 + 8 of each 16x8 fragment.
#pragma unroll
  for (int i = 0; i < kFragmentsM; ++i) {
#pragma unroll
    for (int j = 0; j < kFragmentsN; ++j) {
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        const int row = block_row + warp_row + i * 16 + lane / 4 + (e / 2) * 8;
        const int col = block_col + warp_col + j * 8 + (lane % 4) * 2 + e % 2;
        if (row < m && col < n) {
          c[static_cast<size_t>(row) * n + col] = __float2half_rn(sum[i][j][e]);
        }
      }
    }
  }
}
