// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The provider on a real driver.

#include <memory>

#include "absl/status/statusor.h"
#include "cc/base/version.h"
#include "cc/ptx/compilation.h"
#include "cc/ptx/cuda_locator.h"
#include "cc/ptx/driver_provider.h"
#include "cc/ptx/elf64.h"
#include "cc/ptx/provider.h"
#include "cc/ptx/testing/requests.h"
#include "gtest/gtest.h"

namespace warpyard::ptx {
namespace {

TEST(DriverProviderTest, TheMachinesOwnDriver) {
  const std::unique_ptr<Provider> provider = MakeDriverProvider(ToolPaths());
  absl::StatusOr<CompileResult> result = provider->Compile(Request(
      {PtxInput("dir/k.ptx", EmptyKernelPtx("8.0", "sm_80"))}, "sm_80", {OutputKind::kCubin}, {}));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(Elf64View::Parse(result->cubin)->type(), Elf64View::kExecutable);
  EXPECT_GE(provider->LatestPtxIsaVersion().value(), Version(7, 0));
}

}  // namespace
}  // namespace warpyard::ptx
