// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// For tests: PTX from CUDA C++, by the pinned NVRTC.

#ifndef WARPYARD_CC_EMULATOR_TESTING_COMPILE_CUDA_H_
#define WARPYARD_CC_EMULATOR_TESTING_COMPILE_CUDA_H_

#include <string>
#include <string_view>

namespace warpyard::emulator {

// PTX for `target` ("sm_90a"). Ends the program with the compiler's log where it
// fails. The test needs @cuda's nvrtc and headers among its data.
std::string CompileCuda(std::string_view source, std::string_view target, bool line_info = false);

// The text of a file among the test's runfiles ("examples/kernels/gemm_f32.cu"),
// or below the current folder. Ends the program where there is none.
std::string ReadSource(std::string_view path);

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_TESTING_COMPILE_CUDA_H_
