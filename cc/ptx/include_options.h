// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Where a compilation looks for headers, from its options.

#ifndef WARPYARD_CC_PTX_INCLUDE_OPTIONS_H_
#define WARPYARD_CC_PTX_INCLUDE_OPTIONS_H_

#include <optional>

#include "cc/ptx/compilation.h"
#include "cc/ptx/cuda_locator.h"
#include "cc/ptx/include_closure.h"

namespace warpyard::ptx {

// Besides `include_dirs`, folders and headers named in `extra`: -I, -isystem,
// --include-path, -include and --pre-include in each of their spellings.
// nullopt when an option reads other files, whose contents would go unnoticed:
// option files and precompiled headers.
std::optional<IncludeSearch> IncludeSearchOf(const CompileOptions& options, const ToolPaths& tools);

}  // namespace warpyard::ptx

#endif  // WARPYARD_CC_PTX_INCLUDE_OPTIONS_H_
