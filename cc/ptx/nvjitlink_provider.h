// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// PTX, LTO IR and CUBIN to CUBIN, several of them linked, in this process, by
// nvJitLink.

#ifndef WARPYARD_CC_PTX_NVJITLINK_PROVIDER_H_
#define WARPYARD_CC_PTX_NVJITLINK_PROVIDER_H_

#include <memory>

#include "cc/ptx/cuda_locator.h"
#include "cc/ptx/provider.h"

namespace warpyard::ptx {

// Links any mixture of its inputs into a CUBIN, and LTO IR alone into PTX
// (which it cannot give together with a CUBIN). CUBIN inputs must be
// relocatable. LTO IR is optimised as one program.
std::unique_ptr<Provider> MakeNvJitLinkProvider(ToolPaths paths);

}  // namespace warpyard::ptx

#endif  // WARPYARD_CC_PTX_NVJITLINK_PROVIDER_H_
