// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// How fast kernels run on one core: lane-instructions per second of dense
// arithmetic, the f32 GEMM and other kernels of examples/kernels, an empty launch,
// and two cores against one.
//
//   bazel run -c opt //cc/emulator/execution:launch_benchmark

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/log/check.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "cc/emulator/execution/observer.h"
#include "cc/emulator/testing/compile_cuda.h"
#include "cc/emulator/testing/run_ptx.h"

namespace warpyard::emulator {
namespace {

class Counter : public Observer {
 public:
  void OnInstruction(Warp&, const Instruction&, uint32_t mask, uint32_t) override {
    lanes += __builtin_popcount(mask);
    ++instructions;
  }
  uint64_t lanes = 0;
  uint64_t instructions = 0;
};

// Prints the best of several runs, and lane-instructions per second.
double Time(std::string_view name, TestModule& module,
            const std::function<std::optional<Fault>()>& launch, int runs = 5) {
  Counter counter;
  module.config.observer = &counter;
  std::optional<Fault> fault = launch();
  CHECK(!fault.has_value()) << fault->ToString();
  module.config.observer = nullptr;
  double best = 1e30;
  for (int i = 0; i < runs; ++i) {
    const absl::Time begin = absl::Now();
    fault = launch();
    best = std::min(best, absl::ToDoubleSeconds(absl::Now() - begin));
    CHECK(!fault.has_value()) << fault->ToString();
  }
  std::printf("%-34.*s %10.3f ms  %6.2f G lane-instructions/s (%.1f M instructions of warps)\n",
              static_cast<int>(name.size()), name.data(), best * 1e3,
              static_cast<double>(counter.lanes) / best * 1e-9,
              static_cast<double>(counter.instructions) * 1e-6);
  std::fflush(stdout);
  return best;
}

constexpr std::string_view kSmall = R"(
extern "C" __global__ void empty() {}
extern "C" __global__ void dense(float* out, int rounds) {
  float a = threadIdx.x, b = 1.0f, c = 0.5f, d = 2.0f;
  for (int i = 0; i < rounds; ++i) {
#pragma unroll
    for (int j = 0; j < 16; ++j) {
      a = a * b + c; b = b * c + d; c = c * d + a; d = d * 0.25f + b;
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = a + b + c + d;
}
// 16 x 16 tiles, one element a thread: the textbook's.
extern "C" __global__ void gemm_tiled(int n, const float* a, const float* b, float* c) {
  __shared__ float ta[16][16], tb[16][16];
  const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += 16) {
    ta[threadIdx.y][threadIdx.x] = a[row * n + t + threadIdx.x];
    tb[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + col];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += ta[threadIdx.y][k] * tb[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + col] = sum;
}
extern "C" __global__ void divergent(int* out, int rounds) {
  int x = threadIdx.x, sum = 0;
  for (int i = 0; i < rounds; ++i) {
    if (x & 1) sum += x * 3; else sum ^= x;
    if (x & 2) sum -= i; else sum += i << 1;
    x = x * 1664525 + 1013904223;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
extern "C" __global__ void histogram(const unsigned* in, unsigned* bins, int n) {
  __shared__ unsigned local[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) local[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&local[in[i] & 255], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&bins[i], local[i]);
}
)";

void RunAll() {
  for (const char* target : {"sm_80", "sm_100"}) {
    std::printf("%s\n", target);
    TestModule module(CompileCuda(kSmall, target), "b200");
    module.config.workers = 1;
    float* out = module.Allocate<float>(1 << 20);
    const double empty = Time(
        "empty, 1 block of 32", module, [&] { return module.Launch("empty", Dim3{1}, Dim3{32}); },
        200);
    std::printf("%-34s %10.2f us\n", "  that is", empty * 1e6);
    Time(
        "empty, 1 block of 1024", module,
        [&] { return module.Launch("empty", Dim3{1}, Dim3{1024}); }, 200);
    Time("empty, 4096 blocks of 256", module,
         [&] { return module.Launch("empty", Dim3{4096}, Dim3{256}); });
    const double one = Time("dense arithmetic", module,
                            [&] { return module.Launch("dense", Dim3{16}, Dim3{256}, out, 100); });
    module.config.workers = 2;
    const double two = Time("dense arithmetic, two threads", module,
                            [&] { return module.Launch("dense", Dim3{16}, Dim3{256}, out, 100); });
    std::printf("%-34s %10.2f x\n", "  that is", one / two);
    module.config.workers = 1;
    constexpr int kN = 512;
    float* a = module.Allocate(std::vector<float>(kN * kN, 1.0f));
    float* b = module.Allocate(std::vector<float>(kN * kN, 2.0f));
    Time(
        "gemm 512^3, 16 x 16 tiles", module,
        [&] {
          return module.Launch("gemm_tiled", Dim3{kN / 16, kN / 16}, Dim3{16, 16}, kN, a, b, out);
        },
        3);
    CHECK_EQ(out[77], 2.0f * kN);
    Time("divergent", module,
         [&] { return module.Launch("divergent", Dim3{8}, Dim3{256}, out, 1000); });
    uint32_t* bins = module.Allocate<uint32_t>(256);
    Time("histogram of 1 Mi", module,
         [&] { return module.Launch("histogram", Dim3{64}, Dim3{256}, out, bins, 1 << 20); });
    TestModule gemm(CompileCuda(ReadSource("examples/kernels/gemm_f32.cu"), target), "b200");
    gemm.config.workers = 1;
    a = gemm.Allocate(std::vector<float>(kN * kN, 1.0f));
    b = gemm.Allocate(std::vector<float>(kN * kN, 2.0f));
    out = gemm.Allocate<float>(kN * kN);
    Time(
        "gemm_f32 512^3 (examples)", gemm,
        [&] {
          return gemm.Launch("gemm_f32", Dim3{kN / 128, kN / 128}, Dim3{256}, kN, kN, kN, 1.0f, a,
                             b, 0.0f, out);
        },
        3);
    CHECK_EQ(out[77], 2.0f * kN);
  }
}

}  // namespace
}  // namespace warpyard::emulator

int main() {
  warpyard::emulator::RunAll();
  return 0;
}
