// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/driver_library.h"

#include <string>

#include "absl/status/statusor.h"
#include "cc/base/dynamic_library.h"
#include "cc/base/status_macros.h"

namespace warpyard::ptx {

absl::StatusOr<DriverLibrary> DriverLibrary::Open(const std::string& path) {
  WARPYARD_ASSIGN_OR_RETURN(
      const DynamicLibrary library,
      DynamicLibrary::Open(path,
                           "The driver compiles only where an NVIDIA GPU and its driver "
                           "are installed; nvrtc, nvjitlink and ptxas need neither"));
  DriverLibrary table;
  SymbolBinder binder(library);
  binder.Required("cuInit", table.init);
  binder.Required("cuDriverGetVersion", table.driver_get_version);
  binder.Required("cuGetErrorString", table.get_error_string);
  binder.Required("cuDeviceGetCount", table.device_get_count);
  binder.Required("cuDeviceGet", table.device_get);
  binder.Required("cuDevicePrimaryCtxRetain", table.device_primary_ctx_retain);
  binder.Required("cuDevicePrimaryCtxRelease_v2", table.device_primary_ctx_release);
  binder.Required("cuCtxPushCurrent_v2", table.ctx_push_current);
  binder.Required("cuCtxPopCurrent_v2", table.ctx_pop_current);
  binder.Required("cuLinkCreate_v2", table.link_create);
  binder.Required("cuLinkAddData_v2", table.link_add_data);
  binder.Required("cuLinkComplete", table.link_complete);
  binder.Required("cuLinkDestroy", table.link_destroy);
  WARPYARD_RETURN_IF_ERROR(binder.Finish());
  return table;
}

}  // namespace warpyard::ptx
