// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Names of special registers (PTX ISA, "Special Registers") and where their
// rows lie.

#ifndef WARPYARD_CC_EMULATOR_PROGRAM_SPECIAL_REGISTERS_H_
#define WARPYARD_CC_EMULATOR_PROGRAM_SPECIAL_REGISTERS_H_

#include <optional>
#include <string_view>

#include "cc/emulator/program/program.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {

struct SpecialRegister {
  RowRef row;  // of a predicate: its word
  syntax::ScalarType type = syntax::ScalarType::kU32;
  // The row is stale until it is refreshed: %clock, %globaltimer and kin.
  bool is_clock = false;
};

// The special register `name` ("%tid") with `component` ("x" or ""); nullopt for
// names that are none, or none that is executed.
std::optional<SpecialRegister> FindSpecialRegister(std::string_view name,
                                                   std::string_view component);

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_PROGRAM_SPECIAL_REGISTERS_H_
