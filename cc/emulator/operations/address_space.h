// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Addresses: cvta, isspacep, mapa, getctarank. PTX ISA, "Data Movement and
// Conversion Instructions".

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_ADDRESS_SPACE_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_ADDRESS_SPACE_H_

#include "absl/types/span.h"
#include "cc/emulator/program/decoder.h"

namespace warpyard::emulator {

absl::Span<const Operation> AddressSpaceOperations();

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_ADDRESS_SPACE_H_
