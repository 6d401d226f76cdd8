// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/driver/device_memory.h"

#include <cuda.h>

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/memory/memory.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "cc/base/status_macros.h"
#include "cc/driver/context.h"
#include "cc/driver/driver_table.h"

namespace warpyard::driver {

absl::StatusOr<std::unique_ptr<DeviceMemory>> DeviceMemory::Allocate(
    std::shared_ptr<const Context> context, uint64_t bytes) {
  CUdeviceptr address = 0;
  if (bytes > 0) {
    const ScopedContext current(*context);
    WARPYARD_RETURN_IF_ERROR(current.status());
    const DriverTable& table = context->driver().table();
    const CUresult result = table.cuMemAlloc(&address, bytes);
    if (result != CUDA_SUCCESS) {
      return DriverError(table, absl::StrCat("cuMemAlloc of ", bytes, " bytes"), result);
    }
  }
  return absl::WrapUnique(new DeviceMemory(std::move(context), address, bytes));
}

DeviceMemory::~DeviceMemory() {
  if (address_ == 0) return;
  const ScopedContext current(*context_);
  if (current.status().ok()) context_->driver().table().cuMemFree(address_);
}

}  // namespace warpyard::driver
