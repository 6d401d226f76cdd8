// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/program/function_decoder.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/program/constant_pool.h"
#include "cc/emulator/program/decoder.h"
#include "cc/emulator/program/function_uses.h"
#include "cc/emulator/program/module_symbols.h"
#include "cc/emulator/program/operand_resolver.h"
#include "cc/emulator/program/program.h"
#include "cc/emulator/program/scopes.h"
#include "cc/emulator/program/special_registers.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {
namespace {

using syntax::Operand;
using syntax::ScalarType;
using syntax::Statement;
using syntax::StateSpace;

// PTX ISA, "Kernel Function Parameters": 32,764 bytes from ISA 8.1 on.
constexpr uint64_t kMaxKernelParameters = 32764;
constexpr uint64_t kMaxParamArea = uint64_t{1} << 24;
constexpr uint64_t kMaxFrame = uint64_t{1} << 28;

std::string FullName(const syntax::Instruction& instruction) {
  std::string name(instruction.opcode);
  for (std::string_view modifier : instruction.modifiers) absl::StrAppend(&name, ".", modifier);
  return name;
}

class FunctionDecoder final : public OperandResolver {
 public:
  FunctionDecoder(const OperationTable& operations, Program& program, ConstantPool& constants,
                  Function& function, FunctionUses* uses)
      : OperandResolver(program, constants, function, *uses), operations_(operations) {}

  absl::Status Run() {
    WARPYARD_RETURN_IF_ERROR(PlaceEverything());
    WARPYARD_RETURN_IF_ERROR(Code());
    if (frame_.bytes() > kMaxFrame) {
      return absl::InvalidArgumentError(absl::StrCat(
          function_.name, ": its registers need more than ", kMaxFrame, " bytes for a warp"));
    }
    // Vector loops may run to the end of a row whatever its width.
    function_.frame_bytes = static_cast<uint32_t>((frame_.bytes() + 63) & ~uint64_t{63});
    return absl::OkStatus();
  }

  absl::Status BranchTarget(const Operand& label, Instruction* instruction) override {
    if (label.kind != Operand::Kind::kIdentifier) {
      return absl::InvalidArgumentError("expected a label");
    }
    const std::optional<uint32_t> statement = scopes_.FindLabel(scope_, label.identifier);
    if (!statement.has_value()) {
      return absl::InvalidArgumentError(
          absl::StrCat("the label ", label.identifier, " is not in this function"));
    }
    branches_.push_back({instruction, *statement});
    return absl::OkStatus();
  }

 private:
  struct PendingBranch {
    Instruction* instruction;
    uint32_t statement;
  };

  static absl::Status At(const syntax::Instruction& instruction, const absl::Status& status) {
    return absl::Status(status.code(), absl::StrCat("line ", instruction.position.line, ", column ",
                                                    instruction.position.column, ": ",
                                                    FullName(instruction), ": ", status.message()));
  }

  absl::Status Code() {
    clock_ = operations_.Find("warpyard_refresh_clock");
    // Decoders may keep pointers to the instruction that they fill.
    size_t count = syntax_.instructions.size() + 1;
    if (clock_ != nullptr) count *= 2;
    size_t returns = 1;
    for (const syntax::Instruction& instruction : syntax_.instructions) {
      returns += instruction.opcode == "ret";
    }
    count += syntax_.parameters.size() + returns * syntax_.results.size();
    function_.code.reserve(count);
    WARPYARD_RETURN_IF_ERROR(HandOver(syntax_.parameters, /*load=*/true));
    std::vector<uint32_t> code_index(syntax_.statements.size());
    ScopeCursor cursor(scopes_);
    for (size_t i = 0; i < syntax_.statements.size(); ++i) {
      const Statement& statement = syntax_.statements[i];
      cursor.Enter(statement);
      code_index[i] = static_cast<uint32_t>(function_.code.size());
      if (statement.kind != Statement::Kind::kInstruction) continue;
      scope_ = cursor.scope();
      const syntax::Instruction& instruction = syntax_.instructions[statement.index];
      if (instruction.opcode == "ret") {
        scope_ = 0;
        WARPYARD_RETURN_IF_ERROR(HandOver(syntax_.results, /*load=*/false));
        scope_ = cursor.scope();
      }
      WARPYARD_RETURN_IF_ERROR(Decode(instruction));
    }
    // What falls off the end returns.
    scope_ = 0;
    WARPYARD_RETURN_IF_ERROR(HandOver(syntax_.results, /*load=*/false));
    auto* ret = program_.Keep(syntax::Instruction());
    ret->opcode = ret->text = "ret";
    if (!syntax_.instructions.empty()) {
      ret->position = syntax_.instructions.back().position;
      ret->source = syntax_.instructions.back().source;
    } else {
      ret->position = syntax_.position;
    }
    WARPYARD_RETURN_IF_ERROR(Decode(*ret));
    for (const PendingBranch& branch : branches_) {
      branch.instruction->immediate = code_index[branch.statement];
    }
    return absl::OkStatus();
  }

  // A function may declare its parameters and results as registers: they are read
  // when it begins, and written before it returns.
  absl::Status HandOver(const std::vector<syntax::Variable>& variables, bool load) {
    for (const syntax::Variable& variable : variables) {
      if (variable.space != StateSpace::kReg || variable.name == "_" || function_.is_entry) {
        continue;
      }
      auto* copy = program_.Keep(syntax::Instruction());
      copy->position = variable.position;
      copy->opcode = load ? "ld" : "st";
      copy->modifiers = {"param", syntax::TypeName(variable.type)};
      copy->text = variable.name;
      Operand value, address;
      value.kind = Operand::Kind::kIdentifier;
      value.identifier = variable.name;
      address.kind = Operand::Kind::kAddress;
      address.elements.resize(1);
      address.elements[0].kind = Operand::Kind::kIdentifier;
      address.elements[0].identifier = *program_.Keep(absl::StrCat(variable.name, kHandedOver));
      copy->operands =
          load ? std::vector<Operand>{value, address} : std::vector<Operand>{address, value};
      WARPYARD_RETURN_IF_ERROR(Decode(*copy));
    }
    return absl::OkStatus();
  }

  absl::Status Decode(const syntax::Instruction& syntax) {
    NoteControl(syntax);
    if (clock_ != nullptr && ReadsClock(syntax)) {
      Instruction& refresh = function_.code.emplace_back();
      refresh.syntax = &syntax;
      WARPYARD_RETURN_IF_ERROR(clock_(*this, syntax, &refresh));
    }
    Instruction& instruction = function_.code.emplace_back();
    instruction.syntax = &syntax;
    if (!syntax.guard.empty()) {
      const std::optional<Entity> entity = scopes_.Find(scope_, syntax.guard);
      if (!entity.has_value() || entity->kind != Entity::Kind::kRegister ||
          entity->type != ScalarType::kPred) {
        return At(syntax, absl::InvalidArgumentError(
                              absl::StrCat(syntax.guard, " is no predicate register")));
      }
      instruction.guard = rows_[entity->index];
      instruction.guard_negated = syntax.guard_negated;
    }
    const DecodeFunction decode = operations_.Find(syntax.opcode);
    absl::Status status =
        decode == nullptr ? absl::UnimplementedError(absl::StrCat("the operation is not supported"))
                          : decode(*this, syntax, &instruction);
    if (status.ok() && instruction.handler == nullptr) {
      status = absl::InternalError("decoded without a handler");
    }
    if (status.ok()) return status;
    if (!absl::IsUnimplemented(status)) return At(syntax, status);
    function_.unsupported.push_back(absl::StrCat("line ", syntax.position.line, ": ",
                                                 FullName(syntax), ": ", status.message()));
    return Trap(syntax, &instruction);
  }

  // Replaces an operation that is not executed.
  absl::Status Trap(const syntax::Instruction& syntax, Instruction* instruction) {
    const uint32_t guard = instruction->guard;
    const bool negated = instruction->guard_negated;
    *instruction = Instruction();
    instruction->syntax = &syntax;
    instruction->guard = guard;
    instruction->guard_negated = negated;
    const DecodeFunction decode = operations_.Find("trap");
    if (decode == nullptr) return absl::InternalError("no family of operations has trap");
    syntax::Instruction trap;
    trap.opcode = "trap";
    return decode(*this, trap, instruction);
  }

  static bool ReadsClock(const syntax::Instruction& syntax) {
    for (size_t i = 1; i < syntax.operands.size(); ++i) {
      const Operand& operand = syntax.operands[i];
      if (operand.kind != Operand::Kind::kIdentifier) continue;
      // The names begin with %clock and %globaltimer.
      if (operand.identifier.size() < 6 || operand.identifier[0] != '%' ||
          (operand.identifier[1] != 'c' && operand.identifier[1] != 'g')) {
        continue;
      }
      const std::optional<SpecialRegister> special =
          FindSpecialRegister(operand.identifier, operand.component);
      if (special.has_value() && special->is_clock) return true;
    }
    return false;
  }

  // Calls and barriers, for what is known of the whole kernel.
  void NoteControl(const syntax::Instruction& syntax) {
    if (syntax.opcode == "call") {
      for (const Operand& operand : syntax.operands) {
        if (operand.kind == Operand::Kind::kList) continue;
        if (operand.kind != Operand::Kind::kIdentifier) break;
        const auto callee = program_.function_by_name.find(operand.identifier);
        if (callee == program_.function_by_name.end()) {
          uses_.calls_indirectly = true;
        } else if (used_.insert(callee->second).second) {
          uses_.callees.push_back(callee->second);
        }
        break;
      }
    } else if ((syntax.opcode == "bar" || syntax.opcode == "barrier") && !syntax.Has("warp") &&
               !syntax.Has("cluster")) {
      const size_t at = syntax.Has("red") ? 1 : 0;
      uint32_t count = 16;
      if (syntax.operands.empty()) {
        count = 1;
      } else if (at < syntax.operands.size() &&
                 syntax.operands[at].kind == Operand::Kind::kInteger) {
        count = static_cast<uint32_t>(std::min<uint64_t>(syntax.operands[at].integer, 15)) + 1;
      }
      function_.barrier_count = std::max(function_.barrier_count, count);
    }
  }

  const OperationTable& operations_;
  std::vector<PendingBranch> branches_;
  DecodeFunction clock_ = nullptr;
};

}  // namespace

absl::Status PlaceParameters(Function& function) {
  uint64_t top = 0;
  const uint64_t limit = function.is_entry ? kMaxKernelParameters : kMaxParamArea;
  function.results.clear();
  function.parameters.clear();
  for (const syntax::Variable& variable : function.syntax->results) {
    WARPYARD_ASSIGN_OR_RETURN(const Parameter result, PlaceParameter(variable, limit, &top));
    function.results.push_back(result);
  }
  for (const syntax::Variable& variable : function.syntax->parameters) {
    WARPYARD_ASSIGN_OR_RETURN(const Parameter parameter, PlaceParameter(variable, limit, &top));
    function.parameters.push_back(parameter);
  }
  (function.is_entry ? function.parameter_bytes : function.param_bytes) =
      static_cast<uint32_t>(top);
  return absl::OkStatus();
}

absl::Status DecodeFunctionBody(const OperationTable& operations, Program& program,
                                ConstantPool& constants, Function& function, FunctionUses* uses) {
  WARPYARD_RETURN_IF_ERROR(FunctionDecoder(operations, program, constants, function, uses).Run());
  if (constants.overflowed()) {
    return absl::InvalidArgumentError(absl::StrCat(
        function.name, ": the module's constants need more than ", kMaxConstants, " bytes"));
  }
  return absl::OkStatus();
}

}  // namespace warpyard::emulator
