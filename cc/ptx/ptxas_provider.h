// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// PTX to CUBIN by the ptxas program.

#ifndef WARPYARD_CC_PTX_PTXAS_PROVIDER_H_
#define WARPYARD_CC_PTX_PTXAS_PROVIDER_H_

#include <memory>

#include "cc/ptx/cuda_locator.h"
#include "cc/ptx/provider.h"

namespace warpyard::ptx {

// One PTX module at a time. Input and output are files in memory with the same
// names in every run, because ptxas writes its command line into what it makes:
// nothing touches the disk, and equal inputs give equal bytes.
std::unique_ptr<Provider> MakePtxasProvider(ToolPaths paths);

}  // namespace warpyard::ptx

#endif  // WARPYARD_CC_PTX_PTXAS_PROVIDER_H_
