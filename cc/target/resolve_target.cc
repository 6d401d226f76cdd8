// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/target/resolve_target.h"

#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "cc/base/version.h"
#include "cc/target/compute_capability.h"
#include "cc/target/spec_database.h"
#include "cc/target/versions.h"

namespace warpyard {
namespace {

// GPUs are named with a letter first (device_spec.cc sees to it).
bool ReadsAsComputeCapability(std::string_view text) {
  return absl::StartsWith(text, "sm_") || absl::StartsWith(text, "compute_") ||
         (!text.empty() && absl::ascii_isdigit(static_cast<unsigned char>(text.front())));
}

}  // namespace

absl::StatusOr<ResolvedTarget> ResolveTarget(std::string_view text, const SpecDatabase& database,
                                             const VersionTables& versions) {
  if (!ReadsAsComputeCapability(text)) {
    absl::StatusOr<const DeviceSpec*> spec = database.FindByName(text);
    if (!spec.ok()) {
      return absl::Status(spec.status().code(),
                          absl::StrCat(spec.status().message(),
                                       "; a compute capability is written 9.0a or sm_90a"));
    }
    return ResolvedTarget{(*spec)->native_target(), *spec, (*spec)->generation};
  }
  absl::StatusOr<ComputeCapability> code = ComputeCapability::Parse(text);
  if (!code.ok()) return code.status();
  absl::StatusOr<Version> introduced = versions.PtxIsaIntroducing(*code);
  if (!introduced.ok()) {
    return absl::Status(
        introduced.status().code(),
        absl::StrCat("unknown target \"", text, "\": ", introduced.status().message(),
                     ". Known targets: ",
                     absl::StrJoin(versions.Targets(), ", ",
                                   [](std::string* out, const ComputeCapability& cc) {
                                     out->append(cc.ToString());
                                   })));
  }
  return ResolvedTarget{*code, nullptr, database.FindGeneration(*code)};
}

}  // namespace warpyard
