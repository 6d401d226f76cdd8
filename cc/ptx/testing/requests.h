// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Short ways to write compile requests, and the sources that tests compile.

#ifndef WARPYARD_CC_PTX_TESTING_REQUESTS_H_
#define WARPYARD_CC_PTX_TESTING_REQUESTS_H_

#include <string>
#include <string_view>
#include <vector>

#include "cc/ptx/compilation.h"

namespace warpyard::ptx {

// One kernel `scale(float*, int)` with 256 bytes of shared memory.
extern const char kScaleCuda[];

// Relocatable pairs: `caller` calls `int helper(int)`, which the other defines.
extern const char kCallerCuda[];
extern const char kHelperCuda[];

// The PTX of a kernel `k` that does nothing: ISA `version`, for `target`.
std::string EmptyKernelPtx(std::string_view version, std::string_view target);

Input CudaInput(std::string_view name, std::string_view source);
Input PtxInput(std::string_view name, std::string_view ptx);
Input CubinInput(std::string_view name, std::string_view bytes);
Input LtoInput(std::string_view name, std::string_view bytes);

// `target` as "sm_90a"; ends the program when that is not a target.
CompileRequest Request(std::vector<Input> inputs, std::string_view target,
                       std::vector<OutputKind> outputs, CompileOptions options = {});

}  // namespace warpyard::ptx

#endif  // WARPYARD_CC_PTX_TESTING_REQUESTS_H_
