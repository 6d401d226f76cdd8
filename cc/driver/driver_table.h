// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The functions of one CUDA driver, opened at run time. Private to cc/driver:
// the only header here that includes <cuda.h>.
//
// Members have the functions' own names, so that their types come from
// <cuda.h> itself, and its macros (cuMemAlloc is cuMemAlloc_v2) pick the version
// of each symbol as they do for a program that links against the driver.

#ifndef WARPYARD_CC_DRIVER_DRIVER_TABLE_H_
#define WARPYARD_CC_DRIVER_DRIVER_TABLE_H_

#include <cuda.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

// What every driver from CUDA 12.0 on has.
#define WARPYARD_REQUIRED_DRIVER_FUNCTIONS(X) \
  X(cuInit)                                   \
  X(cuDriverGetVersion)                       \
  X(cuGetErrorName)                           \
  X(cuGetErrorString)                         \
  X(cuDeviceGetCount)                         \
  X(cuDeviceGet)                              \
  X(cuDeviceGetName)                          \
  X(cuDeviceGetAttribute)                     \
  X(cuDeviceTotalMem)                         \
  X(cuDevicePrimaryCtxRetain)                 \
  X(cuDevicePrimaryCtxRelease)                \
  X(cuCtxPushCurrent)                         \
  X(cuCtxPopCurrent)                          \
  X(cuCtxSynchronize)                         \
  X(cuModuleLoadDataEx)                       \
  X(cuModuleUnload)                           \
  X(cuModuleGetFunction)                      \
  X(cuLaunchKernel)                           \
  X(cuMemAlloc)                               \
  X(cuMemFree)                                \
  X(cuMemcpyHtoDAsync)                        \
  X(cuMemcpyDtoHAsync)                        \
  X(cuStreamCreateWithPriority)               \
  X(cuStreamDestroy)                          \
  X(cuStreamSynchronize)

// What may be missing: the call that needs it says so.
#define WARPYARD_OPTIONAL_DRIVER_FUNCTIONS(X)    \
  X(cuDeviceGetUuid)                             \
  X(cuDeviceGetPCIBusId)                         \
  X(cuDeviceCanAccessPeer)                       \
  X(cuCtxEnablePeerAccess)                       \
  X(cuCtxDisablePeerAccess)                      \
  X(cuModuleGetGlobal)                           \
  X(cuModuleGetFunctionCount)                    \
  X(cuModuleEnumerateFunctions)                  \
  X(cuFuncGetName)                               \
  X(cuFuncGetParamInfo)                          \
  X(cuFuncGetAttribute)                          \
  X(cuFuncSetAttribute)                          \
  X(cuLaunchKernelEx)                            \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessor) \
  X(cuMemGetInfo)                                \
  X(cuMemcpyAsync)                               \
  X(cuMemcpyPeerAsync)                           \
  X(cuMemsetD8Async)                             \
  X(cuStreamQuery)                               \
  X(cuStreamWaitEvent)                           \
  X(cuStreamBeginCapture)                        \
  X(cuStreamEndCapture)                          \
  X(cuEventCreate)                               \
  X(cuEventDestroy)                              \
  X(cuEventRecord)                               \
  X(cuEventQuery)                                \
  X(cuEventSynchronize)                          \
  X(cuGraphDestroy)                              \
  X(cuGraphGetNodes)                             \
  X(cuGraphInstantiateWithFlags)                 \
  X(cuGraphExecDestroy)                          \
  X(cuGraphLaunch)                               \
  X(cuTensorMapEncodeTiled)

namespace warpyard::driver {

struct DriverTable {
#define WARPYARD_DRIVER_MEMBER(function) decltype(&::function) function = nullptr;
  WARPYARD_REQUIRED_DRIVER_FUNCTIONS(WARPYARD_DRIVER_MEMBER)
  WARPYARD_OPTIONAL_DRIVER_FUNCTIONS(WARPYARD_DRIVER_MEMBER)
#undef WARPYARD_DRIVER_MEMBER

  // cuEventElapsedTime: its second version, else the first.
  CUresult (*event_elapsed_time)(float*, CUevent, CUevent) = nullptr;

  // What Warpyard's emulated driver has besides, all null in others. The two
  // `take` functions give the bytes that they need with the closing NUL, copy at
  // most `size` of them, and forget what they have copied.
  int (*control_version)() = nullptr;
  int (*set_devices)(const char* list) = nullptr;  // before cuInit
  int (*set_sanitizer)(const char* list) = nullptr;
  int (*set_profile)(int on) = nullptr;
  size_t (*take_reports)(char* buffer, size_t size) = nullptr;
  size_t (*take_profiles)(char* buffer, size_t size) = nullptr;

  // Opens the driver at `path`. NOT_FOUND where there is none,
  // FAILED_PRECONDITION where it does not load or lacks required functions.
  static absl::StatusOr<DriverTable> Open(const std::string& path);
};

// The status for a call that failed: its code by the table in docs/running.md,
// its message the driver's name and text, and what an emulated driver reports
// about the fault, which is also the status's log (cc/ptx/compile_log_status.h).
absl::Status DriverError(const DriverTable& table, std::string_view call, CUresult result);

// The status for an optional function that the driver lacks: UNIMPLEMENTED.
absl::Status MissingFunction(std::string_view call);

// Calls a `take` function; empty where there is none.
std::string TakeText(size_t (*take)(char*, size_t));

}  // namespace warpyard::driver

// Returns from the enclosing function unless `table.function(...)` succeeds.
#define WARPYARD_CALL_DRIVER(table, function, ...)                                \
  do {                                                                            \
    if ((table).function == nullptr) {                                            \
      return ::warpyard::driver::MissingFunction(#function);                      \
    }                                                                             \
    const CUresult warpyard_result_ = (table).function(__VA_ARGS__);              \
    if (warpyard_result_ != CUDA_SUCCESS) {                                       \
      return ::warpyard::driver::DriverError(table, #function, warpyard_result_); \
    }                                                                             \
  } while (false)

#endif  // WARPYARD_CC_DRIVER_DRIVER_TABLE_H_
