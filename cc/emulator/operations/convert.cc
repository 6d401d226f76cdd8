// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/operations/convert.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/execution/warp.h"
#include "cc/emulator/operations/convert_packed.h"
#include "cc/emulator/operations/decode_support.h"
#include "cc/emulator/operations/vector_regions.h"
#include "cc/emulator/syntax/ast.h"
#include "cc/numerics/small_float.h"

namespace warpyard::emulator {
namespace {

using syntax::BitWidth;
using syntax::Operand;
using syntax::ScalarType;

WARPYARD_BEGIN_BASELINE
namespace baseline {
#include "cc/emulator/operations/row_map.inc"
// After row_map.inc.
#include "cc/emulator/operations/float_values.inc"
// After float_values.inc.
#include "cc/emulator/operations/half_values.inc"
// After half_values.inc.
#include "cc/emulator/operations/convert_rows.inc"
}  // namespace baseline
WARPYARD_END_REGION

#if WARPYARD_HAS_AVX2_REGION
WARPYARD_BEGIN_AVX2
namespace avx2 {
#include "cc/emulator/operations/row_map.inc"
// After row_map.inc.
#include "cc/emulator/operations/float_values.inc"
// After float_values.inc.
#include "cc/emulator/operations/half_values.inc"
// After half_values.inc.
#include "cc/emulator/operations/convert_rows.inc"
}  // namespace avx2
WARPYARD_END_REGION
#define WARPYARD_PICK(CALL) (UseAvx2() ? avx2::CALL : baseline::CALL)
#else
#define WARPYARD_PICK(CALL) (baseline::CALL)
#endif

// How a conversion rounds: as Rounding for floating-point results, or to an
// integer first.
struct Conversion {
  ScalarType result;
  ScalarType source;
  int result_register_bits;
  int source_register_bits;
  Rounding rounding = Rounding::kNearestEven;
  bool to_integral = false;  // .rni .rzi .rmi .rpi, by `rounding`
  bool ftz = false;
  bool saturate = false;
  bool finite = false;  // .satfinite
  bool relu = false;
};

double ToIntegral(double x, Rounding rounding) {
  switch (rounding) {
    case Rounding::kTowardZero:
      return std::trunc(x);
    case Rounding::kDown:
      return std::floor(x);
    case Rounding::kUp:
      return std::ceil(x);
    default:
      break;
  }
  // Ties to even, whatever the processor's rounding is.
  const double down = std::floor(x);
  const double part = x - down;
  double r = down;
  if (part > 0.5 || (part == 0.5 && std::fmod(down, 2.0) != 0)) r = down + 1;
  return std::copysign(r, x);
}

// The double nearest to an integer in the direction, or in between (`odd`) with the
// last bit set, so that rounding it further is rounding the integer.
double IntegerToDouble(__int128 value, Rounding rounding) {
  double nearest = static_cast<double>(value);
  const __int128 back = static_cast<__int128>(nearest);
  if (back == value) return nearest;
  const bool above = back > value;
  const double infinity = std::numeric_limits<double>::infinity();
  switch (rounding) {
    case Rounding::kNearestEven:
    case Rounding::kNearestAway:
    case Rounding::kStochastic:
      return nearest;
    case Rounding::kDown:
      return above ? std::nextafter(nearest, -infinity) : nearest;
    case Rounding::kUp:
      return above ? nearest : std::nextafter(nearest, infinity);
    case Rounding::kTowardZero:
      if (above == (value > 0)) return std::nextafter(nearest, 0.0);
      return nearest;
  }
  return nearest;
}
double IntegerToOdd(__int128 value) {
  const double cut = IntegerToDouble(value, Rounding::kTowardZero);
  if (static_cast<__int128>(cut) == value) return cut;
  return std::bit_cast<double>(std::bit_cast<uint64_t>(cut) | 1);
}

FloatFormat FormatOfType(ScalarType type) {
  switch (type) {
    case ScalarType::kF16:
      return kF16;
    case ScalarType::kBf16:
      return kBF16;
    case ScalarType::kTf32:
      return kTF32;
    default:
      return kF32;
  }
}

uint64_t FlushSubnormal(uint64_t bits) {
  return (bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits;
}

double ReadFloat(const Conversion& c, uint64_t bits) {
  if (c.source == ScalarType::kF64) return std::bit_cast<double>(bits);
  if (c.source == ScalarType::kF32) {
    return std::bit_cast<float>(static_cast<uint32_t>(c.ftz ? FlushSubnormal(bits) : bits));
  }
  return DecodeFloat(FormatOfType(c.source), static_cast<uint32_t>(bits & 0xffff));
}

uint64_t WriteFloat(const Conversion& c, double value) {
  if (c.saturate) value = !(value > 0) ? 0 : value < 1 ? value : 1;
  if (c.relu && value <= 0) value = 0;
  if (c.result == ScalarType::kF64) return std::bit_cast<uint64_t>(value);
  FloatConversion how;
  how.rounding = c.rounding;
  how.saturation = c.finite ? Saturation::kFinite : Saturation::kNone;
  how.convention = Convention::kPtx;
  uint64_t bits = EncodeFloat(FormatOfType(c.result), value, how);
  if (c.result == ScalarType::kTf32) bits = std::isnan(value) ? 0x7fffffffu : bits << 13;
  if (c.result == ScalarType::kF32 && c.ftz) bits = FlushSubnormal(bits);
  return bits;
}

// The range of an integer type.
__int128 Least(ScalarType type) {
  return IsSigned(type) ? -(__int128{1} << (BitWidth(type) - 1)) : 0;
}
__int128 Greatest(ScalarType type) {
  return (__int128{1} << (BitWidth(type) - (IsSigned(type) ? 1 : 0))) - 1;
}

__int128 FloatToInteger(const Conversion& c, double value) {
  const int bits = BitWidth(c.result);
  if (std::isnan(value)) {
    if (c.source != ScalarType::kF64 && bits != 64) return 0;
    return __int128{1} << (bits - 1);
  }
  const double integral = ToIntegral(value, c.rounding);
  if (integral <= static_cast<double>(Least(c.result))) return Least(c.result);
  if (integral >= std::ldexp(1.0, bits - (IsSigned(c.result) ? 1 : 0))) return Greatest(c.result);
  return static_cast<__int128>(integral);
}

uint64_t ConvertLane(const Conversion& c, uint64_t lane) {
  const bool from_integer = IsInteger(c.source);
  const int bits = BitWidth(c.source);
  const uint64_t source = bits == 64 ? lane : lane & ((uint64_t{1} << bits) - 1);
  __int128 integer = 0;
  double value = 0;
  if (from_integer) {
    integer =
        IsSigned(c.source)
            ? static_cast<__int128>(static_cast<int64_t>(source << (64 - bits)) >> (64 - bits))
            : static_cast<__int128>(source);
  } else {
    value = ReadFloat(c, source);
  }
  if (!IsInteger(c.result)) {
    if (from_integer) {
      value = c.result == ScalarType::kF64 ? IntegerToDouble(integer, c.rounding)
                                           : IntegerToOdd(integer);
    } else if (c.to_integral) {
      value = ToIntegral(value, c.rounding);
    }
    return WriteFloat(c, value);
  }
  if (!from_integer) {
    integer = FloatToInteger(c, value);
  } else if (c.saturate) {
    if (integer < Least(c.result)) integer = Least(c.result);
    if (integer > Greatest(c.result)) integer = Greatest(c.result);
  }
  // The result is extended to its register.
  const int result_bits = BitWidth(c.result);
  uint64_t r = static_cast<uint64_t>(integer) << (64 - result_bits);
  r = IsSigned(c.result) ? static_cast<uint64_t>(static_cast<int64_t>(r) >> (64 - result_bits))
                         : r >> (64 - result_bits);
  return c.result_register_bits < 64 ? r & ((uint64_t{1} << c.result_register_bits) - 1) : r;
}

Next ConvertAny(Warp& warp, const Instruction& in, uint32_t mask) {
  const Conversion& c = *static_cast<const Conversion*>(in.detail);
  for (; mask != 0; mask &= mask - 1) {
    const int lane = __builtin_ctz(mask);
    const uint64_t source = c.source_register_bits == 64 ? warp.Row<uint64_t>(in.rows[1])[lane]
                                                         : warp.Row<uint32_t>(in.rows[1])[lane];
    const uint64_t result = ConvertLane(c, source);
    if (c.result_register_bits == 64) {
      warp.Row<uint64_t>(in.rows[0])[lane] = result;
    } else {
      warp.Row<uint32_t>(in.rows[0])[lane] = static_cast<uint32_t>(result);
    }
  }
  return Next::kAdvance;
}

// What ConvertInteger reads.
uint32_t IntegerFlags(const Conversion& c) {
  const int source_lane = c.source_register_bits == 64 ? 64 : 32;
  const int result_lane = c.result_register_bits == 64 ? 64 : 32;
  return static_cast<uint32_t>(source_lane - BitWidth(c.source)) |
         static_cast<uint32_t>(result_lane - BitWidth(c.result)) << 6 |
         static_cast<uint32_t>(result_lane - c.result_register_bits) << 12 |
         uint32_t{IsSigned(c.source)} << 18 | uint32_t{IsSigned(c.result)} << 19;
}

// A handler with a loop of its own, or null.
Handler FastHandler(const Conversion& c, Instruction* instruction) {
  const bool to_integer = IsInteger(c.result), from_integer = IsInteger(c.source);
  if (c.saturate || c.finite) return nullptr;
  if (to_integer && from_integer) {
    instruction->flags = IntegerFlags(c);
    return WARPYARD_PICK(FindInteger(c.result_register_bits == 64, c.source_register_bits == 64));
  }
  if ((c.result_register_bits == 64) != (BitWidth(c.result) == 64) ||
      (c.source_register_bits == 64) != (BitWidth(c.source) == 64)) {
    return nullptr;
  }
  instruction->flags = uint32_t{c.ftz} | uint32_t{c.relu} << 1;
  if (to_integer) {
    if (c.rounding != Rounding::kTowardZero) return nullptr;
    return WARPYARD_PICK(FindSimple(c.result, c.source));
  }
  if (c.to_integral) {
    if (c.result != ScalarType::kF32 || c.source != ScalarType::kF32 || c.ftz || c.relu) {
      return nullptr;
    }
    switch (c.rounding) {
      case Rounding::kTowardZero:
        return WARPYARD_PICK(FindRound(0));
      case Rounding::kDown:
        return WARPYARD_PICK(FindRound(1));
      case Rounding::kUp:
        return WARPYARD_PICK(FindRound(2));
      default:
        return nullptr;
    }
  }
  if (c.rounding != Rounding::kNearestEven) return nullptr;
  const bool narrows_to_half = c.source == ScalarType::kF32 &&
                               (c.result == ScalarType::kF16 || c.result == ScalarType::kBf16);
  if ((c.ftz || c.relu) && !narrows_to_half) return nullptr;
  return WARPYARD_PICK(FindSimple(c.result, c.source));
}

absl::Status DecodeScalar(DecodeContext& context, const syntax::Instruction& syntax,
                          Instruction* instruction) {
  Modifiers modifiers(syntax);
  Conversion c;
  c.result = modifiers.TakeType();
  c.source = modifiers.TakeType();
  static constexpr Rounding kRoundings[] = {Rounding::kNearestEven, Rounding::kTowardZero,
                                            Rounding::kDown, Rounding::kUp};
  const int integral = modifiers.TakeOneOf({"rni", "rzi", "rmi", "rpi"});
  const int rounding = modifiers.TakeOneOf({"rn", "rz", "rm", "rp", "rna"});
  if (integral >= 0) {
    c.to_integral = true;
    c.rounding = kRoundings[integral];
  } else if (rounding >= 0) {
    c.rounding = rounding == 4 ? Rounding::kNearestAway : kRoundings[rounding];
  }
  c.ftz = modifiers.Take("ftz");
  c.saturate = modifiers.Take("sat");
  c.finite = modifiers.Take("satfinite");
  c.relu = modifiers.Take("relu");
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(syntax, 2));
  const auto known = [](ScalarType type) { return IsInteger(type) || IsFloat(type); };
  if (!known(c.source) || !(known(c.result) || c.result == ScalarType::kTf32)) {
    return modifiers.Unsupported();
  }

  // Registers can be wider than the types.
  ScalarType result_register = context.RegisterType(syntax.operands[0]);
  ScalarType source_register = context.RegisterType(syntax.operands[1]);
  if (BitWidth(result_register) < BitWidth(c.result)) result_register = c.result;
  if (BitWidth(source_register) < BitWidth(c.source)) source_register = c.source;
  c.result_register_bits = BitWidth(result_register);
  c.source_register_bits = BitWidth(source_register);
  if (c.result_register_bits > 64 || c.source_register_bits > 64) return modifiers.Unsupported();
  WARPYARD_ASSIGN_OR_RETURN(RowRef d, context.Destination(syntax.operands[0], result_register));
  WARPYARD_ASSIGN_OR_RETURN(RowRef a, context.Source(syntax.operands[1], source_register));
  context.SetRows(instruction, {d}, {a});
  instruction->operation_class = OperationClass::kConvert;
  instruction->handler = FastHandler(c, instruction);
  if (instruction->handler == nullptr) {
    instruction->handler = &ConvertAny;
    instruction->detail = context.program().Keep(c);
  }
  return absl::OkStatus();
}

absl::Status DecodeCvt(DecodeContext& context, const syntax::Instruction& syntax,
                       Instruction* instruction) {
  if (syntax.Has("pack")) return DecodeConvertPack(context, syntax, instruction);
  Modifiers modifiers(syntax);
  const ScalarType result = modifiers.TakeType();
  const ScalarType source = modifiers.TakeType();
  const bool pair = result == ScalarType::kF16x2 || result == ScalarType::kBf16x2;
  if (pair && source == ScalarType::kF32 && syntax.operands.size() == 3 && modifiers.Take("rn") &&
      syntax.modifiers.size() <= 4) {
    instruction->flags = uint32_t{modifiers.Take("ftz")} | uint32_t{modifiers.Take("relu")} << 1;
    if (modifiers.Done().ok()) {
      Form form;
      form.handler = WARPYARD_PICK(FindSimple(result, source));
      form.operation_class = OperationClass::kConvert;
      form.result = result;
      form.sources = {source, source};
      return Emit(context, syntax, instruction, form);
    }
  }
  if (IsPackedConversion(result, source)) {
    return DecodePackedConversion(context, syntax, instruction);
  }
  return DecodeScalar(context, syntax, instruction);
}

constexpr Operation kOperations[] = {{"cvt", &DecodeCvt}};

}  // namespace

absl::Span<const Operation> ConvertOperations() { return kOperations; }

}  // namespace warpyard::emulator
