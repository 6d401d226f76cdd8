// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/hlo/printer.h"

#include <string_view>

#include "absl/strings/str_cat.h"
#include "cc/hlo/attribute_printer.h"
#include "cc/numerics/literal_text.h"

namespace warpyard::hlo {
namespace {

class Printer {
 public:
  explicit Printer(const PrintOptions& options)
      : options_(options), sign_(options.long_form ? "%" : "") {}

  void Append(const Module& module) {
    absl::StrAppend(&out_, "HloModule ", module.name());
    for (const auto& [name, value] : module.attributes()) {
      absl::StrAppend(&out_, ", ", name, "=");
      if (name == "entry_computation_layout" && module.entry_layout().has_value()) {
        AppendProgramShape(*module.entry_layout());
      } else {
        out_.append(value);
      }
    }
    out_.append("\n\n");
    if (!module.tables().empty()) absl::StrAppend(&out_, module.tables(), "\n\n\n");
    for (const auto& computation : module.computations()) {
      Append(*computation, computation.get() == module.entry());
      out_.append("\n\n");
    }
  }

  void Append(const Computation& computation, bool is_entry) {
    absl::StrAppend(&out_, is_entry ? "ENTRY " : "", sign_, computation.name(), " ");
    if (options_.long_form) {
      out_.push_back('(');
      const std::vector<Instruction*> parameters = computation.Parameters();
      for (size_t i = 0; i < parameters.size(); ++i) {
        if (i > 0) out_.append(", ");
        if (parameters[i] == nullptr) continue;
        absl::StrAppend(&out_, parameters[i]->name(), ": ");
        parameters[i]->shape().AppendTo(&out_, /*with_layout=*/false);
      }
      out_.append(") -> ");
      computation.root()->shape().AppendTo(&out_, /*with_layout=*/false);
      out_.push_back(' ');
    }
    out_.append("{\n");
    for (const auto& instruction : computation.instructions()) {
      out_.append(instruction.get() == computation.root() ? "  ROOT " : "  ");
      Append(*instruction);
      out_.push_back('\n');
    }
    out_.push_back('}');
    if (!computation.execution_thread().empty()) {
      absl::StrAppend(&out_, ", execution_thread=\"", computation.execution_thread(), "\"");
    }
  }

  void Append(const Instruction& instruction) {
    absl::StrAppend(&out_, sign_, instruction.name(), " = ");
    instruction.shape().AppendTo(&out_);
    absl::StrAppend(&out_, " ", OpcodeName(instruction.opcode()), "(");
    if (instruction.opcode() == Opcode::kParameter) {
      absl::StrAppend(&out_, instruction.parameter_number());
    } else if (instruction.opcode() == Opcode::kConstant) {
      AppendConstant(instruction);
    } else {
      for (size_t i = 0; i < instruction.operands().size(); ++i) {
        if (i > 0) out_.append(", ");
        if (options_.long_form && i > 0 && i % 5 == 0) {
          absl::StrAppend(&out_, "/*index=", i, "*/");
        }
        absl::StrAppend(&out_, sign_, instruction.operand(i)->name());
      }
    }
    out_.push_back(')');
    for (const Attribute& attribute : instruction.attributes()) {
      if (!options_.metadata && attribute.name == "metadata") continue;
      if (!options_.backend_config && attribute.name == "backend_config") continue;
      absl::StrAppend(&out_, ", ", attribute.name, "=");
      AppendAttributeValue(attribute.value, sign_, &out_);
    }
  }

  std::string Take() { return std::move(out_); }

 private:
  void AppendProgramShape(const ProgramShape& program) {
    out_.append("{(");
    for (size_t i = 0; i < program.parameters.size(); ++i) {
      if (i > 0) out_.append(", ");
      if (i > 0 && i % 5 == 0) absl::StrAppend(&out_, "/*index=", i, "*/");
      program.parameters[i].AppendTo(&out_);
    }
    out_.append(")->");
    program.result.AppendTo(&out_);
    out_.push_back('}');
  }

  void AppendConstant(const Instruction& instruction) {
    const Literal* literal = instruction.literal().get();
    if (literal == nullptr || (options_.elide_constants_above >= 0 &&
                               literal->element_count() > options_.elide_constants_above)) {
      out_.append("{...}");
    } else {
      out_.append(LiteralToString(*literal));
    }
  }

  const PrintOptions& options_;
  std::string_view sign_;
  std::string out_;
};

}  // namespace

std::string ModuleToString(const Module& module, const PrintOptions& options) {
  Printer printer(options);
  printer.Append(module);
  return printer.Take();
}

std::string ComputationToString(const Computation& computation, const PrintOptions& options) {
  Printer printer(options);
  printer.Append(computation, false);
  return printer.Take();
}

std::string InstructionToString(const Instruction& instruction, const PrintOptions& options) {
  Printer printer(options);
  printer.Append(instruction);
  return printer.Take();
}

}  // namespace warpyard::hlo
