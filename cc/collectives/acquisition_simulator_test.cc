// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Plans of random jobs never hang, and the simulator finds the deadlocks of
// policies that decide by what one rank knows.

#include "cc/collectives/acquisition_simulator.h"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::collectives {
namespace {

using ::testing::HasSubstr;
using Outcome = SimulationResult::Outcome;
using Random = std::mt19937_64;

int64_t Below(Random& random, int64_t bound) {
  return std::uniform_int_distribution<int64_t>(0, bound - 1)(random);
}

SimulatedCall Call(uint64_t channel, uint64_t agreement, std::vector<GlobalDeviceId> participants,
                   std::string what) {
  return {channel, agreement,
          std::make_shared<const std::vector<GlobalDeviceId>>(std::move(participants)),
          std::move(what)};
}

CliqueKey KeyToday(const AcquisitionFacts& facts, const std::vector<GlobalDeviceId>& devices) {
  std::vector<Incarnation> incarnations;
  for (const GlobalDeviceId device : devices) {
    incarnations.push_back(facts.incarnations.at(device));
  }
  return *CliqueKey::Create(devices, 0, CommunicationKind::kCollective, incarnations);
}

// Cuts some of `devices`, in random order, into groups.
DeviceGroups RandomGroups(Random& random, std::vector<GlobalDeviceId> devices) {
  std::shuffle(devices.begin(), devices.end(), random);
  if (Below(random, 3) == 0) devices.resize(1 + Below(random, devices.size()));
  DeviceGroups groups;
  for (size_t at = 0; at < devices.size();) {
    const size_t size = 1 + Below(random, devices.size() - at);
    std::vector<GlobalDeviceId> group(devices.begin() + at, devices.begin() + at + size);
    // Half of the time in rising order, so that requests share cliques.
    if (Below(random, 2) == 0) std::sort(group.begin(), group.end());
    groups.push_back(std::move(group));
    at += size;
  }
  return groups;
}

// A job with requests, and caches as jobs before and restarts leave them.
AcquisitionFacts RandomFacts(Random& random, int64_t max_devices) {
  std::vector<GlobalDeviceId> devices(1 + Below(random, max_devices));
  std::iota(devices.begin(), devices.end(), 0);
  AcquisitionFacts facts;
  for (const GlobalDeviceId device : devices) facts.incarnations[device] = 1 + Below(random, 2);
  CliqueRequests requests;
  DeviceGroups past;
  for (int64_t i = 1 + Below(random, 6); i > 0; --i) {
    DeviceGroups groups = RandomGroups(random, devices);
    past.insert(past.end(), groups.begin(), groups.end());
    (void)requests.Add(std::move(groups), CommunicationKind::kCollective,
                       {.barrier = Below(random, 4) == 0});  // conflicts are left out
  }
  facts.requests = requests.Ordered();
  for (const auto& group : past) {
    if (Below(random, 2) == 0) continue;
    HeldClique held{KeyToday(facts, group), facts.next_instance++, group};
    if (Below(random, 3) == 0) {  // from before a restart
      std::vector<Incarnation> incarnations = held.key.incarnations();
      incarnations[Below(random, incarnations.size())] += 10;
      held.key = *CliqueKey::Create(group, 0, CommunicationKind::kCollective, incarnations);
    }
    std::sort(held.holders.begin(), held.holders.end());
    if (Below(random, 3) == 0) held.holders.erase(held.holders.begin());
    facts.held.push_back(std::move(held));
  }
  facts.can_split = Below(random, 4) != 0;
  return facts;
}

TEST(AcquisitionSimulatorTest, PlansOfRandomJobsComeThrough) {
  Random random(1);
  for (int round = 0; round < 3000; ++round) {
    const AcquisitionFacts facts = RandomFacts(random, 12);
    auto plan = PlanAcquisition(facts);
    ASSERT_TRUE(plan.ok()) << plan.status();
    const auto fails = [](const AcquisitionFacts& candidate) {
      auto again = PlanAcquisition(candidate);
      return again.ok() && (!CheckPlan(candidate, *again).empty() ||
                            Simulate(ProgramsOf(*again), {}).outcome != Outcome::kCompleted);
    };
    const std::string wrong = CheckPlan(facts, *plan);
    const SimulationResult result = Simulate(ProgramsOf(*plan), {.seed = random()});
    if (!wrong.empty() || result.outcome != Outcome::kCompleted) {
      FAIL() << wrong << result.explanation << "\nsmallest:\n"
             << FactsToString(SmallestCounterexample(facts, fails));
    }
    EXPECT_TRUE(result.errors.empty());
  }
}

TEST(AcquisitionSimulatorTest, NobodyHangsWhenRanksDie) {
  Random random(2);
  int deaths = 0;
  for (int round = 0; round < 2000; ++round) {
    AcquisitionFacts facts = RandomFacts(random, 10);
    auto plan = PlanAcquisition(facts);
    ASSERT_TRUE(plan.ok()) << plan.status();
    const SimulationResult result =
        Simulate(ProgramsOf(*plan), {.seed = random(), .death_probability = 0.1});
    ASSERT_EQ(result.outcome, Outcome::kCompleted) << result.explanation;
    deaths += static_cast<int>(result.died.size());
    for (const auto& [rank, cause] : result.errors) {
      EXPECT_THAT(result.died, ::testing::Contains(cause)) << "the error of rank " << rank;
    }
    // The dead come back as new processes, holding nothing: all goes well again.
    for (const GlobalDeviceId device : result.died) {
      ++facts.incarnations[device];
      for (HeldClique& held : facts.held) std::erase(held.holders, device);
    }
    auto again = PlanAcquisition(facts);
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_EQ(CheckPlan(facts, *again), "");
    EXPECT_EQ(Simulate(ProgramsOf(*again), {.seed = random()}).outcome, Outcome::kCompleted);
  }
  EXPECT_GT(deaths, 500);
}

TEST(AcquisitionSimulatorTest, FourThousandRanks) {
  CliqueRequests requests;
  std::vector<GlobalDeviceId> all(4096);
  std::iota(all.begin(), all.end(), 0);
  ASSERT_TRUE(requests.Add({all}, CommunicationKind::kCollective).ok());
  for (int64_t size = 2048; size >= 2; size /= 2) {
    DeviceGroups groups;
    for (int64_t at = 0; at < 4096; at += size) {
      groups.emplace_back(all.begin() + at, all.begin() + at + size);
    }
    ASSERT_TRUE(requests.Add(groups, CommunicationKind::kCollective).ok());
  }
  AcquisitionFacts facts;
  facts.requests = requests.Ordered();
  auto plan = PlanAcquisition(facts);
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan->steps.size(), 12);
  EXPECT_EQ(Simulate(ProgramsOf(*plan), {.seed = 3}).outcome, Outcome::kCompleted);
}

// What a library without a common plan does. Each rank decides alone, from its
// own cache and its own group.
enum class Policy {
  kReuseWhatIHold,       // (3) a cached clique is reused by those who have it
  kSplitIfIHoldAParent,  // (1), (2) a split is entered by those with a group in it
};

RankPrograms AlonePrograms(const AcquisitionFacts& facts, Policy policy) {
  RankPrograms programs;
  std::map<GlobalDeviceId, std::vector<std::pair<CliqueKey, InstanceId>>> caches;
  for (const HeldClique& held : facts.held) {
    for (const GlobalDeviceId device : held.holders) {
      caches[device].emplace_back(held.key, held.instance);
    }
  }
  for (const CliqueRequest& request : facts.requests) {
    for (const auto& group : request.groups) {
      const CliqueKey key = KeyToday(facts, group);
      for (const GlobalDeviceId device : group) {
        auto& cache = caches[device];
        const auto own = std::find_if(cache.begin(), cache.end(), [&](const auto& entry) {
          return entry.first.devices() == group;  // forgets the incarnation
        });
        programs[device];
        if (policy == Policy::kReuseWhatIHold && own != cache.end()) continue;
        const auto parent = std::find_if(cache.begin(), cache.end(), [&](const auto& entry) {
          return entry.first.size() > key.size() && key.IsSubsetOf(entry.first);
        });
        if (policy == Policy::kSplitIfIHoldAParent && parent != cache.end()) {
          programs[device].push_back(Call(parent->second, 0, parent->first.devices(),
                                          "split of " + parent->first.ToString()));
        } else {
          programs[device].push_back(
              Call(key.Fingerprint(), 0, key.devices(), "create " + key.ToString()));
        }
        cache.emplace_back(key, key.Fingerprint());
      }
    }
  }
  return programs;
}

AcquisitionFacts Job(int64_t devices, const std::vector<DeviceGroups>& all) {
  AcquisitionFacts facts;
  for (int64_t device = 0; device < devices; ++device) facts.incarnations[device] = 1;
  CliqueRequests requests;
  for (const auto& groups : all) {
    EXPECT_TRUE(requests.Add(groups, CommunicationKind::kCollective).ok());
  }
  facts.requests = requests.Ordered();
  facts.next_instance = 10;
  return facts;
}

void ExpectDeadlockOfAloneOnly(const AcquisitionFacts& facts, Policy policy,
                               const std::string& explanation) {
  const SimulationResult alone = Simulate(AlonePrograms(facts, policy), {});
  EXPECT_EQ(alone.outcome, Outcome::kDeadlock);
  EXPECT_THAT(alone.explanation, HasSubstr(explanation));
  auto plan = PlanAcquisition(facts);
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ(CheckPlan(facts, *plan), "");
  EXPECT_EQ(Simulate(ProgramsOf(*plan), {}).outcome, Outcome::kCompleted);
}

// The groups leave rank 3 out, which holds the parent: it never comes to the split.
TEST(KnownDeadlocksTest, ARankWithoutAGroupMissesTheSplit) {
  AcquisitionFacts facts = Job(4, {{{0, 1, 2, 3}}, {{0, 1}, {2}}});
  ExpectDeadlockOfAloneOnly(facts, Policy::kSplitIfIHoldAParent, "waits for {3}");
}

// Groups of eight devices are split from a clique of four of them.
TEST(KnownDeadlocksTest, TheGroupsAreNotTheDevicesOfTheParent) {
  AcquisitionFacts facts = Job(8, {{{0, 1, 2, 3}}, {{0, 1}, {4, 5}, {6, 7}}});
  ExpectDeadlockOfAloneOnly(facts, Policy::kSplitIfIHoldAParent, "waits for {2,3}");
}

TEST(KnownDeadlocksTest, SomeRanksHoldTheParentFromBefore) {
  AcquisitionFacts facts = Job(4, {{{0, 1}, {2, 3}}});
  facts.held = {{KeyToday(facts, {0, 1, 2, 3}), 5, {0, 1, 2}}};
  ExpectDeadlockOfAloneOnly(facts, Policy::kSplitIfIHoldAParent, "waits for {3}");
}

TEST(KnownDeadlocksTest, SomeRanksReuseACachedClique) {
  AcquisitionFacts facts = Job(3, {{{0, 1, 2}}});
  facts.held = {{KeyToday(facts, {0, 1, 2}), 5, {0, 2}}};
  ExpectDeadlockOfAloneOnly(facts, Policy::kReuseWhatIHold, "rank 1 in create");
}

TEST(KnownDeadlocksTest, ARestartedRankIsNotTheOneInTheCache) {
  AcquisitionFacts facts = Job(2, {{{0, 1}}});
  facts.held = {{KeyToday(facts, {0, 1}), 5, {0}}};
  facts.incarnations[1] = 2;
  ExpectDeadlockOfAloneOnly(facts, Policy::kReuseWhatIHold, "rank 1 in create");
}

TEST(SmallestCounterexampleTest, KeepsWhatIsNeededAlone) {
  const auto fails = [](const AcquisitionFacts& facts) {
    return Simulate(AlonePrograms(facts, Policy::kReuseWhatIHold), {}).outcome ==
           Outcome::kDeadlock;
  };
  AcquisitionFacts facts =
      Job(8, {{{0, 1, 2, 3, 4, 5, 6, 7}}, {{0, 1, 2, 3}, {4, 5, 6, 7}}, {{0, 4}, {1, 5}}});
  facts.held = {{KeyToday(facts, {0, 1, 2, 3, 4, 5, 6, 7}), 5, {0, 1, 2, 3, 4, 5, 6, 7}},
                {KeyToday(facts, {0, 1, 2, 3}), 6, {0, 1, 2}}};
  ASSERT_TRUE(fails(facts));
  const AcquisitionFacts smallest = SmallestCounterexample(facts, fails);
  EXPECT_EQ(FactsToString(smallest),
            "request 1: {0,1,2,3}\n"
            "held #6 {0,1,2,3} by {2}\n");
}

TEST(SimulatorTest, ReportsAMismatch) {
  RankPrograms programs;
  programs[0] = {Call(1, 10, {0, 1}, "split into pairs")};
  programs[1] = {Call(1, 11, {0, 1}, "split into fours")};
  const SimulationResult result = Simulate(programs, {});
  EXPECT_EQ(result.outcome, Outcome::kMismatch);
  EXPECT_THAT(result.explanation, HasSubstr("split into pairs"));
  EXPECT_THAT(result.explanation, HasSubstr("split into fours"));
}

TEST(SimulatorTest, OppositeOrdersAreADeadlock) {
  const SimulatedCall a = Call(1, 0, {0, 1}, "a"), b = Call(2, 0, {0, 1}, "b");
  const SimulationResult result = Simulate({{0, {a, b}}, {1, {b, a}}}, {});
  EXPECT_EQ(result.outcome, Outcome::kDeadlock);
  EXPECT_EQ(result.explanation, "rank 0 in a waits for {1}\nrank 1 in b waits for {0}");
}

}  // namespace
}  // namespace warpyard::collectives
