// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Loads and stores: ld, ldu, st, and the hints about caches that change no
// result (prefetch, prefetchu, applypriority, discard, createpolicy). PTX ISA,
// "Data Movement and Conversion Instructions".

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_MEMORY_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_MEMORY_H_

#include "absl/types/span.h"
#include "cc/emulator/program/decoder.h"

namespace warpyard::emulator {

absl::Span<const Operation> MemoryOperations();

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_MEMORY_H_
