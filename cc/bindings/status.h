// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Statuses as Python exceptions: every code is a class of warpyard.errors.

#ifndef WARPYARD_CC_BINDINGS_STATUS_H_
#define WARPYARD_CC_BINDINGS_STATUS_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace warpyard::bindings {

// Raises the Python exception for a status that is not OK, with the compiler's
// log where the status carries one. The GIL must be held.
[[noreturn]] void Raise(const absl::Status& status);

inline void RaiseIfError(const absl::Status& status) {
  if (!status.ok()) Raise(status);
}

template <typename T>
T ValueOrRaise(absl::StatusOr<T> value) {
  if (!value.ok()) Raise(value.status());
  return *std::move(value);
}

}  // namespace warpyard::bindings

#endif  // WARPYARD_CC_BINDINGS_STATUS_H_
