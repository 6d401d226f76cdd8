// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The text of requirements, for requirement.cc alone: clauses one by one, not
// yet held against each other. Messages are without the requirement's text.

#ifndef WARPYARD_CC_TARGET_REQUIREMENT_PARSER_H_
#define WARPYARD_CC_TARGET_REQUIREMENT_PARSER_H_

#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "cc/target/requirement.h"

namespace warpyard::requirement_internal {

// The most GPUs that a machine can be said to have.
inline constexpr int kMostGpus = 1024;

inline constexpr std::string_view kSystems[] = {"linux", "macos", "windows"};

// Names of cc/target/specs.
inline constexpr std::string_view kGpus[] = {
    "a10",     "a100",       "a100-40gb", "b200", "b300", "gb200", "gb300",
    "gh200",   "h100",       "h100-pcie", "h200", "l4",   "l40s",  "rtx4090",
    "rtx5090", "rtx6000pro", "spark",     "t4",   "thor", "v100"};

// Whether a key's values are versions.
bool IsVersionKey(std::string_view key);

// Reads a value of a key: a ComputeCapability for sm, VersionNumbers for
// versions, bytes for memory, a count for gpus, else the text itself.
absl::StatusOr<Requirement::Value> ParseValue(std::string_view key, std::string_view text);

absl::StatusOr<std::vector<Requirement::Clause>> ParseClauses(std::string_view text);

}  // namespace warpyard::requirement_internal

#endif  // WARPYARD_CC_TARGET_REQUIREMENT_PARSER_H_
