// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Memory of devices and of the host: allocation, registration, and what a
// pointer is.

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "cc/emulator/driver/api.h"
#include "cc/emulator/driver/capture.h"
#include "cc/emulator/driver/context.h"
#include "cc/emulator/driver/memory.h"
#include "cc/emulator/driver/memory_pool.h"

namespace d = ::warpyard::emulator::driver;
using d::MemoryRecord;
using d::MemoryRecordPtr;
using d::MemoryTable;
using Kind = d::MemoryRecord::Kind;

namespace {

// Waits, as cuMemFree does, for what may still use the memory.
void AwaitUsers(const MemoryRecord& record) {
  if (record.context != nullptr && record.context->alive()) record.context->Synchronize();
}

CUresult AllocateHost(void** out, size_t bytes, unsigned flags) {
  if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *out = nullptr;
  WARPYARD_CU_CURRENT(context);
  WARPYARD_CU_TRY(d::CheckSafeCall());
  if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  auto record = std::make_shared<MemoryRecord>();
  record->size = bytes;
  record->kind = Kind::kHost;
  record->context = context->shared_from_this();
  record->device = &context->device();
  record->flags = flags;
  void* const pages = d::Driver::Get().pages().Allocate(bytes);
  if (pages == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
  record->base = reinterpret_cast<uint64_t>(pages);
  if (MemoryTable::Get().Add(record) != CUDA_SUCCESS) {
    d::ReleaseMemory(*record);
    return CUDA_ERROR_UNKNOWN;
  }
  *out = pages;
  return CUDA_SUCCESS;
}

template <typename T>
CUresult Store(void* data, T value) {
  *static_cast<T*>(data) = value;
  return CUDA_SUCCESS;
}

CUmemorytype TypeOf(const MemoryRecord& record) {
  return record.host() ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
}

// `record` is null for memory that the driver does not know.
CUresult PointerAttribute(void* data, CUpointer_attribute attribute, CUdeviceptr pointer,
                          const MemoryRecord* record) {
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      return Store<CUcontext>(data, record == nullptr || record->context == nullptr
                                        ? nullptr
                                        : record->context->handle());
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      return Store<unsigned>(data, record == nullptr ? 0 : TypeOf(*record));
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      return Store<CUdeviceptr>(data, record == nullptr ? 0 : pointer);
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      return Store<void*>(data,
                          record != nullptr && (record->host() || record->kind == Kind::kManaged)
                              ? d::HostPointer(pointer)
                              : nullptr);
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
      return Store<int>(data, record != nullptr && record->sync_memops ? 1 : 0);
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
      return Store<unsigned long long>(data, record == nullptr ? 0 : record->buffer_id);
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      return Store<int>(data, record != nullptr && record->kind == Kind::kManaged ? 1 : 0);
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      return Store<int>(data, record == nullptr           ? -2
                              : record->device == nullptr ? -1
                                                          : record->device->ordinal());
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
      return Store<int>(data, record != nullptr && record->kind == Kind::kDevice ? 1 : 0);
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      return Store<CUdeviceptr>(data, record == nullptr ? 0 : record->base);
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
    case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
      return Store<size_t>(data, record == nullptr ? 0 : record->size);
    case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
      return Store<CUdeviceptr>(data, record == nullptr ? 0 : record->base);
    case CU_POINTER_ATTRIBUTE_MAPPED:
      return Store<int>(data, record == nullptr ? 0 : 1);
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
      return Store<unsigned long long>(data, 0);
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE:
      return Store<int>(data, 0);
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
      if (record == nullptr) return Store<unsigned>(data, CU_MEM_ACCESS_FLAGS_PROT_NONE);
      if (record->kind == Kind::kMapped) return Store<unsigned>(data, record->access_flags);
      return Store<unsigned>(data, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
      return Store<CUmemoryPool>(
          data, record == nullptr || record->pool == nullptr ? nullptr : record->pool->handle());
    case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID:
      return Store<unsigned long long>(data, record == nullptr ? 0 : record->buffer_id);
    default:
      return CUDA_ERROR_NOT_SUPPORTED;
  }
}

}  // namespace

CUresult CUDAAPI cuMemGetInfo_v2(size_t* free, size_t* total) {
  WARPYARD_CU_CURRENT(context);
  if (free != nullptr) *free = context->device().budget.available();
  if (total != nullptr) *total = context->device().budget.capacity();
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuMemAlloc_v2(CUdeviceptr* dptr, size_t bytesize) {
  if (dptr == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *dptr = 0;
  WARPYARD_CU_CURRENT(context);
  WARPYARD_CU_TRY(d::CheckSafeCall());
  MemoryRecordPtr record;
  WARPYARD_CU_TRY(d::AllocateDeviceMemory(*context, bytesize, Kind::kDevice, &record));
  *dptr = record->base;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuMemAllocPitch_v2(CUdeviceptr* dptr, size_t* pPitch, size_t WidthInBytes,
                                    size_t Height, unsigned int ElementSizeBytes) {
  if (dptr == nullptr || pPitch == nullptr || WidthInBytes == 0 || Height == 0 ||
      (ElementSizeBytes != 4 && ElementSizeBytes != 8 && ElementSizeBytes != 16)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  size_t pitch;
  size_t bytes;
  if (__builtin_add_overflow(WidthInBytes, 511, &pitch) ||
      __builtin_mul_overflow(pitch / 512 * 512, Height, &bytes)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  WARPYARD_CU_TRY(cuMemAlloc_v2(dptr, bytes));
  *pPitch = pitch / 512 * 512;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuMemAllocManaged(CUdeviceptr* dptr, size_t bytesize, unsigned int flags) {
  if (dptr == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *dptr = 0;
  WARPYARD_CU_CURRENT(context);
  if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST) return CUDA_ERROR_INVALID_VALUE;
  WARPYARD_CU_TRY(d::CheckSafeCall());
  MemoryRecordPtr record;
  WARPYARD_CU_TRY(d::AllocateDeviceMemory(*context, bytesize, Kind::kManaged, &record));
  record->flags = flags;
  *dptr = record->base;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuMemFree_v2(CUdeviceptr dptr) {
  if (dptr == 0) return d::Driver::Get().CheckInitialized();
  WARPYARD_CU_TRY(d::Driver::Get().CheckInitialized());
  WARPYARD_CU_TRY(d::CheckSafeCall());
  const auto freeable = [](const MemoryRecord& record) {
    return (record.kind == Kind::kDevice || record.kind == Kind::kManaged ||
            record.kind == Kind::kPool) &&
           !record.free_pending;
  };
  const MemoryRecordPtr found = MemoryTable::Get().FindBase(dptr);
  if (found == nullptr || !freeable(*found)) return CUDA_ERROR_INVALID_VALUE;
  AwaitUsers(*found);
  const MemoryRecordPtr removed = MemoryTable::Get().Remove(dptr, freeable);
  if (removed == nullptr) return CUDA_ERROR_INVALID_VALUE;
  d::ReleaseMemory(*removed);
  return removed->context == nullptr ? CUDA_SUCCESS : removed->context->error();
}

CUresult CUDAAPI cuMemGetAddressRange_v2(CUdeviceptr* pbase, size_t* psize, CUdeviceptr dptr) {
  WARPYARD_CU_CURRENT(context);
  const MemoryRecordPtr record = MemoryTable::Get().Find(dptr);
  if (record == nullptr) return CUDA_ERROR_NOT_FOUND;
  if (pbase != nullptr) *pbase = record->base;
  if (psize != nullptr) *psize = record->size;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuMemHostAlloc(void** pp, size_t bytesize, unsigned int Flags) {
  constexpr unsigned kKnown =
      CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED;
  if ((Flags & ~kKnown) != 0) return CUDA_ERROR_INVALID_VALUE;
  return AllocateHost(pp, bytesize, Flags);
}
CUresult CUDAAPI cuMemAllocHost_v2(void** pp, size_t bytesize) {
  return AllocateHost(pp, bytesize, CU_MEMHOSTALLOC_DEVICEMAP);
}

CUresult CUDAAPI cuMemFreeHost(void* p) {
  WARPYARD_CU_TRY(d::Driver::Get().CheckInitialized());
  if (p == nullptr) return CUDA_SUCCESS;
  const auto host = [](const MemoryRecord& record) { return record.kind == Kind::kHost; };
  const MemoryRecordPtr found = MemoryTable::Get().FindBase(reinterpret_cast<uint64_t>(p));
  if (found == nullptr || !host(*found)) return CUDA_ERROR_INVALID_VALUE;
  AwaitUsers(*found);
  const MemoryRecordPtr removed = MemoryTable::Get().Remove(found->base, host);
  if (removed == nullptr) return CUDA_ERROR_INVALID_VALUE;
  d::ReleaseMemory(*removed);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuMemHostGetDevicePointer_v2(CUdeviceptr* pdptr, void* p, unsigned int Flags) {
  if (pdptr == nullptr || Flags != 0) return CUDA_ERROR_INVALID_VALUE;
  WARPYARD_CU_CURRENT(context);
  const MemoryRecordPtr record = MemoryTable::Get().Find(reinterpret_cast<uint64_t>(p));
  if (record == nullptr || !record->host()) return CUDA_ERROR_INVALID_VALUE;
  *pdptr = reinterpret_cast<CUdeviceptr>(p);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuMemHostGetFlags(unsigned int* pFlags, void* p) {
  if (pFlags == nullptr) return CUDA_ERROR_INVALID_VALUE;
  WARPYARD_CU_CURRENT(context);
  const MemoryRecordPtr record = MemoryTable::Get().Find(reinterpret_cast<uint64_t>(p));
  if (record == nullptr || record->kind != Kind::kHost) return CUDA_ERROR_INVALID_VALUE;
  *pFlags = record->flags | CU_MEMHOSTALLOC_DEVICEMAP;  // all is mapped in a unified address space
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuMemHostRegister_v2(void* p, size_t bytesize, unsigned int Flags) {
  constexpr unsigned kKnown = CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP |
                              CU_MEMHOSTREGISTER_IOMEMORY | CU_MEMHOSTREGISTER_READ_ONLY;
  const uint64_t base = reinterpret_cast<uint64_t>(p);
  if (p == nullptr || bytesize == 0 || (Flags & ~kKnown) != 0 || base + bytesize < base) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  WARPYARD_CU_CURRENT(context);
  WARPYARD_CU_TRY(d::CheckSafeCall());
  // Memory that is not there cannot be registered: mincore knows what is mapped.
  const uint64_t page = base / 4096 * 4096;
  unsigned char resident;
  if (mincore(d::HostPointer(page), 1, &resident) != 0 ||
      mincore(d::HostPointer((base + bytesize - 1) / 4096 * 4096), 1, &resident) != 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  auto record = std::make_shared<MemoryRecord>();
  record->base = base;
  record->size = bytesize;
  record->kind = Kind::kRegistered;
  record->context = context->shared_from_this();
  record->device = &context->device();
  record->flags = Flags;
  return MemoryTable::Get().Add(std::move(record));
}
CUresult CUDAAPI cuMemHostRegister(void* p, size_t bytesize, unsigned int Flags) {
  return cuMemHostRegister_v2(p, bytesize, Flags);
}

CUresult CUDAAPI cuMemHostUnregister(void* p) {
  WARPYARD_CU_TRY(d::Driver::Get().CheckInitialized());
  const auto registered = [](const MemoryRecord& record) {
    return record.kind == Kind::kRegistered;
  };
  const MemoryRecordPtr found = MemoryTable::Get().FindBase(reinterpret_cast<uint64_t>(p));
  if (found == nullptr || !registered(*found)) return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
  AwaitUsers(*found);
  return MemoryTable::Get().Remove(found->base, registered) == nullptr
             ? CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED
             : CUDA_SUCCESS;
}

CUresult CUDAAPI cuPointerGetAttribute(void* data, CUpointer_attribute attribute, CUdeviceptr ptr) {
  if (data == nullptr) return CUDA_ERROR_INVALID_VALUE;
  WARPYARD_CU_TRY(d::Driver::Get().CheckInitialized());
  const MemoryRecordPtr record = MemoryTable::Get().Find(ptr);
  if (record == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (attribute == CU_POINTER_ATTRIBUTE_HOST_POINTER && !record->host() &&
      record->kind != Kind::kManaged) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  return PointerAttribute(data, attribute, ptr, record.get());
}

CUresult CUDAAPI cuPointerGetAttributes(unsigned int numAttributes, CUpointer_attribute* attributes,
                                        void** data, CUdeviceptr ptr) {
  if (attributes == nullptr || data == nullptr || numAttributes == 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  WARPYARD_CU_TRY(d::Driver::Get().CheckInitialized());
  // Unknown memory is no error here: attributes are zero.
  const MemoryRecordPtr record = MemoryTable::Get().Find(ptr);
  for (unsigned i = 0; i < numAttributes; ++i) {
    if (data[i] == nullptr) return CUDA_ERROR_INVALID_VALUE;
    WARPYARD_CU_TRY(PointerAttribute(data[i], attributes[i], ptr, record.get()));
  }
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuPointerSetAttribute(const void* value, CUpointer_attribute attribute,
                                       CUdeviceptr ptr) {
  if (value == nullptr || attribute != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  WARPYARD_CU_TRY(d::Driver::Get().CheckInitialized());
  const MemoryRecordPtr record = MemoryTable::Get().Find(ptr);
  if (record == nullptr || record->host()) return CUDA_ERROR_INVALID_VALUE;
  record->sync_memops = *static_cast<const unsigned*>(value) != 0;
  return CUDA_SUCCESS;
}
