// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/collectives/acquisition_plan.h"

#include <numeric>
#include <string>
#include <vector>

#include "cc/collectives/acquisition_simulator.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::collectives {
namespace {

using ::testing::HasSubstr;

CliqueKey Key(std::vector<GlobalDeviceId> devices, std::vector<Incarnation> incarnations = {}) {
  return *CliqueKey::Create(std::move(devices), 0, CommunicationKind::kCollective,
                            std::move(incarnations));
}

AcquisitionFacts Facts(const std::vector<DeviceGroups>& all, const CliqueNeeds& needs = {}) {
  CliqueRequests requests;
  for (const DeviceGroups& groups : all) {
    EXPECT_TRUE(requests.Add(groups, CommunicationKind::kCollective, needs).ok());
  }
  AcquisitionFacts facts;
  facts.requests = requests.Ordered();
  facts.next_instance = 100;
  return facts;
}

std::string PlanText(const AcquisitionFacts& facts) {
  auto plan = PlanAcquisition(facts);
  EXPECT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ(CheckPlan(facts, *plan), "") << plan->ToString();
  return plan->ToString();
}

TEST(AcquisitionPlanTest, SmallerCliquesAreSplitFromLargerOnes) {
  EXPECT_EQ(PlanText(Facts({{{0, 1}, {2, 3}}, {{0, 1, 2, 3}}})),
            "create #100 {0,1,2,3}\n"
            "split #100 {0,1,2,3} -> #101 {0,1} -> #102 {2,3}");
}

TEST(AcquisitionPlanTest, WithoutSplitsEachIsCreated) {
  AcquisitionFacts facts = Facts({{{0, 1}, {2, 3}}, {{0, 1, 2, 3}}});
  facts.can_split = false;
  EXPECT_EQ(PlanText(facts), "create #100 {0,1,2,3}\ncreate #101 {0,1}\ncreate #102 {2,3}");
}

// Ranks 2 and 3 are in no new group, and come to the split all the same.
TEST(AcquisitionPlanTest, EveryRankOfTheParentComesToTheSplit) {
  const AcquisitionFacts facts = Facts({{{0, 1, 2, 3}}, {{0, 1}}});
  auto plan = PlanAcquisition(facts);
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan->ToString(), "create #100 {0,1,2,3}\nsplit #100 {0,1,2,3} -> #101 {0,1}");
  EXPECT_THAT(plan->steps[1].participants, ::testing::ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(plan->StepsByDevice().at(3), ::testing::ElementsAre(0, 1));
}

TEST(AcquisitionPlanTest, TheSmallestParentIsSplit) {
  EXPECT_THAT(PlanText(Facts({{{0, 1, 2, 3, 4, 5, 6, 7}}, {{0, 1, 2, 3}}, {{2, 3}}})),
              HasSubstr("split #101 {0,1,2,3} -> #102 {2,3}"));
}

TEST(AcquisitionPlanTest, WhatAllMembersHoldIsReused) {
  AcquisitionFacts facts = Facts({{{0, 1}, {2, 3}}});
  facts.held = {{Key({0, 1}), 7, {0, 1}}};
  EXPECT_EQ(PlanText(facts), "reuse #7 {0,1}\ncreate #100 {2,3}");
}

TEST(AcquisitionPlanTest, WhatSomeMembersHoldIsAbandonedByThem) {
  AcquisitionFacts facts = Facts({{{0, 1, 2}}});
  facts.held = {{Key({0, 1, 2}), 7, {0, 2}}};
  EXPECT_EQ(PlanText(facts), "abandon #7 {0,1,2} by {0,2}\ncreate #100 {0,1,2}");
}

TEST(AcquisitionPlanTest, ACachedParentThatSomeRanksLostIsNotSplit) {
  AcquisitionFacts facts = Facts({{{0, 1, 2, 3}}, {{0, 1}, {2, 3}}});
  facts.held = {{Key({0, 1, 2, 3}), 7, {0, 1, 2}}};
  EXPECT_EQ(PlanText(facts),
            "abandon #7 {0,1,2,3} by {0,1,2}\n"
            "create #100 {0,1,2,3}\n"
            "split #100 {0,1,2,3} -> #101 {0,1} -> #102 {2,3}");
}

TEST(AcquisitionPlanTest, AStaleIncarnationIsAbandoned) {
  AcquisitionFacts facts = Facts({{{0, 1}}});
  facts.incarnations = {{0, 1}, {1, 2}};
  facts.held = {{Key({0, 1}, {1, 1}), 7, {0, 1}}};
  EXPECT_EQ(PlanText(facts), "abandon #7 {0,1} by {0,1}\ncreate #100 {0,1}");
  facts.held = {{Key({0, 1}, {1, 2}), 7, {0, 1}}};
  EXPECT_EQ(PlanText(facts), "reuse #7 {0,1}");
}

TEST(AcquisitionPlanTest, ACliqueWithADeviceThatLeftIsAbandoned) {
  AcquisitionFacts facts = Facts({{{0, 1}}});
  facts.incarnations = {{0, 1}, {1, 1}};
  facts.held = {{Key({0, 1, 2}, {1, 1, 1}), 7, {0, 1}}};
  EXPECT_EQ(PlanText(facts), "abandon #7 {0,1,2} by {0,1}\ncreate #100 {0,1}");
}

TEST(AcquisitionPlanTest, OfTwoInstancesOneIsKept) {
  AcquisitionFacts facts = Facts({{{0, 1}}});
  facts.held = {{Key({0, 1}), 7, {0, 1}}, {Key({0, 1}), 8, {0, 1}}};
  EXPECT_EQ(PlanText(facts), "abandon #8 {0,1} by {0,1}\nreuse #7 {0,1}");
}

TEST(AcquisitionPlanTest, BarriersComeLast) {
  EXPECT_EQ(PlanText(Facts({{{0, 1}, {2}}, {{0, 1, 2}}}, {.barrier = true})),
            "create #100 {0,1,2}\n"
            "split #100 {0,1,2} -> #101 {0,1} -> #102 {2}\n"
            "barrier #100 {0,1,2}\n"
            "barrier #101 {0,1}");
}

TEST(AcquisitionPlanTest, KindsShareNothing) {
  CliqueRequests requests;
  ASSERT_TRUE(requests.Add({{0, 1, 2}}, CommunicationKind::kCollective).ok());
  ASSERT_TRUE(requests.Add({{0, 1}}, CommunicationKind::kPointToPoint).ok());
  AcquisitionFacts facts;
  facts.requests = requests.Ordered();
  EXPECT_EQ(PlanText(facts), "create #1 {0,1,2}\ncreate #2 {0,1}");
}

TEST(AcquisitionPlanTest, SaysWhichFactsAreWrong) {
  AcquisitionFacts facts = Facts({{{0, 1}}});
  facts.incarnations = {{0, 1}};
  EXPECT_THAT(std::string(PlanAcquisition(facts).status().message()),
              HasSubstr("device 1 has no incarnation"));
  facts.incarnations.clear();
  facts.held = {{Key({0, 1}), 7, {0, 2}}};
  EXPECT_THAT(std::string(PlanAcquisition(facts).status().message()),
              HasSubstr("not all holders {0,2} are members"));
  facts.held = {{Key({0, 1}), 100, {0, 1}}};
  EXPECT_THAT(std::string(PlanAcquisition(facts).status().message()), HasSubstr("instance 100"));
}

}  // namespace
}  // namespace warpyard::collectives
