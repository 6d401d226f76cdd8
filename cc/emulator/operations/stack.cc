// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/operations/stack.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/execution/launch_state.h"
#include "cc/emulator/execution/warp.h"
#include "cc/emulator/execution/warp_state.h"
#include "cc/emulator/operations/decode_support.h"
#include "cc/emulator/program/decoder.h"
#include "cc/emulator/program/program.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {
namespace {

using syntax::ScalarType;

// flags: bit 0, whether rows are of 64 bits. immediate: the alignment.
uint64_t Read(Warp& warp, RowRef row, bool wide, int lane) {
  return wide ? warp.Row<uint64_t>(row)[lane] : warp.Row<uint32_t>(row)[lane];
}

void Write(Warp& warp, RowRef row, bool wide, int lane, uint64_t value) {
  if (wide) {
    warp.Row<uint64_t>(row)[lane] = value;
  } else {
    warp.Row<uint32_t>(row)[lane] = static_cast<uint32_t>(value);
  }
}

Next Allocate(Warp& warp, const Instruction& in, uint32_t mask) {
  const bool wide = (in.flags & 1) != 0;
  for (; mask != 0; mask &= mask - 1) {
    const int lane = std::countr_zero(mask);
    const uint64_t size = Read(warp, in.rows[1], wide, lane);
    const uint64_t at = warp.state->PushLocal(lane, size, in.immediate);
    if (at == ~uint64_t{0}) {
      return warp.RaiseFault(in, lane, FaultKind::kStackOverflow,
                             absl::StrCat("stack overflow: alloca of ", size, " bytes"),
                             absl::StrCat("the limit is ", warp.state->launch->local_limit(),
                                          " bytes per thread (cudaLimitStackSize)"));
    }
    Write(warp, in.rows[0], wide, lane, at);
  }
  return Next::kAdvance;
}

Next Save(Warp& warp, const Instruction& in, uint32_t mask) {
  for (; mask != 0; mask &= mask - 1) {
    const int lane = std::countr_zero(mask);
    Write(warp, in.rows[0], (in.flags & 1) != 0, lane, warp.state->local_top[lane]);
  }
  return Next::kAdvance;
}

Next Restore(Warp& warp, const Instruction& in, uint32_t mask) {
  Warp::State& s = *warp.state;
  for (; mask != 0; mask &= mask - 1) {
    const int lane = std::countr_zero(mask);
    const uint64_t top = Read(warp, in.rows[0], (in.flags & 1) != 0, lane);
    const Function& function = *s.frame->function;
    const uint64_t lowest = s.frame->local_base[lane] + ParamArea(function) + function.param_bytes;
    if (top < lowest || top > s.local_top[lane]) {
      return warp.RaiseFault(in, lane, FaultKind::kIllegalInstruction,
                             absl::StrCat("stackrestore to ", top, ", which no stacksave gave"));
    }
    s.local_top[lane] = top;
  }
  return Next::kAdvance;
}

absl::Status Decode(DecodeContext& context, const syntax::Instruction& syntax,
                    Instruction* instruction) {
  Modifiers modifiers(syntax);
  const int width = modifiers.TakeOneOf({"u32", "u64"});
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  if (width < 0) return absl::InvalidArgumentError(absl::StrCat(syntax.opcode, " without a type"));
  const ScalarType type = width == 0 ? ScalarType::kU32 : ScalarType::kU64;
  instruction->flags = static_cast<uint32_t>(width);
  instruction->operation_class = OperationClass::kCall;
  if (syntax.opcode == "stacksave") {
    WARPYARD_RETURN_IF_ERROR(ExpectOperands(syntax, 1));
    WARPYARD_ASSIGN_OR_RETURN(const RowRef d, context.Destination(syntax.operands[0], type));
    instruction->handler = Save;
    context.SetRows(instruction, {d}, {});
    return absl::OkStatus();
  }
  if (syntax.opcode == "stackrestore") {
    WARPYARD_RETURN_IF_ERROR(ExpectOperands(syntax, 1));
    WARPYARD_ASSIGN_OR_RETURN(const RowRef a, context.Source(syntax.operands[0], type));
    instruction->handler = Restore;
    context.SetRows(instruction, {}, {a});
    return absl::OkStatus();
  }
  if (syntax.operands.size() != 2 && syntax.operands.size() != 3) {
    return absl::InvalidArgumentError("alloca expects a result, a size and an alignment");
  }
  WARPYARD_ASSIGN_OR_RETURN(const RowRef d, context.Destination(syntax.operands[0], type));
  WARPYARD_ASSIGN_OR_RETURN(const RowRef size, context.Source(syntax.operands[1], type));
  int64_t alignment = 8;
  if (syntax.operands.size() == 3) {
    WARPYARD_ASSIGN_OR_RETURN(alignment, context.Immediate(syntax.operands[2]));
  }
  if (alignment <= 0 || alignment > (1 << 23) || (alignment & (alignment - 1)) != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("alloca with an alignment of ", alignment, "; expected a power of two"));
  }
  instruction->handler = Allocate;
  instruction->immediate = static_cast<uint64_t>(alignment);
  context.SetRows(instruction, {d}, {size});
  return absl::OkStatus();
}

constexpr Operation kOperations[] = {
    {"alloca", Decode},
    {"stacksave", Decode},
    {"stackrestore", Decode},
};

}  // namespace

absl::Span<const Operation> StackOperations() { return kOperations; }

}  // namespace warpyard::emulator
