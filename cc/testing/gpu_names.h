// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// From what a driver calls a GPU to its short name.

#ifndef WARPYARD_CC_TESTING_GPU_NAMES_H_
#define WARPYARD_CC_TESTING_GPU_NAMES_H_

#include <string>
#include <string_view>

namespace warpyard::testing {

// "h100" of "NVIDIA H100 80GB HBM3"; a name in lower case with dashes of a GPU
// that is not known.
std::string ShortGpuName(std::string_view name);

}  // namespace warpyard::testing

#endif  // WARPYARD_CC_TESTING_GPU_NAMES_H_
