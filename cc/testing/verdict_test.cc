// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/testing/verdict.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(JsonStringTest, Escapes) {
  EXPECT_EQ(JsonString("a \"b\" \\ c\n\x01"), R"("a \"b\" \\ c\n\u0001")");
  EXPECT_EQ(JsonString("ä € 𝄞"), "\"ä € 𝄞\"");
}

TEST(JsonStringTest, WhatIsNotUtf8IsReplaced) {
  EXPECT_EQ(JsonString("a\xff z"), "\"a\xef\xbf\xbd z\"");
  EXPECT_EQ(JsonString("\xe2\x82"), "\"\xef\xbf\xbd\xef\xbf\xbd\"");                  // cut off
  EXPECT_EQ(JsonString("\xc0\x80"), "\"\xef\xbf\xbd\xef\xbf\xbd\"");                  // overlong
  EXPECT_EQ(JsonString("\xed\xa0\x80"), "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");  // surrogate
}

TEST(JunitReportTest, CountsAndEscapes) {
  CaseVerdict failed = {"Suite", "<Fails>", Verdict::kFailed, 0.5};
  failed.message = "1 & 2 \x01";
  CaseVerdict skipped = {"Suite", "Skips", Verdict::kSkipped, 0};
  skipped.reason = "requires sm>=9.0, found 8.0";
  const CaseVerdict whole = {"", "target", Verdict::kXpass, 0};
  const CaseVerdict cases[] = {failed, skipped, whole};
  const std::string report = JunitReport("//a:b", cases);
  EXPECT_THAT(report, HasSubstr("<testsuite name=\"Suite\" tests=\"2\" failures=\"1\" errors=\"0\" "
                                "skipped=\"1\" time=\"0.500\">"));
  EXPECT_THAT(report, HasSubstr("<testsuite name=\"//a:b\" tests=\"1\" failures=\"1\""));
  EXPECT_THAT(report, HasSubstr("name=\"&lt;Fails&gt;\""));
  EXPECT_THAT(report, HasSubstr("<skipped message=\"requires sm&gt;=9.0, found 8.0\"/>"));
  EXPECT_THAT(report, HasSubstr("value=\"xpass\""));
  EXPECT_THAT(report, Not(HasSubstr("\x01")));
}

}  // namespace
}  // namespace warpyard::testing
