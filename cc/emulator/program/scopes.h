// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The names of one function: what a name means at a place, given nested scopes.

#ifndef WARPYARD_CC_EMULATOR_PROGRAM_SCOPES_H_
#define WARPYARD_CC_EMULATOR_PROGRAM_SCOPES_H_

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {

// What a name stands for.
struct Entity {
  enum class Kind : uint8_t {
    kRegister,   // `index`: of its first component
    kVariable,   // `index`: into the function's variables, or
    kParameter,  // ... its parameters, or
    kResult,     // ... its results
  };
  Kind kind = Kind::kRegister;
  syntax::ScalarType type = syntax::ScalarType::kNone;
  uint8_t vector_size = 1;
  uint32_t index = 0;
};

// Registers are numbered in the order in which they are first asked for, so
// that `%r<100000>` costs nothing.
class Scopes {
 public:
  // Reads the declarations of `function`, which must outlive this. INVALID_ARGUMENT
  // names what is declared twice in one scope.
  absl::Status Build(const syntax::Function& function);

  // Scopes are numbered in the order in which they begin; 0 is the function's own.
  uint32_t parent(uint32_t scope) const { return scopes_[scope].parent; }
  std::optional<Entity> Find(uint32_t scope, std::string_view name);
  // The statement at which the label `name` stands.
  std::optional<uint32_t> FindLabel(uint32_t scope, std::string_view name) const;
  // The directive labelled `name`; null if there is none.
  const syntax::LabelledDirective* FindLabelled(uint32_t scope, std::string_view name) const;

  uint32_t register_count() const { return static_cast<uint32_t>(register_types_.size()); }
  syntax::ScalarType register_type(uint32_t index) const { return register_types_[index]; }

 private:
  struct Group {  // %r<10>
    uint32_t count;
    syntax::ScalarType type;
    uint8_t vector_size;
  };
  struct Scope {
    uint32_t parent = 0;
    absl::flat_hash_map<std::string_view, Entity> entities;
    absl::flat_hash_map<std::string_view, uint32_t> labels;  // to statements
    absl::flat_hash_map<std::string_view, const syntax::LabelledDirective*> labelled;
    absl::flat_hash_map<std::string_view, Group> groups;  // by prefix
  };

  absl::Status Declare(Scope& scope, const syntax::Variable& variable, Entity::Kind kind,
                       uint32_t index);
  // `name` as a register of one of the scope's groups.
  std::optional<Entity> FindInGroups(Scope& scope, uint32_t index, std::string_view name);
  Entity NewRegister(syntax::ScalarType type, uint8_t vector_size);

  std::vector<Scope> scopes_;
  std::deque<std::string> padded_names_;  // of names as %r01
  std::vector<syntax::ScalarType> register_types_;
};

// Walks a function's statements and keeps track of the scope.
class ScopeCursor {
 public:
  explicit ScopeCursor(const Scopes& scopes) : scopes_(scopes) {}
  uint32_t scope() const { return scope_; }
  // To be called with each statement, in order.
  void Enter(const syntax::Statement& statement) {
    if (statement.kind == syntax::Statement::Kind::kScopeBegin) scope_ = ++last_;
    if (statement.kind == syntax::Statement::Kind::kScopeEnd) scope_ = scopes_.parent(scope_);
  }

 private:
  const Scopes& scopes_;
  uint32_t scope_ = 0;
  uint32_t last_ = 0;
};

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_PROGRAM_SCOPES_H_
