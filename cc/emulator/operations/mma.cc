// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
#include "cc/emulator/operations/mma.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/execution/warp.h"
#include "cc/emulator/operations/mma_arithmetic.h"
#include "cc/emulator/operations/mma_form.h"
#include "cc/emulator/program/decoder.h"
#include "cc/emulator/program/program.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {
namespace {

using syntax::Operand;
using syntax::ScalarType;

// A group of types, and the shapes that it has (PTX ISA, "Warp-level matrix
// instructions", tables of shapes).
struct Shapes {
  MmaType type;
  int bits;                                // of an element as it lies in a register
  std::vector<std::pair<int, int>> dense;  // m, k
  std::vector<int> sparse;                 // k; m is 16
};

const std::vector<Shapes>& AllShapes() {
  static const auto* const kShapes = new std::vector<Shapes>{
      {MmaType::kF16, 16, {{16, 8}, {16, 16}, {8, 4}}, {16, 32}},
      {MmaType::kBf16, 16, {{16, 8}, {16, 16}}, {16, 32}},
      {MmaType::kTf32, 32, {{16, 4}, {16, 8}}, {8, 16}},
      {MmaType::kF64, 64, {{8, 4}, {16, 4}, {16, 8}, {16, 16}}, {}},
      {MmaType::kE4m3, 8, {{16, 16}, {16, 32}}, {64}},
      {MmaType::kS8, 8, {{8, 16}, {16, 16}, {16, 32}}, {32, 64}},
      {MmaType::kS4, 4, {{8, 32}, {16, 32}, {16, 64}}, {64, 128}},
      {MmaType::kE2m1, 4, {{16, 64}}, {128}},
      {MmaType::kB1, 1, {{8, 128}, {16, 128}, {16, 256}}, {}},
  };
  return *kShapes;
}

// The member of AllShapes() that a type goes with.
MmaType Representative(MmaType type) {
  switch (type) {
    case MmaType::kE5m2:
    case MmaType::kE3m2:
    case MmaType::kE2m3:
    case MmaType::kE2m1Mid:
      return MmaType::kE4m3;
    case MmaType::kU8:
      return MmaType::kS8;
    case MmaType::kU4:
      return MmaType::kS4;
    default:
      return type;
  }
}

std::optional<MmaType> OperandType(ScalarType type, bool packed_4) {
  switch (type) {
    case ScalarType::kF16:
      return MmaType::kF16;
    case ScalarType::kBf16:
      return MmaType::kBf16;
    case ScalarType::kTf32:
      return MmaType::kTf32;
    case ScalarType::kF64:
      return MmaType::kF64;
    case ScalarType::kE4m3:
      return MmaType::kE4m3;
    case ScalarType::kE5m2:
      return MmaType::kE5m2;
    case ScalarType::kE3m2:
      return MmaType::kE3m2;
    case ScalarType::kE2m3:
      return MmaType::kE2m3;
    case ScalarType::kE2m1:
      return packed_4 ? MmaType::kE2m1 : MmaType::kE2m1Mid;
    case ScalarType::kS8:
      return MmaType::kS8;
    case ScalarType::kU8:
      return MmaType::kU8;
    case ScalarType::kS4:
      return MmaType::kS4;
    case ScalarType::kU4:
      return MmaType::kU4;
    case ScalarType::kB1:
      return MmaType::kB1;
    default:
      return std::nullopt;
  }
}

std::optional<MmaResult> ResultType(ScalarType type) {
  switch (type) {
    case ScalarType::kF32:
      return MmaResult::kF32;
    case ScalarType::kF16:
      return MmaResult::kF16;
    case ScalarType::kF64:
      return MmaResult::kF64;
    case ScalarType::kS32:
      return MmaResult::kS32;
    default:
      return std::nullopt;
  }
}

// "m16n8k32" to its numbers.
bool ParseShape(std::string_view word, int* m, int* n, int* k) {
  int* const parts[] = {m, n, k};
  const char letters[] = {'m', 'n', 'k'};
  size_t at = 0;
  for (int i = 0; i < 3; ++i) {
    if (at >= word.size() || word[at] != letters[i]) return false;
    ++at;
    int value = 0, digits = 0;
    while (at < word.size() && word[at] >= '0' && word[at] <= '9' && digits < 4) {
      value = value * 10 + (word[at] - '0');
      ++at;
      ++digits;
    }
    if (digits == 0) return false;
    *parts[i] = value;
  }
  return at == word.size();
}

bool HasShape(const MmaForm& form) {
  for (const Shapes& shapes : AllShapes()) {
    if (shapes.type != Representative(form.a)) continue;
    if (form.sparse) {
      return form.m == 16 && std::ranges::count(shapes.sparse, form.k) != 0;
    }
    return std::ranges::count(shapes.dense, std::pair(form.m, form.k)) != 0;
  }
  return false;
}

// Whether the types of the result go with those of the operands.
bool HasResult(const MmaForm& form) {
  switch (form.a) {
    case MmaType::kF64:
      return form.d == MmaResult::kF64 && form.c == MmaResult::kF64;
    case MmaType::kBf16:
    case MmaType::kTf32:
      return form.d == MmaResult::kF32 && form.c == MmaResult::kF32;
    default:
      break;
  }
  if (IsIntegerMma(form.a)) return form.d == MmaResult::kS32 && form.c == MmaResult::kS32;
  const auto is_float = [](MmaResult r) { return r == MmaResult::kF32 || r == MmaResult::kF16; };
  if (form.scale != MmaScale::kNone) {
    return form.d == MmaResult::kF32 && form.c == MmaResult::kF32;
  }
  return is_float(form.d) && is_float(form.c) && (form.quad_pairs || form.d == form.c);
}

}  // namespace

absl::StatusOr<MmaForm> ParseMmaForm(absl::Span<const std::string_view> modifiers) {
  MmaForm form;
  const auto refuse = [&] {
    return absl::UnimplementedError(
        absl::StrCat("mma.", absl::StrJoin(modifiers, "."), " is not supported"));
  };
  std::vector<ScalarType> types;
  std::vector<std::string_view> layouts;
  bool packed_4 = false, shape = false, popc = false, operation = false;
  for (std::string_view word : modifiers) {
    if (word == "sync" || word == "aligned" || word == "block_scale" || word == "kind::f8f6f4" ||
        word == "kind::mxf8f6f4") {
      continue;
    }
    if (word == "kind::mxf4" || word == "kind::mxf4nvf4") {
      packed_4 = true;
      if (form.scales_per_row == 0) form.scales_per_row = 2;
    } else if (word == "sp" || word == "sp::ordered_metadata") {
      form.sparse = true;
    } else if (word == "row" || word == "col") {
      layouts.push_back(word);
    } else if (word == "satfinite") {
      form.saturate = true;
    } else if (word == "popc") {
      popc = true;
    } else if (word == "and" || word == "xor") {
      operation = true;
      form.bit_and = word == "and";
    } else if (word == "scale_vec::1X" || word == "scale_vec::2X" || word == "scale_vec::4X") {
      form.scales_per_row = word[11] - '0';
    } else if (ParseShape(word, &form.m, &form.n, &form.k)) {
      shape = true;
    } else if (const auto type = syntax::ParseScalarType(word); type.has_value()) {
      types.push_back(*type);
    } else {
      return refuse();
    }
  }
  const bool scaled = std::ranges::count(modifiers, std::string_view("block_scale")) != 0;
  if (types.size() != (scaled ? 5u : 4u) || !shape || form.n != 8 || layouts.size() != 2) {
    return refuse();
  }
  const auto d = ResultType(types[0]), c = ResultType(types[3]);
  const auto a = OperandType(types[1], packed_4), b = OperandType(types[2], packed_4);
  if (!a.has_value() || !b.has_value() || !c.has_value() || !d.has_value()) return refuse();
  form.a = *a;
  form.b = *b;
  form.c = *c;
  form.d = *d;
  form.quad_pairs = form.m == 8 && form.k == 4 && form.a == MmaType::kF16;
  form.a_column_major = layouts[0] == "col";
  form.b_column_major = layouts[1] == "col";
  if (!form.quad_pairs && (form.a_column_major || !form.b_column_major)) return refuse();
  if (scaled) {
    if (types[4] == ScalarType::kUe8m0) {
      form.scale = MmaScale::kUe8m0;
    } else if (types[4] == ScalarType::kUe4m3) {
      form.scale = MmaScale::kUe4m3;
    } else {
      return refuse();
    }
    if (form.scales_per_row == 0) form.scales_per_row = 1;
  } else if (form.scales_per_row != 0) {
    return refuse();
  }
  if (Representative(form.a) != Representative(form.b) || !HasShape(form) || !HasResult(form)) {
    return refuse();
  }
  if ((form.a == MmaType::kB1) != (popc && operation)) return refuse();
  return form;
}

namespace {

// Rows: D, then A, B, C, and what `extra` says behind them.
struct MmaDetail {
  MmaForm form;
  int selector = 0;
};

Next RunMmaSync(Warp& warp, const Instruction& instruction, uint32_t mask) {
  if (!warp.Arrived(mask, 0xffffffffu)) return Next::kWait;
  if (mask != 0xffffffffu) {
    return warp.RaiseFault(instruction, -1, FaultKind::kIllegalInstruction,
                           "mma.sync.aligned by a warp of which some threads have exited or are "
                           "disabled; all 32 must execute it together");
  }
  const auto& detail = *static_cast<const MmaDetail*>(instruction.detail);
  const MmaForm& form = detail.form;
  MmaOperands operands;
  int at = 0;
  for (int i = 0; i < form.d_registers(); ++i) {
    operands.d[i] = warp.Row<void>(instruction.row(at++));
  }
  for (int i = 0; i < form.a_registers(); ++i) {
    operands.a[i] = warp.Row<void>(instruction.row(at++));
  }
  for (int i = 0; i < form.b_registers(); ++i) {
    operands.b[i] = warp.Row<void>(instruction.row(at++));
  }
  for (int i = 0; i < form.c_registers(); ++i) {
    operands.c[i] = warp.Row<void>(instruction.row(at++));
  }
  if (form.sparse) {
    operands.metadata = warp.Row<uint32_t>(instruction.row(at++));
    operands.selector = detail.selector;
  }
  if (form.scale != MmaScale::kNone) {
    const auto id = [&](int i) {
      return static_cast<int>(*warp.Row<uint32_t>(instruction.row(i)));
    };
    operands.a_scale = warp.Row<uint32_t>(instruction.row(at));
    operands.a_byte = id(at + 1);
    operands.a_thread = id(at + 2);
    operands.b_scale = warp.Row<uint32_t>(instruction.row(at + 3));
    operands.b_byte = id(at + 4);
    operands.b_thread = id(at + 5);
    const int last = 4 - form.scales_per_row;
    if (operands.a_byte > last || operands.b_byte > last || operands.a_thread > 1 ||
        operands.b_thread > 3 || operands.a_byte % form.scales_per_row != 0 ||
        operands.b_byte % form.scales_per_row != 0) {
      return warp.RaiseFault(
          instruction, -1, FaultKind::kIllegalInstruction,
          absl::StrCat("scale selectors {", operands.a_byte, ", ", operands.a_thread, "} and {",
                       operands.b_byte, ", ", operands.b_thread, "}: with scale_vec::",
                       form.scales_per_row, "X bytes are multiples of ", form.scales_per_row,
                       " up to ", last, ", threads at most 1 for A and 3 for B"));
    }
  }
  RunMma(form, operands);
  return Next::kAdvance;
}

absl::Status DecodeMma(DecodeContext& context, const syntax::Instruction& syntax,
                       Instruction* instruction) {
  WARPYARD_ASSIGN_OR_RETURN(const MmaForm form, ParseMmaForm(syntax.modifiers));
  const size_t expected = 4 + (form.sparse ? 2 : 0) + (form.scale != MmaScale::kNone ? 4 : 0);
  if (syntax.operands.size() != expected) {
    return absl::InvalidArgumentError(
        absl::StrCat("mma has ", syntax.operands.size(), " operands, expected ", expected));
  }
  const bool wide = form.a == MmaType::kF64;
  const ScalarType word = wide ? ScalarType::kF64 : ScalarType::kB32;
  WARPYARD_ASSIGN_OR_RETURN(const std::vector<RowRef> d,
                            context.Destinations(syntax.operands[0], word));
  std::vector<RowRef> sources;
  const int counts[] = {form.d_registers(), form.a_registers(), form.b_registers(),
                        form.c_registers()};
  constexpr std::string_view kNames = "DABC";
  for (int i = 0; i < 4; ++i) {
    std::vector<RowRef> rows = d;
    if (i > 0) {
      WARPYARD_ASSIGN_OR_RETURN(rows, context.Sources(syntax.operands[i], word));
      sources.insert(sources.end(), rows.begin(), rows.end());
    }
    if (static_cast<int>(rows.size()) != counts[i]) {
      return absl::InvalidArgumentError(absl::StrCat(
          "mma: ", kNames.substr(i, 1), " has ", rows.size(), " registers, expected ", counts[i]));
    }
  }
  MmaDetail detail{.form = form};
  size_t next = 4;
  if (form.sparse) {
    WARPYARD_ASSIGN_OR_RETURN(const RowRef metadata,
                              context.Source(syntax.operands[next], ScalarType::kB32));
    sources.push_back(metadata);
    WARPYARD_ASSIGN_OR_RETURN(const int64_t selector, context.Immediate(syntax.operands[next + 1]));
    if (selector < 0 || selector >= form.selector_count()) {
      return absl::InvalidArgumentError(absl::StrCat("mma.sp: the sparsity selector is ", selector,
                                                     ", expected 0 to ",
                                                     form.selector_count() - 1));
    }
    detail.selector = static_cast<int>(selector);
    next += 2;
  }
  if (form.scale != MmaScale::kNone) {
    for (int i = 0; i < 2; ++i) {
      WARPYARD_ASSIGN_OR_RETURN(const RowRef scale,
                                context.Source(syntax.operands[next], ScalarType::kB32));
      WARPYARD_ASSIGN_OR_RETURN(const std::vector<RowRef> ids,
                                context.Sources(syntax.operands[next + 1], ScalarType::kU16));
      if (ids.size() != 2) {
        return absl::InvalidArgumentError("mma: expected {byte-id, thread-id} behind a scale");
      }
      sources.insert(sources.end(), {scale, ids[0], ids[1]});
      next += 2;
    }
  }
  instruction->handler = RunMmaSync;
  instruction->operation_class = OperationClass::kTensor;
  instruction->detail = context.program().Keep(detail);
  context.SetRows(instruction, d, sources);
  return absl::OkStatus();
}

constexpr Operation kOperations[] = {{"mma", DecodeMma}};

}  // namespace

absl::Span<const Operation> MmaOperations() { return kOperations; }

}  // namespace warpyard::emulator
