// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// gemm_tcgen05: C = A * B^T with bfloat16 operands on Blackwell, accumulated in tensor memory.
//
// Shows: the fifth-generation tensor core. Warp 4 copies 128 x 64 and 256 x 64 tiles with the
// tensor memory accelerator (TMA); one thread of warp 5 issues tcgen05.mma, whose 128 x 256
// accumulator lives in tensor memory and costs no registers; tcgen05.commit turns "the products so
// far are done" into an mbarrier arrival, both to free a stage and to start the epilogue; warps 0-3
// read the accumulator with tcgen05.ld and write C.
// Runs on: the families with tensor memory, 10.x and 11.x, as architecture- or family-specific
// code.
// warpyard-requires: sm in {10.0a, 10.0f, 10.3a, 10.3f, 10.7a, 10.7f, 11.0a, 11.0f}
//
//   gemm_tcgen05_bf16(CUtensorMap map_a, CUtensorMap map_b, __nv_bfloat16* c, int m, int n, int k)
//     grid   (ceil(n / 256), ceil(m / 128), 1)
//     block  (192, 1, 1)
//     dynamic shared memory: 197712 bytes (more than 48 KiB: raise
//       CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES first)
//     tensor memory: 256 of 512 columns
//   Parameters: map_a at byte 0, map_b at 128, c at 256, m at 264, n at 268, k at 272.
//
// A: [m, k], B: [n, k], row-major bfloat16, 16-byte aligned, k a multiple of 8; C: [m, n],
// row-major bfloat16, 16-byte aligned. m, n, k >= 1; m and n are free.
//
// map_a, map_b: from cuTensorMapEncodeTiled with data type BFLOAT16, rank 2, dimensions {k, m} and
// {k, n}, the byte stride {2 * k}, boxes {64, 128} and {64, 256}, element strides {1, 1}, no
// interleave, SWIZZLE_128B, zeros out of bounds.
//
// Sources: PTX ISA, "TensorCore 5th Generation Family Instructions": shared memory descriptor,
// instruction descriptor (table for .kind::f16), data path layout D, memory consistency model.
// Not yet run on hardware.

#include <cuda_bf16.h>

// The 128 opaque bytes of a CUtensorMap; <cuda.h> itself cannot be compiled by NVRTC.
struct alignas(128) TensorMap {
  unsigned char bytes[128];
};

namespace {

using u64 = unsigned long long;

constexpr unsigned kFullWarp = 0xffffffffu;
constexpr int kWarp = 32;
// Warps 0-3 write C: of four neighbouring warps, number w reaches tensor memory lanes 32 * w on.
constexpr int kProducerWarp = 4;
constexpr int kMathWarp = 5;
constexpr int kThreads = 6 * kWarp;

constexpr int kTileM = 128;
constexpr int kTileN = 256;
constexpr int kTileK = 64;  // 128 bytes: one row of the swizzle pattern
constexpr int kMathK = 16;  // columns for one tcgen05.mma of 16-bit elements
constexpr int kStages = 4;
constexpr int kTensorColumns = kTileN;  // one 32-bit column for each column of C

constexpr unsigned kBytesA = kTileM * kTileK * sizeof(__nv_bfloat16);
constexpr unsigned kBytesB = kTileN * kTileK * sizeof(__nv_bfloat16);
constexpr unsigned kStageBytes = kBytesA + kBytesB;
// The 128-byte swizzle repeats every 1024 bytes and tiles must start on such a boundary; dynamic
// shared memory is only sure to start on a smaller one, so up to 1024 - 16 bytes go unused.
constexpr unsigned kSwizzleRepeat = 1024;
// full[kStages], empty[kStages], done, and the address that tcgen05.alloc writes.
constexpr unsigned kControlBytes = (2 * kStages + 1) * 8 + 8;
static_assert(kSwizzleRepeat + kStages * kStageBytes + kControlBytes == 197712,
              "the header comment states the size");

// --- mbarriers; addresses are 32-bit shared-memory addresses ---

__device__ __forceinline__ void BarrierInit(unsigned barrier, unsigned arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}

// Makes initialised barriers visible to the asynchronous proxy, in which TMA works.
__device__ __forceinline__ void BarrierInitFence() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
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

// --- tensor memory and tcgen05 ---

// Run by one whole warp; writes the address of the columns to shared memory at `shared`.
__device__ __forceinline__ void AllocateTensorMemory(unsigned shared) {
  asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(shared),
               "n"(kTensorColumns)
               : "memory");
  asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;");
}

// Run by the warp that allocated.
__device__ __forceinline__ void FreeTensorMemory(unsigned address) {
  asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" ::"r"(address),
               "n"(kTensorColumns)
               : "memory");
}

// The two halves of handing tcgen05 work from one thread to another around a barrier.
__device__ __forceinline__ void FenceBeforeSync() {
  asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
}
__device__ __forceinline__ void FenceAfterSync() {
  asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
}

// Describes a K-major operand in shared memory with the 128-byte swizzle. Groups of eight rows are
// 1024 bytes apart; the leading offset is not used by this layout and set to 1, as the manual asks.
__device__ __forceinline__ u64 MatrixDescriptor(unsigned address) {
  constexpr u64 kLeadingOffset = 1;
  constexpr u64 kStrideOffset = kSwizzleRepeat >> 4;
  constexpr u64 kFixed = 1;  // bits 46-48
  constexpr u64 kSwizzle128 = 2;
  return static_cast<u64>((address & 0x3ffff) >> 4) | (kLeadingOffset << 16) |
         (kStrideOffset << 32) | (kFixed << 46) | (kSwizzle128 << 61);
}

// Instruction descriptor of .kind::f16: float32 accumulator, bfloat16 A and B, both K-major, shape.
constexpr unsigned kAccumulatorF32 = 1;
constexpr unsigned kOperandBf16 = 1;
constexpr unsigned kInstruction = (kAccumulatorF32 << 4) | (kOperandBf16 << 7) |
                                  (kOperandBf16 << 10) | (kTileN >> 3 << 17) | (kTileM >> 4 << 24);

// Run by one thread: tensor memory at `d` = A * B^T, plus what was there if `accumulate`.
__device__ __forceinline__ void MultiplyAdd(unsigned d, u64 a, u64 b, bool accumulate) {
  asm volatile(
      "{\n"
      ".reg .pred p;\n"
      "setp.ne.b32 p, %4, 0;\n"
      "tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p;\n"
      "}" ::"r"(d),
      "l"(a), "l"(b), "r"(kInstruction), "r"(accumulate ? 1 : 0)
      : "memory");
}

// Arrives on `barrier` once all tcgen05.mma that this thread has issued so far are complete.
__device__ __forceinline__ void CommitTo(unsigned barrier) {
  asm volatile(
      "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(barrier)
      : "memory");
}

// Run by one whole warp: lane l gets 32 columns, from `address` on, of tensor memory lane
// (address's lane + l). Load and wait are one statement, so that no use of the values can move in
// between.
__device__ __forceinline__ void LoadColumns32(float (&v)[32], unsigned address) {
  asm volatile(
      "tcgen05.ld.sync.aligned.32x32b.x32.b32 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, [%32];\n"
      "tcgen05.wait::ld.sync.aligned;"
      : "=f"(v[0]), "=f"(v[1]), "=f"(v[2]), "=f"(v[3]), "=f"(v[4]), "=f"(v[5]), "=f"(v[6]),
        "=f"(v[7]), "=f"(v[8]), "=f"(v[9]), "=f"(v[10]), "=f"(v[11]), "=f"(v[12]), "=f"(v[13]),
        "=f"(v[14]), "=f"(v[15]), "=f"(v[16]), "=f"(v[17]), "=f"(v[18]), "=f"(v[19]), "=f"(v[20]),
        "=f"(v[21]), "=f"(v[22]), "=f"(v[23]), "=f"(v[24]), "=f"(v[25]), "=f"(v[26]), "=f"(v[27]),
        "=f"(v[28]), "=f"(v[29]), "=f"(v[30]), "=f"(v[31])
      : "r"(address)
      : "memory");
}

// --- the three roles ---

// Where the stages and barriers of this block lie in shared memory.
struct Pipeline {
  unsigned stages;
  unsigned control;

  __device__ __forceinline__ unsigned A(int stage) const { return stages + stage * kStageBytes; }
  __device__ __forceinline__ unsigned B(int stage) const { return A(stage) + kBytesA; }
  __device__ __forceinline__ unsigned Full(int stage) const { return control + stage * 8; }
  __device__ __forceinline__ unsigned Empty(int stage) const {
    return control + (kStages + stage) * 8;
  }
  __device__ __forceinline__ unsigned Done() const { return control + 2 * kStages * 8; }
  __device__ __forceinline__ unsigned TensorAddress() const { return Done() + 8; }
};

// Run by one thread: keeps the stages filled.
__device__ __forceinline__ void Produce(const Pipeline& pipeline, const TensorMap* map_a,
                                        const TensorMap* map_b, int row, int col, int tiles) {
  for (int tile = 0; tile < tiles; ++tile) {
    const int stage = tile % kStages;
    const unsigned round = tile / kStages;
    // Round 0 passes at once; later rounds wait until the products of round - 1 are done.
    BarrierWait(pipeline.Empty(stage), (round + 1) % 2);
    // Boxes that stick out of the matrix count in full: TMA writes zeros for what lies outside.
    BarrierArriveExpect(pipeline.Full(stage), kStageBytes);
    CopyTile(pipeline.A(stage), map_a, tile * kTileK, row, pipeline.Full(stage));
    CopyTile(pipeline.B(stage), map_b, tile * kTileK, col, pipeline.Full(stage));
  }
}

// Run by one thread: issues all products.
__device__ __forceinline__ void Multiply(const Pipeline& pipeline, unsigned accumulator,
                                         int tiles) {
  constexpr u64 kStepK = kMathK * sizeof(__nv_bfloat16) >> 4;  // in descriptor units
  for (int tile = 0; tile < tiles; ++tile) {
    const int stage = tile % kStages;
    BarrierWait(pipeline.Full(stage), tile / kStages % 2);
    FenceAfterSync();

    // Stepping inside of the swizzled row moves the start address alone: the hardware applies the
    // swizzle to address bits, and the tile is aligned to the pattern.
    const u64 a = MatrixDescriptor(pipeline.A(stage));
    const u64 b = MatrixDescriptor(pipeline.B(stage));
#pragma unroll
    for (int kk = 0; kk < kTileK / kMathK; ++kk) {
      MultiplyAdd(accumulator, a + kk * kStepK, b + kk * kStepK, tile > 0 || kk > 0);
    }
    // Only where the producer will wait for it: an arrival after the block's end has no barrier.
    if (tile + kStages < tiles) CommitTo(pipeline.Empty(stage));
  }
  CommitTo(pipeline.Done());
}

// Run by warps 0-3: thread t owns row t of the tile (data path layout D: lane = row).
__device__ __forceinline__ void WriteTile(const Pipeline& pipeline, unsigned accumulator,
                                          __nv_bfloat16* __restrict__ c, int row0, int col0, int m,
                                          int n) {
  BarrierWait(pipeline.Done(), 0);
  FenceAfterSync();

  const int row = row0 + threadIdx.x;
  const unsigned lanes = (threadIdx.x / kWarp * kWarp) << 16;
  __nv_bfloat16* line = c + static_cast<size_t>(row) * n;
#pragma unroll 1
  for (int start = 0; start < kTileN; start += 32) {
    float v[32];
    // All lanes take part in the load, also those whose row is outside of the matrix.
    LoadColumns32(v, accumulator + lanes + start);
    const int col = col0 + start;
    if (row >= m || col >= n) continue;

    if (n % 8 == 0) {  // every group of eight is whole and 16-byte aligned
#pragma unroll
      for (int j = 0; j < 32; j += 8) {
        if (col + j >= n) continue;
        __nv_bfloat162 eight[4];
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          eight[i] = __floats2bfloat162_rn(v[j + i * 2], v[j + i * 2 + 1]);
        }
        *reinterpret_cast<uint4*>(line + col + j) = *reinterpret_cast<const uint4*>(eight);
      }
    } else {
#pragma unroll
      for (int j = 0; j < 32; ++j) {
        if (col + j < n) line[col + j] = __float2bfloat16_rn(v[j]);
      }
    }
  }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(kThreads, 1)
    gemm_tcgen05_bf16(const __grid_constant__ TensorMap map_a,
                      const __grid_constant__ TensorMap map_b, __nv_bfloat16* __restrict__ c, int m,
                      int n, int k) {
  extern __shared__ __align__(16) unsigned char memory[];
  const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(memory));
  Pipeline pipeline;
  pipeline.stages = (base + kSwizzleRepeat - 1) / kSwizzleRepeat * kSwizzleRepeat;
  pipeline.control = pipeline.stages + kStages * kStageBytes;

  const int lane = threadIdx.x % kWarp;
  const int warp = threadIdx.x / kWarp;
  const int row = blockIdx.y * kTileM;
  const int col = blockIdx.x * kTileN;
  const int tiles = (k + kTileK - 1) / kTileK;

  if (threadIdx.x == 0) {
    PrefetchTensorMap(&map_a);
    PrefetchTensorMap(&map_b);
    for (int stage = 0; stage < kStages; ++stage) {
      BarrierInit(pipeline.Full(stage), 1);
      BarrierInit(pipeline.Empty(stage), 1);
    }
    BarrierInit(pipeline.Done(), 1);
    BarrierInitFence();
  }
  if (warp == kMathWarp) AllocateTensorMemory(pipeline.TensorAddress());
  FenceBeforeSync();
  __syncthreads();
  FenceAfterSync();

  unsigned accumulator;
  asm volatile("ld.shared.u32 %0, [%1];"
               : "=r"(accumulator)
               : "r"(pipeline.TensorAddress())
               : "memory");

  if (warp == kProducerWarp) {
    if (lane == 0) Produce(pipeline, &map_a, &map_b, row, col, tiles);
  } else if (warp == kMathWarp) {
    if (lane == 0) Multiply(pipeline, accumulator, tiles);
  } else {
    WriteTile(pipeline, accumulator, c, row, col, m, n);
  }
  __syncwarp(kFullWarp);

  // Tensor memory must be given back before the block ends, after its last reader.
  FenceBeforeSync();
  __syncthreads();
  FenceAfterSync();
  if (warp == kMathWarp) FreeTensorMemory(accumulator);
}
