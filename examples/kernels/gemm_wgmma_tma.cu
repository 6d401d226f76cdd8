// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// gemm_wgmma_tma: C = A * B^T with float16 operands on Hopper, accumulated in float32.
//
// Shows: the Hopper pipeline. One warpgroup produces: a single thread asks the tensor memory
// accelerator (TMA) for 128 x 64 tiles of A and B, four stages ahead. Two warpgroups consume: each
// multiplies 64 rows with wgmma.mma_async straight from shared memory. mbarriers carry the
// hand-over both ways: `full` counts the bytes that have landed, `empty` the warps that are done
// reading. setmaxnreg moves registers from the producer to the consumers.
// Runs on: compute capability 9.0 alone (wgmma and setmaxnreg belong to sm_90a).
// warpyard-requires: sm in {9.0a}
//
//   gemm_wgmma_f16(CUtensorMap map_a, CUtensorMap map_b, __half* c, int m, int n, int k)
//     grid   (ceil(n / 128), ceil(m / 128), 1)
//     block  (384, 1, 1)
//     dynamic shared memory: 132160 bytes (more than 48 KiB: raise
//       CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES first)
//   Parameters: map_a at byte 0, map_b at 128, c at 256, m at 264, n at 268, k at 272.
//
// A: [m, k], B: [n, k], row-major float16, 16-byte aligned, k a multiple of 8; C: [m, n], row-major
// float16, 4-byte aligned. m, n, k >= 1; m and n are free.
// map_a, map_b: from cuTensorMapEncodeTiled with data type FLOAT16, rank 2, dimensions {k, m} and
// {k, n}, the byte stride {2 * k}, box {64, 128}, element strides {1, 1}, no interleave,
// SWIZZLE_128B, zeros out of bounds.
//
// Sources: PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions" (descriptor, K-major
// 128-byte swizzle, accumulator layout), "cp.async.bulk.tensor", "mbarrier".
// Not yet run on hardware.

#include <cuda_fp16.h>

// The 128 opaque bytes of a CUtensorMap; <cuda.h> itself cannot be compiled by NVRTC.
struct alignas(128) TensorMap {
  unsigned char bytes[128];
};

namespace {

using u64 = unsigned long long;

constexpr int kWarp = 32;
constexpr int kWarpgroup = 128;
constexpr int kConsumers = 2;  // warpgroups
constexpr int kThreads = (1 + kConsumers) * kWarpgroup;
constexpr int kTileM = 64 * kConsumers;
constexpr int kTileN = 128;
constexpr int kTileK = 64;  // 128 bytes: one row of the swizzle pattern
constexpr int kStages = 4;

constexpr unsigned kBytesA = kTileM * kTileK * sizeof(__half);
constexpr unsigned kBytesB = kTileN * kTileK * sizeof(__half);
constexpr unsigned kStageBytes = kBytesA + kBytesB;
// The 128-byte swizzle repeats every 1024 bytes and tiles must start on such a boundary; dynamic
// shared memory is only sure to start on a smaller one, so up to 1024 - 16 bytes go unused.
constexpr unsigned kSwizzleRepeat = 1024;
constexpr unsigned kBarrierBytes = 2 * kStages * sizeof(u64);
static_assert(kSwizzleRepeat + kStages * kStageBytes + kBarrierBytes == 132160,
              "the header comment states the size");

// Registers for each thread after the hand-over: 128 * 40 + 256 * 232 = 64512 of the 65536.
constexpr int kProducerRegisters = 40;
constexpr int kConsumerRegisters = 232;

// Accumulators for each thread: 64 x 128 floats over 128 threads.
constexpr int kAccumulators = 64;

// --- mbarriers; addresses are 32-bit shared-memory addresses ---

__device__ __forceinline__ void BarrierInit(unsigned barrier, unsigned arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}

// Makes initialised barriers visible to the asynchronous proxy, in which TMA works.
__device__ __forceinline__ void BarrierInitFence() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

__device__ __forceinline__ void BarrierArrive(unsigned barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

// Arrives, and makes the phase wait for `bytes` bytes of asynchronous copies as well.
__device__ __forceinline__ void BarrierArriveExpect(unsigned barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
               : "memory");
}

// Waits for the end of the phase with the given parity. On a new barrier the phase before the
// first one, of parity 1, counts as ended.
__device__ __forceinline__ void BarrierWait(unsigned barrier, unsigned parity) {
  unsigned done;
  do {
    asm volatile(
        "{\n"
        ".reg .pred p;\n"
        "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
        "selp.u32 %0, 1, 0, p;\n"
        "}"
        : "=r"(done)
        : "r"(barrier), "r"(parity)
        : "memory");
  } while (done == 0);
}

// --- TMA ---

__device__ __forceinline__ void PrefetchTensorMap(const TensorMap* map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(map) : "memory");
}

// Starts the copy of the map's box at element (x, y) to `shared`; `barrier` counts its bytes.
__device__ __forceinline__ void CopyTile(unsigned shared, const TensorMap* map, int x, int y,
                                         unsigned barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%3, %4}], [%2];" ::"r"(shared),
      "l"(map), "r"(barrier), "r"(x), "r"(y)
      : "memory");
}

// --- wgmma ---

// Describes a K-major operand in shared memory with the 128-byte swizzle. Groups of eight rows are
// 1024 bytes apart; the leading offset is not used by this layout and set to 1, as the manual asks.
__device__ __forceinline__ u64 MatrixDescriptor(unsigned address) {
  constexpr u64 kLeadingOffset = 1;
  constexpr u64 kStrideOffset = kSwizzleRepeat >> 4;
  constexpr u64 kSwizzle128 = 1;
  return static_cast<u64>((address & 0x3ffff) >> 4) | (kLeadingOffset << 16) |
         (kStrideOffset << 32) | (kSwizzle128 << 62);
}

__device__ __forceinline__ void WgmmaFence() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

__device__ __forceinline__ void WgmmaCommit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

template <int kPending>
__device__ __forceinline__ void WgmmaWait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(kPending) : "memory");
}

// Keeps the compiler from moving ordinary uses of the accumulators across this point: to it, the
// products that are still in flight look finished.
__device__ __forceinline__ void PinAccumulators(float (&d)[kAccumulators]) {
#pragma unroll
  for (int i = 0; i < kAccumulators; ++i) asm volatile("" : "+f"(d[i])::"memory");
}

// d += A * B^T for 64 x 16 elements of A and 128 x 16 of B, both K-major.
__device__ __forceinline__ void Wgmma(float (&d)[kAccumulators], u64 a, u64 b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
      "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
      "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
      "%64, %65, 1, 1, 1, 0, 0;"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
        "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
        "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),
        "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]),
        "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]), "+f"(d[32]), "+f"(d[33]), "+f"(d[34]),
        "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]),
        "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]),
        "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),
        "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]),
        "+f"(d[63])
      : "l"(a), "l"(b));
}

// --- the two roles ---

// Where the stages and barriers of this block lie in shared memory.
struct Pipeline {
  unsigned stages;
  unsigned barriers;

  __device__ __forceinline__ unsigned A(int stage) const { return stages + stage * kStageBytes; }
  __device__ __forceinline__ unsigned B(int stage) const { return A(stage) + kBytesA; }
  __device__ __forceinline__ unsigned Full(int stage) const { return barriers + stage * 8; }
  __device__ __forceinline__ unsigned Empty(int stage) const {
    return barriers + (kStages + stage) * 8;
  }
};

// Run by one thread: keeps the stages filled.
__device__ __forceinline__ void Produce(const Pipeline& pipeline, const TensorMap* map_a,
                                        const TensorMap* map_b, int row, int col, int tiles) {
  for (int tile = 0; tile < tiles; ++tile) {
    const int stage = tile % kStages;
    const unsigned round = tile / kStages;
    // Round 0 passes at once; later rounds wait until the consumers have read round - 1.
    BarrierWait(pipeline.Empty(stage), (round + 1) % 2);
    // Boxes that stick out of the matrix count in full: TMA writes zeros for what lies outside.
    BarrierArriveExpect(pipeline.Full(stage), kStageBytes);
    CopyTile(pipeline.A(stage), map_a, tile * kTileK, row, pipeline.Full(stage));
    CopyTile(pipeline.B(stage), map_b, tile * kTileK, col, pipeline.Full(stage));
  }
}

// Run by each consumer warpgroup: d = its 64 rows of the tile's product.
__device__ __forceinline__ void Consume(const Pipeline& pipeline, int consumer, bool signals,
                                        int tiles, float (&d)[kAccumulators]) {
  constexpr unsigned kBytesPerConsumer = kBytesA / kConsumers;
  constexpr u64 kStepK = 16 * sizeof(__half) >> 4;  // 16 columns, in descriptor units
  PinAccumulators(d);
  for (int tile = 0; tile < tiles; ++tile) {
    const int stage = tile % kStages;
    BarrierWait(pipeline.Full(stage), tile / kStages % 2);

    // Stepping inside of the swizzled row moves the start address alone: the hardware applies the
    // swizzle to address bits, and the tile is aligned to the pattern.
    const u64 a = MatrixDescriptor(pipeline.A(stage) + consumer * kBytesPerConsumer);
    const u64 b = MatrixDescriptor(pipeline.B(stage));
    WgmmaFence();
#pragma unroll
    for (int kk = 0; kk < kTileK / 16; ++kk) Wgmma(d, a + kk * kStepK, b + kk * kStepK);
    WgmmaCommit();

    // This tile's products stay in flight; those of the tile before are done, and so is its stage.
    WgmmaWait<1>();
    if (tile > 0 && signals) BarrierArrive(pipeline.Empty((tile - 1) % kStages));
  }
  WgmmaWait<0>();
  PinAccumulators(d);
}

// Writes d as float16. Thread t of the warpgroup holds, for each eight columns j, columns
// 8 * j + 2 * (t % 4) + {0, 1} of rows 16 * (t / 32) + t % 32 / 4 and that + 8.
__device__ __forceinline__ void WriteTile(const float (&d)[kAccumulators], __half* __restrict__ c,
                                          int row0, int col0, int m, int n) {
  const int thread = threadIdx.x % kWarpgroup;
  const int row_base = row0 + thread / kWarp * 16 + thread % kWarp / 4;
  const int col_base = col0 + thread % 4 * 2;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const int row = row_base + half * 8;
    if (row >= m) continue;
#pragma unroll
    for (int j = 0; j < kTileN / 8; ++j) {
      const int col = col_base + j * 8;
      __half* out = c + static_cast<size_t>(row) * n + col;
      const __half2 pair = __floats2half2_rn(d[j * 4 + half * 2], d[j * 4 + half * 2 + 1]);
      if (n % 2 == 0) {  // every pair is whole and 4-byte aligned
        if (col < n) *reinterpret_cast<__half2*>(out) = pair;
      } else {
        if (col < n) out[0] = __low2half(pair);
        if (col + 1 < n) out[1] = __high2half(pair);
      }
    }
  }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(kThreads, 1)
    gemm_wgmma_f16(const __grid_constant__ TensorMap map_a, const __grid_constant__ TensorMap map_b,
                   __half* __restrict__ c, int m, int n, int k) {
  extern __shared__ __align__(16) unsigned char memory[];
  const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(memory));
  Pipeline pipeline;
  pipeline.stages = (base + kSwizzleRepeat - 1) / kSwizzleRepeat * kSwizzleRepeat;
  pipeline.barriers = pipeline.stages + kStages * kStageBytes;

  const int row = blockIdx.y * kTileM;
  const int col = blockIdx.x * kTileN;
  const int tiles = (k + kTileK - 1) / kTileK;

  if (threadIdx.x == 0) {
    PrefetchTensorMap(&map_a);
    PrefetchTensorMap(&map_b);
    for (int stage = 0; stage < kStages; ++stage) {
      BarrierInit(pipeline.Full(stage), 1);
      BarrierInit(pipeline.Empty(stage), kConsumers * kWarpgroup / kWarp);
    }
    BarrierInitFence();
  }
  __syncthreads();

  const int warpgroup = threadIdx.x / kWarpgroup;
  if (warpgroup == 0) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(kProducerRegisters));
    if (threadIdx.x == 0) Produce(pipeline, &map_a, &map_b, row, col, tiles);
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(kConsumerRegisters));
    const int consumer = warpgroup - 1;
    float d[kAccumulators] = {};
    Consume(pipeline, consumer, threadIdx.x % kWarp == 0, tiles, d);
    WriteTile(d, c, row + consumer * 64, col, m, n);
  }
}
