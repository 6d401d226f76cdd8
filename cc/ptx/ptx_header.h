// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The two directives that open a PTX module and decide who can compile it.

#ifndef WARPYARD_CC_PTX_PTX_HEADER_H_
#define WARPYARD_CC_PTX_PTX_HEADER_H_

#include <cstddef>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cc/base/version.h"
#include "cc/ptx/compilation.h"
#include "cc/target/compute_capability.h"

namespace warpyard::ptx {

struct PtxHeader {
  Version isa;               // .version
  ComputeCapability target;  // the first entry of .target
};

// Reads `.version` and `.target`, which must be the first two directives (PTX
// ISA, "PTX Module Directives"); comments may stand around them.
// INVALID_ARGUMENT, naming `name` and what was found, for anything else.
absl::StatusOr<PtxHeader> ReadPtxHeader(std::string_view ptx, std::string_view name);

// Whether a tool that reads PTX up to `latest_isa` can compile the module for
// `target`. UNIMPLEMENTED, naming both versions, when the PTX is of a newer ISA;
// INVALID_ARGUMENT when its .target cannot be compiled for `target` (code for a
// higher number, `a` code for anything else, `f` code outside its family).
// `tool` is the tool's name and version, for messages.
absl::Status CheckPtxHeader(const PtxHeader& header, std::string_view name,
                            const ComputeCapability& target, std::string_view tool,
                            const Version& latest_isa);

// Both of the above for the PTX input of `request` at `index`.
absl::Status CheckPtxInput(const CompileRequest& request, size_t index, std::string_view tool,
                           const Version& latest_isa);

}  // namespace warpyard::ptx

#endif  // WARPYARD_CC_PTX_PTX_HEADER_H_
