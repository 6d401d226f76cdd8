// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/testing/requests.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cc/ptx/compilation.h"
#include "cc/target/compute_capability.h"

namespace warpyard::ptx {

const char kScaleCuda[] = R"cuda(
extern "C" __global__ void scale(float* values, int factor) {
  __shared__ float tile[64];
  tile[threadIdx.x] = values[threadIdx.x];
  __syncthreads();
  values[threadIdx.x] = tile[63 - threadIdx.x] * factor;
}
)cuda";

const char kCallerCuda[] = R"cuda(
extern __device__ int helper(int);
extern "C" __global__ void caller(int* values) { values[threadIdx.x] = helper(threadIdx.x); }
)cuda";

const char kHelperCuda[] = R"cuda(
__device__ int helper(int x) { return 3 * x + 1; }
)cuda";

std::string EmptyKernelPtx(std::string_view version, std::string_view target) {
  return absl::StrCat(".version ", version, "\n.target ", target,
                      "\n.address_size 64\n.visible .entry k() { ret; }\n");
}

Input CudaInput(std::string_view name, std::string_view source) {
  return {.kind = InputKind::kCudaCpp, .name = std::string(name), .bytes = std::string(source)};
}

Input PtxInput(std::string_view name, std::string_view ptx) {
  return {.kind = InputKind::kPtx, .name = std::string(name), .bytes = std::string(ptx)};
}

Input CubinInput(std::string_view name, std::string_view bytes) {
  return {.kind = InputKind::kCubin, .name = std::string(name), .bytes = std::string(bytes)};
}

Input LtoInput(std::string_view name, std::string_view bytes) {
  return {.kind = InputKind::kLtoIr, .name = std::string(name), .bytes = std::string(bytes)};
}

CompileRequest Request(std::vector<Input> inputs, std::string_view target,
                       std::vector<OutputKind> outputs, CompileOptions options) {
  return {.inputs = std::move(inputs),
          .target = ComputeCapability::Parse(target).value(),
          .outputs = std::move(outputs),
          .options = std::move(options)};
}

}  // namespace warpyard::ptx
