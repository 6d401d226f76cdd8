// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Which device runs which part of a program, and so who takes part in a
// collective.

#ifndef WARPYARD_CC_COLLECTIVES_DEVICE_ASSIGNMENT_H_
#define WARPYARD_CC_COLLECTIVES_DEVICE_ASSIGNMENT_H_

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "cc/collectives/group_mode.h"
#include "cc/hlo/replica_groups.h"

namespace warpyard::collectives {

using hlo::Group;
using hlo::kMaxGroupMembers;
using hlo::ReplicaGroups;

// A device of the whole job, as all processes number it.
using GlobalDeviceId = int64_t;

// Replicas x partitions -> devices. Immutable.
class DeviceAssignment {
 public:
  struct Place {
    int64_t replica = 0;
    int64_t partition = 0;
    friend bool operator==(const Place&, const Place&) = default;
  };

  // `devices` in row-major order of [replicas][partitions]. INVALID_ARGUMENT
  // for a device that is negative or occurs twice, and for a wrong count.
  static absl::StatusOr<DeviceAssignment> Create(int64_t replicas, int64_t partitions,
                                                 std::vector<GlobalDeviceId> devices);
  // Device i runs flattened id i.
  static absl::StatusOr<DeviceAssignment> Iota(int64_t replicas, int64_t partitions);

  int64_t replicas() const { return replicas_; }
  int64_t partitions() const { return partitions_; }
  GlobalDeviceId At(int64_t replica, int64_t partition) const {
    return devices_[replica * partitions_ + partition];
  }
  // All devices, by flattened id.
  const std::vector<GlobalDeviceId>& devices() const { return devices_; }
  // NOT_FOUND for a device that runs nothing.
  absl::StatusOr<Place> Find(GlobalDeviceId device) const;

  // All groups of devices that exchange data with one another in a collective,
  // each in rank order; groups repeated over partitions (or replicas) come in
  // their order, outermost the group. A program whose ids are not all in a group
  // leaves devices out. Every process computes the same.
  absl::StatusOr<std::vector<std::vector<GlobalDeviceId>>> ParticipantGroups(
      const ReplicaGroups& groups, GroupMode mode) const;

 private:
  DeviceAssignment() = default;
  int64_t replicas_ = 0;
  int64_t partitions_ = 0;
  std::vector<GlobalDeviceId> devices_;
  absl::flat_hash_map<GlobalDeviceId, int64_t> flattened_;
};

// The group of `groups` that `device` is in; NOT_FOUND if it is in none.
absl::StatusOr<std::vector<GlobalDeviceId>> GroupOf(
    GlobalDeviceId device, const std::vector<std::vector<GlobalDeviceId>>& groups);

}  // namespace warpyard::collectives

#endif  // WARPYARD_CC_COLLECTIVES_DEVICE_ASSIGNMENT_H_
