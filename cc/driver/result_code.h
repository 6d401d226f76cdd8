// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Which status code stands for which result of the CUDA driver.

#ifndef WARPYARD_CC_DRIVER_RESULT_CODE_H_
#define WARPYARD_CC_DRIVER_RESULT_CODE_H_

#include "absl/status/status.h"

namespace warpyard::driver {

// The code for a CUresult other than CUDA_SUCCESS; INTERNAL for those that have
// none of their own. A fault of a kernel is ABORTED: the launch was given up, and
// all that followed in its context.
absl::StatusCode StatusCodeOf(int result);

// Whether the result is a fault of a kernel, after which its context is lost.
bool IsDeviceFault(int result);

}  // namespace warpyard::driver

#endif  // WARPYARD_CC_DRIVER_RESULT_CODE_H_
