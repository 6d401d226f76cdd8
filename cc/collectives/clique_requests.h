// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// What a program's collectives need before it runs, collected in Prepare.

#ifndef WARPYARD_CC_COLLECTIVES_CLIQUE_REQUESTS_H_
#define WARPYARD_CC_COLLECTIVES_CLIQUE_REQUESTS_H_

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "cc/collectives/clique_key.h"
#include "cc/collectives/device_assignment.h"

namespace warpyard::collectives {

using DeviceGroups = std::vector<std::vector<GlobalDeviceId>>;

// Besides the communicator itself. Asking twice asks for both.
struct CliqueNeeds {
  bool barrier = false;         // all members meet before the first collective
  int64_t symmetric_bytes = 0;  // memory at the same offset on all members
  int64_t multicast_bytes = 0;  // memory that one store writes on all members
  friend bool operator==(const CliqueNeeds&, const CliqueNeeds&) = default;
};

// All groups of one collective. A rank that is in none of them asks all the
// same: it may have to take part when a clique that it is in is split.
struct CliqueRequest {
  // The position of the first collective with these groups in the program. All
  // ranks run one program, so all give a request the same id.
  int64_t id = 0;
  CommunicationKind kind = CommunicationKind::kCollective;
  DeviceGroups groups;
  CliqueNeeds needs;
  friend bool operator==(const CliqueRequest&, const CliqueRequest&) = default;

  // The size of the largest group, which orders requests: it is the same seen
  // from every rank, as the size of a rank's own group is not.
  int64_t size() const;
};

// Thread-compatible. Fill it in the order of the program.
class CliqueRequests {
 public:
  // Groups must be disjoint and not empty. FAILED_PRECONDITION where an earlier
  // collective of this kind has one of these groups among other groups: ranks
  // would not agree on who splits what. Groups of one device are free of that.
  absl::Status Add(DeviceGroups groups, CommunicationKind kind, const CliqueNeeds& needs = {});

  // In the order of acquisition: larger first, so that smaller ones can be split
  // from them; then by id.
  std::vector<CliqueRequest> Ordered() const;

 private:
  std::vector<CliqueRequest> requests_;
  // Of each group seen, the request.
  std::map<std::pair<CommunicationKind, std::vector<GlobalDeviceId>>, int64_t> by_group_;
};

}  // namespace warpyard::collectives

#endif  // WARPYARD_CC_COLLECTIVES_CLIQUE_REQUESTS_H_
