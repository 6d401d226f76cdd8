// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/driver/device.h"

#include <cuda.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "cc/base/status_macros.h"
#include "cc/driver/context.h"
#include "cc/driver/driver.h"
#include "cc/driver/driver_table.h"
#include "cc/target/compute_capability.h"

namespace warpyard::driver {
namespace {

absl::StatusOr<CUdevice> Handle(const Driver& driver, int ordinal) {
  if (ordinal < 0 || ordinal >= driver.device_count()) {
    return absl::OutOfRangeError(absl::StrCat("device ", ordinal, ": the driver ", driver.path(),
                                              " has ", driver.device_count(), ", from 0 on"));
  }
  CUdevice device = 0;
  WARPYARD_CALL_DRIVER(driver.table(), cuDeviceGet, &device, ordinal);
  return device;
}

// As nvidia-smi writes it.
std::string UuidText(const CUuuid& uuid) {
  const std::string hex = absl::BytesToHexString(std::string_view(uuid.bytes, sizeof(uuid.bytes)));
  return absl::StrCat("GPU-", hex.substr(0, 8), "-", hex.substr(8, 4), "-", hex.substr(12, 4), "-",
                      hex.substr(16, 4), "-", hex.substr(20));
}

}  // namespace

absl::StatusOr<DeviceInfo> DescribeDevice(const Driver& driver, int ordinal) {
  WARPYARD_ASSIGN_OR_RETURN(const CUdevice device, Handle(driver, ordinal));
  const DriverTable& table = driver.table();
  DeviceInfo info;
  info.ordinal = ordinal;
  char name[256] = {};
  WARPYARD_CALL_DRIVER(table, cuDeviceGetName, name, sizeof(name) - 1, device);
  info.name = name;
  int major = 0;
  int minor = 0;
  WARPYARD_CALL_DRIVER(table, cuDeviceGetAttribute, &major,
                       CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  WARPYARD_CALL_DRIVER(table, cuDeviceGetAttribute, &minor,
                       CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
  WARPYARD_ASSIGN_OR_RETURN(info.compute_capability,
                            ComputeCapability::Parse(absl::StrCat(major, ".", minor)));
  size_t bytes = 0;
  WARPYARD_CALL_DRIVER(table, cuDeviceTotalMem, &bytes, device);
  info.memory_bytes = bytes;
  WARPYARD_CALL_DRIVER(table, cuDeviceGetAttribute, &info.sm_count,
                       CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device);
  CUuuid uuid = {};
  if (table.cuDeviceGetUuid != nullptr && table.cuDeviceGetUuid(&uuid, device) == CUDA_SUCCESS) {
    info.uuid = UuidText(uuid);
  }
  char bus[32] = {};
  if (table.cuDeviceGetPCIBusId != nullptr &&
      table.cuDeviceGetPCIBusId(bus, sizeof(bus) - 1, device) == CUDA_SUCCESS) {
    info.pci_bus_id = bus;
  }
  return info;
}

absl::StatusOr<int> DeviceAttribute(const Driver& driver, int ordinal, int attribute) {
  WARPYARD_ASSIGN_OR_RETURN(const CUdevice device, Handle(driver, ordinal));
  int value = 0;
  WARPYARD_CALL_DRIVER(driver.table(), cuDeviceGetAttribute, &value,
                       static_cast<CUdevice_attribute>(attribute), device);
  return value;
}

absl::StatusOr<bool> CanAccessPeer(const Driver& driver, int from, int to) {
  WARPYARD_ASSIGN_OR_RETURN(const CUdevice from_device, Handle(driver, from));
  WARPYARD_ASSIGN_OR_RETURN(const CUdevice to_device, Handle(driver, to));
  int can = 0;
  WARPYARD_CALL_DRIVER(driver.table(), cuDeviceCanAccessPeer, &can, from_device, to_device);
  return can != 0;
}

absl::StatusOr<MemoryInfo> AvailableMemory(const Context& context) {
  const ScopedContext current(context);
  WARPYARD_RETURN_IF_ERROR(current.status());
  size_t free_bytes = 0;
  size_t total_bytes = 0;
  WARPYARD_CALL_DRIVER(context.driver().table(), cuMemGetInfo, &free_bytes, &total_bytes);
  return MemoryInfo{free_bytes, total_bytes};
}

}  // namespace warpyard::driver
