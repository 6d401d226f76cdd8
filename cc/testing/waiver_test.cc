// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/testing/waiver.h"

#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/civil_time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::testing {
namespace {

TEST(WaiverTest, ReadsFromTheBack) {
  const absl::StatusOr<Waiver> waiver = Waiver::Parse("wrong, and known, the team ,2027-01-31");
  ASSERT_TRUE(waiver.ok()) << waiver.status();
  EXPECT_EQ(waiver->reason, "wrong, and known");
  EXPECT_EQ(waiver->owner, "the team");
  EXPECT_EQ(waiver->expires, absl::CivilDay(2027, 1, 31));
  EXPECT_EQ(waiver->ToString(), "wrong, and known, the team, 2027-01-31");
}

TEST(WaiverTest, TheLastDayCounts) {
  const Waiver waiver = Waiver::Parse("a, b, 2027-01-31").value();
  EXPECT_FALSE(waiver.Expired(absl::CivilDay(2027, 1, 31)));
  EXPECT_TRUE(waiver.Expired(absl::CivilDay(2027, 2, 1)));
}

TEST(WaiverTest, AnythingElseIsNone) {
  for (std::string_view text :
       {"", "reason", ",", ",,", "reason, owner", "reason, owner, soon", ", owner, 2027-01-31",
        "reason, , 2027-01-31", "reason, owner, 2027-1-31", "reason, owner, 2027-02-30",
        "reason, owner, 2027-01-31 12:00"}) {
    const absl::Status status = Waiver::Parse(text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_THAT(status.message(), ::testing::HasSubstr("expected \"reason, owner, YYYY-MM-DD\""));
  }
}

}  // namespace
}  // namespace warpyard::testing
