// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// SASS, the text of a CUBIN's machine code, through NVIDIA's tools.

#ifndef WARPYARD_CC_PTX_DISASSEMBLER_H_
#define WARPYARD_CC_PTX_DISASSEMBLER_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "cc/ptx/cuda_locator.h"

namespace warpyard::ptx {

// Runs nvdisasm, or cuobjdump where there is no nvdisasm. NOT_FOUND names the
// packages to install when neither is there; INVALID_ARGUMENT when the tool does
// not take the CUBIN, in its own words. The same CUBIN gives the same text.
absl::StatusOr<std::string> DisassembleCubin(std::string_view cubin, const ToolPaths& tools);

}  // namespace warpyard::ptx

#endif  // WARPYARD_CC_PTX_DISASSEMBLER_H_
