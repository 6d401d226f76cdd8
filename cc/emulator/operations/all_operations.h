// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Every operation that is executed.

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_ALL_OPERATIONS_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_ALL_OPERATIONS_H_

#include "cc/emulator/program/decoder.h"

namespace warpyard::emulator {

// The process's table: what Decode() is given.
const OperationTable& AllOperations();

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_ALL_OPERATIONS_H_
