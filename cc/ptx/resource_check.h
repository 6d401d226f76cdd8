// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// What a compilation's kernels need, and whether the target has it.

#ifndef WARPYARD_CC_PTX_RESOURCE_CHECK_H_
#define WARPYARD_CC_PTX_RESOURCE_CHECK_H_

#include "absl/status/status.h"
#include "cc/ptx/compilation.h"
#include "cc/target/generation.h"

namespace warpyard::ptx {

// Reads `kernels` from the result's CUBIN; spills, which a CUBIN does not tell,
// stay as the provider found them in the log. Without a CUBIN nothing changes.
// INTERNAL when the compiler gave a CUBIN that cannot be read.
absl::Status FillResources(CompileResult& result);

// RESOURCE_EXHAUSTED, with what is requested and what is available, for the
// first kernel, by name, that does not fit on the generation: registers × the
// threads that it is bounded to, static shared memory, and columns of tensor
// memory as far as the PTX tells them (the result's, or the request's).
absl::Status CheckResources(const CompileRequest& request, const CompileResult& result,
                            const Generation& generation);

}  // namespace warpyard::ptx

#endif  // WARPYARD_CC_PTX_RESOURCE_CHECK_H_
