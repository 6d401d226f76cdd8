// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Pools of device memory for allocation in the order of streams.

#ifndef WARPYARD_CC_EMULATOR_DRIVER_MEMORY_POOL_H_
#define WARPYARD_CC_EMULATOR_DRIVER_MEMORY_POOL_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "cc/emulator/driver/api.h"
#include "cc/emulator/driver/device.h"
#include "cc/emulator/driver/memory.h"
#include "cc/emulator/driver/operation.h"

namespace warpyard::emulator::driver {

// A pool hands out memory of its device and gives it back at once: nothing is
// gained here by keeping it.
class MemoryPool {
 public:
  MemoryPool(Device& device, const CUmemPoolProps& properties, bool is_default)
      : device(device), properties(properties), is_default(is_default) {}

  CUmemoryPool handle() { return reinterpret_cast<CUmemoryPool>(this); }
  void Used(uint64_t bytes);
  void Unused(uint64_t bytes) { used.fetch_sub(bytes); }

  Device& device;
  const CUmemPoolProps properties;
  const bool is_default;
  std::atomic<uint64_t> used{0};
  std::atomic<uint64_t> used_high{0};
  std::atomic<uint64_t> release_threshold{0};
  std::atomic<int> reuse_follow_event_dependencies{1};
  std::atomic<int> reuse_allow_opportunistic{1};
  std::atomic<int> reuse_allow_internal_dependencies{1};
  std::atomic<uint64_t> readable{0};  // devices with access, a bit each, besides its own
  std::atomic<uint64_t> writable{0};
  std::atomic<bool> alive{true};
};

// The pool that cuMemAllocAsync uses on a device.
std::shared_ptr<MemoryPool> CurrentPool(Device& device);
std::shared_ptr<MemoryPool> DefaultPool(Device& device);

// Memory of a pool for use in a stream. It is there at once.
CUresult AllocateFromPool(Context& context, const std::shared_ptr<MemoryPool>& pool, uint64_t bytes,
                          MemoryRecordPtr* record);

// cuMemFreeAsync: ends an allocation when its turn comes.
class FreeMemory : public Operation {
 public:
  explicit FreeMemory(MemoryRecordPtr record) : record_(std::move(record)) {}
  CUresult Execute(Context& context) const override;
  CUgraphNodeType type() const override { return CU_GRAPH_NODE_TYPE_MEM_FREE; }
  bool runs_after_error() const override { return true; }

 private:
  MemoryRecordPtr record_;
};

// A graph's own allocation, which lives from its creation to the end of the
// graph, so that its address never changes.
class AllocateNode : public Operation {
 public:
  explicit AllocateNode(const CUDA_MEM_ALLOC_NODE_PARAMS& node_params) : params(node_params) {}
  ~AllocateNode() override;
  CUresult Execute(Context& context) const override { return CUDA_SUCCESS; }
  CUgraphNodeType type() const override { return CU_GRAPH_NODE_TYPE_MEM_ALLOC; }

  CUDA_MEM_ALLOC_NODE_PARAMS params;
  MemoryRecordPtr record;
};

// The end of a graph's allocation, or of one of a pool.
class FreeNode : public Operation {
 public:
  explicit FreeNode(CUdeviceptr freed) : address(freed) {}
  CUresult Execute(Context& context) const override;
  CUgraphNodeType type() const override { return CU_GRAPH_NODE_TYPE_MEM_FREE; }

  const CUdeviceptr address;
};

}  // namespace warpyard::emulator::driver

#endif  // WARPYARD_CC_EMULATOR_DRIVER_MEMORY_POOL_H_
