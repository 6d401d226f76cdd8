// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Several providers as one: takes the first that can do what is asked, or a
// compiler and a linker one after the other, and says which and why.

#ifndef WARPYARD_CC_PTX_COMPOSITE_PROVIDER_H_
#define WARPYARD_CC_PTX_COMPOSITE_PROVIDER_H_

#include <memory>
#include <vector>

#include "cc/ptx/provider.h"

namespace warpyard::ptx {

// `providers` in the order of preference; at least one.
//
// A request that none of them supports by itself, but that wants a CUBIN from
// CUDA C++ or NVVM IR, is done in two steps: every source to PTX by the first
// provider that can (relocatable where there are several inputs), then all of
// them to one CUBIN by the first that can. `CompileResult::provider` names what
// was taken and why what stands before it was not. Where nothing supports a
// request, the error lists every provider with its reason: NOT_FOUND if a tool
// that is missing would have done it, else UNIMPLEMENTED.
std::unique_ptr<Provider> MakeCompositeProvider(std::vector<std::unique_ptr<Provider>> providers);

}  // namespace warpyard::ptx

#endif  // WARPYARD_CC_PTX_COMPOSITE_PROVIDER_H_
