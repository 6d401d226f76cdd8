// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/collectives/clique_key.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace warpyard::collectives {

absl::StatusOr<CliqueKey> CliqueKey::Create(std::vector<GlobalDeviceId> devices,
                                            int64_t local_participants, CommunicationKind kind,
                                            std::vector<Incarnation> incarnations) {
  if (devices.empty()) return absl::InvalidArgumentError("clique: it has no devices");
  absl::flat_hash_set<GlobalDeviceId> seen;
  for (const GlobalDeviceId device : devices) {
    if (!seen.insert(device).second) {
      return absl::InvalidArgumentError(absl::StrCat("clique: device ", device, " occurs twice"));
    }
  }
  if (local_participants < 0 || local_participants > static_cast<int64_t>(devices.size())) {
    return absl::InvalidArgumentError(absl::StrCat(
        "clique: ", local_participants, " local participants of ", devices.size(), " devices"));
  }
  if (!incarnations.empty() && incarnations.size() != devices.size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "clique: ", incarnations.size(), " incarnations for ", devices.size(), " devices"));
  }
  CliqueKey key;
  key.devices_ = std::move(devices);
  key.local_participants_ = local_participants;
  key.kind_ = kind;
  key.incarnations_ = std::move(incarnations);
  return key;
}

std::optional<int64_t> CliqueKey::Rank(GlobalDeviceId device) const {
  const auto found = std::find(devices_.begin(), devices_.end(), device);
  if (found == devices_.end()) return std::nullopt;
  return found - devices_.begin();
}

bool CliqueKey::IsSubsetOf(const CliqueKey& other) const {
  if (kind_ != other.kind_ || incarnations_.empty() != other.incarnations_.empty() ||
      size() > other.size()) {
    return false;
  }
  absl::flat_hash_map<GlobalDeviceId, int64_t> ranks;
  for (int64_t i = 0; i < other.size(); ++i) ranks[other.devices_[i]] = i;
  for (int64_t i = 0; i < size(); ++i) {
    const auto found = ranks.find(devices_[i]);
    if (found == ranks.end()) return false;
    if (!incarnations_.empty() && incarnations_[i] != other.incarnations_[found->second]) {
      return false;
    }
  }
  return true;
}

absl::StatusOr<std::vector<GlobalDeviceId>> CliqueKey::Roots(int64_t count) const {
  if (count < 1 || count > size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("clique: ", count, " roots of ", size(), " devices"));
  }
  std::vector<GlobalDeviceId> roots;
  const int64_t base = size() / count;
  const int64_t longer = size() % count;  // so many runs have one rank more
  for (int64_t i = 0; i < count; ++i) roots.push_back(devices_[i * base + std::min(i, longer)]);
  return roots;
}

std::string CliqueKey::ToString() const {
  return absl::StrCat("devices=", size(), ":[", absl::StrJoin(devices_, ","),
                      "]; local_participants=", local_participants_,
                      "; communication_id=", static_cast<int>(kind_), "; incarnations=[",
                      absl::StrJoin(incarnations_, ","), "]");
}

uint64_t CliqueKey::Fingerprint() const {
  // FNV-1a over the words of the key, each with its count before it.
  uint64_t hash = 0xcbf29ce484222325;
  const auto mix = [&hash](uint64_t word) {
    for (int i = 0; i < 8; ++i) {
      hash = (hash ^ (word & 0xff)) * 0x100000001b3;
      word >>= 8;
    }
  };
  mix(static_cast<uint64_t>(kind_));
  mix(devices_.size());
  for (const GlobalDeviceId device : devices_) mix(static_cast<uint64_t>(device));
  mix(incarnations_.size());
  for (const Incarnation incarnation : incarnations_) mix(incarnation);
  return hash;
}

std::strong_ordering operator<=>(const CliqueKey& a, const CliqueKey& b) {
  if (const auto order = a.kind_ <=> b.kind_; order != 0) return order;
  if (const auto order = a.devices_ <=> b.devices_; order != 0) return order;
  return a.incarnations_ <=> b.incarnations_;
}

}  // namespace warpyard::collectives
