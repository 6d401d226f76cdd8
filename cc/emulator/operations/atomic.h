// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Atomic operations: atom and red in every type, vector and scope. PTX ISA,
// "Parallel Synchronization and Communication Instructions".

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_ATOMIC_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_ATOMIC_H_

#include "absl/types/span.h"
#include "cc/emulator/program/decoder.h"

namespace warpyard::emulator {

absl::Span<const Operation> AtomicOperations();

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_ATOMIC_H_
