// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The arithmetic of cp.reduce.async.bulk: elements of a buffer are combined with
// those in memory, one atomic operation each.

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_BULK_REDUCE_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_BULK_REDUCE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {

enum class BulkOperator : uint8_t { kAdd, kMin, kMax, kInc, kDec, kAnd, kOr, kXor };

// "add" and kin; nullopt for another word.
std::optional<BulkOperator> ParseBulkOperator(std::string_view word);

// Whether `type` has this operator (PTX ISA, "cp.reduce.async.bulk").
bool CanReduce(BulkOperator op, syntax::ScalarType type);

// memory[i] = memory[i] op values[i] for `bytes` bytes of elements. Memory is
// aligned to the element. Sums of f16 and bf16 keep subnormal numbers.
void Reduce(BulkOperator op, syntax::ScalarType type, std::byte* memory, const std::byte* values,
            uint64_t bytes);

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_BULK_REDUCE_H_
