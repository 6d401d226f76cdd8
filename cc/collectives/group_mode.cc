// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/collectives/group_mode.h"

#include "absl/status/status.h"

namespace warpyard::collectives {

std::string_view GroupModeName(GroupMode mode) {
  switch (mode) {
    case GroupMode::kCrossReplica:
      return "cross_replica";
    case GroupMode::kCrossPartition:
      return "cross_partition";
    case GroupMode::kCrossReplicaAndPartition:
      return "cross_replica_and_partition";
    case GroupMode::kFlattenedId:
      return "flattened_id";
  }
  return "unknown";
}

absl::StatusOr<GroupMode> GroupModeOf(bool has_channel_id,
                                      std::optional<bool> use_global_device_ids) {
  if (!has_channel_id) {
    if (use_global_device_ids.value_or(false)) {
      return absl::InvalidArgumentError(
          "use_global_device_ids=true without a channel_id: give the collective a channel_id");
    }
    return GroupMode::kCrossReplica;
  }
  if (!use_global_device_ids.has_value()) return GroupMode::kCrossPartition;
  return *use_global_device_ids ? GroupMode::kFlattenedId : GroupMode::kCrossReplicaAndPartition;
}

}  // namespace warpyard::collectives
