// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Early returns for functions that give an absl::Status or absl::StatusOr.

#ifndef WARPYARD_CC_BASE_STATUS_MACROS_H_
#define WARPYARD_CC_BASE_STATUS_MACROS_H_

#include <utility>

#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

// Evaluates `expr` (an absl::Status) once and returns it from the enclosing
// function unless it is OK.
//
//   WARPYARD_RETURN_IF_ERROR(Validate(request));
#define WARPYARD_RETURN_IF_ERROR(expr)                                       \
  do {                                                                       \
    ::absl::Status warpyard_status_ = (expr);                                \
    if (ABSL_PREDICT_FALSE(!warpyard_status_.ok())) return warpyard_status_; \
  } while (false)

// Evaluates `expr` (an absl::StatusOr<T>) once; returns its status from the
// enclosing function when there is no value, else moves the value into `lhs`,
// which may declare a variable. Not usable as the only statement of an `if`
// without braces.
//
//   WARPYARD_ASSIGN_OR_RETURN(const Version version, tool.Version());
#define WARPYARD_ASSIGN_OR_RETURN(lhs, expr) \
  WARPYARD_ASSIGN_OR_RETURN_IMPL_(WARPYARD_CONCAT_(warpyard_status_or_, __LINE__), lhs, expr)

#define WARPYARD_CONCAT_IMPL_(a, b) a##b
#define WARPYARD_CONCAT_(a, b) WARPYARD_CONCAT_IMPL_(a, b)
#define WARPYARD_ASSIGN_OR_RETURN_IMPL_(status_or, lhs, expr)                    \
  auto status_or = (expr);                                                       \
  if (ABSL_PREDICT_FALSE(!status_or.ok())) return std::move(status_or).status(); \
  lhs = *std::move(status_or)

#endif  // WARPYARD_CC_BASE_STATUS_MACROS_H_
