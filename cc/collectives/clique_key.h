// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The name of a clique: devices that exchange data through one communicator.

#ifndef WARPYARD_CC_COLLECTIVES_CLIQUE_KEY_H_
#define WARPYARD_CC_COLLECTIVES_CLIQUE_KEY_H_

#include <compare>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cc/collectives/device_assignment.h"

namespace warpyard::collectives {

// Communicators of a kind share nothing with those of another, so that a
// point-to-point transfer can overlap with a reduction of the same devices.
enum class CommunicationKind : uint8_t {
  kCollective = 0,
  kPointToPoint = 1,  // permute, send, receive
};

// A process that was restarted is another process: its incarnation tells the
// two apart, so that nobody waits for the one that is gone.
using Incarnation = uint64_t;

// Immutable value.
class CliqueKey {
 public:
  // `devices` in rank order, not empty, none twice. `local_participants` is how
  // many of them live in this process, in [0, devices]; every process may see
  // another number, so it is no part of identity. `incarnations` is empty, or one
  // per device. INVALID_ARGUMENT otherwise.
  static absl::StatusOr<CliqueKey> Create(std::vector<GlobalDeviceId> devices,
                                          int64_t local_participants,
                                          CommunicationKind kind = CommunicationKind::kCollective,
                                          std::vector<Incarnation> incarnations = {});

  const std::vector<GlobalDeviceId>& devices() const { return devices_; }
  int64_t size() const { return static_cast<int64_t>(devices_.size()); }
  int64_t local_participants() const { return local_participants_; }
  bool is_local() const { return local_participants_ == size(); }
  CommunicationKind kind() const { return kind_; }
  const std::vector<Incarnation>& incarnations() const { return incarnations_; }

  // The rank of a device, or nullopt.
  std::optional<int64_t> Rank(GlobalDeviceId device) const;

  // Whether every device of this clique is in `other`, in the same incarnation,
  // and both are of one kind: then this one can be split from the other.
  bool IsSubsetOf(const CliqueKey& other) const;

  // The first device of each of `count` runs of ranks that differ in length by
  // one at most: who makes the unique ids of a communicator with several roots
  // (NCCL User Guide, ncclCommInitRankScalable). `count` in [1, size()].
  absl::StatusOr<std::vector<GlobalDeviceId>> Roots(int64_t count) const;

  // "devices=2:[0,1]; local_participants=2; communication_id=0; incarnations=[]"
  std::string ToString() const;
  // The same on every process and in every run (not absl::Hash, which is salted).
  uint64_t Fingerprint() const;

  // By kind, devices, incarnations. The number of local participants is left out.
  friend std::strong_ordering operator<=>(const CliqueKey& a, const CliqueKey& b);
  friend bool operator==(const CliqueKey& a, const CliqueKey& b) { return (a <=> b) == 0; }

  template <typename H>
  friend H AbslHashValue(H h, const CliqueKey& key) {
    return H::combine(std::move(h), key.kind_, key.devices_, key.incarnations_);
  }
  friend std::ostream& operator<<(std::ostream& out, const CliqueKey& key) {
    return out << key.ToString();
  }

 private:
  CliqueKey() = default;
  std::vector<GlobalDeviceId> devices_;
  int64_t local_participants_ = 0;
  CommunicationKind kind_ = CommunicationKind::kCollective;
  std::vector<Incarnation> incarnations_;
};

}  // namespace warpyard::collectives

#endif  // WARPYARD_CC_COLLECTIVES_CLIQUE_KEY_H_
