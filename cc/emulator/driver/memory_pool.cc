// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/driver/memory_pool.h"

#include <memory>
#include <mutex>

#include "cc/emulator/driver/handles.h"

namespace warpyard::emulator::driver {

void MemoryPool::Used(uint64_t bytes) {
  const uint64_t now = used.fetch_add(bytes) + bytes;
  uint64_t high = used_high.load();
  while (high < now && !used_high.compare_exchange_weak(high, now)) {
  }
}

std::shared_ptr<MemoryPool> DefaultPool(Device& device) {
  const std::lock_guard<std::mutex> lock(device.pool_mutex);
  if (device.default_pool == nullptr) {
    CUmemPoolProps properties{};
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    properties.location.id = device.ordinal();
    device.default_pool = std::make_shared<MemoryPool>(device, properties, /*is_default=*/true);
    Handles<MemoryPool>::Get().Add<CUmemoryPool>(device.default_pool);
  }
  return device.default_pool;
}

std::shared_ptr<MemoryPool> CurrentPool(Device& device) {
  std::shared_ptr<MemoryPool> pool = DefaultPool(device);
  const std::lock_guard<std::mutex> lock(device.pool_mutex);
  if (device.current_pool != nullptr && device.current_pool->alive) return device.current_pool;
  return pool;
}

CUresult AllocateFromPool(Context& context, const std::shared_ptr<MemoryPool>& pool, uint64_t bytes,
                          MemoryRecordPtr* result) {
  const uint64_t limit = pool->properties.maxSize;
  if (limit != 0 && bytes > limit - pool->used) return CUDA_ERROR_OUT_OF_MEMORY;
  CUresult allocated = AllocateDeviceMemory(context, bytes, MemoryRecord::Kind::kPool, result);
  if (allocated == CUDA_ERROR_OUT_OF_MEMORY) {
    // Memory whose end is under way may be enough.
    context.Synchronize();
    allocated = AllocateDeviceMemory(context, bytes, MemoryRecord::Kind::kPool, result);
  }
  WARPYARD_CU_TRY(allocated);
  (*result)->pool = pool;
  pool->Used(bytes);
  return CUDA_SUCCESS;
}

CUresult FreeMemory::Execute(Context& context) const {
  const MemoryRecordPtr removed = MemoryTable::Get().Remove(
      record_->base, [&](const MemoryRecord& found) { return &found == record_.get(); });
  if (removed != nullptr) {
    if (removed->pool != nullptr) removed->pool->Unused(removed->size);
    ReleaseMemory(*removed);
  }
  return CUDA_SUCCESS;
}

AllocateNode::~AllocateNode() {
  if (record == nullptr) return;
  const MemoryRecordPtr removed = MemoryTable::Get().Remove(
      record->base, [&](const MemoryRecord& found) { return &found == record.get(); });
  if (removed != nullptr) ReleaseMemory(*removed);
}

CUresult FreeNode::Execute(Context& context) const {
  const MemoryRecordPtr record = MemoryTable::Get().FindBase(address);
  if (record == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (record->kind == MemoryRecord::Kind::kGraph) return CUDA_SUCCESS;
  return FreeMemory(record).Execute(context);
}

}  // namespace warpyard::emulator::driver
