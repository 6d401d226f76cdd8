// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// PTX and CUBIN to CUBIN, several of them linked, by the CUDA driver: the
// compiler that the machine would use itself when it loads PTX.

#ifndef WARPYARD_CC_PTX_DRIVER_PROVIDER_H_
#define WARPYARD_CC_PTX_DRIVER_PROVIDER_H_

#include <memory>

#include "cc/ptx/cuda_locator.h"
#include "cc/ptx/provider.h"

namespace warpyard::ptx {

// Needs a GPU: the driver links in a context alone, that of the first device.
// It compiles for other targets too.
std::unique_ptr<Provider> MakeDriverProvider(ToolPaths paths);

}  // namespace warpyard::ptx

#endif  // WARPYARD_CC_PTX_DRIVER_PROVIDER_H_
