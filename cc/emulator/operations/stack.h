// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The thread's stack: alloca, stacksave, stackrestore. PTX ISA, "Stack
// Manipulation Instructions".

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_STACK_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_STACK_H_

#include "absl/types/span.h"
#include "cc/emulator/program/decoder.h"

namespace warpyard::emulator {

absl::Span<const Operation> StackOperations();

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_STACK_H_
