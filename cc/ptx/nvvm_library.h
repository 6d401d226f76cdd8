// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// libNVVM's C functions, opened at run time.
//
// Source: NVIDIA, "libNVVM API" documentation (nvvm.h).

#ifndef WARPYARD_CC_PTX_NVVM_LIBRARY_H_
#define WARPYARD_CC_PTX_NVVM_LIBRARY_H_

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"

namespace warpyard::ptx {

// Of nvvmResult, the values that are told apart here.
inline constexpr int kNvvmSuccess = 0;
inline constexpr int kNvvmOutOfMemory = 1;
inline constexpr int kNvvmIrVersionMismatch = 3;
inline constexpr int kNvvmInvalidInput = 4;
inline constexpr int kNvvmInvalidIr = 6;
inline constexpr int kNvvmInvalidOption = 7;
inline constexpr int kNvvmCompilation = 9;

// Function pointers under libNVVM's own names without their prefix. They may be
// called from any thread; one program is used by one thread at a time.
//
// nvvmVerifyProgram is left out on purpose: that of CUDA 13.5 crashes on some
// invalid modules that nvvmCompileProgram rejects with a message.
struct NvvmLibrary {
  using Program = void*;  // nvvmProgram

  const char* (*get_error_string)(int result);
  int (*create_program)(Program* program);
  int (*destroy_program)(Program* program);
  int (*add_module_to_program)(Program program, const char* bytes, size_t size, const char* name);
  int (*lazy_add_module_to_program)(Program program, const char* bytes, size_t size,
                                    const char* name);
  int (*compile_program)(Program program, int option_count, const char** options);
  int (*get_compiled_result_size)(Program program, size_t* size);
  int (*get_compiled_result)(Program program, char* bytes);
  int (*get_program_log_size)(Program program, size_t* size);
  int (*get_program_log)(Program program, char* log);
  // The LLVM release behind a "compute_NN"; null before CUDA 12.9.
  int (*llvm_version)(const char* arch, int* major);

  // Opens the library at `path`. Errors as DynamicLibrary::Open's and
  // SymbolBinder::Finish's.
  static absl::StatusOr<NvvmLibrary> Open(const std::string& path);
};

}  // namespace warpyard::ptx

#endif  // WARPYARD_CC_PTX_NVVM_LIBRARY_H_
