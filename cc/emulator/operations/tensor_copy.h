// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Tensor copies: cp.async.bulk.tensor and cp.reduce.async.bulk.tensor, tiled,
// im2col, gather4 and scatter4, with multicast; tensormap.replace and
// tensormap.cp_fenceproxy.

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_TENSOR_COPY_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_TENSOR_COPY_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "cc/emulator/operations/decode_support.h"
#include "cc/emulator/program/decoder.h"

namespace warpyard::emulator {

absl::Span<const Operation> TensorMapOperations();

// The forms of `cp` whose modifiers include "async", "bulk" and "tensor"; these
// and "reduce" have been taken from `modifiers`.
absl::Status DecodeTensorCopy(DecodeContext& context, const syntax::Instruction& syntax,
                              Modifiers& modifiers, bool reduce, Instruction* instruction);

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_TENSOR_COPY_H_
