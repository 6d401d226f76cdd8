// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// softmax: out[r][c] = exp(in[r][c] - max_r) / sum_c exp(in[r][c] - max_r) on float32 rows.
//
// Shows: the online form (Milakov and Gimelshein, arXiv:1805.02867): one pass finds the maximum
// and the sum together, a second one writes; partial (max, sum) pairs merge through shuffles.
// Runs on: every target.
//
//   softmax_f32(const float* in, float* out, int cols)
//     grid   (rows, 1, 1)
//     block  (256, 1, 1)
//     dynamic shared memory: 0 bytes (static: 72)
//
// in, out: [rows, cols], row-major float32, 4-byte aligned; out may be in. cols >= 1.
// A row with a NaN or +inf, and a row of -inf alone, gives NaN, as the formula does.
// Not yet run on hardware.

namespace {

constexpr unsigned kFullWarp = 0xffffffffu;
constexpr int kWarp = 32;
constexpr int kThreads = 256;
constexpr int kWarps = kThreads / kWarp;

// The running state over a set of values: their maximum, and the sum of exp(value - max).
struct MaxSum {
  float max;
  float sum;
};

__device__ __forceinline__ float NegativeInfinity() { return __int_as_float(0xff800000); }

__device__ __forceinline__ MaxSum Merge(MaxSum a, MaxSum b) {
  const float max = fmaxf(a.max, b.max);
  // A side that is still at -inf has a sum of 0 (or NaN, to be kept) and a weight of exp(-inf) = 0;
  // subtracting would give -inf - -inf = NaN where both sides are empty.
  const float weight_a = a.max == NegativeInfinity() ? 0.0f : expf(a.max - max);
  const float weight_b = b.max == NegativeInfinity() ? 0.0f : expf(b.max - max);
  return {max, a.sum * weight_a + b.sum * weight_b};
}

__device__ __forceinline__ MaxSum WarpMerge(MaxSum state) {
#pragma unroll
  for (int offset = kWarp / 2; offset > 0; offset /= 2) {
    const MaxSum other = {__shfl_xor_sync(kFullWarp, state.max, offset),
                          __shfl_xor_sync(kFullWarp, state.sum, offset)};
    state = Merge(state, other);
  }
  return state;
}

}  // namespace

extern "C" __global__ void __launch_bounds__(kThreads)
    softmax_f32(const float* in, float* out, int cols) {
  __shared__ MaxSum warp_states[kWarps];
  __shared__ MaxSum row_state;
  const int lane = threadIdx.x % kWarp;
  const int warp = threadIdx.x / kWarp;
  const size_t row = static_cast<size_t>(blockIdx.x) * cols;

  MaxSum state = {NegativeInfinity(), 0.0f};
  for (int c = threadIdx.x; c < cols; c += kThreads) {
    const float value = in[row + c];
    const float max = fmaxf(state.max, value);
    const float weight = state.max == NegativeInfinity() ? 0.0f : expf(state.max - max);
    // value == -inf while nothing larger was seen: the term is 0, not exp(-inf - -inf).
    const float term = value == NegativeInfinity() ? 0.0f : expf(value - max);
    state = {max, state.sum * weight + term};
  }

  state = WarpMerge(state);
  if (lane == 0) warp_states[warp] = state;
  __syncthreads();
  if (warp == 0) {
    state = lane < kWarps ? warp_states[lane] : MaxSum{NegativeInfinity(), 0.0f};
    state = WarpMerge(state);
    if (lane == 0) row_state = state;
  }
  __syncthreads();

  const MaxSum total = row_state;
  for (int c = threadIdx.x; c < cols; c += kThreads) {
    out[row + c] = expf(in[row + c] - total.max) / total.sum;
  }
}
