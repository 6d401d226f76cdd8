// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/base/version.h"

#include <string>
#include <string_view>
#include <vector>

#include "absl/hash/hash_testing.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard {
namespace {

using ::testing::HasSubstr;

Version Parsed(std::string_view text) {
  absl::StatusOr<Version> version = Version::Parse(text);
  EXPECT_TRUE(version.ok()) << version.status();
  return version.value_or(Version());
}

TEST(VersionTest, ParsesOneToFourComponents) {
  EXPECT_EQ(Parsed("13"), Version(13));
  EXPECT_EQ(Parsed("13.5"), Version(13, 5));
  EXPECT_EQ(Parsed("13.5.37"), Version(13, 5, 37));
  EXPECT_EQ(Parsed("1.2.3.4").size(), 4u);
  EXPECT_EQ(Parsed("999999999.0").major(), Version::kMaxComponent);
}

TEST(VersionTest, ComparesByComponentAndNotAsText) {
  const std::vector<std::string_view> rising = {"0",     "1",      "8.9",       "9",
                                                "9.0.1", "9.9",    "9.10",      "9.10.0.1",
                                                "10",    "580.65", "580.65.06", "580.95.05"};
  for (size_t i = 0; i < rising.size(); ++i) {
    for (size_t j = 0; j < rising.size(); ++j) {
      EXPECT_EQ(Parsed(rising[i]) < Parsed(rising[j]), i < j) << rising[i] << " " << rising[j];
      EXPECT_EQ(Parsed(rising[i]) == Parsed(rising[j]), i == j) << rising[i] << " " << rising[j];
    }
  }
}

TEST(VersionTest, MissingComponentsCountAsZero) {
  EXPECT_EQ(Parsed("13"), Parsed("13.0.0.0"));
  EXPECT_EQ(Parsed("580.95.05"), Parsed("580.95.5"));
}

TEST(VersionTest, EqualityAndHashAgree) {
  EXPECT_TRUE(absl::VerifyTypeImplementsAbslHashCorrectly(
      {Version(), Version(13), Version(13, 0), Version(13, 0, 0), Version(13, 5),
       Parsed("580.95.05"), Parsed("580.95.5"), Parsed("1.2.3.4")}));
}

TEST(VersionTest, PrintsWhatWasWritten) {
  for (std::string_view text : {"0", "13", "13.0", "9.10", "580.95.05", "580.126.09", "1.2.3.4"}) {
    EXPECT_EQ(Parsed(text).ToString(), text);
    EXPECT_EQ(absl::StrCat(Parsed(text)), text);
  }
  EXPECT_EQ(Version(9, 5).ToString(), "9.5");
  EXPECT_EQ(Version().ToString(), "0");
}

TEST(VersionTest, RejectsEverythingElseWithAReason) {
  struct Case {
    std::string text;
    std::string reason;
  };
  const std::vector<Case> cases = {
      {"", "it is empty"},
      {".", "component 1 has no digits"},
      {"13.", "component 2 has no digits"},
      {".5", "component 1 has no digits"},
      {"13..5", "component 2 has no digits"},
      {"v13", "component 1 has no digits"},
      {"-1", "component 1 has no digits"},
      {"+1", "component 1 has no digits"},
      {" 13", "component 1 has no digits"},
      {"13 ", "unexpected character at position 2"},
      {"13.5rc1", "unexpected character at position 4"},
      {"13,5", "unexpected character at position 2"},
      {"1.2.3.4.5", "more than 4 components"},
      {"1000000000", "more than 9 digits"},
      {std::string("13\0", 3), "13\\x00"},
      {std::string(100000, '1'), "..."},
  };
  for (const Case& c : cases) {
    absl::StatusOr<Version> version = Version::Parse(c.text);
    ASSERT_EQ(version.status().code(), absl::StatusCode::kInvalidArgument) << c.text;
    EXPECT_THAT(version.status().message(), HasSubstr(c.reason));
    EXPECT_LT(version.status().message().size(), 500u);
  }
}

}  // namespace
}  // namespace warpyard
