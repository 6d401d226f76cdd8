// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// What a function needs of others.

#ifndef WARPYARD_CC_EMULATOR_PROGRAM_FUNCTION_USES_H_
#define WARPYARD_CC_EMULATOR_PROGRAM_FUNCTION_USES_H_

#include <cstddef>
#include <utility>
#include <vector>

#include "cc/emulator/program/program.h"

namespace warpyard::emulator {

// What a function needs of others, for what is computed over all that a kernel
// can reach.
struct FunctionUses {
  std::vector<Function*> callees;  // direct calls, in order, each once
  bool calls_indirectly = false;
  // Static .shared variables, each once; and which of the function's frame
  // addresses are to be raised by the variable's offset once it has one.
  std::vector<ModuleSymbol*> shared;
  std::vector<std::pair<size_t, ModuleSymbol*>> shared_addresses;
};

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_PROGRAM_FUNCTION_USES_H_
