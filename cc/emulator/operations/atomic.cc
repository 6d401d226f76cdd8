// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/operations/atomic.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/execution/address.h"
#include "cc/emulator/execution/warp.h"
#include "cc/emulator/execution/warp_state.h"
#include "cc/emulator/operations/address_operand.h"
#include "cc/emulator/operations/atomic_lane.h"
#include "cc/emulator/operations/bulk_copy.h"
#include "cc/emulator/operations/memory_access.h"
#include "cc/emulator/program/decoder.h"
#include "cc/emulator/program/program.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {
namespace {

using syntax::Operand;
using syntax::ScalarType;
using syntax::StateSpace;

// Rows: the results (none for red), the operands b, the c of cas, the address.
struct AtomicForm : AccessForm {
  // On global and on shared memory: they differ in subnormal numbers.
  LaneAtomic global = nullptr;
  LaneAtomic shared = nullptr;
  int elements = 1;
  uint32_t element_bytes = 0;
  bool wide_values = false;  // rows of 64 bits
  bool has_result = false;
  bool is_cas = false;
  bool may_spin = false;
};

Next Atomic(Warp& warp, const Instruction& in, uint32_t mask) {
  const AtomicForm& form = *static_cast<const AtomicForm*>(in.detail);
  Resolved memory;
  if (!ResolveAccess(warp, in, mask, form, AccessKind::kAtomic, memory)) return Next::kFault;
  const int n = form.elements;
  const int first = form.has_result ? n : 0;
  const bool shared_space = form.space == StateSpace::kShared;
  const bool generic = form.space == StateSpace::kNone && form.global != form.shared;
  for (uint32_t left = mask; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    bool shared = shared_space;
    if (generic) {
      const uint64_t base = form.wide ? warp.Row<uint64_t>(in.row(in.row_count - 1))[lane] : 0;
      shared = IsShared(base + in.immediate);
    }
    const LaneAtomic apply = shared ? form.shared : form.global;
    for (int i = 0; i < n; ++i) {
      std::byte* const at = memory.pointer[lane] + uint64_t(i) * form.element_bytes;
      const auto read = [&](RowRef row) -> uint64_t {
        return form.wide_values ? warp.Row<uint64_t>(row)[lane] : warp.Row<uint32_t>(row)[lane];
      };
      const uint64_t b = read(in.row(first + i));
      const uint64_t c = form.is_cas ? read(in.row(first + n)) : 0;
      const uint64_t old = apply(at, b, c);
      if (!form.has_result) continue;
      if (form.wide_values) {
        warp.Row<uint64_t>(in.row(i))[lane] = old;
      } else {
        warp.Row<uint32_t>(in.row(i))[lane] = static_cast<uint32_t>(old);
      }
    }
  }
  if (form.may_spin) warp.state->SpinHint();
  return Next::kAdvance;
}

// Rows: d, b, c of cas, the address; values are two rows of 64 bits.
Next Atomic128Bits(Warp& warp, const Instruction& in, uint32_t mask) {
  const AtomicForm& form = *static_cast<const AtomicForm*>(in.detail);
  Resolved memory;
  if (!ResolveAccess(warp, in, mask, form, AccessKind::kAtomic, memory)) return Next::kFault;
  for (uint32_t left = mask; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const auto read = [&](RowRef row, uint64_t* value) {
      value[0] = warp.Row<uint64_t>(row)[lane];
      value[1] = warp.Row<uint64_t>(row)[kWarpSize + lane];
    };
    uint64_t b[2], c[2], old[2];
    read(in.row(1), b);
    if (form.is_cas) read(in.row(2), c);
    Atomic128(memory.pointer[lane], form.is_cas ? b : nullptr, form.is_cas ? c : b, old);
    uint64_t* d = warp.Row<uint64_t>(in.row(0));
    d[lane] = old[0];
    d[kWarpSize + lane] = old[1];
  }
  warp.state->SpinHint();
  return Next::kAdvance;
}

constexpr std::string_view kOperationNames[] = {"and", "or",  "xor", "cas", "exch",
                                                "add", "inc", "dec", "min", "max"};

struct AtomicModifiers {
  StateSpace space = StateSpace::kNone;
  ScalarType type = ScalarType::kNone;
  std::string_view operation;
  int vector = 1;
};

absl::Status ReadModifiers(const syntax::Instruction& syntax, AtomicModifiers* out) {
  for (const std::string_view modifier : syntax.modifiers) {
    if (ReadSpace(modifier, &out->space)) continue;
    bool is_operation = false;
    for (const std::string_view name : kOperationNames) is_operation |= modifier == name;
    if (is_operation) {
      out->operation = modifier;
    } else if (const auto type = syntax::ParseScalarType(modifier); type.has_value()) {
      out->type = *type;
    } else if (modifier == "v2" || modifier == "v4" || modifier == "v8") {
      out->vector = modifier[1] - '0';
    } else if (modifier == "relaxed" || modifier == "acquire" || modifier == "release" ||
               modifier == "acq_rel" || modifier == "cta" || modifier == "cluster" ||
               modifier == "gpu" || modifier == "sys" || modifier == "noftz" ||
               modifier == "L2::cache_hint") {
      // All scopes and orders are the strongest here.
    } else {
      return absl::UnimplementedError(
          absl::StrCat(syntax.opcode, " with .", modifier, " is not supported"));
    }
  }
  if (out->operation.empty() || out->type == ScalarType::kNone) {
    return absl::InvalidArgumentError(
        absl::StrCat(syntax.opcode, " without an operation or a type"));
  }
  return absl::OkStatus();
}

absl::Status DecodeAtomicOperation(DecodeContext& context, const syntax::Instruction& syntax,
                                   Instruction* instruction, bool has_result) {
  AtomicModifiers modifiers;
  WARPYARD_RETURN_IF_ERROR(ReadModifiers(syntax, &modifiers));
  const ScalarType type = modifiers.type;
  const int bits = syntax::BitWidth(type);
  const bool cas = modifiers.operation == "cas";
  AtomicForm form;
  form.space = modifiers.space;
  form.global = FindLaneAtomic(modifiers.operation, type, /*flush=*/modifiers.vector == 1);
  form.shared = FindLaneAtomic(modifiers.operation, type, /*flush=*/false);
  form.elements = modifiers.vector;
  form.element_bytes = bits / 8;
  form.total_bytes = form.element_bytes * modifiers.vector;
  form.alignment = form.total_bytes;
  form.wide_values = bits == 64;
  form.has_result = has_result;
  form.is_cas = cas;
  form.may_spin = has_result && (cas || modifiers.operation == "exch");
  const bool is_128 = type == ScalarType::kB128 && (cas || modifiers.operation == "exch") &&
                      has_result && modifiers.vector == 1;
  if (form.global == nullptr && !is_128) {
    return absl::InvalidArgumentError(absl::StrCat(syntax.opcode, ".", modifiers.operation, ".",
                                                   syntax::TypeName(type),
                                                   ": there is no such operation"));
  }
  const std::vector<Operand>& operands = syntax.operands;
  const size_t at = has_result ? 1 : 0;  // of the address
  const size_t expected = at + (cas ? 3 : 2);
  if (operands.size() < expected || operands.size() > expected + 1) {
    return absl::InvalidArgumentError(
        absl::StrCat(syntax.opcode, " with ", operands.size(), " operands; expected ", expected));
  }
  std::vector<RowRef> destinations, sources;
  const auto read_vector = [&](const Operand& operand) -> absl::Status {
    if (modifiers.vector == 1) {
      WARPYARD_ASSIGN_OR_RETURN(const RowRef row, context.Source(operand, type));
      sources.push_back(row);
      return absl::OkStatus();
    }
    WARPYARD_ASSIGN_OR_RETURN(sources, context.Sources(operand, type));
    return absl::OkStatus();
  };
  if (has_result) {
    if (modifiers.vector == 1) {
      WARPYARD_ASSIGN_OR_RETURN(const RowRef d, context.Destination(operands[0], type));
      destinations.push_back(d);
    } else {
      WARPYARD_ASSIGN_OR_RETURN(destinations, context.Destinations(operands[0], type));
    }
  }
  WARPYARD_RETURN_IF_ERROR(read_vector(operands[at + 1]));
  if (sources.size() != static_cast<size_t>(modifiers.vector) ||
      (has_result && destinations.size() != sources.size())) {
    return absl::InvalidArgumentError(absl::StrCat(syntax.opcode, ".v", modifiers.vector, " with ",
                                                   sources.size(), " registers"));
  }
  if (cas) {
    WARPYARD_ASSIGN_OR_RETURN(const RowRef c, context.Source(operands[at + 2], type));
    sources.push_back(c);
  }
  WARPYARD_ASSIGN_OR_RETURN(const Address address,
                            context.MemoryOperand(operands[at], modifiers.space));
  form.wide = address.wide;
  sources.push_back(address.base);
  instruction->immediate = static_cast<uint64_t>(address.displacement);
  instruction->handler = is_128 ? Atomic128Bits : Atomic;
  instruction->operation_class = OperationClass::kAtomic;
  instruction->detail = context.program().Keep(form);
  context.SetRows(instruction, destinations, sources);

  // Old values, and sums that are rounded, depend on who comes first.
  const bool rounds =
      modifiers.operation == "add" &&
      (type == ScalarType::kF32 || type == ScalarType::kF64 || type == ScalarType::kF16 ||
       type == ScalarType::kBf16 || type == ScalarType::kF16x2 || type == ScalarType::kBf16x2);
  if (modifiers.space != StateSpace::kShared && (has_result || rounds)) {
    context.function().order_sensitive = true;
  }
  return absl::OkStatus();
}

absl::Status DecodeAtom(DecodeContext& context, const syntax::Instruction& syntax,
                        Instruction* instruction) {
  return DecodeAtomicOperation(context, syntax, instruction, /*has_result=*/true);
}

absl::Status DecodeRed(DecodeContext& context, const syntax::Instruction& syntax,
                       Instruction* instruction) {
  if (syntax.Has("async")) return DecodeAsyncStore(context, syntax, instruction);
  return DecodeAtomicOperation(context, syntax, instruction, /*has_result=*/false);
}

constexpr Operation kOperations[] = {
    {"atom", DecodeAtom},
    {"red", DecodeRed},
};

}  // namespace

absl::Span<const Operation> AtomicOperations() { return kOperations; }

}  // namespace warpyard::emulator
