// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Control flow but for calls: bra, brx.idx, exit, trap, brkpt, nanosleep, pmevent,
// griddepcontrol, setmaxnreg. PTX ISA, "Control Flow Instructions" and
// "Miscellaneous Instructions".

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_CONTROL_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_CONTROL_H_

#include "absl/types/span.h"
#include "cc/emulator/program/decoder.h"

namespace warpyard::emulator {

absl::Span<const Operation> ControlOperations();

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_CONTROL_H_
