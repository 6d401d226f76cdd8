// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/operations/convert_packed.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/execution/warp.h"
#include "cc/emulator/operations/decode_support.h"
#include "cc/emulator/syntax/ast.h"
#include "cc/numerics/small_float.h"

namespace warpyard::emulator {
namespace {

using syntax::BitWidth;
using syntax::Operand;
using syntax::ScalarType;

// How one value of a packed type lies in its register.
struct Element {
  FloatFormat format = kF32;
  int count = 1;
  int stride = 32;     // bits from one to the next
  bool fixed = false;  // s2f6: a signed byte in 64ths
};

std::optional<Element> ElementOf(ScalarType type) {
  switch (type) {
    case ScalarType::kF32:
      return Element{kF32, 1, 32};
    case ScalarType::kF16x2:
      return Element{kF16, 2, 16};
    case ScalarType::kBf16x2:
      return Element{kBF16, 2, 16};
    case ScalarType::kE4m3x2:
      return Element{kF8E4M3FN, 2, 8};
    case ScalarType::kE5m2x2:
      return Element{kF8E5M2, 2, 8};
    case ScalarType::kE2m1x2:
      return Element{kF4E2M1FN, 2, 4};
    case ScalarType::kE2m3x2:
      return Element{kF6E2M3FN, 2, 8};
    case ScalarType::kE3m2x2:
      return Element{kF6E3M2FN, 2, 8};
    case ScalarType::kUe8m0x2:
      return Element{kF8E8M0FNU, 2, 8};
    case ScalarType::kS2f6x2:
      return Element{kF32, 2, 8, true};
    case ScalarType::kE4m3x4:
      return Element{kF8E4M3FN, 4, 8};
    case ScalarType::kE5m2x4:
      return Element{kF8E5M2, 4, 8};
    case ScalarType::kE2m1x4:
      return Element{kF4E2M1FN, 4, 4};
    case ScalarType::kE2m3x4:
      return Element{kF6E2M3FN, 4, 8};
    case ScalarType::kE3m2x4:
      return Element{kF6E3M2FN, 4, 8};
    default:
      return std::nullopt;
  }
}

struct PackedConversion {
  Element result, source;
  FloatConversion how;
  bool relu = false;
  bool ftz = false;
  // Rows after the sources.
  bool has_random = false;
  bool has_scale = false;
};

double Decode(const Element& element, uint32_t bits) {
  if (element.fixed) return static_cast<int8_t>(bits) / 64.0;
  return DecodeFloat(element.format,
                     bits & static_cast<uint32_t>((uint64_t{1} << element.stride) - 1));
}

uint32_t Encode(const PackedConversion& c, double value, uint32_t random) {
  if (c.relu && value <= 0) value = 0;
  if (c.result.fixed) {
    // A NaN has no counterpart and becomes 0.
    if (std::isnan(value)) return 0;
    const double scaled = value * 64;
    if (scaled <= -128) return 0x80;
    if (scaled >= 127) return 0x7f;
    return static_cast<uint32_t>(static_cast<int>(std::nearbyint(scaled))) & 0xff;
  }
  FloatConversion how = c.how;
  how.random = random;
  return EncodeFloat(c.result.format, value, how);
}

// The part of the random bits that value `index` (0 lowest in the result) gets.
uint32_t RandomOf(const PackedConversion& c, uint32_t random, int index) {
  return c.result.count == 2 ? random >> (16 * index) : random >> (8 * index);
}

// Rows: d, then one source of packed values or `count` of f32, highest first; then
// the random bits or the scale.
Next ConvertPacked(Warp& warp, const Instruction& in, uint32_t mask) {
  const PackedConversion& c = *static_cast<const PackedConversion*>(in.detail);
  const int count = c.result.count;
  const bool from_rows = c.source.count == 1;
  const int extra = 1 + (from_rows ? count : 1);
  for (; mask != 0; mask &= mask - 1) {
    const int lane = __builtin_ctz(mask);
    const uint32_t last = c.has_random || c.has_scale ? warp.Row<uint32_t>(in.row(extra))[lane] : 0;
    uint32_t result = 0;
    for (int i = 0; i < count; ++i) {
      double value;
      if (from_rows) {
        const uint32_t bits = warp.Row<uint32_t>(in.row(count - i))[lane];
        const bool flush = c.ftz && (bits & 0x7f800000u) == 0;
        value = std::bit_cast<float>(flush ? bits & 0x80000000u : bits);
      } else {
        value = Decode(c.source, warp.Row<uint32_t>(in.row(1))[lane] >> (c.source.stride* i));
      }
      if (c.has_scale) value *= DecodeFloat(kF8E8M0FNU, last >> (8 * i) & 0xff);
      result |= Encode(c, value, RandomOf(c, last, i)) << (c.result.stride * i);
    }
    warp.Row<uint32_t>(in.row(0))[lane] = result;
  }
  return Next::kAdvance;
}

bool IsPacked(ScalarType type) {
  const std::optional<Element> element = ElementOf(type);
  return element.has_value() && element->count > 1;
}

// cvt.pack: Instruction::flags: bits of one value, 32 for signed ones, 64 where c is there.
Next ConvertPack(Warp& warp, const Instruction& in, uint32_t mask) {
  const int bits = static_cast<int>(in.flags & 31);
  const bool is_signed = (in.flags & 32) != 0, has_c = (in.flags & 64) != 0;
  const int64_t least = is_signed ? -(int64_t{1} << (bits - 1)) : 0;
  const int64_t most = (int64_t{1} << (bits - (is_signed ? 1 : 0))) - 1;
  const auto clamp = [&](uint32_t x) {
    const int64_t value = static_cast<int32_t>(x);
    const int64_t clamped = value < least ? least : value > most ? most : value;
    return static_cast<uint32_t>(clamped) & ((uint32_t{1} << bits) - 1);
  };
  for (; mask != 0; mask &= mask - 1) {
    const int lane = __builtin_ctz(mask);
    uint32_t r = clamp(warp.Row<uint32_t>(in.rows[1])[lane]) << bits |
                 clamp(warp.Row<uint32_t>(in.rows[2])[lane]);
    if (has_c) r |= warp.Row<uint32_t>(in.rows[3])[lane] << (2 * bits);
    warp.Row<uint32_t>(in.rows[0])[lane] = r;
  }
  return Next::kAdvance;
}

}  // namespace

bool IsPackedConversion(ScalarType result, ScalarType source) {
  return IsPacked(result) || IsPacked(source);
}

absl::Status DecodePackedConversion(DecodeContext& context, const syntax::Instruction& syntax,
                                    Instruction* instruction) {
  Modifiers modifiers(syntax);
  const bool scaled = modifiers.Take("scaled::n2::ue8m0");
  const ScalarType result = modifiers.TakeType();
  const ScalarType source = modifiers.TakeType();
  const std::optional<Element> to = ElementOf(result), from = ElementOf(source);
  if (!to.has_value() || !from.has_value() || to->count < 2 ||
      (from->count != 1 && from->count != to->count)) {
    return modifiers.Unsupported();
  }
  PackedConversion c;
  c.result = *to;
  c.source = *from;
  static constexpr Rounding kRoundings[] = {Rounding::kNearestEven, Rounding::kTowardZero,
                                            Rounding::kUp, Rounding::kDown, Rounding::kStochastic};
  const int rounding = modifiers.TakeOneOf({"rn", "rz", "rp", "rm", "rs"});
  if (rounding >= 0) c.how.rounding = kRoundings[rounding];
  c.how.convention = Convention::kPtx;
  c.how.saturation = modifiers.Take("satfinite") ? Saturation::kFinite : Saturation::kNone;
  c.relu = modifiers.Take("relu");
  c.ftz = modifiers.Take("ftz");
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  c.has_random = rounding == 4;
  if (c.has_random) c.how.random_bits = result == ScalarType::kF16x2 ? 13 : to->count == 2 ? 16 : 8;
  c.has_scale = scaled;
  if (scaled && result != ScalarType::kBf16x2) {
    return absl::UnimplementedError("cvt to a scaled type is not supported");
  }

  const int values = from->count == 1 ? to->count : 1;
  const bool vector = values == 4;  // {a, b, e, f}
  const int operands = 1 + (vector ? 1 : values) + (c.has_random || scaled ? 1 : 0);
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(syntax, operands));
  WARPYARD_ASSIGN_OR_RETURN(RowRef d, context.Destination(syntax.operands[0], result));
  std::vector<RowRef> sources;
  if (vector) {
    WARPYARD_ASSIGN_OR_RETURN(sources, context.Sources(syntax.operands[1], source));
    if (sources.size() != 4) return absl::InvalidArgumentError("cvt to four values takes four");
  } else {
    for (int i = 1; i <= values; ++i) {
      WARPYARD_ASSIGN_OR_RETURN(RowRef row, context.Source(syntax.operands[i], source));
      sources.push_back(row);
    }
  }
  if (c.has_random || scaled) {
    WARPYARD_ASSIGN_OR_RETURN(RowRef row,
                              context.Source(syntax.operands[operands - 1],
                                             scaled ? ScalarType::kB16 : ScalarType::kB32));
    sources.push_back(row);
  }
  context.SetRows(instruction, {d}, sources);
  instruction->operation_class = OperationClass::kConvert;
  instruction->handler = &ConvertPacked;
  instruction->detail = context.program().Keep(c);
  return absl::OkStatus();
}

absl::Status DecodeConvertPack(DecodeContext& context, const syntax::Instruction& syntax,
                               Instruction* instruction) {
  Modifiers modifiers(syntax);
  modifiers.Take("pack");
  modifiers.Take("sat");
  const ScalarType convert = modifiers.TakeType();
  const ScalarType source = modifiers.TakeType();
  const ScalarType rest = modifiers.TakeType();
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  const bool is_signed =
      IsSigned(convert) || convert == ScalarType::kS4 || convert == ScalarType::kS2;
  const int bits = BitWidth(convert);
  const bool has_c = bits < 16;
  if (source != ScalarType::kS32 || bits > 16 || bits < 2 || has_c != (rest == ScalarType::kB32)) {
    return modifiers.Unsupported();
  }
  Form form;
  form.handler = &ConvertPack;
  form.operation_class = OperationClass::kConvert;
  form.result = ScalarType::kB32;
  form.sources = {ScalarType::kS32, ScalarType::kS32};
  if (has_c) form.sources.push_back(ScalarType::kB32);
  instruction->flags =
      static_cast<uint32_t>(bits) | uint32_t{is_signed} << 5 | uint32_t{has_c} << 6;
  return Emit(context, syntax, instruction, form);
}

}  // namespace warpyard::emulator
