// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/device/host_pages.h"

#include <sys/mman.h>

#include <cstdint>

#include "absl/synchronization/mutex.h"

namespace warpyard::emulator {
namespace {

uint64_t RoundUp(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }

int SizeClass(uint64_t bytes) {
  int size_class = 0;
  for (uint64_t size = kDeviceAlignment; size < bytes; size *= 2) ++size_class;
  return size_class;
}

}  // namespace

void* MapPages(uint64_t bytes, uint64_t alignment, void* hint, bool accessible) {
  if (bytes == 0 || bytes > (uint64_t{1} << 46)) return nullptr;
  const int protection = accessible ? PROT_READ | PROT_WRITE : PROT_NONE;
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  const uint64_t slack = alignment > kPageBytes && hint == nullptr ? alignment : 0;
  void* const mapped = mmap(hint, bytes + slack, protection, kFlags, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  const uint64_t begin = reinterpret_cast<uint64_t>(mapped);
  const uint64_t aligned = RoundUp(begin, alignment);
  if (slack == 0) return mapped;
  if (aligned > begin) munmap(mapped, aligned - begin);
  const uint64_t behind = begin + bytes + slack - (aligned + bytes);
  if (behind > 0) munmap(reinterpret_cast<void*>(aligned + bytes), behind);
  return reinterpret_cast<void*>(aligned);
}

void UnmapPages(void* address, uint64_t bytes) { munmap(address, bytes); }

bool ReservePages(void* address, uint64_t bytes) {
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
  return mmap(address, bytes, PROT_NONE, kFlags, -1, 0) != MAP_FAILED;
}

void* HostPages::Allocate(uint64_t bytes) {
  if (bytes > kLargestSmall) return MapPages(RoundUp(bytes, kPageBytes));
  const int size_class = SizeClass(bytes);
  const uint64_t size = kDeviceAlignment << size_class;
  absl::MutexLock lock(mutex_);
  std::vector<void*>& free = free_[size_class];
  if (free.empty()) {
    auto* const slab = static_cast<char*>(MapPages(kSlabBytes));
    if (slab == nullptr) return nullptr;
    // The lowest address is handed out first.
    for (uint64_t offset = kSlabBytes; offset >= size; offset -= size) {
      free.push_back(slab + offset - size);
    }
  }
  void* const address = free.back();
  free.pop_back();
  return address;
}

void HostPages::Free(void* address, uint64_t bytes) {
  if (bytes > kLargestSmall) {
    UnmapPages(address, RoundUp(bytes, kPageBytes));
    return;
  }
  absl::MutexLock lock(mutex_);
  free_[SizeClass(bytes)].push_back(address);
}

}  // namespace warpyard::emulator
