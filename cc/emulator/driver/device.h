// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The driver's state in this process: its devices, and what they share.

#ifndef WARPYARD_CC_EMULATOR_DRIVER_DEVICE_H_
#define WARPYARD_CC_EMULATOR_DRIVER_DEVICE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "cc/emulator/device/host_pages.h"
#include "cc/emulator/device/memory_budget.h"
#include "cc/emulator/device/posed_device.h"
#include "cc/emulator/driver/api.h"

namespace warpyard::emulator::driver {

class Context;
class MemoryPool;

struct Device {
  explicit Device(PosedDevice posed_device)
      : posed(std::move(posed_device)), budget(posed.spec->memory_bytes) {}

  const PosedDevice posed;
  MemoryBudget budget;

  const DeviceSpec& spec() const { return *posed.spec; }
  const Generation& generation() const { return *posed.spec->generation; }
  CUdevice ordinal() const { return posed.ordinal; }

  // The primary context: made on first use, shared by all who retain it.
  std::mutex primary_mutex;
  std::shared_ptr<Context> primary;  // the handle stays the same when it is reset
  int primary_retained = 0;
  unsigned primary_flags = 0;

  std::mutex pool_mutex;
  std::shared_ptr<MemoryPool> default_pool;
  std::shared_ptr<MemoryPool> current_pool;
};

class Driver {
 public:
  // Never destroyed, as threads may still run when the process ends.
  static Driver& Get();

  // cuInit: reads WARPYARD_EMULATE and CUDA_VISIBLE_DEVICES the first time.
  CUresult Initialize();
  // CUDA_ERROR_NOT_INITIALIZED before, and in a child of a process that had
  // initialised it: as NVIDIA's, it does not survive fork.
  CUresult CheckInitialized() const;

  int device_count() const { return static_cast<int>(devices_.size()); }
  // CUDA_ERROR_INVALID_DEVICE for an ordinal that is none.
  CUresult FindDevice(CUdevice ordinal, Device** device) const;
  const std::vector<std::unique_ptr<Device>>& devices() const { return devices_; }

  HostPages& pages() { return pages_; }

 private:
  Driver() = default;

  std::mutex mutex_;
  std::atomic<int> process_{0};  // that initialised it
  CUresult result_ = CUDA_SUCCESS;
  std::vector<std::unique_ptr<Device>> devices_;
  HostPages pages_;
};

// CheckInitialized and FindDevice.
CUresult GetDevice(CUdevice ordinal, Device** device);

}  // namespace warpyard::emulator::driver

#endif  // WARPYARD_CC_EMULATOR_DRIVER_DEVICE_H_
