// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/syntax/parser.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/syntax/ast.h"
#include "cc/emulator/syntax/constant_expression.h"
#include "cc/emulator/syntax/declaration_parser.h"
#include "cc/emulator/syntax/operand_parser.h"
#include "cc/emulator/syntax/scanner.h"

namespace warpyard::emulator::syntax {
namespace {

constexpr int kMaxScopes = 1000;
constexpr size_t kMaxDirectiveValues = 16;
constexpr size_t kMaxText = size_t{1} << 30;

class ModuleParser {
 public:
  ModuleParser(std::string_view text, Module* module) : scanner_(text), module_(module) {}

  absl::Status Parse() {
    WARPYARD_RETURN_IF_ERROR(Header());
    while (!scanner_.AtEnd()) WARPYARD_RETURN_IF_ERROR(TopLevel());
    return absl::OkStatus();
  }

 private:
  using StatementKind = Statement::Kind;

  absl::Status Header() {
    SkipDwarfLines();
    if (scanner_.PeekDotWord() != "version") return scanner_.Expected(".version first");
    scanner_.DotWord();
    const Position position = scanner_.position();
    const std::string_view version = scanner_.NumberText();
    const size_t dot = version.find('.');
    if (dot == std::string_view::npos || version.size() > 8 ||
        !absl::SimpleAtoi(version.substr(0, dot), &module_->isa_major) ||
        !absl::SimpleAtoi(version.substr(dot + 1), &module_->isa_minor) || module_->isa_major < 1 ||
        module_->isa_minor < 0) {
      return Scanner::ErrorAt(
          position, absl::StrCat("expected a PTX version such as 8.5, found '", version, "'"));
    }
    return absl::OkStatus();
  }

  absl::Status TopLevel() {
    if (SkipDwarfLines() || scanner_.Eat(';')) return absl::OkStatus();
    const std::string_view word = scanner_.PeekDotWord();
    if (word.empty()) return scanner_.Expected("a directive such as .visible or .global");
    if (word == "target") return Target();
    if (word == "address_size") return AddressSize();
    if (word == "alias") return AliasDirective();
    bool handled = false;
    WARPYARD_RETURN_IF_ERROR(Ignorable(word, &handled));
    if (handled) return absl::OkStatus();

    const Position position = scanner_.position();
    Linkage linkage = Linkage::kNone;
    for (;;) {
      const std::string_view next = scanner_.PeekDotWord();
      if (next == "extern") {
        linkage = Linkage::kExtern;
      } else if (next == "visible") {
        linkage = Linkage::kVisible;
      } else if (next == "weak") {
        linkage = Linkage::kWeak;
      } else if (next == "common") {
        linkage = Linkage::kCommon;
      } else {
        break;
      }
      scanner_.DotWord();
    }
    const std::string_view kind = scanner_.PeekDotWord();
    if (kind == "entry" || kind == "func") {
      scanner_.DotWord();
      return ParseFunction(position, linkage, kind == "entry");
    }
    if (!ParseStateSpace(kind).has_value() && kind != "attribute" && kind != "align") {
      return scanner_.Expected(".entry, .func or a variable");
    }
    return ParseDeclaration(scanner_, [&](Variable variable) {
      module_->variables.push_back({linkage, std::move(variable)});
    });
  }

  absl::Status Target() {
    scanner_.DotWord();
    module_->target = scanner_.Word();
    if (module_->target.empty()) return scanner_.Expected("a target such as sm_90");
    while (scanner_.Eat(',')) {
      const std::string_view option = scanner_.Word();
      if (option.empty()) return scanner_.Expected("a target option");
      module_->target_options.push_back(option);
    }
    return absl::OkStatus();
  }

  absl::Status AddressSize() {
    scanner_.DotWord();
    const Position position = scanner_.position();
    uint64_t size = 0;
    WARPYARD_RETURN_IF_ERROR(Natural(&size));
    if (size != 32 && size != 64) {
      return Scanner::ErrorAt(position, "expected the address size 32 or 64");
    }
    module_->address_size = static_cast<int>(size);
    return absl::OkStatus();
  }

  absl::Status AliasDirective() {
    scanner_.DotWord();
    Alias alias;
    alias.name = scanner_.Word();
    if (alias.name.empty()) return scanner_.Expected("a function's name");
    if (!scanner_.Eat(',')) return scanner_.Expected("','");
    alias.target = scanner_.Word();
    if (alias.target.empty()) return scanner_.Expected("a function's name");
    if (!scanner_.Eat(';')) return scanner_.Expected("';'");
    module_->aliases.push_back(alias);
    return absl::OkStatus();
  }

  // What may stand anywhere and is dropped, or only noted: .file, .loc,
  // .pragma, .section.
  absl::Status Ignorable(std::string_view word, bool* handled) {
    *handled = true;
    if (word == "loc") return Loc();
    if (word == "file") return File();
    if (word == "pragma") return Pragma();
    if (word == "section") return Section();
    *handled = false;
    return absl::OkStatus();
  }

  // "@@DWARF .byte ..." of very old compilers.
  bool SkipDwarfLines() {
    bool any = false;
    while (scanner_.Peek() == '@' && scanner_.PeekAt(1) == '@') {
      scanner_.SkipLine();
      any = true;
    }
    return any;
  }

  absl::Status File() {
    scanner_.DotWord();
    uint64_t index = 0;
    WARPYARD_RETURN_IF_ERROR(Natural(&index));
    const Position position = scanner_.position();
    bool closed = false;
    const std::string_view path = scanner_.Quoted(&closed);
    if (!closed) return Scanner::ErrorAt(position, "expected a file name in quotes");
    while (scanner_.Eat(',')) {  // time stamp, size
      uint64_t ignored;
      WARPYARD_RETURN_IF_ERROR(Natural(&ignored));
    }
    module_->files.push_back({Clamp(index), path});
    return absl::OkStatus();
  }

  // .loc file line column [, function_name label [+ offset], inlined_at file line column]
  absl::Status Loc() {
    scanner_.DotWord();
    uint64_t file = 0, line = 0, column = 0;
    WARPYARD_RETURN_IF_ERROR(Natural(&file));
    WARPYARD_RETURN_IF_ERROR(Natural(&line));
    WARPYARD_RETURN_IF_ERROR(Natural(&column));
    source_ = {Clamp(file), Clamp(line), Clamp(column)};
    while (scanner_.Eat(',')) {
      const std::string_view word = scanner_.Word();
      if (word == "function_name") {
        if (scanner_.Word().empty()) return scanner_.Expected("a label");
        if (scanner_.Eat('+')) {
          uint64_t ignored;
          WARPYARD_RETURN_IF_ERROR(Natural(&ignored));
        }
      } else if (word == "inlined_at") {
        for (int i = 0; i < 3; ++i) {
          uint64_t ignored;
          WARPYARD_RETURN_IF_ERROR(Natural(&ignored));
        }
      } else {
        return scanner_.Expected("function_name or inlined_at");
      }
    }
    return absl::OkStatus();
  }

  absl::Status Pragma() {
    scanner_.DotWord();
    do {
      const Position position = scanner_.position();
      bool closed = false;
      scanner_.Quoted(&closed);
      if (!closed) return Scanner::ErrorAt(position, "expected a pragma in quotes");
    } while (scanner_.Eat(','));
    if (!scanner_.Eat(';')) return scanner_.Expected("';' after .pragma");
    return absl::OkStatus();
  }

  absl::Status Section() {
    scanner_.DotWord();
    while (!scanner_.AtEnd() && scanner_.Peek() != '{') scanner_.Advance(1);
    if (!scanner_.Eat('{')) return scanner_.Expected("'{' of a section");
    while (!scanner_.Eat('}')) {
      if (scanner_.AtEnd()) return scanner_.Expected("'}' of a section");
      if (scanner_.Peek() == '"') {
        bool closed = false;
        scanner_.Quoted(&closed);
      } else {
        scanner_.AdvanceRaw();
        scanner_.SkipSpace();
      }
    }
    return absl::OkStatus();
  }

  absl::Status ParseFunction(Position position, Linkage linkage, bool is_entry) {
    Function& function = module_->functions.emplace_back();
    function.position = position;
    function.linkage = linkage;
    function.is_entry = is_entry;
    while (scanner_.PeekDotWord() == "attribute" || scanner_.PeekDotWord() == "noreturn") {
      if (scanner_.DotWord() == "attribute") WARPYARD_RETURN_IF_ERROR(SkipParentheses(scanner_));
    }
    if (scanner_.Peek() == '(') {
      WARPYARD_RETURN_IF_ERROR(ParseParameterList(scanner_, &function.results));
    }
    function.name = scanner_.Word();
    if (function.name.empty()) return scanner_.Expected("a function's name");
    if (scanner_.Peek() == '(') {
      WARPYARD_RETURN_IF_ERROR(ParseParameterList(scanner_, &function.parameters));
    }
    WARPYARD_RETURN_IF_ERROR(PerformanceDirectives(&function));
    if (scanner_.Eat(';')) {
      function.is_declaration = true;
      return absl::OkStatus();
    }
    if (!scanner_.Eat('{')) return scanner_.Expected("'{' or ';' after a function's head");
    source_ = SourceLine{};
    return Body(&function);
  }

  absl::Status PerformanceDirectives(Function* function) {
    while (scanner_.Peek() == '.') {
      const std::string_view word = scanner_.PeekDotWord();
      bool handled = false;
      WARPYARD_RETURN_IF_ERROR(Ignorable(word, &handled));
      if (handled) continue;
      if (word.empty()) return scanner_.Expected("a performance directive");
      scanner_.DotWord();
      if (word == "attribute") {
        WARPYARD_RETURN_IF_ERROR(SkipParentheses(scanner_));
        continue;
      }
      PerformanceDirective& directive = function->directives.emplace_back();
      directive.name = word;
      if (!IsDigit(scanner_.Peek()) && scanner_.Peek() != '(') continue;
      do {
        if (directive.values.size() == kMaxDirectiveValues) {
          return scanner_.Error("too many numbers in a performance directive");
        }
        const Position position = scanner_.position();
        ConstantValue value;
        WARPYARD_RETURN_IF_ERROR(ParseConstantExpression(scanner_, &value));
        if (value.is_float()) return Scanner::ErrorAt(position, "expected an integer");
        directive.values.push_back(value.bits);
      } while (scanner_.Eat(','));
    }
    return absl::OkStatus();
  }

  Statement& AddStatement(Function* function, StatementKind kind, Position position) {
    Statement& statement = function->statements.emplace_back();
    statement.kind = kind;
    statement.position = position;
    return statement;
  }

  absl::Status Body(Function* function) {
    int depth = 1;
    while (depth > 0) {
      const Position position = scanner_.position();
      const char c = scanner_.Peek();
      if (IsWordStart(c)) {
        WARPYARD_RETURN_IF_ERROR(LabelOrInstruction(function));
      } else if (c == '@') {
        if (SkipDwarfLines()) continue;
        WARPYARD_RETURN_IF_ERROR(Guarded(function));
      } else if (c == '.') {
        WARPYARD_RETURN_IF_ERROR(BodyDirective(function));
      } else if (c == '{') {
        if (++depth > kMaxScopes) {
          return scanner_.Error(absl::StrCat("scopes nested deeper than ", kMaxScopes));
        }
        AddStatement(function, StatementKind::kScopeBegin, position);
        scanner_.Eat('{');
      } else if (c == '}') {
        if (--depth > 0) AddStatement(function, StatementKind::kScopeEnd, position);
        scanner_.Eat('}');
      } else if (c == ';') {
        scanner_.Eat(';');
      } else {
        return scanner_.Expected("a statement or '}'");
      }
    }
    return absl::OkStatus();
  }

  absl::Status BodyDirective(Function* function) {
    const std::string_view word = scanner_.PeekDotWord();
    bool handled = false;
    WARPYARD_RETURN_IF_ERROR(Ignorable(word, &handled));
    if (handled) return absl::OkStatus();
    if (!ParseStateSpace(word).has_value() && word != "align" && word != "attribute") {
      return scanner_.Expected("a declaration or an instruction");
    }
    return ParseDeclaration(scanner_, [&](Variable variable) {
      Statement& statement = AddStatement(function, StatementKind::kVariable, variable.position);
      statement.index = static_cast<uint32_t>(function->variables.size());
      function->variables.push_back(std::move(variable));
    });
  }

  absl::Status LabelOrInstruction(Function* function) {
    const Position position = scanner_.position();
    const char* start = scanner_.cursor();
    const std::string_view word = scanner_.Word();
    if (scanner_.Peek() != ':' || scanner_.PeekAt(1) == ':') {
      return InstructionBehindOpcode(function, position, start, word, "", false);
    }
    scanner_.Eat(':');
    const std::string_view directive = scanner_.PeekDotWord();
    if (directive == "callprototype" || directive == "branchtargets" ||
        directive == "calltargets") {
      Statement& statement = AddStatement(function, StatementKind::kLabelledDirective, position);
      statement.label = word;
      statement.index = static_cast<uint32_t>(function->labelled.size());
      LabelledDirective& labelled = function->labelled.emplace_back();
      labelled.position = position;
      labelled.label = word;
      return directive == "callprototype" ? CallPrototype(&labelled)
                                          : Targets(directive, &labelled);
    }
    AddStatement(function, StatementKind::kLabel, position).label = word;
    return absl::OkStatus();
  }

  absl::Status CallPrototype(LabelledDirective* labelled) {
    labelled->kind = LabelledDirective::Kind::kCallPrototype;
    scanner_.DotWord();
    if (scanner_.Peek() == '(') {
      WARPYARD_RETURN_IF_ERROR(ParseParameterList(scanner_, &labelled->results));
    }
    if (scanner_.Word() != "_") return scanner_.Expected("'_' of a .callprototype");
    if (scanner_.Peek() == '(') {
      WARPYARD_RETURN_IF_ERROR(ParseParameterList(scanner_, &labelled->parameters));
    }
    // .noreturn, .abi_preserve 12, .abi_preserve_control 3
    while (!scanner_.DotWord().empty()) {
      if (IsDigit(scanner_.Peek())) scanner_.NumberText();
    }
    if (!scanner_.Eat(';')) return scanner_.Expected("';' after .callprototype");
    return absl::OkStatus();
  }

  absl::Status Targets(std::string_view directive, LabelledDirective* labelled) {
    labelled->kind = directive == "branchtargets" ? LabelledDirective::Kind::kBranchTargets
                                                  : LabelledDirective::Kind::kCallTargets;
    scanner_.DotWord();
    do {
      const std::string_view target = scanner_.Word();
      if (target.empty()) return scanner_.Expected("a label or a function");
      labelled->targets.push_back(target);
    } while (scanner_.Eat(','));
    if (!scanner_.Eat(';')) return scanner_.Expected("',' or ';'");
    return absl::OkStatus();
  }

  absl::Status Guarded(Function* function) {
    const Position position = scanner_.position();
    const char* start = scanner_.cursor();
    scanner_.Eat('@');
    const bool negated = scanner_.Eat('!');
    const std::string_view guard = scanner_.Word();
    if (guard.empty()) return scanner_.Expected("a predicate register");
    const std::string_view opcode = scanner_.Word();
    if (opcode.empty()) return scanner_.Expected("an instruction");
    return InstructionBehindOpcode(function, position, start, opcode, guard, negated);
  }

  absl::Status InstructionBehindOpcode(Function* function, Position position, const char* start,
                                       std::string_view opcode, std::string_view guard,
                                       bool guard_negated) {
    AddStatement(function, StatementKind::kInstruction, position).index =
        static_cast<uint32_t>(function->instructions.size());
    Instruction& instruction = function->instructions.emplace_back();
    instruction.position = position;
    instruction.source = source_;
    instruction.guard = guard;
    instruction.guard_negated = guard_negated;
    instruction.opcode = opcode;
    instruction.modifiers.reserve(4);
    while (scanner_.Peek() == '.') {
      const std::string_view modifier = scanner_.Modifier();
      if (modifier.empty()) return scanner_.Expected("a modifier behind '.'");
      instruction.modifiers.push_back(modifier);
    }
    const bool is_call = opcode == "call";
    if (scanner_.Peek() != ';') {
      instruction.operands.reserve(4);
      do {
        WARPYARD_RETURN_IF_ERROR(
            ParseOperand(scanner_, is_call, &instruction.operands.emplace_back()));
      } while (scanner_.Eat(','));
    }
    const char* stop = scanner_.cursor();
    if (!scanner_.Eat(';')) return scanner_.Expected("',' or ';' in an instruction");
    instruction.text = std::string_view(start, stop - start);
    return absl::OkStatus();
  }

  absl::Status Natural(uint64_t* value) {
    const Position position = scanner_.position();
    if (!IsDigit(scanner_.Peek())) return scanner_.Expected("a number");
    ConstantValue constant;
    absl::Status status = ParseNumber(scanner_.NumberText(), &constant);
    if (!status.ok()) return Scanner::ErrorAt(position, status.message());
    if (constant.is_float()) return Scanner::ErrorAt(position, "expected an integer");
    *value = constant.bits;
    return absl::OkStatus();
  }

  static int Clamp(uint64_t value) {
    constexpr uint64_t kMax = std::numeric_limits<int>::max();
    return static_cast<int>(value < kMax ? value : kMax);
  }

  Scanner scanner_;
  Module* module_;
  SourceLine source_;
};

}  // namespace

absl::StatusOr<Module> Parse(std::string text) {
  Module module;
  if (const size_t end = text.find('\0'); end != std::string::npos) text.resize(end);
  if (text.size() > kMaxText) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected at most ", kMaxText, " bytes of PTX, found ", text.size()));
  }
  module.text = std::make_unique<const std::string>(std::move(text));
  WARPYARD_RETURN_IF_ERROR(ModuleParser(*module.text, &module).Parse());
  return module;
}

}  // namespace warpyard::emulator::syntax
