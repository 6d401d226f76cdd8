// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/driver/device.h"

#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "cc/emulator/device/posed_device.h"
#include "cc/emulator/driver/control.h"
#include "cc/target/spec_database.h"

namespace warpyard::emulator::driver {

Driver& Driver::Get() {
  static Driver& driver = *new Driver;
  return driver;
}

CUresult Driver::Initialize() {
  const std::lock_guard<std::mutex> lock(mutex_);
  const int process = static_cast<int>(getpid());
  if (process_ != 0) {
    return process_ == process ? result_ : CUDA_ERROR_NOT_INITIALIZED;
  }
  const std::optional<std::string> controlled = ControlledDevices();
  const char* const emulate =
      controlled.has_value() ? controlled->c_str() : std::getenv(kEmulateVariable.data());
  absl::StatusOr<std::vector<PosedDevice>> posed =
      ParseEmulate(emulate == nullptr ? "" : emulate, SpecDatabase::Embedded());
  if (!posed.ok()) {
    Report(posed.status().message());
    return CUDA_ERROR_NO_DEVICE;
  }
  if (const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES");
      visible != nullptr && !controlled) {
    posed = SelectVisible(*std::move(posed), visible);
  }
  for (PosedDevice& device : *posed) {
    devices_.push_back(std::make_unique<Device>(std::move(device)));
  }
  result_ = devices_.empty() ? CUDA_ERROR_NO_DEVICE : CUDA_SUCCESS;
  process_ = process;
  return result_;
}

CUresult Driver::CheckInitialized() const {
  const int process = process_.load(std::memory_order_acquire);
  // getpid is a system call; only the process that initialised has a non-zero
  // value here but for its children, and those have their own atfork handler.
  static thread_local int self = 0;
  static thread_local int self_of = -1;
  static const bool registered = [] {
    return pthread_atfork(nullptr, nullptr, [] { self_of = -1; }) == 0;
  }();
  if (self_of != process || !registered) {
    self = static_cast<int>(getpid());
    self_of = process;
  }
  if (process == 0 || process != self) return CUDA_ERROR_NOT_INITIALIZED;
  return result_;
}

CUresult Driver::FindDevice(CUdevice ordinal, Device** device) const {
  if (ordinal < 0 || ordinal >= device_count()) return CUDA_ERROR_INVALID_DEVICE;
  *device = devices_[static_cast<size_t>(ordinal)].get();
  return CUDA_SUCCESS;
}

CUresult GetDevice(CUdevice ordinal, Device** device) {
  WARPYARD_CU_TRY(Driver::Get().CheckInitialized());
  return Driver::Get().FindDevice(ordinal, device);
}

}  // namespace warpyard::emulator::driver
