// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/nvrtc_library.h"

#include <string>

#include "absl/status/statusor.h"
#include "cc/base/dynamic_library.h"
#include "cc/base/status_macros.h"
#include "cc/ptx/cuda_locator.h"

namespace warpyard::ptx {

absl::StatusOr<NvrtcLibrary> NvrtcLibrary::Open(const std::string& path) {
  WARPYARD_ASSIGN_OR_RETURN(const DynamicLibrary library,
                            DynamicLibrary::Open(path, InstallRemedy(CudaPart::kNvrtc)));
  NvrtcLibrary table;
  SymbolBinder binder(library);
  binder.Required("nvrtcGetErrorString", table.get_error_string);
  binder.Required("nvrtcVersion", table.version);
  binder.Required("nvrtcGetNumSupportedArchs", table.get_num_supported_archs);
  binder.Required("nvrtcGetSupportedArchs", table.get_supported_archs);
  binder.Required("nvrtcCreateProgram", table.create_program);
  binder.Required("nvrtcDestroyProgram", table.destroy_program);
  binder.Required("nvrtcCompileProgram", table.compile_program);
  binder.Required("nvrtcGetPTXSize", table.get_ptx_size);
  binder.Required("nvrtcGetPTX", table.get_ptx);
  binder.Required("nvrtcGetCUBINSize", table.get_cubin_size);
  binder.Required("nvrtcGetCUBIN", table.get_cubin);
  binder.Required("nvrtcGetLTOIRSize", table.get_lto_ir_size);
  binder.Required("nvrtcGetLTOIR", table.get_lto_ir);
  binder.Required("nvrtcGetProgramLogSize", table.get_program_log_size);
  binder.Required("nvrtcGetProgramLog", table.get_program_log);
  WARPYARD_RETURN_IF_ERROR(binder.Finish());
  return table;
}

}  // namespace warpyard::ptx
