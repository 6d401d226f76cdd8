// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/target/device_spec.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "cc/target/compute_capability.h"
#include "cc/target/device_spec.pb.h"
#include "cc/target/figure_sources.h"
#include "cc/target/generation.h"

namespace warpyard {
namespace {

using target::DeviceSpecProto;

// Names stand in Bazel targets, lanes and command lines. One that reads as a
// number would be taken for a compute capability.
bool IsName(std::string_view name) {
  if (name.empty() || !absl::ascii_islower(static_cast<unsigned char>(name.front()))) return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    const auto u = static_cast<unsigned char>(c);
    return absl::ascii_islower(u) || absl::ascii_isdigit(u) || c == '-';
  });
}

// NVIDIA rounds bandwidths, and quotes those of HBM3e ahead of the clock that
// its own driver reports.
constexpr double kBandwidthTolerance = 0.05;

std::vector<std::string> Contradictions(const DeviceSpecProto& p) {
  std::vector<std::string> found;
  const auto require = [&found](bool holds, std::string_view rule) {
    if (!holds) found.emplace_back(rule);
  };
  require(!p.has_base_clock_mhz() || !p.has_boost_clock_mhz() ||
              p.base_clock_mhz() <= p.boost_clock_mhz(),
          "base_clock_mhz exceeds boost_clock_mhz");
  if (p.has_memory_clock_mhz() && p.has_memory_bus_width_bits() &&
      p.has_memory_bandwidth_gb_per_s()) {
    // Two transfers a clock.
    const double gb_per_s =
        2.0 * p.memory_clock_mhz() * 1e6 * (p.memory_bus_width_bits() / 8.0) / 1e9;
    const double stated = p.memory_bandwidth_gb_per_s();
    if (std::abs(gb_per_s - stated) > kBandwidthTolerance * stated) {
      found.push_back(absl::StrCat("memory_bandwidth_gb_per_s is ", stated,
                                   ", but clock and bus width give ", gb_per_s));
    }
  }
  require((p.nvlink_generation() > 0) == (p.nvlink_bandwidth_gb_per_s() > 0),
          "nvlink_generation and nvlink_bandwidth_gb_per_s disagree on whether there is NVLink");
  const bool pcie = p.host_link() == target::PCIE;
  require(p.host_link() != target::HOST_LINK_UNSPECIFIED, "host_link is unspecified");
  require(pcie == (p.pcie_generation() > 0) && pcie == (p.pcie_lanes() > 0),
          "pcie_generation, pcie_lanes and host_link disagree on whether it is PCIe");
  return found;
}

}  // namespace

absl::StatusOr<DeviceSpec> DeviceSpecFromProto(const DeviceSpecProto& proto,
                                               const std::vector<Generation>& generations) {
  const std::string name = absl::StrCat("GPU \"", proto.name(), "\"");
  DeviceSpec spec;
  spec.sources.assign(proto.sources().begin(), proto.sources().end());
  const absl::Status sourced = CheckFigureSources(
      name, proto, spec.sources, {proto.not_published().begin(), proto.not_published().end()},
      /*exempt=*/{"name", "aliases", "sources", "not_published"});
  if (!sourced.ok()) return sourced;

  std::vector<std::string> breaches;
  spec.name = proto.name();
  if (!IsName(spec.name)) breaches.emplace_back("name is not lower case letters, digits and '-'");
  for (const std::string& alias : proto.aliases()) {
    if (!IsName(alias)) {
      breaches.push_back(
          absl::StrCat("alias \"", alias, "\" is not lower case letters, digits and '-'"));
    }
    spec.aliases.push_back(alias);
  }
  spec.product_name = proto.product_name();

  absl::StatusOr<ComputeCapability> cc = ComputeCapability::Parse(proto.compute_capability());
  if (!cc.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(name, ": ", cc.status().message()));
  }
  for (const Generation& generation : generations) {
    if (generation.compute_capability == *cc) spec.generation = &generation;
  }
  if (spec.generation == nullptr) {
    breaches.push_back(absl::StrCat("compute_capability ", proto.compute_capability(),
                                    " is of no generation in generations.textproto"));
  }

  const auto in_range = [&breaches](std::string_view field, int64_t value, int64_t least,
                                    int64_t most) {
    if (value < least || value > most) {
      breaches.push_back(absl::StrCat(field, " is ", value, ", expected ", least, " to ", most));
    }
  };
  const auto clock = [&in_range](std::string_view field, bool has, int value) {
    if (has) in_range(field, value, 1, 100'000);
    return has ? std::optional<int>(value) : std::nullopt;
  };
  spec.base_clock_mhz = clock("base_clock_mhz", proto.has_base_clock_mhz(), proto.base_clock_mhz());
  spec.boost_clock_mhz =
      clock("boost_clock_mhz", proto.has_boost_clock_mhz(), proto.boost_clock_mhz());
  spec.memory_clock_mhz =
      clock("memory_clock_mhz", proto.has_memory_clock_mhz(), proto.memory_clock_mhz());

  in_range("sm_count", proto.sm_count(), 1, 4096);
  spec.sm_count = proto.sm_count();
  in_range("memory_gb", proto.memory_gb(), 1, 1 << 20);
  spec.memory_bytes = int64_t{proto.memory_gb()} << 30;
  spec.memory_type = proto.memory_type();
  in_range("memory_bus_width_bits", proto.memory_bus_width_bits(), 1, 1 << 20);
  spec.memory_bus_width_bits = proto.memory_bus_width_bits();
  in_range("memory_bandwidth_gb_per_s", proto.memory_bandwidth_gb_per_s(), 1, 1 << 24);
  spec.memory_bandwidth_bytes_per_s = int64_t{proto.memory_bandwidth_gb_per_s()} * 1'000'000'000;
  in_range("l2_cache_bytes", proto.l2_cache_bytes(), 1, int64_t{1} << 40);
  spec.l2_cache_bytes = proto.l2_cache_bytes();
  in_range("nvlink_generation", proto.nvlink_generation(), 0, 100);
  spec.nvlink_generation = proto.nvlink_generation();
  in_range("nvlink_bandwidth_gb_per_s", proto.nvlink_bandwidth_gb_per_s(), 0, 1 << 24);
  spec.nvlink_bandwidth_bytes_per_s = int64_t{proto.nvlink_bandwidth_gb_per_s()} * 1'000'000'000;
  spec.host_link = proto.host_link();
  in_range("pcie_generation", proto.pcie_generation(), 0, 100);
  spec.pcie_generation = proto.pcie_generation();
  in_range("pcie_lanes", proto.pcie_lanes(), 0, 64);
  spec.pcie_lanes = proto.pcie_lanes();

  for (std::string& contradiction : Contradictions(proto)) {
    breaches.push_back(std::move(contradiction));
  }
  if (!breaches.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(name, ": ", absl::StrJoin(breaches, "; ")));
  }
  return spec;
}

}  // namespace warpyard
