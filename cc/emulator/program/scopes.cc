// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/program/scopes.h"

#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {

using syntax::Statement;
using syntax::StateSpace;

namespace {

absl::Status DeclaredTwice(syntax::Position position, std::string_view name) {
  return absl::InvalidArgumentError(absl::StrCat("line ", position.line, ", column ",
                                                 position.column, ": ", name,
                                                 " is declared twice in one scope"));
}

}  // namespace

Entity Scopes::NewRegister(syntax::ScalarType type, uint8_t vector_size) {
  const Entity entity{Entity::Kind::kRegister, type, vector_size, register_count()};
  register_types_.insert(register_types_.end(), vector_size, type);
  return entity;
}

absl::Status Scopes::Declare(Scope& scope, const syntax::Variable& variable, Entity::Kind kind,
                             uint32_t index) {
  if (variable.name == "_") return absl::OkStatus();
  const uint8_t vector_size = static_cast<uint8_t>(variable.vector_size);
  if (variable.register_count > 0) {
    if (variable.space != StateSpace::kReg) {
      return absl::InvalidArgumentError(absl::StrCat("line ", variable.position.line, ", column ",
                                                     variable.position.column, ": ", variable.name,
                                                     "<...> declares registers, and this is none"));
    }
    if (!scope.groups
             .emplace(variable.name, Group{variable.register_count, variable.type, vector_size})
             .second) {
      return DeclaredTwice(variable.position, variable.name);
    }
    return absl::OkStatus();
  }
  const Entity entity = variable.space == StateSpace::kReg
                            ? NewRegister(variable.type, vector_size)
                            : Entity{kind, variable.type, vector_size, index};
  if (!scope.entities.emplace(variable.name, entity).second) {
    return DeclaredTwice(variable.position, variable.name);
  }
  return absl::OkStatus();
}

absl::Status Scopes::Build(const syntax::Function& function) {
  scopes_.emplace_back();
  uint32_t current = 0;
  for (uint32_t i = 0; i < function.results.size(); ++i) {
    WARPYARD_RETURN_IF_ERROR(Declare(scopes_[0], function.results[i], Entity::Kind::kResult, i));
  }
  for (uint32_t i = 0; i < function.parameters.size(); ++i) {
    WARPYARD_RETURN_IF_ERROR(
        Declare(scopes_[0], function.parameters[i], Entity::Kind::kParameter, i));
  }
  for (uint32_t i = 0; i < function.statements.size(); ++i) {
    const Statement& statement = function.statements[i];
    switch (statement.kind) {
      case Statement::Kind::kScopeBegin:
        scopes_.emplace_back().parent = current;
        current = static_cast<uint32_t>(scopes_.size() - 1);
        break;
      case Statement::Kind::kScopeEnd:
        current = scopes_[current].parent;
        break;
      case Statement::Kind::kVariable:
        WARPYARD_RETURN_IF_ERROR(Declare(scopes_[current], function.variables[statement.index],
                                         Entity::Kind::kVariable, statement.index));
        break;
      case Statement::Kind::kLabel:
        if (!scopes_[current].labels.emplace(statement.label, i).second) {
          return DeclaredTwice(statement.position, statement.label);
        }
        break;
      case Statement::Kind::kLabelledDirective:
        if (!scopes_[current]
                 .labelled.emplace(statement.label, &function.labelled[statement.index])
                 .second) {
          return DeclaredTwice(statement.position, statement.label);
        }
        break;
      case Statement::Kind::kInstruction:
        break;
    }
  }
  return absl::OkStatus();
}

std::optional<Entity> Scopes::FindInGroups(Scope& scope, uint32_t index, std::string_view name) {
  // %r<10> is %r0 ... %r9; where a prefix ends in digits itself, any split may be
  // the one that is meant.
  constexpr size_t kMaxDigits = 10;
  size_t digits = 0;
  while (digits < kMaxDigits && digits + 1 < name.size() &&
         absl::ascii_isdigit(name[name.size() - digits - 1])) {
    ++digits;
  }
  for (; digits > 0; --digits) {
    const std::string_view prefix = name.substr(0, name.size() - digits);
    const auto group = scope.groups.find(prefix);
    if (group == scope.groups.end()) continue;
    uint64_t number = 0;
    if (!absl::SimpleAtoi(name.substr(prefix.size()), &number) || number >= group->second.count) {
      continue;
    }
    if (digits > 1 && name[prefix.size()] == '0') {  // ptxas reads %r01 as %r1
      const std::optional<Entity> plain =
          Find(index, padded_names_.emplace_back(absl::StrCat(prefix, number)));
      if (plain.has_value()) scope.entities.emplace(name, *plain);
      return plain;
    }
    const Entity entity = NewRegister(group->second.type, group->second.vector_size);
    scope.entities.emplace(name, entity);
    return entity;
  }
  return std::nullopt;
}

std::optional<Entity> Scopes::Find(uint32_t scope, std::string_view name) {
  for (uint32_t s = scope;; s = scopes_[s].parent) {
    Scope& here = scopes_[s];
    if (!here.entities.empty()) {
      const auto found = here.entities.find(name);
      if (found != here.entities.end()) return found->second;
    }
    if (!here.groups.empty()) {
      if (std::optional<Entity> entity = FindInGroups(here, s, name)) return entity;
    }
    if (s == 0) return std::nullopt;
  }
}

std::optional<uint32_t> Scopes::FindLabel(uint32_t scope, std::string_view name) const {
  for (uint32_t s = scope;; s = scopes_[s].parent) {
    const auto found = scopes_[s].labels.find(name);
    if (found != scopes_[s].labels.end()) return found->second;
    if (s == 0) return std::nullopt;
  }
}

const syntax::LabelledDirective* Scopes::FindLabelled(uint32_t scope, std::string_view name) const {
  for (uint32_t s = scope;; s = scopes_[s].parent) {
    const auto found = scopes_[s].labelled.find(name);
    if (found != scopes_[s].labelled.end()) return found->second;
    if (s == 0) return nullptr;
  }
}

}  // namespace warpyard::emulator
