// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/nvjitlink_provider.h"

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
#include "cc/ptx/elf64.h"
#include "cc/ptx/linkage.h"
#include "cc/ptx/nvjitlink_library.h"
#include "cc/ptx/provider.h"
#include "cc/ptx/testing/cuda_for_test.h"
#include "cc/ptx/testing/relocatable.h"
#include "cc/ptx/testing/requests.h"
#include "cc/target/compute_capability.h"
#include "cc/target/versions.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::ptx {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr OutputKind kPtx = OutputKind::kPtx;
constexpr OutputKind kCubin = OutputKind::kCubin;

class NvJitLinkProviderTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    scale_ = new Objects(CompileObjects("scale", kScaleCuda, "sm_90"));
    caller_ = new Objects(CompileObjects("caller", kCallerCuda, "sm_90"));
    helper_ = new Objects(CompileObjects("helper", kHelperCuda, "sm_90"));
  }

  absl::StatusOr<CompileResult> Compile(std::vector<Input> inputs, std::string_view target,
                                        CompileOptions options = {}) {
    return provider_->Compile(Request(std::move(inputs), target, {kCubin}, std::move(options)));
  }

  static const Objects* scale_;
  static const Objects* caller_;
  static const Objects* helper_;
  const ToolPaths cuda_ = CudaForTest();
  const std::unique_ptr<Provider> provider_ = MakeNvJitLinkProvider(cuda_);
};

const Objects* NvJitLinkProviderTest::scale_ = nullptr;
const Objects* NvJitLinkProviderTest::caller_ = nullptr;
const Objects* NvJitLinkProviderTest::helper_ = nullptr;

TEST_F(NvJitLinkProviderTest, CompilesPtx) {
  absl::StatusOr<CompileResult> result = Compile({scale_->ptx}, "sm_90");
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(Elf64View::Parse(result->cubin)->type(), Elf64View::kExecutable);
  EXPECT_THAT(StrongCubinDefinitions(result->cubin).value(), ElementsAre("scale"));
  EXPECT_EQ(result->provider, "nvjitlink");
  EXPECT_THAT(result->tool_version, StartsWith("nvjitlink "));
  ASSERT_EQ(result->kernels.size(), 1u);
  EXPECT_EQ(result->kernels[0].name, "scale");
  EXPECT_GT(result->kernels[0].registers, 0);
  EXPECT_EQ(result->kernels[0].static_shared_bytes, 256);
  EXPECT_THAT(result->warnings, ElementsAre());
}

TEST_F(NvJitLinkProviderTest, LinksEveryMixtureOfForms) {
  for (const Input& caller : {caller_->ptx, caller_->cubin, caller_->lto_ir}) {
    for (const Input& helper : {helper_->ptx, helper_->cubin, helper_->lto_ir}) {
      for (const bool caller_first : {true, false}) {
        absl::StatusOr<CompileResult> result = Compile(
            caller_first ? std::vector{caller, helper} : std::vector{helper, caller}, "sm_90");
        ASSERT_TRUE(result.ok()) << caller.name << " + " << helper.name << ": " << result.status();
        EXPECT_EQ(Elf64View::Parse(result->cubin)->type(), Elf64View::kExecutable);
        EXPECT_THAT(StrongCubinDefinitions(result->cubin).value(), Contains("caller"));
      }
    }
  }
}

TEST_F(NvJitLinkProviderTest, GivesPtxOfLtoIr) {
  absl::StatusOr<CompileResult> result =
      provider_->Compile(Request({caller_->lto_ir, helper_->lto_ir}, "sm_90", {kPtx}));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(result->ptx, HasSubstr(".visible .entry caller("));
  // The whole program was optimised together: the helper was inlined.
  EXPECT_THAT(result->ptx, Not(HasSubstr("_Z6helperi")));
  EXPECT_EQ(result->cubin, "");

  EXPECT_EQ(
      provider_->Supports(Request({scale_->ptx}, "sm_90", {kPtx})),
      absl::UnimplementedError("nvjitlink gives PTX of LTO IR alone, not of PTX (scale.ptx)"));
  EXPECT_EQ(provider_->Supports(Request({scale_->lto_ir}, "sm_90", {kPtx, kCubin})),
            absl::UnimplementedError("nvjitlink gives PTX or a CUBIN, not both at once"));
}

TEST_F(NvJitLinkProviderTest, CompilesForEveryTargetOfItsToolkit) {
  const Version version = provider_->ToolVersion().value();
  const std::vector<ComputeCapability> targets =
      VersionTables::Embedded().TargetsOfToolkit(version).value();
  for (const ComputeCapability& target : targets) {
    const std::string ptx = EmptyKernelPtx(
        VersionTables::Embedded().PtxIsaIntroducing(target)->ToString(), target.SmName());
    absl::StatusOr<CompileResult> result = Compile({PtxInput("k.ptx", ptx)}, target.SmName());
    ASSERT_TRUE(result.ok()) << target.SmName() << ": " << result.status();
    EXPECT_THAT(StrongCubinDefinitions(result->cubin).value(), ElementsAre("k"));
  }
}

// The rule by which inputs are refused before the tool sees them is the tool's.
TEST_F(NvJitLinkProviderTest, AcceptsExactlyWhatCompiles) {
  const std::vector<ComputeCapability> targets =
      VersionTables::Embedded().TargetsOfToolkit(provider_->ToolVersion().value()).value();
  const std::string isa = provider_->LatestPtxIsaVersion()->ToString();
  int compiled = 0;
  for (const ComputeCapability& code : targets) {
    for (const ComputeCapability& target : targets) {
      const absl::Status status =
          Compile({PtxInput("k.ptx", EmptyKernelPtx(isa, code.SmName()))}, target.SmName())
              .status();
      EXPECT_EQ(status.code(), CanCompileFor(code, target) ? absl::StatusCode::kOk
                                                           : absl::StatusCode::kInvalidArgument)
          << code.SmName() << " for " << target.SmName() << ": " << status;
      compiled += status.ok();
    }
  }
  EXPECT_GT(compiled, static_cast<int>(targets.size()));
}

TEST_F(NvJitLinkProviderTest, VersionsAgreeWithTheTables) {
  const Version version = provider_->ToolVersion().value();
  EXPECT_GE(version.size(), 3u);
  EXPECT_EQ(provider_->LatestPtxIsaVersion().value(),
            VersionTables::Embedded().HighestPtxIsa(version).value());
}

TEST_F(NvJitLinkProviderTest, ANewerPtxIsaNamesBothVersions) {
  const absl::Status status =
      Compile({PtxInput("new.ptx", EmptyKernelPtx("99.0", "sm_90"))}, "sm_90").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(status.message(), HasSubstr("new.ptx is PTX ISA 99.0, but nvjitlink "));
  EXPECT_THAT(status.message(),
              HasSubstr(absl::StrCat("up to ", provider_->LatestPtxIsaVersion()->ToString())));
}

TEST_F(NvJitLinkProviderTest, CodeForOneGenerationDoesNotCompileForAnother) {
  const absl::Status status =
      Compile({PtxInput("k.ptx", EmptyKernelPtx("8.0", "sm_90a"))}, "sm_100").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(),
              HasSubstr("k.ptx is PTX for sm_90a and cannot be compiled for sm_100"));
}

TEST_F(NvJitLinkProviderTest, AnErrorNamesInputAndLine) {
  const absl::Status status =
      Compile({PtxInput("bad.ptx",
                        absl::StrReplaceAll(EmptyKernelPtx("8.0", "sm_90"), {{"ret", "bogus"}}))},
              "sm_90")
          .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("bad.ptx, line 4"));
}

TEST_F(NvJitLinkProviderTest, AnUndefinedReferenceIsNotFound) {
  for (const Input& input : {caller_->ptx, caller_->cubin}) {
    const absl::Status status = Compile({input}, "sm_90").status();
    EXPECT_EQ(status.code(), absl::StatusCode::kNotFound) << status;
    EXPECT_THAT(status.message(), HasSubstr("_Z6helperi"));
  }
}

// nvJitLink 13.5 forgets to report failures after it was asked for too new an
// ISA in the same thread.
TEST_F(NvJitLinkProviderTest, ErrorsAreSeenAfterARefusedIsa) {
  const NvJitLinkLibrary library = NvJitLinkLibrary::Open(cuda_.nvjitlink).value();
  NvJitLinkLibrary::Handle handle = nullptr;
  const char* option = "-arch=sm_90";
  ASSERT_EQ(library.create(&handle, 1, &option), kNvJitLinkSuccess);
  const std::string ptx = EmptyKernelPtx("99.0", "sm_90");
  EXPECT_NE(library.add_data(handle, kNvJitLinkInputPtx, ptx.data(), ptx.size(), "x"),
            kNvJitLinkSuccess);
  library.destroy(&handle);

  EXPECT_EQ(Compile({caller_->cubin}, "sm_90").status().code(), absl::StatusCode::kNotFound);
  EXPECT_TRUE(Compile({caller_->cubin, helper_->cubin}, "sm_90").ok());
}

TEST_F(NvJitLinkProviderTest, TwoDefinitionsAreAnError) {
  for (const Input& first : {helper_->ptx, helper_->cubin}) {
    for (const Input& second : {helper_->ptx, helper_->cubin}) {
      const absl::Status status = Compile({caller_->cubin, first, second}, "sm_90").status();
      EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
      EXPECT_THAT(status.message(), HasSubstr("_Z6helperi"));
    }
  }
  // The linker looks into LTO IR itself.
  const absl::Status status =
      Compile({caller_->lto_ir, helper_->lto_ir, helper_->lto_ir}, "sm_90").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  EXPECT_THAT(status.message(), HasSubstr("_Z6helperi"));
}

TEST_F(NvJitLinkProviderTest, AFinishedCubinIsRefusedNotDropped) {
  const absl::Status status = Compile({scale_->finished}, "sm_90").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("scale.finished.cubin is a finished CUBIN"));
}

TEST_F(NvJitLinkProviderTest, DamagedInputsAreRejected) {
  const std::string& cubin = scale_->cubin.bytes;
  const std::string& lto = scale_->lto_ir.bytes;
  for (const Input& input :
       {CubinInput("x", "garbage"), CubinInput("x", cubin.substr(0, 40)),
        CubinInput("x", cubin.substr(0, cubin.size() / 2)), LtoInput("x", "garbage"),
        LtoInput("x", lto.substr(0, lto.size() / 2)), PtxInput("x", "garbage"),
        PtxInput("x", scale_->ptx.bytes.substr(0, scale_->ptx.bytes.size() / 2))}) {
    const absl::Status status = Compile({input}, "sm_90").status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument)
        << static_cast<int>(input.kind) << " " << input.bytes.size() << ": " << status;
  }
}

TEST_F(NvJitLinkProviderTest, AnObjectForAnotherGpuIsRejected) {
  const absl::Status status = Compile({scale_->cubin}, "sm_100").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  EXPECT_THAT(status.message(), HasSubstr("scale.cubin"));
}

TEST_F(NvJitLinkProviderTest, AnUnknownTargetNamesTheKnownOnes) {
  for (const ComputeCapability target : {ComputeCapability(7, 0), ComputeCapability(19, 0)}) {
    CompileRequest request = Request({scale_->ptx}, "sm_90", {kCubin});
    request.inputs = {PtxInput("k.ptx", EmptyKernelPtx("6.0", "sm_70"))};
    request.target = target;
    const absl::Status status = provider_->Compile(request).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented) << status;
    EXPECT_THAT(status.message(), HasSubstr(absl::StrCat("does not compile for ", target.SmName(),
                                                         "; it knows sm_")));
  }
}

TEST_F(NvJitLinkProviderTest, OptionsReachTheLinker) {
  CompileOptions options;
  options.relocatable = true;
  absl::StatusOr<CompileResult> relocatable = Compile({caller_->ptx}, "sm_90", options);
  ASSERT_TRUE(relocatable.ok()) << relocatable.status();
  EXPECT_EQ(Elf64View::Parse(relocatable->cubin)->type(), Elf64View::kRelocatable);
  // What came out can be linked again.
  EXPECT_TRUE(Compile({CubinInput("r", relocatable->cubin), helper_->cubin}, "sm_90").ok());

  const std::string ordinary = Compile({scale_->ptx}, "sm_90")->cubin;
  for (const int level : {0, 1, 2, 3}) {
    options = {};
    options.optimization_level = level;
    absl::StatusOr<CompileResult> result = Compile({scale_->ptx}, "sm_90", options);
    ASSERT_TRUE(result.ok()) << level << ": " << result.status();
    EXPECT_EQ(result->cubin == ordinary, level == 3) << level;
  }
  for (bool CompileOptions::* const option :
       {&CompileOptions::line_info, &CompileOptions::device_debug, &CompileOptions::fast_math}) {
    options = {};
    options.*option = true;
    absl::StatusOr<CompileResult> result =
        Compile({caller_->lto_ir, helper_->lto_ir}, "sm_90", options);
    EXPECT_TRUE(result.ok()) << result.status();
  }
  options = {};
  options.extra = {"-no-such-option"};
  const absl::Status status = Compile({scale_->ptx}, "sm_90", options).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("-no-such-option"));
}

TEST_F(NvJitLinkProviderTest, AMissingLibraryNamesThePackage) {
  ToolPaths paths = cuda_;
  paths.nvjitlink.clear();
  const std::unique_ptr<Provider> without = MakeNvJitLinkProvider(paths);
  const CompileRequest request = Request({scale_->ptx}, "sm_90", {kCubin});
  for (const absl::Status& status :
       {without->Supports(request), without->Compile(request).status(),
        without->ToolVersion().status(), without->LatestPtxIsaVersion().status()}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kNotFound) << status;
    EXPECT_THAT(status.message(), HasSubstr("pip install nvidia-nvjitlink"));
  }
}

TEST_F(NvJitLinkProviderTest, SameBytesInAnyFolderAndInParallel) {
  const std::vector<CompileRequest> requests = {
      Request({scale_->ptx}, "sm_90", {kCubin}), Request({scale_->ptx}, "sm_100", {kCubin}),
      Request({caller_->lto_ir, helper_->lto_ir}, "sm_90", {kCubin}),
      Request({caller_->cubin, helper_->ptx}, "sm_90", {kCubin})};
  std::vector<std::string> serial;
  for (const CompileRequest& request : requests) {
    serial.push_back(provider_->Compile(request)->cubin);
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
