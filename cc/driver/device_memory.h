// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// An allocation of device memory.

#ifndef WARPYARD_CC_DRIVER_DEVICE_MEMORY_H_
#define WARPYARD_CC_DRIVER_DEVICE_MEMORY_H_

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "cc/driver/context.h"

namespace warpyard::driver {

// Owns one allocation, whose bytes are not initialised.
class DeviceMemory {
 public:
  // RESOURCE_EXHAUSTED: the device has no such piece left. Of 0 bytes there is
  // no allocation; its address is 0.
  static absl::StatusOr<std::unique_ptr<DeviceMemory>> Allocate(
      std::shared_ptr<const Context> context, uint64_t bytes);

  // Frees it, when the work that was given to the device before is done.
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  const std::shared_ptr<const Context>& context() const { return context_; }
  uint64_t address() const { return address_; }
  uint64_t bytes() const { return bytes_; }

 private:
  DeviceMemory(std::shared_ptr<const Context> context, uint64_t address, uint64_t bytes)
      : context_(std::move(context)), address_(address), bytes_(bytes) {}

  const std::shared_ptr<const Context> context_;
  const uint64_t address_;
  const uint64_t bytes_;
};

}  // namespace warpyard::driver

#endif  // WARPYARD_CC_DRIVER_DEVICE_MEMORY_H_
