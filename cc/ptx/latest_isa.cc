// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/latest_isa.h"

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "cc/base/version.h"
#include "cc/target/compute_capability.h"

namespace warpyard::ptx {

std::string IsaProbe(const ComputeCapability& target) {
  return absl::StrCat(".version 99.9\n.target ", target.SmName(), "\n.address_size 64\n");
}

absl::StatusOr<Version> LatestIsaInRefusal(std::string_view log) {
  constexpr std::string_view kOpening = "current version is '";
  const size_t at = log.find(kOpening);
  if (at != std::string_view::npos) {
    std::string_view rest = log.substr(at + kOpening.size());
    absl::StatusOr<Version> version = Version::Parse(rest.substr(0, rest.find('\'')));
    if (version.ok()) return version;
  }
  return absl::InternalError(
      absl::StrCat("the PTX compiler does not tell the newest PTX ISA that it reads; it said: ",
                   log.empty() ? "nothing" : log));
}

}  // namespace warpyard::ptx
