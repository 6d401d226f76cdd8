// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// What the ids in a collective's replica groups count.

#ifndef WARPYARD_CC_COLLECTIVES_GROUP_MODE_H_
#define WARPYARD_CC_COLLECTIVES_GROUP_MODE_H_

#include <optional>
#include <string_view>

#include "absl/status/statusor.h"

namespace warpyard::collectives {

// A program runs as replicas x partitions. The names are those of HLO.
enum class GroupMode {
  // Ids are replicas; a group is repeated for every partition.
  kCrossReplica,
  // Ids are partitions; a group is repeated for every replica.
  kCrossPartition,
  // Ids are replicas; every partition of each of them takes part in one group.
  kCrossReplicaAndPartition,
  // Ids are replica * partitions + partition.
  kFlattenedId,
};

std::string_view GroupModeName(GroupMode mode);  // "cross_replica_and_partition"

// The mode of an HLO collective, from its attributes: whether it has a channel
// id, and use_global_device_ids, which permute, broadcast and all-to-all do not
// have. INVALID_ARGUMENT for global device ids without a channel.
absl::StatusOr<GroupMode> GroupModeOf(bool has_channel_id,
                                      std::optional<bool> use_global_device_ids);

}  // namespace warpyard::collectives

#endif  // WARPYARD_CC_COLLECTIVES_GROUP_MODE_H_
