// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// cluster_reduce: the sum of each long row, shared out over a cluster of four blocks.
//
// Shows: thread-block clusters and distributed shared memory (PTX ISA: mapa, st.shared::cluster,
// barrier.cluster). Each block writes its part straight into the shared memory of block 0 of its
// cluster: no second launch, no global memory, no atomics. Deterministic.
// Runs on: compute capability 9.0 and later.
// warpyard-requires: sm>=9.0
//
//   cluster_reduce_rows_f32(const float* in, float* out, int cols)
//     grid    (4, rows, 1); rows <= 65535
//     block   (256, 1, 1)
//     cluster (4, 1, 1), fixed at compile time
//     dynamic shared memory: 0 bytes (static: 48)
//
// in: [rows, cols], row-major float32, 4-byte aligned; out: [rows]. cols = 0 gives sums of 0.
// Not yet run on hardware.

namespace {

constexpr unsigned kFullWarp = 0xffffffffu;
constexpr int kWarp = 32;
constexpr int kThreads = 256;
constexpr int kWarps = kThreads / kWarp;
constexpr int kCluster = 4;

__device__ __forceinline__ float WarpSum(float value) {
#pragma unroll
  for (int offset = kWarp / 2; offset > 0; offset /= 2) {
    value += __shfl_xor_sync(kFullWarp, value, offset);
  }
  return value;
}

__device__ __forceinline__ unsigned ClusterRank() {
  unsigned rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

// Returns the address, in the cluster's shared window, of block `rank`'s copy of `address`.
__device__ __forceinline__ unsigned MapToRank(unsigned address, unsigned rank) {
  unsigned mapped;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(mapped) : "r"(address), "r"(rank));
  return mapped;
}

__device__ __forceinline__ void StoreToCluster(unsigned address, float value) {
  asm volatile("st.shared::cluster.f32 [%0], %1;" ::"r"(address), "f"(value) : "memory");
}

// A barrier over all threads of the cluster; writes before it are visible after it.
__device__ __forceinline__ void ClusterBarrier() {
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

}  // namespace

extern "C" __global__ void __launch_bounds__(kThreads) __cluster_dims__(kCluster, 1, 1)
    cluster_reduce_rows_f32(const float* __restrict__ in, float* __restrict__ out, int cols) {
  __shared__ float warp_sums[kWarps];
  __shared__ float block_sums[kCluster];  // used in block 0 of the cluster alone
  const int lane = threadIdx.x % kWarp;
  const int warp = threadIdx.x / kWarp;
  const unsigned rank = ClusterRank();

  const float* line = in + static_cast<size_t>(blockIdx.y) * cols;
  float sum = 0.0f;
  for (size_t c = rank * kThreads + threadIdx.x; c < cols; c += kCluster * kThreads) {
    sum += line[c];
  }

  sum = WarpSum(sum);
  if (lane == 0) warp_sums[warp] = sum;
  // Also says that block 0 has started: its shared memory may be written from now on.
  ClusterBarrier();
  if (warp == 0) {
    sum = WarpSum(lane < kWarps ? warp_sums[lane] : 0.0f);
    if (lane == 0) {
      const unsigned own = static_cast<unsigned>(__cvta_generic_to_shared(&block_sums[rank]));
      StoreToCluster(MapToRank(own, 0), sum);
    }
  }
  ClusterBarrier();

  if (rank == 0 && threadIdx.x == 0) {
    float total = 0.0f;
#pragma unroll
    for (int b = 0; b < kCluster; ++b) total += block_sums[b];
    out[blockIdx.y] = total;
  }
}
