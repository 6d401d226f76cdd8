// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Memory pools and allocation in the order of streams.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include "cc/emulator/driver/api.h"
#include "cc/emulator/driver/capture.h"
#include "cc/emulator/driver/context.h"
#include "cc/emulator/driver/handles.h"
#include "cc/emulator/driver/memory.h"
#include "cc/emulator/driver/memory_pool.h"
#include "cc/emulator/driver/stream.h"

namespace d = ::warpyard::emulator::driver;
using d::MemoryPool;
using d::MemoryRecord;
using d::MemoryRecordPtr;
using d::MemoryTable;

namespace {

CUresult FindPool(CUmemoryPool handle, std::shared_ptr<MemoryPool>* pool) {
  WARPYARD_CU_TRY(d::Driver::Get().CheckInitialized());
  *pool = d::Handles<MemoryPool>::Get().Find(handle);
  return *pool == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult Allocate(CUdeviceptr* dptr, size_t bytes, std::shared_ptr<MemoryPool> pool,
                  CUstream handle) {
  if (dptr == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *dptr = 0;
  std::shared_ptr<d::Stream> stream;
  WARPYARD_CU_TRY(d::FindStream(handle, &stream));
  if (pool == nullptr) pool = d::CurrentPool(stream->context()->device());
  if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  bool captured;
  {
    const std::lock_guard<std::mutex> lock(d::GraphLock());
    captured = stream->capture != nullptr;
  }
  if (captured) {
    CUDA_MEM_ALLOC_NODE_PARAMS params{};
    params.poolProps = pool->properties;
    params.bytesize = bytes;
    auto node = std::make_shared<d::AllocateNode>(params);
    WARPYARD_CU_TRY(d::AllocateDeviceMemory(*stream->context(), bytes, MemoryRecord::Kind::kGraph,
                                            &node->record));
    node->params.dptr = node->record->base;
    const CUdeviceptr address = node->record->base;
    WARPYARD_CU_TRY(d::Submit(*stream, std::move(node)));
    *dptr = address;
    return CUDA_SUCCESS;
  }
  MemoryRecordPtr record;
  WARPYARD_CU_TRY(d::AllocateFromPool(*stream->context(), pool, bytes, &record));
  *dptr = record->base;
  return CUDA_SUCCESS;
}

CUresult CheckProperties(const CUmemPoolProps& properties) {
  if (properties.allocType != CU_MEM_ALLOCATION_TYPE_PINNED) {
    return properties.allocType == CU_MEM_ALLOCATION_TYPE_MANAGED ? CUDA_ERROR_NOT_SUPPORTED
                                                                  : CUDA_ERROR_INVALID_VALUE;
  }
  if (properties.location.type != CU_MEM_LOCATION_TYPE_DEVICE) {
    return properties.location.type == CU_MEM_LOCATION_TYPE_INVALID ? CUDA_ERROR_INVALID_VALUE
                                                                    : CUDA_ERROR_NOT_SUPPORTED;
  }
  if ((properties.handleTypes & ~CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) != 0) {
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  return CUDA_SUCCESS;
}

CUresult DeviceOfLocation(const CUmemLocation* location, d::Device** device) {
  if (location == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (location->type != CU_MEM_LOCATION_TYPE_DEVICE) return CUDA_ERROR_NOT_SUPPORTED;
  return d::GetDevice(location->id, device);
}

}  // namespace

CUresult CUDAAPI cuMemAllocAsync(CUdeviceptr* dptr, size_t bytesize, CUstream hStream) {
  return Allocate(dptr, bytesize, nullptr, hStream);
}

CUresult CUDAAPI cuMemAllocFromPoolAsync(CUdeviceptr* dptr, size_t bytesize, CUmemoryPool pool,
                                         CUstream hStream) {
  std::shared_ptr<MemoryPool> found;
  WARPYARD_CU_TRY(FindPool(pool, &found));
  return Allocate(dptr, bytesize, std::move(found), hStream);
}

CUresult CUDAAPI cuMemFreeAsync(CUdeviceptr dptr, CUstream hStream) {
  std::shared_ptr<d::Stream> stream;
  WARPYARD_CU_TRY(d::FindStream(hStream, &stream));
  if (dptr == 0) return CUDA_SUCCESS;
  const MemoryRecordPtr record = MemoryTable::Get().FindBase(dptr);
  if (record == nullptr) return CUDA_ERROR_INVALID_VALUE;
  bool captured;
  {
    const std::lock_guard<std::mutex> lock(d::GraphLock());
    captured = stream->capture != nullptr;
  }
  if (captured) return d::Submit(*stream, std::make_shared<d::FreeNode>(dptr));
  if (record->kind == MemoryRecord::Kind::kGraph) return CUDA_SUCCESS;
  if (record->kind != MemoryRecord::Kind::kPool && record->kind != MemoryRecord::Kind::kDevice) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (record->free_pending.exchange(true)) return CUDA_ERROR_INVALID_VALUE;  // freed twice
  stream->Enqueue(std::make_shared<d::FreeMemory>(record));
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* poolProps) {
  if (pool == nullptr || poolProps == nullptr) return CUDA_ERROR_INVALID_VALUE;
  WARPYARD_CU_TRY(d::Driver::Get().CheckInitialized());
  WARPYARD_CU_TRY(CheckProperties(*poolProps));
  d::Device* device;
  WARPYARD_CU_TRY(d::GetDevice(poolProps->location.id, &device));
  *pool = d::Handles<MemoryPool>::Get().Add<CUmemoryPool>(
      std::make_shared<MemoryPool>(*device, *poolProps, /*is_default=*/false));
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuMemPoolDestroy(CUmemoryPool pool) {
  std::shared_ptr<MemoryPool> found;
  WARPYARD_CU_TRY(FindPool(pool, &found));
  if (found->is_default) return CUDA_ERROR_INVALID_VALUE;
  found->alive = false;
  d::Handles<MemoryPool>::Get().Remove(pool);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuMemPoolTrimTo(CUmemoryPool pool, size_t minBytesToKeep) {
  std::shared_ptr<MemoryPool> found;
  return FindPool(pool, &found);
}

CUresult CUDAAPI cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void* value) {
  if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<MemoryPool> found;
  WARPYARD_CU_TRY(FindPool(pool, &found));
  switch (attr) {
    case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
      found->reuse_follow_event_dependencies = *static_cast<int*>(value);
      return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
      found->reuse_allow_opportunistic = *static_cast<int*>(value);
      return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
      found->reuse_allow_internal_dependencies = *static_cast<int*>(value);
      return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
      found->release_threshold = *static_cast<cuuint64_t*>(value);
      return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
      if (*static_cast<cuuint64_t*>(value) != 0) return CUDA_ERROR_INVALID_VALUE;
      found->used_high = found->used.load();
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult CUDAAPI cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void* value) {
  if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<MemoryPool> found;
  WARPYARD_CU_TRY(FindPool(pool, &found));
  int* const number = static_cast<int*>(value);
  cuuint64_t* const bytes = static_cast<cuuint64_t*>(value);
  switch (attr) {
    case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
      *number = found->reuse_follow_event_dependencies;
      return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
      *number = found->reuse_allow_opportunistic;
      return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
      *number = found->reuse_allow_internal_dependencies;
      return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
      *bytes = found->release_threshold;
      return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
    case CU_MEMPOOL_ATTR_USED_MEM_CURRENT:
      *bytes = found->used;
      return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
      *bytes = found->used_high;
      return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_ALLOCATION_TYPE:
      *number = found->properties.allocType;
      return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_EXPORT_HANDLE_TYPES:
      *number = found->properties.handleTypes;
      return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_LOCATION_ID:
      *number = found->properties.location.id;
      return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_LOCATION_TYPE:
      *number = found->properties.location.type;
      return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_MAX_POOL_SIZE:
      *bytes = found->properties.maxSize;
      return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_HW_DECOMPRESS_ENABLED:
      *number = 0;
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult CUDAAPI cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* map, size_t count) {
  if (map == nullptr || count == 0) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<MemoryPool> found;
  WARPYARD_CU_TRY(FindPool(pool, &found));
  for (size_t i = 0; i < count; ++i) {
    d::Device* device;
    WARPYARD_CU_TRY(DeviceOfLocation(&map[i].location, &device));
    const uint64_t bit = uint64_t{1} << device->ordinal();
    if (device == &found->device && map[i].flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    found->readable &= ~bit;
    found->writable &= ~bit;
    if (map[i].flags != CU_MEM_ACCESS_FLAGS_PROT_NONE) found->readable |= bit;
    if (map[i].flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE) found->writable |= bit;
  }
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool memPool,
                                    CUmemLocation* location) {
  if (flags == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<MemoryPool> found;
  WARPYARD_CU_TRY(FindPool(memPool, &found));
  d::Device* device;
  WARPYARD_CU_TRY(DeviceOfLocation(location, &device));
  const uint64_t bit = uint64_t{1} << device->ordinal();
  *flags = device == &found->device || (found->writable & bit) != 0
               ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE
           : (found->readable & bit) != 0 ? CU_MEM_ACCESS_FLAGS_PROT_READ
                                          : CU_MEM_ACCESS_FLAGS_PROT_NONE;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDeviceGetDefaultMemPool(CUmemoryPool* pool_out, CUdevice dev) {
  if (pool_out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  d::Device* device;
  WARPYARD_CU_TRY(d::GetDevice(dev, &device));
  *pool_out = d::DefaultPool(*device)->handle();
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice dev) {
  if (pool == nullptr) return CUDA_ERROR_INVALID_VALUE;
  d::Device* device;
  WARPYARD_CU_TRY(d::GetDevice(dev, &device));
  *pool = d::CurrentPool(*device)->handle();
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDeviceSetMemPool(CUdevice dev, CUmemoryPool pool) {
  d::Device* device;
  WARPYARD_CU_TRY(d::GetDevice(dev, &device));
  std::shared_ptr<MemoryPool> found;
  WARPYARD_CU_TRY(FindPool(pool, &found));
  if (&found->device != device) return CUDA_ERROR_INVALID_VALUE;
  const std::lock_guard<std::mutex> lock(device->pool_mutex);
  device->current_pool = found;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuMemGetDefaultMemPool(CUmemoryPool* pool_out, CUmemLocation* location,
                                        CUmemAllocationType type) {
  d::Device* device;
  WARPYARD_CU_TRY(DeviceOfLocation(location, &device));
  return cuDeviceGetDefaultMemPool(pool_out, device->ordinal());
}
CUresult CUDAAPI cuMemGetMemPool(CUmemoryPool* pool, CUmemLocation* location,
                                 CUmemAllocationType type) {
  d::Device* device;
  WARPYARD_CU_TRY(DeviceOfLocation(location, &device));
  return cuDeviceGetMemPool(pool, device->ordinal());
}
CUresult CUDAAPI cuMemSetMemPool(CUmemLocation* location, CUmemAllocationType type,
                                 CUmemoryPool pool) {
  d::Device* device;
  WARPYARD_CU_TRY(DeviceOfLocation(location, &device));
  return cuDeviceSetMemPool(device->ordinal(), pool);
}
