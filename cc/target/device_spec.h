// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// One GPU product, as a plain value.

#ifndef WARPYARD_CC_TARGET_DEVICE_SPEC_H_
#define WARPYARD_CC_TARGET_DEVICE_SPEC_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cc/target/compute_capability.h"
#include "cc/target/device_spec.pb.h"
#include "cc/target/generation.h"

namespace warpyard {

// The fields and their sources are described in device_spec.proto. An absent
// figure is one that NVIDIA does not publish.
struct DeviceSpec {
  std::string name;                  // "h100", as in --target h100
  std::vector<std::string> aliases;  // "h100-sxm"
  std::string product_name;          // "NVIDIA H100 SXM5 80GB"
  // What the product shares with all of its compute capability. Not owned;
  // outlives the spec.
  const Generation* generation = nullptr;

  int sm_count = 0;
  std::optional<int> base_clock_mhz;
  std::optional<int> boost_clock_mhz;
  std::optional<int> memory_clock_mhz;

  int64_t memory_bytes = 0;  // NVIDIA's GB of device memory is 2^30 bytes
  std::string memory_type;   // "HBM3"
  int memory_bus_width_bits = 0;
  int64_t memory_bandwidth_bytes_per_s = 0;
  int64_t l2_cache_bytes = 0;

  int nvlink_generation = 0;                 // 0: none
  int64_t nvlink_bandwidth_bytes_per_s = 0;  // all links, both directions

  target::HostLink host_link = target::HOST_LINK_UNSPECIFIED;
  int pcie_generation = 0;  // 0 where the host link is not PCIe
  int pcie_lanes = 0;

  std::vector<target::Source> sources;

  const ComputeCapability& compute_capability() const { return generation->compute_capability; }
  // What to compile for to use all of it: 9.0a for an H100.
  const ComputeCapability& native_target() const { return generation->native_target; }
};

// Checks and converts. `generations` must outlive the result. INVALID_ARGUMENT
// names the product and the field: a figure without a source
// (figure_sources.h), a number out of range, an unknown generation, or two
// figures that contradict each other.
absl::StatusOr<DeviceSpec> DeviceSpecFromProto(const target::DeviceSpecProto& proto,
                                               const std::vector<Generation>& generations);

}  // namespace warpyard

#endif  // WARPYARD_CC_TARGET_DEVICE_SPEC_H_
