// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// CUDA C++ to PTX, CUBIN and LTO IR, in this process, by NVRTC.

#ifndef WARPYARD_CC_PTX_NVRTC_PROVIDER_H_
#define WARPYARD_CC_PTX_NVRTC_PROVIDER_H_

#include <memory>

#include "cc/ptx/cuda_locator.h"
#include "cc/ptx/provider.h"

namespace warpyard::ptx {

// One CUDA C++ source at a time. PTX and CUBIN come out of one compilation; LTO
// IR, which is another kind of compilation, out of a second one when it is asked
// for beside them.
//
// Includes are searched in `include_dirs`, then in CUDA's own headers; never in
// the working directory or beside a file of the source's name. Debug and line
// information names relative paths below /proc/self/cwd, which a debugger
// resolves against its own working directory, so that the code does not depend
// on where it was compiled.
std::unique_ptr<Provider> MakeNvrtcProvider(ToolPaths paths);

}  // namespace warpyard::ptx

#endif  // WARPYARD_CC_PTX_NVRTC_PROVIDER_H_
