// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// mov, with packing and unpacking of vectors, and prmt.

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_MOVE_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_MOVE_H_

#include "absl/types/span.h"
#include "cc/emulator/program/decoder.h"

namespace warpyard::emulator {

// mov prmt.
absl::Span<const Operation> MoveOperations();

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_MOVE_H_
