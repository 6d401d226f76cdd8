// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Whether a module means something: shapes fit operations, calls fit what they
// call, asynchronous pairs are whole.

#ifndef WARPYARD_CC_HLO_VERIFIER_H_
#define WARPYARD_CC_HLO_VERIFIER_H_

#include "absl/status/status.h"
#include "cc/hlo/module.h"

namespace warpyard::hlo {

// That an instruction's shape is what its operands and attributes give; layouts
// are not looked at. INVALID_ARGUMENT names instruction, found and expected:
// "dot d: its shape is f32[2,3], its operands give f32[2,4]".
absl::Status VerifyInstruction(const Instruction& instruction);

// All instructions; besides:
//   - operands of an instruction are of its own computation
//   - parameters are numbered from 0 without gaps or repetition
//   - each start of an asynchronous pair has one end
//   - the entry layout has the shapes of the entry's parameters and root
//   - input_output_alias names outputs and parameters of equal shapes
// Errors begin with the computation: "computation main: ...".
absl::Status VerifyModule(const Module& module);

}  // namespace warpyard::hlo

#endif  // WARPYARD_CC_HLO_VERIFIER_H_
