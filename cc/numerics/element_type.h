// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The types that an element of an array can have: names, widths, kinds. No
// dependencies, all constexpr.

#ifndef WARPYARD_CC_NUMERICS_ELEMENT_TYPE_H_
#define WARPYARD_CC_NUMERICS_ELEMENT_TYPE_H_

#include <cstdint>
#include <optional>
#include <ostream>
#include <string_view>

namespace warpyard {

// The numbers are those of XLA's PrimitiveType (xla_data.proto), so that a
// proto's number is cast once IsElementType() has passed it. Types that XLA does
// not have are from 64 on.
enum class ElementType : uint8_t {
  kPred = 1,
  kS8 = 2,
  kS16 = 3,
  kS32 = 4,
  kS64 = 5,
  kU8 = 6,
  kU16 = 7,
  kU32 = 8,
  kU64 = 9,
  kF16 = 10,
  kF32 = 11,
  kF64 = 12,
  kC64 = 15,
  kBF16 = 16,
  kC128 = 18,
  kF8E5M2 = 19,
  kF8E4M3FN = 20,
  kS4 = 21,
  kU4 = 22,
  kF8E4M3B11FNUZ = 23,
  kF8E5M2FNUZ = 24,
  kF8E4M3FNUZ = 25,
  kS2 = 26,
  kU2 = 27,
  kF8E4M3 = 28,
  kF8E3M4 = 29,
  kF4E2M1FN = 32,
  kF8E8M0FNU = 33,
  kF6E2M3FN = 64,
  kF6E3M2FN = 65,
};

enum class ElementKind : uint8_t {
  kPred,    // false, true; a whole byte in memory
  kSigned,  // two's complement
  kUnsigned,
  kFloat,    // small_float.h has their formats
  kComplex,  // real part first
};

struct ElementTypeInfo {
  ElementType type;
  std::string_view name;  // as HLO text has it: "f8e4m3fn"
  ElementKind kind;
  uint8_t bits;  // of a value; pred counts as 8, its width in memory
};

// Every type, in the order of this table: pred, integers, floats, complex.
inline constexpr ElementTypeInfo kElementTypes[] = {
    {ElementType::kPred, "pred", ElementKind::kPred, 8},
    {ElementType::kS2, "s2", ElementKind::kSigned, 2},
    {ElementType::kS4, "s4", ElementKind::kSigned, 4},
    {ElementType::kS8, "s8", ElementKind::kSigned, 8},
    {ElementType::kS16, "s16", ElementKind::kSigned, 16},
    {ElementType::kS32, "s32", ElementKind::kSigned, 32},
    {ElementType::kS64, "s64", ElementKind::kSigned, 64},
    {ElementType::kU2, "u2", ElementKind::kUnsigned, 2},
    {ElementType::kU4, "u4", ElementKind::kUnsigned, 4},
    {ElementType::kU8, "u8", ElementKind::kUnsigned, 8},
    {ElementType::kU16, "u16", ElementKind::kUnsigned, 16},
    {ElementType::kU32, "u32", ElementKind::kUnsigned, 32},
    {ElementType::kU64, "u64", ElementKind::kUnsigned, 64},
    {ElementType::kF4E2M1FN, "f4e2m1fn", ElementKind::kFloat, 4},
    {ElementType::kF6E2M3FN, "f6e2m3fn", ElementKind::kFloat, 6},
    {ElementType::kF6E3M2FN, "f6e3m2fn", ElementKind::kFloat, 6},
    {ElementType::kF8E3M4, "f8e3m4", ElementKind::kFloat, 8},
    {ElementType::kF8E4M3, "f8e4m3", ElementKind::kFloat, 8},
    {ElementType::kF8E4M3FN, "f8e4m3fn", ElementKind::kFloat, 8},
    {ElementType::kF8E4M3FNUZ, "f8e4m3fnuz", ElementKind::kFloat, 8},
    {ElementType::kF8E4M3B11FNUZ, "f8e4m3b11fnuz", ElementKind::kFloat, 8},
    {ElementType::kF8E5M2, "f8e5m2", ElementKind::kFloat, 8},
    {ElementType::kF8E5M2FNUZ, "f8e5m2fnuz", ElementKind::kFloat, 8},
    {ElementType::kF8E8M0FNU, "f8e8m0fnu", ElementKind::kFloat, 8},
    {ElementType::kF16, "f16", ElementKind::kFloat, 16},
    {ElementType::kBF16, "bf16", ElementKind::kFloat, 16},
    {ElementType::kF32, "f32", ElementKind::kFloat, 32},
    {ElementType::kF64, "f64", ElementKind::kFloat, 64},
    {ElementType::kC64, "c64", ElementKind::kComplex, 64},
    {ElementType::kC128, "c128", ElementKind::kComplex, 128},
};

namespace element_type_internal {

struct Index {
  uint8_t at[256];
};
inline constexpr uint8_t kNone = 255;
inline constexpr Index kIndex = [] {
  Index index{};
  for (uint8_t& at : index.at) at = kNone;
  uint8_t next = 0;
  for (const ElementTypeInfo& info : kElementTypes) {
    index.at[static_cast<uint8_t>(info.type)] = next++;
  }
  return index;
}();

}  // namespace element_type_internal

// Whether `number` is that of an ElementType.
constexpr bool IsElementType(int64_t number) {
  return number >= 0 && number < 256 &&
         element_type_internal::kIndex.at[number] != element_type_internal::kNone;
}

// `type` must be one of the enumerators.
constexpr const ElementTypeInfo& Info(ElementType type) {
  return kElementTypes[element_type_internal::kIndex.at[static_cast<uint8_t>(type)]];
}

constexpr std::string_view ElementTypeName(ElementType type) { return Info(type).name; }

// The type named `name` ("bf16"), or nothing. Names are case-sensitive.
constexpr std::optional<ElementType> ParseElementType(std::string_view name) {
  for (const ElementTypeInfo& info : kElementTypes) {
    if (info.name == name) return info.type;
  }
  return std::nullopt;
}

// Bits of one value where values stand side by side: 4 for s4, 8 for pred.
constexpr int BitWidth(ElementType type) { return Info(type).bits; }

// Whether a value is smaller than a byte, so that arrays may be packed.
constexpr bool IsSubByte(ElementType type) { return BitWidth(type) < 8; }

// Bytes of one value that stands alone: 1 for s4.
constexpr int ByteWidth(ElementType type) { return (BitWidth(type) + 7) / 8; }

constexpr bool IsPred(ElementType type) { return type == ElementType::kPred; }
constexpr bool IsSigned(ElementType type) { return Info(type).kind == ElementKind::kSigned; }
constexpr bool IsUnsigned(ElementType type) { return Info(type).kind == ElementKind::kUnsigned; }
constexpr bool IsInteger(ElementType type) { return IsSigned(type) || IsUnsigned(type); }
constexpr bool IsFloat(ElementType type) { return Info(type).kind == ElementKind::kFloat; }
constexpr bool IsComplex(ElementType type) { return Info(type).kind == ElementKind::kComplex; }

// The type of either part of a complex number; any other type itself.
constexpr ElementType ComponentType(ElementType type) {
  if (type == ElementType::kC64) return ElementType::kF32;
  if (type == ElementType::kC128) return ElementType::kF64;
  return type;
}

inline std::ostream& operator<<(std::ostream& out, ElementType type) {
  return out << ElementTypeName(type);
}

template <typename Sink>
void AbslStringify(Sink& sink, ElementType type) {
  sink.Append(ElementTypeName(type));
}

}  // namespace warpyard

#endif  // WARPYARD_CC_NUMERICS_ELEMENT_TYPE_H_
