// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// attention_f16_mma: O = softmax(scale * Q * K^T) * V for each head, without writing the scores.
//
// Shows: the FlashAttention-2 forward pass (Dao, arXiv:2307.08691) on mma.sync: the scores of 64
// queries against 64 keys live in registers, the softmax is online, and the accumulators of the
// first product are, register for register, the A fragments of the second. cp.async brings V while
// Q * K^T is computed and the next K while P * V is.
// Runs on: compute capability 8.0 and later.
// warpyard-requires: sm>=8.0
//
//   attention_f16_d64(const __half* q, const __half* k, const __half* v, __half* o,
//                     int queries, int keys, float scale, int causal)
//     grid   (ceil(queries / 64), batch * heads, 1)
//     block  (128, 1, 1)
//     dynamic shared memory: 0 bytes (static: 24576)
//
// q, o: [batch * heads, queries, 64], k, v: [batch * heads, keys, 64], row-major float16, 16-byte
// aligned (o: 4-byte), not overlapping. queries >= 1, keys >= 0. causal != 0: query i sees key j if
// j <= i + keys - queries. A query that sees no key gives zeros.
// Not yet run on hardware.

#include <cuda_fp16.h>

namespace {

constexpr int kThreads = 128;
// Leaves up to 168 registers for each thread: with 128 some targets spill.
constexpr int kBlocksPerSm = 3;
constexpr int kWarp = 32;
constexpr int kHeadDim = 64;
constexpr int kQueries = 64;  // for each block: 16 for each of its four warps
constexpr int kKeys = 64;     // for each step
constexpr int kKeyFragments = kKeys / 8;
constexpr int kDimFragments = kHeadDim / 8;
constexpr int kPieceElements = 8;
constexpr unsigned kPieceBytes = 16;
constexpr int kPiecesPerRow = kHeadDim / kPieceElements;
constexpr float kLog2E = 1.4426950408889634f;

__device__ __forceinline__ float NegativeInfinity() { return __int_as_float(0xff800000); }

// Byte offset of a 16-byte piece in a tile of 128-byte rows: pieces of neighbouring rows are
// permuted against each other, so eight rows of one column lie in different banks.
__device__ __forceinline__ unsigned Offset(int row, int piece) {
  return (row * kPiecesPerRow + (piece ^ (row % 8))) * kPieceBytes;
}

// Starts a 16-byte copy to shared memory; writes zeros and reads nothing if not `valid`.
__device__ __forceinline__ void CopyAsync(unsigned shared, const void* global, bool valid) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared),
               "l"(__cvta_generic_to_global(global)), "r"(valid ? 16 : 0)
               : "memory");
}

__device__ __forceinline__ void CommitAndWaitForCopies() {
  asm volatile("cp.async.commit_group;" ::: "memory");
  asm volatile("cp.async.wait_group 0;" ::: "memory");
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
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__device__ __forceinline__ unsigned PackHalves(float low, float high) {
  const __half2 pair = __floats2half2_rn(low, high);
  return *reinterpret_cast<const unsigned*>(&pair);
}

// Starts the copy of 64 rows from `row0` on of a [rows, 64] matrix; zeros behind its end.
__device__ __forceinline__ void FetchTile(unsigned tile, const __half* matrix, int row0, int rows) {
#pragma unroll
  for (int i = threadIdx.x; i < kKeys * kPiecesPerRow; i += kThreads) {
    const int row = i / kPiecesPerRow;
    const int piece = i % kPiecesPerRow;
    const bool valid = row0 + row < rows;
    const size_t from = valid ? static_cast<size_t>(row0 + row) * kHeadDim : 0;
    CopyAsync(tile + Offset(row, piece), matrix + from + piece * kPieceElements, valid);
  }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(kThreads, kBlocksPerSm)
    attention_f16_d64(const __half* __restrict__ q, const __half* __restrict__ k,
                      const __half* __restrict__ v, __half* __restrict__ o, int queries, int keys,
                      float scale, int causal) {
  __shared__ __align__(128) unsigned char tiles[3][kKeys * kHeadDim * 2];
  const unsigned tile_q = static_cast<unsigned>(__cvta_generic_to_shared(tiles[0]));
  const unsigned tile_k = static_cast<unsigned>(__cvta_generic_to_shared(tiles[1]));
  const unsigned tile_v = static_cast<unsigned>(__cvta_generic_to_shared(tiles[2]));

  const int lane = threadIdx.x % kWarp;
  const int warp = threadIdx.x / kWarp;
  const int block_query = blockIdx.x * kQueries;
  const size_t head = blockIdx.y;
  q += head * queries * kHeadDim;
  o += head * queries * kHeadDim;
  k += head * keys * kHeadDim;
  v += head * keys * kHeadDim;

  // Keys from here on are seen by no query of this block.
  const int shift = keys - queries;
  int end = keys;
  if (causal) end = min(keys, block_query + kQueries + shift);

  FetchTile(tile_q, q, block_query, queries);
  FetchTile(tile_k, k, 0, keys);
  CommitAndWaitForCopies();
  __syncthreads();

  // This warp's 16 queries as A fragments; lane l holds rows l / 4 and l / 4 + 8.
  unsigned query[kHeadDim / 16][4];
#pragma unroll
  for (int d = 0; d < kHeadDim / 16; ++d) {
    LoadMatrix4(query[d], tile_q + Offset(warp * 16 + lane % 16, d * 2 + lane / 16));
  }

  const float scale_log2 = scale * kLog2E;
  float out[kDimFragments][4] = {};
  float row_max[2] = {NegativeInfinity(), NegativeInfinity()};
  float row_sum[2] = {0.0f, 0.0f};

  for (int key0 = 0; key0 < end; key0 += kKeys) {
    FetchTile(tile_v, v, key0, keys);

    float score[kKeyFragments][4] = {};
#pragma unroll
    for (int d = 0; d < kHeadDim / 16; ++d) {
#pragma unroll
      for (int j = 0; j < kKeyFragments / 2; ++j) {
        // Keys 0-7 at dims 0-7 and 8-15, then keys 8-15.
        unsigned right[4];
        LoadMatrix4(right,
                    tile_k + Offset(j * 16 + (lane / 16) * 8 + lane % 8, d * 2 + lane / 8 % 2));
        MultiplyAdd(score[j * 2], query[d], right[0], right[1]);
        MultiplyAdd(score[j * 2 + 1], query[d], right[2], right[3]);
      }
    }

    // Mask, then the maximum of each of this lane's two rows over its four lanes.
    float new_max[2] = {row_max[0], row_max[1]};
#pragma unroll
    for (int j = 0; j < kKeyFragments; ++j) {
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        const int key = key0 + j * 8 + (lane % 4) * 2 + e % 2;
        const int row = block_query + warp * 16 + lane / 4 + (e / 2) * 8;
        const bool seen = key < keys && (!causal || key <= row + shift);
        score[j][e] = seen ? score[j][e] * scale_log2 : NegativeInfinity();
        new_max[e / 2] = fmaxf(new_max[e / 2], score[j][e]);
      }
    }
    float base[2];
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      new_max[r] = fmaxf(new_max[r], __shfl_xor_sync(0xffffffffu, new_max[r], 1));
      new_max[r] = fmaxf(new_max[r], __shfl_xor_sync(0xffffffffu, new_max[r], 2));
      // A row that has seen no key yet: any finite base makes its terms exp2(-inf) = 0.
      base[r] = new_max[r] == NegativeInfinity() ? 0.0f : new_max[r];
      const float weight = exp2f(row_max[r] - base[r]);
      row_max[r] = new_max[r];
      row_sum[r] *= weight;
#pragma unroll
      for (int d = 0; d < kDimFragments; ++d) {
        out[d][r * 2] *= weight;
        out[d][r * 2 + 1] *= weight;
      }
    }
#pragma unroll
    for (int j = 0; j < kKeyFragments; ++j) {
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        score[j][e] = exp2f(score[j][e] - base[e / 2]);
        row_sum[e / 2] += score[j][e];
      }
    }

    // V has landed for everybody, and everybody is done with K.
    CommitAndWaitForCopies();
    __syncthreads();
    if (key0 + kKeys < end) FetchTile(tile_k, k, key0 + kKeys, keys);

#pragma unroll
    for (int j = 0; j < kKeys / 16; ++j) {
      const unsigned left[4] = {PackHalves(score[j * 2][0], score[j * 2][1]),
                                PackHalves(score[j * 2][2], score[j * 2][3]),
                                PackHalves(score[j * 2 + 1][0], score[j * 2 + 1][1]),
                                PackHalves(score[j * 2 + 1][2], score[j * 2 + 1][3])};
#pragma unroll
      for (int d = 0; d < kDimFragments / 2; ++d) {
        // V is row-major [key, dim]: keys 0-7 and 8-15 at dims 0-7, then at dims 8-15.
        unsigned right[4];
        LoadMatrix4Transposed(right, tile_v + Offset(j * 16 + lane % 16, d * 2 + lane / 16));
        MultiplyAdd(out[d * 2], left, right[0], right[1]);
        MultiplyAdd(out[d * 2 + 1], left, right[2], right[3]);
      }
    }

    // The next K has landed for everybody, and everybody is done with V.
    CommitAndWaitForCopies();
    __syncthreads();
  }

#pragma unroll
  for (int r = 0; r < 2; ++r) {
    row_sum[r] += __shfl_xor_sync(0xffffffffu, row_sum[r], 1);
    row_sum[r] += __shfl_xor_sync(0xffffffffu, row_sum[r], 2);
    const float normal = row_sum[r] == 0.0f ? 0.0f : 1.0f / row_sum[r];
    const int row = block_query + warp * 16 + lane / 4 + r * 8;
    if (row >= queries) continue;
#pragma unroll
    for (int d = 0; d < kDimFragments; ++d) {
      const __half2 pair = __floats2half2_rn(out[d][r * 2] * normal, out[d][r * 2 + 1] * normal);
      const size_t at = static_cast<size_t>(row) * kHeadDim + d * 8 + (lane % 4) * 2;
      *reinterpret_cast<__half2*>(o + at) = pair;
    }
  }
}
