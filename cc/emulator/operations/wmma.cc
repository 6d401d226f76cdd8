// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
#include "cc/emulator/operations/wmma.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/execution/warp.h"
#include "cc/emulator/operations/decode_support.h"
#include "cc/emulator/operations/lane_address.h"
#include "cc/emulator/operations/mma_arithmetic.h"
#include "cc/emulator/program/decoder.h"
#include "cc/emulator/program/program.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {
namespace {

using syntax::ScalarType;
using syntax::StateSpace;

// One fragment: a matrix of rows x columns elements over the registers of a warp.
struct Fragment {
  int rows = 0, columns = 0;
  ScalarType type = ScalarType::kNone;
  int registers = 0;
  int bits() const { return syntax::BitWidth(type); }
  int word_bits() const { return type == ScalarType::kF64 ? 64 : 32; }
  int total() const { return rows * columns; }
  // Elements that a lane holds.
  int per_lane() const { return registers * word_bits() / std::max(bits(), 1); }
};

struct Shape {
  std::string_view name;
  int m, n, k;
};
constexpr Shape kShapes[] = {{"m16n16k16", 16, 16, 16}, {"m8n32k16", 8, 32, 16},
                             {"m32n8k16", 32, 8, 16},   {"m16n16k8", 16, 16, 8},
                             {"m8n8k4", 8, 8, 4},       {"m8n8k32", 8, 8, 32},
                             {"m8n8k128", 8, 8, 128}};

// The fragment of matrix 'a', 'b', 'c' or 'd'; registers 0 for a type that the shape
// does not have (PTX ISA, "Matrix Fragments for WMMA").
Fragment MakeFragment(const Shape& shape, char matrix, ScalarType type) {
  Fragment fragment;
  fragment.rows = matrix == 'b' ? shape.k : shape.m;
  fragment.columns = matrix == 'a' ? shape.k : shape.n;
  fragment.type = type;
  const bool operand = matrix == 'a' || matrix == 'b';
  bool known;
  switch (type) {
    case ScalarType::kF16:
      known = shape.k == 16;
      break;
    case ScalarType::kF32:
      known = !operand && (shape.k == 16 || shape.k == 8);
      break;
    case ScalarType::kBf16:
    case ScalarType::kS8:
    case ScalarType::kU8:
      known = operand && shape.k == 16;
      break;
    case ScalarType::kTf32:
      known = operand && shape.k == 8;
      break;
    case ScalarType::kF64:
      known = shape.k == 4;
      break;
    case ScalarType::kS4:
    case ScalarType::kU4:
      known = operand && shape.k == 32;
      break;
    case ScalarType::kB1:
      known = operand && shape.k == 128;
      break;
    case ScalarType::kS32:
      known = !operand && shape.k != 4 && shape.k != 8;
      break;
    default:
      known = false;
  }
  if (!known) return fragment;
  fragment.registers = fragment.total() * fragment.bits() / fragment.word_bits() / 32;
  // Operands of .f16 are held twice, and have eight registers in every shape.
  if (operand && type == ScalarType::kF16) fragment.registers = 8;
  return fragment;
}

// Number of the element in the matrix, row by row.
int Number(const Fragment& fragment, int lane, int i) {
  return (lane * fragment.per_lane() + i) % fragment.total();
}

uint64_t GetBits(Warp& warp, RowRef row, const Fragment& fragment, int lane, int i) {
  const int per_word = fragment.word_bits() / fragment.bits();
  const uint64_t word =
      fragment.word_bits() == 64 ? warp.Row<uint64_t>(row)[lane] : warp.Row<uint32_t>(row)[lane];
  const uint64_t ones = fragment.bits() == 64 ? ~uint64_t{0} : (uint64_t{1} << fragment.bits()) - 1;
  return word >> (i % per_word * fragment.bits()) & ones;
}

// --- load, store ---

// Rows: the registers, then the stride where there is one.
struct TransferDetail {
  Address address;
  StateSpace space = StateSpace::kNone;
  Fragment fragment;
  bool column_major = false;
  bool has_stride = false;
};

// Lines of memory: rows of the matrix, or columns where it is column-major.
bool FindLines(Warp& warp, const Instruction& instruction, const TransferDetail& detail,
               AccessKind kind, std::vector<std::byte*>* lines) {
  const Fragment& fragment = detail.fragment;
  const int count = detail.column_major ? fragment.columns : fragment.rows;
  const int length = detail.column_major ? fragment.rows : fragment.columns;
  uint64_t stride = static_cast<uint64_t>(length);
  if (detail.has_stride) {
    stride = warp.Row<uint32_t>(instruction.row(fragment.registers))[0];
  }
  const uint64_t base = AddressOf(warp, detail.address, 0);
  for (int i = 0; i < count; ++i) {
    const uint64_t at = base + static_cast<uint64_t>(i) * stride * fragment.bits() / 8;
    std::byte* line = warp.Access(instruction, 0, detail.space, at,
                                  static_cast<uint32_t>(length * fragment.bits() / 8), 1, kind);
    if (line == nullptr) return false;
    lines->push_back(line);
  }
  return true;
}

Next Transfer(Warp& warp, const Instruction& instruction, uint32_t mask) {
  if (!warp.Arrived(mask, 0xffffffffu)) return Next::kWait;
  const auto& detail = *static_cast<const TransferDetail*>(instruction.detail);
  const Fragment& fragment = detail.fragment;
  const bool load = instruction.flags != 0;
  std::vector<std::byte*> lines;
  if (!FindLines(warp, instruction, detail, load ? AccessKind::kRead : AccessKind::kWrite,
                 &lines)) {
    return Next::kFault;
  }
  const int bits = fragment.bits();
  const int per_word = fragment.word_bits() / bits;
  const uint64_t ones = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  for (int lane = 0; lane < kWarpSize; ++lane) {
    for (int i = 0; i < fragment.per_lane(); ++i) {
      const int number = Number(fragment, lane, i);
      const int row = number / fragment.columns, column = number % fragment.columns;
      std::byte* const line = lines[static_cast<size_t>(detail.column_major ? column : row)];
      const int at = (detail.column_major ? row : column) * bits;
      const RowRef ref = instruction.row(i / per_word);
      if (!load) {
        const uint64_t code = GetBits(warp, ref, fragment, lane, i);
        std::memcpy(line + at / 8, &code, static_cast<size_t>(bits / 8));
        continue;
      }
      uint64_t code = 0;
      std::memcpy(&code, line + at / 8, static_cast<size_t>(std::max(bits / 8, 1)));
      code = code >> (at % 8) & ones;
      const int shift = i % per_word * bits;
      if (fragment.word_bits() == 64) {
        warp.Row<uint64_t>(ref)[lane] = code;
      } else {
        uint32_t& word = warp.Row<uint32_t>(ref)[lane];
        const auto kept = static_cast<uint32_t>(~(ones << shift));
        word = (shift == 0 ? 0 : word & kept) | static_cast<uint32_t>(code << shift);
      }
    }
  }
  return Next::kAdvance;
}

// --- mma ---

struct MmaDetail {
  int m = 0, n = 0, k = 0;
  Fragment a, b, c, d;
  bool saturate = false;
  bool exclusive_or = false;
};

double ValueOf(ScalarType type, uint64_t code) {
  double out[128];
  uint64_t source[2] = {code, 0};
  switch (type) {
    case ScalarType::kF16:
      return ValueOfF16(static_cast<uint32_t>(code));
    case ScalarType::kBf16:
      return std::bit_cast<float>(static_cast<uint32_t>(code << 16));
    case ScalarType::kTf32:
      DecodeNumbers(MmaType::kTf32, source, 1, out);
      return out[0];
    case ScalarType::kF32:
      return std::bit_cast<float>(static_cast<uint32_t>(code));
    case ScalarType::kF64:
      return std::bit_cast<double>(code);
    case ScalarType::kS8:
      return static_cast<int8_t>(code);
    case ScalarType::kS32:
      return static_cast<int32_t>(code);
    case ScalarType::kS4:
      return static_cast<double>((static_cast<int>(code) ^ 8) - 8);
    default:
      return static_cast<double>(code);
  }
}

std::vector<double> Gather(Warp& warp, const Instruction& instruction, int first,
                           const Fragment& fragment) {
  std::vector<double> values(static_cast<size_t>(fragment.total()));
  const int per_word = fragment.word_bits() / fragment.bits();
  for (int lane = 0; lane < kWarpSize; ++lane) {
    for (int i = 0; i < fragment.per_lane(); ++i) {
      const RowRef row = instruction.row(first + i / per_word);
      values[static_cast<size_t>(Number(fragment, lane, i))] =
          ValueOf(fragment.type, GetBits(warp, row, fragment, lane, i));
    }
  }
  return values;
}

Next Multiply(Warp& warp, const Instruction& instruction, uint32_t mask) {
  if (!warp.Arrived(mask, 0xffffffffu)) return Next::kWait;
  const auto& detail = *static_cast<const MmaDetail*>(instruction.detail);
  int at = detail.d.registers;
  std::vector<double> a = Gather(warp, instruction, at, detail.a);
  at += detail.a.registers;
  const std::vector<double> b = Gather(warp, instruction, at, detail.b);
  at += detail.b.registers;
  std::vector<double> d = Gather(warp, instruction, at, detail.c);
  if (detail.a.type == ScalarType::kF64) {
    FusedMultiplyAdd(detail.m, detail.n, detail.k, a.data(), detail.k, b.data(), detail.n, d.data(),
                     detail.n);
  } else {
    if (detail.exclusive_or) {
      // x ^ y of bits is x + y - 2 x y.
      for (int i = 0; i < detail.m; ++i) {
        for (int j = 0; j < detail.n; ++j) {
          for (int kk = 0; kk < detail.k; ++kk) {
            d[static_cast<size_t>(i * detail.n + j)] += a[static_cast<size_t>(i * detail.k + kk)] +
                                                        b[static_cast<size_t>(kk * detail.n + j)];
          }
        }
      }
      for (double& value : a) value *= -2;
    }
    MultiplyAdd(detail.m, detail.n, detail.k, a.data(), detail.k, b.data(), detail.n, d.data(),
                detail.n);
  }
  const Fragment& to = detail.d;
  for (int lane = 0; lane < kWarpSize; ++lane) {
    for (int i = 0; i < to.per_lane(); ++i) {
      double value = d[static_cast<size_t>(Number(to, lane, i))];
      if (to.type == ScalarType::kF64) {
        warp.Row<double>(instruction.row(i))[lane] = value;
      } else if (to.type == ScalarType::kF16) {
        uint32_t& word = warp.Row<uint32_t>(instruction.row(i / 2))[lane];
        word = i % 2 == 0 ? ResultF16(value) : word | ResultF16(value) << 16;
      } else if (to.type == ScalarType::kS32) {
        if (detail.saturate) value = std::clamp(value, -2147483648.0, 2147483647.0);
        warp.Row<uint32_t>(instruction.row(i))[lane] =
            static_cast<uint32_t>(static_cast<int64_t>(value));
      } else {
        warp.Row<uint32_t>(instruction.row(i))[lane] = ResultF32(value);
      }
    }
  }
  return Next::kAdvance;
}

const Shape* TakeShape(Modifiers& modifiers) {
  for (const Shape& shape : kShapes) {
    if (modifiers.Take(shape.name)) return &shape;
  }
  return nullptr;
}

absl::Status ExpectRegisters(const Fragment& fragment, size_t found) {
  if (found == static_cast<size_t>(fragment.registers)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("wmma: a fragment has ", found, " registers, expected ", fragment.registers));
}

ScalarType WordType(const Fragment& fragment) {
  return fragment.type == ScalarType::kF64 ? ScalarType::kF64 : ScalarType::kB32;
}

absl::Status DecodeTransfer(DecodeContext& context, const syntax::Instruction& syntax,
                            Modifiers& modifiers, bool load, Instruction* instruction) {
  TransferDetail detail;
  const int matrix = modifiers.TakeOneOf({"a", "b", "c", "d"});
  const int layout = modifiers.TakeOneOf({"row", "col"});
  const Shape* shape = TakeShape(modifiers);
  if (modifiers.TakeOneOf({"shared", "shared::cta"}) >= 0) {
    detail.space = StateSpace::kShared;
  } else if (modifiers.Take("global")) {
    detail.space = StateSpace::kGlobal;
  }
  const ScalarType type = modifiers.TakeType();
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  if (matrix < 0 || layout < 0 || shape == nullptr) return modifiers.Unsupported();
  detail.fragment = MakeFragment(*shape, "abcd"[matrix], type);
  detail.column_major = layout == 1;
  if (detail.fragment.registers == 0) return modifiers.Unsupported();
  if (syntax.operands.size() != 2 && syntax.operands.size() != 3) {
    return absl::InvalidArgumentError("wmma: expected two operands and a stride");
  }
  std::vector<RowRef> registers, sources;
  WARPYARD_ASSIGN_OR_RETURN(detail.address,
                            context.MemoryOperand(syntax.operands[load ? 1 : 0], detail.space));
  const auto& operand = syntax.operands[load ? 0 : 1];
  if (load) {
    WARPYARD_ASSIGN_OR_RETURN(registers, context.Destinations(operand, WordType(detail.fragment)));
  } else {
    WARPYARD_ASSIGN_OR_RETURN(registers, context.Sources(operand, WordType(detail.fragment)));
  }
  WARPYARD_RETURN_IF_ERROR(ExpectRegisters(detail.fragment, registers.size()));
  if (!load) sources = registers;
  if (syntax.operands.size() == 3) {
    WARPYARD_ASSIGN_OR_RETURN(const RowRef stride,
                              context.Source(syntax.operands[2], ScalarType::kB32));
    sources.push_back(stride);
    detail.has_stride = true;
  }
  instruction->handler = Transfer;
  instruction->flags = load ? 1 : 0;
  instruction->operation_class = load ? OperationClass::kLoad : OperationClass::kStore;
  instruction->detail = context.program().Keep(detail);
  if (load) {
    context.SetRows(instruction, registers, sources);
  } else {
    context.SetRows(instruction, {}, sources);
  }
  return absl::OkStatus();
}

absl::Status DecodeMma(DecodeContext& context, const syntax::Instruction& syntax,
                       Modifiers& modifiers, Instruction* instruction) {
  MmaDetail detail;
  for (const char* word : {"row", "col", "row", "col", "rn", "popc"}) modifiers.Take(word);
  const int operation = modifiers.TakeOneOf({"xor", "and"});
  detail.exclusive_or = operation == 0;
  detail.saturate = modifiers.Take("satfinite");
  const Shape* shape = TakeShape(modifiers);
  std::vector<ScalarType> types;
  for (ScalarType type = modifiers.TakeType(); type != ScalarType::kNone;
       type = modifiers.TakeType()) {
    types.push_back(type);
  }
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  if (shape == nullptr) return modifiers.Unsupported();
  // .f16 names the types of D and C alone.
  if (types.size() == 2) types = {types[0], ScalarType::kF16, ScalarType::kF16, types[1]};
  if (types.size() != 4) return modifiers.Unsupported();
  detail.m = shape->m;
  detail.n = shape->n;
  detail.k = shape->k;
  detail.d = MakeFragment(*shape, 'd', types[0]);
  detail.a = MakeFragment(*shape, 'a', types[1]);
  detail.b = MakeFragment(*shape, 'b', types[2]);
  detail.c = MakeFragment(*shape, 'c', types[3]);
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(syntax, 4));
  std::vector<RowRef> d, sources;
  const Fragment* const fragments[] = {&detail.d, &detail.a, &detail.b, &detail.c};
  for (size_t i = 0; i < 4; ++i) {
    if (fragments[i]->registers == 0) return modifiers.Unsupported();
    std::vector<RowRef> rows;
    if (i == 0) {
      WARPYARD_ASSIGN_OR_RETURN(rows,
                                context.Destinations(syntax.operands[i], WordType(*fragments[i])));
      d = rows;
    } else {
      WARPYARD_ASSIGN_OR_RETURN(rows, context.Sources(syntax.operands[i], WordType(*fragments[i])));
      sources.insert(sources.end(), rows.begin(), rows.end());
    }
    WARPYARD_RETURN_IF_ERROR(ExpectRegisters(*fragments[i], rows.size()));
  }
  instruction->handler = Multiply;
  instruction->operation_class = OperationClass::kTensor;
  instruction->detail = context.program().Keep(detail);
  context.SetRows(instruction, d, sources);
  return absl::OkStatus();
}

absl::Status DecodeWmma(DecodeContext& context, const syntax::Instruction& syntax,
                        Instruction* instruction) {
  Modifiers modifiers(syntax);
  const int what = modifiers.TakeOneOf({"load", "store", "mma"});
  if (what < 0 || !modifiers.Take("sync") || !modifiers.Take("aligned")) {
    return modifiers.Unsupported();
  }
  if (what == 2) return DecodeMma(context, syntax, modifiers, instruction);
  return DecodeTransfer(context, syntax, modifiers, what == 0, instruction);
}

constexpr Operation kOperations[] = {{"wmma", DecodeWmma}};

}  // namespace

absl::Span<const Operation> WmmaOperations() { return kOperations; }

}  // namespace warpyard::emulator
