// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The opcode `cp`: cp.async and its groups here, bulk and tensor copies in
// bulk_copy.h and tensor_copy.h. When copies are done: async_engine.h.

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_ASYNC_COPY_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_ASYNC_COPY_H_

#include "absl/types/span.h"
#include "cc/emulator/program/decoder.h"

namespace warpyard::emulator {

absl::Span<const Operation> AsyncCopyOperations();

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_ASYNC_COPY_H_
