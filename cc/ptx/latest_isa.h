// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Asking a PTX compiler for the newest ISA that it reads, when it has no other
// way to tell: it is handed PTX of an ISA that never will be, and says in its
// refusal which one is its own.

#ifndef WARPYARD_CC_PTX_LATEST_ISA_H_
#define WARPYARD_CC_PTX_LATEST_ISA_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "cc/base/version.h"
#include "cc/target/compute_capability.h"

namespace warpyard::ptx {

// PTX of ISA 99.9 without any code.
std::string IsaProbe(const ComputeCapability& target);

// The version in "Unsupported .version 99.9; current version is '9.5'".
// INTERNAL, quoting the log, when it is not there.
absl::StatusOr<Version> LatestIsaInRefusal(std::string_view log);

}  // namespace warpyard::ptx

#endif  // WARPYARD_CC_PTX_LATEST_ISA_H_
