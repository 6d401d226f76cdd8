// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/collectives/clique_requests.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::collectives {
namespace {

using ::testing::HasSubstr;
constexpr auto kCollective = CommunicationKind::kCollective;
constexpr auto kPointToPoint = CommunicationKind::kPointToPoint;

TEST(CliqueRequestsTest, LargestFirstThenById) {
  CliqueRequests requests;
  ASSERT_TRUE(requests.Add({{0, 1}, {2, 3}}, kCollective).ok());
  ASSERT_TRUE(requests.Add({{0, 1, 2, 3}}, kCollective).ok());
  ASSERT_TRUE(requests.Add({{0, 2}, {1, 3}}, kCollective).ok());
  std::vector<int64_t> ids;
  for (const CliqueRequest& request : requests.Ordered()) ids.push_back(request.id);
  EXPECT_THAT(ids, ::testing::ElementsAre(1, 0, 2));
}

// Device 3 is alone in its group. Were it to order by the size of its own group,
// it would acquire in another order than the rest.
TEST(CliqueRequestsTest, TheOrderDoesNotDependOnTheRank) {
  CliqueRequests requests;
  ASSERT_TRUE(requests.Add({{2, 3}, {0, 1}}, kCollective).ok());
  ASSERT_TRUE(requests.Add({{0, 1, 2}, {3}}, kCollective).ok());
  EXPECT_EQ(requests.Ordered()[0].id, 1);
}

TEST(CliqueRequestsTest, TheSameGroupsAreOneRequest) {
  CliqueRequests requests;
  ASSERT_TRUE(requests.Add({{0, 1}}, kCollective, {.symmetric_bytes = 100}).ok());
  ASSERT_TRUE(requests.Add({{0, 1}}, kPointToPoint).ok());
  ASSERT_TRUE(requests.Add({{0, 1}}, kCollective, {.barrier = true, .symmetric_bytes = 60}).ok());
  ASSERT_EQ(requests.Ordered().size(), 2);
  EXPECT_EQ(requests.Ordered()[0].needs, (CliqueNeeds{.barrier = true, .symmetric_bytes = 100}));
}

TEST(CliqueRequestsTest, OneGroupAmongOtherGroupsIsAnError) {
  CliqueRequests requests;
  ASSERT_TRUE(requests.Add({{0, 1}, {2, 3}}, kCollective).ok());
  const absl::Status status = requests.Add({{0, 1}, {3, 2}}, kCollective);
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("{0,1} are in the groups {{0,1},{3,2}} here and in {{0,1},{2,3}}"));
  // Of another kind it is another clique; and one device agrees with itself.
  EXPECT_TRUE(requests.Add({{0, 1}, {3, 2}}, kPointToPoint).ok());
  EXPECT_TRUE(requests.Add({{4}, {5}}, kCollective).ok());
  EXPECT_TRUE(requests.Add({{4}, {6}}, kCollective).ok());
}

TEST(CliqueRequestsTest, GroupsAreDisjointAndNotEmpty) {
  CliqueRequests requests;
  EXPECT_FALSE(requests.Add({}, kCollective).ok());
  EXPECT_FALSE(requests.Add({{0}, {}}, kCollective).ok());
  EXPECT_FALSE(requests.Add({{0, 1}, {1}}, kCollective).ok());
  EXPECT_TRUE(requests.Ordered().empty());
}

}  // namespace
}  // namespace warpyard::collectives
