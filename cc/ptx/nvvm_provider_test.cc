// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/nvvm_provider.h"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "cc/base/version.h"
#include "cc/ptx/compilation.h"
#include "cc/ptx/cuda_locator.h"
#include "cc/ptx/provider.h"
#include "cc/ptx/testing/cuda_for_test.h"
#include "cc/ptx/testing/requests.h"
#include "cc/target/compute_capability.h"
#include "cc/target/versions.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::ptx {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr OutputKind kPtx = OutputKind::kPtx;
constexpr OutputKind kLtoIr = OutputKind::kLtoIr;

constexpr char kHead[] = R"(target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
)";

// @k divides p[0] by FUNCTION(p[0]).
constexpr char kBody[] = R"(
define void @k(float addrspace(1)* %p) {
  %v = load float, float addrspace(1)* %p
  %s = call float @FUNCTION(float %v)
  %q = fdiv float %v, %s
  store float %q, float addrspace(1)* %p
  ret void
}
declare float @FUNCTION(float)
!nvvm.annotations = !{!0}
!0 = !{void (float addrspace(1)*)* @k, !"kernel", i32 1}
!nvvmir.version = !{!1}
!1 = !{i32 2, i32 0}
)";

constexpr char kOtherModule[] = R"(
define float @other(float %x) {
  %y = fadd float %x, 1.0
  ret float %y
}
!nvvmir.version = !{!0}
!0 = !{i32 2, i32 0}
)";

Input Ir(std::string_view name, std::string_view body) {
  return {
      .kind = InputKind::kNvvmIr, .name = std::string(name), .bytes = absl::StrCat(kHead, body)};
}

Input Kernel(std::string_view function) {
  return Ir("kernel.ll", absl::StrReplaceAll(kBody, {{"FUNCTION", function}}));
}

class NvvmProviderTest : public ::testing::Test {
 protected:
  absl::StatusOr<CompileResult> Compile(std::vector<Input> inputs, std::string_view target,
                                        CompileOptions options = {}) {
    return provider_->Compile(Request(std::move(inputs), target, {kPtx}, std::move(options)));
  }

  const ToolPaths cuda_ = CudaForTest();
  const std::unique_ptr<Provider> provider_ = MakeNvvmProvider(cuda_);
};

TEST_F(NvvmProviderTest, LinksLibdevice) {
  absl::StatusOr<CompileResult> result = Compile({Kernel("__nv_sinf")}, "sm_90");
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(result->ptx, HasSubstr(".visible .entry k("));
  EXPECT_THAT(result->ptx, HasSubstr(".target sm_90\n"));
  EXPECT_THAT(result->ptx, Not(HasSubstr("__nv_sinf")));
  EXPECT_EQ(result->ptx.find('\0'), std::string::npos);
  EXPECT_EQ(result->provider, "nvvm");
  EXPECT_THAT(result->tool_version, StartsWith("nvvm "));
}

TEST_F(NvvmProviderTest, LinksSeveralModules) {
  absl::StatusOr<CompileResult> result =
      Compile({Kernel("other"), Ir("other.ll", kOtherModule)}, "sm_100f");
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(result->ptx, Not(HasSubstr(".extern")));
  // Without its definition the function stays an import.
  EXPECT_THAT(Compile({Kernel("other")}, "sm_100f")->ptx, HasSubstr(".extern"));
}

TEST_F(NvvmProviderTest, CompilesForEveryTargetOfItsToolkit) {
  const Version version = provider_->ToolVersion().value();
  const std::vector<ComputeCapability> targets =
      VersionTables::Embedded().TargetsOfToolkit(version).value();
  for (const ComputeCapability& target : targets) {
    absl::StatusOr<CompileResult> result = Compile({Kernel("__nv_sqrtf")}, target.SmName());
    ASSERT_TRUE(result.ok()) << target.SmName() << ": " << result.status();
    EXPECT_THAT(result->ptx, HasSubstr(absl::StrCat(".target ", target.SmName(), "\n")));
  }
}

TEST_F(NvvmProviderTest, GivesLtoIr) {
  absl::StatusOr<CompileResult> result =
      provider_->Compile(Request({Kernel("__nv_sinf")}, "sm_90", {kLtoIr, kPtx}));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_GT(result->lto_ir.size(), 500u);
  EXPECT_THAT(result->ptx, HasSubstr(".entry k("));
}

TEST_F(NvvmProviderTest, OptionsReachTheCompiler) {
  EXPECT_THAT(Compile({Kernel("__nv_sqrtf")}, "sm_90")->ptx, HasSubstr("div.rn.f32"));
  CompileOptions options;
  options.fast_math = true;
  EXPECT_THAT(Compile({Kernel("__nv_sqrtf")}, "sm_90", options)->ptx,
              HasSubstr("div.full.ftz.f32"));
  options = {};
  options.optimization_level = 0;
  EXPECT_NE(Compile({Kernel("__nv_sinf")}, "sm_90", options)->ptx,
            Compile({Kernel("__nv_sinf")}, "sm_90")->ptx);
  options = {};
  options.device_debug = true;
  EXPECT_TRUE(Compile({Kernel("__nv_sinf")}, "sm_90", options).ok());
  options = {};
  options.extra = {"-no-such-option"};
  const absl::Status status = Compile({Kernel("__nv_sinf")}, "sm_90", options).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("-no-such-option"));
}

TEST_F(NvvmProviderTest, VersionsAgreeWithTheTables) {
  const Version version = provider_->ToolVersion().value();
  EXPECT_GE(version.size(), 3u);
  EXPECT_EQ(provider_->LatestPtxIsaVersion().value(),
            VersionTables::Embedded().HighestPtxIsa(version).value());
}

TEST_F(NvvmProviderTest, AnErrorShowsModuleLineAndColumn) {
  absl::StatusOr<CompileResult> result =
      Compile({Ir("broken.ll", "define void @k() {\n  bogus\n}\n")}, "sm_90");
  EXPECT_EQ(result.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(result.status().message(), HasSubstr("broken.ll (4, 2)"));
  EXPECT_THAT(result.status().message(), HasSubstr("expected instruction opcode"));
}

TEST_F(NvvmProviderTest, OpaquePointersBelowSm100SayWhatToDo) {
  constexpr char kOpaque[] =
      "define void @k(ptr addrspace(1) %p) {\n  ret void\n}\n"
      "!nvvmir.version = !{!0}\n!0 = !{i32 2, i32 0}\n";
  EXPECT_TRUE(Compile({Ir("opaque.ll", kOpaque)}, "sm_100").ok());
  const absl::Status status = Compile({Ir("opaque.ll", kOpaque)}, "sm_90").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("-nvvm-latest"));
  CompileOptions options;
  options.extra = {"-nvvm-latest"};
  absl::StatusOr<CompileResult> result = Compile({Ir("opaque.ll", kOpaque)}, "sm_90", options);
  EXPECT_TRUE(result.ok()) << result.status();
}

TEST_F(NvvmProviderTest, BytesThatAreNoModuleAreRejected) {
  for (const std::string& bytes :
       {std::string("garbage"), std::string("BC\xc0\xde", 4), std::string("BC\xc0\xde\0\0\0\0", 8),
        std::string(1000, '\xff'), std::string("target datalayout = \"q-p:64\"")}) {
    const absl::Status status =
        provider_
            ->Compile(Request({{.kind = InputKind::kNvvmIr, .name = "x.bc", .bytes = bytes}},
                              "sm_90", {kPtx}))
            .status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  }
}

TEST_F(NvvmProviderTest, AnUnknownTargetNamesTheKnownOnes) {
  const absl::Status status = Compile({Kernel("__nv_sinf")}, "sm_70").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented) << status;
  EXPECT_THAT(status.message(), HasSubstr("does not compile for sm_70; it knows sm_75, "));
  EXPECT_THAT(status.message(), HasSubstr(", sm_90a, "));
}

TEST_F(NvvmProviderTest, MissingPartsNameThePackage) {
  ToolPaths paths = cuda_;
  paths.nvvm.clear();
  const CompileRequest request = Request({Kernel("__nv_sinf")}, "sm_90", {kPtx});
  absl::Status status = MakeNvvmProvider(paths)->Supports(request);
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(status.message(), HasSubstr("pip install nvidia-nvvm"));

  paths = cuda_;
  paths.libdevice.clear();
  status = MakeNvvmProvider(paths)->Compile(request).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(status.message(), HasSubstr("libdevice"));
  // Only those who use it need it.
  EXPECT_TRUE(MakeNvvmProvider(paths)->Compile(Request({Kernel("other")}, "sm_90", {kPtx})).ok());
}

TEST_F(NvvmProviderTest, RefusesOtherForms) {
  EXPECT_EQ(provider_->Supports(Request({Kernel("other")}, "sm_90", {OutputKind::kCubin})),
            absl::UnimplementedError("nvvm gives PTX, LTO IR, not CUBIN"));
  EXPECT_EQ(provider_->Supports(Request({CudaInput("k.cu", "x")}, "sm_90", {kPtx})),
            absl::UnimplementedError("nvvm takes NVVM IR, not CUDA C++ (k.cu)"));
}

TEST_F(NvvmProviderTest, SameBytesInAnyFolderAndInParallel) {
  const CompileRequest request =
      Request({Kernel("__nv_sinf"), Ir("other.ll", kOtherModule)}, "sm_90", {kPtx, kLtoIr});
  const CompileResult first = provider_->Compile(request).value();
  const fs::path before = fs::current_path();
  fs::current_path(::testing::TempDir());
  const CompileResult elsewhere = provider_->Compile(request).value();
  fs::current_path(before);
  EXPECT_TRUE(first.ptx == elsewhere.ptx);
  EXPECT_TRUE(first.lto_ir == elsewhere.lto_ir);

  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < 5; ++j) {
        absl::StatusOr<CompileResult> result = provider_->Compile(request);
        ASSERT_TRUE(result.ok()) << result.status();
        EXPECT_TRUE(result->ptx == first.ptx);
        EXPECT_TRUE(result->lto_ir == first.lto_ir);
        // An error in one thread does not reach another.
        EXPECT_FALSE(Compile({Ir("broken.ll", "bogus")}, "sm_90").ok());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace warpyard::ptx
