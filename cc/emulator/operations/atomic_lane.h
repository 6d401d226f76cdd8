// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// One atomic operation of one thread on memory of the host.

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_ATOMIC_LANE_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_ATOMIC_LANE_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {

// Applies an operation of at most 64 bits to `memory`, which is aligned to its
// width, atomically among threads of the host, and returns the old bits.
// `operand` is the operation's b, `other` the c of cas (b is what is compared).
using LaneAtomic = uint64_t (*)(std::byte* memory, uint64_t operand, uint64_t other);

// `operation` is PTX's word: "add", "cas", ... Null for what PTX has not. Floating
// point rounds to nearest even; `flush` reads and writes subnormal f32 as zeros of
// the same sign, as atom.add.f32 does on global memory and not on shared.
LaneAtomic FindLaneAtomic(std::string_view operation, syntax::ScalarType type, bool flush);

// The two 128-bit operations: cas where `compare` is not null, else exch.
// `memory` is aligned to 16. Old bits in old[0] (low) and old[1].
void Atomic128(std::byte* memory, const uint64_t* compare, const uint64_t* value, uint64_t* old);

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_ATOMIC_LANE_H_
