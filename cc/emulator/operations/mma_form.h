// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Forms of the warp-level mma instruction: shape, types, sparsity, scales, and
// what one computes, on rows of registers as plain arrays.
//
// Fragments (PTX ISA, "Matrix Fragments for mma"): lane l is in group g = l / 4
// with number t = l % 4. A register of A or B holds, for each g, 16 bytes of one
// row of A (or column of B) along k, 4 bytes from each t. Registers of A
// alternate between rows g and g + 8, then go on along k; those of B go on along k.
// Elements of C and D: columns 2 t and 2 t + 1 of row g, then of row g + 8.
// So 32 lanes of a register, as they lie in memory, are 8 rows of 16 bytes.

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_MMA_FORM_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_MMA_FORM_H_

#include <cstdint>

#include "cc/emulator/operations/mma_arithmetic.h"

namespace warpyard::emulator {

// Types of C and D.
enum class MmaResult : uint8_t { kF32, kF16, kF64, kS32 };

enum class MmaScale : uint8_t { kNone, kUe8m0, kUe4m3 };

struct MmaForm {
  int m = 0, n = 8, k = 0;  // k: of the dense product
  MmaType a = MmaType::kF16, b = MmaType::kF16;
  MmaResult c = MmaResult::kF32, d = MmaResult::kF32;
  bool saturate = false;  // .satfinite: sums are clamped to the range of s32
  bool bit_and = false;   // kB1: .and.popc instead of .xor.popc
  bool sparse = false;    // A has half of its elements, and metadata
  MmaScale scale = MmaScale::kNone;
  int scales_per_row = 0;  // .scale_vec: 1, 2 or 4 blocks of k

  // m8n8k4 of .f16, which is four products, one per four lanes and the four 16 on.
  bool quad_pairs = false;
  bool a_column_major = false, b_column_major = false;

  int a_registers() const;  // of 32 bits (64 for kF64)
  int b_registers() const;
  int c_registers() const { return ResultRegisters(c); }
  int d_registers() const { return ResultRegisters(d); }
  // Values that the sparsity selector may have: below this.
  int selector_count() const;

 private:
  int ResultRegisters(MmaResult result) const;
};

// Rows of a warp: 32 values each, of 32 bits, or 64 for kF64.
struct MmaOperands {
  const void* a[16];
  const void* b[16];
  const void* c[16];
  void* d[16];
  // Sparse: 32 words of metadata and the selector.
  const uint32_t* metadata = nullptr;
  int selector = 0;
  // Block scaling: 32 words each, and which bytes and lanes hold the scales.
  const uint32_t* a_scale = nullptr;
  const uint32_t* b_scale = nullptr;
  int a_byte = 0, a_thread = 0, b_byte = 0, b_thread = 0;
};

// D = A * B + C. D's rows may be those of A, B or C.
void RunMma(const MmaForm& form, const MmaOperands& operands);

// Metadata of a sparse A (PTX ISA, "Sparse matrix storage"): the place of
// element `index` of row `row` (of those that are stored) among the dense
// columns. For packed 4-bit types `index` counts pairs.
int DenseColumn(const MmaForm& form, const uint32_t* metadata, int selector, int row, int index);

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_MMA_FORM_H_
