// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// How shared memory is shuffled between banks: by the tensor memory accelerator
// when it writes a box, and by the tensor cores when they read a matrix. Bits of
// the shared address are exclusive-or'ed with higher ones, so that a pattern
// repeats every 256, 512 or 1024 bytes of the address, wherever a matrix begins
// (PTX ISA, "Swizzling modes"; CuTe's Swizzle<B, M, S> with M + S = 7).

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_SWIZZLE_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_SWIZZLE_H_

#include <cstdint>

#include "cc/emulator/execution/tensor_map.h"

namespace warpyard::emulator {

// The address at which the byte lies whose place without swizzling is `address`.
constexpr uint32_t SwizzledAddress(TensorSwizzle swizzle, uint32_t address) {
  switch (swizzle) {
    case TensorSwizzle::kNone:
      return address;
    case TensorSwizzle::k32B:
      return address ^ (address >> 3 & 0x10);
    case TensorSwizzle::k64B:
      return address ^ (address >> 3 & 0x30);
    case TensorSwizzle::k128B:
      return address ^ (address >> 3 & 0x70);
    case TensorSwizzle::k128BAtom32B:
      return address ^ (address >> 2 & 0x60);
    case TensorSwizzle::k128BAtom32BFlip8B:
      // Halves of 16 bytes change places in every other row.
      return address ^ (address >> 2 & 0x60) ^ (address >> 4 & 0x08);
    case TensorSwizzle::k128BAtom64B:
      return address ^ (address >> 1 & 0x40);
  }
  return address;
}

// Bytes that stay side by side: the step at which SwizzledAddress must be asked.
constexpr uint32_t SwizzleAtom(TensorSwizzle swizzle) {
  return swizzle == TensorSwizzle::k128BAtom32BFlip8B ? 8 : 16;
}

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_SWIZZLE_H_
