// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The older warp-level matrix operations: wmma.load, wmma.mma, wmma.store.
//
// PTX leaves it open which lane holds which element of a fragment, as long as the
// three agree. Here element i of lane l is number l * (elements of a lane) + i of
// the matrix, row by row; fragments with room for more hold elements twice.

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_WMMA_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_WMMA_H_

#include "absl/types/span.h"
#include "cc/emulator/program/decoder.h"

namespace warpyard::emulator {

absl::Span<const Operation> WmmaOperations();

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_WMMA_H_
