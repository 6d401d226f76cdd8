// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The functions of the CUDA driver by which it compiles and links, opened at
// run time. (Everything else about the driver is in cc/driver, above.)
//
// Source: NVIDIA, "CUDA Driver API", "Module Management" and "Primary Context
// Management" (cuda.h).

#ifndef WARPYARD_CC_PTX_DRIVER_LIBRARY_H_
#define WARPYARD_CC_PTX_DRIVER_LIBRARY_H_

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"

namespace warpyard::ptx {

// Of CUresult, the values that are told apart here.
inline constexpr int kCudaSuccess = 0;
inline constexpr int kCudaOutOfMemory = 2;
inline constexpr int kCudaStubLibrary = 34;
inline constexpr int kCudaNoDevice = 100;
inline constexpr int kCudaInvalidImage = 200;
inline constexpr int kCudaNoBinaryForGpu = 209;
inline constexpr int kCudaInvalidPtx = 218;
inline constexpr int kCudaUnsupportedPtxVersion = 222;
inline constexpr int kCudaSystemDriverMismatch = 803;

// CUjit_option.
inline constexpr int kJitMaxRegisters = 0;
inline constexpr int kJitInfoLogBuffer = 3;
inline constexpr int kJitInfoLogBufferBytes = 4;
inline constexpr int kJitErrorLogBuffer = 5;
inline constexpr int kJitErrorLogBufferBytes = 6;
inline constexpr int kJitOptimizationLevel = 7;
inline constexpr int kJitTarget = 9;
inline constexpr int kJitGenerateDebugInfo = 11;
inline constexpr int kJitLogVerbose = 12;
inline constexpr int kJitGenerateLineInfo = 13;

// CUjitInputType.
inline constexpr int kJitInputCubin = 0;
inline constexpr int kJitInputPtx = 1;

// CUjit_target is the compute capability as a two or three digit number, plus
// one of these for `a` and `f`.
inline constexpr int kJitTargetArch = 0x10000;
inline constexpr int kJitTargetFamily = 0x20000;

// Function pointers under the driver's own names without their prefix.
struct DriverLibrary {
  using Context = void*;    // CUcontext
  using LinkState = void*;  // CUlinkState

  int (*init)(unsigned int flags);
  int (*driver_get_version)(int* version);
  int (*get_error_string)(int result, const char** text);
  int (*device_get_count)(int* count);
  int (*device_get)(int* device, int ordinal);
  int (*device_primary_ctx_retain)(Context* context, int device);
  int (*device_primary_ctx_release)(int device);
  int (*ctx_push_current)(Context context);
  int (*ctx_pop_current)(Context* context);
  int (*link_create)(unsigned int option_count, int* options, void** values, LinkState* state);
  int (*link_add_data)(LinkState state, int type, void* data, size_t size, const char* name,
                       unsigned int option_count, int* options, void** values);
  int (*link_complete)(LinkState state, void** cubin, size_t* size);
  int (*link_destroy)(LinkState state);

  // Opens the driver at `path`. NOT_FOUND where there is none.
  static absl::StatusOr<DriverLibrary> Open(const std::string& path);
};

}  // namespace warpyard::ptx

#endif  // WARPYARD_CC_PTX_DRIVER_LIBRARY_H_
