// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// A module to HLO text.

#ifndef WARPYARD_CC_HLO_PRINTER_H_
#define WARPYARD_CC_HLO_PRINTER_H_

#include <cstdint>
#include <string>

#include "cc/hlo/module.h"

namespace warpyard::hlo {

struct PrintOptions {
  // '%' before names, and the signatures of computations: how XLA prints what it
  // has compiled. Without: how JAX prints what it hands to XLA.
  bool long_form = true;
  bool metadata = true;
  bool backend_config = true;
  // Constants of more elements are printed as {...}; -1: none.
  int64_t elide_constants_above = -1;
};

// Letter for letter as XLA prints it in the same form; parses back to an equal
// module.
std::string ModuleToString(const Module& module, const PrintOptions& options = {});
std::string ComputationToString(const Computation& computation, const PrintOptions& options = {});
// One line, without indentation and without a newline.
std::string InstructionToString(const Instruction& instruction, const PrintOptions& options = {});

}  // namespace warpyard::hlo

#endif  // WARPYARD_CC_HLO_PRINTER_H_
