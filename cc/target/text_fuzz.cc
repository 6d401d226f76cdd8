// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Small texts of any content: parsing gives a value or a reason, and a value
// prints as what parses to it again.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/log/check.h"
#include "absl/status/statusor.h"
#include "cc/base/version.h"
#include "cc/target/compute_capability.h"
#include "cc/target/requirement.h"
#include "cc/target/resolve_target.h"

namespace warpyard {
namespace {

void FuzzVersion(std::string_view text) {
  absl::StatusOr<Version> version = Version::Parse(text);
  if (!version.ok()) return;
  CHECK_EQ(version->ToString(), text);
}

void FuzzComputeCapability(std::string_view text) {
  absl::StatusOr<ComputeCapability> cc = ComputeCapability::Parse(text);
  if (!cc.ok()) return;
  CHECK(ComputeCapability::Parse(cc->ToString()).value() == *cc);
  CHECK(ComputeCapability::Parse(cc->SmName()).value() == *cc);
  CHECK(CanRun(*cc, *cc, CodeKind::kCubin) || cc->kind() == ComputeCapability::Kind::kFamily);
}

void FuzzRequirement(std::string_view text) {
  absl::StatusOr<Requirement> requirement = Requirement::Parse(text);
  if (!requirement.ok()) return;
  const std::string printed = requirement->ToString();
  CHECK_EQ(Requirement::Parse(printed).value().ToString(), printed);
  (void)requirement->MetByTarget(ComputeCapability(9, 0));
  CHECK_OK(requirement->Evaluate({{"sm", "9.0"}, {"cudnn", "9.13"}, {"memory", "80GiB"}}).status());
}

void FuzzSource(std::string_view text) {
  absl::StatusOr<std::optional<Requirement>> found = Requirement::FindInSource(text);
  if (found.ok() && found->has_value()) CHECK(!(*found)->clauses().empty());
}

void FuzzTarget(std::string_view text) {
  absl::StatusOr<ResolvedTarget> target = ResolveTarget(text);
  if (!target.ok()) return;
  CHECK(target->code.major() > 0);
}

}  // namespace
}  // namespace warpyard

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  warpyard::FuzzVersion(text);
  warpyard::FuzzComputeCapability(text);
  warpyard::FuzzRequirement(text);
  warpyard::FuzzSource(text);
  warpyard::FuzzTarget(text);
  return 0;
}
