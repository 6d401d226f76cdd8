// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/operations/control.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/types/span.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/execution/warp.h"
#include "cc/emulator/execution/warp_state.h"
#include "cc/emulator/program/decoder.h"
#include "cc/emulator/program/program.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {
namespace {

using syntax::Operand;
using syntax::ScalarType;

Next Branch(Warp& warp, const Instruction& in, uint32_t mask) {
  return warp.state->Branch(in, mask, static_cast<uint32_t>(in.immediate));
}

absl::Status DecodeBranch(DecodeContext& context, const syntax::Instruction& syntax,
                          Instruction* instruction) {
  if (syntax.operands.size() != 1) {
    return absl::InvalidArgumentError("bra expects one label");
  }
  instruction->handler = Branch;
  instruction->operation_class = OperationClass::kControl;
  return context.BranchTarget(syntax.operands[0], instruction);
}

// The targets of brx.idx: stand-in instructions, because the decoder writes the
// index of a label into an instruction once it knows it.
struct BranchTable {
  std::vector<std::unique_ptr<Instruction>> targets;
};

Next BranchIndexed(Warp& warp, const Instruction& in, uint32_t mask) {
  const BranchTable& table = *static_cast<const BranchTable*>(in.detail);
  const uint32_t* index = warp.Row<uint32_t>(in.rows[0]);
  Warp::State& s = *warp.state;
  const uint32_t pc = s.PcOf(in);
  const uint32_t staying = s.mask & ~mask;
  for (uint32_t left = mask; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    if (index[lane] >= table.targets.size()) {
      return warp.RaiseFault(in, lane, FaultKind::kInvalidProgramCounter,
                             absl::StrCat("brx.idx with index ", index[lane], " of a table of ",
                                          table.targets.size()));
    }
  }
  uint32_t first = 0;
  uint32_t first_target = 0;
  for (uint32_t left = mask; left != 0;) {
    const uint32_t wanted = index[std::countr_zero(left)];
    uint32_t same = 0;
    for (uint32_t other = left; other != 0; other &= other - 1) {
      const int lane = std::countr_zero(other);
      if (index[lane] == wanted) same |= uint32_t{1} << lane;
    }
    left &= ~same;
    const uint32_t target = static_cast<uint32_t>(table.targets[wanted]->immediate);
    if (first == 0) {
      first = same;
      first_target = target;
    } else {
      s.Add(s.frame, target, same, false);
    }
  }
  if (staying != 0) s.Add(s.frame, pc + 1, staying, false);
  s.mask = first;
  s.pc = first_target;
  return Next::kJumped;
}

absl::Status DecodeBranchIndexed(DecodeContext& context, const syntax::Instruction& syntax,
                                 Instruction* instruction) {
  if (syntax.operands.size() != 2) {
    return absl::InvalidArgumentError("brx.idx expects an index and a list of labels");
  }
  const syntax::LabelledDirective* targets = context.FindLabelled(syntax.operands[1].identifier);
  if (targets == nullptr || targets->kind != syntax::LabelledDirective::Kind::kBranchTargets) {
    return absl::InvalidArgumentError(
        absl::StrCat("brx.idx: no .branchtargets named ", syntax.operands[1].identifier));
  }
  WARPYARD_ASSIGN_OR_RETURN(const RowRef index,
                            context.Source(syntax.operands[0], ScalarType::kU32));
  BranchTable* const table = context.program().Keep(BranchTable());
  for (const std::string_view label : targets->targets) {
    Operand operand;
    operand.kind = Operand::Kind::kIdentifier;
    operand.position = syntax.operands[1].position;
    operand.identifier = label;
    table->targets.push_back(std::make_unique<Instruction>());
    WARPYARD_RETURN_IF_ERROR(context.BranchTarget(operand, table->targets.back().get()));
  }
  instruction->handler = BranchIndexed;
  instruction->operation_class = OperationClass::kControl;
  instruction->detail = table;
  context.SetRows(instruction, {}, {index});
  return absl::OkStatus();
}

Next Exit(Warp& warp, const Instruction& in, uint32_t mask) { return warp.state->Exit(in, mask); }

absl::Status DecodeExit(DecodeContext&, const syntax::Instruction&, Instruction* instruction) {
  instruction->handler = Exit;
  instruction->operation_class = OperationClass::kControl;
  return absl::OkStatus();
}

Next Trap(Warp& warp, const Instruction& in, uint32_t mask) {
  return warp.RaiseFault(in, std::countr_zero(mask), FaultKind::kTrap,
                         "the kernel executed a trap");
}

absl::Status DecodeTrap(DecodeContext&, const syntax::Instruction&, Instruction* instruction) {
  instruction->handler = Trap;
  instruction->operation_class = OperationClass::kControl;
  return absl::OkStatus();
}

// The time that a thread sleeps is not told from outside: it lets others run.
Next Sleep(Warp&, const Instruction&, uint32_t) { return Next::kYield; }

absl::Status DecodeSleep(DecodeContext&, const syntax::Instruction&, Instruction* instruction) {
  instruction->handler = Sleep;
  instruction->operation_class = OperationClass::kControl;
  return absl::OkStatus();
}

Next DoNothing(Warp&, const Instruction&, uint32_t) { return Next::kAdvance; }

absl::Status DecodeNothing(DecodeContext&, const syntax::Instruction&, Instruction* instruction) {
  instruction->handler = DoNothing;
  instruction->operation_class = OperationClass::kControl;
  return absl::OkStatus();
}

// Before an instruction that reads a clock, for the lanes that read it. Cycles
// are instructions of the warp, so that a kernel that counts them does the same
// each time; %globaltimer is the host's, in nanoseconds.
Next RefreshClock(Warp& warp, const Instruction&, uint32_t) {
  Warp::State& s = *warp.state;
  const uint64_t cycles = s.ReadCycles();
  const auto nanoseconds = static_cast<uint64_t>(absl::GetCurrentTimeNanos());
  SpecialRows& special = s.special;
  std::fill(std::begin(special.clock64), std::end(special.clock64), cycles);
  std::fill(std::begin(special.clock), std::end(special.clock), static_cast<uint32_t>(cycles));
  std::fill(std::begin(special.clock_hi), std::end(special.clock_hi),
            static_cast<uint32_t>(cycles >> 32));
  std::fill(std::begin(special.globaltimer), std::end(special.globaltimer), nanoseconds);
  std::fill(std::begin(special.globaltimer_lo), std::end(special.globaltimer_lo),
            static_cast<uint32_t>(nanoseconds));
  std::fill(std::begin(special.globaltimer_hi), std::end(special.globaltimer_hi),
            static_cast<uint32_t>(nanoseconds >> 32));
  // Who looks at the clock may be waiting.
  s.SpinHint();
  return Next::kAdvance;
}

absl::Status DecodeRefreshClock(DecodeContext&, const syntax::Instruction&,
                                Instruction* instruction) {
  instruction->handler = RefreshClock;
  instruction->operation_class = OperationClass::kMove;
  return absl::OkStatus();
}

constexpr Operation kOperations[] = {
    // The decoder's own.
    {"warpyard_refresh_clock", DecodeRefreshClock},
    {"bra", DecodeBranch},
    {"brx", DecodeBranchIndexed},
    {"exit", DecodeExit},
    {"trap", DecodeTrap},
    {"brkpt", DecodeTrap},
    {"nanosleep", DecodeSleep},
    {"pmevent", DecodeNothing},
    // A grid runs after the one it depends on has ended, and registers are not
    // a resource here.
    {"griddepcontrol", DecodeNothing},
    {"setmaxnreg", DecodeNothing},
};

}  // namespace

absl::Span<const Operation> ControlOperations() { return kOperations; }

}  // namespace warpyard::emulator
