// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Decodes what NVRTC makes of the example kernels, and holds what the decoder says
// of each kernel against what ptxas put into its CUBIN.

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/log/check.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "cc/emulator/operations/all_operations.h"
#include "cc/emulator/program/decoder.h"
#include "cc/emulator/program/program.h"
#include "cc/emulator/syntax/parser.h"
#include "cc/emulator/testing/compile_cuda.h"
#include "cc/ptx/compilation.h"
#include "cc/ptx/compiler.h"
#include "cc/ptx/testing/cuda_for_test.h"
#include "cc/target/compute_capability.h"
#include "gtest/gtest.h"

namespace warpyard::emulator {
namespace {

using Kind = ComputeCapability::Kind;

constexpr std::string_view kExamples[] = {
    "attention_f16_mma", "cluster_reduce", "convert_f8_f4", "cp_async_pipeline",
    "gemm_f16_mma",      "gemm_f32",       "gemm_tcgen05",  "gemm_wgmma_tma",
    "layer_norm",        "prefix_sum",     "reduce",        "saxpy",
    "softmax",           "top_k",          "transpose",     "vector_add",
};

// Whether ptxas takes the example for the target. Of the others the PTX alone is
// decoded.
bool HasCubin(std::string_view example, ComputeCapability target) {
  if (example == "gemm_wgmma_tma") return target == ComputeCapability(9, 0, Kind::kArch);
  if (example == "gemm_tcgen05") return target == ComputeCapability(10, 0, Kind::kArch);
  const bool ampere =
      example == "attention_f16_mma" || example == "cp_async_pipeline" || example == "gemm_f16_mma";
  return !ampere || target >= ComputeCapability(8, 0);
}

// Compiles every example for `target`, decodes it and compares.
void CheckExamples(ComputeCapability target) {
  ptx::CompilerConfig config;
  config.tools = ptx::CudaForTest();
  auto compiler = ptx::Compiler::Create(std::move(config));
  CHECK_OK(compiler.status());
  int kernels = 0;
  for (std::string_view example : kExamples) {
    // The compiler refuses clusters and tensor memory where there are none.
    if (example == "cluster_reduce" && target < ComputeCapability(9, 0)) continue;
    if (example == "gemm_tcgen05" && !HasCubin(example, target)) continue;
    SCOPED_TRACE(absl::StrCat(example, " for ", target.SmName()));
    ptx::CompileRequest request;
    request.inputs.push_back({ptx::InputKind::kCudaCpp, absl::StrCat(example, ".cu"),
                              ReadSource(absl::StrCat("examples/kernels/", example, ".cu"))});
    request.target = target;
    request.outputs = {ptx::OutputKind::kPtx};
    if (HasCubin(example, target)) request.outputs.push_back(ptx::OutputKind::kCubin);
    const absl::StatusOr<ptx::CompileResult> compiled = (*compiler)->Compile(request);
    ASSERT_TRUE(compiled.ok()) << compiled.status();
    auto module = syntax::Parse(compiled->ptx);
    ASSERT_TRUE(module.ok()) << module.status();
    const auto program = Decode(*std::move(module), AllOperations());
    ASSERT_TRUE(program.ok()) << program.status();
    EXPECT_EQ((*program)->target, target);
    for (const ptx::KernelResources& expected : compiled->kernels) {
      SCOPED_TRACE(expected.name);
      ASSERT_TRUE((*program)->function_by_name.contains(expected.name));
      const Function& kernel = *(*program)->function_by_name[expected.name];
      EXPECT_TRUE(kernel.is_entry);
      EXPECT_EQ(kernel.static_shared_bytes, expected.static_shared_bytes);
      if (expected.max_threads_per_block != 0) {
        EXPECT_EQ(kernel.max_block_threads, expected.max_threads_per_block);
      }
      EXPECT_EQ(kernel.barrier_count, expected.barriers);
      // An estimate: ptxas schedules, and keeps what is uniform elsewhere.
      EXPECT_GE(kernel.register_estimate * 4, expected.registers);
      EXPECT_LE(kernel.register_estimate, std::max(255, expected.registers * 4));
      ++kernels;
    }
  }
  EXPECT_GE(kernels, 10);
}

TEST(ExamplesToolsTest, Turing) { CheckExamples(ComputeCapability(7, 5)); }
TEST(ExamplesToolsTest, Ampere) { CheckExamples(ComputeCapability(8, 0)); }
TEST(ExamplesToolsTest, Hopper) { CheckExamples(ComputeCapability(9, 0, Kind::kArch)); }
TEST(ExamplesToolsTest, Blackwell) { CheckExamples(ComputeCapability(10, 0, Kind::kArch)); }
TEST(ExamplesToolsTest, BlackwellWorkstation) { CheckExamples(ComputeCapability(12, 0)); }

TEST(ExamplesToolsTest, TheFormsThatAreReadAreThoseOfPtxas) {
  ptx::CompilerConfig config;
  config.tools = ptx::CudaForTest();
  auto compiler = ptx::Compiler::Create(std::move(config));
  CHECK_OK(compiler.status());
  const std::string text = ReadSource("cc/emulator/syntax/testdata/forms.ptx");
  ptx::CompileRequest request;
  request.inputs.push_back({ptx::InputKind::kPtx, "forms.ptx", text});
  request.target = ComputeCapability(9, 0, Kind::kArch);
  request.outputs = {ptx::OutputKind::kCubin};
  // Calls of vprintf are left to the driver.
  request.options.relocatable = true;
  const absl::StatusOr<ptx::CompileResult> compiled = (*compiler)->Compile(request);
  ASSERT_TRUE(compiled.ok()) << compiled.status();
  auto module = syntax::Parse(text);
  ASSERT_TRUE(module.ok()) << module.status();
  const auto program = Decode(*std::move(module), AllOperations());
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_TRUE((*program)->function_by_name["forms"]->unsupported.empty());
}

}  // namespace
}  // namespace warpyard::emulator
