// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The C++ reading of requirements, held against the same table of cases as the
// build tools' (sm_requirement_test.py).

#include <cstddef>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_split.h"
#include "cc/target/compute_capability.h"
#include "cc/target/requirement.h"
#include "gtest/gtest.h"

namespace warpyard {
namespace {

struct Row {
  std::string text;
  std::string verdict;
};

std::vector<Row> ReadRows() {
  std::ifstream file("tests/rules/cuda/sm_requirement_cases.txt");
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);) {
    const size_t bar = line.rfind('|');
    if (bar == std::string::npos || line.starts_with('#')) continue;
    const std::string_view view = line;
    rows.push_back({std::string(absl::StripAsciiWhitespace(view.substr(0, bar))),
                    std::string(absl::StripAsciiWhitespace(view.substr(bar + 1)))});
  }
  return rows;
}

std::vector<std::string> Words(std::string_view text) {
  return absl::StrSplit(text, ' ', absl::SkipEmpty());
}

TEST(SmRequirementCasesTest, EachCase) {
  const std::vector<Row> rows = ReadRows();
  ASSERT_GT(rows.size(), 50u);
  ASSERT_EQ(rows.front().text, "targets");
  for (size_t i = 1; i < rows.size(); ++i) {
    SCOPED_TRACE(rows[i].text);
    const absl::StatusOr<SmRequirement> requirement = SmRequirement::Parse(rows[i].text);
    if (rows[i].verdict == "invalid") {
      EXPECT_FALSE(requirement.ok());
      continue;
    }
    ASSERT_TRUE(requirement.ok()) << requirement.status();
    std::vector<std::string> met;
    for (const std::string& target : Words(rows.front().verdict)) {
      if (requirement->MetByTarget(ComputeCapability::Parse(target).value())) met.push_back(target);
    }
    EXPECT_EQ(met, Words(rows[i].verdict));
  }
}

}  // namespace
}  // namespace warpyard
