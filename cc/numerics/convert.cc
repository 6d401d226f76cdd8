// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Thirty types make nine hundred pairs. Each goes through one of three kinds that
// hold all values of the type exactly: integers of 64 bits with or without sign,
// and (complex) doubles; a block at a time, so that the choice by type is outside
// of the loops.

#include "cc/numerics/convert.h"

#include <algorithm>
#include <array>
#include <bit>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>

#include "cc/numerics/narrow.h"
#include "cc/numerics/small_float.h"

namespace warpyard {
namespace {

constexpr int64_t kBlock = 256;

struct Block {
  enum class Kind { kSigned, kUnsigned, kReal, kComplex };
  Kind kind;
  int64_t integers[kBlock];  // of kUnsigned: the same bits
  double real[kBlock];
  double imaginary[kBlock];
};

template <typename T, typename Out>
void LoadAs(const void* from, Out* out, int64_t count) {
  const char* bytes = static_cast<const char*>(from);
  for (int64_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, bytes + i * sizeof(T), sizeof(T));
    out[i] = static_cast<Out>(value);
  }
}

template <typename T>
void LoadComplex(const void* from, Block& block, int64_t count) {
  const char* bytes = static_cast<const char*>(from);
  for (int64_t i = 0; i < count; ++i) {
    T parts[2];
    std::memcpy(parts, bytes + i * sizeof(parts), sizeof(parts));
    block.real[i] = parts[0];
    block.imaginary[i] = parts[1];
  }
}

// Floats of 16 bits: their bits as those of a float with the same exponent field, and the
// difference of the biases as a factor, which makes subnormal numbers right as well.
float HalfToFloat(uint16_t half) {
  const uint32_t magnitude = half & 0x7fffu;
  const float scaled = std::bit_cast<float>(magnitude << 13) * 0x1p112f;
  uint32_t bits = std::bit_cast<uint32_t>(scaled) | static_cast<uint32_t>(half & 0x8000u) << 16;
  if (magnitude >= 0x7c00u) bits |= 0x7f800000u;  // infinity and NaN
  if (magnitude > 0x7c00u) bits |= 0x00400000u;   // quiet
  return std::bit_cast<float>(bits);
}

// The values of all patterns of a type of at most 8 bits.
const DecodeTable& TableOf(ElementType type) {
  static const std::array<DecodeTable, 256>* const tables = [] {
    auto* all = new std::array<DecodeTable, 256>();
    for (const ElementTypeInfo& info : kElementTypes) {
      if (info.kind != ElementKind::kFloat || info.bits > 8) continue;
      (*all)[static_cast<uint8_t>(info.type)] = MakeDecodeTable(FormatOf(info.type));
    }
    return all;
  }();
  return (*tables)[static_cast<uint8_t>(type)];
}

// Whether every value of the type is a float of 32 bits.
bool FitsFloat(ElementType type) {
  return !IsComplex(type) && (BitWidth(type) <= 16 || type == ElementType::kF32);
}

// The floats of 32 bits that values of a narrow floating point type are.
void WidenFloats(ElementType type, const void* from, float* to, int64_t count) {
  const auto* halves = static_cast<const uint16_t*>(from);
  if (type == ElementType::kBF16) {
    for (int64_t i = 0; i < count; ++i) {
      to[i] = std::bit_cast<float>(static_cast<uint32_t>(halves[i]) << 16);
    }
  } else if (type == ElementType::kF16) {
    for (int64_t i = 0; i < count; ++i) to[i] = HalfToFloat(halves[i]);
  } else {
    const DecodeTable& table = TableOf(type);
    const auto* codes = static_cast<const uint8_t*>(from);
    for (int64_t i = 0; i < count; ++i) to[i] = table.values[codes[i]];
  }
}

void Load(ElementType type, const void* from, Block& block, int64_t count) {
  block.kind = IsComplex(type)             ? Block::Kind::kComplex
               : IsFloat(type)             ? Block::Kind::kReal
               : type == ElementType::kU64 ? Block::Kind::kUnsigned
                                           : Block::Kind::kSigned;
  switch (type) {
    case ElementType::kPred:
      LoadAs<uint8_t>(from, block.integers, count);
      for (int64_t i = 0; i < count; ++i) block.integers[i] = block.integers[i] != 0 ? 1 : 0;
      return;
    case ElementType::kS2:
    case ElementType::kS4:
    case ElementType::kU2:
    case ElementType::kU4: {
      LoadAs<uint8_t>(from, block.integers, count);
      const int64_t sign = IsSigned(type) ? int64_t{1} << (BitWidth(type) - 1) : 0;
      const int64_t mask = (int64_t{1} << BitWidth(type)) - 1;
      for (int64_t i = 0; i < count; ++i) {
        block.integers[i] = ((block.integers[i] & mask) ^ sign) - sign;
      }
      return;
    }
    case ElementType::kS8:
      return LoadAs<int8_t>(from, block.integers, count);
    case ElementType::kS16:
      return LoadAs<int16_t>(from, block.integers, count);
    case ElementType::kS32:
      return LoadAs<int32_t>(from, block.integers, count);
    case ElementType::kS64:
    case ElementType::kU64:
      return LoadAs<int64_t>(from, block.integers, count);
    case ElementType::kU8:
      return LoadAs<uint8_t>(from, block.integers, count);
    case ElementType::kU16:
      return LoadAs<uint16_t>(from, block.integers, count);
    case ElementType::kU32:
      return LoadAs<uint32_t>(from, block.integers, count);
    case ElementType::kF32:
      return LoadAs<float>(from, block.real, count);
    case ElementType::kF64:
      return LoadAs<double>(from, block.real, count);
    case ElementType::kC64:
      return LoadComplex<float>(from, block, count);
    case ElementType::kC128:
      return LoadComplex<double>(from, block, count);
    default: {
      float floats[kBlock];
      WidenFloats(type, from, floats, count);
      for (int64_t i = 0; i < count; ++i) block.real[i] = floats[i];
      return;
    }
  }
}

// A double from which every format of at most 51 bits rounds as it would from the
// integer itself: the last of its bits is set where any bit below it was ("round to odd").
double OddDouble(uint64_t magnitude) {
  const int width = std::bit_width(magnitude);
  if (width <= 53) return static_cast<double>(magnitude);
  const int cut = width - 53;
  const uint64_t rest = magnitude & ((uint64_t{1} << cut) - 1);
  const uint64_t kept = (magnitude >> cut) | (rest != 0 ? 1 : 0);
  return static_cast<double>(kept) * static_cast<double>(uint64_t{1} << cut);
}

double OddDouble(const Block& block, int64_t i) {
  const int64_t value = block.integers[i];
  if (block.kind == Block::Kind::kUnsigned || value >= 0) {
    return OddDouble(static_cast<uint64_t>(value));
  }
  return -OddDouble(-static_cast<uint64_t>(value));
}

// The real parts, rounded to double; exact but for integers beyond 2^53.
void MakeReal(Block& block, int64_t count) {
  if (block.kind == Block::Kind::kUnsigned) {
    for (int64_t i = 0; i < count; ++i) {
      block.real[i] = static_cast<double>(static_cast<uint64_t>(block.integers[i]));
    }
  } else if (block.kind == Block::Kind::kSigned) {
    for (int64_t i = 0; i < count; ++i) block.real[i] = static_cast<double>(block.integers[i]);
  }
}

int64_t ToInt64(double value) {
  if (!(value == value)) return 0;
  if (value >= 0x1p63) return std::numeric_limits<int64_t>::max();
  if (value < -0x1p63) return std::numeric_limits<int64_t>::min();
  return static_cast<int64_t>(value);
}

uint64_t ToUint64(double value) {
  if (!(value > 0)) return 0;
  if (value >= 0x1p64) return std::numeric_limits<uint64_t>::max();
  return static_cast<uint64_t>(value);
}

// Integers for `type`, in range where they come from floats.
void MakeInteger(ElementType type, Block& block, int64_t count) {
  if (block.kind == Block::Kind::kSigned || block.kind == Block::Kind::kUnsigned) return;
  const int bits = BitWidth(type);
  if (!IsSigned(type)) {
    const uint64_t greatest = ~uint64_t{0} >> (64 - bits);
    for (int64_t i = 0; i < count; ++i) {
      block.integers[i] = static_cast<int64_t>(std::min(ToUint64(block.real[i]), greatest));
    }
    return;
  }
  const auto greatest = static_cast<int64_t>(~uint64_t{0} >> (65 - bits));
  for (int64_t i = 0; i < count; ++i) {
    block.integers[i] = std::clamp(ToInt64(block.real[i]), -greatest - 1, greatest);
  }
}

template <typename T, typename In>
void StoreAs(const In* values, void* to, int64_t count) {
  char* bytes = static_cast<char*>(to);
  for (int64_t i = 0; i < count; ++i) {
    const T value = static_cast<T>(values[i]);
    std::memcpy(bytes + i * sizeof(T), &value, sizeof(T));
  }
}

template <typename T>
void StoreComplex(const Block& block, void* to, int64_t count) {
  char* bytes = static_cast<char*>(to);
  for (int64_t i = 0; i < count; ++i) {
    const T parts[2] = {static_cast<T>(block.real[i]), block.kind == Block::Kind::kComplex
                                                           ? static_cast<T>(block.imaginary[i])
                                                           : T{0}};
    std::memcpy(bytes + i * sizeof(parts), parts, sizeof(parts));
  }
}

void StorePred(const Block& block, void* to, int64_t count) {
  auto* bytes = static_cast<uint8_t*>(to);
  for (int64_t i = 0; i < count; ++i) {
    bool set;
    if (block.kind == Block::Kind::kComplex) {
      set = block.real[i] != 0 || block.imaginary[i] != 0;
    } else if (block.kind == Block::Kind::kReal) {
      set = block.real[i] != 0;
    } else {
      set = block.integers[i] != 0;
    }
    bytes[i] = set ? 1 : 0;
  }
}

void StoreFloats(const FloatFormat& format, const Block& block, void* to, int64_t count,
                 const FloatConversion& how) {
  const bool real = block.kind == Block::Kind::kReal || block.kind == Block::Kind::kComplex;
  const int bytes = (format.bits() + 7) / 8;
  for (int64_t i = 0; i < count; ++i) {
    const uint32_t code = EncodeFloat(format, real ? block.real[i] : OddDouble(block, i), how);
    if (bytes == 1) {
      static_cast<uint8_t*>(to)[i] = static_cast<uint8_t>(code);
    } else if (bytes == 2) {
      const auto half = static_cast<uint16_t>(code);
      std::memcpy(static_cast<char*>(to) + i * 2, &half, 2);
    } else {
      std::memcpy(static_cast<char*>(to) + i * 4, &code, 4);
    }
  }
}

void StoreSubByte(ElementType type, const Block& block, void* to, int64_t count) {
  const int64_t mask = (int64_t{1} << BitWidth(type)) - 1;
  const int64_t sign = IsSigned(type) ? int64_t{1} << (BitWidth(type) - 1) : 0;
  auto* bytes = static_cast<uint8_t*>(to);
  for (int64_t i = 0; i < count; ++i) {
    bytes[i] = static_cast<uint8_t>(((block.integers[i] & mask) ^ sign) - sign);
  }
}

// To nearest even, as the machine does it.
void StoreFloat32(const Block& block, void* to, int64_t count) {
  if (block.kind == Block::Kind::kSigned) return StoreAs<float>(block.integers, to, count);
  if (block.kind != Block::Kind::kUnsigned) return StoreAs<float>(block.real, to, count);
  auto* floats = static_cast<float*>(to);
  for (int64_t i = 0; i < count; ++i) {
    floats[i] = static_cast<float>(static_cast<uint64_t>(block.integers[i]));
  }
}

bool IsPlain(const FloatConversion& how) {
  return how.rounding == Rounding::kNearestEven && how.saturation == Saturation::kNone &&
         how.convention == Convention::kXla;
}

void Store(ElementType type, Block& block, void* to, int64_t count, const FloatConversion& how) {
  if (IsPred(type)) return StorePred(block, to, count);
  if (type == ElementType::kF32 && IsPlain(how)) return StoreFloat32(block, to, count);
  if (IsFloat(type) && type != ElementType::kF64) {
    return StoreFloats(FormatOf(type), block, to, count, how);
  }
  if (IsInteger(type)) {
    MakeInteger(type, block, count);
  } else if (type == ElementType::kC64 &&
             (block.kind == Block::Kind::kSigned || block.kind == Block::Kind::kUnsigned)) {
    for (int64_t i = 0; i < count; ++i) block.real[i] = OddDouble(block, i);
  } else {
    MakeReal(block, count);
  }
  switch (type) {
    case ElementType::kF64:
      return StoreAs<double>(block.real, to, count);
    case ElementType::kC64:
      return StoreComplex<float>(block, to, count);
    case ElementType::kC128:
      return StoreComplex<double>(block, to, count);
    default:
      break;
  }
  switch (BitWidth(type)) {
    case 8:
      return StoreAs<uint8_t>(block.integers, to, count);
    case 16:
      return StoreAs<uint16_t>(block.integers, to, count);
    case 32:
      return StoreAs<uint32_t>(block.integers, to, count);
    case 64:
      return StoreAs<uint64_t>(block.integers, to, count);
    default:
      return StoreSubByte(type, block, to, count);
  }
}

// The pairs that models are full of, without the way through doubles.
bool ConvertFast(ElementType from_type, const void* from, ElementType to_type, void* to,
                 int64_t count, const FloatConversion& how) {
  if (from_type == to_type && !IsPred(from_type) && !IsSubByte(from_type)) {
    if (to != from) std::memcpy(to, from, count * ByteWidth(from_type));
    return true;
  }
  if (to_type == ElementType::kF32 && IsFloat(from_type) && BitWidth(from_type) <= 16 &&
      IsPlain(how)) {
    WidenFloats(from_type, from, static_cast<float*>(to), count);
    return true;
  }
  if (!IsFloat(to_type) || BitWidth(to_type) > 16 || !FitsFloat(from_type)) return false;
  const FloatFormat format = FormatOf(to_type);
  const auto narrow = [&](const float* floats, int64_t at, int64_t size) {
    if (BitWidth(to_type) == 16) {
      NarrowToHalves(format, floats, static_cast<uint16_t*>(to) + at, size, how);
    } else {
      NarrowToBytes(format, floats, static_cast<uint8_t*>(to) + at, size, how);
    }
  };
  if (from_type == ElementType::kF32) {
    narrow(static_cast<const float*>(from), 0, count);
    return true;
  }
  float floats[kBlock];
  for (int64_t at = 0; at < count; at += kBlock) {
    const int64_t size = std::min(kBlock, count - at);
    ConvertElements(from_type, static_cast<const char*>(from) + at * ByteWidth(from_type),
                    ElementType::kF32, floats, size);
    narrow(floats, at, size);
  }
  return true;
}

}  // namespace

void ConvertElements(ElementType from_type, const void* from, ElementType to_type, void* to,
                     int64_t count, const FloatConversion& how) {
  if (count <= 0 || ConvertFast(from_type, from, to_type, to, count, how)) return;
  Block block;
  for (int64_t at = 0; at < count; at += kBlock) {
    const int64_t size = std::min(kBlock, count - at);
    Load(from_type, static_cast<const char*>(from) + at * ByteWidth(from_type), block, size);
    Store(to_type, block, static_cast<char*>(to) + at * ByteWidth(to_type), size, how);
  }
}

double ReadDouble(ElementType type, const void* element) {
  double value;
  ConvertElements(type, element, ElementType::kF64, &value, 1);
  return value;
}

int64_t ReadInt64(ElementType type, const void* element) {
  int64_t value;
  ConvertElements(type, element, ElementType::kS64, &value, 1);
  return value;
}

std::complex<double> ReadComplex(ElementType type, const void* element) {
  double parts[2];
  ConvertElements(type, element, ElementType::kC128, parts, 1);
  return {parts[0], parts[1]};
}

void WriteDouble(ElementType type, void* element, double value) {
  ConvertElements(ElementType::kF64, &value, type, element, 1);
}

void WriteInt64(ElementType type, void* element, int64_t value) {
  ConvertElements(ElementType::kS64, &value, type, element, 1);
}

void WriteComplex(ElementType type, void* element, std::complex<double> value) {
  const double parts[2] = {value.real(), value.imag()};
  ConvertElements(ElementType::kC128, parts, type, element, 1);
}

}  // namespace warpyard
