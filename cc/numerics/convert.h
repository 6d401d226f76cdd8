// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Conversions between any two element types, of one value or of many, with the
// meaning of HLO's `convert`.
//
// In memory a value has ByteWidth(type) bytes in the machine's order; one of less
// than a byte is in the low bits of its own byte, of which the upper bits are
// ignored on reading, and written as copies of the sign (signed integers) or 0.
// packed.h has the form in which such values share bytes.

#ifndef WARPYARD_CC_NUMERICS_CONVERT_H_
#define WARPYARD_CC_NUMERICS_CONVERT_H_

#include <complex>
#include <cstdint>

#include "cc/numerics/element_type.h"
#include "cc/numerics/small_float.h"

namespace warpyard {

// Converts `count` values of type `from_type` at `from` to `to_type` at `to`, each at
// an address for its type (of complex numbers, for a part). The two do not overlap unless they are
// the same address and the types are the same.
//
//   to a float     rounded once, from the exact value, as `how` says (to nearest even
//                  unless told); f64 and f32 to f64 exactly
//   to an integer  of a float: towards zero, beyond the range its nearest end, NaN 0;
//                  of an integer: modulo 2^bits
//   to pred        whether it is not 0; NaN is not
//   of pred        0 or 1
//   of complex     its real part, unless to complex or pred
//   to complex     with the imaginary part 0
void ConvertElements(ElementType from_type, const void* from, ElementType to_type, void* to,
                     int64_t count, const FloatConversion& how = {});

// One value at `element`, as the nearest number of the named kind.
double ReadDouble(ElementType type, const void* element);
int64_t ReadInt64(ElementType type, const void* element);
std::complex<double> ReadComplex(ElementType type, const void* element);

// Writes one value at `element`, as ConvertElements would.
void WriteDouble(ElementType type, void* element, double value);
void WriteInt64(ElementType type, void* element, int64_t value);
void WriteComplex(ElementType type, void* element, std::complex<double> value);

}  // namespace warpyard

#endif  // WARPYARD_CC_NUMERICS_CONVERT_H_
