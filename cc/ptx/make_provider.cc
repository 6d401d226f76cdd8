// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/make_provider.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "cc/ptx/composite_provider.h"
#include "cc/ptx/driver_provider.h"
#include "cc/ptx/nvjitlink_provider.h"
#include "cc/ptx/nvlink_provider.h"
#include "cc/ptx/nvrtc_provider.h"
#include "cc/ptx/nvvm_provider.h"
#include "cc/ptx/ptxas_provider.h"

namespace warpyard::ptx {
namespace {

constexpr std::string_view kAuto = "auto";

struct Maker {
  std::string_view name;
  std::unique_ptr<Provider> (*make)(ToolPaths);
};

// What runs in this process stands before what starts another one, and the
// driver last: what it makes depends on the machine.
constexpr Maker kMakers[] = {
    {"nvrtc", MakeNvrtcProvider},         {"nvvm", MakeNvvmProvider},
    {"nvjitlink", MakeNvJitLinkProvider}, {"ptxas", MakePtxasProvider},
    {"nvlink", MakeNvlinkProvider},       {"driver", MakeDriverProvider},
};

}  // namespace

std::vector<std::string> ProviderNames() {
  std::vector<std::string> names = {std::string(kAuto)};
  for (const Maker& maker : kMakers) names.emplace_back(maker.name);
  return names;
}

absl::StatusOr<std::unique_ptr<Provider>> MakeProvider(std::string_view name,
                                                       const ToolPaths& paths) {
  if (name == kAuto) {
    std::vector<std::unique_ptr<Provider>> providers;
    for (const Maker& maker : kMakers) providers.push_back(maker.make(paths));
    return MakeCompositeProvider(std::move(providers));
  }
  for (const Maker& maker : kMakers) {
    if (maker.name == name) return maker.make(paths);
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "unknown provider '", name, "'; the known ones are ", absl::StrJoin(ProviderNames(), ", ")));
}

}  // namespace warpyard::ptx
