// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// cp_async_pipeline: C = A * B with bfloat16 operands on tensor cores, fed by a cp.async pipeline.
//
// Shows: a ring of four shared-memory stages that cp.async fills three tiles ahead (PTX ISA,
// "Non-bulk copy"), with cp.async.commit_group / wait_group as the only bookkeeping; copies whose
// source lies outside of the matrix are zero-filled by their source size; XOR swizzles instead of
// padding keep ldmatrix and the 16-byte copies free of bank conflicts; ldmatrix.trans turns a
// row-major B into the column fragments that mma.sync wants.
// Runs on: compute capability 8.0 and later.
// warpyard-requires: sm>=8.0
//
//   gemm_bf16_cp_async(int m, int n, int k, const __nv_bfloat16* a, const __nv_bfloat16* b,
//                      float* c)
//     grid   (ceil(n / 128), ceil(m / 128), 1)
//     block  (256, 1, 1)
//     dynamic shared memory: 65536 bytes (more than 48 KiB: raise
//       CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES first)
//
// A: [m, k], B: [k, n], row-major bfloat16, 16-byte aligned; C: [m, n], row-major float32, 4-byte
// aligned. m, n >= 1, k >= 0; k and n multiples of 8 (whole 16-byte pieces); m is free.
// Not yet run on hardware.

#include <cuda_bf16.h>

namespace {

constexpr int kThreads = 256;
constexpr int kWarp = 32;
constexpr int kTileM = 128;
constexpr int kTileN = 128;
constexpr int kTileK = 32;
constexpr int kStages = 4;
// Eight warps in two rows of four; each owns 64 x 32 of the block's tile.
constexpr int kWarpColumns = 4;
constexpr int kWarpM = 64;
constexpr int kWarpN = 32;
constexpr int kFragmentsM = kWarpM / 16;
constexpr int kFragmentsN = kWarpN / 8;

constexpr unsigned kPieceBytes = 16;
constexpr int kPieceElements = 8;
constexpr int kPiecesPerRowA = kTileK / kPieceElements;
constexpr int kPiecesPerRowB = kTileN / kPieceElements;
constexpr unsigned kBytesA = kTileM * kTileK * 2;
constexpr unsigned kBytesB = kTileK * kTileN * 2;
constexpr unsigned kStageBytes = kBytesA + kBytesB;
static_assert(kStages * kStageBytes == 65536, "the header comment states the size");

// Byte offsets of the 16-byte piece `piece` of row `row` in a stage's tiles. An A row is 64 bytes:
// two rows share 128 bytes, so the XOR changes with every second row. A B row is 256 bytes.
__device__ __forceinline__ unsigned OffsetA(int row, int piece) {
  return (row * kPiecesPerRowA + (piece ^ (row / 2 % 4))) * kPieceBytes;
}
__device__ __forceinline__ unsigned OffsetB(int row, int piece) {
  return kBytesA + (row * kPiecesPerRowB + (piece ^ (row % 8))) * kPieceBytes;
}

// Starts a 16-byte copy to shared memory; writes zeros and reads nothing if not `valid`.
__device__ __forceinline__ void CopyAsync(unsigned shared, const void* global, bool valid) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared),
               "l"(__cvta_generic_to_global(global)), "r"(valid ? 16 : 0)
               : "memory");
}

__device__ __forceinline__ void CommitCopies() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}

// Waits until at most `kPending` of this thread's latest groups of copies are unfinished.
template <int kPending>
__device__ __forceinline__ void WaitForCopies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kPending) : "memory");
}

__device__ __forceinline__ void LoadMatrix4(unsigned (&d)[4], unsigned address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
               : "r"(address)
               : "memory");
}

__device__ __forceinline__ void LoadMatrix4Transposed(unsigned (&d)[4], unsigned address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
               : "r"(address)
               : "memory");
}

__device__ __forceinline__ void MultiplyAdd(float (&d)[4], const unsigned (&a)[4], unsigned b0,
                                            unsigned b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

}  // namespace

extern "C" __global__ void __launch_bounds__(kThreads)
    gemm_bf16_cp_async(int m, int n, int k, const __nv_bfloat16* __restrict__ a,
                       const __nv_bfloat16* __restrict__ b, float* __restrict__ c) {
  extern __shared__ __align__(128) unsigned char stages[];
  const unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(stages));

  const int lane = threadIdx.x % kWarp;
  const int warp = threadIdx.x / kWarp;
  const int warp_row = (warp / kWarpColumns) * kWarpM;
  const int warp_col = (warp % kWarpColumns) * kWarpN;
  const int block_row = blockIdx.y * kTileM;
  const int block_col = blockIdx.x * kTileN;
  const int tiles = (k + kTileK - 1) / kTileK;

  // Copies tile number `tile` into its stage. Every thread commits one group for each tile, also
  // for tiles behind the end, so that the number of pending groups tells which tile has landed.
  auto fetch = [&](int tile) {
    if (tile < tiles) {
      const unsigned stage = shared + (tile % kStages) * kStageBytes;
      const int k0 = tile * kTileK;
#pragma unroll
      for (int i = threadIdx.x; i < kTileM * kPiecesPerRowA; i += kThreads) {
        const int row = i / kPiecesPerRowA;
        const int piece = i % kPiecesPerRowA;
        const int from_row = block_row + row;
        const int from_col = k0 + piece * kPieceElements;
        const bool valid = from_row < m && from_col < k;
        const size_t from = valid ? static_cast<size_t>(from_row) * k + from_col : 0;
        CopyAsync(stage + OffsetA(row, piece), a + from, valid);
      }
#pragma unroll
      for (int i = threadIdx.x; i < kTileK * kPiecesPerRowB; i += kThreads) {
        const int row = i / kPiecesPerRowB;
        const int piece = i % kPiecesPerRowB;
        const int from_row = k0 + row;
        const int from_col = block_col + piece * kPieceElements;
        const bool valid = from_row < k && from_col < n;
        const size_t from = valid ? static_cast<size_t>(from_row) * n + from_col : 0;
        CopyAsync(stage + OffsetB(row, piece), b + from, valid);
      }
    }
    CommitCopies();
  };

#pragma unroll
  for (int tile = 0; tile < kStages - 1; ++tile) fetch(tile);

  float sum[kFragmentsM][kFragmentsN][4] = {};
  for (int tile = 0; tile < tiles; ++tile) {
    // This thread's copies of `tile` have landed; the barrier adds everybody else's. It also says
    // that all warps are done with tile - 1, whose stage the next fetch overwrites.
    WaitForCopies<kStages - 2>();
    __syncthreads();
    fetch(tile + kStages - 1);

    const unsigned stage = shared + (tile % kStages) * kStageBytes;
#pragma unroll
    for (int kk = 0; kk < kTileK; kk += 16) {
      unsigned left[kFragmentsM][4];
      unsigned right[kFragmentsN / 2][4];
      // Matrices of A: rows 0-7 and 8-15 at k 0-7, then the same at k 8-15.
#pragma unroll
      for (int i = 0; i < kFragmentsM; ++i) {
        LoadMatrix4(left[i], stage + OffsetA(warp_row + i * 16 + lane % 16,
                                             kk / kPieceElements + lane / 16));
      }
      // Matrices of B: k 0-7 and 8-15 at columns 0-7, then the same at columns 8-15.
#pragma unroll
      for (int j = 0; j < kFragmentsN / 2; ++j) {
        const int piece = warp_col / kPieceElements + j * 2 + lane / 16;
        LoadMatrix4Transposed(right[j], stage + OffsetB(kk + lane % 16, piece));
      }
#pragma unroll
      for (int i = 0; i < kFragmentsM; ++i) {
#pragma unroll
        for (int j = 0; j < kFragmentsN; ++j) {
          MultiplyAdd(sum[i][j], left[i], right[j / 2][j % 2 * 2], right[j / 2][j % 2 * 2 + 1]);
        }
      }
    }
  }
  // Only groups without copies can be pending here; nothing writes to shared memory after the exit.
  WaitForCopies<0>();

  // Lane l holds columns 2 * (l % 4) and + 1 of rows l / 4 and l / 4 + 8 of each 16x8 fragment.
#pragma unroll
  for (int i = 0; i < kFragmentsM; ++i) {
#pragma unroll
    for (int j = 0; j < kFragmentsN; ++j) {
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        const int row = block_row + warp_row + i * 16 + lane / 4 + (e / 2) * 8;
        const int col = block_col + warp_col + j * 8 + (lane % 4) * 2 + e % 2;
        if (row < m && col < n) c[static_cast<size_t>(row) * n + col] = sum[i][j][e];
      }
    }
  }
}
