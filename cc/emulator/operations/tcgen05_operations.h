// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The tcgen05 instructions (sm_100 and later): tensor memory, and the products
// whose accumulators live there.
//
// mma, cp and shift are done in the order of issue, when a thread waits for the
// mbarrier that a commit behind them names. What st writes is there after wait::st;
// what ld reads is in the registers at once.

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_TCGEN05_OPERATIONS_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_TCGEN05_OPERATIONS_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/types/span.h"
#include "cc/emulator/program/decoder.h"

namespace warpyard::emulator {

absl::Span<const Operation> Tcgen05Operations();

// Shapes of tcgen05.ld and st.
enum class TensorShape : uint8_t { k32x32b, k16x64b, k16x128b, k16x256b, k16x32bx2 };

// Registers that one repetition (.x1) of a shape needs.
int RegistersOf(TensorShape shape);

// Lane (from the first that is accessed) and column of a thread's register, as
// CUTLASS's layouts of these copies have them. `split` is k16x32bx2's immediate.
struct TensorCell {
  uint32_t lane, column;
};
TensorCell CellOf(TensorShape shape, int thread, int reg, uint32_t split);

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_TCGEN05_OPERATIONS_H_
