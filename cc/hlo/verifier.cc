// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/hlo/verifier.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "cc/base/status_macros.h"
#include "cc/hlo/rules/rule.h"
#include "cc/hlo/text_reader.h"

namespace warpyard::hlo {
namespace {

using Rule = absl::Status (*)(const Instruction&);
constexpr Rule kRules[] = {CheckElementwise, CheckDataMovement, CheckIndexing,   CheckContraction,
                           CheckReduction,   CheckControl,      CheckCollective, CheckLibrary};

bool StartsPair(Opcode opcode) {
  switch (opcode) {
    case Opcode::kAsyncStart:
    case Opcode::kAsyncUpdate:
    case Opcode::kAllGatherStart:
    case Opcode::kAllReduceStart:
    case Opcode::kCollectivePermuteStart:
    case Opcode::kCopyStart:
      return true;
    default:
      return false;
  }
}

absl::Status CheckParameters(const Computation& computation) {
  absl::flat_hash_set<int64_t> numbers;
  for (const auto& instruction : computation.instructions()) {
    if (instruction->opcode() != Opcode::kParameter) continue;
    if (!numbers.insert(instruction->parameter_number()).second) {
      return Wrong(*instruction, "a second parameter ", instruction->parameter_number());
    }
  }
  for (int64_t i = 0; i < static_cast<int64_t>(numbers.size()); ++i) {
    if (!numbers.contains(i)) {
      return absl::InvalidArgumentError(absl::StrCat("there is no parameter ", i));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckComputation(const Computation& computation) {
  WARPYARD_RETURN_IF_ERROR(CheckParameters(computation));
  absl::flat_hash_map<const Instruction*, int> users;
  for (const auto& instruction : computation.instructions()) {
    for (const Instruction* operand : instruction->operands()) {
      if (operand->parent() != &computation) {
        return Wrong(*instruction, "its operand ", operand->name(), " is of another computation");
      }
      ++users[operand];
    }
    WARPYARD_RETURN_IF_ERROR(VerifyInstruction(*instruction));
  }
  for (const auto& instruction : computation.instructions()) {
    if (!StartsPair(instruction->opcode())) continue;
    if (users[instruction.get()] != 1) {
      return Wrong(*instruction, "it is ended ", users[instruction.get()], " times, expected once");
    }
  }
  return absl::OkStatus();
}

// The part of a shape at "{1,0}".
absl::StatusOr<const Shape*> At(const Shape& shape, TextReader& reader) {
  const Shape* at = &shape;
  WARPYARD_RETURN_IF_ERROR(reader.Expect("{"));
  if (reader.Take("}")) return at;
  do {
    WARPYARD_ASSIGN_OR_RETURN(const int64_t index, reader.ExpectInteger());
    if (!at->IsTuple() || index < 0 || index >= static_cast<int64_t>(at->elements().size())) {
      return absl::InvalidArgumentError(
          absl::StrCat("there is no element ", index, " of ", at->ToString(false)));
    }
    at = &at->elements()[index];
  } while (reader.Take(","));
  WARPYARD_RETURN_IF_ERROR(reader.Expect("}"));
  return at;
}

// "{ {1}: (0, {}, may-alias), ... }".
absl::Status CheckAliases(const Module& module, std::string_view text) {
  const std::vector<Instruction*> parameters = module.entry()->Parameters();
  TextReader reader(text);
  WARPYARD_RETURN_IF_ERROR(reader.Expect("{"));
  if (reader.Take("}")) return absl::OkStatus();
  do {
    WARPYARD_ASSIGN_OR_RETURN(const Shape* output, At(module.entry()->root()->shape(), reader));
    WARPYARD_RETURN_IF_ERROR(reader.Expect(":"));
    WARPYARD_RETURN_IF_ERROR(reader.Expect("("));
    WARPYARD_ASSIGN_OR_RETURN(const int64_t number, reader.ExpectInteger());
    if (number < 0 || number >= static_cast<int64_t>(parameters.size())) {
      return absl::InvalidArgumentError(absl::StrCat("there is no parameter ", number));
    }
    WARPYARD_RETURN_IF_ERROR(reader.Expect(","));
    WARPYARD_ASSIGN_OR_RETURN(const Shape* input, At(parameters[number]->shape(), reader));
    if (reader.Take(",")) WARPYARD_RETURN_IF_ERROR(reader.ExpectWord("a kind").status());
    WARPYARD_RETURN_IF_ERROR(reader.Expect(")"));
    if (!input->Compatible(*output)) {
      return absl::InvalidArgumentError(absl::StrCat("output ", output->ToString(false),
                                                     " cannot lie in parameter ", number, ", ",
                                                     input->ToString(false)));
    }
  } while (reader.Take(","));
  return reader.Expect("}");
}

absl::Status CheckEntry(const Module& module) {
  const Computation& entry = *module.entry();
  if (module.entry_layout().has_value()) {
    const std::vector<Instruction*> parameters = entry.Parameters();
    const ProgramShape& layout = *module.entry_layout();
    bool fits = parameters.size() == layout.parameters.size() &&
                entry.root()->shape().Compatible(layout.result);
    for (size_t i = 0; fits && i < parameters.size(); ++i) {
      fits = parameters[i]->shape().Compatible(layout.parameters[i]);
    }
    if (!fits) {
      return absl::InvalidArgumentError(
          "entry_computation_layout does not have the shapes of the entry");
    }
  }
  if (const std::string* aliases = module.FindAttribute("input_output_alias")) {
    if (absl::Status status = CheckAliases(module, *aliases); !status.ok()) {
      return absl::InvalidArgumentError(absl::StrCat("input_output_alias: ", status.message()));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status VerifyInstruction(const Instruction& instruction) {
  if (const int operands = OpcodeOperandCount(instruction.opcode()); operands >= 0) {
    WARPYARD_RETURN_IF_ERROR(ExpectOperands(instruction, operands, operands));
  }
  for (const Rule rule : kRules) {
    absl::Status status = rule(instruction);
    if (!absl::IsNotFound(status)) return status;
  }
  return absl::InternalError(absl::StrCat("no rule for ", OpcodeName(instruction.opcode())));
}

absl::Status VerifyModule(const Module& module) {
  for (const auto& computation : module.computations()) {
    absl::Status status = CheckComputation(*computation);
    if (!status.ok()) {
      return absl::Status(
          status.code(), absl::StrCat("computation ", computation->name(), ": ", status.message()));
    }
  }
  return CheckEntry(module);
}

}  // namespace warpyard::hlo
