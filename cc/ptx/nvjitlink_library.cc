// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/nvjitlink_library.h"

#include <string>

#include "absl/status/statusor.h"
#include "cc/base/dynamic_library.h"
#include "cc/base/status_macros.h"
#include "cc/ptx/cuda_locator.h"

namespace warpyard::ptx {

absl::StatusOr<NvJitLinkLibrary> NvJitLinkLibrary::Open(const std::string& path) {
  WARPYARD_ASSIGN_OR_RETURN(const DynamicLibrary library,
                            DynamicLibrary::Open(path, InstallRemedy(CudaPart::kNvJitLink)));
  NvJitLinkLibrary table;
  SymbolBinder binder(library);
  binder.Required("nvJitLinkCreate", table.create);
  binder.Required("nvJitLinkDestroy", table.destroy);
  binder.Required("nvJitLinkAddData", table.add_data);
  binder.Required("nvJitLinkComplete", table.complete);
  binder.Required("nvJitLinkGetLinkedCubinSize", table.get_linked_cubin_size);
  binder.Required("nvJitLinkGetLinkedCubin", table.get_linked_cubin);
  binder.Required("nvJitLinkGetLinkedPtxSize", table.get_linked_ptx_size);
  binder.Required("nvJitLinkGetLinkedPtx", table.get_linked_ptx);
  binder.Required("nvJitLinkGetErrorLogSize", table.get_error_log_size);
  binder.Required("nvJitLinkGetErrorLog", table.get_error_log);
  binder.Required("nvJitLinkGetInfoLogSize", table.get_info_log_size);
  binder.Required("nvJitLinkGetInfoLog", table.get_info_log);
  binder.Required("nvJitLinkVersion", table.version);
  WARPYARD_RETURN_IF_ERROR(binder.Finish());
  return table;
}

}  // namespace warpyard::ptx
