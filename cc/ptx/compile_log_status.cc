// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/compile_log_status.h"

#include <optional>

#include "absl/strings/cord.h"

namespace warpyard::ptx {

absl::Status AttachLog(absl::Status status, std::string_view log) {
  status.SetPayload(kCompileLogPayload, absl::Cord(log));
  return status;
}

std::string LogOf(const absl::Status& status) {
  const std::optional<absl::Cord> log = status.GetPayload(kCompileLogPayload);
  return log.has_value() ? std::string(*log) : "";
}

}  // namespace warpyard::ptx
