// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
#include "cc/emulator/operations/pending_rows.h"

#include <algorithm>
#include <cstdint>

#include "cc/emulator/execution/warp_state.h"

namespace warpyard::emulator {

void Tokens::Put(uint32_t token, uint32_t* row) { std::fill_n(row, kWarpSize, token); }

bool Tokens::Holds(const uint32_t* row, uint32_t token) {
  return std::all_of(row, row + kWarpSize, [token](uint32_t value) { return value == token; });
}

void Tokens::Deliver(Warp& warp, uint32_t first, uint32_t count, const uint32_t* values) {
  // Rows begin at multiples of 64 bytes, and those of 32 bits are 128 long.
  constexpr uint64_t kStep = 16;
  for (const auto& frame : warp.state->live_frames) {
    auto* const words = reinterpret_cast<uint32_t*>(frame->rows.get());
    const uint64_t size = frame->row_bytes / sizeof(uint32_t);
    for (uint64_t at = 0; at + kWarpSize <= size; at += kStep) {
      const uint32_t index = words[at] - first;
      if (index >= count || !Holds(words + at, words[at])) continue;
      std::copy_n(values + uint64_t{index} * kWarpSize, kWarpSize, words + at);
      at += kStep;
    }
  }
}

}  // namespace warpyard::emulator
