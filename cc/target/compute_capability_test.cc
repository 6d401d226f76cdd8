// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/target/compute_capability.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/hash/hash_testing.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard {
namespace {

using ::testing::HasSubstr;
using Kind = ComputeCapability::Kind;

ComputeCapability Cc(std::string_view text) {
  absl::StatusOr<ComputeCapability> cc = ComputeCapability::Parse(text);
  EXPECT_TRUE(cc.ok()) << cc.status();
  return cc.value_or(ComputeCapability());
}

std::vector<ComputeCapability> Ccs(std::string_view texts) {
  std::vector<ComputeCapability> ccs;
  for (std::string_view text : absl::StrSplit(texts, ' ', absl::SkipEmpty())) {
    ccs.push_back(Cc(text));
  }
  return ccs;
}

// Every target that CUDA 13.5 compiles for.
constexpr std::string_view kTargets =
    "7.5 8.0 8.6 8.7 8.8 8.9 9.0 9.0a 10.0 10.0f 10.0a 10.3 10.3f 10.3a 10.7 10.7f 10.7a "
    "11.0 11.0f 11.0a 12.0 12.0f 12.0a 12.1 12.1f 12.1a";

TEST(ComputeCapabilityTest, ParsesAllForms) {
  struct Case {
    std::string_view text;
    ComputeCapability want;
  };
  for (const Case& c : std::vector<Case>{
           {"9.0", {9, 0}},
           {"9.0a", {9, 0, Kind::kArch}},
           {"sm_90a", {9, 0, Kind::kArch}},
           {"sm_75", {7, 5}},
           {"compute_100f", {10, 0, Kind::kFamily}},
           {"10.3f", {10, 3, Kind::kFamily}},
           {"sm_121", {12, 1}},
           {"compute_10", {1, 0}},
           {"99.9a", {99, 9, Kind::kArch}},
       }) {
    EXPECT_EQ(Cc(c.text), c.want) << c.text;
  }
}

TEST(ComputeCapabilityTest, PrintsAndParsesBack) {
  EXPECT_EQ(Cc("9.0a").ToString(), "9.0a");
  EXPECT_EQ(Cc("9.0a").SmName(), "sm_90a");
  EXPECT_EQ(Cc("9.0a").ComputeName(), "compute_90a");
  EXPECT_EQ(absl::StrCat(Cc("10.3f")), "10.3f");
  for (const ComputeCapability& cc : Ccs(kTargets)) {
    EXPECT_EQ(Cc(cc.ToString()), cc);
    EXPECT_EQ(Cc(cc.SmName()), cc);
    EXPECT_EQ(Cc(cc.ComputeName()), cc);
  }
}

TEST(ComputeCapabilityTest, RejectsEverythingElseWithAReason) {
  struct Case {
    std::string text;
    std::string_view reason;
  };
  for (const Case& c : std::vector<Case>{
           {"", "it is empty"},
           {"9", "minor number is missing"},
           {"9.", "minor number is missing"},
           {"90", "minor number is missing"},
           {"90a", "no dot follows"},
           {".0", "neither a digit, sm_ nor compute_"},
           {"h100", "neither a digit, sm_ nor compute_"},
           {"SM_90", "neither a digit, sm_ nor compute_"},
           {"lto_90", "neither a digit, sm_ nor compute_"},
           {"-9.0", "neither a digit, sm_ nor compute_"},
           {" 9.0", "neither a digit, sm_ nor compute_"},
           {"sm_", "no digits follow the prefix"},
           {"sm_a", "no digits follow the prefix"},
           {"sm_9", "one digit"},
           {"sm_9.0", "one digit"},
           {"sm_090", "begins with 0"},
           {"09.0", "begins with 0"},
           {"0.0", "begins with 0"},
           {"sm_1000", "more than 2 digits"},
           {"100.0", "more than 2 digits"},
           {"9.00", "more than 1 digit"},
           {"9.0b", "is no suffix"},
           {"9.0A", "is no suffix"},
           {"9.0 ", "is no suffix"},
           {"9.0aa", "is no suffix"},
           {"sm_90sm_90", "is no suffix"},
           {"8.9a", "'a' exists from 9.0 on"},
           {"9.0f", "'f' exists from 10.0 on"},
           {std::string("9.0\0", 4), "\\x00"},
           {"sm_" + std::string(100000, '9'), "..."},
       }) {
    absl::StatusOr<ComputeCapability> cc = ComputeCapability::Parse(c.text);
    ASSERT_EQ(cc.status().code(), absl::StatusCode::kInvalidArgument) << c.text;
    EXPECT_THAT(cc.status().message(), HasSubstr(c.reason));
    EXPECT_LT(cc.status().message().size(), 400u);
  }
}

TEST(ComputeCapabilityTest, OrdersByNumberThenByKind) {
  const std::vector<ComputeCapability> rising = Ccs(kTargets);
  EXPECT_TRUE(std::is_sorted(rising.begin(), rising.end()));
  for (size_t i = 0; i < rising.size(); ++i) {
    for (size_t j = 0; j < rising.size(); ++j) {
      EXPECT_EQ(rising[i] < rising[j], i < j);
      EXPECT_EQ(rising[i] == rising[j], i == j);
    }
  }
}

TEST(ComputeCapabilityTest, EqualityAndHashAgree) {
  std::vector<ComputeCapability> values = Ccs(kTargets);
  values.push_back(ComputeCapability());
  values.push_back(Cc("sm_90a"));
  EXPECT_TRUE(absl::VerifyTypeImplementsAbslHashCorrectly(values));
}

// One row a device or target: the targets of kTargets that are true for it.
struct Row {
  std::string_view code;
  std::string_view where;
};

TEST(CanRunTest, Cubin) {
  // As nvlink 13.5 links each CUBIN, less the two that NVIDIA's note on Tegra
  // excludes (8.0 and 8.6 on 8.7; 8.7 on anything else).
  const std::vector<Row> rows = {
      {"7.5", "7.5"},
      {"8.0", "8.0 8.6 8.8 8.9"},
      {"8.6", "8.6 8.8 8.9"},
      {"8.7", "8.7"},
      {"8.8", "8.8 8.9"},
      {"8.9", "8.9"},
      {"9.0", "9.0"},
      {"9.0a", "9.0"},
      {"10.0", "10.0 10.3 10.7"},
      {"10.0f", "10.0 10.3 10.7"},
      {"10.0a", "10.0"},
      {"10.3", "10.3 10.7"},
      {"10.3f", "10.3 10.7"},
      {"10.3a", "10.3"},
      {"10.7", "10.7"},
      {"10.7f", "10.7"},
      {"10.7a", "10.7"},
      {"11.0", "11.0"},
      {"11.0f", "11.0"},
      {"11.0a", "11.0"},
      {"12.0", "12.0 12.1"},
      {"12.0f", "12.0 12.1"},
      {"12.0a", "12.0"},
      {"12.1", "12.1"},
      {"12.1f", "12.1"},
      {"12.1a", "12.1"},
  };
  ASSERT_EQ(rows.size(), Ccs(kTargets).size());
  for (const Row& row : rows) {
    const std::vector<ComputeCapability> where = Ccs(row.where);
    for (const ComputeCapability& device : Ccs(kTargets)) {
      const bool want = std::find(where.begin(), where.end(), device.Plain()) != where.end();
      EXPECT_EQ(CanRun(Cc(row.code), device, CodeKind::kCubin), want) << row.code << " " << device;
    }
  }
}

TEST(CanRunTest, PlainPtxRunsOnEverythingLater) {
  for (const ComputeCapability& code : Ccs(kTargets)) {
    if (code.kind() != Kind::kPlain) continue;
    for (const ComputeCapability& device : Ccs(kTargets)) {
      EXPECT_EQ(CanRun(code, device, CodeKind::kPtx), code <= device.Plain())
          << code << " " << device;
    }
  }
  EXPECT_TRUE(CanRun(Cc("5.2"), Cc("12.1"), CodeKind::kPtx));
}

TEST(CanRunTest, SuffixedPtxFollowsTheSameRuleAsItsCubin) {
  for (const ComputeCapability& code : Ccs(kTargets)) {
    if (code.kind() == Kind::kPlain) continue;
    for (const ComputeCapability& device : Ccs(kTargets)) {
      EXPECT_EQ(CanRun(code, device, CodeKind::kPtx), CanRun(code, device, CodeKind::kCubin))
          << code << " " << device;
    }
  }
}

TEST(CanRunTest, ANumberOfNoKnownFamilyIsInNone) {
  EXPECT_FALSE(CanRun(Cc("10.0f"), Cc("10.9"), CodeKind::kCubin));
  EXPECT_FALSE(CanRun(Cc("13.0f"), Cc("13.0"), CodeKind::kPtx));
}

TEST(CanRunTest, TheOldNameOfThor) {
  EXPECT_TRUE(CanRun(Cc("10.1a"), Cc("11.0"), CodeKind::kPtx));
  EXPECT_TRUE(CanRun(Cc("10.1f"), Cc("11.0"), CodeKind::kPtx));
  EXPECT_FALSE(CanRun(Cc("10.1a"), Cc("10.0"), CodeKind::kPtx));
  EXPECT_FALSE(CanRun(Cc("10.0f"), Cc("10.1"), CodeKind::kPtx));
}

TEST(CanCompileForTest, FollowsPtxas) {
  EXPECT_TRUE(CanCompileFor(Cc("7.5"), Cc("12.1a")));
  EXPECT_TRUE(CanCompileFor(Cc("9.0"), Cc("9.0a")));
  EXPECT_FALSE(CanCompileFor(Cc("9.0"), Cc("8.9")));
  EXPECT_TRUE(CanCompileFor(Cc("9.0a"), Cc("9.0a")));
  EXPECT_FALSE(CanCompileFor(Cc("9.0a"), Cc("9.0")));
  EXPECT_FALSE(CanCompileFor(Cc("9.0a"), Cc("10.0a")));
  for (std::string_view target : {"10.0f", "10.0a", "10.3f", "10.3a", "10.7f", "10.7a"}) {
    EXPECT_TRUE(CanCompileFor(Cc("10.0f"), Cc(target))) << target;
  }
  for (std::string_view target : {"9.0a", "10.0", "10.3", "11.0a", "11.0f", "12.0a", "12.0f"}) {
    EXPECT_FALSE(CanCompileFor(Cc("10.0f"), Cc(target))) << target;
  }
  EXPECT_FALSE(CanCompileFor(Cc("10.3f"), Cc("10.0a")));
}

}  // namespace
}  // namespace warpyard
