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

using ::testing::HasSubstr;

Requirement Parsed(std::string_view text) {
  absl::StatusOr<Requirement> requirement = Requirement::Parse(text);
  EXPECT_TRUE(requirement.ok()) << requirement.status();
  return requirement.value_or(Requirement());
}

TEST(RequirementTest, VersionsCompareByNumberAndNotAsText) {
  EXPECT_TRUE(Parsed("sm>=9.0").MetByTarget(ComputeCapability(10, 0)));
  EXPECT_FALSE(Parsed("sm<9.0").MetByTarget(ComputeCapability(10, 0)));
}

TEST(RequirementTest, PrintsAndParsesBack) {
  for (std::string_view text :
       {"sm>=9.0", "sm>9.0", "sm<=9.0", "sm<9.0", "sm==9.0a", "sm!=10.0f", "sm in {10.0a, 10.3a}",
        "sm>=9.0 & sm<12.0 & sm in {9.0a, 10.0f}"}) {
    EXPECT_EQ(Parsed(text).ToString(), text);
  }
  EXPECT_EQ(Parsed("  sm >= 9.0&sm<12.0\t").ToString(), "sm>=9.0 & sm<12.0");
  EXPECT_EQ(Parsed("sm in{sm_100a,compute_103a}").ToString(), "sm in {10.0a, 10.3a}");
  EXPECT_EQ(Parsed("sm in {9.0a}").ToString(), "sm==9.0a");
}

// What is no requirement is in tests/requirements/cases.bzl; here is what no line of text can hold.
TEST(RequirementTest, HostileTextIsQuotedBriefly) {
  struct Case {
    std::string text;
    std::string_view reason;
  };
  for (const Case& c : std::vector<Case>{
           {std::string("sm>=9.0\0", 8), "expected & or the end at position 7"},
           {std::string("sm>=9.0\xff&"), "\\xff"},
           {std::string("\n"), "it is empty"},
           {std::string(5000, ' '), "more than 1024 characters"},
           {std::string(1000, 'a'), "is no key"},
       }) {
    absl::StatusOr<Requirement> requirement = Requirement::Parse(c.text);
    ASSERT_EQ(requirement.status().code(), absl::StatusCode::kInvalidArgument) << c.text;
    EXPECT_THAT(requirement.status().message(), HasSubstr(c.reason));
    EXPECT_LT(requirement.status().message().size(), 1300u);
  }
}

TEST(RequirementTest, TargetsHaveNoOtherKeys) {
  EXPECT_TRUE(Requirement::ParseForTargets("sm>=9.0 & sm<12.0").ok());
  for (std::string_view text : {"cudnn>=9.13", "sm>=9.0 & gpus>=2", "hardware"}) {
    const absl::Status status = Requirement::ParseForTargets(text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(status.message(), HasSubstr("is about the machine that a test runs on"));
  }
}

TEST(RequirementTest, EvaluationNamesClausesAndFindings) {
  const absl::StatusOr<Evaluation> evaluation =
      Parsed("sm>=9.0 & cudnn>=9.13 & gpus>=2")
          .Evaluate({{"sm", "9.0"}, {"cudnn", "9.10.2"}, {"gpus", "1"}});
  ASSERT_TRUE(evaluation.ok()) << evaluation.status();
  EXPECT_EQ(evaluation->verdict, Evaluation::Verdict::kUnmet);
  EXPECT_EQ(evaluation->Clauses(), "cudnn>=9.13 & gpus>=2");
  EXPECT_EQ(evaluation->Found(), "9.10.2, 1");
  EXPECT_TRUE(Requirement().Evaluate({})->met());
}

TEST(RequirementTest, CheckNamesBoth) {
  const absl::Status status = Parsed("sm==9.0a").CheckTarget(ComputeCapability(10, 0));
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(status.message(), "requires sm==9.0a, but the target is 10.0");
  EXPECT_TRUE(Parsed("sm>=9.0").CheckTarget(ComputeCapability(10, 0)).ok());
}

std::string Found(std::string_view source) {
  absl::StatusOr<std::optional<Requirement>> found = Requirement::FindInSource(source);
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
