// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Memory that the driver knows: what was allocated, registered or mapped, by
// whom, and what kernels may touch.

#ifndef WARPYARD_CC_EMULATOR_DRIVER_MEMORY_H_
#define WARPYARD_CC_EMULATOR_DRIVER_MEMORY_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "cc/emulator/driver/api.h"
#include "cc/emulator/driver/context.h"
#include "cc/emulator/execution/memory_map.h"

namespace warpyard::emulator::driver {

class MemoryPool;

struct MemoryRecord {
  enum class Kind {
    kDevice,      // cuMemAlloc
    kPool,        // cuMemAllocAsync
    kManaged,     // cuMemAllocManaged
    kHost,        // cuMemHostAlloc
    kRegistered,  // cuMemHostRegister
    kMapped,      // cuMemMap
    kImported,    // cuIpcOpenMemHandle
    kVariable,    // a .global of a module
    kGraph,       // a memory node of a graph
  };

  uint64_t base = 0;
  uint64_t size = 0;  // as asked for
  Kind kind = Kind::kDevice;
  Device* device = nullptr;          // null for host memory
  std::shared_ptr<Context> context;  // that made it; null for mapped memory
  unsigned flags = 0;                // of cuMemHostAlloc, cuMemHostRegister, cuMemAllocManaged
  uint64_t buffer_id = 0;            // rises
  uint64_t charged = 0;              // bytes taken from the device's budget
  std::shared_ptr<MemoryPool> pool;  // kPool
  std::atomic<bool> sync_memops{false};
  std::atomic<bool> free_pending{false};  // cuMemFreeAsync is under way
  unsigned access_flags = 0;              // CUmemAccess_flags, of mapped memory
  std::shared_ptr<void> keeps;  // what it lives on: shared memory, a pool's or a mapping's
  int ipc_file = -1;            // the shared memory behind it, or -1

  bool host() const { return kind == Kind::kHost || kind == Kind::kRegistered; }
};

using MemoryRecordPtr = std::shared_ptr<MemoryRecord>;

// All of this process. Thread-safe.
class MemoryTable {
 public:
  static MemoryTable& Get();

  // Also registers it for kernels, but for kVariable.
  CUresult Add(MemoryRecordPtr record);
  // What begins at `base`, or null.
  MemoryRecordPtr FindBase(uint64_t base) const;
  // What holds `address`, or null.
  MemoryRecordPtr Find(uint64_t address) const;
  // Removes what begins at `base`, if `accept` says so.
  MemoryRecordPtr Remove(uint64_t base,
                         const std::function<bool(const MemoryRecord&)>& accept = nullptr);
  // Whether all bytes of the range lie in memory of the table, which may be
  // several records side by side.
  bool Covers(uint64_t address, uint64_t bytes) const;
  std::vector<MemoryRecordPtr> All() const;

 private:
  mutable std::mutex mutex_;
  std::map<uint64_t, MemoryRecordPtr> records_;
  uint64_t next_id_ = 1;
};

// Takes device memory: charges the device, gives zero-initialised or used pages.
// CUDA_ERROR_INVALID_VALUE for no bytes, CUDA_ERROR_OUT_OF_MEMORY.
CUresult AllocateDeviceMemory(Context& context, uint64_t bytes, MemoryRecord::Kind kind,
                              MemoryRecordPtr* record);
// Gives back what a record of device, pool, managed or host memory holds. It is
// no longer in the table.
void ReleaseMemory(const MemoryRecord& record);

// Whether a copy of `bytes` may touch a device pointer: CUDA_ERROR_INVALID_VALUE if not.
CUresult CheckDeviceRange(CUdeviceptr address, uint64_t bytes);

inline void* HostPointer(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

}  // namespace warpyard::emulator::driver

#endif  // WARPYARD_CC_EMULATOR_DRIVER_MEMORY_H_
