// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/hlo/replica_groups.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::hlo {
namespace {

using ::testing::HasSubstr;

std::vector<Group> Groups(std::string_view text, int64_t participants) {
  auto groups = ReplicaGroups::Parse(text);
  EXPECT_TRUE(groups.ok()) << groups.status();
  auto expanded = groups->Expand(participants);
  EXPECT_TRUE(expanded.ok()) << expanded.status();
  return *expanded;
}

std::string Error(std::string_view text) {
  auto groups = ReplicaGroups::Parse(text);
  return groups.ok() ? "no error" : std::string(groups.status().message());
}

TEST(ReplicaGroupsTest, ReadsLists) {
  EXPECT_EQ(Groups("{{0,1},{2,3}}", 4), (std::vector<Group>{{0, 1}, {2, 3}}));
  EXPECT_EQ(Groups(" { {3, 1} , {0} } ", 4), (std::vector<Group>{{3, 1}, {0}}));
}

TEST(ReplicaGroupsTest, EmptyIsAll) {
  EXPECT_EQ(Groups("{}", 3), (std::vector<Group>{{0, 1, 2}}));
  EXPECT_EQ(ReplicaGroups().ToString(), "{}");
}

TEST(ReplicaGroupsTest, ReadsIota) {
  EXPECT_EQ(Groups("[2,2]<=[4]", 4), (std::vector<Group>{{0, 1}, {2, 3}}));
  EXPECT_EQ(Groups("[1,6]<=[6]", 8), (std::vector<Group>{{0, 1, 2, 3, 4, 5}}));
}

TEST(ReplicaGroupsTest, ReadsTransposedIota) {
  EXPECT_EQ(Groups("[2,4]<=[4,2]T(1,0)", 8), (std::vector<Group>{{0, 2, 4, 6}, {1, 3, 5, 7}}));
  // What numpy.arange(12).reshape(2,3,2).transpose(1,2,0).reshape(4,3) gives.
  EXPECT_EQ(Groups("[4,3]<=[2,3,2]T(1,2,0)", 12),
            (std::vector<Group>{{0, 6, 1}, {7, 2, 8}, {3, 9, 4}, {10, 5, 11}}));
}

TEST(ReplicaGroupsTest, PrintsTheFormItRead) {
  for (const std::string text : {"{}", "{{0,1},{2,3}}", "{{5},{1,2,3}}", "[2,2]<=[4]",
                                 "[2,4]<=[4,2]T(1,0)", "[4,3]<=[2,3,2]T(1,2,0)"}) {
    auto groups = ReplicaGroups::Parse(text);
    ASSERT_TRUE(groups.ok()) << groups.status();
    EXPECT_EQ(groups->ToString(), text);
  }
}

TEST(ReplicaGroupsTest, EqualityIgnoresTheForm) {
  EXPECT_EQ(*ReplicaGroups::Parse("[2,2]<=[4]"), *ReplicaGroups::Parse("{{0,1},{2,3}}"));
  EXPECT_FALSE(*ReplicaGroups::Parse("[2,2]<=[4]") == *ReplicaGroups::Parse("{{0,1},{3,2}}"));
}

TEST(ReplicaGroupsTest, SaysWhatIsWrong) {
  EXPECT_THAT(Error(""), HasSubstr("offset 0: expected '{', found the end"));
  EXPECT_THAT(Error("{{0,1},{2,3}"), HasSubstr("offset 12: expected '}', found the end"));
  EXPECT_THAT(Error("{{0,x}}"), HasSubstr("offset 4: expected a number, found 'x'"));
  EXPECT_THAT(Error("{{0,-1}}"), HasSubstr("expected a number, found '-'"));
  EXPECT_THAT(Error("{{0,1},{1}}"), HasSubstr("id 1 occurs twice"));
  EXPECT_THAT(Error("{{}}"), HasSubstr("a group is empty"));
  EXPECT_THAT(Error("{{0}} x"), HasSubstr("expected the end, found 'x'"));
  EXPECT_THAT(Error("{{99999999999999999999}}"), HasSubstr("does not fit 64 bits"));
  EXPECT_THAT(Error("[2]<=[2]"), HasSubstr("expected [group count, group size]"));
  EXPECT_THAT(Error("[2,2]<=[5]"), HasSubstr("[2,2] holds 4 ids, but [5] has 5"));
  EXPECT_THAT(Error("[2,2]<=[2,2]T(0,0)"), HasSubstr("T(0,0) is no permutation"));
  EXPECT_THAT(Error("[2,2]<=[2,2]T(0)"), HasSubstr("is no permutation of the 2 dimensions"));
  EXPECT_THAT(Error("[2,2]<=[4]T()"), HasSubstr("T() names no dimensions"));
  EXPECT_THAT(Error("[0,2]<=[0]"), HasSubstr("a dimension is 0"));
  EXPECT_THAT(Error("[4096,4096]<=[4096,4097]"), HasSubstr("holds more than"));
  EXPECT_THAT(Error("[9223372036854775807,9223372036854775807]<=[1]"),
              HasSubstr("holds more than"));
}

TEST(ReplicaGroupsTest, IdsAreBelowTheParticipants) {
  EXPECT_THAT(std::string(ReplicaGroups::Parse("{{0,4}}")->Expand(4).status().message()),
              HasSubstr("id 4 in a program of 4 participants"));
  EXPECT_FALSE(ReplicaGroups().Expand(0).ok());
}

}  // namespace
}  // namespace warpyard::hlo
