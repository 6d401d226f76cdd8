// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/operations/compare.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/execution/warp.h"
#include "cc/emulator/operations/decode_support.h"
#include "cc/emulator/operations/vector_regions.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {
namespace {

using syntax::BitWidth;
using syntax::Operand;
using syntax::ScalarType;

enum class BaseComparison : uint8_t {
  kEqual,
  kLess,
  kLessOrEqual,
  kEqualOrUnordered,
  kUnordered,
};

// Instruction::flags of setp and set.
constexpr uint32_t kInvertFlag = 1;        // the base comparison's result is inverted
constexpr uint32_t kFlushFlag = 2;         // .ftz
constexpr uint32_t kSecondFlag = 4;        // setp p|q
constexpr uint32_t kNegateFlag = 8;        // !c
constexpr uint32_t kCombineMask = 3 << 4;  // 0 none, 1 and, 2 or, 3 xor
constexpr uint32_t kHalvesFlag = 64;       // two comparisons, of the halves
constexpr uint32_t kExchangeFlag = 128;    // b is compared with a

uint32_t Combine(Warp& warp, const Instruction& in, uint32_t t, int row) {
  const uint32_t combine = (in.flags & kCombineMask) >> 4;
  if (combine == 0) return t;
  uint32_t c = warp.Predicate(in.rows[row]);
  if ((in.flags & kNegateFlag) != 0) c = ~c;
  return combine == 1 ? t & c : combine == 2 ? t | c : t ^ c;
}

// Rows of setp: p, q, a, b, c.
Next FinishSetp(Warp& warp, const Instruction& in, uint32_t mask, uint32_t t, uint32_t second) {
  const uint32_t first = Combine(warp, in, t, 4);
  const uint32_t other = Combine(warp, in, second, 4);
  uint32_t& p = warp.Predicate(in.rows[0]);
  p = (p & ~mask) | (first & mask);
  if ((in.flags & kSecondFlag) != 0) {
    uint32_t& q = warp.Predicate(in.rows[1]);
    q = (q & ~mask) | (other & mask);
  }
  return Next::kAdvance;
}

using CompareRowFunction = uint32_t (*)(Warp& warp, RowRef a, RowRef b, bool ftz);
struct CompareHandlers {
  Handler setp = nullptr;
  CompareRowFunction row = nullptr;
};

WARPYARD_BEGIN_BASELINE
namespace baseline {
#include "cc/emulator/operations/row_map.inc"
// After row_map.inc.
#include "cc/emulator/operations/float_values.inc"
// After float_values.inc.
#include "cc/emulator/operations/half_values.inc"
// After half_values.inc.
#include "cc/emulator/operations/compare_rows.inc"
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
#include "cc/emulator/operations/compare_rows.inc"
}  // namespace avx2
WARPYARD_END_REGION
#define WARPYARD_PICK(CALL) (UseAvx2() ? avx2::CALL : baseline::CALL)
#else
#define WARPYARD_PICK(CALL) (baseline::CALL)
#endif

// What a comparison is made of.
struct Lowered {
  BaseComparison base;
  bool exchange = false;
  bool invert = false;
};

// Ordered comparisons of floats are false for NaN and the unordered ones true, so
// `ltu` is the inverse of `ge`, `ne` that of `equ`.
std::optional<Lowered> Lower(Comparison comparison, bool is_float) {
  using enum BaseComparison;
  switch (comparison) {
    case Comparison::kEq:
      return Lowered{kEqual};
    case Comparison::kNe:
      if (!is_float) return Lowered{kEqual, false, true};
      return Lowered{kEqualOrUnordered, false, true};
    case Comparison::kLt:
      return Lowered{kLess};
    case Comparison::kLe:
      return Lowered{kLessOrEqual};
    case Comparison::kGt:
      return Lowered{kLess, true};
    case Comparison::kGe:
      return Lowered{kLessOrEqual, true};
    default:
      break;
  }
  if (!is_float) return std::nullopt;
  switch (comparison) {
    case Comparison::kEqu:
      return Lowered{kEqualOrUnordered};
    case Comparison::kNeu:
      return Lowered{kEqual, false, true};
    case Comparison::kLtu:
      return Lowered{kLessOrEqual, true, true};
    case Comparison::kLeu:
      return Lowered{kLess, true, true};
    case Comparison::kGtu:
      return Lowered{kLessOrEqual, false, true};
    case Comparison::kGeu:
      return Lowered{kLess, false, true};
    case Comparison::kNum:
      return Lowered{kUnordered, false, true};
    case Comparison::kNan:
      return Lowered{kUnordered};
    default:
      return std::nullopt;
  }
}

std::optional<Comparison> TakeComparison(Modifiers& modifiers) {
  static constexpr std::pair<std::string_view, Comparison> kNames[] = {
      {"eq", Comparison::kEq},   {"ne", Comparison::kNe},   {"lt", Comparison::kLt},
      {"le", Comparison::kLe},   {"gt", Comparison::kGt},   {"ge", Comparison::kGe},
      {"lo", Comparison::kLt},   {"ls", Comparison::kLe},   {"hi", Comparison::kGt},
      {"hs", Comparison::kGe},   {"equ", Comparison::kEqu}, {"neu", Comparison::kNeu},
      {"ltu", Comparison::kLtu}, {"leu", Comparison::kLeu}, {"gtu", Comparison::kGtu},
      {"geu", Comparison::kGeu}, {"num", Comparison::kNum}, {"nan", Comparison::kNan}};
  for (const auto& [name, comparison] : kNames) {
    if (modifiers.Take(name)) return comparison;
  }
  return std::nullopt;
}

struct ParsedComparison {
  Lowered lowered;
  uint32_t flags = 0;
};

// What setp and set have in common, the types left.
absl::StatusOr<ParsedComparison> Parse(Modifiers& modifiers, ScalarType source) {
  const std::optional<Comparison> comparison = TakeComparison(modifiers);
  if (!comparison.has_value()) {
    return absl::InvalidArgumentError("a comparison (.eq, .lt, …) is missing");
  }
  const bool is_float =
      IsFloat(source) || source == ScalarType::kF16x2 || source == ScalarType::kBf16x2;
  const std::optional<Lowered> lowered = Lower(*comparison, is_float);
  if (!lowered.has_value()) {
    return absl::InvalidArgumentError("an unordered comparison needs a floating-point type");
  }
  ParsedComparison parsed{*lowered};
  if (lowered->invert) parsed.flags |= kInvertFlag;
  if (lowered->exchange) parsed.flags |= kExchangeFlag;
  if (modifiers.Take("ftz")) parsed.flags |= kFlushFlag;
  const int combine = modifiers.TakeOneOf({"and", "or", "xor"});
  if (combine >= 0) parsed.flags |= static_cast<uint32_t>(combine + 1) << 4;
  return parsed;
}

// The halves of f16x2 compared: p for the low, q for the high ones.
Next SetpHalves(Warp& warp, const Instruction& in, uint32_t mask) {
  const auto* rows = static_cast<const CompareRowFunction*>(in.detail);
  const bool ftz = (in.flags & kFlushFlag) != 0;
  const int exchange = (in.flags & kExchangeFlag) != 0 ? 1 : 0;
  const RowRef a = in.rows[2 + exchange], b = in.rows[3 - exchange];
  uint32_t low = rows[0](warp, a, b, ftz);
  uint32_t high = rows[1](warp, a, b, ftz);
  if ((in.flags & kInvertFlag) != 0) {
    low = ~low;
    high = ~high;
  }
  return FinishSetp(warp, in, mask, low, high);
}

struct CompareRows {
  CompareRowFunction rows[2];
};

absl::Status DecodeSetp(DecodeContext& context, const syntax::Instruction& syntax,
                        Instruction* instruction) {
  Modifiers modifiers(syntax);
  const ScalarType type = modifiers.TakeType();
  WARPYARD_ASSIGN_OR_RETURN(ParsedComparison parsed, Parse(modifiers, type));
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  const bool combines = (parsed.flags & kCombineMask) != 0;
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(syntax, combines ? 4 : 3));
  const bool halves = type == ScalarType::kF16x2 || type == ScalarType::kBf16x2;
  const CompareHandlers low = WARPYARD_PICK(Find(parsed.lowered.base, type, false));
  if (low.setp == nullptr) return modifiers.Unsupported();

  Operand sink;
  sink.kind = Operand::Kind::kSink;
  const Operand* first = &syntax.operands[0];
  const Operand* second = &sink;
  if (first->kind == Operand::Kind::kPair) {
    if (first->elements.size() != 2) return absl::InvalidArgumentError("setp has p or p|q");
    second = &first->elements[1];
    first = &first->elements[0];
    parsed.flags |= kSecondFlag;
  }
  WARPYARD_ASSIGN_OR_RETURN(RowRef p, context.PredicateDestination(*first));
  WARPYARD_ASSIGN_OR_RETURN(RowRef q, context.PredicateDestination(*second));
  WARPYARD_ASSIGN_OR_RETURN(RowRef a, context.Source(syntax.operands[1], type));
  WARPYARD_ASSIGN_OR_RETURN(RowRef b, context.Source(syntax.operands[2], type));
  instruction->operation_class = OperationClass::kPredicate;
  instruction->handler = low.setp;
  if (halves) {
    const CompareHandlers high = WARPYARD_PICK(Find(parsed.lowered.base, type, true));
    instruction->detail = context.program().Keep(CompareRows{{low.row, high.row}})->rows;
    instruction->handler = &SetpHalves;
  }
  if (combines) {
    bool negated = false;
    WARPYARD_ASSIGN_OR_RETURN(RowRef c, context.PredicateSource(syntax.operands[3], &negated));
    if (negated) parsed.flags |= kNegateFlag;
    context.SetRows(instruction, {p, q}, {a, b, c});
  } else {
    context.SetRows(instruction, {p, q}, {a, b});
  }
  instruction->flags = parsed.flags;
  return absl::OkStatus();
}

// Rows of set: d, a, b, c. Instruction::immediate: the value for true; of
// f16x2 sources that of the low half, the high half's above it.
Next Set(Warp& warp, const Instruction& in, uint32_t mask) {
  const auto* rows = static_cast<const CompareRowFunction*>(in.detail);
  const bool ftz = (in.flags & kFlushFlag) != 0;
  const int exchange = (in.flags & kExchangeFlag) != 0 ? 1 : 0;
  const RowRef a = in.rows[1 + exchange], b = in.rows[2 - exchange];
  uint32_t low = rows[0](warp, a, b, ftz);
  if ((in.flags & kInvertFlag) != 0) low = ~low;
  low = Combine(warp, in, low, 3);
  const uint32_t value = static_cast<uint32_t>(in.immediate);
  uint32_t* d = warp.Row<uint32_t>(in.rows[0]);
  if ((in.flags & kHalvesFlag) == 0) {
    for (int i = 0; i < kWarpSize; ++i) {
      if ((mask >> i & 1) != 0) d[i] = (low >> i & 1) != 0 ? value : 0;
    }
    return Next::kAdvance;
  }
  uint32_t high = rows[1](warp, a, b, ftz);
  if ((in.flags & kInvertFlag) != 0) high = ~high;
  high = Combine(warp, in, high, 3);
  for (int i = 0; i < kWarpSize; ++i) {
    if ((mask >> i & 1) == 0) continue;
    d[i] = ((low >> i & 1) != 0 ? value & 0xffff : 0) |
           ((high >> i & 1) != 0 ? value & 0xffff0000u : 0);
  }
  return Next::kAdvance;
}

absl::Status DecodeSet(DecodeContext& context, const syntax::Instruction& syntax,
                       Instruction* instruction) {
  Modifiers modifiers(syntax);
  const ScalarType result = modifiers.TakeType();
  const ScalarType type = modifiers.TakeType();
  if (type == ScalarType::kNone) return absl::InvalidArgumentError("set has two types");
  WARPYARD_ASSIGN_OR_RETURN(ParsedComparison parsed, Parse(modifiers, type));
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  const bool combines = (parsed.flags & kCombineMask) != 0;
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(syntax, combines ? 4 : 3));
  uint64_t value = 0;
  switch (result) {
    case ScalarType::kU32:
    case ScalarType::kS32:
    case ScalarType::kB32:
      value = 0xffffffffu;
      break;
    case ScalarType::kU16:
    case ScalarType::kS16:
      value = 0xffff;
      break;
    case ScalarType::kF32:
      value = 0x3f800000u;
      break;
    case ScalarType::kF16:
      value = 0x3c00;
      break;
    case ScalarType::kBf16:
      value = 0x3f80;
      break;
    case ScalarType::kF16x2:
      value = 0x3c003c00u;
      break;
    case ScalarType::kBf16x2:
      value = 0x3f803f80u;
      break;
    default:
      return modifiers.Unsupported();
  }
  const CompareHandlers low = WARPYARD_PICK(Find(parsed.lowered.base, type, false));
  const CompareHandlers high = WARPYARD_PICK(Find(parsed.lowered.base, type, true));
  if (low.row == nullptr) return modifiers.Unsupported();
  if (type == ScalarType::kF16x2 || type == ScalarType::kBf16x2) parsed.flags |= kHalvesFlag;
  WARPYARD_ASSIGN_OR_RETURN(RowRef d, context.Destination(syntax.operands[0], result));
  WARPYARD_ASSIGN_OR_RETURN(RowRef a, context.Source(syntax.operands[1], type));
  WARPYARD_ASSIGN_OR_RETURN(RowRef b, context.Source(syntax.operands[2], type));
  if (combines) {
    bool negated = false;
    WARPYARD_ASSIGN_OR_RETURN(RowRef c, context.PredicateSource(syntax.operands[3], &negated));
    if (negated) parsed.flags |= kNegateFlag;
    context.SetRows(instruction, {d}, {a, b, c});
  } else {
    context.SetRows(instruction, {d}, {a, b});
  }
  instruction->handler = &Set;
  instruction->operation_class = OperationClass::kPredicate;
  instruction->flags = parsed.flags;
  instruction->immediate = value;
  instruction->detail = context.program().Keep(CompareRows{{low.row, high.row}})->rows;
  return absl::OkStatus();
}

absl::Status DecodeSelp(DecodeContext& context, const syntax::Instruction& syntax,
                        Instruction* instruction) {
  Modifiers modifiers(syntax);
  const ScalarType type = modifiers.TakeType();
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(syntax, 4));
  const int bits = BitWidth(type);
  if (bits != 16 && bits != 32 && bits != 64) return modifiers.Unsupported();
  bool negated = false;
  WARPYARD_ASSIGN_OR_RETURN(RowRef d, context.Destination(syntax.operands[0], type));
  WARPYARD_ASSIGN_OR_RETURN(RowRef a, context.Source(syntax.operands[1], type));
  WARPYARD_ASSIGN_OR_RETURN(RowRef b, context.Source(syntax.operands[2], type));
  WARPYARD_ASSIGN_OR_RETURN(RowRef p, context.PredicateSource(syntax.operands[3], &negated));
  instruction->handler = WARPYARD_PICK(FindSelp(bits));
  instruction->operation_class = OperationClass::kPredicate;
  instruction->flags = negated ? 0xffffffffu : 0;
  context.SetRows(instruction, {d}, {a, b, p});
  return absl::OkStatus();
}

absl::Status DecodeSlct(DecodeContext& context, const syntax::Instruction& syntax,
                        Instruction* instruction) {
  Modifiers modifiers(syntax);
  const ScalarType type = modifiers.TakeType();
  const ScalarType by = modifiers.TakeType();
  const bool ftz = modifiers.Take("ftz");
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  if (by != ScalarType::kS32 && by != ScalarType::kF32) return modifiers.Unsupported();
  Form form;
  form.handler = WARPYARD_PICK(FindSlct(BitWidth(type), by == ScalarType::kF32));
  form.operation_class = OperationClass::kPredicate;
  form.result = type;
  form.sources = {type, type, by};
  instruction->flags = ftz ? 1 : 0;
  return Emit(context, syntax, instruction, form);
}

enum class Property : uint32_t { kFinite, kInfinite, kNumber, kNotANumber, kNormal, kSubnormal };

template <class S, int kMantissa>
Next Testp(Warp& warp, const Instruction& in, uint32_t mask) {
  const S* a = warp.Row<S>(in.rows[1]);
  uint32_t t = 0;
  for (int i = 0; i < kWarpSize; ++i) {
    const S magnitude = a[i] & (~S{0} >> 1);
    const S infinity = (~S{0} >> 1) >> kMantissa << kMantissa;
    bool holds = false;
    switch (static_cast<Property>(in.flags)) {
      case Property::kFinite:
        holds = magnitude < infinity;
        break;
      case Property::kInfinite:
        holds = magnitude == infinity;
        break;
      case Property::kNumber:
        holds = magnitude <= infinity;
        break;
      case Property::kNotANumber:
        holds = magnitude > infinity;
        break;
      case Property::kNormal:
        // Zeros count as normal.
        holds = magnitude == 0 || (magnitude < infinity && magnitude >> kMantissa != 0);
        break;
      case Property::kSubnormal:
        holds = magnitude != 0 && magnitude >> kMantissa == 0;
        break;
    }
    t |= static_cast<uint32_t>(holds) << i;
  }
  uint32_t& p = warp.Predicate(in.rows[0]);
  p = (p & ~mask) | (t & mask);
  return Next::kAdvance;
}

absl::Status DecodeTestp(DecodeContext& context, const syntax::Instruction& syntax,
                         Instruction* instruction) {
  Modifiers modifiers(syntax);
  const ScalarType type = modifiers.TakeType();
  const int property =
      modifiers.TakeOneOf({"finite", "infinite", "number", "notanumber", "normal", "subnormal"});
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(syntax, 2));
  if (property < 0) return absl::InvalidArgumentError("testp has no property to test");
  if (type != ScalarType::kF32 && type != ScalarType::kF64) return modifiers.Unsupported();
  WARPYARD_ASSIGN_OR_RETURN(RowRef p, context.PredicateDestination(syntax.operands[0]));
  WARPYARD_ASSIGN_OR_RETURN(RowRef a, context.Source(syntax.operands[1], type));
  instruction->handler = type == ScalarType::kF32 ? &Testp<uint32_t, 23> : &Testp<uint64_t, 52>;
  instruction->operation_class = OperationClass::kPredicate;
  instruction->flags = static_cast<uint32_t>(property);
  context.SetRows(instruction, {p}, {a});
  return absl::OkStatus();
}

constexpr Operation kOperations[] = {{"setp", &DecodeSetp},
                                     {"set", &DecodeSet},
                                     {"selp", &DecodeSelp},
                                     {"slct", &DecodeSlct},
                                     {"testp", &DecodeTestp}};

}  // namespace

absl::Span<const Operation> CompareOperations() { return kOperations; }

}  // namespace warpyard::emulator
