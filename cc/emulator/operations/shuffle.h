// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Operations in which the lanes of a warp see each other's values: shfl, vote,
// match, redux, activemask, elect.

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_SHUFFLE_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_SHUFFLE_H_

#include <cstdint>

#include "absl/types/span.h"
#include "cc/emulator/program/decoder.h"

namespace warpyard::emulator {

absl::Span<const Operation> ShuffleOperations();

enum class ShuffleMode : uint8_t { kUp, kDown, kBfly, kIdx };

// Where lane `lane` of a shfl reads, given its operands b and c (PTX ISA,
// "shfl.sync"): the lane, and whether it lies in the segment. Out of it the lane
// reads itself.
struct ShuffleSource {
  int lane;
  bool in_range;
};
ShuffleSource FindShuffleSource(ShuffleMode mode, int lane, uint32_t b, uint32_t c);

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_SHUFFLE_H_
