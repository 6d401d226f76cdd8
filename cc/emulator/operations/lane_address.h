// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Reading [address] operands of operations that are not loads and stores.

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_LANE_ADDRESS_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_LANE_ADDRESS_H_

#include <bit>
#include <cstdint>

#include "cc/emulator/execution/address.h"
#include "cc/emulator/execution/warp.h"
#include "cc/emulator/program/decoder.h"

namespace warpyard::emulator {

// The address that a lane names.
inline uint64_t AddressOf(Warp& warp, const Address& address, int lane) {
  const uint64_t base = address.wide ? warp.Row<uint64_t>(address.base)[lane]
                                     : warp.Row<uint32_t>(address.base)[lane];
  return base + static_cast<uint64_t>(address.displacement);
}

// A shared address from one that is generic (the shared window) or shared already.
// False if it is generic and of another space.
inline bool ToShared(uint64_t address, uint32_t* shared) {
  if (!IsShared(address) && (address >> 32) != 0) return false;
  *shared = static_cast<uint32_t>(address);
  return true;
}

// Calls f(lane) for each lane of `mask`, lowest first, until f gives false.
// Returns whether all gave true.
template <typename F>
inline bool ForEachLane(uint32_t mask, F f) {
  for (; mask != 0; mask &= mask - 1) {
    if (!f(std::countr_zero(mask))) return false;
  }
  return true;
}

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_LANE_ADDRESS_H_
