// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// How long planning takes as the job grows:
//   bazel run //cc/collectives:acquisition_benchmark

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

#include "absl/log/check.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "cc/collectives/acquisition_plan.h"
#include "cc/collectives/acquisition_simulator.h"

namespace warpyard::collectives {
namespace {

// `count` different ways of cutting all ranks into groups of 2 to 512.
std::vector<CliqueRequest> Requests(int64_t ranks, int64_t count) {
  std::mt19937_64 random(7);
  std::vector<GlobalDeviceId> devices(ranks);
  std::iota(devices.begin(), devices.end(), 0);
  CliqueRequests requests;
  CHECK_OK(requests.Add({devices}, CommunicationKind::kCollective));
  for (int64_t i = 1; i < count;) {
    std::shuffle(devices.begin(), devices.end(), random);
    const int64_t size = int64_t{4} << (i % 8);
    DeviceGroups groups;
    for (int64_t at = 0; at < ranks; at += size) {
      groups.emplace_back(devices.begin() + at, devices.begin() + std::min(at + size, ranks));
    }
    // A pair that was in other groups before is refused: draw again.
    if (requests.Add(std::move(groups), CommunicationKind::kCollective).ok()) ++i;
  }
  return requests.Ordered();
}

void Measure(int64_t ranks, int64_t count) {
  AcquisitionFacts facts;
  facts.requests = Requests(ranks, count);
  for (int64_t device = 0; device < ranks; ++device) facts.incarnations[device] = 1;
  const absl::Time begin = absl::Now();
  auto plan = PlanAcquisition(facts);
  const absl::Duration planning = absl::Now() - begin;
  CHECK_OK(plan.status());
  const absl::Time simulation = absl::Now();
  const RankPrograms programs = ProgramsOf(*plan);
  CHECK(Simulate(programs, {}).outcome == SimulationResult::Outcome::kCompleted);
  std::printf("%6ld ranks x %5ld requests: plan %8.1f ms, %5.1f ns a member; simulation %8.1f ms\n",
              ranks, count, absl::ToDoubleMilliseconds(planning),
              absl::ToDoubleNanoseconds(planning) / (ranks * count),
              absl::ToDoubleMilliseconds(absl::Now() - simulation));
}

}  // namespace
}  // namespace warpyard::collectives

int main() {
  for (const int64_t ranks : {64, 256, 1024, 4096}) warpyard::collectives::Measure(ranks, 250);
  for (const int64_t count : {500, 1000}) warpyard::collectives::Measure(1024, count);
}
