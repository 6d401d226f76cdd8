// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The release line that NVIDIA's tools put into everything they print and make.

#ifndef WARPYARD_CC_PTX_TOOLKIT_RELEASE_H_
#define WARPYARD_CC_PTX_TOOLKIT_RELEASE_H_

#include <optional>
#include <string_view>

#include "cc/base/version.h"

namespace warpyard::ptx {

// The version in the first "Cuda compilation tools, release 13.5, V13.5.37" of
// `bytes`: 13.5.37. It stands in what `--version` prints, in the comment at the
// head of compiled PTX and in a note of every CUBIN, and is finer than what the
// libraries' version functions tell (13.5).
std::optional<Version> FindToolkitRelease(std::string_view bytes);

}  // namespace warpyard::ptx

#endif  // WARPYARD_CC_PTX_TOOLKIT_RELEASE_H_
