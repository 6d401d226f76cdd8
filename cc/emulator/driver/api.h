// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The C interface that the emulated driver exports: NVIDIA's own declarations,
// every form of every function under the name that the library exports.

#ifndef WARPYARD_CC_EMULATOR_DRIVER_API_H_
#define WARPYARD_CC_EMULATOR_DRIVER_API_H_

// Declares old forms and forms with a stream per thread, too, and has no macros
// that rename functions.
#ifndef __CUDA_API_VERSION_INTERNAL
#define __CUDA_API_VERSION_INTERNAL
#endif
#include <cuda.h>

#include <string_view>

#include "absl/status/status.h"

// Returns from the enclosing function unless `expr` is CUDA_SUCCESS.
#define WARPYARD_CU_TRY(expr)                                                       \
  do {                                                                              \
    if (const CUresult warpyard_result_ = (expr); warpyard_result_ != CUDA_SUCCESS) \
      return warpyard_result_;                                                      \
  } while (false)

namespace warpyard::emulator::driver {

// The CUDA version of the driver that this one poses as: that of the header.
inline constexpr int kDriverVersion = CUDA_VERSION;

// Writes "warpyard: " and the line to stderr.
void Report(std::string_view line);
// The same as Report, once in a process for each `key`.
void ReportOnce(std::string_view key, std::string_view line);
// Reports once that the function is not there. CUDA_ERROR_NOT_SUPPORTED.
CUresult NotSupported(const char* function);
// The nearest code of the driver; what the status says goes to the log.
CUresult FromStatus(const absl::Status& status);

// While one lives on a thread, stream 0 means the thread's own default stream.
class PerThreadDefaultStream {
 public:
  PerThreadDefaultStream();
  ~PerThreadDefaultStream();
  PerThreadDefaultStream(const PerThreadDefaultStream&) = delete;
  PerThreadDefaultStream& operator=(const PerThreadDefaultStream&) = delete;
  static bool Active();
};

}  // namespace warpyard::emulator::driver

#endif  // WARPYARD_CC_EMULATOR_DRIVER_API_H_
