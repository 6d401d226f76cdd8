// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Decodes the body of one function.

#ifndef WARPYARD_CC_EMULATOR_PROGRAM_FUNCTION_DECODER_H_
#define WARPYARD_CC_EMULATOR_PROGRAM_FUNCTION_DECODER_H_

#include "absl/status/status.h"
#include "cc/emulator/program/constant_pool.h"
#include "cc/emulator/program/decoder.h"
#include "cc/emulator/program/function_uses.h"
#include "cc/emulator/program/program.h"

namespace warpyard::emulator {

// Decodes `function`, whose `syntax` has a body. Variables that the function
// declares in .shared, .global or .const memory are added to the program.
absl::Status DecodeFunctionBody(const OperationTable& operations, Program& program,
                                ConstantPool& constants, Function& function, FunctionUses* uses);

// Lays out parameters and results: a kernel's in the launch's buffer, a
// function's in the param area of its frame.
absl::Status PlaceParameters(Function& function);

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_PROGRAM_FUNCTION_DECODER_H_
