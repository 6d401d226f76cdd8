// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// layer_norm: out[r][c] = (in[r][c] - mean_r) / sqrt(variance_r + epsilon) * scale[c] + bias[c].
//
// Shows: mean and variance in one pass without cancellation (Welford's update for each thread,
// the merge of Chan, Golub and LeVeque over warps and the block).
// Runs on: every target.
//
//   layer_norm_f32(const float* in, const float* scale, const float* bias, float* out,
//                  float* mean, float* rstd, int cols, float epsilon)
//     grid   (rows, 1, 1)
//     block  (256, 1, 1)
//     dynamic shared memory: 0 bytes (static: 108)
//
// in, out: [rows, cols], row-major float32, 4-byte aligned; out may be in. cols >= 1.
// scale, bias: [cols], or null for 1 and 0. mean, rstd: [rows], written for the backward pass, or
// null. variance_r is the biased one (divided by cols).
// Not yet run on hardware.

namespace {

constexpr unsigned kFullWarp = 0xffffffffu;
constexpr int kWarp = 32;
constexpr int kThreads = 256;
constexpr int kWarps = kThreads / kWarp;

// Count, mean, and sum of squared distances from the mean, of a set of values.
struct Moments {
  float count;
  float mean;
  float m2;
};

__device__ __forceinline__ Moments Merge(Moments a, Moments b) {
  const float count = a.count + b.count;
  if (count == 0.0f) return a;
  const float delta = b.mean - a.mean;
  const float fraction = b.count / count;
  return {count, a.mean + delta * fraction, a.m2 + b.m2 + delta * delta * a.count * fraction};
}

__device__ __forceinline__ Moments WarpMerge(Moments state) {
#pragma unroll
  for (int offset = kWarp / 2; offset > 0; offset /= 2) {
    const Moments other = {__shfl_xor_sync(kFullWarp, state.count, offset),
                           __shfl_xor_sync(kFullWarp, state.mean, offset),
                           __shfl_xor_sync(kFullWarp, state.m2, offset)};
    state = Merge(state, other);
  }
  return state;
}

}  // namespace

extern "C" __global__ void __launch_bounds__(kThreads)
    layer_norm_f32(const float* in, const float* __restrict__ scale, const float* __restrict__ bias,
                   float* out, float* __restrict__ mean, float* __restrict__ rstd, int cols,
                   float epsilon) {
  __shared__ Moments warp_states[kWarps];
  __shared__ Moments row_state;
  const int lane = threadIdx.x % kWarp;
  const int warp = threadIdx.x / kWarp;
  const size_t row = static_cast<size_t>(blockIdx.x) * cols;

  Moments state = {0.0f, 0.0f, 0.0f};
  for (int c = threadIdx.x; c < cols; c += kThreads) {
    const float value = in[row + c];
    state.count += 1.0f;
    const float delta = value - state.mean;
    state.mean += delta / state.count;
    state.m2 += delta * (value - state.mean);
  }

  state = WarpMerge(state);
  if (lane == 0) warp_states[warp] = state;
  __syncthreads();
  if (warp == 0) {
    state = lane < kWarps ? warp_states[lane] : Moments{0.0f, 0.0f, 0.0f};
    state = WarpMerge(state);
    if (lane == 0) row_state = state;
  }
  __syncthreads();

  const float row_mean = row_state.mean;
  const float row_rstd = 1.0f / sqrtf(row_state.m2 / row_state.count + epsilon);
  if (threadIdx.x == 0) {
    if (mean != nullptr) mean[blockIdx.x] = row_mean;
    if (rstd != nullptr) rstd[blockIdx.x] = row_rstd;
  }
  for (int c = threadIdx.x; c < cols; c += kThreads) {
    const float normal = (in[row + c] - row_mean) * row_rstd;
    const float gain = scale != nullptr ? scale[c] : 1.0f;
    const float offset = bias != nullptr ? bias[c] : 0.0f;
    out[row + c] = fmaf(normal, gain, offset);
  }
}
