// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/collectives/clique_requests.h"

#include <algorithm>
#include <string>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace warpyard::collectives {
namespace {

// The first groups are enough to find the collective by.
std::string Text(const DeviceGroups& groups) {
  constexpr size_t kShown = 8;
  std::string text = "{";
  for (size_t i = 0; i < std::min(groups.size(), kShown); ++i) {
    absl::StrAppend(&text, i == 0 ? "{" : ",{", absl::StrJoin(groups[i], ","), "}");
  }
  if (groups.size() > kShown) absl::StrAppend(&text, ", ... ", groups.size(), " groups");
  return absl::StrCat(text, "}");
}

absl::Status CheckDisjoint(const DeviceGroups& groups) {
  if (groups.empty()) return absl::InvalidArgumentError("clique request: there are no groups");
  absl::flat_hash_set<GlobalDeviceId> seen;
  for (const auto& group : groups) {
    if (group.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("clique request: a group of ", Text(groups), " is empty"));
    }
    for (const GlobalDeviceId device : group) {
      if (!seen.insert(device).second) {
        return absl::InvalidArgumentError(
            absl::StrCat("clique request: device ", device, " occurs twice in ", Text(groups)));
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace

int64_t CliqueRequest::size() const {
  size_t size = 0;
  for (const auto& group : groups) size = std::max(size, group.size());
  return static_cast<int64_t>(size);
}

absl::Status CliqueRequests::Add(DeviceGroups groups, CommunicationKind kind,
                                 const CliqueNeeds& needs) {
  if (absl::Status status = CheckDisjoint(groups); !status.ok()) return status;
  for (const auto& group : groups) {
    if (group.size() == 1) continue;
    const auto found = by_group_.find({kind, group});
    if (found != by_group_.end() && requests_[found->second].groups != groups) {
      return absl::FailedPreconditionError(absl::StrCat(
          "clique request: the devices {", absl::StrJoin(group, ","), "} are in the groups ",
          Text(groups), " here and in ", Text(requests_[found->second].groups),
          " in an earlier collective of the same kind; give both the same groups"));
    }
  }
  const auto same = std::find_if(requests_.begin(), requests_.end(), [&](const auto& request) {
    return request.kind == kind && request.groups == groups;
  });
  if (same != requests_.end()) {
    same->needs.barrier |= needs.barrier;
    same->needs.symmetric_bytes = std::max(same->needs.symmetric_bytes, needs.symmetric_bytes);
    same->needs.multicast_bytes = std::max(same->needs.multicast_bytes, needs.multicast_bytes);
    return absl::OkStatus();
  }
  const int64_t id = static_cast<int64_t>(requests_.size());
  for (const auto& group : groups) {
    if (group.size() > 1) by_group_.try_emplace({kind, group}, id);
  }
  requests_.push_back({id, kind, std::move(groups), needs});
  return absl::OkStatus();
}

std::vector<CliqueRequest> CliqueRequests::Ordered() const {
  std::vector<CliqueRequest> ordered = requests_;
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const CliqueRequest& a, const CliqueRequest& b) {
                     return a.size() > b.size();  // by id where equal: the order they stand in
                   });
  return ordered;
}

}  // namespace warpyard::collectives
