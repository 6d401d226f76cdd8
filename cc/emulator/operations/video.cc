// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/operations/video.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/execution/warp.h"
#include "cc/emulator/operations/decode_support.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {
namespace {

using syntax::Operand;
using syntax::ScalarType;

enum class VideoOperation : uint8_t {
  kAdd,
  kSub,
  kAbsDiff,
  kMin,
  kMax,
  kAverage,
  kShl,
  kShr,
  kSet,
  kMad,
};
enum class Second : uint8_t { kNone, kAdd, kMin, kMax, kMerge };
enum class Compare : uint8_t { kEq, kNe, kLt, kLe, kGt, kGe };

// One video instruction. Scalar ones have one lane.
struct Video {
  VideoOperation operation;
  Compare compare = Compare::kEq;
  bool signed_result = false, signed_a = false, signed_b = false;
  bool saturate = false;
  bool wrap = false;  // shifts: by the amount modulo 32, not clamped to 32
  Second second = Second::kNone;
  bool plus_one = false;  // vmad.po
  bool negate_product = false, negate_c = false;
  int scale = 0;  // vmad: bits to shift the result right by

  // Lanes of `bits` bits; their sources are parts of {b, a}, a lowest, for scalar
  // operations of the operand itself.
  int lanes = 1, bits = 32;
  int a_bits = 32, b_bits = 32;
  uint8_t a_part[4] = {0, 0, 0, 0}, b_part[4] = {0, 0, 0, 0};
  uint32_t mask = 1;  // SIMD: the lanes that are computed; others are c's
  int merge_part = 0;
};

int64_t Extend(uint64_t value, int bits, bool is_signed) {
  value &= (uint64_t{1} << bits) - 1;
  if (is_signed && (value >> (bits - 1) & 1) != 0)
    return static_cast<int64_t>(value) - (int64_t{1} << bits);
  return static_cast<int64_t>(value);
}

__int128 Clamp(__int128 value, int bits, bool is_signed) {
  const __int128 least = is_signed ? -(__int128{1} << (bits - 1)) : 0;
  const __int128 most = (__int128{1} << (bits - (is_signed ? 1 : 0))) - 1;
  return std::clamp(value, least, most);
}

bool Holds(Compare compare, int64_t a, int64_t b) {
  switch (compare) {
    case Compare::kEq:
      return a == b;
    case Compare::kNe:
      return a != b;
    case Compare::kLt:
      return a < b;
    case Compare::kLe:
      return a <= b;
    case Compare::kGt:
      return a > b;
    case Compare::kGe:
      return a >= b;
  }
  return false;
}

// The result of one lane before saturation.
__int128 Primary(const Video& v, int64_t a, int64_t b) {
  switch (v.operation) {
    case VideoOperation::kAdd:
      return a + b;
    case VideoOperation::kSub:
      return a - b;
    case VideoOperation::kAbsDiff:
      return a > b ? a - b : b - a;
    case VideoOperation::kMin:
      return std::min(a, b);
    case VideoOperation::kMax:
      return std::max(a, b);
    case VideoOperation::kAverage:
      // Half of the sum, rounded away from zero.
      return a + b >= 0 ? (a + b + 1) >> 1 : (a + b) >> 1;
    case VideoOperation::kShl:
    case VideoOperation::kShr: {
      const uint32_t amount = static_cast<uint32_t>(b);
      const int n = static_cast<int>(v.wrap ? amount & 31 : std::min(amount, 32u));
      if (v.operation == VideoOperation::kShr) return a >> n;
      return __int128{a} * (__int128{1} << n);
    }
    case VideoOperation::kSet:
      return Holds(v.compare, a, b) ? 1 : 0;
    case VideoOperation::kMad:
      return __int128{a} * b;
  }
  return 0;
}

uint32_t Scalar(const Video& v, uint32_t a, uint32_t b, uint32_t c) {
  const int64_t x = Extend(a >> (v.a_bits * v.a_part[0]), v.a_bits, v.signed_a);
  const int64_t y = Extend(b >> (v.b_bits * v.b_part[0]), v.b_bits, v.signed_b);
  __int128 t = Primary(v, x, y);
  if (v.operation == VideoOperation::kMad) {
    const bool is_signed = v.signed_a || v.signed_b || v.negate_product || v.negate_c;
    __int128 addend = Extend(c, 32, is_signed);
    if (v.negate_product) t = -t;
    if (v.negate_c) addend = -addend;
    t = (t + addend + (v.plus_one ? 1 : 0)) >> v.scale;
    if (v.saturate) t = Clamp(t, 32, is_signed);
    return static_cast<uint32_t>(t);
  }
  if (v.saturate) t = Clamp(t, v.bits, v.signed_result);
  const int64_t third = Extend(c, 32, v.signed_result);
  const int64_t result = Extend(static_cast<uint64_t>(t), 32, v.signed_result);
  switch (v.second) {
    case Second::kNone:
      return static_cast<uint32_t>(result);
    case Second::kAdd:
      return static_cast<uint32_t>(result + third);
    case Second::kMin:
      return static_cast<uint32_t>(std::min(result, third));
    case Second::kMax:
      return static_cast<uint32_t>(std::max(result, third));
    case Second::kMerge: {
      const uint32_t ones = static_cast<uint32_t>((uint64_t{1} << v.bits) - 1);
      const int at = v.bits * v.merge_part;
      return (c & ~(ones << at)) | (static_cast<uint32_t>(result) & ones) << at;
    }
  }
  return 0;
}

uint32_t Simd(const Video& v, uint32_t a, uint32_t b, uint32_t c) {
  const uint64_t sources = uint64_t{b} << 32 | a;
  const uint32_t ones = (uint32_t{1} << v.bits) - 1;
  uint32_t r = c;
  for (int i = 0; i < v.lanes; ++i) {
    if ((v.mask >> i & 1) == 0) continue;
    const int64_t x = Extend(sources >> (v.bits * v.a_part[i]), v.bits, v.signed_a);
    const int64_t y = Extend(sources >> (v.bits * v.b_part[i]), v.bits, v.signed_b);
    __int128 t = Primary(v, x, y);
    if (v.second == Second::kAdd) {
      r += static_cast<uint32_t>(t);
      continue;
    }
    if (v.saturate) t = Clamp(t, v.bits, v.signed_result);
    const int at = v.bits * i;
    r = (r & ~(ones << at)) | (static_cast<uint32_t>(t) & ones) << at;
  }
  return r;
}

Next RunVideo(Warp& warp, const Instruction& in, uint32_t mask) {
  const Video& v = *static_cast<const Video*>(in.detail);
  for (; mask != 0; mask &= mask - 1) {
    const int lane = __builtin_ctz(mask);
    const uint32_t a = warp.Row<uint32_t>(in.rows[1])[lane];
    const uint32_t b = warp.Row<uint32_t>(in.rows[2])[lane];
    const uint32_t c = in.row_count > 3 ? warp.Row<uint32_t>(in.rows[3])[lane] : 0;
    warp.Row<uint32_t>(in.rows[0])[lane] = v.lanes == 1 ? Scalar(v, a, b, c) : Simd(v, a, b, c);
  }
  return Next::kAdvance;
}

struct Name {
  std::string_view name;
  VideoOperation operation;
};
constexpr Name kNames[] = {
    {"vadd", VideoOperation::kAdd},         {"vsub", VideoOperation::kSub},
    {"vabsdiff", VideoOperation::kAbsDiff}, {"vmin", VideoOperation::kMin},
    {"vmax", VideoOperation::kMax},         {"vavrg", VideoOperation::kAverage},
    {"vshl", VideoOperation::kShl},         {"vshr", VideoOperation::kShr},
    {"vset", VideoOperation::kSet},         {"vmad", VideoOperation::kMad},
};

absl::Status BadSelector(const Operand& operand) {
  return absl::InvalidArgumentError(
      absl::StrCat("selector .", operand.component, " does not fit the operation"));
}

// .b0 … .b3, .h0, .h1 of a scalar operand.
absl::Status ReadPart(const Operand& operand, int* bits, uint8_t* part) {
  const std::string_view text = operand.component;
  if (text.empty()) return absl::OkStatus();
  const bool byte = text[0] == 'b';
  if (text.size() != 2 || (!byte && text[0] != 'h') || text[1] < '0' ||
      text[1] > (byte ? '3' : '1')) {
    return BadSelector(operand);
  }
  *bits = byte ? 8 : 16;
  *part = static_cast<uint8_t>(text[1] - '0');
  return absl::OkStatus();
}

// .h10 or .b3210: digits, the highest lane first.
absl::Status ReadParts(const Operand& operand, int lanes, uint8_t* parts) {
  const std::string_view text = operand.component;
  if (text.empty()) return absl::OkStatus();
  if (text.size() != static_cast<size_t>(lanes) + 1 || text[0] != (lanes == 2 ? 'h' : 'b')) {
    return BadSelector(operand);
  }
  for (int i = 0; i < lanes; ++i) {
    const char digit = text[lanes - i];
    if (digit < '0' || digit >= '0' + 2 * lanes) return BadSelector(operand);
    parts[i] = static_cast<uint8_t>(digit - '0');
  }
  return absl::OkStatus();
}

absl::Status ReadMask(const Operand& operand, int lanes, uint32_t* mask) {
  const std::string_view text = operand.component;
  *mask = (uint32_t{1} << lanes) - 1;
  if (text.empty()) return absl::OkStatus();
  if (text.size() < 2 || text[0] != (lanes == 2 ? 'h' : 'b')) return BadSelector(operand);
  *mask = 0;
  for (char digit : text.substr(1)) {
    if (digit < '0' || digit >= '0' + lanes) return BadSelector(operand);
    *mask |= uint32_t{1} << (digit - '0');
  }
  return absl::OkStatus();
}

absl::StatusOr<RowRef> PlainSource(DecodeContext& context, Operand operand) {
  operand.component = "";
  operand.minus = false;
  return context.Source(operand, ScalarType::kB32);
}

absl::Status Finish(DecodeContext& context, const syntax::Instruction& syntax,
                    Instruction* instruction, const Video& v) {
  Operand destination = syntax.operands[0];
  destination.component = "";
  WARPYARD_ASSIGN_OR_RETURN(RowRef d, context.Destination(destination, ScalarType::kB32));
  std::vector<RowRef> sources;
  for (size_t i = 1; i < syntax.operands.size(); ++i) {
    WARPYARD_ASSIGN_OR_RETURN(RowRef row, PlainSource(context, syntax.operands[i]));
    sources.push_back(row);
  }
  context.SetRows(instruction, {d}, sources);
  instruction->handler = &RunVideo;
  instruction->operation_class = OperationClass::kInteger;
  instruction->detail = context.program().Keep(v);
  return absl::OkStatus();
}

// Types and modifiers. Of set there are two types, and the result is unsigned.
absl::Status ReadModifiers(Modifiers& modifiers, Video* v) {
  const auto take_type = [&](bool* is_signed) {
    const ScalarType type = modifiers.TakeType();
    *is_signed = type == ScalarType::kS32;
    return type == ScalarType::kU32 || type == ScalarType::kS32;
  };
  bool known = v->operation == VideoOperation::kSet || take_type(&v->signed_result);
  known = take_type(&v->signed_a) && known;
  known = take_type(&v->signed_b) && known;
  if (!known) return modifiers.Unsupported();
  v->saturate = modifiers.Take("sat");
  if (v->operation == VideoOperation::kSet) {
    const int compare = modifiers.TakeOneOf({"eq", "ne", "lt", "le", "gt", "ge"});
    if (compare < 0) return modifiers.Unsupported();
    v->compare = static_cast<Compare>(compare);
  }
  if (v->operation == VideoOperation::kShl || v->operation == VideoOperation::kShr) {
    const int mode = modifiers.TakeOneOf({"clamp", "wrap"});
    if (mode < 0) return modifiers.Unsupported();
    v->wrap = mode == 1;
  }
  const int second = modifiers.TakeOneOf({"add", "min", "max"});
  if (second >= 0) v->second = static_cast<Second>(second + 1);
  if (v->operation == VideoOperation::kMad) {
    v->plus_one = modifiers.Take("po");
    const int scale = modifiers.TakeOneOf({"shr7", "shr15"});
    v->scale = scale < 0 ? 0 : scale == 0 ? 7 : 15;
  }
  return modifiers.Done();
}

absl::Status DecodeVideo(DecodeContext& context, const syntax::Instruction& syntax,
                         Instruction* instruction) {
  Video v{};
  std::string_view name = syntax.opcode;
  if (name.back() == '2' || name.back() == '4') {
    v.lanes = name.back() - '0';
    v.bits = 32 / v.lanes;
    name.remove_suffix(1);
  }
  for (const Name& row : kNames) {
    if (row.name == name) v.operation = row.operation;
  }
  Modifiers modifiers(syntax);
  WARPYARD_RETURN_IF_ERROR(ReadModifiers(modifiers, &v));
  if (v.lanes > 1) {
    WARPYARD_RETURN_IF_ERROR(ExpectOperands(syntax, 4));
    for (int i = 0; i < v.lanes; ++i) {
      v.a_part[i] = static_cast<uint8_t>(i);
      v.b_part[i] = static_cast<uint8_t>(v.lanes + i);
    }
    WARPYARD_RETURN_IF_ERROR(ReadMask(syntax.operands[0], v.lanes, &v.mask));
    WARPYARD_RETURN_IF_ERROR(ReadParts(syntax.operands[1], v.lanes, v.a_part));
    WARPYARD_RETURN_IF_ERROR(ReadParts(syntax.operands[2], v.lanes, v.b_part));
    return Finish(context, syntax, instruction, v);
  }
  const bool mad = v.operation == VideoOperation::kMad;
  const bool merges = syntax.operands.empty() ? false : !syntax.operands[0].component.empty();
  const bool third = mad || merges || v.second != Second::kNone;
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(syntax, third ? 4 : 3));
  WARPYARD_RETURN_IF_ERROR(ReadPart(syntax.operands[1], &v.a_bits, v.a_part));
  WARPYARD_RETURN_IF_ERROR(ReadPart(syntax.operands[2], &v.b_bits, v.b_part));
  if (merges) {
    uint8_t part = 0;
    WARPYARD_RETURN_IF_ERROR(ReadPart(syntax.operands[0], &v.bits, &part));
    v.merge_part = part;
    v.second = Second::kMerge;
  }
  if (mad) {
    v.negate_product = syntax.operands[1].minus != syntax.operands[2].minus;
    v.negate_c = syntax.operands[3].minus;
  }
  return Finish(context, syntax, instruction, v);
}

constexpr Operation kOperations[] = {
    {"vabsdiff", &DecodeVideo}, {"vabsdiff2", &DecodeVideo}, {"vabsdiff4", &DecodeVideo},
    {"vadd", &DecodeVideo},     {"vadd2", &DecodeVideo},     {"vadd4", &DecodeVideo},
    {"vavrg2", &DecodeVideo},   {"vavrg4", &DecodeVideo},    {"vmad", &DecodeVideo},
    {"vmax", &DecodeVideo},     {"vmax2", &DecodeVideo},     {"vmax4", &DecodeVideo},
    {"vmin", &DecodeVideo},     {"vmin2", &DecodeVideo},     {"vmin4", &DecodeVideo},
    {"vset", &DecodeVideo},     {"vset2", &DecodeVideo},     {"vset4", &DecodeVideo},
    {"vshl", &DecodeVideo},     {"vshr", &DecodeVideo},      {"vsub", &DecodeVideo},
    {"vsub2", &DecodeVideo},    {"vsub4", &DecodeVideo},
};

}  // namespace

absl::Span<const Operation> VideoOperations() { return kOperations; }

}  // namespace warpyard::emulator
