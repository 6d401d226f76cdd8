// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/make_provider.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cc/ptx/compilation.h"
#include "cc/ptx/cuda_locator.h"
#include "cc/ptx/provider.h"
#include "cc/ptx/testing/requests.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::ptx {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

ToolPaths NoTools() {
  ToolPaths paths;
  paths.driver = "/nowhere/libcuda.so.1";
  return paths;
}

TEST(MakeProvider, KnowsEveryNameThatItLists) {
  EXPECT_THAT(ProviderNames(),
              ElementsAre("auto", "nvrtc", "nvvm", "nvjitlink", "ptxas", "nvlink", "driver"));
  for (const std::string& name : ProviderNames()) {
    absl::StatusOr<std::unique_ptr<Provider>> provider = MakeProvider(name, NoTools());
    ASSERT_TRUE(provider.ok()) << provider.status();
    EXPECT_EQ((*provider)->name(), name == "auto" ? "composite" : name);
  }
}

TEST(MakeProvider, AnUnknownNameListsTheKnownOnes) {
  for (const char* name : {"clang", "", "NVRTC"}) {
    const absl::Status status = MakeProvider(name, NoTools()).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(status.message(), HasSubstr(std::string("'") + name + "'"));
    EXPECT_THAT(status.message(), HasSubstr("auto, nvrtc, nvvm, nvjitlink, ptxas, nvlink, driver"));
  }
}

TEST(MakeProvider, WithoutAnyToolTheErrorNamesThePackages) {
  const std::unique_ptr<Provider> provider = MakeProvider("auto", NoTools()).value();
  const absl::Status cuda =
      provider->Compile(Request({CudaInput("k.cu", kScaleCuda)}, "sm_90", {OutputKind::kCubin}))
          .status();
  EXPECT_EQ(cuda.code(), absl::StatusCode::kNotFound) << cuda;
  EXPECT_THAT(cuda.message(), HasSubstr("pip install nvidia-cuda-nvrtc"));
  const absl::Status ptx =
      provider
          ->Compile(Request({PtxInput("k.ptx", EmptyKernelPtx("8.0", "sm_90"))}, "sm_90",
                            {OutputKind::kCubin}))
          .status();
  EXPECT_EQ(ptx.code(), absl::StatusCode::kNotFound) << ptx;
  EXPECT_THAT(ptx.message(), HasSubstr("pip install nvidia-nvjitlink"));
  EXPECT_THAT(ptx.message(), HasSubstr("pip install nvidia-cuda-nvcc"));
}

}  // namespace
}  // namespace warpyard::ptx
