// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// PTX text to a syntax tree (ast.h).

#ifndef WARPYARD_CC_EMULATOR_SYNTAX_PARSER_H_
#define WARPYARD_CC_EMULATOR_SYNTAX_PARSER_H_

#include <string>

#include "absl/status/statusor.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator::syntax {

// Parses a module as NVRTC, nvcc, libNVVM, LLVM's NVPTX and Triton write it,
// ISA 6.0 to 9.5; a terminating zero byte ends the text. Debug sections and
// pragmas are read and dropped.
//
// INVALID_ARGUMENT for what is not PTX: "line 12, column 5: expected ';' ...".
// An opcode or modifier that nobody knows is not an error here.
absl::StatusOr<Module> Parse(std::string text);

}  // namespace warpyard::emulator::syntax

#endif  // WARPYARD_CC_EMULATOR_SYNTAX_PARSER_H_
