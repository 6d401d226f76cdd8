// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Sizes and initial bytes of variables.

#ifndef WARPYARD_CC_EMULATOR_PROGRAM_MODULE_SYMBOLS_H_
#define WARPYARD_CC_EMULATOR_PROGRAM_MODULE_SYMBOLS_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cc/emulator/program/program.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {

// Bytes and alignment of a variable; alignment is the natural one where none
// was declared. INVALID_ARGUMENT beyond 2^40 bytes, and for types that have no
// memory form (.pred).
struct VariableLayout {
  uint64_t size = 0;
  uint64_t alignment = 1;
  uint32_t element_size = 1;
};
absl::StatusOr<VariableLayout> LayOut(const syntax::Variable& variable);

// Lays variables out one behind the other, each at its alignment: a kernel's
// parameters, for one. Raises *top; the largest top allowed is `limit`.
absl::StatusOr<Parameter> PlaceParameter(const syntax::Variable& variable, uint64_t limit,
                                         uint64_t* top);

// Fills a .global, .const or .shared symbol from its declaration: size,
// alignment, initial bytes and relocations.
absl::Status FillSymbol(const syntax::Variable& variable, syntax::Linkage linkage,
                        ModuleSymbol* symbol);

// Adds the module's variables to the program. A declaration and the definition
// of the same name become one symbol.
absl::Status AddModuleSymbols(Program* program);

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_PROGRAM_MODULE_SYMBOLS_H_
