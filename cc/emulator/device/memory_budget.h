// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// How much of a posed device's memory is taken.

#ifndef WARPYARD_CC_EMULATOR_DEVICE_MEMORY_BUDGET_H_
#define WARPYARD_CC_EMULATOR_DEVICE_MEMORY_BUDGET_H_

#include <atomic>
#include <cstdint>

namespace warpyard::emulator {

// Counts bytes against the size of the device. Thread-safe.
class MemoryBudget {
 public:
  explicit MemoryBudget(uint64_t capacity) : capacity_(capacity) {}

  // Takes `bytes`, or none of them and says false.
  bool Take(uint64_t bytes) {
    uint64_t used = used_.load(std::memory_order_relaxed);
    do {
      if (bytes > capacity_ - used) return false;
    } while (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
    return true;
  }
  void Give(uint64_t bytes) { used_.fetch_sub(bytes, std::memory_order_relaxed); }

  uint64_t capacity() const { return capacity_; }
  uint64_t used() const { return used_.load(std::memory_order_relaxed); }
  uint64_t available() const { return capacity_ - used(); }

 private:
  const uint64_t capacity_;
  std::atomic<uint64_t> used_{0};
};

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_DEVICE_MEMORY_BUDGET_H_
