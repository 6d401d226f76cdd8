// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// From the addresses of a warp to memory of the host, all lanes at once.

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_MEMORY_ACCESS_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_MEMORY_ACCESS_H_

#include <cstddef>
#include <cstdint>

#include "cc/emulator/execution/warp.h"
#include "cc/emulator/program/program.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {

enum class Shape : uint8_t { kStepping, kEqual, kScattered };

// Memory of the host for each lane of the access; that of other lanes is not to
// be touched.
struct Resolved {
  Shape shape;    // of all 32 lanes, where all take part
  uint64_t step;  // kStepping: bytes from lane to lane
  alignas(64) std::byte* pointer[kWarpSize];
};

// A parameter that is named: at one place for all, or in each thread's area.
enum class ParameterPlace : uint8_t { kNone, kKernel, kThread };

// How an instruction addresses memory. Its last row is the address, its
// immediate the displacement.
struct AccessForm {
  syntax::StateSpace space = syntax::StateSpace::kNone;  // kNone: generic
  ParameterPlace parameter = ParameterPlace::kNone;
  bool wide = true;  // the address row has 64-bit values
  uint32_t total_bytes = 0;
  uint32_t alignment = 1;
};

// Checks bounds, alignment and permission, and tells the observer. False: a
// fault was raised.
bool ResolveAccess(Warp& warp, const Instruction& instruction, uint32_t mask,
                   const AccessForm& form, AccessKind kind, Resolved& out);

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_MEMORY_ACCESS_H_
