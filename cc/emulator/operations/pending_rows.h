// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Registers whose values are still to come: accumulators of wgmma before its wait.
// Until then each such register holds a token, a
// NaN that names the value, in every lane. Code that computes with it too early
// gets NaN; copies of it, which compilers make between loops, are found again and
// get the value too.

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_PENDING_ROWS_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_PENDING_ROWS_H_

#include <cstdint>

#include "cc/emulator/execution/warp.h"

namespace warpyard::emulator {

// Tokens of one warp or block, numbered.
class Tokens {
 public:
  // The first of `count` tokens one behind the other.
  uint32_t Allocate(uint32_t count) {
    if (next_ + count > kCount) next_ = 0;
    const uint32_t first = kFirst + next_;
    next_ += count;
    return first;
  }

  // Puts a token into all lanes of a row.
  static void Put(uint32_t token, uint32_t* row);
  // Whether all lanes of the row hold this token.
  static bool Holds(const uint32_t* row, uint32_t token);
  // Replaces the `count` tokens from `first` on, wherever registers of the warp hold
  // them, by rows of `values` (32 each).
  static void Deliver(Warp& warp, uint32_t first, uint32_t count, const uint32_t* values);

 private:
  static constexpr uint32_t kFirst = 0xff800001;  // NaNs with a sign
  static constexpr uint32_t kCount = 0x3ffff0;
  uint32_t next_ = 0;
};

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_PENDING_ROWS_H_
