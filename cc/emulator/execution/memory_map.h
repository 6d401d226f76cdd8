// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// What global memory there is: the allocations of all emulated devices of the
// process, in one unified address space.

#ifndef WARPYARD_CC_EMULATOR_EXECUTION_MEMORY_MAP_H_
#define WARPYARD_CC_EMULATOR_EXECUTION_MEMORY_MAP_H_

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"

namespace warpyard::emulator {

class DeviceHeap;  // device_heap.h

enum class AllocationKind : uint8_t {
  kDevice,     // cuMemAlloc and kin, pools, mapped virtual memory
  kHost,       // cuMemHostAlloc, cuMemHostRegister
  kManaged,    // cuMemAllocManaged
  kModule,     // .global and .const variables
  kParameter,  // a launch's parameter buffer
  kHeap,       // malloc in a kernel
};

struct Allocation {
  uint64_t base = 0;
  uint64_t size = 0;
  AllocationKind kind = AllocationKind::kDevice;
  int device = 0;          // ordinal of the owner; -1 for host memory
  bool read_only = false;  // .const, parameters
  uint64_t id = 0;         // rises with each allocation of the process
  std::string label;       // the variable's name, or ""

  bool Contains(uint64_t address, uint64_t bytes) const {
    return address >= base && bytes <= size && address - base <= size - bytes;
  }
};

// Thread-safe. Readers work on a snapshot without locks: a launch takes one
// when it starts and again after the map's version has changed.
class MemoryMap {
 public:
  using Snapshot = std::vector<Allocation>;  // sorted by base, disjoint

  MemoryMap();
  ~MemoryMap();
  MemoryMap(const MemoryMap&) = delete;
  MemoryMap& operator=(const MemoryMap&) = delete;

  // Registers memory that the caller owns. ALREADY_EXISTS where it overlaps.
  absl::Status Add(Allocation allocation);
  // NOT_FOUND unless an allocation begins at `base`.
  absl::Status Remove(uint64_t base);

  std::shared_ptr<const Snapshot> Get() const;
  uint64_t version() const { return version_.load(std::memory_order_acquire); }

  // The allocation that holds `address`, or null.
  static const Allocation* Find(const Snapshot& snapshot, uint64_t address);
  // For messages: "12 bytes past the 400-byte allocation 0x7f…" or "in no allocation;
  // the nearest ...". Knows recently removed ones: "freed".
  std::string Describe(uint64_t address, uint64_t bytes) const;

  // The heap of malloc in kernels of a device, made (with room for `bytes`) when
  // first asked for. Lives as long as the map.
  DeviceHeap& Heap(int device, uint64_t bytes);

  // The process's own.
  static MemoryMap& Process();

 private:
  mutable absl::Mutex mutex_;
  std::shared_ptr<const Snapshot> snapshot_ ABSL_GUARDED_BY(mutex_);
  std::vector<Allocation> recently_removed_ ABSL_GUARDED_BY(mutex_);
  std::map<int, std::unique_ptr<DeviceHeap>> heaps_ ABSL_GUARDED_BY(mutex_);
  std::atomic<uint64_t> version_{0};
};

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_EXECUTION_MEMORY_MAP_H_
