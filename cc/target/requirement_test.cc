// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/target/requirement.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cc/target/compute_capability.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard {
namespace {

using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

// Every target that CUDA 13.5 compiles for.
constexpr std::string_view kTargets[] = {
    "7.5",   "8.0",   "8.6",  "8.7",   "8.8",   "8.9",  "9.0",   "9.0a",  "10.0",
    "10.0f", "10.0a", "10.3", "10.3f", "10.3a", "10.7", "10.7f", "10.7a", "11.0",
    "11.0f", "11.0a", "12.0", "12.0f", "12.0a", "12.1", "12.1f", "12.1a"};

SmRequirement Parsed(std::string_view text) {
  absl::StatusOr<SmRequirement> requirement = SmRequirement::Parse(text);
  EXPECT_TRUE(requirement.ok()) << requirement.status();
  return requirement.value_or(SmRequirement());
}

std::vector<std::string> Met(const SmRequirement& requirement) {
  std::vector<std::string> met;
  for (std::string_view target : kTargets) {
    if (requirement.MetByTarget(ComputeCapability::Parse(target).value())) met.emplace_back(target);
  }
  return met;
}

TEST(SmRequirementTest, SelectsTargets) {
  struct Case {
    std::string_view text;
    std::vector<std::string> met;
  };
  for (const Case& c : std::vector<Case>{
           {"sm>=12.1", {"12.1", "12.1f", "12.1a"}},
           {"sm>12.0", {"12.1", "12.1f", "12.1a"}},
           {"sm<8.0", {"7.5"}},
           {"sm<=8.0", {"7.5", "8.0"}},
           {"sm>=8.9 & sm<10.0", {"8.9", "9.0", "9.0a"}},
           {"sm==9.0", {"9.0", "9.0a"}},
           {"sm==9.0a", {"9.0a"}},
           {"sm in {9.0a}", {"9.0a"}},
           {"sm in {10.0a, 10.3a}", {"10.0a", "10.3a"}},
           {"sm in {10.0f}", {"10.0f", "10.0a", "10.3f", "10.3a", "10.7f", "10.7a"}},
           {"sm in {10.3f}", {"10.3f", "10.3a", "10.7f", "10.7a"}},
           {"sm in {9.0a, 12.0f}", {"9.0a", "12.0f", "12.0a", "12.1f", "12.1a"}},
           {"sm in {7.5, 8.0}", {"7.5", "8.0"}},
           {"sm>=9.0 & sm!=9.0a & sm<10.0", {"9.0"}},
           {"sm>=9.0 & sm!=9.0 & sm<10.0", {}},
           {"sm>=10.0 & sm<11.0 & sm!=10.0f", {"10.0", "10.3", "10.7"}},
           {"sm>=13.0", {}},
       }) {
    EXPECT_THAT(Met(Parsed(c.text)), ElementsAreArray(c.met)) << c.text;
  }
}

TEST(SmRequirementTest, VersionsCompareByNumberAndNotAsText) {
  EXPECT_TRUE(Parsed("sm>=9.0").MetByTarget(ComputeCapability(10, 0)));
  EXPECT_FALSE(Parsed("sm<9.0").MetByTarget(ComputeCapability(10, 0)));
}

TEST(SmRequirementTest, PrintsAndParsesBack) {
  for (std::string_view text :
       {"sm>=9.0", "sm>9.0", "sm<=9.0", "sm<9.0", "sm==9.0a", "sm!=10.0f", "sm in {10.0a, 10.3a}",
        "sm>=9.0 & sm<12.0 & sm in {9.0a, 10.0f}"}) {
    EXPECT_EQ(Parsed(text).ToString(), text);
  }
  EXPECT_EQ(Parsed("  sm >= 9.0&sm<12.0\t").ToString(), "sm>=9.0 & sm<12.0");
  EXPECT_EQ(Parsed("sm in{sm_100a,compute_103a}").ToString(), "sm in {10.0a, 10.3a}");
  EXPECT_EQ(Parsed("sm in {9.0a}").ToString(), "sm==9.0a");
}

TEST(SmRequirementTest, RejectsEverythingElseWithAReason) {
  struct Case {
    std::string text;
    std::string_view reason;
  };
  for (const Case& c : std::vector<Case>{
           {"", "it is empty"},
           {"   ", "it is empty"},
           {"9.0", "\"9.0\" is no key"},
           {">=9.0", "expected sm at position 0"},
           {"sm", "expected >=, >, <=, <, ==, != or in after sm"},
           {"sm 9.0", "expected >=, >, <=, <, ==, != or in after sm"},
           {"sm=9.0", "expected >=, >, <=, <, ==, != or in after sm"},
           {"sm>=", "expected a compute capability at position 4"},
           {"sm>=9", "minor number is missing"},
           {"sm>=9.0a", "compares numbers; write 9.0, or sm==9.0a"},
           {"sm<10.0f", "compares numbers"},
           {"sm>=9.0 sm<12.0", "expected & or the end at position 8"},
           {"sm>=9.0 &", "expected sm"},
           {"sm>=9.0 && sm<12.0", "expected sm"},
           {"sm>=9.0 | sm<8.0", "expected & or the end"},
           {"sm in 9.0a", "expected { after in"},
           {"sm in {", "expected a compute capability"},
           {"sm in {}", "expected a compute capability"},
           {"sm in {9.0a", "expected , or }"},
           {"sm in {9.0a,}", "expected a compute capability"},
           {"sm in {9.0a 10.0a}", "expected , or }"},
           {"sm in {8.9a}", "'a' exists from 9.0 on"},
           {"cudnn>=9.13", "about the machine that a test runs on"},
           {"sm>=9.0 & gpus>=2", "\"gpus\" is about the machine"},
           {"hardware", "about the machine"},
           {"arch>=9.0", "\"arch\" is no key"},
           {"SM>=9.0", "\"SM\" is no key"},
           {std::string("sm>=9.0\0", 8), "expected & or the end"},
           {std::string(5000, ' '), "more than 1024 characters"},
       }) {
    absl::StatusOr<SmRequirement> requirement = SmRequirement::Parse(c.text);
    ASSERT_EQ(requirement.status().code(), absl::StatusCode::kInvalidArgument) << c.text;
    EXPECT_THAT(requirement.status().message(), HasSubstr(c.reason));
    EXPECT_LT(requirement.status().message().size(), 800u);
  }
}

TEST(SmRequirementTest, CheckNamesBoth) {
  const absl::Status status = Parsed("sm==9.0a").CheckTarget(ComputeCapability(10, 0));
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(status.message(), "requires sm==9.0a, but the target is 10.0");
  EXPECT_TRUE(Parsed("sm>=9.0").CheckTarget(ComputeCapability(10, 0)).ok());
}

std::string Found(std::string_view source) {
  absl::StatusOr<std::optional<SmRequirement>> found = SmRequirement::FindInSource(source);
  if (!found.ok()) return std::string(found.status().message());
  return found->has_value() ? (*found)->ToString() : "none";
}

TEST(FindInSourceTest, FindsTheComment) {
  EXPECT_EQ(Found("// Softmax.\n// warpyard-requires: sm==9.0a\n__global__ void k() {}\n"),
            "sm==9.0a");
  EXPECT_EQ(Found("  //warpyard-requires: sm>=9.0\r\n"), "sm>=9.0");
  EXPECT_EQ(Found("// warpyard-requires: sm>=9.0"), "sm>=9.0");
  EXPECT_EQ(Found("// warpyard-requires: sm>=9.0\nint a;\n// warpyard-requires: sm<12.0\n"),
            "sm>=9.0 & sm<12.0");
}

TEST(FindInSourceTest, AnythingElseIsNone) {
  EXPECT_EQ(Found(""), "none");
  EXPECT_EQ(Found("__global__ void k() {}\n"), "none");
  EXPECT_EQ(Found("int a;  // warpyard-requires: sm>=9.0\n"), "none");
  EXPECT_EQ(Found("// See warpyard-requires: in the guide.\n"), "none");
  EXPECT_EQ(Found("const char* s = \"// warpyard-requires: sm>=9.0\";\n"), "none");
}

TEST(FindInSourceTest, NamesTheLineOfAnError) {
  EXPECT_THAT(Found("\n\n// warpyard-requires: sm>9\n"), HasSubstr("line 3: requirement"));
  EXPECT_THAT(Found("// warpyard-requires:\n"), HasSubstr("line 1: requirement \"\": it is empty"));
}

}  // namespace
}  // namespace warpyard
