// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Ranks that acquire cliques, without a GPU, a network or threads: who calls
// what, who waits for whom, and whether all come through.
//
// A call that waits returns once every participant has made a call on the same
// channel, as creating or splitting a communicator does.

#ifndef WARPYARD_CC_COLLECTIVES_ACQUISITION_SIMULATOR_H_
#define WARPYARD_CC_COLLECTIVES_ACQUISITION_SIMULATOR_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cc/collectives/acquisition_plan.h"

namespace warpyard::collectives {

struct SimulatedCall {
  // Where participants meet: calls on different channels never meet.
  uint64_t channel = 0;
  // What all must agree on besides (the groups of a split, the instance).
  uint64_t agreement = 0;
  // Whom the call waits for; the caller is one of them. Shared, because each of
  // thousands of ranks makes the same call.
  std::shared_ptr<const std::vector<GlobalDeviceId>> participants;
  std::string what;  // for messages: "split of {0,1}"
};

// The waiting calls of each rank, in the order in which it makes them.
using RankPrograms = std::map<GlobalDeviceId, std::vector<SimulatedCall>>;

// The programs of ranks that all walk one plan.
RankPrograms ProgramsOf(const AcquisitionPlan& plan);

struct Schedule {
  uint64_t seed = 0;
  // Of a rank dying instead of making its next call.
  double death_probability = 0;
};

struct SimulationResult {
  enum class Outcome {
    kCompleted,  // every rank made all of its calls, or learned who died
    kDeadlock,   // ranks wait for ranks that are alive and will never come
    kMismatch,   // ranks met with different agreements
  };
  Outcome outcome = Outcome::kCompleted;
  // Who waits where, a line for each rank that does; or what did not agree.
  std::string explanation;
  std::vector<GlobalDeviceId> died;
  // Each rank that ended with an error, and the death that is its cause.
  std::map<GlobalDeviceId, GlobalDeviceId> errors;
};

// Runs all ranks in a random order until none can go on. Waiting for a rank that
// died ends in an error (a time-out, for a real rank), and a rank with an error
// makes no further calls. Linear in the number of calls and participants.
SimulationResult Simulate(const RankPrograms& programs, const Schedule& schedule);

// What is wrong with a plan for these facts, or "": each rank must end with one
// instance of each clique that it is in, the same as the other members', hold
// what it reuses or splits, and drop nothing twice.
std::string CheckPlan(const AcquisitionFacts& facts, const AcquisitionPlan& plan);

// Removes requests, held cliques, holders and devices from `facts` as long as
// `fails` stays true; nothing that is left can be removed alone.
AcquisitionFacts SmallestCounterexample(AcquisitionFacts facts,
                                        const std::function<bool(const AcquisitionFacts&)>& fails);

// The facts in lines, for messages.
std::string FactsToString(const AcquisitionFacts& facts);

}  // namespace warpyard::collectives

#endif  // WARPYARD_CC_COLLECTIVES_ACQUISITION_SIMULATOR_H_
