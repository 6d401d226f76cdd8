// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/tool_targets.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "cc/target/compute_capability.h"
#include "cc/target/versions.h"

namespace warpyard::ptx {
namespace {

using Kind = ComputeCapability::Kind;

constexpr int kFirstMajor = 5;
constexpr int kLastMajor = 19;

}  // namespace

std::vector<ComputeCapability> ProbeTargets(
    absl::FunctionRef<bool(const ComputeCapability&)> knows) {
  std::vector<ComputeCapability> known;
  for (int major = kFirstMajor; major <= kLastMajor; ++major) {
    for (int minor = 0; minor <= 9; ++minor) {
      for (const Kind kind : {Kind::kPlain, Kind::kFamily, Kind::kArch}) {
        const ComputeCapability target(major, minor, kind);
        if (knows(target)) known.push_back(target);
      }
    }
  }
  return known;
}

std::vector<ComputeCapability> TargetsInHelp(std::string_view help) {
  std::vector<ComputeCapability> targets;
  while (true) {
    const size_t open = help.find('\'');
    if (open == std::string_view::npos) break;
    help.remove_prefix(open + 1);
    const size_t close = help.find('\'');
    if (close == std::string_view::npos) break;
    const std::string_view word = help.substr(0, close);
    if (!absl::StartsWith(word, "sm_")) continue;  // also resynchronises at the next quote
    help.remove_prefix(close + 1);
    absl::StatusOr<ComputeCapability> target = ComputeCapability::Parse(word);
    if (target.ok()) targets.push_back(*target);
  }
  std::sort(targets.begin(), targets.end());
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  return targets;
}

absl::Status UnknownTargetError(std::string_view tool, const ComputeCapability& target,
                                const std::vector<ComputeCapability>& known) {
  std::string message = absl::StrCat(tool, " does not compile for ", target.SmName());
  if (!known.empty()) {
    absl::StrAppend(&message, "; it knows ",
                    absl::StrJoin(known, ", ", [](std::string* out, const ComputeCapability& cc) {
                      absl::StrAppend(out, cc.SmName());
                    }));
  }
  absl::StatusOr<ToolkitRange> toolkits = VersionTables::Embedded().ToolkitsFor(target);
  if (toolkits.ok()) {
    absl::StrAppend(&message, ". Toolkits from CUDA ", toolkits->first.ToString(), " on");
    if (toolkits->last.has_value()) {
      absl::StrAppend(&message, ", up to CUDA ", toolkits->last->ToString(), ",");
    }
    absl::StrAppend(&message, " compile for ", target.SmName());
  }
  return absl::UnimplementedError(message);
}

}  // namespace warpyard::ptx
