// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// HLO text, as XLA and JAX print it, to a module.

#ifndef WARPYARD_CC_HLO_PARSER_H_
#define WARPYARD_CC_HLO_PARSER_H_

#include <memory>
#include <string_view>

#include "absl/status/statusor.h"
#include "cc/hlo/module.h"

namespace warpyard::hlo {

struct ParseOptions {
  // Keep attributes that HLO does not have, as they are written.
  bool allow_unknown_attributes = false;
  // Accept constants whose values were left out ("{...}"): they have no literal.
  bool allow_elided_constants = true;
};

// Reads a whole module. Names may stand with or without '%', operands with or
// without shapes, computations with or without signatures and in any order.
// INVALID_ARGUMENT with line, column and caret: for what is not HLO text, an
// unknown opcode or attribute, a name that is not there or is there twice.
// That shapes fit one another is the verifier's concern.
absl::StatusOr<std::unique_ptr<Module>> ParseModule(std::string_view text,
                                                    const ParseOptions& options = {});

}  // namespace warpyard::hlo

#endif  // WARPYARD_CC_HLO_PARSER_H_
