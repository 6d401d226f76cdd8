// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/hlo/parser.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "cc/base/status_macros.h"
#include "cc/hlo/text_reader.h"
#include "cc/numerics/literal_text.h"

namespace warpyard::hlo {
namespace {

// A parameter's number indexes a list: larger ones are no programs.
constexpr int64_t kMaxParameters = 1 << 20;

class Parser {
 public:
  Parser(std::string_view text, const ParseOptions& options) : reader_(text), options_(options) {}

  absl::StatusOr<std::unique_ptr<Module>> Parse() {
    WARPYARD_RETURN_IF_ERROR(reader_.Expect("HloModule"));
    WARPYARD_ASSIGN_OR_RETURN(const std::string_view name, reader_.ExpectName("a module name"));
    module_ = std::make_unique<Module>(std::string(name));
    while (reader_.Take(",")) WARPYARD_RETURN_IF_ERROR(ModuleAttribute());
    WARPYARD_RETURN_IF_ERROR(Tables());
    while (!reader_.AtEnd()) WARPYARD_RETURN_IF_ERROR(ReadComputation());
    WARPYARD_RETURN_IF_ERROR(Resolve());
    if (module_->computations().empty()) return reader_.Unexpected("a computation");
    // One computation alone is the entry, marked or not.
    if (module_->entry() == nullptr) {
      if (module_->computations().size() > 1) return reader_.Error("no computation is ENTRY");
      module_->set_entry(module_->computations()[0].get());
    }
    WARPYARD_RETURN_IF_ERROR(CheckCalls());
    return std::move(module_);
  }

 private:
  struct Reference {
    Instruction* instruction;
    std::string attribute;
    bool list;                                               // {a, b} rather than a
    std::vector<std::pair<std::string_view, size_t>> names;  // with their offsets
  };

  absl::Status ModuleAttribute() {
    WARPYARD_ASSIGN_OR_RETURN(const std::string_view name, reader_.ExpectWord("an attribute"));
    WARPYARD_RETURN_IF_ERROR(reader_.Expect("="));
    if (name == "entry_computation_layout") {
      WARPYARD_RETURN_IF_ERROR(reader_.Expect("{"));
      WARPYARD_ASSIGN_OR_RETURN(ProgramShape layout, ReadProgramShape());
      WARPYARD_RETURN_IF_ERROR(reader_.Expect("}"));
      module_->set_entry_layout(std::move(layout));
      module_->AddAttribute(std::string(name), "");
      return absl::OkStatus();
    }
    WARPYARD_ASSIGN_OR_RETURN(const std::string_view value, reader_.TakeBalanced(",\n"));
    if (value.empty()) return reader_.Unexpected("a value");
    module_->AddAttribute(std::string(name), std::string(value));
    return absl::OkStatus();
  }

  absl::StatusOr<ProgramShape> ReadProgramShape() {
    ProgramShape program;
    WARPYARD_RETURN_IF_ERROR(reader_.Expect("("));
    if (!reader_.Take(")")) {
      do {
        WARPYARD_ASSIGN_OR_RETURN(Shape shape, Shape::Read(reader_));
        program.parameters.push_back(std::move(shape));
      } while (reader_.Take(","));
      WARPYARD_RETURN_IF_ERROR(reader_.Expect(")"));
    }
    WARPYARD_RETURN_IF_ERROR(reader_.Expect("->"));
    WARPYARD_ASSIGN_OR_RETURN(program.result, Shape::Read(reader_));
    return program;
  }

  // FileNames, FunctionNames, FileLocations, StackFrames: a word on a line, then
  // numbered lines.
  absl::Status Tables() {
    reader_.SkipSpace();
    const size_t begin = reader_.offset();
    size_t end = begin;
    while (true) {
      const size_t at = reader_.offset();
      const std::string_view word = reader_.TakeWord();
      if (word != "FileNames" && word != "FunctionNames" && word != "FileLocations" &&
          word != "StackFrames") {
        reader_.set_offset(at);
        break;
      }
      reader_.TakeLine();
      while (reader_.Next() >= '0' && reader_.Next() <= '9') reader_.TakeLine();
      end = reader_.offset();
    }
    module_->set_tables(
        std::string(absl::StripTrailingAsciiWhitespace(reader_.text().substr(begin, end - begin))));
    return absl::OkStatus();
  }

  absl::Status ReadComputation() {
    const bool is_entry = reader_.Take("ENTRY");
    reader_.SkipSpace();
    const size_t at = reader_.offset();
    WARPYARD_ASSIGN_OR_RETURN(const std::string_view name, reader_.ExpectName("a computation"));
    Computation* computation = module_->Add(std::make_unique<Computation>(std::string(name)));
    if (!computations_.try_emplace(computation->name(), computation).second) {
      return reader_.ErrorAt(at, absl::StrCat("there are two computations ", name));
    }
    if (is_entry) {
      if (module_->entry() != nullptr) return reader_.ErrorAt(at, "a second ENTRY");
      module_->set_entry(computation);
    }
    if (reader_.Peek("(")) WARPYARD_RETURN_IF_ERROR(SkipSignature());
    WARPYARD_RETURN_IF_ERROR(reader_.Expect("{"));
    instructions_.clear();
    while (!reader_.Take("}")) WARPYARD_RETURN_IF_ERROR(ReadInstruction(*computation));
    if (computation->instructions().empty()) {
      return reader_.ErrorAt(at, absl::StrCat("computation ", name, " is empty"));
    }
    if (computation->root() == nullptr) {
      computation->set_root(computation->instructions().back().get());
    }
    while (reader_.Take(",")) {
      WARPYARD_RETURN_IF_ERROR(reader_.Expect("execution_thread"));
      WARPYARD_RETURN_IF_ERROR(reader_.Expect("="));
      WARPYARD_ASSIGN_OR_RETURN(std::string thread, reader_.ExpectString());
      computation->set_execution_thread(std::move(thread));
    }
    return absl::OkStatus();
  }

  // "(x: f32[4]) -> f32[]": said again by the parameters and the root.
  absl::Status SkipSignature() {
    WARPYARD_RETURN_IF_ERROR(reader_.Expect("("));
    if (!reader_.Take(")")) {
      do {
        WARPYARD_RETURN_IF_ERROR(reader_.ExpectName("a parameter").status());
        WARPYARD_RETURN_IF_ERROR(reader_.Expect(":"));
        WARPYARD_RETURN_IF_ERROR(Shape::Read(reader_).status());
      } while (reader_.Take(","));
      WARPYARD_RETURN_IF_ERROR(reader_.Expect(")"));
    }
    WARPYARD_RETURN_IF_ERROR(reader_.Expect("->"));
    return Shape::Read(reader_).status();
  }

  absl::Status ReadInstruction(Computation& computation) {
    const bool is_root = reader_.Take("ROOT");
    reader_.SkipSpace();
    const size_t at = reader_.offset();
    WARPYARD_ASSIGN_OR_RETURN(const std::string_view name, reader_.ExpectName("an instruction"));
    WARPYARD_RETURN_IF_ERROR(reader_.Expect("="));
    WARPYARD_ASSIGN_OR_RETURN(Shape shape, Shape::Read(reader_));
    reader_.SkipSpace();
    const size_t opcode_at = reader_.offset();
    WARPYARD_ASSIGN_OR_RETURN(const std::string_view word, reader_.ExpectWord("an opcode"));
    const std::optional<Opcode> opcode = ParseOpcode(word);
    if (!opcode.has_value()) {
      return reader_.ErrorAt(opcode_at, absl::StrCat("there is no opcode '", word, "'"));
    }
    Instruction* instruction = computation.Add(
        std::make_unique<Instruction>(*opcode, std::string(name), std::move(shape)));
    WARPYARD_RETURN_IF_ERROR(reader_.Expect("("));
    if (*opcode == Opcode::kParameter) {
      WARPYARD_RETURN_IF_ERROR(ReadParameterNumber(*instruction));
    } else if (*opcode == Opcode::kConstant) {
      WARPYARD_RETURN_IF_ERROR(ReadConstant(*instruction));
    } else {
      WARPYARD_RETURN_IF_ERROR(ReadOperands(*instruction));
    }
    while (reader_.Take(",")) WARPYARD_RETURN_IF_ERROR(ReadAttribute(*instruction));
    // Only now, so that nothing is its own operand.
    if (!instructions_.try_emplace(instruction->name(), instruction).second) {
      return reader_.ErrorAt(
          at, absl::StrCat("there are two instructions ", name, " in ", computation.name()));
    }
    if (is_root) {
      if (computation.root() != nullptr) return reader_.ErrorAt(at, "a second ROOT");
      computation.set_root(instruction);
    }
    return absl::OkStatus();
  }

  absl::Status ReadParameterNumber(Instruction& instruction) {
    reader_.SkipSpace();
    const size_t at = reader_.offset();
    WARPYARD_ASSIGN_OR_RETURN(const int64_t number, reader_.ExpectInteger());
    if (number < 0 || number >= kMaxParameters) {
      return reader_.ErrorAt(at, absl::StrCat("there is no parameter ", number));
    }
    instruction.set_parameter_number(number);
    return reader_.Expect(")");
  }

  absl::Status ReadConstant(Instruction& instruction) {
    const Shape& shape = instruction.shape();
    reader_.SkipSpace();
    if (options_.allow_elided_constants) {
      const size_t at = reader_.offset();
      if (reader_.Take("{") && reader_.Take("...") && reader_.Take("}") && reader_.Take(")")) {
        return absl::OkStatus();
      }
      reader_.set_offset(at);
    }
    if (!shape.IsArray()) {
      return reader_.Error("only constants that are arrays are read");
    }
    std::string_view rest = reader_.rest();
    absl::StatusOr<Literal> literal =
        ConsumeLiteral(shape.element_type(), shape.dimensions(), rest);
    reader_.set_offset(reader_.text().size() - rest.size());
    if (!literal.ok()) return reader_.Error(literal.status().message());
    instruction.set_literal(std::make_shared<const Literal>(*std::move(literal)));
    return reader_.Expect(")");
  }

  absl::Status ReadOperands(Instruction& instruction) {
    if (reader_.Take(")")) return absl::OkStatus();
    do {
      reader_.SkipSpace();
      size_t at = reader_.offset();
      if (reader_.Next() != '%') {
        // A shape may stand before the name.
        const bool is_tuple = reader_.Next() == '(';
        const std::string_view word = reader_.TakeWord();
        const bool is_shape =
            is_tuple ||
            (!word.empty() && !reader_.rest().empty() &&
             (reader_.rest().front() == '[' || (word == "b" && reader_.rest().front() == '(')));
        reader_.set_offset(at);
        if (is_shape) WARPYARD_RETURN_IF_ERROR(Shape::Read(reader_).status());
        reader_.SkipSpace();
        at = reader_.offset();
      }
      WARPYARD_ASSIGN_OR_RETURN(const std::string_view name, reader_.ExpectName("an operand"));
      const auto found = instructions_.find(name);
      if (found == instructions_.end()) {
        return reader_.ErrorAt(at,
                               absl::StrCat("no instruction ", name, " stands before this one in ",
                                            instruction.parent()->name()));
      }
      instruction.AddOperand(found->second);
    } while (reader_.Take(","));
    return reader_.Expect(")");
  }

  absl::Status ReadAttribute(Instruction& instruction) {
    reader_.SkipSpace();
    const size_t at = reader_.offset();
    WARPYARD_ASSIGN_OR_RETURN(const std::string_view name, reader_.ExpectWord("an attribute"));
    WARPYARD_RETURN_IF_ERROR(reader_.Expect("="));
    const AttributeForm* form = FindAttributeForm(name);
    AttributeForm used = AttributeForm::kVerbatim;
    if (form != nullptr) {
      used = *form;
    } else if (!options_.allow_unknown_attributes) {
      return reader_.ErrorAt(at, absl::StrCat("there is no attribute '", name, "'"));
    }
    if (used == AttributeForm::kComputation || used == AttributeForm::kComputations ||
        used == AttributeForm::kInstructions) {
      return ReadReferences(instruction, name, used);
    }
    for (const Attribute& attribute : instruction.attributes()) {
      if (attribute.name == name) {
        return reader_.ErrorAt(at, absl::StrCat("attribute '", name, "' stands twice"));
      }
    }
    WARPYARD_ASSIGN_OR_RETURN(AttributeValue value, ReadAttributeValue(used, reader_));
    instruction.SetAttribute(name, std::move(value));
    return absl::OkStatus();
  }

  absl::Status ReadReferences(Instruction& instruction, std::string_view name, AttributeForm form) {
    Reference reference{&instruction, std::string(name), reader_.Take("{"), {}};
    if (!reference.list || !reader_.Take("}")) {
      do {
        reader_.SkipSpace();
        const size_t at = reader_.offset();
        WARPYARD_ASSIGN_OR_RETURN(const std::string_view target, reader_.ExpectName("a name"));
        reference.names.emplace_back(target, at);
      } while (reference.list && reader_.Take(","));
      if (reference.list) WARPYARD_RETURN_IF_ERROR(reader_.Expect("}"));
    }
    if (form == AttributeForm::kInstructions) {
      std::vector<Instruction*> predecessors;
      for (const auto& [target, at] : reference.names) {
        const auto found = instructions_.find(target);
        if (found == instructions_.end()) {
          return reader_.ErrorAt(at, absl::StrCat("no instruction ", target, " before this one"));
        }
        predecessors.push_back(found->second);
      }
      instruction.SetAttribute(name, std::move(predecessors));
      return absl::OkStatus();
    }
    // Holds the attribute's place; Resolve() puts the computations in.
    if (reference.list) {
      instruction.SetAttribute(name, std::vector<Computation*>());
    } else {
      instruction.SetAttribute(name, static_cast<Computation*>(nullptr));
    }
    references_.push_back(std::move(reference));
    return absl::OkStatus();
  }

  absl::Status Resolve() {
    for (const Reference& reference : references_) {
      std::vector<Computation*> targets;
      for (const auto& [name, at] : reference.names) {
        const auto found = computations_.find(name);
        if (found == computations_.end()) {
          return reader_.ErrorAt(at, absl::StrCat("there is no computation ", name));
        }
        targets.push_back(found->second);
      }
      if (reference.list) {
        reference.instruction->SetAttribute(reference.attribute, std::move(targets));
      } else {
        reference.instruction->SetAttribute(reference.attribute, targets[0]);
      }
    }
    return absl::OkStatus();
  }

  // Refuses computations that call themselves; XLA has none, and everything that
  // walks a program would never end. The order of the text is kept.
  absl::Status CheckCalls() {
    absl::flat_hash_map<const Computation*, int> state;  // 1: on the way, 2: done
    for (const auto& start : module_->computations()) {
      std::vector<std::pair<const Computation*, std::vector<Computation*>>> stack;
      const auto push = [&](const Computation* computation) {
        state[computation] = 1;
        std::vector<Computation*> called;
        for (const auto& instruction : computation->instructions()) {
          for (Computation* callee : instruction->CalledComputations()) called.push_back(callee);
        }
        stack.emplace_back(computation, std::move(called));
      };
      if (state[start.get()] == 0) push(start.get());
      while (!stack.empty()) {
        if (stack.back().second.empty()) {
          state[stack.back().first] = 2;
          stack.pop_back();
          continue;
        }
        Computation* next = stack.back().second.back();
        stack.back().second.pop_back();
        if (state[next] == 1) {
          return absl::InvalidArgumentError(
              absl::StrCat("computation ", next->name(), " calls itself"));
        }
        if (state[next] == 0) push(next);
      }
    }
    return absl::OkStatus();
  }

  TextReader reader_;
  const ParseOptions& options_;
  std::unique_ptr<Module> module_;
  absl::flat_hash_map<std::string_view, Computation*> computations_;
  // Of the computation that is being read.
  absl::flat_hash_map<std::string_view, Instruction*> instructions_;
  std::vector<Reference> references_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Module>> ParseModule(std::string_view text,
                                                    const ParseOptions& options) {
  return Parser(text, options).Parse();
}

}  // namespace warpyard::hlo
