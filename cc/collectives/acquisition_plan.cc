// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/collectives/acquisition_plan.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "cc/base/status_macros.h"

namespace warpyard::collectives {
namespace {

using Kind = AcquisitionStep::Kind;

// Parents tried for a split, smallest first. A bound keeps the plan linear; the
// result is right with any.
constexpr int kMaxParentsTried = 8;

std::string_view KindName(Kind kind) {
  switch (kind) {
    case Kind::kReuse:
      return "reuse";
    case Kind::kAbandon:
      return "abandon";
    case Kind::kCreate:
      return "create";
    case Kind::kSplit:
      return "split";
    case Kind::kBarrier:
      return "barrier";
  }
  return "unknown";
}

class Planner {
 public:
  explicit Planner(const AcquisitionFacts& facts) : facts_(facts) {
    plan_.next_instance = facts.next_instance;
  }

  absl::StatusOr<AcquisitionPlan> Plan() {
    WARPYARD_RETURN_IF_ERROR(ReadHeld());
    for (const CliqueRequest& request : facts_.requests) {
      WARPYARD_RETURN_IF_ERROR(Acquire(request));
    }
    AddBarriers();
    return std::move(plan_);
  }

 private:
  struct Available {
    CliqueKey key;
    InstanceId instance;
  };

  absl::StatusOr<CliqueKey> KeyOf(const std::vector<GlobalDeviceId>& devices,
                                  CommunicationKind kind) const {
    std::vector<Incarnation> incarnations;
    if (!facts_.incarnations.empty()) {
      for (const GlobalDeviceId device : devices) {
        const auto found = facts_.incarnations.find(device);
        if (found == facts_.incarnations.end()) {
          return absl::InvalidArgumentError(
              absl::StrCat("clique acquisition: device ", device, " has no incarnation"));
        }
        incarnations.push_back(found->second);
      }
    }
    return CliqueKey::Create(devices, 0, kind, std::move(incarnations));
  }

  // A clique is whole where all of its members hold one instance of it, in the
  // incarnations of today. All others are dropped by those who hold them: to keep
  // one would be to decide by what a single rank knows.
  absl::Status ReadHeld() {
    for (const HeldClique& held : facts_.held) {
      if (held.instance >= facts_.next_instance) {
        return absl::InvalidArgumentError(absl::StrCat(
            "clique acquisition: instance ", held.instance, " of ", held.key.ToString(),
            " is not below next_instance ", facts_.next_instance));
      }
      std::vector<GlobalDeviceId> members = held.key.devices();
      std::sort(members.begin(), members.end());
      if (!std::includes(members.begin(), members.end(), held.holders.begin(),
                         held.holders.end())) {
        return absl::InvalidArgumentError(absl::StrCat("clique acquisition: not all holders {",
                                                       absl::StrJoin(held.holders, ","),
                                                       "} are members of ", held.key.ToString()));
      }
      WARPYARD_ASSIGN_OR_RETURN(const CliqueKey today,
                                KeyOfOrStale(held.key.devices(), held.key.kind()));
      const bool whole = members == held.holders && today == held.key &&
                         whole_.try_emplace(held.key, held.instance).second;
      if (whole || held.holders.empty()) continue;
      plan_.steps.push_back({Kind::kAbandon, held.key, held.instance, {}, held.holders});
    }
    return absl::OkStatus();
  }

  // Like KeyOf; a device that has left the job makes the key one of nobody.
  absl::StatusOr<CliqueKey> KeyOfOrStale(const std::vector<GlobalDeviceId>& devices,
                                         CommunicationKind kind) const {
    if (!facts_.incarnations.empty()) {
      for (const GlobalDeviceId device : devices) {
        if (!facts_.incarnations.contains(device)) {
          return CliqueKey::Create(devices, 0, kind, std::vector<Incarnation>(devices.size(), 0));
        }
      }
    }
    return KeyOf(devices, kind);
  }

  void MakeAvailable(const CliqueKey& key, InstanceId instance) {
    const int32_t index = static_cast<int32_t>(available_.size());
    available_.push_back({key, instance});
    acquired_.emplace(key, index);
    for (const GlobalDeviceId device : key.devices()) {
      by_device_[{device, key.kind()}].push_back(index);
    }
  }

  absl::Status Acquire(const CliqueRequest& request) {
    std::vector<CliqueKey> missing;
    for (const auto& group : request.groups) {
      WARPYARD_ASSIGN_OR_RETURN(CliqueKey key, KeyOf(group, request.kind));
      if (!acquired_.contains(key)) {
        const auto whole = whole_.find(key);
        if (whole != whole_.end()) {
          plan_.steps.push_back({Kind::kReuse, key, whole->second, {}, key.devices()});
          MakeAvailable(key, whole->second);
        } else {
          missing.push_back(key);
        }
      }
      if (request.needs.barrier) barriers_.push_back(key);
    }
    if (missing.empty()) return absl::OkStatus();
    if (const Available* parent = FindParent(missing); parent != nullptr) {
      AcquisitionStep step{Kind::kSplit, parent->key, parent->instance, {}, parent->key.devices()};
      for (const CliqueKey& key : missing) step.children.push_back({key, plan_.next_instance++});
      plan_.steps.push_back(step);
      for (const auto& child : step.children) MakeAvailable(child.key, child.instance);
      return absl::OkStatus();
    }
    for (const CliqueKey& key : missing) {
      const InstanceId instance = plan_.next_instance++;
      plan_.steps.push_back({Kind::kCreate, key, instance, {}, key.devices()});
      MakeAvailable(key, instance);
    }
    return absl::OkStatus();
  }

  // The smallest clique at hand that holds all devices of `missing`.
  const Available* FindParent(const std::vector<CliqueKey>& missing) const {
    if (!facts_.can_split) return nullptr;
    size_t devices = 0;
    for (const CliqueKey& key : missing) devices += key.devices().size();
    if (devices == 1) return nullptr;  // alone: made without meeting anybody
    const auto found = by_device_.find({missing[0].devices()[0], missing[0].kind()});
    if (found == by_device_.end()) return nullptr;
    // Requests come largest first, so the last ones are the smallest.
    int tried = 0;
    for (auto index = found->second.rbegin(); index != found->second.rend(); ++index) {
      const Available& candidate = available_[*index];
      if (candidate.key.devices().size() < devices) continue;
      if (++tried > kMaxParentsTried) return nullptr;
      const absl::flat_hash_set<GlobalDeviceId> members(candidate.key.devices().begin(),
                                                        candidate.key.devices().end());
      const bool holds_all = std::all_of(missing.begin(), missing.end(), [&](const auto& key) {
        return std::all_of(key.devices().begin(), key.devices().end(),
                           [&](GlobalDeviceId device) { return members.contains(device); });
      });
      if (holds_all) return &candidate;
    }
    return nullptr;
  }

  // Last of all, so that nobody meets at a barrier while another still waits for
  // it to create something.
  void AddBarriers() {
    absl::flat_hash_set<CliqueKey> added;
    for (const CliqueKey& key : barriers_) {
      if (key.size() == 1 || !added.insert(key).second) continue;
      plan_.steps.push_back(
          {Kind::kBarrier, key, available_[acquired_.at(key)].instance, {}, key.devices()});
    }
  }

  const AcquisitionFacts& facts_;
  AcquisitionPlan plan_;
  std::map<CliqueKey, InstanceId> whole_;
  std::vector<Available> available_;
  absl::flat_hash_map<CliqueKey, int32_t> acquired_;
  absl::flat_hash_map<std::pair<GlobalDeviceId, CommunicationKind>, std::vector<int32_t>>
      by_device_;
  std::vector<CliqueKey> barriers_;
};

}  // namespace

std::string AcquisitionStep::Name() const { return absl::StrCat(KindName(kind), " #", instance); }

std::string AcquisitionStep::ToString() const {
  std::string text = absl::StrCat(Name(), " {", absl::StrJoin(key.devices(), ","), "}");
  if (kind == Kind::kAbandon) {
    absl::StrAppend(&text, " by {", absl::StrJoin(participants, ","), "}");
  }
  for (const Child& child : children) {
    absl::StrAppend(&text, " -> #", child.instance, " {", absl::StrJoin(child.key.devices(), ","),
                    "}");
  }
  return text;
}

absl::flat_hash_map<GlobalDeviceId, std::vector<int32_t>> AcquisitionPlan::StepsByDevice() const {
  absl::flat_hash_map<GlobalDeviceId, std::vector<int32_t>> by_device;
  for (size_t i = 0; i < steps.size(); ++i) {
    for (const GlobalDeviceId device : steps[i].participants) {
      by_device[device].push_back(static_cast<int32_t>(i));
    }
  }
  return by_device;
}

std::string AcquisitionPlan::ToString() const {
  return absl::StrJoin(steps, "\n", [](std::string* out, const AcquisitionStep& step) {
    absl::StrAppend(out, step.ToString());
  });
}

absl::StatusOr<AcquisitionPlan> PlanAcquisition(const AcquisitionFacts& facts) {
  return Planner(facts).Plan();
}

}  // namespace warpyard::collectives
