// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// What a driver tells of one GPU.

#ifndef WARPYARD_CC_DRIVER_DEVICE_H_
#define WARPYARD_CC_DRIVER_DEVICE_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "cc/driver/context.h"
#include "cc/driver/driver.h"
#include "cc/target/compute_capability.h"

namespace warpyard::driver {

struct DeviceInfo {
  int ordinal = 0;
  std::string name;  // "NVIDIA H100 80GB HBM3"
  ComputeCapability compute_capability{0, 0};
  std::string uuid;        // "GPU-xxxxxxxx-xxxx-...", or "" from a driver that tells none
  std::string pci_bus_id;  // "0000:01:00.0", or ""
  uint64_t memory_bytes = 0;
  int sm_count = 0;
};

// Needs no context. OUT_OF_RANGE: there is no device of that number.
absl::StatusOr<DeviceInfo> DescribeDevice(const Driver& driver, int ordinal);

// A CUdevice_attribute by its number, as <cuda.h> lists them.
absl::StatusOr<int> DeviceAttribute(const Driver& driver, int ordinal, int attribute);

// Whether kernels on device `from` can use memory of device `to`.
absl::StatusOr<bool> CanAccessPeer(const Driver& driver, int from, int to);

struct MemoryInfo {
  uint64_t free_bytes = 0;
  uint64_t total_bytes = 0;
};
absl::StatusOr<MemoryInfo> AvailableMemory(const Context& context);

}  // namespace warpyard::driver

#endif  // WARPYARD_CC_DRIVER_DEVICE_H_
