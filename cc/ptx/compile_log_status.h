// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// A failed compilation's status carries the tool's whole log beside its message.

#ifndef WARPYARD_CC_PTX_COMPILE_LOG_STATUS_H_
#define WARPYARD_CC_PTX_COMPILE_LOG_STATUS_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace warpyard::ptx {

inline constexpr std::string_view kCompileLogPayload = "warpyard/compile-log";

// `status` with `log` as a payload. An OK status stays as it is.
absl::Status AttachLog(absl::Status status, std::string_view log);

// The log that AttachLog put there, or nothing.
std::string LogOf(const absl::Status& status);

}  // namespace warpyard::ptx

#endif  // WARPYARD_CC_PTX_COMPILE_LOG_STATUS_H_
