// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/execution/block.h"

#include <cstdint>

#include "cc/emulator/execution/address.h"

namespace warpyard::emulator {

Block* Cluster::Find(uint32_t shared_address) {
  const uint32_t rank = shared_address >> kClusterRankShift;
  return rank < blocks_.size() ? blocks_[rank] : nullptr;
}

}  // namespace warpyard::emulator
