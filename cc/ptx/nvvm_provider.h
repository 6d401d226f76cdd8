// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// NVVM IR (LLVM IR for NVIDIA's GPUs) to PTX and LTO IR, in this process, by
// libNVVM.

#ifndef WARPYARD_CC_PTX_NVVM_PROVIDER_H_
#define WARPYARD_CC_PTX_NVVM_PROVIDER_H_

#include <memory>

#include "cc/ptx/cuda_locator.h"
#include "cc/ptx/provider.h"

namespace warpyard::ptx {

// Modules are text or bitcode; several are linked into one. Those that name a
// function of libdevice (`__nv_...`) get it linked in. Line information comes
// from the debug metadata of the modules alone.
//
// Below sm_100 libNVVM is of LLVM 7, which knows typed pointers alone;
// "-nvvm-latest" among `extra` takes the newer one there too.
std::unique_ptr<Provider> MakeNvvmProvider(ToolPaths paths);

}  // namespace warpyard::ptx

#endif  // WARPYARD_CC_PTX_NVVM_PROVIDER_H_
