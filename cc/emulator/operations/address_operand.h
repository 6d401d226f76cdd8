// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// State spaces and parameters as operands of memory operations name them.

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_ADDRESS_OPERAND_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_ADDRESS_OPERAND_H_

#include <string_view>

#include "cc/emulator/program/decoder.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {

// Sets *space where `modifier` names one ("global", "shared::cta", …); false for
// another word.
bool ReadSpace(std::string_view modifier, syntax::StateSpace* space);

// Whether the [address] operand `place` is a parameter of the kernel that is
// decoded, named directly.
bool IsKernelParameter(DecodeContext& context, const syntax::Operand& place);

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_ADDRESS_OPERAND_H_
