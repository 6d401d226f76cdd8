// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/toolkit_release.h"

#include <cstddef>
#include <optional>
#include <string_view>

#include "absl/status/statusor.h"

namespace warpyard::ptx {

std::optional<Version> FindToolkitRelease(std::string_view bytes) {
  constexpr std::string_view kOpening = "Cuda compilation tools, release ";
  size_t at = bytes.find(kOpening);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view line = bytes.substr(at + kOpening.size());
  line = line.substr(0, line.find_first_of(std::string_view("\n\0", 2)));
  at = line.find(", V");
  if (at == std::string_view::npos) return std::nullopt;
  line.remove_prefix(at + 3);
  line = line.substr(0, line.find_first_not_of("0123456789."));
  absl::StatusOr<Version> version = Version::Parse(line);
  if (!version.ok()) return std::nullopt;
  return *version;
}

}  // namespace warpyard::ptx
