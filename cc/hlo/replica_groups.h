// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Which participants of a program exchange data with one another, in the forms
// in which HLO writes it:
//
//   {{0,1},{2,3}}            lists
//   [2,2]<=[4]               iota: 0 .. 3 in rows of two
//   [2,4]<=[4,2]T(1,0)       iota, transposed: {{0,2,4,6},{1,3,5,7}}
//   {}                       one group of all

#ifndef WARPYARD_CC_HLO_REPLICA_GROUPS_H_
#define WARPYARD_CC_HLO_REPLICA_GROUPS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace warpyard::hlo {

// Ids in the order in which they are ranked within the group.
using Group = std::vector<int64_t>;

// Most ids that a text or an iota may stand for; more is INVALID_ARGUMENT.
inline constexpr int64_t kMaxGroupMembers = int64_t{1} << 24;

// Immutable. Remembers the form it was made in, so that it prints as it was
// read; equality is that of the groups, whatever their form.
class ReplicaGroups {
 public:
  // One group of all participants.
  ReplicaGroups() = default;

  // INVALID_ARGUMENT for a negative or repeated id and for an empty group.
  static absl::StatusOr<ReplicaGroups> FromLists(std::vector<Group> groups);

  // The numbers 0 .. product(reshape) - 1 laid out in row-major order in
  // `reshape`, its dimensions transposed by `permutation` (result dimension i is
  // dimension permutation[i]; empty: none), and cut into `group_count` rows of
  // `group_size`. INVALID_ARGUMENT where the sizes do not fit one another.
  static absl::StatusOr<ReplicaGroups> FromIota(int64_t group_count, int64_t group_size,
                                                std::vector<int64_t> reshape,
                                                std::vector<int64_t> permutation = {});

  // Reads any of the forms above; white space carries no meaning.
  // INVALID_ARGUMENT names the place ("offset 7") and what was expected.
  static absl::StatusOr<ReplicaGroups> Parse(std::string_view text);

  // As HLO prints it: Parse(ToString()) gives equal groups in the same form.
  std::string ToString() const;

  bool IsAll() const { return !is_iota_ && groups_.empty(); }
  bool is_iota() const { return is_iota_; }

  // The groups of a program with `participants` participants: what IsAll() stands
  // for is written out. INVALID_ARGUMENT for an id that is not below
  // `participants`; ids that are in no group are allowed, as in HLO.
  absl::StatusOr<std::vector<Group>> Expand(int64_t participants) const;

  friend bool operator==(const ReplicaGroups& a, const ReplicaGroups& b) {
    return a.groups_ == b.groups_;
  }

 private:
  std::vector<Group> groups_;
  bool is_iota_ = false;
  std::vector<int64_t> reshape_;
  std::vector<int64_t> permutation_;
};

}  // namespace warpyard::hlo

#endif  // WARPYARD_CC_HLO_REPLICA_GROUPS_H_
