// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Providers by name.

#ifndef WARPYARD_CC_PTX_MAKE_PROVIDER_H_
#define WARPYARD_CC_PTX_MAKE_PROVIDER_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "cc/ptx/cuda_locator.h"
#include "cc/ptx/provider.h"

namespace warpyard::ptx {

// "auto" and the name of every provider, "auto" first and the others in the
// order in which it prefers them.
std::vector<std::string> ProviderNames();

// The provider called `name`, with the tools of `paths`; "auto" is a composite
// of all. Tools are opened when they are first needed, so a missing one is not
// an error here. INVALID_ARGUMENT for another name, listing the known ones.
absl::StatusOr<std::unique_ptr<Provider>> MakeProvider(std::string_view name,
                                                       const ToolPaths& paths);

}  // namespace warpyard::ptx

#endif  // WARPYARD_CC_PTX_MAKE_PROVIDER_H_
