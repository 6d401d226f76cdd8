// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// NVRTC's C functions, opened at run time.
//
// Source: NVIDIA, "NVRTC" documentation, "User Interface" (nvrtc.h).

#ifndef WARPYARD_CC_PTX_NVRTC_LIBRARY_H_
#define WARPYARD_CC_PTX_NVRTC_LIBRARY_H_

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"

namespace warpyard::ptx {

// Of nvrtcResult, the values that are told apart here.
inline constexpr int kNvrtcSuccess = 0;
inline constexpr int kNvrtcOutOfMemory = 1;
inline constexpr int kNvrtcInvalidInput = 3;
inline constexpr int kNvrtcInvalidOption = 5;
inline constexpr int kNvrtcCompilation = 6;

// Function pointers under NVRTC's own names without their prefix. They may be
// called from any thread; one program is used by one thread at a time.
struct NvrtcLibrary {
  using Program = void*;  // nvrtcProgram

  const char* (*get_error_string)(int result);
  int (*version)(int* major, int* minor);
  int (*get_num_supported_archs)(int* count);
  int (*get_supported_archs)(int* archs);
  int (*create_program)(Program* program, const char* source, const char* name, int header_count,
                        const char* const* headers, const char* const* include_names);
  int (*destroy_program)(Program* program);
  int (*compile_program)(Program program, int option_count, const char* const* options);
  int (*get_ptx_size)(Program program, size_t* size);
  int (*get_ptx)(Program program, char* ptx);
  int (*get_cubin_size)(Program program, size_t* size);
  int (*get_cubin)(Program program, char* cubin);
  int (*get_lto_ir_size)(Program program, size_t* size);
  int (*get_lto_ir)(Program program, char* lto_ir);
  int (*get_program_log_size)(Program program, size_t* size);
  int (*get_program_log)(Program program, char* log);

  // Opens the library at `path`. Errors as DynamicLibrary::Open's and
  // SymbolBinder::Finish's.
  static absl::StatusOr<NvrtcLibrary> Open(const std::string& path);
};

}  // namespace warpyard::ptx

#endif  // WARPYARD_CC_PTX_NVRTC_LIBRARY_H_
