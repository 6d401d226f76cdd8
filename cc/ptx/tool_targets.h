// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Which targets a compiler knows, and what to say of one that it does not.

#ifndef WARPYARD_CC_PTX_TOOL_TARGETS_H_
#define WARPYARD_CC_PTX_TOOL_TARGETS_H_

#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "cc/target/compute_capability.h"

namespace warpyard::ptx {

// The targets that `knows` accepts out of all numbers that NVIDIA has used or
// is near to using (5.0 to 19.9), each plain, `f` and `a`, in rising order. For
// libraries that answer "do you know sm_NN" but have no list.
std::vector<ComputeCapability> ProbeTargets(
    absl::FunctionRef<bool(const ComputeCapability&)> knows);

// The targets that a tool's help text lists in quotes ('sm_90a'), in rising
// order, each once.
std::vector<ComputeCapability> TargetsInHelp(std::string_view help);

// UNIMPLEMENTED, e.g. "ptxas 13.5.37 does not compile for sm_70; it knows
// sm_75, ..., sm_121. Toolkits from CUDA 9.0 to CUDA 12.9 compile for sm_70".
// `tool` is name and version; `known` may lack `a` and `f` targets.
absl::Status UnknownTargetError(std::string_view tool, const ComputeCapability& target,
                                const std::vector<ComputeCapability>& known);

}  // namespace warpyard::ptx

#endif  // WARPYARD_CC_PTX_TOOL_TARGETS_H_
