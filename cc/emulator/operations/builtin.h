// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The functions that CUDA provides to every kernel and that no PTX defines
// (CUDA C++ Programming Guide, "Formatted Output", "Assertion", "Dynamic Global
// Memory Allocation"): vprintf, __assertfail, malloc, free.

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_BUILTIN_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_BUILTIN_H_

#include <cstdint>
#include <string_view>

#include "cc/emulator/execution/warp.h"
#include "cc/emulator/operations/call.h"
#include "cc/emulator/program/program.h"

namespace warpyard::emulator {

// Runs the function for the lanes in `mask`, in their order.
using Builtin = Next (*)(Warp& warp, const Instruction& instruction, uint32_t mask,
                         const CallSite& site);

// Null for other names.
Builtin FindBuiltin(std::string_view name);

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_BUILTIN_H_
