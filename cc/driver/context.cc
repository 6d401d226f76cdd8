// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/driver/context.h"

#include <cuda.h>

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "cc/base/status_macros.h"
#include "cc/driver/driver.h"
#include "cc/driver/driver_table.h"

namespace warpyard::driver {

absl::StatusOr<std::shared_ptr<const Context>> Context::Retain(const Driver* driver, int ordinal) {
  if (driver->device_count() == 0) {
    return absl::NotFoundError(
        absl::StrCat("the CUDA driver ", driver->path(),
                     " finds no GPU. To emulate one: warpyard.emulate(\"h100\") or "
                     "WARPYARD_EMULATE=h100"));
  }
  if (ordinal < 0 || ordinal >= driver->device_count()) {
    return absl::OutOfRangeError(absl::StrCat("device ", ordinal, ": the driver ", driver->path(),
                                              " has ", driver->device_count(), ", from 0 on"));
  }
  const DriverTable& table = driver->table();
  CUdevice device = 0;
  WARPYARD_CALL_DRIVER(table, cuDeviceGet, &device, ordinal);
  CUcontext handle = nullptr;
  WARPYARD_CALL_DRIVER(table, cuDevicePrimaryCtxRetain, &handle, device);
  return std::shared_ptr<const Context>(new Context(driver, ordinal, device, handle));
}

Context::~Context() { driver_->table().cuDevicePrimaryCtxRelease(device_); }

absl::Status Context::Synchronize() const {
  const ScopedContext current(*this);
  WARPYARD_RETURN_IF_ERROR(current.status());
  WARPYARD_CALL_DRIVER(driver_->table(), cuCtxSynchronize);
  return absl::OkStatus();
}

absl::Status Context::EnablePeerAccess(const Context& peer) const {
  const ScopedContext current(*this);
  WARPYARD_RETURN_IF_ERROR(current.status());
  const DriverTable& table = driver_->table();
  if (table.cuCtxEnablePeerAccess == nullptr) return MissingFunction("cuCtxEnablePeerAccess");
  const CUresult result = table.cuCtxEnablePeerAccess(peer.handle(), 0);
  if (result == CUDA_SUCCESS || result == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED) {
    return absl::OkStatus();
  }
  return DriverError(table, "cuCtxEnablePeerAccess", result);
}

ScopedContext::ScopedContext(const Context& context) : driver_(context.driver()) {
  const DriverTable& table = driver_.table();
  const CUresult result = table.cuCtxPushCurrent(context.handle());
  if (result != CUDA_SUCCESS) status_ = DriverError(table, "cuCtxPushCurrent", result);
}

ScopedContext::~ScopedContext() {
  CUcontext popped = nullptr;
  if (status_.ok()) driver_.table().cuCtxPopCurrent(&popped);
}

}  // namespace warpyard::driver
