// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/collectives/device_assignment.h"

#include <optional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::collectives {
namespace {

using ::testing::HasSubstr;
using DeviceGroups = std::vector<std::vector<GlobalDeviceId>>;

DeviceGroups Participants(const DeviceAssignment& assignment, std::string_view groups,
                          GroupMode mode) {
  auto result = assignment.ParticipantGroups(*ReplicaGroups::Parse(groups), mode);
  EXPECT_TRUE(result.ok()) << result.status();
  return *result;
}

// Two replicas of two partitions on devices 10, 11, 12, 13.
DeviceAssignment TwoByTwo() { return *DeviceAssignment::Create(2, 2, {10, 11, 12, 13}); }

TEST(GroupModeTest, FollowsTheAttributes) {
  EXPECT_EQ(*GroupModeOf(false, std::nullopt), GroupMode::kCrossReplica);
  EXPECT_EQ(*GroupModeOf(false, false), GroupMode::kCrossReplica);
  EXPECT_EQ(*GroupModeOf(true, std::nullopt), GroupMode::kCrossPartition);
  EXPECT_EQ(*GroupModeOf(true, false), GroupMode::kCrossReplicaAndPartition);
  EXPECT_EQ(*GroupModeOf(true, true), GroupMode::kFlattenedId);
  EXPECT_FALSE(GroupModeOf(false, true).ok());
}

TEST(DeviceAssignmentTest, GroupsOfEachMode) {
  const DeviceAssignment assignment = TwoByTwo();
  EXPECT_EQ(Participants(assignment, "{{0,1}}", GroupMode::kCrossReplica),
            (DeviceGroups{{10, 12}, {11, 13}}));
  EXPECT_EQ(Participants(assignment, "{{1,0}}", GroupMode::kCrossPartition),
            (DeviceGroups{{11, 10}, {13, 12}}));
  EXPECT_EQ(Participants(assignment, "{{0},{1}}", GroupMode::kCrossReplicaAndPartition),
            (DeviceGroups{{10, 11}, {12, 13}}));
  EXPECT_EQ(Participants(assignment, "{{0,3},{1,2}}", GroupMode::kFlattenedId),
            (DeviceGroups{{10, 13}, {11, 12}}));
}

TEST(DeviceAssignmentTest, EmptyMeansAllOfTheMode) {
  const DeviceAssignment assignment = TwoByTwo();
  EXPECT_EQ(Participants(assignment, "{}", GroupMode::kCrossReplica),
            (DeviceGroups{{10, 12}, {11, 13}}));
  EXPECT_EQ(Participants(assignment, "{}", GroupMode::kCrossPartition),
            (DeviceGroups{{10, 11}, {12, 13}}));
  EXPECT_EQ(Participants(assignment, "{}", GroupMode::kCrossReplicaAndPartition),
            (DeviceGroups{{10, 11, 12, 13}}));
  EXPECT_EQ(Participants(assignment, "{}", GroupMode::kFlattenedId),
            (DeviceGroups{{10, 11, 12, 13}}));
}

// Whatever the mode, groups are disjoint, and complete ones hold every device.
TEST(DeviceAssignmentTest, GroupsPartitionTheDevices) {
  auto assignment = DeviceAssignment::Iota(4, 3);
  ASSERT_TRUE(assignment.ok());
  for (const GroupMode mode : {GroupMode::kCrossReplica, GroupMode::kCrossReplicaAndPartition}) {
    std::vector<GlobalDeviceId> all;
    for (const auto& group : Participants(*assignment, "{{0,2},{1,3}}", mode)) {
      all.insert(all.end(), group.begin(), group.end());
    }
    EXPECT_THAT(all, ::testing::UnorderedElementsAreArray(assignment->devices()))
        << GroupModeName(mode);
  }
}

TEST(DeviceAssignmentTest, FindsPlaces) {
  const DeviceAssignment assignment = TwoByTwo();
  EXPECT_EQ(*assignment.Find(12), (DeviceAssignment::Place{1, 0}));
  EXPECT_THAT(std::string(assignment.Find(3).status().message()),
              HasSubstr("device 3 is not among the 4 devices"));
  const DeviceGroups groups = Participants(assignment, "{{1}}", GroupMode::kCrossReplica);
  EXPECT_EQ(*GroupOf(13, groups), (std::vector<GlobalDeviceId>{13}));
  EXPECT_THAT(std::string(GroupOf(10, groups).status().message()),
              HasSubstr("device 10 is in none of the 2 groups"));
}

TEST(DeviceAssignmentTest, RefusesWhatIsNone) {
  EXPECT_FALSE(DeviceAssignment::Create(2, 2, {0, 1, 2}).ok());
  EXPECT_FALSE(DeviceAssignment::Create(1, 2, {0, 0}).ok());
  EXPECT_FALSE(DeviceAssignment::Create(1, 1, {-1}).ok());
  EXPECT_FALSE(DeviceAssignment::Iota(0, 2).ok());
  EXPECT_FALSE(DeviceAssignment::Iota(int64_t{1} << 40, int64_t{1} << 40).ok());
}

}  // namespace
}  // namespace warpyard::collectives
