// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Why a launch ended early, and where.

#ifndef WARPYARD_CC_EMULATOR_EXECUTION_FAULT_H_
#define WARPYARD_CC_EMULATOR_EXECUTION_FAULT_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace warpyard::emulator {

// Each has a CUresult; cc/emulator/driver holds the table.
enum class FaultKind : uint8_t {
  kIllegalAddress,         // CUDA_ERROR_ILLEGAL_ADDRESS
  kMisalignedAddress,      // CUDA_ERROR_MISALIGNED_ADDRESS
  kInvalidAddressSpace,    // CUDA_ERROR_INVALID_ADDRESS_SPACE
  kInvalidProgramCounter,  // CUDA_ERROR_INVALID_PC
  kIllegalInstruction,     // CUDA_ERROR_ILLEGAL_INSTRUCTION
  kStackOverflow,          // CUDA_ERROR_HARDWARE_STACK_ERROR
  kTrap,                   // CUDA_ERROR_LAUNCH_FAILED
  kAssert,                 // CUDA_ERROR_ASSERT
  kTimeout,                // CUDA_ERROR_LAUNCH_TIMEOUT
  kDeadlock,               // all threads wait: CUDA_ERROR_LAUNCH_TIMEOUT, found at once
  kSanitizer,              // a finding that the caller asked to be fatal
  kUnsupported,            // an operation that is not executed: CUDA_ERROR_NOT_SUPPORTED
};

// "illegal address", ...
std::string_view FaultKindName(FaultKind kind);

struct Fault {
  FaultKind kind = FaultKind::kTrap;
  std::string what;    // "out-of-bounds write of 4 bytes at 0x7f12"
  std::string detail;  // "12 bytes past the 400-byte allocation at 0x7f00"; may be empty
  std::string kernel;
  std::string source;  // "saxpy.cu:12" from .loc, or "PTX line 31"
  std::string text;    // the PTX statement
  uint32_t block[3] = {0, 0, 0};
  uint32_t thread[3] = {0, 0, 0};
  bool has_block = false;   // `block` is known
  bool has_thread = false;  // `thread` is known

  // All of it in one line.
  std::string ToString() const;
};

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_EXECUTION_FAULT_H_
