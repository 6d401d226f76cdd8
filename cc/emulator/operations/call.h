// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Calls: call (direct, indirect, recursive) and ret. PTX ISA, "Control Flow
// Instructions". The functions that CUDA itself provides are in builtin.h.

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_CALL_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_CALL_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "cc/emulator/execution/warp.h"
#include "cc/emulator/program/decoder.h"
#include "cc/emulator/program/program.h"

namespace warpyard::emulator {

absl::Span<const Operation> CallOperations();

// An argument or result of a call as the caller has it: in a .param variable, or
// in a register.
struct CallOperand {
  bool in_memory = false;
  uint32_t offset = 0;  // in the caller's param area
  uint32_t size = 0;    // bytes
  RowRef row;           // otherwise
};

// A decoded call: Instruction::detail.
struct CallSite {
  const Function* callee = nullptr;  // null: indirect, the address is in `target`
  RowRef target;
  std::vector<CallOperand> arguments;
  std::vector<CallOperand> results;
};

// The bits of argument `index` in one lane, at most 64. 0 where it does not exist.
uint64_t ReadArgument(Warp& warp, const CallSite& site, size_t index, int lane);
void WriteCallResult(Warp& warp, const CallSite& site, size_t index, int lane, uint64_t value);

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_CALL_H_
