// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Small matrices between shared memory and the registers of a warp: ldmatrix,
// stmatrix, movmatrix.

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_MATRIX_LOAD_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_MATRIX_LOAD_H_

#include <cstdint>

#include "absl/types/span.h"
#include "cc/emulator/program/decoder.h"

namespace warpyard::emulator {

absl::Span<const Operation> MatrixLoadOperations();

// Sixteen values of 4 or 6 bits, packed at the start of 16 bytes, to a byte each.
void UnpackSixteen(int bits, const uint8_t* packed, uint8_t* bytes);

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_MATRIX_LOAD_H_
