// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/syntax/ast.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>

#include "absl/base/no_destructor.h"
#include "absl/container/flat_hash_map.h"

namespace warpyard::emulator::syntax {
namespace {

struct TypeRow {
  ScalarType type;
  std::string_view name;
  int bits;
};

// In the order of the enumeration, so that it is indexed by it.
constexpr TypeRow kTypes[] = {
    {ScalarType::kNone, "", 0},
    {ScalarType::kPred, "pred", 1},
    {ScalarType::kB8, "b8", 8},
    {ScalarType::kB16, "b16", 16},
    {ScalarType::kB32, "b32", 32},
    {ScalarType::kB64, "b64", 64},
    {ScalarType::kB128, "b128", 128},
    {ScalarType::kU8, "u8", 8},
    {ScalarType::kU16, "u16", 16},
    {ScalarType::kU32, "u32", 32},
    {ScalarType::kU64, "u64", 64},
    {ScalarType::kS8, "s8", 8},
    {ScalarType::kS16, "s16", 16},
    {ScalarType::kS32, "s32", 32},
    {ScalarType::kS64, "s64", 64},
    {ScalarType::kF16, "f16", 16},
    {ScalarType::kF16x2, "f16x2", 32},
    {ScalarType::kF32, "f32", 32},
    {ScalarType::kF32x2, "f32x2", 64},
    {ScalarType::kF64, "f64", 64},
    {ScalarType::kBf16, "bf16", 16},
    {ScalarType::kBf16x2, "bf16x2", 32},
    {ScalarType::kTf32, "tf32", 32},
    {ScalarType::kU16x2, "u16x2", 32},
    {ScalarType::kS16x2, "s16x2", 32},
    {ScalarType::kU8x4, "u8x4", 32},
    {ScalarType::kS8x4, "s8x4", 32},
    {ScalarType::kE4m3, "e4m3", 8},
    {ScalarType::kE5m2, "e5m2", 8},
    {ScalarType::kE2m1, "e2m1", 4},
    {ScalarType::kE2m3, "e2m3", 6},
    {ScalarType::kE3m2, "e3m2", 6},
    {ScalarType::kUe8m0, "ue8m0", 8},
    {ScalarType::kUe4m3, "ue4m3", 8},
    {ScalarType::kS2f6, "s2f6", 8},
    {ScalarType::kE4m3x2, "e4m3x2", 16},
    {ScalarType::kE5m2x2, "e5m2x2", 16},
    {ScalarType::kE2m1x2, "e2m1x2", 8},
    {ScalarType::kE2m3x2, "e2m3x2", 16},
    {ScalarType::kE3m2x2, "e3m2x2", 16},
    {ScalarType::kUe8m0x2, "ue8m0x2", 16},
    {ScalarType::kS2f6x2, "s2f6x2", 16},
    {ScalarType::kE4m3x4, "e4m3x4", 32},
    {ScalarType::kE5m2x4, "e5m2x4", 32},
    {ScalarType::kE2m1x4, "e2m1x4", 16},
    {ScalarType::kE2m3x4, "e2m3x4", 32},
    {ScalarType::kE3m2x4, "e3m2x4", 32},
    {ScalarType::kS4, "s4", 4},
    {ScalarType::kU4, "u4", 4},
    {ScalarType::kB1, "b1", 1},
    {ScalarType::kS2, "s2", 2},
    {ScalarType::kU2, "u2", 2},
    {ScalarType::kB4x16, "b4x16", 64},
    {ScalarType::kB4x16P64, "b4x16_p64", 128},
    {ScalarType::kB6x16P32, "b6x16_p32", 128},
    {ScalarType::kB6p2x16, "b6p2x16", 128},
    {ScalarType::kTexref, "texref", 0},
    {ScalarType::kSamplerref, "samplerref", 0},
    {ScalarType::kSurfref, "surfref", 0},
};

constexpr bool InOrder() {
  for (size_t i = 0; i < std::size(kTypes); ++i) {
    if (static_cast<size_t>(kTypes[i].type) != i) return false;
  }
  return true;
}
static_assert(InOrder());

}  // namespace

int BitWidth(ScalarType type) { return kTypes[static_cast<size_t>(type)].bits; }

std::string_view TypeName(ScalarType type) { return kTypes[static_cast<size_t>(type)].name; }

std::optional<ScalarType> ParseScalarType(std::string_view name) {
  static const absl::NoDestructor<absl::flat_hash_map<std::string_view, ScalarType>> by_name([] {
    absl::flat_hash_map<std::string_view, ScalarType> map;
    for (const TypeRow& row : kTypes) {
      if (!row.name.empty()) map.emplace(row.name, row.type);
    }
    return map;
  }());
  const auto found = by_name->find(name);
  if (found == by_name->end()) return std::nullopt;
  return found->second;
}

bool Instruction::Has(std::string_view modifier) const {
  return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

}  // namespace warpyard::emulator::syntax
