// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// What a linker of GPU code must be told before it starts, because the tools do
// not say it: nvJitLink 13.5 drops finished CUBINs without a word, and links
// two definitions of one symbol with a line on standard error and success.

#ifndef WARPYARD_CC_PTX_LINKAGE_H_
#define WARPYARD_CC_PTX_LINKAGE_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cc/ptx/compilation.h"

namespace warpyard::ptx {

// The symbols that a PTX module defines for others to see (.visible functions
// with a body and variables; not .weak, .common or .extern ones), in the order
// of the text. Text that is not PTX gives whatever could be read.
std::vector<std::string> StrongPtxDefinitions(std::string_view ptx);

// The same of a CUBIN: global functions and variables. INVALID_ARGUMENT unless
// `cubin` is an ELF file for CUDA.
absl::StatusOr<std::vector<std::string>> StrongCubinDefinitions(std::string_view cubin);

// INVALID_ARGUMENT when a CUBIN among the inputs is damaged or finished (not
// relocatable, so that nothing can be linked to it), or when two inputs define
// the same symbol. LTO IR cannot be looked into and is passed over; the linker
// itself compares definitions in it.
absl::Status CheckLinkInputs(const CompileRequest& request);

}  // namespace warpyard::ptx

#endif  // WARPYARD_CC_PTX_LINKAGE_H_
