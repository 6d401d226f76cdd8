// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// What we read, from CUBINs and from logs, against what NVIDIA's tools tell:
// for every target of the pinned toolkit.

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "cc/base/file.h"
#include "cc/base/subprocess.h"
#include "cc/base/temporary_directory.h"
#include "cc/ptx/cubin_reader.h"
#include "cc/ptx/cuda_locator.h"
#include "cc/ptx/log_parser.h"
#include "cc/ptx/testing/cuda_for_test.h"
#include "cc/ptx/testing/resource_usage.h"
#include "cc/ptx/tool_targets.h"
#include "cc/target/compute_capability.h"
#include "gtest/gtest.h"

namespace warpyard::ptx {
namespace {

SubprocessResult RunTool(const std::vector<std::string>& argv) {
  const absl::StatusOr<SubprocessResult> result = RunSubprocess({.argv = argv});
  EXPECT_TRUE(result.ok()) << result.status();
  if (result.ok()) return *result;
  SubprocessResult failed;
  failed.exit_code = 1;
  return failed;
}

TEST(CubinReaderToolsTest, AgreesWithCuobjdumpAndPtxasForEveryTarget) {
  const ToolPaths tools = CudaForTest();
  const std::vector<ComputeCapability> targets =
      TargetsInHelp(RunTool({tools.ptxas, "--help"}).standard_output);
  ASSERT_GE(targets.size(), 20u);
  const TemporaryDirectory folder = TemporaryDirectory::Create().value();
  const std::string cubin_path = folder.path() + "/usage.cubin";

  for (const ComputeCapability& target : targets) {
    SCOPED_TRACE(target.SmName());
    const SubprocessResult ptxas =
        RunTool({tools.ptxas, "-v", absl::StrCat("-arch=", target.SmName()),
                 "cc/ptx/testdata/kernels/usage.ptx", "-o", cubin_path});
    ASSERT_TRUE(ptxas.Succeeded()) << ptxas.standard_error;
    const std::string bytes = ReadFile(cubin_path, 1 << 20).value();
    const absl::StatusOr<Cubin> cubin = ReadCubin(bytes);
    ASSERT_TRUE(cubin.ok()) << cubin.status();

    const SubprocessResult cuobjdump = RunTool({tools.cuobjdump, "-res-usage", cubin_path});
    ASSERT_TRUE(cuobjdump.Succeeded()) << cuobjdump.standard_error;
    ExpectSameUsage(*cubin, ParseResourceUsage(cuobjdump.standard_output));

    // An 'f' leaves no trace in a CUBIN.
    const bool arch = target.kind() == ComputeCapability::Kind::kArch;
    EXPECT_EQ(cubin->target, arch ? target : target.Plain());

    const ParsedLog log =
        ParseCompilerLog(ptxas.standard_output + ptxas.standard_error, {target.SmName(), ""});
    EXPECT_TRUE(log.status.ok()) << log.status;
    ASSERT_EQ(log.kernels.size(), cubin->kernels.size());
    for (size_t i = 0; i < log.kernels.size(); ++i) {
      const KernelResources& read = cubin->kernels[i].resources;
      const KernelResources& logged = log.kernels[i];
      SCOPED_TRACE(read.name);
      EXPECT_EQ(read.name, logged.name);
      EXPECT_EQ(read.registers, logged.registers);
      EXPECT_EQ(read.static_shared_bytes, logged.static_shared_bytes);
      EXPECT_EQ(read.barriers, logged.barriers);
      if (logged.constant_bytes != 0) {  // from sm_90 on, logs do not tell
        EXPECT_EQ(read.constant_bytes, logged.constant_bytes);
      }
    }
  }
}

}  // namespace
}  // namespace warpyard::ptx
