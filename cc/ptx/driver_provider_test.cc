// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/driver_provider.h"

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
#include "absl/strings/str_replace.h"
#include "cc/base/dynamic_library.h"
#include "cc/base/version.h"
#include "cc/ptx/compilation.h"
#include "cc/ptx/cuda_locator.h"
#include "cc/ptx/provider.h"
#include "cc/ptx/testing/requests.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::ptx {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr OutputKind kCubin = OutputKind::kCubin;

CompileRequest Kernel(std::string_view target, CompileOptions options = {}) {
  return Request({PtxInput("dir/k.ptx", EmptyKernelPtx("8.0", "sm_80"))}, target, {kCubin},
                 std::move(options));
}

class FakeDriverTest : public ::testing::Test {
 protected:
  FakeDriverTest() {
    paths_.driver = fs::absolute(getenv("WARPYARD_FAKE_DRIVER")).string();
    provider_ = MakeDriverProvider(paths_);
  }
  ~FakeDriverTest() override {
    unsetenv("FAKE_DRIVER_DEVICES");
    EXPECT_EQ(ContextDepth(), 0);
  }

  // How many contexts the provider left current in this thread.
  int ContextDepth() const {
    const DynamicLibrary library = DynamicLibrary::Open(paths_.driver, "").value();
    return reinterpret_cast<int (*)()>(library.Find("FakeDriverContextDepth"))();
  }

  ToolPaths paths_;
  std::unique_ptr<Provider> provider_;
};

TEST_F(FakeDriverTest, GivesCubinAndResources) {
  absl::StatusOr<CompileResult> result = provider_->Compile(Kernel("sm_90"));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(result->cubin, HasSubstr(" 9=90 "));
  EXPECT_THAT(result->cubin, HasSubstr(" input=1:dir/k.ptx:closed"));
  EXPECT_THAT(result->cubin, Not(HasSubstr(" 7=")));
  EXPECT_EQ(result->provider, "driver");
  EXPECT_EQ(result->tool_version, "driver 13.4.12");
  ASSERT_EQ(result->kernels.size(), 1u);
  EXPECT_EQ(result->kernels[0].registers, 10);
}

TEST_F(FakeDriverTest, OptionsReachTheDriver) {
  CompileOptions options;
  options.optimization_level = 1;
  options.max_registers = 40;
  options.line_info = true;
  absl::StatusOr<CompileResult> result = provider_->Compile(Kernel("sm_90a", options));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(result->cubin, HasSubstr(" 0=40 7=1 9=65626 12=1 13=1"));
  options.device_debug = true;
  result = provider_->Compile(Kernel("sm_100f", options));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(result->cubin, HasSubstr(" 0=40 9=131172 11=1 12=1 "));
}

TEST_F(FakeDriverTest, AsksTheDriverForItsVersions) {
  EXPECT_EQ(provider_->ToolVersion().value(), Version(13, 4, 12));
  EXPECT_EQ(provider_->LatestPtxIsaVersion().value(), Version(9, 4));
}

TEST_F(FakeDriverTest, ErrorsNameTheInput) {
  CompileRequest request = Kernel("sm_90");
  request.inputs[0].bytes = absl::StrReplaceAll(request.inputs[0].bytes, {{"ret", "bogus"}});
  absl::Status status = provider_->Compile(request).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("dir/k.ptx, line 4"));

  request.inputs[0].bytes = absl::StrReplaceAll(request.inputs[0].bytes, {{"bogus", "silent"}});
  status = provider_->Compile(request).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("cuLinkAddData failed: a PTX JIT compilation failed"));

  request.inputs[0].bytes = EmptyKernelPtx("9.5", "sm_80");
  status = provider_->Compile(request).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(status.message(), HasSubstr("dir/k.ptx is PTX ISA 9.5, but driver 13.4.12"));
}

TEST_F(FakeDriverTest, WithoutAGpuItIsNotFoundUntilThereIsOne) {
  setenv("FAKE_DRIVER_DEVICES", "0", 1);
  const absl::Status status = provider_->Supports(Kernel("sm_90"));
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(status.message(), HasSubstr("finds no GPU"));
  setenv("FAKE_DRIVER_DEVICES", "2", 1);
  EXPECT_EQ(provider_->Supports(Kernel("sm_90")), absl::OkStatus());
}

TEST_F(FakeDriverTest, EveryThreadGetsAContext) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < 20; ++j) EXPECT_TRUE(provider_->Compile(Kernel("sm_90")).ok());
      EXPECT_EQ(ContextDepth(), 0);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(FakeDriverTest, RefusesWhatTheDriverCannot) {
  EXPECT_EQ(provider_->Supports(Request({CudaInput("k.cu", "x")}, "sm_90", {kCubin})),
            absl::UnimplementedError("driver takes PTX, CUBIN, not CUDA C++ (k.cu)"));
  CompileOptions options;
  options.relocatable = true;
  EXPECT_EQ(provider_->Supports(Kernel("sm_90", options)).code(), absl::StatusCode::kUnimplemented);
  options = {};
  options.extra = {"-v"};
  EXPECT_EQ(provider_->Supports(Kernel("sm_90", options)).code(), absl::StatusCode::kUnimplemented);
}

TEST(DriverProviderTest, WithoutADriverItIsNotFound) {
  ToolPaths paths;
  paths.driver = "/nowhere/libcuda.so.1";
  const std::unique_ptr<Provider> provider = MakeDriverProvider(paths);
  for (const absl::Status& status :
       {provider->Supports(Kernel("sm_90")), provider->Compile(Kernel("sm_90")).status(),
        provider->ToolVersion().status(), provider->LatestPtxIsaVersion().status()}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kNotFound) << status;
    EXPECT_THAT(status.message(), HasSubstr("/nowhere/libcuda.so.1"));
    EXPECT_THAT(status.message(), HasSubstr("NVIDIA GPU"));
  }
}

}  // namespace
}  // namespace warpyard::ptx
