// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/target/resolve_target.h"

#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cc/base/version.h"
#include "cc/target/compute_capability.h"
#include "cc/target/device_spec.h"
#include "cc/target/spec_database.h"
#include "cc/target/versions.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard {
namespace {

using ::testing::HasSubstr;

TEST(ResolveTargetTest, AGpuMeansItsNativeTarget) {
  absl::StatusOr<ResolvedTarget> target = ResolveTarget("h100");
  ASSERT_TRUE(target.ok()) << target.status();
  EXPECT_EQ(target->code.ToString(), "9.0a");
  EXPECT_EQ(target->device->name, "h100");
  EXPECT_EQ(target->generation, target->device->generation);
  EXPECT_EQ(ResolveTarget("L4")->code.ToString(), "8.9");
}

TEST(ResolveTargetTest, ANumberMeansItself) {
  for (std::string_view text : {"9.0", "sm_90", "compute_90"}) {
    absl::StatusOr<ResolvedTarget> target = ResolveTarget(text);
    ASSERT_TRUE(target.ok()) << target.status();
    EXPECT_EQ(target->code.ToString(), "9.0");
    EXPECT_EQ(target->device, nullptr);
    EXPECT_EQ(target->generation->architecture, "Hopper");
  }
  EXPECT_EQ(ResolveTarget("10.0f")->code.ToString(), "10.0f");
}

TEST(ResolveTargetTest, AnOldTargetIsKnownWithoutABound) {
  absl::StatusOr<ResolvedTarget> target = ResolveTarget("sm_60");
  ASSERT_TRUE(target.ok()) << target.status();
  EXPECT_EQ(target->generation, nullptr);
}

TEST(ResolveTargetTest, UnknownGpuListsWhatExists) {
  const absl::Status status = ResolveTarget("h100x").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(status.message(), HasSubstr("unknown GPU \"h100x\"; did you mean h100?"));
  EXPECT_THAT(status.message(), HasSubstr("rtx6000pro"));
  EXPECT_THAT(status.message(), HasSubstr("9.0a or sm_90a"));
  EXPECT_EQ(ResolveTarget("").status().code(), absl::StatusCode::kNotFound);
}

TEST(ResolveTargetTest, UnknownNumberListsWhatExists) {
  const absl::Status status = ResolveTarget("sm_97").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(status.message(), HasSubstr("unknown target \"sm_97\""));
  EXPECT_THAT(status.message(), HasSubstr("9.0, 9.0a, 10.0"));
}

TEST(ResolveTargetTest, ANumberThatIsNoneSaysWhy) {
  EXPECT_EQ(ResolveTarget("sm_9").status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(ResolveTarget("90").status().code(), absl::StatusCode::kInvalidArgument);
}

// Every target of the pinned toolkit can be asked for, and has its bounds.
TEST(ResolveTargetTest, EveryTargetOfTheLatestToolkitHasAGeneration) {
  const VersionTables& versions = VersionTables::Embedded();
  absl::StatusOr<std::vector<ComputeCapability>> targets =
      versions.TargetsOfToolkit(versions.LatestCuda());
  ASSERT_TRUE(targets.ok()) << targets.status();
  for (const ComputeCapability& cc : *targets) {
    absl::StatusOr<ResolvedTarget> target = ResolveTarget(cc.SmName());
    ASSERT_TRUE(target.ok()) << target.status();
    EXPECT_NE(target->generation, nullptr) << cc;
  }
}

// And every GPU's native target is one that some toolkit compiles for; a GPU
// that the latest has dropped is told which.
TEST(ResolveTargetTest, EveryGpuHasAToolkit) {
  const VersionTables& versions = VersionTables::Embedded();
  for (const DeviceSpec& spec : SpecDatabase::Embedded().All()) {
    EXPECT_TRUE(versions.ToolkitsFor(spec.native_target()).ok()) << spec.name;
    const absl::Status latest =
        versions.CheckToolkitCompilesFor(versions.LatestCuda(), spec.native_target());
    EXPECT_EQ(latest.ok(), spec.name != "v100") << latest;
  }
}

}  // namespace
}  // namespace warpyard
