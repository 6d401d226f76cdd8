// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Values of less than a byte, side by side: value i has the bits from i * width
// on of a stream in which a byte's low bits come first. So of two 4-bit values in
// a byte the first is in the low half, as in PTX's .e2m1x2 and XLA's packed s4;
// four 6-bit values fill three bytes.

#ifndef WARPYARD_CC_NUMERICS_PACKED_H_
#define WARPYARD_CC_NUMERICS_PACKED_H_

#include <cstdint>

namespace warpyard {

// Bytes that `count` values of `width` bits (1..8) take.
constexpr int64_t PackedBytes(int64_t count, int width) {
  // In two parts, as count * width may not fit where the result does.
  return count / 8 * width + (count % 8 * width + 7) / 8;
}

// Packs the low `width` bits of each of `count` bytes. Bits after the last value
// are 0. `to` has PackedBytes(count, width) bytes and does not overlap `from`.
void PackBits(const uint8_t* from, int width, uint8_t* to, int64_t count);

// The reverse: one value to a byte, its upper bits 0, or copies of the value's
// highest bit where `sign_extend` is set.
void UnpackBits(const uint8_t* from, int width, bool sign_extend, uint8_t* to, int64_t count);

}  // namespace warpyard

#endif  // WARPYARD_CC_NUMERICS_PACKED_H_
