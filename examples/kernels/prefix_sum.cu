// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// prefix_sum: out[i] = in[0] + ... + in[i] on 32-bit unsigned integers (modulo 2^32), in one pass.
//
// Shows: the decoupled look-back scan (Merrill and Garland, NVIDIA technical report NVR-2016-002).
// Blocks talk to each other inside one launch: each publishes its tile's sum, then its inclusive
// prefix, as one 64-bit word (state in the upper half, value in the lower), so a reader never sees
// a value without its state. Tiles are numbered by an atomic counter in the order in which blocks
// start, so a block only ever waits for blocks that already run.
// Runs on: every target.
//
//   prefix_sum_u32(const unsigned* in, unsigned* out, unsigned long long* tile_state,
//                  unsigned* tile_counter, size_t n)
//     grid   (ceil(n / 2048), 1, 1)
//     block  (256, 1, 1)
//     dynamic shared memory: 0 bytes (static: 8488)
//
// in, out: n uint32, 4-byte aligned; out may be in. tile_state: one uint64 for each block;
// tile_counter: one uint32. Both must be zero before every launch. n < 2^31 * 2048.
// Not yet run on hardware.

namespace {

using TileState = unsigned long long;

constexpr unsigned kFullWarp = 0xffffffffu;
constexpr int kWarp = 32;
constexpr int kThreads = 256;
constexpr int kWarps = kThreads / kWarp;
constexpr int kItems = 8;
constexpr int kTile = kThreads * kItems;

constexpr unsigned kNothing = 0;    // the tile has published nothing
constexpr unsigned kAggregate = 1;  // the sum of the tile alone
constexpr unsigned kInclusive = 2;  // the sum of everything up to the tile's end

__device__ __forceinline__ TileState Pack(unsigned state, unsigned value) {
  return (static_cast<TileState>(state) << 32) | value;
}
__device__ __forceinline__ unsigned State(TileState word) {
  return static_cast<unsigned>(word >> 32);
}
__device__ __forceinline__ unsigned Value(TileState word) { return static_cast<unsigned>(word); }

// Relaxed is enough: the word carries everything that its reader needs.
__device__ __forceinline__ void StoreRelaxed(TileState* address, TileState word) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(__cvta_generic_to_global(address)),
               "l"(word)
               : "memory");
}

__device__ __forceinline__ TileState LoadRelaxed(const TileState* address) {
  TileState word;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];"
               : "=l"(word)
               : "l"(__cvta_generic_to_global(address))
               : "memory");
  return word;
}

// One word of padding for every 32 keeps eight neighbouring words of each thread free of conflicts.
__device__ __forceinline__ int Padded(int index) { return index + index / kWarp; }

__device__ __forceinline__ unsigned WarpInclusiveScan(unsigned value, int lane) {
#pragma unroll
  for (int offset = 1; offset < kWarp; offset *= 2) {
    const unsigned other = __shfl_up_sync(kFullWarp, value, offset);
    if (lane >= offset) value += other;
  }
  return value;
}

// Called by one whole warp: the sum of all tiles before `tile`.
__device__ __forceinline__ unsigned LookBack(const TileState* tile_state, int tile, int lane) {
  unsigned exclusive = 0;
  for (int nearest = tile - 1;; nearest -= kWarp) {
    const int look = nearest - lane;
    TileState word;
    do {
      word = look >= 0 ? LoadRelaxed(tile_state + look) : Pack(kInclusive, 0);
    } while (__any_sync(kFullWarp, State(word) == kNothing));

    // Only tiles from the nearest one that knows its inclusive prefix count.
    const unsigned inclusive = __ballot_sync(kFullWarp, State(word) == kInclusive);
    const int last = inclusive != 0 ? __ffs(inclusive) - 1 : kWarp - 1;
    unsigned sum = lane <= last ? Value(word) : 0;
#pragma unroll
    for (int offset = kWarp / 2; offset > 0; offset /= 2) {
      sum += __shfl_xor_sync(kFullWarp, sum, offset);
    }
    exclusive += sum;
    if (inclusive != 0) return exclusive;
  }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(kThreads)
    prefix_sum_u32(const unsigned* in, unsigned* out, TileState* tile_state, unsigned* tile_counter,
                   size_t n) {
  __shared__ unsigned items[kTile + kTile / kWarp];
  __shared__ unsigned warp_sums[kWarps];
  __shared__ unsigned tile_prefix;
  __shared__ int tile_index;
  const int lane = threadIdx.x % kWarp;
  const int warp = threadIdx.x / kWarp;

  if (threadIdx.x == 0) tile_index = static_cast<int>(atomicAdd(tile_counter, 1u));
  __syncthreads();
  const int tile = tile_index;
  const size_t base = static_cast<size_t>(tile) * kTile;

#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const int at = i * kThreads + threadIdx.x;
    items[Padded(at)] = base + at < n ? in[base + at] : 0;
  }
  __syncthreads();

  unsigned own[kItems];
  unsigned sum = 0;
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    sum += items[Padded(threadIdx.x * kItems + i)];
    own[i] = sum;
  }
  const unsigned scanned = WarpInclusiveScan(sum, lane);
  if (lane == kWarp - 1) warp_sums[warp] = scanned;
  __syncthreads();

  if (warp == 0) {
    // Scanned over the whole warp: lanes from kWarps on add zeros, so lane 31 holds the tile's sum.
    const unsigned warps = WarpInclusiveScan(lane < kWarps ? warp_sums[lane] : 0, lane);
    const unsigned aggregate = __shfl_sync(kFullWarp, warps, kWarp - 1);
    if (lane == 0) {
      StoreRelaxed(tile_state + tile, Pack(tile == 0 ? kInclusive : kAggregate, aggregate));
    }
    const unsigned prefix = tile == 0 ? 0 : LookBack(tile_state, tile, lane);
    if (lane == 0) {
      if (tile != 0) StoreRelaxed(tile_state + tile, Pack(kInclusive, prefix + aggregate));
      tile_prefix = prefix;
    }
    if (lane < kWarps) warp_sums[lane] = warps;
  }
  __syncthreads();

  const unsigned before = tile_prefix + (warp == 0 ? 0 : warp_sums[warp - 1]) + scanned - sum;
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    items[Padded(threadIdx.x * kItems + i)] = before + own[i];
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const int at = i * kThreads + threadIdx.x;
    if (base + at < n) out[base + at] = items[Padded(at)];
  }
}
