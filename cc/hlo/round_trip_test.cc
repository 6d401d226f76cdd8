// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// What XLA printed is read, and printed again letter for letter.

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "cc/base/file.h"
#include "cc/hlo/parser.h"
#include "cc/hlo/printer.h"
#include "gtest/gtest.h"

namespace warpyard::hlo {
namespace {

std::vector<std::string> Programs() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator("tests/programs/hlo")) {
    if (entry.path().extension() == ".hlo") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

class RoundTripTest : public ::testing::TestWithParam<std::string> {};

TEST_P(RoundTripTest, PrintsWhatXlaPrinted) {
  auto text = ReadFile(GetParam(), 1 << 30);
  ASSERT_TRUE(text.ok()) << text.status();
  auto module = ParseModule(*text, {.allow_elided_constants = false});
  ASSERT_TRUE(module.ok()) << module.status();
  const PrintOptions options{.long_form = absl::StrContains(*text, "ENTRY %")};
  EXPECT_EQ(ModuleToString(**module, options), *text);
}

INSTANTIATE_TEST_SUITE_P(Programs, RoundTripTest, ::testing::ValuesIn(Programs()),
                         [](const auto& info) {
                           std::string name = std::filesystem::path(info.param).stem().string();
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

TEST(ProgramsTest, ThereAreEnough) { EXPECT_GE(Programs().size(), 80); }

}  // namespace
}  // namespace warpyard::hlo
