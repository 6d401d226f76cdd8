// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Matrices in shared memory as wgmma and tcgen05 describe them: the 64-bit
// descriptors, and where each 16 bytes of a matrix lie (PTX ISA, "Shared memory
// matrix layout"; CUTLASS, the canonical layouts of its sm_90 and sm_100
// descriptors).

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_SHARED_MATRIX_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_SHARED_MATRIX_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "cc/emulator/execution/block.h"
#include "cc/emulator/execution/tensor_map.h"
#include "cc/emulator/operations/mma_arithmetic.h"

namespace warpyard::emulator {

struct SharedMatrix {
  uint32_t start = 0;           // shared address of the first byte, without the block's rank
  uint32_t leading_offset = 0;  // bytes
  uint32_t stride_offset = 0;   // bytes
  uint32_t base_offset = 0;     // of the swizzle's pattern, in units of 128 bytes
  TensorSwizzle swizzle = TensorSwizzle::kNone;
};

// wgmma's: address in bits 0-13, leading offset 16-29, stride offset 32-45 (all in
// 16 bytes), base offset 49-51, swizzle 62-63.
absl::StatusOr<SharedMatrix> DecodeSm90Descriptor(uint64_t descriptor);
// tcgen05's: as above, 0b001 in bits 46-48, swizzle 61-63.
absl::StatusOr<SharedMatrix> DecodeSm100Descriptor(uint64_t descriptor);

// The shared address of 16 bytes of a matrix. K-major: of row `row` (along M or N),
// the `chunk`-th 16 bytes along K. MN-major: of row `row` along K, the `chunk`-th 16
// bytes along M or N.
uint32_t ChunkAddress(const SharedMatrix& matrix, bool mn_major, uint32_t row, uint32_t chunk);

// Reads `rows` (along M or N) times `k` elements: out[row * k + i]. Returns "", or
// what is wrong: a byte outside of the block's shared memory.
std::string ReadMatrix(Block& block, const SharedMatrix& matrix, bool mn_major, MmaType type,
                       int rows, int k, double* out);

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_SHARED_MATRIX_H_
