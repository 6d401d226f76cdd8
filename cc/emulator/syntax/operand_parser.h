// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// One operand of an instruction.

#ifndef WARPYARD_CC_EMULATOR_SYNTAX_OPERAND_PARSER_H_
#define WARPYARD_CC_EMULATOR_SYNTAX_OPERAND_PARSER_H_

#include "absl/status/status.h"
#include "cc/emulator/syntax/ast.h"
#include "cc/emulator/syntax/scanner.h"

namespace warpyard::emulator::syntax {

// Reads an operand and leaves the scanner behind it. `is_call`: "(a, b)" is a
// list of arguments; elsewhere parentheses belong to a constant expression.
absl::Status ParseOperand(Scanner& scanner, bool is_call, Operand* operand);

}  // namespace warpyard::emulator::syntax

#endif  // WARPYARD_CC_EMULATOR_SYNTAX_OPERAND_PARSER_H_
