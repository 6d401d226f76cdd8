// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Which row of its frame each register of a function gets. Compilers write PTX
// with a new register for every value; rows are shared between registers that are
// never needed at once, so that a frame stays in the cache.

#ifndef WARPYARD_CC_EMULATOR_PROGRAM_REGISTER_ROWS_H_
#define WARPYARD_CC_EMULATOR_PROGRAM_REGISTER_ROWS_H_

#include <cstdint>
#include <vector>

#include "cc/emulator/program/scopes.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {

// A frame that grows by rows: 128 bytes for values up to 32 bits, 256 for 64, 512
// for 128, each aligned to 64; 4 for predicates.
class FrameLayout {
 public:
  // `bits` 1 (a predicate), 32, 64 or 128.
  uint32_t Allocate(int bits);
  // Saturates at 2^30, which is more than a RowRef can name: the function is refused.
  uint64_t bytes() const { return top_; }

 private:
  uint64_t top_ = 0;
  uint64_t next_predicate_ = 0;
  uint64_t end_of_predicates_ = 0;
};

struct RegisterRows {
  std::vector<uint32_t> offset;    // by the register's number
  uint32_t register_estimate = 0;  // 32-bit registers in use at once
};

// Assigns rows. Registers needed across a loop's end keep theirs for the whole of
// the outermost loop, and those that wgmma and tcgen05 operations name for the
// whole function, because these are written later than their instruction.
RegisterRows AssignRows(const syntax::Function& function, Scopes& scopes, FrameLayout& frame);

// Width class of a register: 1, 32, 64 or 128; 0 for types that no register has.
int RowBits(syntax::ScalarType type);

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_PROGRAM_REGISTER_ROWS_H_
