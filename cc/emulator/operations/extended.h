// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Extended-precision arithmetic (PTX ISA, "Extended-Precision Integer Arithmetic
// Instructions"): add, sub and mad with the carry in CC.CF, which after a
// subtraction is the borrow.

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_EXTENDED_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_EXTENDED_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "cc/emulator/program/decoder.h"
#include "cc/emulator/program/program.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {

// addc subc madc.
absl::Span<const Operation> ExtendedOperations();

// Decodes add.cc, sub.cc and mad.cc; arithmetic.h asks for it where `.cc` is
// among the modifiers.
absl::Status DecodeExtended(DecodeContext& context, const syntax::Instruction& syntax,
                            Instruction* instruction);

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_EXTENDED_H_
