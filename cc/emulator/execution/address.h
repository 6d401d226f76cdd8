// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The generic address space. Global memory is host memory at its host address;
// the other spaces are windows at addresses that no host memory has.

#ifndef WARPYARD_CC_EMULATOR_EXECUTION_ADDRESS_H_
#define WARPYARD_CC_EMULATOR_EXECUTION_ADDRESS_H_

#include <cstdint>

namespace warpyard::emulator {

// Generic address of a shared::cluster address (32 bits): the window plus it.
inline constexpr uint64_t kSharedWindow = uint64_t{0x0100} << 48;
// Generic address of a thread's own local memory: the window plus the offset.
inline constexpr uint64_t kLocalWindow = uint64_t{0x0200} << 48;
// A function as data: the window plus Function::id << 4.
inline constexpr uint64_t kCodeWindow = uint64_t{0x0300} << 48;
inline constexpr uint64_t kWindowMask = uint64_t{0xffff} << 48;

// In a shared address: the block's rank in its cluster, and the offset in it.
inline constexpr int kClusterRankShift = 24;
inline constexpr uint32_t kSharedOffsetMask = (uint32_t{1} << kClusterRankShift) - 1;

constexpr bool IsShared(uint64_t generic) { return (generic & kWindowMask) == kSharedWindow; }
constexpr bool IsLocal(uint64_t generic) { return (generic & kWindowMask) == kLocalWindow; }

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_EXECUTION_ADDRESS_H_
