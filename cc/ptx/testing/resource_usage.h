// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Compares what we read in a CUBIN with what NVIDIA's own tool reads in it.

#ifndef WARPYARD_CC_PTX_TESTING_RESOURCE_USAGE_H_
#define WARPYARD_CC_PTX_TESTING_RESOURCE_USAGE_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "cc/ptx/cubin_reader.h"

namespace warpyard::ptx {

// "REG" -> 12, "STACK" -> 400, "SHARED" -> 1024, "CONSTANT" -> all banks, those
// common to the module included; a figure that the tool calls UNKNOWN is absent.
using ResourceUsage = std::map<std::string, int64_t>;

// Reads the output of `cuobjdump -res-usage`, by kernel.
std::map<std::string, ResourceUsage> ParseResourceUsage(std::string_view text);

// Expects (in GoogleTest's sense) both to tell the same of the same kernels.
void ExpectSameUsage(const Cubin& cubin, const std::map<std::string, ResourceUsage>& usage);

}  // namespace warpyard::ptx

#endif  // WARPYARD_CC_PTX_TESTING_RESOURCE_USAGE_H_
