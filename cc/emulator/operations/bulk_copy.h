// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Bulk copies of contiguous memory: cp.async.bulk and cp.reduce.async.bulk in all
// directions, their groups, st.async and red.async.

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_BULK_COPY_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_BULK_COPY_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "cc/emulator/execution/address.h"
#include "cc/emulator/operations/decode_support.h"
#include "cc/emulator/program/decoder.h"

namespace warpyard::emulator {

// The forms of `cp` whose modifiers include "async" and "bulk" but not "tensor".
// "async", "bulk" and "reduce" have been taken from `modifiers`.
absl::Status DecodeBulkCopy(DecodeContext& context, const syntax::Instruction& syntax,
                            Modifiers& modifiers, bool reduce, Instruction* instruction);

// st.async and red.async: stores to another block's shared memory that complete
// transactions of an mbarrier there. Called for `st` and `red` with the modifier
// "async".
absl::Status DecodeAsyncStore(DecodeContext& context, const syntax::Instruction& syntax,
                              Instruction* instruction);

// The address in the block of rank `rank` that is `shared` in its own.
constexpr uint32_t InBlock(uint32_t shared, uint32_t rank) {
  return (shared & kSharedOffsetMask) | rank << kClusterRankShift;
}

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_BULK_COPY_H_
