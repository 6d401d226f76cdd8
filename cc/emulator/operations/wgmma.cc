// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
#include "cc/emulator/operations/wgmma.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/execution/block.h"
#include "cc/emulator/execution/warp.h"
#include "cc/emulator/operations/decode_support.h"
#include "cc/emulator/operations/mma_arithmetic.h"
#include "cc/emulator/operations/mma_form.h"
#include "cc/emulator/operations/pending_rows.h"
#include "cc/emulator/operations/shared_matrix.h"
#include "cc/emulator/program/decoder.h"
#include "cc/emulator/program/program.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {
namespace {

using syntax::ScalarType;

constexpr int kRows = 16;  // of a warp

// Rows of the instruction: D, A (registers or a descriptor), B's descriptor, the
// predicate scale-d, metadata.
struct WgmmaDetail {
  MmaForm form;  // n is that of the shape
  bool a_in_registers = false;
  bool a_mn_major = false, b_mn_major = false;
  bool scale_d_negated = false;
  double sign = 1;  // imm-scale-a times imm-scale-b
  int selector = 0;
};

int Registers(const MmaForm& form) { return form.n / 8 * (form.d == MmaResult::kF16 ? 2 : 4); }

// A matrix D of a warp that products are under way for: column by column, 16 rows each.
struct Accumulator {
  uint32_t first_token = 0;
  int registers = 0;
  int pending = 0;  // products that are not made yet
  std::vector<double> values;
};

struct Product {
  const Instruction* instruction;
  std::shared_ptr<Accumulator> accumulator;
  bool accumulate;
  SharedMatrix a, b;
  std::array<std::array<uint32_t, kWarpSize>, 4> a_registers;
  std::array<uint32_t, kWarpSize> metadata;
};

// Column of D and row in it of a lane's value in register r (16-bit: its half h).
struct Place {
  int column, row;
};
Place PlaceOf(MmaResult type, int r, int half, int lane) {
  if (type == MmaResult::kF16) return {r / 2 * 8 + lane % 4 * 2 + half, lane / 4 + r % 2 * 8};
  return {r / 4 * 8 + lane % 4 * 2 + r % 2, lane / 4 + r / 2 % 2 * 8};
}

void ReadRow(MmaResult type, int r, const uint32_t* row, std::vector<double>& values) {
  for (int lane = 0; lane < kWarpSize; ++lane) {
    for (int half = 0; half < (type == MmaResult::kF16 ? 2 : 1); ++half) {
      const Place place = PlaceOf(type, r, half, lane);
      double& to = values[place.column * kRows + place.row];
      if (type == MmaResult::kF16) {
        to = ValueOfF16(row[lane] >> (half * 16));
      } else if (type == MmaResult::kS32) {
        to = static_cast<int32_t>(row[lane]);
      } else {
        to = std::bit_cast<float>(row[lane]);
      }
    }
  }
}

void WriteRow(MmaResult type, int r, const std::vector<double>& values, uint32_t* row) {
  for (int lane = 0; lane < kWarpSize; ++lane) {
    const auto value = [&](int half) {
      const Place place = PlaceOf(type, r, half, lane);
      return values[place.column * kRows + place.row];
    };
    if (type == MmaResult::kF16) {
      row[lane] = ResultF16(value(0)) | ResultF16(value(1)) << 16;
    } else if (type == MmaResult::kS32) {
      row[lane] = static_cast<uint32_t>(static_cast<int64_t>(value(0)));
    } else {
      row[lane] = ResultF32(value(0));
    }
  }
}

// Rounds sums as a register of D holds them.
void RoundResult(const MmaForm& form, std::vector<double>& values) {
  switch (form.d) {
    case MmaResult::kF32:
      for (double& value : values) value = static_cast<float>(value);
      break;
    case MmaResult::kF16:
      for (double& value : values) value = ValueOfF16(ResultF16(value));
      break;
    default:
      for (double& value : values) {
        if (form.saturate) {
          value = std::clamp(value, -2147483648.0, 2147483647.0);
        } else {
          value = static_cast<int32_t>(static_cast<uint32_t>(static_cast<int64_t>(value)));
        }
      }
  }
}

struct WarpProducts {
  std::vector<Product> open;  // not in a group yet
  std::deque<std::vector<Product>> groups;
  std::vector<std::shared_ptr<Accumulator>> accumulators;
  Tokens tokens;
};

class Warpgroups final : public BlockExtension {
 public:
  WarpProducts& of(const Warp& warp) {
    if (warps_.size() <= warp.index_in_block()) warps_.resize(warp.index_in_block() + 1);
    return warps_[warp.index_in_block()];
  }

 private:
  std::vector<WarpProducts> warps_;
};

WarpProducts& ProductsOf(Warp& warp) {
  return warp.block().Extension<Warpgroups>(Block::kWarpgroup).of(warp);
}

// A's 16 rows of this warp, one row of k after the other. "" or what is wrong.
std::string ReadA(Warp& warp, const WgmmaDetail& detail, const Product& product, int k,
                  std::vector<double>& out) {
  const MmaForm& form = detail.form;
  if (!detail.a_in_registers) {
    // The four warps of a group own 16 rows each.
    const uint32_t first = warp.index_in_block() % 4 * kRows;
    std::vector<double> all(64 * static_cast<size_t>(k));
    SharedMatrix matrix = product.a;
    if (detail.a_mn_major) {
      std::string wrong = ReadMatrix(warp.block(), matrix, true, form.a, 64, k, all.data());
      std::copy_n(all.begin() + first * static_cast<uint32_t>(k), kRows * k, out.begin());
      return wrong;
    }
    // Rows are in groups of eight, a stride apart.
    matrix.start += first / 8 * matrix.stride_offset;
    return ReadMatrix(warp.block(), matrix, false, form.a, kRows, k, out.data());
  }
  const int span = ElementsIn16Bytes(form.a);
  double elements[128];
  for (int r = 0; r < k / span * 2; ++r) {
    for (int g = 0; g < 8; ++g) {
      DecodeNumbers(form.a, &product.a_registers[static_cast<size_t>(r)][g * 4], 1, elements);
      std::copy_n(elements, span, out.begin() + (g + r % 2 * 8) * k + r / 2 * span);
    }
  }
  return "";
}

// Makes one product. False after a fault.
bool Run(Warp& warp, const Product& product) {
  const auto& detail = *static_cast<const WgmmaDetail*>(product.instruction->detail);
  const MmaForm& form = detail.form;
  const int stored = form.sparse ? form.k / 2 : form.k;
  std::vector<double> a(static_cast<size_t>(kRows) * stored);
  std::vector<double> b(static_cast<size_t>(form.n) * form.k);
  std::string wrong = ReadA(warp, detail, product, stored, a);
  if (wrong.empty()) {
    wrong =
        ReadMatrix(warp.block(), product.b, detail.b_mn_major, form.b, form.n, form.k, b.data());
  }
  if (!wrong.empty()) {
    warp.RaiseFault(*product.instruction, -1, FaultKind::kIllegalAddress, std::move(wrong));
    return false;
  }
  // D's columns are rows here: D^T = B^T A^T, so that B is read as it lies.
  std::vector<double> a_columns(static_cast<size_t>(form.k) * kRows);
  for (int row = 0; row < kRows; ++row) {
    for (int i = 0; i < stored; ++i) {
      const int column =
          form.sparse ? DenseColumn(form, product.metadata.data(), detail.selector, row, i) : i;
      a_columns[column * kRows + row] = a[row * stored + i] * detail.sign;
    }
  }
  std::vector<double>& d = product.accumulator->values;
  if (!product.accumulate) std::fill(d.begin(), d.end(), 0.0);
  MultiplyAdd(form.n, kRows, form.k, b.data(), form.k, a_columns.data(), kRows, d.data(), kRows);
  RoundResult(form, d);
  --product.accumulator->pending;
  return true;
}

// Gives an accumulator that nothing is under way for to the registers.
void Deliver(Warp& warp, const MmaForm& form, const Accumulator& accumulator) {
  std::vector<uint32_t> rows(static_cast<size_t>(accumulator.registers) * kWarpSize);
  for (int r = 0; r < accumulator.registers; ++r) {
    WriteRow(form.d, r, accumulator.values, rows.data() + r * kWarpSize);
  }
  Tokens::Deliver(warp, accumulator.first_token, static_cast<uint32_t>(accumulator.registers),
                  rows.data());
}

// Makes the products of all but the latest `pending` groups. False after a fault.
bool RunGroups(Warp& warp, WarpProducts& state, uint64_t pending) {
  while (state.groups.size() > pending) {
    const std::vector<Product> group = std::move(state.groups.front());
    state.groups.pop_front();
    for (const Product& product : group) {
      if (!Run(warp, product)) return false;
      if (product.accumulator->pending != 0) continue;
      Deliver(warp, static_cast<const WgmmaDetail*>(product.instruction->detail)->form,
              *product.accumulator);
      std::erase(state.accumulators, product.accumulator);
    }
  }
  return true;
}

// The accumulator whose tokens the instruction's D registers hold, or a new one.
std::shared_ptr<Accumulator> FindAccumulator(Warp& warp, const Instruction& instruction,
                                             const MmaForm& form, WarpProducts& state,
                                             bool accumulate) {
  const int registers = Registers(form);
  const auto row = [&](int r) { return warp.Row<uint32_t>(instruction.row(r)); };
  for (const auto& accumulator : state.accumulators) {
    if (accumulator->registers != registers || row(0)[0] != accumulator->first_token) continue;
    bool all = true;
    for (int r = 0; r < registers && all; ++r) {
      all = row(r)[0] == accumulator->first_token + static_cast<uint32_t>(r);
    }
    if (all) return accumulator;
  }
  auto made = std::make_shared<Accumulator>();
  made->registers = registers;
  made->first_token = state.tokens.Allocate(static_cast<uint32_t>(registers));
  made->values.resize(static_cast<size_t>(form.n) * kRows);
  for (int r = 0; r < registers; ++r) {
    if (accumulate) ReadRow(form.d, r, row(r), made->values);
    Tokens::Put(made->first_token + static_cast<uint32_t>(r), row(r));
  }
  state.accumulators.push_back(made);
  return made;
}

Next RefusePartialWarp(Warp& warp, const Instruction& instruction) {
  return warp.RaiseFault(instruction, -1, FaultKind::kIllegalInstruction,
                         "wgmma by a warp of which some threads have exited or are disabled; all "
                         "128 threads of a warpgroup must execute it");
}

Next StartProduct(Warp& warp, const Instruction& instruction, uint32_t mask) {
  if (!warp.Arrived(mask, 0xffffffffu)) return Next::kWait;
  if (mask != 0xffffffffu) return RefusePartialWarp(warp, instruction);
  const auto& detail = *static_cast<const WgmmaDetail*>(instruction.detail);
  const MmaForm& form = detail.form;
  WarpProducts& state = ProductsOf(warp);
  int at = Registers(form);
  Product product;
  product.instruction = &instruction;
  const auto descriptor = [&](SharedMatrix* out) {
    const auto matrix = DecodeSm90Descriptor(*warp.Row<uint64_t>(instruction.row(at++)));
    *out = *matrix;
  };
  if (detail.a_in_registers) {
    for (auto& row : product.a_registers) {
      std::memcpy(row.data(), warp.Row<uint32_t>(instruction.row(at++)), sizeof(row));
    }
  } else {
    descriptor(&product.a);
  }
  descriptor(&product.b);
  product.accumulate = ((warp.Predicate(instruction.row(at++)) & 1) != 0) != detail.scale_d_negated;
  if (form.sparse) {
    std::memcpy(product.metadata.data(), warp.Row<uint32_t>(instruction.row(at++)),
                sizeof(product.metadata));
  }
  product.accumulator = FindAccumulator(warp, instruction, form, state, product.accumulate);
  ++product.accumulator->pending;
  state.open.push_back(std::move(product));
  return Next::kAdvance;
}

Next CommitGroup(Warp& warp, const Instruction& instruction, uint32_t mask) {
  if (!warp.Arrived(mask, 0xffffffffu)) return Next::kWait;
  WarpProducts& state = ProductsOf(warp);
  state.groups.push_back(std::move(state.open));
  state.open.clear();
  return Next::kAdvance;
}

Next WaitGroup(Warp& warp, const Instruction& instruction, uint32_t mask) {
  if (!warp.Arrived(mask, 0xffffffffu)) return Next::kWait;
  return RunGroups(warp, ProductsOf(warp), instruction.immediate) ? Next::kAdvance : Next::kFault;
}

// wgmma.fence orders registers and shared memory before products: nothing to do
// where products are made at the wait.
Next Fence(Warp& warp, const Instruction& instruction, uint32_t mask) {
  return warp.Arrived(mask, 0xffffffffu) ? Next::kAdvance : Next::kWait;
}

absl::StatusOr<double> SignOf(DecodeContext& context, const syntax::Operand& operand) {
  WARPYARD_ASSIGN_OR_RETURN(const int64_t sign, context.Immediate(operand));
  if (sign != 1 && sign != -1) {
    return absl::InvalidArgumentError(
        absl::StrCat("wgmma: a scale is ", sign, ", expected 1 or -1"));
  }
  return static_cast<double>(sign);
}

absl::Status DecodeProduct(DecodeContext& context, const syntax::Instruction& syntax,
                           Instruction* instruction) {
  WgmmaDetail detail;
  WARPYARD_ASSIGN_OR_RETURN(detail.form, ParseWgmmaForm(syntax.modifiers));
  const MmaForm& form = detail.form;
  const auto& operands = syntax.operands;
  const bool is_float = !IsIntegerMma(form.a);
  const size_t least = form.sparse ? 6 : 4;
  if (operands.size() < least) {
    return absl::InvalidArgumentError(absl::StrCat("wgmma.mma_async has ", operands.size(),
                                                   " operands, expected at least ", least));
  }
  WARPYARD_ASSIGN_OR_RETURN(const std::vector<RowRef> d,
                            context.Destinations(operands[0], ScalarType::kB32));
  if (static_cast<int>(d.size()) != Registers(form)) {
    return absl::InvalidArgumentError(
        absl::StrCat("wgmma: D has ", d.size(), " registers, expected ", Registers(form)));
  }
  std::vector<RowRef> sources;
  detail.a_in_registers = operands[1].kind == syntax::Operand::Kind::kVector;
  if (detail.a_in_registers) {
    WARPYARD_ASSIGN_OR_RETURN(sources, context.Sources(operands[1], ScalarType::kB32));
    if (sources.size() != 4) {
      return absl::InvalidArgumentError(
          absl::StrCat("wgmma: A has ", sources.size(), " registers, expected 4"));
    }
  } else {
    WARPYARD_ASSIGN_OR_RETURN(const RowRef a, context.Source(operands[1], ScalarType::kB64));
    sources.push_back(a);
  }
  WARPYARD_ASSIGN_OR_RETURN(const RowRef b, context.Source(operands[2], ScalarType::kB64));
  sources.push_back(b);
  size_t next = 3;
  std::optional<RowRef> metadata;
  if (form.sparse) {
    WARPYARD_ASSIGN_OR_RETURN(metadata, context.Source(operands[3], ScalarType::kB32));
    WARPYARD_ASSIGN_OR_RETURN(const int64_t selector, context.Immediate(operands[4]));
    if (selector < 0 || selector >= form.selector_count()) {
      return absl::InvalidArgumentError(absl::StrCat("wgmma.sp: the sparsity selector is ",
                                                     selector, ", expected 0 to ",
                                                     form.selector_count() - 1));
    }
    detail.selector = static_cast<int>(selector);
    next = 5;
  }
  WARPYARD_ASSIGN_OR_RETURN(const RowRef scale_d,
                            context.PredicateSource(operands[next++], &detail.scale_d_negated));
  sources.push_back(scale_d);
  if (metadata.has_value()) sources.push_back(*metadata);
  if (is_float) {
    if (operands.size() < next + 2) return absl::InvalidArgumentError("wgmma: scales are missing");
    for (int i = 0; i < 2; ++i) {
      WARPYARD_ASSIGN_OR_RETURN(const double sign, SignOf(context, operands[next++]));
      detail.sign *= sign;
    }
    if (form.a == MmaType::kF16 || form.a == MmaType::kBf16) {
      if (!detail.a_in_registers && next < operands.size()) {
        WARPYARD_ASSIGN_OR_RETURN(const int64_t trans, context.Immediate(operands[next++]));
        detail.a_mn_major = trans != 0;
      }
      if (next < operands.size()) {
        WARPYARD_ASSIGN_OR_RETURN(const int64_t trans, context.Immediate(operands[next++]));
        detail.b_mn_major = trans != 0;
      }
    }
  }
  if (next != operands.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("wgmma.mma_async has ", operands.size(), " operands, expected ", next));
  }
  instruction->handler = StartProduct;
  instruction->detail = context.program().Keep(detail);
  context.SetRows(instruction, d, sources);
  return absl::OkStatus();
}

absl::Status DecodeWgmma(DecodeContext& context, const syntax::Instruction& syntax,
                         Instruction* instruction) {
  instruction->operation_class = OperationClass::kTensor;
  Modifiers modifiers(syntax);
  if (modifiers.Take("mma_async")) return DecodeProduct(context, syntax, instruction);
  const int what = modifiers.TakeOneOf({"fence", "commit_group", "wait_group"});
  if (what < 0 || !modifiers.Take("sync") || !modifiers.Take("aligned")) {
    return modifiers.Unsupported();
  }
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(syntax, what == 2 ? 1 : 0));
  context.SetRows(instruction, {}, {});
  constexpr Handler kHandlers[] = {Fence, CommitGroup, WaitGroup};
  instruction->handler = kHandlers[what];
  if (what == 2) {
    WARPYARD_ASSIGN_OR_RETURN(const int64_t pending, context.Immediate(syntax.operands[0]));
    if (pending < 0) return absl::InvalidArgumentError("wgmma.wait_group: negative count");
    instruction->immediate = static_cast<uint64_t>(pending);
  }
  return absl::OkStatus();
}

constexpr Operation kOperations[] = {{"wgmma", DecodeWgmma}};

// Types of A and B, dense k, and types of D.
struct TypeRow {
  ScalarType word;
  MmaType type;
  int k;
  bool with_f16;  // D may be f16
};
constexpr TypeRow kTypes[] = {
    {ScalarType::kF16, MmaType::kF16, 16, true},   {ScalarType::kBf16, MmaType::kBf16, 16, false},
    {ScalarType::kTf32, MmaType::kTf32, 8, false}, {ScalarType::kE4m3, MmaType::kE4m3, 32, true},
    {ScalarType::kE5m2, MmaType::kE5m2, 32, true}, {ScalarType::kS8, MmaType::kS8, 32, false},
    {ScalarType::kU8, MmaType::kU8, 32, false},    {ScalarType::kB1, MmaType::kB1, 256, false},
};

}  // namespace

absl::StatusOr<MmaForm> ParseWgmmaForm(absl::Span<const std::string_view> modifiers) {
  const auto refuse = [&] {
    return absl::UnimplementedError(
        absl::StrCat("wgmma.", absl::StrJoin(modifiers, "."), " is not supported"));
  };
  MmaForm form;
  form.m = kRows;
  form.n = 0;
  std::vector<ScalarType> types;
  bool bits = false;
  for (std::string_view word : modifiers) {
    if (word == "mma_async" || word == "sync" || word == "aligned" || word == "popc") continue;
    if (word == "sp") {
      form.sparse = true;
    } else if (word == "satfinite") {
      form.saturate = true;
    } else if (word == "and") {
      bits = true;
    } else if (absl::StartsWith(word, "m64n")) {
      const size_t k = word.find('k');
      if (k == std::string_view::npos || !absl::SimpleAtoi(word.substr(4, k - 4), &form.n) ||
          !absl::SimpleAtoi(word.substr(k + 1), &form.k)) {
        return refuse();
      }
    } else if (const auto type = syntax::ParseScalarType(word); type.has_value()) {
      types.push_back(*type);
    } else {
      return refuse();
    }
  }
  if (types.size() != 3 || form.n < 8 || form.n > 256 || form.n % 8 != 0) return refuse();
  const TypeRow* a = nullptr;
  const TypeRow* b = nullptr;
  for (const TypeRow& row : kTypes) {
    if (row.word == types[1]) a = &row;
    if (row.word == types[2]) b = &row;
  }
  if (a == nullptr || b == nullptr || a->k != b->k ||
      IsIntegerMma(a->type) != IsIntegerMma(b->type) || form.k != (form.sparse ? 2 * a->k : a->k) ||
      (a->type == MmaType::kB1) != bits) {
    return refuse();
  }
  if (a->k == 16 && a->type != b->type) return refuse();
  form.a = a->type;
  form.b = b->type;
  form.bit_and = bits;
  if (IsIntegerMma(form.a)) {
    if (types[0] != ScalarType::kS32) return refuse();
    form.c = form.d = MmaResult::kS32;
  } else if (types[0] == ScalarType::kF16 && a->with_f16) {
    form.c = form.d = MmaResult::kF16;
  } else if (types[0] != ScalarType::kF32) {
    return refuse();
  }
  return form;
}

absl::Span<const Operation> WgmmaOperations() { return kOperations; }

}  // namespace warpyard::emulator
