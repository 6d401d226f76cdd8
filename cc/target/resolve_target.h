// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// What `--target` means.

#ifndef WARPYARD_CC_TARGET_RESOLVE_TARGET_H_
#define WARPYARD_CC_TARGET_RESOLVE_TARGET_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "cc/target/compute_capability.h"
#include "cc/target/device_spec.h"
#include "cc/target/generation.h"
#include "cc/target/spec_database.h"
#include "cc/target/versions.h"

namespace warpyard {

struct ResolvedTarget {
  // What to compile for.
  ComputeCapability code;
  // The product, where one was named; null where a number was.
  const DeviceSpec* device = nullptr;
  // What bounds a kernel there; null for targets older than the database, which
  // compilers may still know.
  const Generation* generation = nullptr;
};

// Takes a GPU ("h100": its native target, 9.0a) or a compute capability
// ("9.0a", "sm_90a", "compute_100f": that target as it stands). NOT_FOUND for a
// GPU that the database does not hold, with what it holds, and for a number
// that PTX does not know; INVALID_ARGUMENT for a compute capability that is
// none. The pointers are `database`'s.
absl::StatusOr<ResolvedTarget> ResolveTarget(
    std::string_view text, const SpecDatabase& database = SpecDatabase::Embedded(),
    const VersionTables& versions = VersionTables::Embedded());

}  // namespace warpyard

#endif  // WARPYARD_CC_TARGET_RESOLVE_TARGET_H_
