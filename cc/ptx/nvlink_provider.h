// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Relocatable CUBINs linked into one by the nvlink program.

#ifndef WARPYARD_CC_PTX_NVLINK_PROVIDER_H_
#define WARPYARD_CC_PTX_NVLINK_PROVIDER_H_

#include <memory>

#include "cc/ptx/cuda_locator.h"
#include "cc/ptx/provider.h"

namespace warpyard::ptx {

// nvlink tells inputs by the endings of their names, so they pass through a
// temporary directory, whose name does not reach the output.
std::unique_ptr<Provider> MakeNvlinkProvider(ToolPaths paths);

}  // namespace warpyard::ptx

#endif  // WARPYARD_CC_PTX_NVLINK_PROVIDER_H_
