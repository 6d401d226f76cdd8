// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/ptxas_provider.h"

#include <filesystem>
#include <fstream>
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
#include "cc/ptx/elf64.h"
#include "cc/ptx/linkage.h"
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
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr OutputKind kCubin = OutputKind::kCubin;

// A kernel that keeps 64 values alive, reads 512 bytes of shared memory and
// carries line information.
std::string BusyPtx() {
  std::string ptx =
      ".version 8.0\n.target sm_90\n.address_size 64\n"
      ".visible .entry busy(.param .u64 p) {\n.shared .align 4 .b8 tile[512];\n"
      ".reg .u64 %rd<3>;\n.reg .f32 %f<65>;\n.loc 1 7 0\n"
      "ld.param.u64 %rd1, [p];\ncvta.to.global.u64 %rd2, %rd1;\n";
  for (int i = 0; i < 64; ++i) {
    absl::StrAppend(&ptx, "ld.volatile.global.f32 %f", i, ", [%rd2+", 4 * i, "];\n");
  }
  absl::StrAppend(&ptx,
                  "st.shared.f32 [tile+4], %f3;\nbar.sync 0;\nld.shared.f32 %f64, [tile];\n"
                  "st.global.f32 [%rd2+1024], %f64;\n");
  for (int i = 0; i < 64; ++i) {
    absl::StrAppend(&ptx, "st.volatile.global.f32 [%rd2+", 4 * i, "], %f", 63 - i, ";\n");
  }
  absl::StrAppend(&ptx, "ret;\n}\n.file 1 \"busy.cu\"\n");
  return ptx;
}

class PtxasProviderTest : public ::testing::Test {
 protected:
  absl::StatusOr<CompileResult> Compile(std::string_view ptx, std::string_view target,
                                        CompileOptions options = {}) {
    return provider_->Compile(
        Request({PtxInput("dir/kernel.ptx", ptx)}, target, {kCubin}, std::move(options)));
  }

  const ToolPaths cuda_ = CudaForTest();
  const std::unique_ptr<Provider> provider_ = MakePtxasProvider(cuda_);
};

TEST_F(PtxasProviderTest, GivesCubinAndResources) {
  absl::StatusOr<CompileResult> result = Compile(BusyPtx(), "sm_90");
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(Elf64View::Parse(result->cubin)->type(), Elf64View::kExecutable);
  EXPECT_THAT(StrongCubinDefinitions(result->cubin).value(), ElementsAre("busy"));
  ASSERT_EQ(result->kernels.size(), 1u);
  EXPECT_EQ(result->kernels[0].name, "busy");
  EXPECT_GT(result->kernels[0].registers, 60);
  EXPECT_EQ(result->kernels[0].static_shared_bytes, 512);
  EXPECT_EQ(result->kernels[0].barriers, 1);
  EXPECT_EQ(result->kernels[0].spill_store_bytes, 0);
  EXPECT_EQ(result->provider, "ptxas");
  EXPECT_EQ(result->tool_version,
            absl::StrCat("ptxas ", provider_->ToolVersion().value().ToString()));
}

TEST_F(PtxasProviderTest, OptionsReachTheProgram) {
  CompileOptions options;
  options.max_registers = 32;
  absl::StatusOr<CompileResult> bounded = Compile(BusyPtx(), "sm_90", options);
  ASSERT_TRUE(bounded.ok()) << bounded.status();
  ASSERT_EQ(bounded->kernels.size(), 1u);
  EXPECT_LE(bounded->kernels[0].registers, 32);
  EXPECT_GT(bounded->kernels[0].spill_store_bytes, 0);
  EXPECT_GT(bounded->kernels[0].local_bytes, 0);

  options = {};
  options.relocatable = true;
  EXPECT_EQ(Elf64View::Parse(Compile(BusyPtx(), "sm_90", options)->cubin)->type(),
            Elf64View::kRelocatable);

  const std::string ordinary = Compile(BusyPtx(), "sm_90")->cubin;
  for (const int level : {0, 1, 2}) {
    options = {};
    options.optimization_level = level;
    EXPECT_TRUE(Compile(BusyPtx(), "sm_90", options)->cubin != ordinary) << level;
  }
  options = {};
  options.line_info = true;
  absl::StatusOr<CompileResult> lines = Compile(BusyPtx(), "sm_90", options);
  ASSERT_TRUE(lines.ok()) << lines.status();
  EXPECT_NE(lines->cubin.find("busy.cu"), std::string::npos);
  options.device_debug = true;
  EXPECT_TRUE(Compile(EmptyKernelPtx("8.0", "sm_90"), "sm_90", options).ok());

  options = {};
  options.extra = {"--no-such-option"};
  const absl::Status status = Compile(BusyPtx(), "sm_90", options).status();
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(status.message(), HasSubstr("no-such-option"));
}

TEST_F(PtxasProviderTest, CompilesForEveryTargetOfItsToolkit) {
  const Version version = provider_->ToolVersion().value();
  const std::vector<ComputeCapability> targets =
      VersionTables::Embedded().TargetsOfToolkit(version).value();
  for (const ComputeCapability& target : targets) {
    const std::string ptx = EmptyKernelPtx(
        VersionTables::Embedded().PtxIsaIntroducing(target)->ToString(), target.SmName());
    absl::StatusOr<CompileResult> result = Compile(ptx, target.SmName());
    ASSERT_TRUE(result.ok()) << target.SmName() << ": " << result.status();
    EXPECT_THAT(StrongCubinDefinitions(result->cubin).value(), ElementsAre("k"));
  }
}

TEST_F(PtxasProviderTest, VersionsAgreeWithTheTables) {
  EXPECT_EQ(provider_->LatestPtxIsaVersion().value(),
            VersionTables::Embedded().HighestPtxIsa(provider_->ToolVersion().value()).value());
}

TEST_F(PtxasProviderTest, ANewerPtxIsaNamesBothVersions) {
  const absl::Status status = Compile(EmptyKernelPtx("99.0", "sm_90"), "sm_90").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(status.message(), HasSubstr("dir/kernel.ptx is PTX ISA 99.0, but ptxas "));
  EXPECT_THAT(status.message(),
              HasSubstr(absl::StrCat("up to ", provider_->LatestPtxIsaVersion()->ToString())));
}

TEST_F(PtxasProviderTest, CodeForOneGenerationDoesNotCompileForAnother) {
  const absl::Status status = Compile(EmptyKernelPtx("8.0", "sm_90a"), "sm_100").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("sm_90a compiles for sm_90a alone"));
}

TEST_F(PtxasProviderTest, AnErrorNamesInputAndLine) {
  const absl::Status status =
      Compile(absl::StrReplaceAll(EmptyKernelPtx("8.0", "sm_90"), {{"ret", "bogus"}}), "sm_90")
          .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("dir/kernel.ptx, line 4"));
  EXPECT_THAT(status.message(), Not(HasSubstr("/proc/")));
}

TEST_F(PtxasProviderTest, AnUnknownTargetNamesTheKnownOnes) {
  const absl::Status status = Compile(EmptyKernelPtx("6.0", "sm_70"), "sm_70").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(status.message(), HasSubstr("does not compile for sm_70; it knows sm_75, "));
  EXPECT_THAT(status.message(), HasSubstr(", sm_90a, "));
}

TEST_F(PtxasProviderTest, RefusesOtherForms) {
  EXPECT_EQ(provider_->Supports(Request({CudaInput("k.cu", "x")}, "sm_90", {kCubin})),
            absl::UnimplementedError("ptxas takes PTX, not CUDA C++ (k.cu)"));
  EXPECT_EQ(
      provider_->Supports(Request({PtxInput("a", "x"), PtxInput("b", "x")}, "sm_90", {kCubin})),
      absl::UnimplementedError("ptxas takes one input at a time, not 2"));
}

TEST_F(PtxasProviderTest, AMissingProgramIsNotFoundUntilItIsThere) {
  const fs::path path = fs::path(::testing::TempDir()) / "late_ptxas";
  fs::remove(path);
  ToolPaths paths = cuda_;
  paths.ptxas = path.string();
  const std::unique_ptr<Provider> late = MakePtxasProvider(paths);
  const CompileRequest request =
      Request({PtxInput("k.ptx", EmptyKernelPtx("8.0", "sm_90"))}, "sm_90", {kCubin});
  for (const absl::Status& status :
       {late->Supports(request), late->Compile(request).status(), late->ToolVersion().status(),
        late->LatestPtxIsaVersion().status()}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kNotFound) << status;
    EXPECT_THAT(status.message(), HasSubstr("pip install nvidia-cuda-nvcc"));
  }
  fs::create_symlink(cuda_.ptxas, path);
  EXPECT_TRUE(late->Compile(request).ok());
}

TEST_F(PtxasProviderTest, AProgramThatGivesNothingIsAnError) {
  const fs::path path = fs::path(::testing::TempDir()) / "hollow_ptxas";
  std::ofstream(path) << "#!/bin/sh\ncase $1 in -arch*) exit 0;; *) exec " << cuda_.ptxas
                      << " \"$@\";; esac\n";
  fs::permissions(path, fs::perms::owner_all);
  ToolPaths paths = cuda_;
  paths.ptxas = path.string();
  const absl::Status status =
      MakePtxasProvider(paths)
          ->Compile(Request({PtxInput("k.ptx", EmptyKernelPtx("8.0", "sm_90"))}, "sm_90", {kCubin}))
          .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal) << status;
  EXPECT_THAT(status.message(), HasSubstr("gave no CUBIN"));
}

TEST_F(PtxasProviderTest, SameBytesInAnyFolderAndInParallel) {
  std::vector<CompileRequest> requests;
  for (bool CompileOptions::* const option :
       {&CompileOptions::fast_math, &CompileOptions::line_info, &CompileOptions::device_debug}) {
    CompileOptions options;
    options.*option = true;
    requests.push_back(Request({PtxInput("k.ptx", BusyPtx())}, "sm_90", {kCubin}, options));
  }
  std::vector<std::string> serial;
  for (const CompileRequest& request : requests) {
    absl::StatusOr<CompileResult> result = provider_->Compile(request);
    ASSERT_TRUE(result.ok()) << result.status();
    serial.push_back(result->cubin);
  }
  const fs::path before = fs::current_path();
  fs::current_path(::testing::TempDir());
  for (size_t i = 0; i < requests.size(); ++i) {
    EXPECT_TRUE(provider_->Compile(requests[i])->cubin == serial[i]) << i;
  }
  fs::current_path(before);

  std::vector<std::thread> threads;
  for (size_t i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      for (size_t j = 0; j < 2 * requests.size(); ++j) {
        const size_t at = (i + j) % requests.size();
        absl::StatusOr<CompileResult> result = provider_->Compile(requests[at]);
        ASSERT_TRUE(result.ok()) << result.status();
        EXPECT_TRUE(result->cubin == serial[at]) << at;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace warpyard::ptx
