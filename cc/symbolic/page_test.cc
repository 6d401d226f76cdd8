// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// What docs/symbolic.md says of maps is so.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "cc/base/file.h"
#include "cc/symbolic/index_map.h"
#include "cc/symbolic/map_algebra.h"
#include "gtest/gtest.h"

namespace warpyard::symbolic {
namespace {

IndexMap Parse(std::string_view text) {
  const absl::StatusOr<IndexMap> map = ParseIndexMap(text);
  EXPECT_TRUE(map.ok()) << text << ": " << map.status();
  return map.ok() ? *map : IndexMap::Undefined();
}

TEST(PageTest, ExamplesAreSo) {
  const absl::StatusOr<std::string> page = ReadFile("docs/symbolic.md", 1 << 20);
  ASSERT_TRUE(page.ok()) << page.status();
  bool in_block = false;
  int examples = 0;
  absl::StatusOr<IndexMap> result = IndexMap();
  IndexMap first;
  for (std::string_view line : absl::StrSplit(*page, '\n')) {
    if (line.starts_with("(")) {
      EXPECT_EQ(Parse(line).ToString(), line);
      ++examples;
    }
    if (line.starts_with("```")) in_block = line == "```maps";
    if (!in_block) continue;
    if (absl::ConsumePrefix(&line, "simplify ")) {
      result = Parse(line).Simplified();
    } else if (absl::ConsumePrefix(&line, "invert ")) {
      result = Invert(Parse(line));
    } else if (absl::ConsumePrefix(&line, "compose ")) {
      first = Parse(line);
    } else if (absl::ConsumePrefix(&line, "with ")) {
      result = Compose(first, Parse(line));
    } else if (absl::ConsumePrefix(&line, "= ")) {
      ASSERT_TRUE(result.ok()) << result.status();
      EXPECT_EQ(result->ToString(), line);
      ++examples;
    }
  }
  EXPECT_EQ(examples, 5);
}

}  // namespace
}  // namespace warpyard::symbolic
