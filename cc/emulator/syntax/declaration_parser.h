// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Declarations: registers, variables with their initialisers, and parameters.

#ifndef WARPYARD_CC_EMULATOR_SYNTAX_DECLARATION_PARSER_H_
#define WARPYARD_CC_EMULATOR_SYNTAX_DECLARATION_PARSER_H_

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "cc/emulator/syntax/ast.h"
#include "cc/emulator/syntax/scanner.h"

namespace warpyard::emulator::syntax {

// "reg", "const", "global", "local", "param", "shared", "tex".
std::optional<StateSpace> ParseStateSpace(std::string_view name);

// Reads ".global .align 4 .b8 x[16] = {...}, y;" up to and with the semicolon,
// and calls `add` with each variable. The scanner stands at the first dot.
template <typename Add>
absl::Status ParseDeclaration(Scanner& scanner, Add add);

// Reads "(.param .b32 a, .param .b64 b)" with its parentheses.
absl::Status ParseParameterList(Scanner& scanner, std::vector<Variable>* parameters);

// Skips "(...)" behind .attribute.
absl::Status SkipParentheses(Scanner& scanner);

namespace declaration_internal {
absl::Status ParseHead(Scanner& scanner, Variable* head);
absl::Status ParseDeclarator(Scanner& scanner, const Variable& head, Variable* variable);
}  // namespace declaration_internal

template <typename Add>
absl::Status ParseDeclaration(Scanner& scanner, Add add) {
  Variable head;
  if (absl::Status status = declaration_internal::ParseHead(scanner, &head); !status.ok()) {
    return status;
  }
  do {
    Variable variable;
    if (absl::Status status = declaration_internal::ParseDeclarator(scanner, head, &variable);
        !status.ok()) {
      return status;
    }
    add(std::move(variable));
  } while (scanner.Eat(','));
  if (!scanner.Eat(';')) return scanner.Expected("',' or ';' after a declaration");
  return absl::OkStatus();
}

}  // namespace warpyard::emulator::syntax

#endif  // WARPYARD_CC_EMULATOR_SYNTAX_DECLARATION_PARSER_H_
