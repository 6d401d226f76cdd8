// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The pinned CUDA toolkit, for tests that depend on it as data.

#ifndef WARPYARD_CC_PTX_TESTING_CUDA_FOR_TEST_H_
#define WARPYARD_CC_PTX_TESTING_CUDA_FOR_TEST_H_

#include "cc/ptx/cuda_locator.h"

namespace warpyard::ptx {

// The parts of the toolkit among the test's runfiles: whatever targets of @cuda
// stand in its `data`. Ends the program when there are none, so that a test
// cannot pass for want of a compiler. `WARPYARD_TEST_CUDA_ROOT` names another
// toolkit to run the tests with.
ToolPaths CudaForTest();

}  // namespace warpyard::ptx

#endif  // WARPYARD_CC_PTX_TESTING_CUDA_FOR_TEST_H_
