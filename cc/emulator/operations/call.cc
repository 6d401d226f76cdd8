// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/operations/call.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/types/span.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/execution/address.h"
#include "cc/emulator/execution/launch_state.h"
#include "cc/emulator/execution/warp.h"
#include "cc/emulator/execution/warp_state.h"
#include "cc/emulator/operations/builtin.h"
#include "cc/emulator/program/decoder.h"
#include "cc/emulator/program/program.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {
namespace {

using syntax::Operand;
using syntax::ScalarType;

// The param area of a frame, of one lane.
std::byte* Params(Warp::State& s, const Frame& frame, int lane) {
  return s.local.get() + lane * s.local_stride + frame.local_base[lane] +
         ParamArea(*frame.function);
}

uint32_t RowBytes(uint32_t size) { return size == 8 ? 8 : size == 16 ? 16 : 4; }

// Between a register's row (behind `row`) and memory.
void CopyRegister(std::byte* row, int lane, std::byte* memory, uint32_t size, bool to_memory) {
  for (uint32_t half = 0; half < (size == 16 ? 2u : 1u); ++half) {
    const uint32_t width = size == 16 ? 8 : size;
    std::byte* const at = row + half * kWarpSize * 8 + lane * (RowBytes(size) == 4 ? 4 : 8);
    std::byte* const there = memory + half * 8;
    if (to_memory) {
      std::memcpy(there, at, width);
    } else {
      if (width < 4) std::memset(at, 0, 4);
      std::memcpy(at, there, width);
    }
  }
}

Next CallFunction(Warp& warp, const Instruction& in, uint32_t mask, const CallSite& site,
                  const Function& callee) {
  Warp::State& s = *warp.state;
  const int lane0 = std::countr_zero(mask);
  if (callee.is_declaration) {
    const Builtin builtin = FindBuiltin(callee.name);
    if (builtin == nullptr) {
      return warp.RaiseFault(
          in, lane0, FaultKind::kUnsupported,
          absl::StrCat("call of ", callee.name, ", which is defined nowhere and not built in"));
    }
    return builtin(warp, in, mask, site);
  }
  if (site.arguments.size() != callee.parameters.size() ||
      site.results.size() > callee.results.size()) {
    return warp.RaiseFault(in, lane0, FaultKind::kIllegalInstruction,
                           absl::StrCat("call of ", callee.name, " with ", site.arguments.size(),
                                        " arguments and ", site.results.size(), " results; it has ",
                                        callee.parameters.size(), " and ", callee.results.size()));
  }
  const Frame& caller = *s.frame;
  // Registers of the caller, before its frame is no longer the current one.
  std::vector<std::byte*> rows;
  for (const CallOperand& argument : site.arguments) {
    rows.push_back(argument.in_memory ? nullptr : warp.Row<std::byte>(argument.row));
  }
  const Frame* const called = s.Call(in, mask, callee);
  if (called == nullptr) return Next::kFault;
  for (size_t i = 0; i < site.arguments.size(); ++i) {
    const CallOperand& argument = site.arguments[i];
    const Parameter& parameter = callee.parameters[i];
    const uint32_t size = std::min(argument.size, parameter.size);
    for (uint32_t left = mask; left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      std::byte* const to = Params(s, *called, lane) + parameter.offset;
      if (argument.in_memory) {
        std::memcpy(to, Params(s, caller, lane) + argument.offset, size);
      } else {
        CopyRegister(rows[i], lane, to, size, /*to_memory=*/true);
      }
    }
  }
  return Next::kJumped;
}

Next Call(Warp& warp, const Instruction& in, uint32_t mask) {
  const CallSite& site = *static_cast<const CallSite*>(in.detail);
  if (site.callee != nullptr) return CallFunction(warp, in, mask, site, *site.callee);

  // Those that call the same function as the first lane go now.
  Warp::State& s = *warp.state;
  const uint64_t* targets = warp.Row<uint64_t>(site.target);
  const int lane0 = std::countr_zero(mask);
  const uint64_t target = targets[lane0];
  const std::deque<Function>& functions = s.launch->program().functions;
  const uint64_t index = (target & ~kWindowMask) >> 4;
  if ((target & kWindowMask) != kCodeWindow || (target & 15) != 0 || index >= functions.size() ||
      functions[index].is_entry) {
    return warp.RaiseFault(in, lane0, FaultKind::kInvalidProgramCounter,
                           absl::StrFormat("call through 0x%x, which is no function", target));
  }
  uint32_t same = 0;
  for (uint32_t left = mask; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    if (targets[lane] == target) same |= uint32_t{1} << lane;
  }
  if (same != mask) {
    // The others come again for theirs.
    s.Add(s.frame, s.PcOf(in), mask & ~same, false);
    s.mask &= ~(mask & ~same);
    const Next next = CallFunction(warp, in, same, site, functions[index]);
    if (next != Next::kAdvance) return next;
    // A built-in ran: go on as after a jump, because the group is smaller.
    return s.Branch(in, s.mask, s.PcOf(in) + 1);
  }
  return CallFunction(warp, in, mask, site, functions[index]);
}

Next Return(Warp& warp, const Instruction& in, uint32_t mask) {
  Warp::State& s = *warp.state;
  const Frame& frame = *s.frame;
  if (frame.parent == nullptr) return s.Exit(in, mask);
  const Function& function = *frame.function;
  if (!function.results.empty()) {
    const Frame& caller = *frame.parent;
    for (uint32_t left = mask; left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      const Instruction& call = caller.function->code[frame.return_pc[lane] - 1];
      const CallSite& site = *static_cast<const CallSite*>(call.detail);
      for (size_t i = 0; i < site.results.size() && i < function.results.size(); ++i) {
        const CallOperand& result = site.results[i];
        const Parameter& from = function.results[i];
        const uint32_t size = std::min(result.size, from.size);
        std::byte* const memory = Params(s, frame, lane) + from.offset;
        if (result.in_memory) {
          std::memcpy(Params(s, caller, lane) + result.offset, memory, size);
        } else if (result.row.base == RowRef::kFrame) {
          CopyRegister(caller.rows.get() + result.row.offset, lane, memory, size,
                       /*to_memory=*/false);
        }
      }
    }
  }
  return s.Return(in, mask);
}

// One of the operands in (a, b).
absl::Status DecodeOperand(DecodeContext& context, const Operand& operand,
                           const syntax::Variable* formal, bool result, CallOperand* out) {
  if (operand.kind == Operand::Kind::kIdentifier) {
    if (const Parameter* variable = context.FindParamVariable(operand.identifier);
        variable != nullptr) {
      out->in_memory = true;
      out->offset = variable->offset;
      out->size = variable->size;
      return absl::OkStatus();
    }
  }
  ScalarType type = context.RegisterType(operand);
  if (type == ScalarType::kNone && formal != nullptr) type = formal->type;
  if (type == ScalarType::kNone) type = ScalarType::kB32;
  out->size = std::max(1, syntax::BitWidth(type) / 8);
  auto row = result ? context.Destination(operand, type) : context.Source(operand, type);
  WARPYARD_RETURN_IF_ERROR(row.status());
  out->row = *row;
  return absl::OkStatus();
}

absl::Status DecodeCall(DecodeContext& context, const syntax::Instruction& syntax,
                        Instruction* instruction) {
  const std::vector<Operand>& operands = syntax.operands;
  size_t at = 0;
  const Operand* results = nullptr;
  if (at < operands.size() && operands[at].kind == Operand::Kind::kList) results = &operands[at++];
  if (at == operands.size() || operands[at].kind != Operand::Kind::kIdentifier) {
    return absl::InvalidArgumentError("call without a function");
  }
  const Operand& target = operands[at++];
  const Operand* arguments = nullptr;
  if (at < operands.size() && operands[at].kind == Operand::Kind::kList) {
    arguments = &operands[at++];
  }
  CallSite site;
  Program& program = context.program();
  const std::vector<syntax::Variable>* formals = nullptr;
  const std::vector<syntax::Variable>* formal_results = nullptr;
  const auto found = program.function_by_name.find(target.identifier);
  if (found != program.function_by_name.end()) {
    site.callee = found->second;
    if (site.callee->is_entry) {
      return absl::InvalidArgumentError(absl::StrCat("call of the kernel ", target.identifier));
    }
    if (site.callee->syntax != nullptr) {
      formals = &site.callee->syntax->parameters;
      formal_results = &site.callee->syntax->results;
    }
    if (site.callee->is_declaration) {
      if (FindBuiltin(site.callee->name) == nullptr) {
        return absl::UnimplementedError(absl::StrCat(
            "call of ", site.callee->name, ", which is defined nowhere and not built in"));
      }
      // What is printed, and where malloc gives memory, is in the order of blocks.
      context.function().order_sensitive = true;
    }
  } else {
    WARPYARD_ASSIGN_OR_RETURN(site.target, context.Source(target, ScalarType::kB64));
    if (at < operands.size() && operands[at].kind == Operand::Kind::kIdentifier) {
      const syntax::LabelledDirective* prototype = context.FindLabelled(operands[at].identifier);
      if (prototype == nullptr) {
        return absl::InvalidArgumentError(
            absl::StrCat("call: no prototype or targets named ", operands[at].identifier));
      }
      if (prototype->kind == syntax::LabelledDirective::Kind::kCallPrototype) {
        formals = &prototype->parameters;
        formal_results = &prototype->results;
      }
    }
  }
  const auto decode_list = [&](const Operand* list, const std::vector<syntax::Variable>* types,
                               bool is_result, std::vector<CallOperand>* out) -> absl::Status {
    if (list == nullptr) return absl::OkStatus();
    for (size_t i = 0; i < list->elements.size(); ++i) {
      const syntax::Variable* formal =
          types != nullptr && i < types->size() ? &(*types)[i] : nullptr;
      CallOperand operand;
      WARPYARD_RETURN_IF_ERROR(
          DecodeOperand(context, list->elements[i], formal, is_result, &operand));
      out->push_back(operand);
    }
    return absl::OkStatus();
  };
  WARPYARD_RETURN_IF_ERROR(decode_list(arguments, formals, false, &site.arguments));
  WARPYARD_RETURN_IF_ERROR(decode_list(results, formal_results, true, &site.results));
  instruction->handler = Call;
  instruction->operation_class = OperationClass::kCall;
  instruction->detail = program.Keep(std::move(site));
  return absl::OkStatus();
}

absl::Status DecodeReturn(DecodeContext&, const syntax::Instruction&, Instruction* instruction) {
  instruction->handler = Return;
  instruction->operation_class = OperationClass::kCall;
  return absl::OkStatus();
}

constexpr Operation kOperations[] = {{"call", DecodeCall}, {"ret", DecodeReturn}};

}  // namespace

absl::Span<const Operation> CallOperations() { return kOperations; }

uint64_t ReadArgument(Warp& warp, const CallSite& site, size_t index, int lane) {
  if (index >= site.arguments.size()) return 0;
  const CallOperand& argument = site.arguments[index];
  uint64_t value = 0;
  if (argument.in_memory) {
    std::memcpy(&value, Params(*warp.state, *warp.state->frame, lane) + argument.offset,
                std::min<uint32_t>(argument.size, 8));
    return value;
  }
  return argument.size == 8 ? warp.Row<uint64_t>(argument.row)[lane]
                            : warp.Row<uint32_t>(argument.row)[lane];
}

void WriteCallResult(Warp& warp, const CallSite& site, size_t index, int lane, uint64_t value) {
  if (index >= site.results.size()) return;
  const CallOperand& result = site.results[index];
  if (result.in_memory) {
    std::memcpy(Params(*warp.state, *warp.state->frame, lane) + result.offset, &value,
                std::min<uint32_t>(result.size, 8));
  } else if (result.size == 8) {
    warp.Row<uint64_t>(result.row)[lane] = value;
  } else {
    warp.Row<uint32_t>(result.row)[lane] = static_cast<uint32_t>(value);
  }
}

}  // namespace warpyard::emulator
