// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// malloc and free in kernels: CUDA's per-context heap, which outlives launches.

#ifndef WARPYARD_CC_EMULATOR_EXECUTION_DEVICE_HEAP_H_
#define WARPYARD_CC_EMULATOR_EXECUTION_DEVICE_HEAP_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace warpyard::emulator {

class MemoryMap;

// One region of `bytes` bytes, registered in the map as one allocation when the
// first block is asked for. Thread-safe. First fit, blocks aligned to 16 bytes.
class DeviceHeap {
 public:
  DeviceHeap(MemoryMap& map, int device, uint64_t bytes)
      : map_(map), device_(device), bytes_(bytes) {}

  // The address of a block, or 0 where there is no room (as CUDA's malloc says).
  uint64_t Allocate(uint64_t bytes);
  // False unless `address` is a block's (0 is fine).
  bool Free(uint64_t address);
  // Bytes in use.
  uint64_t used() const;

 private:
  MemoryMap& map_;
  const int device_;
  const uint64_t bytes_;
  mutable absl::Mutex mutex_;
  struct Release {
    void operator()(std::byte* memory) const;
  };
  std::unique_ptr<std::byte, Release> memory_ ABSL_GUARDED_BY(mutex_);
  std::map<uint64_t, uint64_t> free_ ABSL_GUARDED_BY(mutex_);  // address to size
  std::map<uint64_t, uint64_t> used_ ABSL_GUARDED_BY(mutex_);
  uint64_t used_bytes_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_EXECUTION_DEVICE_HEAP_H_
