// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Exact conversions between double (and so float) and every narrower floating
// point format, with rounding, saturation and the treatment of what a format
// cannot hold as parameters. No dependencies, all constexpr; with constant
// arguments a conversion folds to a few instructions.
//
//   EncodeFloat(kF8E4M3FN, 3.14)                                     // 0x45: 3.25
//   EncodeFloat(kF8E4M3FN, 1e9, {.saturation = Saturation::kFinite}) // 0x7e: 448
//   DecodeFloat(kF8E4M3FN, 0x45)                                     // 3.25
//
// A value is rounded once, from the double: there is no step in between.

#ifndef WARPYARD_CC_NUMERICS_SMALL_FLOAT_H_
#define WARPYARD_CC_NUMERICS_SMALL_FLOAT_H_

#include <bit>
#include <cstdint>

#include "cc/numerics/element_type.h"

namespace warpyard {

// What a format's bit patterns at the top of its range stand for.
enum class SpecialValues : uint8_t {
  kIeee,          // an exponent of ones: infinities and NaNs
  kNanOnly,       // "fn": all ones is NaN, no infinities
  kUnsignedZero,  // "fnuz": the pattern of -0 is the only NaN, no infinities
  kNone,          // "fn" of less than 8 bits: every pattern is a number
};

// A binary floating point format of at most 32 bits: sign, exponent, mantissa,
// from the highest bit down.
struct FloatFormat {
  uint8_t exponent_bits;
  uint8_t mantissa_bits;
  int16_t bias;
  SpecialValues special;
  // f8e8m0fnu: an exponent alone, with no sign and no zero; 0xff is NaN.
  bool exponent_only = false;

  constexpr int bits() const { return exponent_bits + mantissa_bits + (exponent_only ? 0 : 1); }
  constexpr uint32_t sign_bit() const { return exponent_only ? 0 : 1u << (bits() - 1); }
  // The pattern with the greatest finite value.
  constexpr uint32_t max_finite() const {
    const uint32_t all = (1u << (exponent_bits + mantissa_bits)) - 1;
    switch (special) {
      case SpecialValues::kIeee:
        return all - (1u << mantissa_bits);
      case SpecialValues::kNanOnly:
        return all - 1;
      default:
        return all;
    }
  }
  constexpr bool has_infinity() const { return special == SpecialValues::kIeee; }
  constexpr bool has_nan() const { return special != SpecialValues::kNone; }
  constexpr bool has_negative_zero() const {
    return special != SpecialValues::kUnsignedZero && !exponent_only;
  }
  // The exponent of two of the lowest bit of a subnormal number, the smallest
  // step of the format. For f8e8m0fnu that of its least value.
  constexpr int min_exponent() const { return (exponent_only ? 0 : 1) - bias - mantissa_bits; }
};

inline constexpr FloatFormat kF4E2M1FN = {2, 1, 1, SpecialValues::kNone};
inline constexpr FloatFormat kF6E2M3FN = {2, 3, 1, SpecialValues::kNone};
inline constexpr FloatFormat kF6E3M2FN = {3, 2, 3, SpecialValues::kNone};
inline constexpr FloatFormat kF8E3M4 = {3, 4, 3, SpecialValues::kIeee};
inline constexpr FloatFormat kF8E4M3 = {4, 3, 7, SpecialValues::kIeee};
inline constexpr FloatFormat kF8E4M3FN = {4, 3, 7, SpecialValues::kNanOnly};
inline constexpr FloatFormat kF8E4M3FNUZ = {4, 3, 8, SpecialValues::kUnsignedZero};
inline constexpr FloatFormat kF8E4M3B11FNUZ = {4, 3, 11, SpecialValues::kUnsignedZero};
inline constexpr FloatFormat kF8E5M2 = {5, 2, 15, SpecialValues::kIeee};
inline constexpr FloatFormat kF8E5M2FNUZ = {5, 2, 16, SpecialValues::kUnsignedZero};
inline constexpr FloatFormat kF8E8M0FNU = {8, 0, 127, SpecialValues::kNanOnly, true};
inline constexpr FloatFormat kF16 = {5, 10, 15, SpecialValues::kIeee};
inline constexpr FloatFormat kBF16 = {8, 7, 127, SpecialValues::kIeee};
// The 19 bits of tf32; in a register they are the upper bits of a float, so
// shift left by 13.
inline constexpr FloatFormat kTF32 = {8, 10, 127, SpecialValues::kIeee};
inline constexpr FloatFormat kF32 = {8, 23, 127, SpecialValues::kIeee};

// The format of a type; `type` is a float of at most 32 bits, and anything else
// gets f32's.
constexpr FloatFormat FormatOf(ElementType type) {
  switch (type) {
    case ElementType::kF4E2M1FN:
      return kF4E2M1FN;
    case ElementType::kF6E2M3FN:
      return kF6E2M3FN;
    case ElementType::kF6E3M2FN:
      return kF6E3M2FN;
    case ElementType::kF8E3M4:
      return kF8E3M4;
    case ElementType::kF8E4M3:
      return kF8E4M3;
    case ElementType::kF8E4M3FN:
      return kF8E4M3FN;
    case ElementType::kF8E4M3FNUZ:
      return kF8E4M3FNUZ;
    case ElementType::kF8E4M3B11FNUZ:
      return kF8E4M3B11FNUZ;
    case ElementType::kF8E5M2:
      return kF8E5M2;
    case ElementType::kF8E5M2FNUZ:
      return kF8E5M2FNUZ;
    case ElementType::kF8E8M0FNU:
      return kF8E8M0FNU;
    case ElementType::kF16:
      return kF16;
    case ElementType::kBF16:
      return kBF16;
    default:
      return kF32;
  }
}

enum class Rounding : uint8_t {
  kNearestEven,  // PTX .rn
  kNearestAway,  // ties away from zero: PTX .rna
  kTowardZero,   // PTX .rz
  kUp,           // towards +infinity: PTX .rp
  kDown,         // towards -infinity: PTX .rm
  kStochastic,   // away from zero where FloatConversion::random carries: PTX .rs
};

enum class Saturation : uint8_t {
  kNone,    // overflow is infinity, or NaN, or the greatest number: what the format has first
  kFinite,  // overflow and infinities become the greatest number (PTX .satfinite)
};

// Where the worlds differ on what a format cannot hold.
//
//                             kXla (and ml_dtypes)       kPtx (PTX ISA, "cvt")
//   NaN to a format with NaN  quiet, sign kept           all ones, positive
//   NaN to one without        -0, of a negative NaN +0   the greatest number, positive
//   f8e8m0fnu of x < 0        NaN                        that of |x|
//   f8e8m0fnu of 0            NaN                        2^-127
enum class Convention : uint8_t { kXla, kPtx };

struct FloatConversion {
  Rounding rounding = Rounding::kNearestEven;
  Saturation saturation = Saturation::kNone;
  Convention convention = Convention::kXla;
  // For kStochastic: the low `random_bits` (1..32) of `random` are added to the
  // highest `random_bits` of what is cut off from the mantissa, and a carry
  // rounds away from zero. A value that the format holds never changes.
  uint8_t random_bits = 32;
  uint32_t random = 0;
};

namespace small_float_internal {

constexpr uint64_t kDoubleMantissa = (uint64_t{1} << 52) - 1;

// 2^exponent, for exponents of normal doubles.
constexpr double PowerOfTwo(int exponent) {
  return std::bit_cast<double>(static_cast<uint64_t>(exponent + 1023) << 52);
}

constexpr uint32_t EncodeNan(const FloatFormat& format, bool negative, Convention convention) {
  switch (format.special) {
    case SpecialValues::kUnsignedZero:
      return format.sign_bit();
    case SpecialValues::kNone:
      if (convention == Convention::kPtx) return format.max_finite();
      return negative ? 0 : format.sign_bit();
    case SpecialValues::kNanOnly: {
      const uint32_t sign = negative && convention == Convention::kXla ? format.sign_bit() : 0;
      return sign | (format.max_finite() + 1);
    }
    default: {
      if (convention == Convention::kPtx) return format.sign_bit() - 1;
      const uint32_t quiet = format.mantissa_bits == 0 ? 0 : 1u << (format.mantissa_bits - 1);
      return (negative ? format.sign_bit() : 0) | (format.max_finite() + 1) | quiet;
    }
  }
}

// Whether `kept`, of which the `shift` (1..63) bits `cut` were cut off, is
// rounded away from zero.
constexpr bool RoundsAway(uint64_t kept, uint64_t cut, int shift, bool negative, bool ties_away,
                          const FloatConversion& how) {
  const uint64_t half = uint64_t{1} << (shift - 1);
  switch (how.rounding) {
    case Rounding::kNearestEven:
      return cut > half || (cut == half && (ties_away || (kept & 1) != 0));
    case Rounding::kNearestAway:
      return cut >= half;
    case Rounding::kTowardZero:
      return false;
    case Rounding::kUp:
      return cut != 0 && !negative;
    case Rounding::kDown:
      return cut != 0 && negative;
    case Rounding::kStochastic: {
      const int bits = how.random_bits;
      const uint64_t random = how.random & ((uint64_t{1} << bits) - 1);
      const uint64_t top = shift >= bits ? cut >> (shift - bits) : cut << (bits - shift);
      return ((top + random) >> bits) != 0;
    }
  }
  return false;
}

}  // namespace small_float_internal

// The bits of `format` for `value`, in the low bits of the result.
//
// Overflow follows IEEE 754, 7.4: a result that rounding would put beyond the
// greatest number is an infinity where the rounding goes away from zero, and the
// greatest number where it goes towards it. Formats without infinities have NaN
// in their place, and those without NaN the greatest number. For f8e8m0fnu ties
// of kNearestEven go up, and what is smaller than 2^-127 becomes 2^-127.
constexpr uint32_t EncodeFloat(const FloatFormat& format, double value,
                               const FloatConversion& how = {}) {
  using namespace small_float_internal;
  const uint64_t bits = std::bit_cast<uint64_t>(value);
  bool negative = (bits >> 63) != 0;
  const int exponent_field = static_cast<int>((bits >> 52) & 0x7ff);
  uint64_t mantissa = bits & kDoubleMantissa;
  if (exponent_field == 0x7ff && mantissa != 0) return EncodeNan(format, negative, how.convention);
  if (format.exponent_only) {
    if (how.convention == Convention::kXla && (negative || (bits << 1) == 0)) {
      return EncodeNan(format, false, how.convention);
    }
    negative = false;
  }
  const uint32_t sign = negative ? format.sign_bit() : 0;

  if (exponent_field == 0x7ff) {
    if (how.saturation == Saturation::kFinite || !format.has_nan()) {
      return sign | format.max_finite();
    }
    if (format.special == SpecialValues::kUnsignedZero) return format.sign_bit();
    return sign | (format.max_finite() + 1);
  }

  // |value| is `mantissa` times 2^`exponent`.
  int exponent = -1074;
  if (exponent_field != 0) {
    mantissa |= kDoubleMantissa + 1;
    exponent = exponent_field - 1075;
  }
  const int min_exponent = format.min_exponent();
  int step = exponent + 52 - format.mantissa_bits;  // of the result's lowest bit
  if (step < min_exponent) step = min_exponent;
  // At least 29, as no mantissa has more than 23 bits. Beyond 63 all is cut off, and is
  // less than a half, as the mantissa has 53 bits.
  int shift = step - exponent;
  if (shift > 63) shift = 63;
  const uint64_t kept = mantissa >> shift;
  const uint64_t cut = mantissa & ((uint64_t{1} << shift) - 1);
  // The rounded mantissa, with the hidden bit of a normal number in it, carries into the
  // exponent by itself.
  uint64_t code = (static_cast<uint64_t>(step - min_exponent) << format.mantissa_bits) + kept;
  if (format.exponent_only) {
    if (kept == 0) return 0;
    code -= 1;  // it has no field for subnormals
  }
  code += RoundsAway(kept, cut, shift, negative, format.exponent_only, how) ? 1 : 0;

  if (code > format.max_finite()) {
    const bool to_greatest = how.saturation == Saturation::kFinite || !format.has_nan() ||
                             how.rounding == Rounding::kTowardZero ||
                             (how.rounding == Rounding::kUp && negative) ||
                             (how.rounding == Rounding::kDown && !negative);
    if (to_greatest) return sign | format.max_finite();
    if (format.special == SpecialValues::kUnsignedZero) return format.sign_bit();
    return sign | (format.max_finite() + 1);
  }
  if (code == 0 && !format.has_negative_zero()) return 0;
  return sign | static_cast<uint32_t>(code);
}

// The value of the low bits of `code`. Every value of every format is a double;
// NaNs come back quiet, with their sign (that of "fnuz" has it set).
constexpr double DecodeFloat(const FloatFormat& format, uint32_t code) {
  using namespace small_float_internal;
  const uint32_t sign_bit = format.sign_bit();
  const uint32_t magnitude = code & ((1u << (format.exponent_bits + format.mantissa_bits)) - 1);
  const bool negative = (code & sign_bit) != 0;
  const uint64_t sign = negative ? uint64_t{1} << 63 : 0;
  constexpr uint64_t kInfinity = uint64_t{0x7ff} << 52;
  constexpr uint64_t kNan = kInfinity | uint64_t{1} << 51;
  if (format.special == SpecialValues::kUnsignedZero && magnitude == 0 && negative) {
    return std::bit_cast<double>(sign | kNan);
  }
  if (magnitude > format.max_finite()) {
    const bool infinite = format.has_infinity() && magnitude == format.max_finite() + 1;
    return std::bit_cast<double>(sign | (infinite ? kInfinity : kNan));
  }
  const int field = static_cast<int>(magnitude >> format.mantissa_bits);
  uint32_t mantissa = magnitude & ((1u << format.mantissa_bits) - 1);
  int steps = 0;
  if (format.exponent_only) {
    mantissa = 1;
    steps = field;
  } else if (field != 0) {
    mantissa |= 1u << format.mantissa_bits;
    steps = field - 1;
  }
  const double absolute = mantissa * PowerOfTwo(format.min_exponent() + steps);
  return negative ? -absolute : absolute;
}

// The values of all patterns of a format of at most 8 bits, for lookups:
//   inline constexpr auto kTable = MakeDecodeTable(kF8E5M2);
//   float value = kTable.values[byte];
struct DecodeTable {
  float values[256];
};
constexpr DecodeTable MakeDecodeTable(const FloatFormat& format) {
  DecodeTable table{};
  const uint32_t mask = (1u << format.bits()) - 1;
  for (uint32_t code = 0; code < 256; ++code) {
    table.values[code] = static_cast<float>(DecodeFloat(format, code & mask));
  }
  return table;
}

}  // namespace warpyard

#endif  // WARPYARD_CC_NUMERICS_SMALL_FLOAT_H_
