// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The host's memory that stands for a device's. Address space is taken at once,
// pages only where something is written, so that a small machine can pose as a
// GPU with more memory than it has.

#ifndef WARPYARD_CC_EMULATOR_DEVICE_HOST_PAGES_H_
#define WARPYARD_CC_EMULATOR_DEVICE_HOST_PAGES_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace warpyard::emulator {

inline constexpr uint64_t kPageBytes = 4096;
// What an allocation of device memory is aligned to, as NVIDIA's driver does.
inline constexpr uint64_t kDeviceAlignment = 512;

// Zeroed pages at an address that is a multiple of `alignment` (a power of two);
// null where the address space or the host's memory is exhausted. `bytes` and
// `hint` are multiples of kPageBytes; `hint` is taken where it is free. With
// `accessible` false nothing may be read or written there yet.
void* MapPages(uint64_t bytes, uint64_t alignment = kPageBytes, void* hint = nullptr,
               bool accessible = true);
void UnmapPages(void* address, uint64_t bytes);
// Takes away what lies in a range of MapPages, and keeps the addresses reserved.
bool ReservePages(void* address, uint64_t bytes);

// Allocations of any size. Small ones share pages, so that many of them stay
// within the number of mappings that the host's kernel allows. Thread-safe.
class HostPages {
 public:
  // Aligned to kDeviceAlignment; null where there is no memory. What was
  // returned before may be handed out with its old contents, as on a GPU.
  void* Allocate(uint64_t bytes);
  void Free(void* address, uint64_t bytes);

 private:
  static constexpr uint64_t kSlabBytes = uint64_t{2} << 20;
  static constexpr uint64_t kLargestSmall = uint64_t{64} << 10;
  // Powers of two from kDeviceAlignment to kLargestSmall.
  static constexpr int kClasses = 8;

  absl::Mutex mutex_;
  std::vector<void*> free_[kClasses] ABSL_GUARDED_BY(mutex_);
};

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_DEVICE_HOST_PAGES_H_
