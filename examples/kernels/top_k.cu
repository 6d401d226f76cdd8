// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// top_k: the k largest values of each row with their positions, largest first.
//
// Shows: one warp for each row; the best 32 so far live sorted in the lanes. Each chunk of 32 new
// values is dropped at once when none can enter; otherwise it is sorted by a bitonic network of
// shuffles and merged. Values and positions travel as one 64-bit key, so every key is different
// and the result does not depend on the order of the work.
// Runs on: every target.
//
//   top_k_f32(const float* in, float* values, int* indices, int rows, int cols, int k)
//     grid   (ceil(rows / 4), 1, 1)
//     block  (128, 1, 1)
//     dynamic shared memory: 0 bytes
//
// in: [rows, cols], values, indices: [rows, k], row-major, 4-byte aligned. 1 <= k <= min(32, cols).
// Order: IEEE 754 totalOrder (-NaN < -inf < ... < -0 < +0 < ... < +inf < +NaN); equal values by
// ascending index.
// Not yet run on hardware.

namespace {

using Key = unsigned long long;

constexpr unsigned kFullWarp = 0xffffffffu;
constexpr int kWarp = 32;
constexpr int kThreads = 128;
constexpr int kRowsPerBlock = kThreads / kWarp;

// Below every key of a real element: no index reaches 0xffffffff.
constexpr Key kEmpty = 0;

// Maps the bits of a float to an unsigned number with the same order: negative numbers are
// inverted, others get the top bit.
__device__ __forceinline__ unsigned OrderedBits(float value) {
  const unsigned bits = __float_as_uint(value);
  return (bits & 0x80000000u) ? ~bits : bits | 0x80000000u;
}

__device__ __forceinline__ float FromOrderedBits(unsigned ordered) {
  return __uint_as_float((ordered & 0x80000000u) ? ordered & 0x7fffffffu : ~ordered);
}

__device__ __forceinline__ Key MakeKey(float value, unsigned index) {
  return (static_cast<Key>(OrderedBits(value)) << 32) | (0xffffffffu - index);
}

// Keeps the smaller or the larger of this lane's key and that of lane ^ stride.
__device__ __forceinline__ Key CompareExchange(Key key, int stride, bool keep_smaller) {
  const Key other = __shfl_xor_sync(kFullWarp, key, stride);
  return (key < other) == keep_smaller ? key : other;
}

__device__ __forceinline__ Key SortAscending(Key key, int lane) {
#pragma unroll
  for (int size = 2; size <= kWarp; size *= 2) {
    const bool ascending = (lane & size) == 0;
#pragma unroll
    for (int stride = size / 2; stride > 0; stride /= 2) {
      const bool lower = (lane & stride) == 0;
      key = CompareExchange(key, stride, lower == ascending);
    }
  }
  return key;
}

// Returns the 32 largest of `best` (descending over the lanes) and `chunk` (ascending), descending.
__device__ __forceinline__ Key MergeDescending(Key best, Key chunk, int lane) {
  // The larger of each pair of a descending and an ascending sequence: the 32 largest, bitonic.
  Key key = best > chunk ? best : chunk;
#pragma unroll
  for (int stride = kWarp / 2; stride > 0; stride /= 2) {
    const bool lower = (lane & stride) == 0;
    key = CompareExchange(key, stride, !lower);
  }
  return key;
}

}  // namespace

extern "C" __global__ void __launch_bounds__(kThreads)
    top_k_f32(const float* __restrict__ in, float* __restrict__ values, int* __restrict__ indices,
              int rows, int cols, int k) {
  const int lane = threadIdx.x % kWarp;
  const int row = blockIdx.x * kRowsPerBlock + threadIdx.x / kWarp;
  if (row >= rows) return;  // uniform over the warp

  const float* line = in + static_cast<size_t>(row) * cols;
  Key best = kEmpty;
  for (int start = 0; start < cols; start += kWarp) {
    const int c = start + lane;
    const Key chunk = c < cols ? MakeKey(line[c], c) : kEmpty;
    const Key threshold = __shfl_sync(kFullWarp, best, k - 1);
    if (!__any_sync(kFullWarp, chunk > threshold)) continue;
    best = MergeDescending(best, SortAscending(chunk, lane), lane);
  }

  if (lane < k) {
    const size_t out = static_cast<size_t>(row) * k + lane;
    values[out] = FromOrderedBits(static_cast<unsigned>(best >> 32));
    indices[out] = static_cast<int>(0xffffffffu - static_cast<unsigned>(best));
  }
}
