// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/nvlink_provider.h"

#include <stdlib.h>

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
#include "cc/ptx/compilation.h"
#include "cc/ptx/cuda_locator.h"
#include "cc/ptx/elf64.h"
#include "cc/ptx/linkage.h"
#include "cc/ptx/provider.h"
#include "cc/ptx/testing/cuda_for_test.h"
#include "cc/ptx/testing/relocatable.h"
#include "cc/ptx/testing/requests.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::ptx {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr OutputKind kCubin = OutputKind::kCubin;

class NvlinkProviderTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    scale_ = new Objects(CompileObjects("scale", kScaleCuda, "sm_90"));
    caller_ = new Objects(CompileObjects("caller", kCallerCuda, "sm_90"));
    helper_ = new Objects(CompileObjects("helper", kHelperCuda, "sm_90"));
  }

  void SetUp() override {
    temporary_ = fs::path(::testing::TempDir()) / "nvlink_temporary";
    fs::remove_all(temporary_);
    fs::create_directories(temporary_);
    setenv("TMPDIR", temporary_.c_str(), 1);
  }

  absl::StatusOr<CompileResult> Link(std::vector<Input> inputs, std::string_view target = "sm_90",
                                     CompileOptions options = {}) {
    return provider_->Compile(Request(std::move(inputs), target, {kCubin}, std::move(options)));
  }

  static const Objects* scale_;
  static const Objects* caller_;
  static const Objects* helper_;
  fs::path temporary_;
  const ToolPaths cuda_ = CudaForTest();
  const std::unique_ptr<Provider> provider_ = MakeNvlinkProvider(cuda_);
};

const Objects* NvlinkProviderTest::scale_ = nullptr;
const Objects* NvlinkProviderTest::caller_ = nullptr;
const Objects* NvlinkProviderTest::helper_ = nullptr;

TEST_F(NvlinkProviderTest, LinksCubinsAndLeavesNothingBehind) {
  absl::StatusOr<CompileResult> result = Link({caller_->cubin, helper_->cubin, scale_->cubin});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(Elf64View::Parse(result->cubin)->type(), Elf64View::kExecutable);
  EXPECT_THAT(StrongCubinDefinitions(result->cubin).value(), Contains("caller"));
  EXPECT_THAT(StrongCubinDefinitions(result->cubin).value(), Contains("scale"));
  EXPECT_EQ(result->provider, "nvlink");
  ASSERT_EQ(result->kernels.size(), 2u);
  EXPECT_EQ(result->kernels[0].name, "caller");
  EXPECT_GT(result->kernels[0].registers, 0);
  EXPECT_TRUE(fs::is_empty(temporary_));
}

TEST_F(NvlinkProviderTest, ARelocatableLinkCanBeLinkedAgain) {
  CompileOptions options;
  options.relocatable = true;
  absl::StatusOr<CompileResult> part = Link({caller_->cubin}, "sm_90", options);
  ASSERT_TRUE(part.ok()) << part.status();
  EXPECT_EQ(Elf64View::Parse(part->cubin)->type(), Elf64View::kRelocatable);
  EXPECT_TRUE(Link({CubinInput("part", part->cubin), helper_->cubin}).ok());
}

TEST_F(NvlinkProviderTest, ErrorsNameTheInputs) {
  const absl::Status undefined = Link({scale_->cubin, caller_->cubin}).status();
  EXPECT_EQ(undefined.code(), absl::StatusCode::kNotFound) << undefined;
  EXPECT_THAT(undefined.message(), HasSubstr("_Z6helperi"));

  const absl::Status twice = Link({caller_->cubin, helper_->cubin, helper_->cubin}).status();
  EXPECT_EQ(twice.code(), absl::StatusCode::kInvalidArgument) << twice;
  EXPECT_THAT(twice.message(), HasSubstr("_Z6helperi"));

  const absl::Status other = Link({scale_->cubin}, "sm_100").status();
  EXPECT_EQ(other.code(), absl::StatusCode::kInvalidArgument) << other;
  EXPECT_THAT(other.message(), HasSubstr("scale.cubin"));
  EXPECT_THAT(other.message(), Not(HasSubstr(temporary_.string())));

  const absl::Status finished = Link({scale_->finished}).status();
  EXPECT_EQ(finished.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(finished.message(), HasSubstr("is a finished CUBIN"));

  const absl::Status garbage = Link({CubinInput("bad.cubin", "garbage")}).status();
  EXPECT_EQ(garbage.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(garbage.message(), HasSubstr("bad.cubin is not a CUBIN"));

  const absl::Status target = Link({scale_->cubin}, "sm_70").status();
  EXPECT_EQ(target.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(target.message(), HasSubstr("does not compile for sm_70; it knows sm_75, "));
  EXPECT_TRUE(fs::is_empty(temporary_));
}

TEST_F(NvlinkProviderTest, RefusesOtherForms) {
  EXPECT_EQ(provider_->Supports(Request({scale_->ptx}, "sm_90", {kCubin})),
            absl::UnimplementedError("nvlink takes CUBIN, not PTX (scale.ptx)"));
  EXPECT_EQ(provider_->LatestPtxIsaVersion().status().code(), absl::StatusCode::kUnimplemented);
}

TEST_F(NvlinkProviderTest, AMissingProgramNamesThePackage) {
  ToolPaths paths = cuda_;
  paths.nvlink.clear();
  const absl::Status status =
      MakeNvlinkProvider(paths)->Compile(Request({scale_->cubin}, "sm_90", {kCubin})).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(status.message(), HasSubstr("pip install nvidia-cuda-nvcc"));
}

TEST_F(NvlinkProviderTest, SameBytesInParallelAndInAnyTemporaryFolder) {
  const std::string first = Link({caller_->cubin, helper_->cubin})->cubin;
  const fs::path before = fs::current_path();
  fs::create_directories(temporary_ / "a/longer/name");
  setenv("TMPDIR", (temporary_ / "a/longer/name").c_str(), 1);
  fs::current_path(temporary_);
  EXPECT_TRUE(Link({caller_->cubin, helper_->cubin})->cubin == first);
  fs::current_path(before);

  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < 4; ++j) {
        absl::StatusOr<CompileResult> result = Link({caller_->cubin, helper_->cubin});
        ASSERT_TRUE(result.ok()) << result.status();
        EXPECT_TRUE(result->cubin == first);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace warpyard::ptx
