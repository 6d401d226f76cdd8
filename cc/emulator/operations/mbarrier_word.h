// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The 64 bits of an mbarrier object in shared memory. PTX calls them opaque;
// these are Warpyard's: pending arrivals (20 bits), arrivals that a phase expects
// (20), transactions that are missing (22, signed), the parity of the running
// phase, and a bit that tells an initialised barrier from other bytes.

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_MBARRIER_WORD_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_MBARRIER_WORD_H_

#include <cstdint>

namespace warpyard::emulator {

// PTX ISA, "mbarrier object": counts are at most 2^20 - 1.
inline constexpr int64_t kMaxBarrierCount = (1 << 20) - 1;

struct BarrierWord {
  int64_t pending = 0;
  int64_t expected = 0;
  int64_t transactions = 0;
  bool parity = false;
  bool valid = false;

  static BarrierWord Unpack(uint64_t word) {
    BarrierWord barrier;
    barrier.pending = static_cast<int64_t>(word & 0xfffff);
    barrier.expected = static_cast<int64_t>(word >> 20 & 0xfffff);
    barrier.transactions = static_cast<int64_t>(word << 2) >> 42;  // bits 40 to 61, signed
    barrier.parity = (word >> 62 & 1) != 0;
    barrier.valid = (word >> 63) != 0;
    return barrier;
  }
  uint64_t Pack() const {
    return static_cast<uint64_t>(pending) | static_cast<uint64_t>(expected) << 20 |
           (static_cast<uint64_t>(transactions) & 0x3fffff) << 40 | uint64_t{parity} << 62 |
           uint64_t{valid} << 63;
  }

  // Ends the phase if nothing is missing; says whether it did.
  bool TryComplete() {
    if (pending != 0 || transactions != 0) return false;
    pending = expected;
    parity = !parity;
    return true;
  }
};

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_MBARRIER_WORD_H_
