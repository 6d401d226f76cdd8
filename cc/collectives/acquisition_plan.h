// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// How the ranks of a job come by the cliques that a program needs: a pure
// function from what all of them ask for and hold to one list of steps.
//
// Every rank computes the same plan from the same facts, and walks its own steps
// in the plan's order. As all steps lie in one order, ranks cannot wait for each
// other in a circle; as a step names all who take part, none waits for one who
// does not come.

#ifndef WARPYARD_CC_COLLECTIVES_ACQUISITION_PLAN_H_
#define WARPYARD_CC_COLLECTIVES_ACQUISITION_PLAN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "cc/collectives/clique_key.h"
#include "cc/collectives/clique_requests.h"

namespace warpyard::collectives {

// Tells communicators of the same key apart: a rank that lost its communicator
// and one that kept it do not hold the same thing.
using InstanceId = uint64_t;

// A communicator that some ranks hold from before.
struct HeldClique {
  CliqueKey key;
  InstanceId instance = 0;
  std::vector<GlobalDeviceId> holders;  // rising; those that still have it
};

struct AcquisitionFacts {
  // CliqueRequests::Ordered(), the same on all ranks.
  std::vector<CliqueRequest> requests;
  std::vector<HeldClique> held;
  // Of every device of the job; empty where nothing restarts.
  absl::flat_hash_map<GlobalDeviceId, Incarnation> incarnations;
  // No instance in use is this or above.
  InstanceId next_instance = 1;
  // Whether the library can split a communicator (NCCL can from 2.18 on).
  bool can_split = true;
};

struct AcquisitionStep {
  enum class Kind {
    kReuse,    // all members hold `instance`; nobody waits
    kAbandon,  // the holders drop `instance`, which not all members hold; nobody waits
    kCreate,   // the members meet and make a communicator
    kSplit,    // all ranks of the parent meet; some come without a group
    kBarrier,  // the members meet once all their cliques stand
  };
  Kind kind = Kind::kCreate;
  // kSplit: the parent. Otherwise the clique itself.
  CliqueKey key;
  InstanceId instance = 0;
  // kSplit: the new cliques, by colour.
  struct Child {
    CliqueKey key;
    InstanceId instance = 0;
  };
  std::vector<Child> children;
  // kAbandon: who drops it. For the others: the devices of `key`.
  std::vector<GlobalDeviceId> participants;

  bool Waits() const { return kind != Kind::kReuse && kind != Kind::kAbandon; }
  std::string Name() const;  // "split #3"
  std::string ToString() const;
};

struct AcquisitionPlan {
  std::vector<AcquisitionStep> steps;
  InstanceId next_instance = 1;

  // Indices of the steps that a device takes part in, in order.
  absl::flat_hash_map<GlobalDeviceId, std::vector<int32_t>> StepsByDevice() const;
  std::string ToString() const;  // a step on each line
};

// INVALID_ARGUMENT for a device without an incarnation where others have one, and
// for holders that are no members. Linear in the members of all requests.
absl::StatusOr<AcquisitionPlan> PlanAcquisition(const AcquisitionFacts& facts);

}  // namespace warpyard::collectives

#endif  // WARPYARD_CC_COLLECTIVES_ACQUISITION_PLAN_H_
