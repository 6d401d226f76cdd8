// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: any text gives a module or a status that says where.

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/log/check.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "cc/emulator/syntax/ast.h"
#include "cc/emulator/syntax/parser.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace syntax = warpyard::emulator::syntax;
  const absl::StatusOr<syntax::Module> module =
      syntax::Parse(std::string(reinterpret_cast<const char*>(data), size));
  if (!module.ok()) {
    CHECK(absl::IsInvalidArgument(module.status())) << module.status();
    CHECK(absl::StartsWith(module.status().message(), "line ")) << module.status();
    return 0;
  }
  for (const syntax::Function& function : module->functions) {
    CHECK(!function.name.empty());
    int depth = 0;
    for (const syntax::Statement& statement : function.statements) {
      using Kind = syntax::Statement::Kind;
      depth += statement.kind == Kind::kScopeBegin;
      depth -= statement.kind == Kind::kScopeEnd;
      CHECK_GE(depth, 0);
      if (statement.kind == Kind::kInstruction) {
        CHECK_LT(statement.index, function.instructions.size());
      } else if (statement.kind == Kind::kVariable) {
        CHECK_LT(statement.index, function.variables.size());
      } else if (statement.kind == Kind::kLabelledDirective) {
        CHECK_LT(statement.index, function.labelled.size());
      }
    }
    CHECK_EQ(depth, 0);
  }
  return 0;
}
