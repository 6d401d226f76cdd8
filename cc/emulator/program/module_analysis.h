// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// What is known of a kernel only from all the functions that it can reach.

#ifndef WARPYARD_CC_EMULATOR_PROGRAM_MODULE_ANALYSIS_H_
#define WARPYARD_CC_EMULATOR_PROGRAM_MODULE_ANALYSIS_H_

#include <vector>

#include "absl/status/status.h"
#include "cc/emulator/program/function_uses.h"
#include "cc/emulator/program/program.h"

namespace warpyard::emulator {

// `uses` is by Function::id. Gives each static .shared variable its place, so that
// those of one kernel do not overlap and each kernel's begin at 0 where no other
// shares them; raises the functions' frame addresses by it; and fills each
// entry's static_shared_bytes, barrier_count, register_estimate, order_sensitive
// and unsupported from the functions it reaches. An indirect call reaches every
// function of the module. RESOURCE_EXHAUSTED beyond 2^24 bytes of shared memory.
absl::Status AnalyseModule(Program& program, const std::vector<FunctionUses>& uses);

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_PROGRAM_MODULE_ANALYSIS_H_
