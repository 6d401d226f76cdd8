// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/nvrtc_library.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "cc/base/dynamic_library.h"
#include "cc/base/status_macros.h"
#include "cc/ptx/cuda_locator.h"

namespace warpyard::ptx {

namespace {

// Loads libnvrtc-builtins from beside NVRTC. NVRTC opens it by name at the first
// compilation and finds it through its own run path, which does not count where
// something stands between it and the loader (the address sanitizer does); one
// that is loaded already is found in any case. What is wrong with it, NVRTC says.
void LoadBuiltins(const std::string& nvrtc) {
  std::vector<std::string> found;
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::path(nvrtc).parent_path();
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (absl::StartsWith(entry.path().filename().string(), "libnvrtc-builtins.so.")) {
      found.push_back(entry.path().string());
    }
  }
  std::sort(found.begin(), found.end());
  for (const std::string& path : found) DynamicLibrary::Open(path, "").IgnoreError();
}

}  // namespace

absl::StatusOr<NvrtcLibrary> NvrtcLibrary::Open(const std::string& path) {
  WARPYARD_ASSIGN_OR_RETURN(const DynamicLibrary library,
                            DynamicLibrary::Open(path, InstallRemedy(CudaPart::kNvrtc)));
  LoadBuiltins(path);
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
