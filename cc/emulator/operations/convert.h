// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// cvt between all scalar types (PTX ISA, "cvt"). The packed formats of 4, 6 and 8
// bits are in convert_packed.h, cvt.pack in convert_pack.h.
//
// Where the manual leaves a choice:
//   - NaN to f16, bf16, f32, tf32: the canonical NaN of the type; bf16 to f32 is a
//     shift, so its payload stays; to f64 the payload moves along.
//   - NaN to an integer: 0, but 1 << (width - 1) from f64 or to 64 bits.

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_CONVERT_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_CONVERT_H_

#include "absl/types/span.h"
#include "cc/emulator/program/decoder.h"

namespace warpyard::emulator {

// cvt.
absl::Span<const Operation> ConvertOperations();

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_CONVERT_H_
