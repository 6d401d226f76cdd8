// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// nvJitLink's C functions, opened at run time.
//
// Source: NVIDIA, "nvJitLink" documentation, "User Interface" (nvJitLink.h).

#ifndef WARPYARD_CC_PTX_NVJITLINK_LIBRARY_H_
#define WARPYARD_CC_PTX_NVJITLINK_LIBRARY_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"

namespace warpyard::ptx {

// Of nvJitLinkResult, the values that are told apart here.
inline constexpr int kNvJitLinkSuccess = 0;
inline constexpr int kNvJitLinkUnrecognizedOption = 1;
inline constexpr int kNvJitLinkInternal = 6;
inline constexpr int kNvJitLinkThreadPool = 7;
inline constexpr int kNvJitLinkOutdatedLibrary = 14;
inline constexpr int kNvJitLinkUnrecognizedArch = 16;
inline constexpr int kNvJitLinkUnsupportedArch = 17;

// nvJitLinkInputType.
inline constexpr int kNvJitLinkInputCubin = 1;
inline constexpr int kNvJitLinkInputPtx = 2;
inline constexpr int kNvJitLinkInputLtoIr = 3;

// Function pointers under nvJitLink's own names without their prefix. They may
// be called from any thread; one handle is used by one thread at a time.
struct NvJitLinkLibrary {
  using Handle = void*;  // nvJitLinkHandle

  // A handle may come back, with a log, even where this fails.
  int (*create)(Handle* handle, uint32_t option_count, const char* const* options);
  int (*destroy)(Handle* handle);
  int (*add_data)(Handle handle, int input_type, const void* data, size_t size, const char* name);
  int (*complete)(Handle handle);
  int (*get_linked_cubin_size)(Handle handle, size_t* size);
  int (*get_linked_cubin)(Handle handle, void* cubin);
  int (*get_linked_ptx_size)(Handle handle, size_t* size);
  int (*get_linked_ptx)(Handle handle, char* ptx);
  int (*get_error_log_size)(Handle handle, size_t* size);
  int (*get_error_log)(Handle handle, char* log);
  int (*get_info_log_size)(Handle handle, size_t* size);
  int (*get_info_log)(Handle handle, char* log);
  int (*version)(unsigned int* major, unsigned int* minor);

  // Opens the library at `path`. Errors as DynamicLibrary::Open's and
  // SymbolBinder::Finish's.
  static absl::StatusOr<NvJitLinkLibrary> Open(const std::string& path);
};

}  // namespace warpyard::ptx

#endif  // WARPYARD_CC_PTX_NVJITLINK_LIBRARY_H_
