// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/execution/device_heap.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>

#include "absl/synchronization/mutex.h"
#include "cc/emulator/execution/memory_map.h"

namespace warpyard::emulator {

void DeviceHeap::Release::operator()(std::byte* memory) const { std::free(memory); }

uint64_t DeviceHeap::Allocate(uint64_t bytes) {
  if (bytes == 0 || bytes > bytes_) return 0;
  bytes = (bytes + 15) & ~uint64_t{15};
  absl::MutexLock lock(mutex_);
  if (memory_ == nullptr) {
    // Large calloc's come from fresh pages: untouched ones cost nothing.
    memory_.reset(static_cast<std::byte*>(std::calloc(1, bytes_)));
    if (memory_ == nullptr) return 0;
    const uint64_t base = reinterpret_cast<uint64_t>(memory_.get());
    Allocation allocation;
    allocation.base = base;
    allocation.size = bytes_;
    allocation.kind = AllocationKind::kHeap;
    allocation.device = device_;
    allocation.label = "the heap of malloc";
    if (!map_.Add(allocation).ok()) {
      memory_.reset();
      return 0;
    }
    free_[base] = bytes_;
  }
  for (auto it = free_.begin(); it != free_.end(); ++it) {
    if (it->second < bytes) continue;
    const uint64_t address = it->first;
    const uint64_t rest = it->second - bytes;
    free_.erase(it);
    if (rest != 0) free_[address + bytes] = rest;
    used_[address] = bytes;
    used_bytes_ += bytes;
    return address;
  }
  return 0;
}

bool DeviceHeap::Free(uint64_t address) {
  if (address == 0) return true;
  absl::MutexLock lock(mutex_);
  auto found = used_.find(address);
  if (found == used_.end()) return false;
  uint64_t size = found->second;
  used_bytes_ -= size;
  used_.erase(found);
  auto next = free_.lower_bound(address);
  if (next != free_.end() && address + size == next->first) {
    size += next->second;
    next = free_.erase(next);
  }
  if (next != free_.begin()) {
    auto before = std::prev(next);
    if (before->first + before->second == address) {
      before->second += size;
      return true;
    }
  }
  free_[address] = size;
  return true;
}

uint64_t DeviceHeap::used() const {
  absl::MutexLock lock(mutex_);
  return used_bytes_;
}

}  // namespace warpyard::emulator
