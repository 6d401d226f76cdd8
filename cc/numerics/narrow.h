// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Many floats to a narrower format at once, a vector at a time, to nearest even.
// The results are those of EncodeFloat (small_float.h), bit for bit. On x86-64
// AVX2 is used where the processor has it; the program need not be built for it.

#ifndef WARPYARD_CC_NUMERICS_NARROW_H_
#define WARPYARD_CC_NUMERICS_NARROW_H_

#include <cstdint>

#include "cc/numerics/small_float.h"

namespace warpyard {

// Converts `count` floats to `format`, which has at most 8 bits, one byte each.
// Any rounding but to nearest even goes one by one.
void NarrowToBytes(const FloatFormat& format, const float* from, uint8_t* to, int64_t count,
                   const FloatConversion& how = {});

// The same for formats of 16 bits.
void NarrowToHalves(const FloatFormat& format, const float* from, uint16_t* to, int64_t count,
                    const FloatConversion& how = {});

// The same for formats of 4 bits (f4e2m1fn), two to a byte, the first in the low
// half. `to` has (count + 1) / 2 bytes; the high half of the last one is 0 where
// `count` is odd.
void NarrowToNibbles(const FloatFormat& format, const float* from, uint8_t* to, int64_t count,
                     const FloatConversion& how = {});

// Which vectors the functions above use on this machine: "avx2" or "baseline".
const char* NarrowKernelName();

namespace narrow_internal {

// Has the functions above do without AVX2 from now on, or no longer. For tests.
void ForceBaseline(bool force);

}  // namespace narrow_internal

}  // namespace warpyard

#endif  // WARPYARD_CC_NUMERICS_NARROW_H_
