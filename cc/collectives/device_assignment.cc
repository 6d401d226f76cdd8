// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/collectives/device_assignment.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "cc/base/status_macros.h"

namespace warpyard::collectives {

absl::StatusOr<DeviceAssignment> DeviceAssignment::Create(int64_t replicas, int64_t partitions,
                                                          std::vector<GlobalDeviceId> devices) {
  if (replicas <= 0 || partitions <= 0 || replicas > kMaxGroupMembers / partitions) {
    return absl::InvalidArgumentError(absl::StrCat("device assignment: ", replicas, " replicas x ",
                                                   partitions,
                                                   " partitions is empty or too large"));
  }
  if (static_cast<int64_t>(devices.size()) != replicas * partitions) {
    return absl::InvalidArgumentError(absl::StrCat("device assignment: ", devices.size(),
                                                   " devices for ", replicas, " replicas x ",
                                                   partitions, " partitions"));
  }
  DeviceAssignment assignment;
  assignment.replicas_ = replicas;
  assignment.partitions_ = partitions;
  for (int64_t i = 0; i < replicas * partitions; ++i) {
    if (devices[i] < 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("device assignment: device ", devices[i], " is negative"));
    }
    if (!assignment.flattened_.emplace(devices[i], i).second) {
      return absl::InvalidArgumentError(
          absl::StrCat("device assignment: device ", devices[i], " occurs twice"));
    }
  }
  assignment.devices_ = std::move(devices);
  return assignment;
}

absl::StatusOr<DeviceAssignment> DeviceAssignment::Iota(int64_t replicas, int64_t partitions) {
  std::vector<GlobalDeviceId> devices;
  if (replicas > 0 && partitions > 0 && replicas <= kMaxGroupMembers / partitions) {
    devices.resize(replicas * partitions);
    std::iota(devices.begin(), devices.end(), 0);
  }
  return Create(replicas, partitions, std::move(devices));
}

absl::StatusOr<DeviceAssignment::Place> DeviceAssignment::Find(GlobalDeviceId device) const {
  const auto found = flattened_.find(device);
  if (found == flattened_.end()) {
    return absl::NotFoundError(absl::StrCat("device ", device, " is not among the ",
                                            devices_.size(), " devices that run the program"));
  }
  return Place{found->second / partitions_, found->second % partitions_};
}

absl::StatusOr<std::vector<std::vector<GlobalDeviceId>>> DeviceAssignment::ParticipantGroups(
    const ReplicaGroups& groups, GroupMode mode) const {
  const int64_t ids = mode == GroupMode::kCrossPartition ? partitions_
                      : mode == GroupMode::kFlattenedId  ? replicas_ * partitions_
                                                         : replicas_;
  WARPYARD_ASSIGN_OR_RETURN(const std::vector<Group> expanded, groups.Expand(ids));
  std::vector<std::vector<GlobalDeviceId>> result;
  for (const Group& group : expanded) {
    std::vector<GlobalDeviceId> members;
    switch (mode) {
      case GroupMode::kCrossReplica:
        for (int64_t partition = 0; partition < partitions_; ++partition) {
          members.clear();
          for (const int64_t replica : group) members.push_back(At(replica, partition));
          result.push_back(members);
        }
        break;
      case GroupMode::kCrossPartition:
        for (int64_t replica = 0; replica < replicas_; ++replica) {
          members.clear();
          for (const int64_t partition : group) members.push_back(At(replica, partition));
          result.push_back(members);
        }
        break;
      case GroupMode::kCrossReplicaAndPartition:
        for (const int64_t replica : group) {
          for (int64_t partition = 0; partition < partitions_; ++partition) {
            members.push_back(At(replica, partition));
          }
        }
        result.push_back(std::move(members));
        break;
      case GroupMode::kFlattenedId:
        for (const int64_t id : group) members.push_back(devices_[id]);
        result.push_back(std::move(members));
        break;
    }
  }
  return result;
}

absl::StatusOr<std::vector<GlobalDeviceId>> GroupOf(
    GlobalDeviceId device, const std::vector<std::vector<GlobalDeviceId>>& groups) {
  for (const std::vector<GlobalDeviceId>& group : groups) {
    if (std::find(group.begin(), group.end(), device) != group.end()) return group;
  }
  return absl::NotFoundError(absl::StrCat("device ", device, " is in none of the ", groups.size(),
                                          " groups of the collective"));
}

}  // namespace warpyard::collectives
