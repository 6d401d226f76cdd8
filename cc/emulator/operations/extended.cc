// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/operations/extended.h"

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "absl/status/status.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/execution/special_rows.h"
#include "cc/emulator/execution/warp.h"
#include "cc/emulator/operations/decode_support.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {
namespace {

using syntax::BitWidth;
using syntax::ScalarType;

// Instruction::flags.
constexpr uint32_t kCarryIn = 1;
constexpr uint32_t kCarryOut = 2;

uint32_t* CarryRow(Warp& warp) {
  RowRef ref;
  ref.base = RowRef::kSpecial;
  ref.offset = offsetof(SpecialRows, carry);
  return warp.Row<uint32_t>(ref);
}

enum class Kind { kAdd, kSub, kMadLo, kMadHi };

// T has 16 to 64 bits; for the high part of products its sign matters.
template <Kind kKind, class T>
Next Run(Warp& warp, const Instruction& in, uint32_t mask) {
  using U = std::make_unsigned_t<T>;
  using Lane = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  using Twice =
      std::conditional_t<sizeof(T) <= 4, std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>,
                         std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>>;
  constexpr int kBits = 8 * sizeof(T);
  Lane* d = warp.Row<Lane>(in.rows[0]);
  const Lane* a = warp.Row<Lane>(in.rows[1]);
  const Lane* b = warp.Row<Lane>(in.rows[2]);
  const Lane* c = in.row_count > 3 ? warp.Row<Lane>(in.rows[3]) : nullptr;
  uint32_t* carry = CarryRow(warp);
  for (int i = 0; i < kWarpSize; ++i) {
    if ((mask >> i & 1) == 0) continue;
    const U carry_in = static_cast<U>((in.flags & kCarryIn) != 0 ? carry[i] : 0);
    U left = static_cast<U>(a[i]), right = static_cast<U>(b[i]);
    if constexpr (kKind == Kind::kMadLo) {
      left = static_cast<U>(a[i] * b[i]);
      right = static_cast<U>(c[i]);
    } else if constexpr (kKind == Kind::kMadHi) {
      left = static_cast<U>((Twice{static_cast<T>(a[i])} * Twice{static_cast<T>(b[i])}) >> kBits);
      right = static_cast<U>(c[i]);
    }
    U r, carry_out;
    if constexpr (kKind == Kind::kSub) {
      r = static_cast<U>(left - right - carry_in);
      carry_out = left < right || (left == right && carry_in != 0);
    } else {
      const U sum = static_cast<U>(left + right);
      r = static_cast<U>(sum + carry_in);
      carry_out = (sum < left) | (r < sum);
    }
    d[i] = r;
    if ((in.flags & kCarryOut) != 0) carry[i] = static_cast<uint32_t>(carry_out);
  }
  return Next::kAdvance;
}

template <Kind kKind, bool kSigned>
Handler ByWidth(ScalarType type) {
  switch (BitWidth(type)) {
    case 16:
      return &Run<kKind, std::conditional_t<kSigned, int16_t, uint16_t>>;
    case 32:
      return &Run<kKind, std::conditional_t<kSigned, int32_t, uint32_t>>;
    default:
      return &Run<kKind, std::conditional_t<kSigned, int64_t, uint64_t>>;
  }
}

}  // namespace

absl::Status DecodeExtended(DecodeContext& context, const syntax::Instruction& syntax,
                            Instruction* instruction) {
  Modifiers modifiers(syntax);
  const ScalarType type = modifiers.TakeType();
  const bool carry_in = syntax.opcode.back() == 'c';
  const bool carry_out = modifiers.Take("cc");
  instruction->flags = (carry_in ? kCarryIn : 0) | (carry_out ? kCarryOut : 0);
  Form form;
  form.result = type;
  if (!IsInteger(type) || BitWidth(type) < 16) return modifiers.Unsupported();
  if (syntax.opcode.substr(0, 3) == "mad") {
    const int part = modifiers.TakeOneOf({"lo", "hi"});
    if (part < 0) return modifiers.Unsupported();
    form.sources = {type, type, type};
    form.handler = part == 0        ? ByWidth<Kind::kMadLo, false>(type)
                   : IsSigned(type) ? ByWidth<Kind::kMadHi, true>(type)
                                    : ByWidth<Kind::kMadHi, false>(type);
  } else {
    form.sources = {type, type};
    form.handler = syntax.opcode.substr(0, 3) == "sub" ? ByWidth<Kind::kSub, false>(type)
                                                       : ByWidth<Kind::kAdd, false>(type);
  }
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  return Emit(context, syntax, instruction, form);
}

namespace {

constexpr Operation kOperations[] = {
    {"addc", &DecodeExtended}, {"subc", &DecodeExtended}, {"madc", &DecodeExtended}};

}  // namespace

absl::Span<const Operation> ExtendedOperations() { return kOperations; }

}  // namespace warpyard::emulator
