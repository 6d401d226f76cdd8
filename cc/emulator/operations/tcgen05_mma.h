// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The product tcgen05.mma: its instruction descriptor, and what it computes from
// shared and tensor memory (PTX ISA, "TensorCore 5th Generation Family
// Instructions").

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_TCGEN05_MMA_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_TCGEN05_MMA_H_

#include <array>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "cc/emulator/execution/block.h"
#include "cc/emulator/operations/mma_arithmetic.h"
#include "cc/emulator/operations/mma_form.h"
#include "cc/emulator/operations/shared_matrix.h"

namespace warpyard::emulator {

enum class Tcgen05Kind : uint8_t { kF16, kTf32, kF8f6f4, kI8, kMxf8f6f4, kMxf4, kMxf4nvf4 };

// What an instruction descriptor says, for a kind.
struct Tcgen05Form {
  int m = 0, n = 0, k = 0;
  MmaType a = MmaType::kF16, b = MmaType::kF16;
  MmaResult d = MmaResult::kF32;
  bool saturate = false;
  bool negate_a = false, negate_b = false;
  bool a_mn_major = false, b_mn_major = false;
  MmaScale scale = MmaScale::kNone;
  int scales_per_row = 0;
  int a_scale_byte = 0, b_scale_byte = 0;
};

// INVALID_ARGUMENT names the field that is wrong. `scale_vector`: 1, 2 or 4 where
// the instruction says .scale_vec, else 0. `blocks`: 1 or 2 (.cta_group).
absl::StatusOr<Tcgen05Form> DecodeInstructionDescriptor(Tcgen05Kind kind, uint32_t descriptor,
                                                        int scale_vector, int blocks);

// One product.
struct Tcgen05Product {
  Tcgen05Form form;
  int blocks = 1;
  uint32_t d = 0;  // tensor memory addresses
  bool a_in_tensor_memory = false;
  uint32_t a_address = 0;
  SharedMatrix a, b;
  bool accumulate = true;
  double d_scale = 1;  // of what D holds before
  uint32_t a_scales = 0, b_scales = 0;
  std::array<uint32_t, 8> disabled_lanes = {};  // bit set: the lane of D is not written
};

// Where row `row` (of this block's) and column `column` of D lie: lane and column
// behind D's first column. Rows of a block: m, or half of it for two.
struct TensorPlace {
  uint32_t lane, column;
};
TensorPlace PlaceOfD(const Tcgen05Form& form, int blocks, int row, int column);

// Makes the product, in the block that issued it or the even block of the pair.
// "" or what is wrong.
std::string RunTcgen05(Block& block, const Tcgen05Product& product);

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_TCGEN05_MMA_H_
