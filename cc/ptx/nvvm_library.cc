// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/nvvm_library.h"

#include <string>

#include "absl/status/statusor.h"
#include "cc/base/dynamic_library.h"
#include "cc/base/status_macros.h"
#include "cc/ptx/cuda_locator.h"

namespace warpyard::ptx {

absl::StatusOr<NvvmLibrary> NvvmLibrary::Open(const std::string& path) {
  WARPYARD_ASSIGN_OR_RETURN(const DynamicLibrary library,
                            DynamicLibrary::Open(path, InstallRemedy(CudaPart::kNvvm)));
  NvvmLibrary table;
  SymbolBinder binder(library);
  binder.Required("nvvmGetErrorString", table.get_error_string);
  binder.Required("nvvmCreateProgram", table.create_program);
  binder.Required("nvvmDestroyProgram", table.destroy_program);
  binder.Required("nvvmAddModuleToProgram", table.add_module_to_program);
  binder.Required("nvvmLazyAddModuleToProgram", table.lazy_add_module_to_program);
  binder.Required("nvvmCompileProgram", table.compile_program);
  binder.Required("nvvmGetCompiledResultSize", table.get_compiled_result_size);
  binder.Required("nvvmGetCompiledResult", table.get_compiled_result);
  binder.Required("nvvmGetProgramLogSize", table.get_program_log_size);
  binder.Required("nvvmGetProgramLog", table.get_program_log);
  binder.Optional("nvvmLLVMVersion", table.llvm_version);
  WARPYARD_RETURN_IF_ERROR(binder.Finish());
  return table;
}

}  // namespace warpyard::ptx
