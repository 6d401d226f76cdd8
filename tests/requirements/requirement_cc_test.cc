// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The C++ reading of requirements, held against the table of cases.

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "cc/target/compute_capability.h"
#include "cc/target/requirement.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// The text between quotes of a constant in cases.bzl.
std::string Constant(std::string_view name, std::string_view quote) {
  std::ifstream file("tests/requirements/cases.bzl");
  std::stringstream stream;
  stream << file.rdbuf();
  const std::string text = stream.str();
  const std::string head = absl::StrCat("\n", name, " = ", quote);
  const size_t begin = text.find(head) + head.size();
  return text.substr(begin, text.find(quote, begin) - begin);
}

struct Case {
  std::string requirement;
  std::string facts;
  std::string expected;
};

std::vector<Case> Cases() {
  std::vector<Case> cases;
  for (std::string_view line : absl::StrSplit(Constant("CASES", "\"\"\""), '\n')) {
    if (line.empty() || line.front() == '#') continue;
    const size_t last = line.rfind(" | ");
    const size_t first = line.rfind(" | ", last - 1);
    const auto cell = [](std::string_view text) {
      return std::string(absl::StripAsciiWhitespace(text));
    };
    cases.push_back({cell(line.substr(0, first)), cell(line.substr(first + 3, last - first - 3)),
                     cell(line.substr(last + 3))});
  }
  return cases;
}

std::string TargetsOf(const Requirement& requirement) {
  std::vector<std::string> met;
  for (std::string_view target : absl::StrSplit(Constant("TARGETS", "\""), ' ')) {
    const bool fits = requirement.MetByTarget(ComputeCapability::Parse(target).value());
    const Facts facts = {{"target", std::string(target)}};
    EXPECT_EQ(requirement.Evaluate(facts)->met(), fits) << target;
    if (fits) met.emplace_back(target);
  }
  return met.empty() ? "none" : absl::StrJoin(met, " ");
}

std::string Outcome(const Case& c) {
  absl::StatusOr<Requirement> requirement = Requirement::Parse(c.requirement);
  if (!requirement.ok()) return std::string(requirement.status().message());
  EXPECT_EQ(Requirement::Parse(requirement->ToString())->ToString(), requirement->ToString());
  if (c.facts == "error") return "it is a requirement";
  if (c.facts == "targets") return TargetsOf(*requirement);
  Facts facts;
  for (std::string_view fact : absl::StrSplit(c.facts, ' ')) {
    facts.insert(
        std::pair<std::string, std::string>(absl::StrSplit(fact, absl::MaxSplits('=', 1))));
  }
  absl::StatusOr<Evaluation> evaluation = requirement->Evaluate(facts);
  if (!evaluation.ok()) return absl::StrCat("error: ", evaluation.status().message());
  return evaluation->ToString();
}

TEST(RequirementCasesTest, EachCase) {
  const std::vector<Case> cases = Cases();
  ASSERT_GT(cases.size(), 200u);
  for (const Case& c : cases) {
    SCOPED_TRACE(absl::StrCat(c.requirement, " | ", c.facts));
    const std::string outcome = Outcome(c);
    if (c.facts == "error") {
      EXPECT_THAT(outcome, StartsWith(absl::StrCat("requirement \"", c.requirement, "\": ")));
      EXPECT_THAT(outcome, HasSubstr(c.expected));
    } else if (c.expected.starts_with("error:")) {
      EXPECT_THAT(outcome, StartsWith(c.expected));
    } else {
      EXPECT_EQ(outcome, c.expected);
    }
  }
}

TEST(RequirementCasesTest, GpusAreThoseOfTheDatabase) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("cc/target/specs")) {
    const std::string name = entry.path().stem().string();
    EXPECT_TRUE(Requirement::Parse(absl::StrCat("gpu==", name)).ok()) << name;
    ++count;
  }
  EXPECT_GE(count, 20);
}

}  // namespace
}  // namespace warpyard
