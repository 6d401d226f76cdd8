// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// dp4a and dp2a.

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_DOT_PRODUCT_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_DOT_PRODUCT_H_

#include "absl/types/span.h"
#include "cc/emulator/program/decoder.h"

namespace warpyard::emulator {

// dp4a dp2a.
absl::Span<const Operation> DotProductOperations();

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_DOT_PRODUCT_H_
