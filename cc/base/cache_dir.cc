// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/base/cache_dir.h"

#include <filesystem>
#include <optional>
#include <string_view>

#include "absl/status/status.h"

namespace warpyard {
namespace {

#ifdef _WIN32
constexpr bool kWindows = true;
#else
constexpr bool kWindows = false;
#endif

std::string Join(std::string_view folder, std::string_view below) {
  return (std::filesystem::path(folder) / below).string();
}

}  // namespace

absl::StatusOr<std::string> CacheDir(const Environment& environment) {
  if (auto own = environment.Get("WARPYARD_CACHE_DIR")) return *own;
  if (auto xdg = environment.Get("XDG_CACHE_HOME")) {
    if (std::filesystem::path(*xdg).is_absolute()) return Join(*xdg, "warpyard");
  }
  if (kWindows) {
    if (auto local = environment.Get("LOCALAPPDATA")) return Join(*local, "warpyard/cache");
  } else if (auto home = environment.Get("HOME")) {
    return Join(*home, ".cache/warpyard");
  }
  return absl::NotFoundError(
      "no folder for caches: none of WARPYARD_CACHE_DIR, XDG_CACHE_HOME and HOME is set; set "
      "WARPYARD_CACHE_DIR to a folder that can be written");
}

}  // namespace warpyard
