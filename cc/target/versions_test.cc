// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/target/versions.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "cc/base/version.h"
#include "cc/target/compute_capability.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;

const VersionTables& Tables() { return VersionTables::Embedded(); }
ComputeCapability Cc(std::string_view text) { return ComputeCapability::Parse(text).value(); }
Version V(std::string_view text) { return Version::Parse(text).value(); }

std::string Text(const absl::StatusOr<Version>& version) {
  return version.ok() ? version->ToString() : std::string(version.status().message());
}

std::vector<std::string> Names(const absl::StatusOr<std::vector<ComputeCapability>>& targets) {
  std::vector<std::string> names;
  if (!targets.ok()) return {std::string(targets.status().message())};
  for (const ComputeCapability& cc : *targets) names.push_back(cc.ToString());
  return names;
}

TEST(VersionTablesTest, HighestPtxIsa) {
  EXPECT_EQ(Text(Tables().HighestPtxIsa(V("13.5.37"))), "9.5");
  EXPECT_EQ(Text(Tables().HighestPtxIsa(V("13.0"))), "9.0");
  EXPECT_EQ(Text(Tables().HighestPtxIsa(V("12.6"))), "8.5");
  EXPECT_EQ(Text(Tables().HighestPtxIsa(V("11.8.0"))), "7.8");
  // A release that is newer than the tables reads what is known at least.
  EXPECT_EQ(Text(Tables().HighestPtxIsa(V("99.0"))), "9.5");
  EXPECT_THAT(Text(Tables().HighestPtxIsa(V("12.10"))),
              HasSubstr("there is no CUDA 12.10; the tables know 1.0 to 13.5"));
}

TEST(VersionTablesTest, PtxIsaNeverFallsWithTheRelease) {
  Version before;
  for (const Version& cuda : Tables().CudaReleases()) {
    const Version isa = Tables().HighestPtxIsa(cuda).value();
    EXPECT_GE(isa, before) << cuda;
    before = isa;
  }
  EXPECT_EQ(before, Tables().PtxIsas().back());
  EXPECT_EQ(Tables().LatestCuda(), V("13.5"));
}

TEST(VersionTablesTest, TargetsOfPtxIsa) {
  EXPECT_THAT(Names(Tables().TargetsOfPtxIsa(V("1.0"))), ElementsAre("1.0", "1.1"));
  EXPECT_THAT(Names(Tables().TargetsOfPtxIsa(V("1.5"))), ElementsAre("1.0", "1.1", "1.2", "1.3"));
  EXPECT_THAT(Names(Tables().TargetsOfPtxIsa(V("8.0"))), Contains("9.0a"));
  EXPECT_THAT(Names(Tables().TargetsOfPtxIsa(V("7.8"))), Not(Contains("9.0a")));
  EXPECT_THAT(Names(Tables().TargetsOfPtxIsa(V("8.7"))), Contains("12.0a"));
  EXPECT_THAT(Names(Tables().TargetsOfPtxIsa(V("8.7"))), Not(Contains("10.0f")));
  EXPECT_THAT(Names(Tables().TargetsOfPtxIsa(V("8.8"))), Contains("10.0f"));
  EXPECT_THAT(Names(Tables().TargetsOfPtxIsa(V("9.9"))),
              ElementsAre("there is no PTX ISA 9.9; the tables know 1.0 to 9.5"));
}

TEST(VersionTablesTest, TargetsOnlyGrowWithTheIsa) {
  std::vector<std::string> before;
  for (const Version& isa : Tables().PtxIsas()) {
    const std::vector<std::string> names = Names(Tables().TargetsOfPtxIsa(isa));
    EXPECT_THAT(names, IsSupersetOf(before)) << isa;
    before = names;
  }
  EXPECT_EQ(before.size(), Tables().Targets().size());
}

TEST(VersionTablesTest, PtxIsaIntroducing) {
  EXPECT_EQ(Text(Tables().PtxIsaIntroducing(Cc("9.0"))), "7.8");
  EXPECT_EQ(Text(Tables().PtxIsaIntroducing(Cc("9.0a"))), "8.0");
  EXPECT_EQ(Text(Tables().PtxIsaIntroducing(Cc("10.0f"))), "8.8");
  EXPECT_EQ(Text(Tables().PtxIsaIntroducing(Cc("11.0"))), "9.0");
  EXPECT_THAT(Text(Tables().PtxIsaIntroducing(Cc("9.7"))),
              HasSubstr("no PTX ISA up to 9.5 knows the target sm_97"));
}

TEST(VersionTablesTest, ASuffixedTargetIsNoOlderThanItsNumber) {
  for (const ComputeCapability& cc : Tables().Targets()) {
    EXPECT_GE(Tables().PtxIsaIntroducing(cc).value(),
              Tables().PtxIsaIntroducing(cc.Plain()).value())
        << cc;
  }
}

std::string Range(std::string_view target) {
  absl::StatusOr<ToolkitRange> range = Tables().ToolkitsFor(Cc(target));
  if (!range.ok()) return std::string(range.status().message());
  return absl::StrCat(range->first, "-", range->last.has_value() ? range->last->ToString() : "");
}

TEST(VersionTablesTest, ToolkitsFor) {
  EXPECT_EQ(Range("7.0"), "9.0-12.9");  // V100
  EXPECT_EQ(Range("7.5"), "10.0-");
  EXPECT_EQ(Range("9.0"), "11.8-");
  EXPECT_EQ(Range("9.0a"), "12.0-");
  // PTX ISA 8.6 came with a driver; the first toolkit was 12.8.
  EXPECT_EQ(Range("10.0a"), "12.8-");
  EXPECT_EQ(Range("10.3f"), "12.9-");
  EXPECT_EQ(Range("10.1"), "12.8-12.9");
  EXPECT_EQ(Range("11.0"), "13.0-");
  EXPECT_EQ(Range("3.5"), "5.0-11.8");
  EXPECT_EQ(Range("3.0"), "4.2-10.2");
  EXPECT_THAT(Range("9.7"), HasSubstr("sm_97"));
}

TEST(VersionTablesTest, ToolkitRangesAreNotReversed) {
  for (const ComputeCapability& cc : Tables().Targets()) {
    const ToolkitRange range = Tables().ToolkitsFor(cc).value();
    if (!range.last.has_value()) continue;
    EXPECT_LE(range.first, *range.last) << cc;
  }
}

TEST(VersionTablesTest, SaysWhichToolkitAGpuNeeds) {
  EXPECT_TRUE(Tables().CheckToolkitCompilesFor(V("13.5"), Cc("9.0a")).ok());
  EXPECT_TRUE(Tables().CheckToolkitCompilesFor(V("12.9.1"), Cc("7.0")).ok());
  const absl::Status volta = Tables().CheckToolkitCompilesFor(V("13.5.37"), Cc("7.0"));
  EXPECT_EQ(volta.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(volta.message(),
            "CUDA 13.5 does not compile for sm_70; it needs a toolkit from 9.0 to 12.9");
  EXPECT_THAT(Tables().CheckToolkitCompilesFor(V("12.8"), Cc("12.1")).message(),
              HasSubstr("it needs a toolkit from 12.9 on"));
  EXPECT_EQ(Tables().CheckToolkitCompilesFor(V("13.5"), Cc("9.7")).code(),
            absl::StatusCode::kNotFound);
}

TEST(VersionTablesTest, TargetsOfToolkit) {
  EXPECT_THAT(Names(Tables().TargetsOfToolkit(V("11.8"))),
              ElementsAre("3.5", "3.7", "5.0", "5.2", "5.3", "6.0", "6.1", "6.2", "7.0", "7.2",
                          "7.5", "8.0", "8.6", "8.7", "8.9", "9.0"));
  EXPECT_THAT(Names(Tables().TargetsOfToolkit(V("13.0"))), Not(Contains("7.0")));
  EXPECT_THAT(Names(Tables().TargetsOfToolkit(V("12.7"))),
              ElementsAre(HasSubstr("came as a driver")));
}

TEST(VersionTablesTest, MinimumDriver) {
  EXPECT_EQ(Text(Tables().MinimumDriver(V("13.0"))), "580.65.06");
  EXPECT_EQ(Text(Tables().MinimumDriver(V("12.8.1"))), "570.26");
  EXPECT_EQ(Text(Tables().MinimumDriver(V("12.8"), DriverOs::kWindows)), "570.65");
  EXPECT_THAT(Text(Tables().MinimumDriver(V("13.0"), DriverOs::kWindows)),
              HasSubstr("no minimum Windows driver for CUDA 13.0; its driver branch is r580"));
  EXPECT_THAT(Text(Tables().MinimumDriver(V("13.5"))), HasSubstr("no minimum Linux driver"));
  EXPECT_EQ(Text(Tables().MinimumDriverForMinorCompatibility(V("13.5"))), "580");
  EXPECT_EQ(Text(Tables().MinimumDriverForMinorCompatibility(V("12.0"))), "525");
  EXPECT_THAT(Text(Tables().MinimumDriverForMinorCompatibility(V("10.2"))),
              HasSubstr("has no minor version compatibility"));
}

TEST(VersionTablesTest, CudaOfDriver) {
  EXPECT_EQ(Text(Tables().CudaOfDriver(V("580.95.05"))), "13.0");
  EXPECT_EQ(Text(Tables().CudaOfDriver(V("580.65.06"))), "13.0");
  EXPECT_EQ(Text(Tables().CudaOfDriver(V("580.65.05"))), "12.9");
  EXPECT_EQ(Text(Tables().CudaOfDriver(V("570.124.06"))), "12.8");
  EXPECT_EQ(Text(Tables().CudaOfDriver(V("565.57.01"))), "12.7");
  EXPECT_EQ(Text(Tables().CudaOfDriver(V("615.10"))), "13.4");
  EXPECT_EQ(Text(Tables().CudaOfDriver(V("999"))), "13.4");
  EXPECT_EQ(Text(Tables().CudaOfDriver(V("551.78"), DriverOs::kWindows)), "12.4");
  EXPECT_EQ(Text(Tables().CudaOfDriver(V("581.15"), DriverOs::kWindows)), "13.0");
  EXPECT_THAT(Text(Tables().CudaOfDriver(V("100.14"))), HasSubstr("older than any"));
}

TEST(VersionTablesTest, ADriverBringsTheReleaseThatNamesItAsItsMinimum) {
  for (const DriverOs os : {DriverOs::kLinux, DriverOs::kWindows}) {
    for (const Version& cuda : Tables().CudaReleases()) {
      absl::StatusOr<Version> driver = Tables().MinimumDriver(cuda, os);
      if (!driver.ok()) continue;
      EXPECT_EQ(Text(Tables().CudaOfDriver(*driver, os)), cuda.ToString());
    }
  }
}

TEST(FromTextTest, RefusesWhatIsWrong) {
  struct Case {
    std::string_view text;
    std::string_view reason;
  };
  for (const Case& c : std::vector<Case>{
           {"", "cuda_releases: there is none"},
           {"cuda_releases { cuda: 13 }", "versions.textproto:1:"},
           {"cuda_releases { cuda: \"x\" ptx_isa: \"9.0\" }", "cuda_releases x: version \"x\""},
           {"cuda_releases { cuda: \"13.0\" }", "version \"\": it is empty"},
           {"cuda_releases { cuda: \"13.1\" ptx_isa: \"9.0\" } "
            "cuda_releases { cuda: \"13.0\" ptx_isa: \"9.0\" }",
            "cuda does not rise"},
           {"cuda_releases { cuda: \"13.0\" ptx_isa: \"9.1\" } "
            "cuda_releases { cuda: \"13.1\" ptx_isa: \"9.0\" }",
            "ptx_isa falls"},
           {"cuda_releases { cuda: \"13.0\" ptx_isa: \"9.0\" linux_driver: \"580\" }",
            "but no driver_branch"},
           {"cuda_releases { cuda: \"13.0\" ptx_isa: \"9.0\" } "
            "ptx_targets { target: \"9.0b\" ptx_isa: \"9.0\" }",
            "is no suffix"},
           {"cuda_releases { cuda: \"13.0\" ptx_isa: \"9.0\" } "
            "ptx_targets { target: \"9.0\" ptx_isa: \"9.1\" }",
            "no toolkit has its ptx_isa"},
           {"cuda_releases { cuda: \"13.0\" ptx_isa: \"9.0\" driver_only: true } "
            "ptx_targets { target: \"9.0\" ptx_isa: \"9.0\" }",
            "no toolkit has its ptx_isa"},
           {"cuda_releases { cuda: \"13.0\" ptx_isa: \"9.0\" } "
            "ptx_targets { target: \"9.0\" ptx_isa: \"9.0\" } "
            "ptx_targets { target: \"sm_90\" ptx_isa: \"9.0\" }",
            "stands there twice"},
           {"cuda_releases { cuda: \"13.0\" ptx_isa: \"9.0\" } "
            "ptx_targets { target: \"9.0\" ptx_isa: \"9.0\" last_toolkit: \"14.0\" }",
            "last_toolkit is no CUDA release"},
       }) {
    absl::StatusOr<std::unique_ptr<VersionTables>> tables = VersionTables::FromText(c.text);
    ASSERT_EQ(tables.status().code(), absl::StatusCode::kInvalidArgument) << c.text;
    EXPECT_THAT(tables.status().message(), HasSubstr(c.reason));
  }
}

}  // namespace
}  // namespace warpyard
