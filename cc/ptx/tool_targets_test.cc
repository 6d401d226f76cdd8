// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/tool_targets.h"

#include <algorithm>
#include <vector>

#include "absl/status/status.h"
#include "cc/target/compute_capability.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::ptx {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Kind = ComputeCapability::Kind;

TEST(ProbeTargets, AsksForEveryNumberAndKind) {
  const std::vector<ComputeCapability> wanted = {
      {5, 0}, {9, 0, Kind::kArch}, {10, 3, Kind::kFamily}, {10, 3, Kind::kArch}, {19, 9}};
  EXPECT_EQ(ProbeTargets([&](const ComputeCapability& target) {
              return std::find(wanted.begin(), wanted.end(), target) != wanted.end();
            }),
            wanted);
}

TEST(TargetsInHelp, ReadsTheListOfPtxas) {
  EXPECT_THAT(
      TargetsInHelp("'Allowed values for this option:  'compute_100','compute_90a',\n"
                    "        'sm_100','sm_100a',\n        'sm_75','sm_100','sm_banana','lto_75'.\n"
                    "        Default value:  'sm_75'.\n the tool's own 'sm_80"),
      ElementsAre(ComputeCapability(7, 5), ComputeCapability(10, 0),
                  ComputeCapability(10, 0, Kind::kArch)));
  EXPECT_THAT(TargetsInHelp(""), IsEmpty());
}

TEST(UnknownTargetError, NamesTheToolItsTargetsAndToolkitsThatHaveIt) {
  const absl::Status status =
      UnknownTargetError("ptxas 13.5.37", {7, 0}, {{7, 5}, {9, 0, Kind::kArch}});
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(status.message(),
              HasSubstr("ptxas 13.5.37 does not compile for sm_70; it knows sm_75, sm_90a"));
  EXPECT_THAT(status.message(),
              HasSubstr("Toolkits from CUDA 9.0 on, up to CUDA 12.9, compile for sm_70"));
}

TEST(UnknownTargetError, ATargetThatNobodyKnowsHasNoToolkit) {
  const absl::Status status = UnknownTargetError("ptxas 13.5.37", {42, 0}, {});
  EXPECT_EQ(status, absl::UnimplementedError("ptxas 13.5.37 does not compile for sm_420"));
}

}  // namespace
}  // namespace warpyard::ptx
