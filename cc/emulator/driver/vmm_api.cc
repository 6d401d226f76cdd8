// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Virtual memory management: physical memory without addresses, addresses
// without memory, and mappings of one to the other.

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "cc/emulator/device/host_pages.h"
#include "cc/emulator/driver/api.h"
#include "cc/emulator/driver/context.h"
#include "cc/emulator/driver/memory.h"

namespace d = ::warpyard::emulator::driver;
using d::MemoryRecord;
using d::MemoryRecordPtr;
using d::MemoryTable;

namespace {

// What a GPU has: pages of 2 MiB.
constexpr size_t kGranularity = size_t{2} << 20;

// Physical memory: an anonymous file, so that it can be mapped at several places
// and given to other processes.
struct Physical {
  ~Physical() {
    if (device != nullptr) device->budget.Give(size);
    if (file >= 0) close(file);
  }
  d::Device* device = nullptr;
  CUmemAllocationProp properties{};
  uint64_t size = 0;
  int file = -1;
};

struct State {
  std::mutex mutex;
  CUmemGenericAllocationHandle next = 1;
  std::map<CUmemGenericAllocationHandle, std::shared_ptr<Physical>> handles;
  std::map<CUdeviceptr, uint64_t> reserved;  // base to size
  // Mapped, whether accessible or not: base to what is there.
  struct Mapping {
    uint64_t size;
    std::shared_ptr<Physical> physical;
    unsigned access = CU_MEM_ACCESS_FLAGS_PROT_NONE;
  };
  std::map<CUdeviceptr, Mapping> mapped;
};

State& TheState() {
  static auto& state = *new State;
  return state;
}

bool Aligned(uint64_t value) { return value % kGranularity == 0; }

std::shared_ptr<Physical> FindHandle(State& state, CUmemGenericAllocationHandle handle) {
  const auto found = state.handles.find(handle);
  return found == state.handles.end() ? nullptr : found->second;
}

CUmemGenericAllocationHandle AddHandle(State& state, std::shared_ptr<Physical> physical) {
  state.handles[state.next] = std::move(physical);
  return state.next++;
}

CUresult CheckProperties(const CUmemAllocationProp* properties, d::Device** device) {
  if (properties == nullptr || properties->type != CU_MEM_ALLOCATION_TYPE_PINNED) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (properties->location.type != CU_MEM_LOCATION_TYPE_DEVICE) return CUDA_ERROR_NOT_SUPPORTED;
  if ((properties->requestedHandleTypes & ~CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) != 0) {
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  return d::GetDevice(properties->location.id, device);
}

}  // namespace

CUresult CUDAAPI cuMemGetAllocationGranularity(size_t* granularity, const CUmemAllocationProp* prop,
                                               CUmemAllocationGranularity_flags option) {
  if (granularity == nullptr) return CUDA_ERROR_INVALID_VALUE;
  d::Device* device;
  WARPYARD_CU_TRY(CheckProperties(prop, &device));
  *granularity = kGranularity;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuMemCreate(CUmemGenericAllocationHandle* handle, size_t size,
                             const CUmemAllocationProp* prop, unsigned long long flags) {
  if (handle == nullptr || size == 0 || !Aligned(size) || flags != 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  d::Device* device;
  WARPYARD_CU_TRY(CheckProperties(prop, &device));
  auto physical = std::make_shared<Physical>();
  if (!device->budget.Take(size)) return CUDA_ERROR_OUT_OF_MEMORY;
  physical->device = device;
  physical->properties = *prop;
  physical->size = size;
  physical->file = memfd_create("warpyard", MFD_CLOEXEC);
  if (physical->file < 0 || ftruncate(physical->file, static_cast<off_t>(size)) != 0) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  State& state = TheState();
  const std::lock_guard<std::mutex> lock(state.mutex);
  *handle = AddHandle(state, std::move(physical));
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuMemRelease(CUmemGenericAllocationHandle handle) {
  WARPYARD_CU_TRY(d::Driver::Get().CheckInitialized());
  State& state = TheState();
  const std::lock_guard<std::mutex> lock(state.mutex);
  // Mappings keep the memory.
  return state.handles.erase(handle) == 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult CUDAAPI cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* prop,
                                                        CUmemGenericAllocationHandle handle) {
  if (prop == nullptr) return CUDA_ERROR_INVALID_VALUE;
  State& state = TheState();
  const std::lock_guard<std::mutex> lock(state.mutex);
  const std::shared_ptr<Physical> physical = FindHandle(state, handle);
  if (physical == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *prop = physical->properties;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuMemAddressReserve(CUdeviceptr* ptr, size_t size, size_t alignment,
                                     CUdeviceptr addr, unsigned long long flags) {
  if (ptr == nullptr || size == 0 || !Aligned(size) || flags != 0 ||
      (alignment & (alignment - 1)) != 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  WARPYARD_CU_TRY(d::Driver::Get().CheckInitialized());
  using ::warpyard::emulator::MapPages;
  void* pages = nullptr;
  if (addr != 0 && Aligned(addr)) {
    pages = MapPages(size, kGranularity, d::HostPointer(addr), /*accessible=*/false);
    if (pages != nullptr && !Aligned(reinterpret_cast<uint64_t>(pages))) {
      ::warpyard::emulator::UnmapPages(pages, size);
      pages = nullptr;
    }
  }
  if (pages == nullptr) {
    pages = MapPages(size, std::max(alignment, kGranularity), nullptr, /*accessible=*/false);
  }
  if (pages == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
  *ptr = reinterpret_cast<CUdeviceptr>(pages);
  State& state = TheState();
  const std::lock_guard<std::mutex> lock(state.mutex);
  state.reserved[*ptr] = size;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuMemAddressFree(CUdeviceptr ptr, size_t size) {
  WARPYARD_CU_TRY(d::Driver::Get().CheckInitialized());
  State& state = TheState();
  const std::lock_guard<std::mutex> lock(state.mutex);
  const auto found = state.reserved.find(ptr);
  if (found == state.reserved.end() || found->second != size) return CUDA_ERROR_INVALID_VALUE;
  const auto mapping = state.mapped.lower_bound(ptr);
  if (mapping != state.mapped.end() && mapping->first < ptr + size) {
    return CUDA_ERROR_INVALID_VALUE;  // still mapped
  }
  ::warpyard::emulator::UnmapPages(d::HostPointer(ptr), size);
  state.reserved.erase(found);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuMemMap(CUdeviceptr ptr, size_t size, size_t offset,
                          CUmemGenericAllocationHandle handle, unsigned long long flags) {
  if (size == 0 || !Aligned(ptr) || !Aligned(size) || offset != 0 || flags != 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  WARPYARD_CU_TRY(d::Driver::Get().CheckInitialized());
  State& state = TheState();
  const std::lock_guard<std::mutex> lock(state.mutex);
  const std::shared_ptr<Physical> physical = FindHandle(state, handle);
  if (physical == nullptr || size > physical->size) return CUDA_ERROR_INVALID_VALUE;
  auto range = state.reserved.upper_bound(ptr);
  if (range == state.reserved.begin()) return CUDA_ERROR_INVALID_VALUE;
  --range;
  if (ptr - range->first > range->second || size > range->second - (ptr - range->first)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const auto after = state.mapped.lower_bound(ptr);
  if (after != state.mapped.end() && after->first < ptr + size) return CUDA_ERROR_INVALID_VALUE;
  if (after != state.mapped.begin()) {
    const auto before = std::prev(after);
    if (before->first + before->second.size > ptr) return CUDA_ERROR_INVALID_VALUE;
  }
  if (mmap(d::HostPointer(ptr), size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
           physical->file, 0) == MAP_FAILED) {
    return CUDA_ERROR_MAP_FAILED;
  }
  state.mapped[ptr] = {size, physical};
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuMemUnmap(CUdeviceptr ptr, size_t size) {
  WARPYARD_CU_TRY(d::Driver::Get().CheckInitialized());
  State& state = TheState();
  const std::lock_guard<std::mutex> lock(state.mutex);
  // Whole mappings alone, one or several side by side.
  uint64_t covered = ptr;
  for (auto it = state.mapped.find(ptr);
       it != state.mapped.end() && it->first == covered && covered < ptr + size; ++it) {
    covered += it->second.size;
  }
  if (covered != ptr + size || size == 0) return CUDA_ERROR_INVALID_VALUE;
  for (auto it = state.mapped.find(ptr); it != state.mapped.end() && it->first < ptr + size;) {
    MemoryTable::Get().Remove(it->first);
    it = state.mapped.erase(it);
  }
  ::warpyard::emulator::ReservePages(d::HostPointer(ptr), size);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuMemSetAccess(CUdeviceptr ptr, size_t size, const CUmemAccessDesc* desc,
                                size_t count) {
  if (desc == nullptr || count == 0) return CUDA_ERROR_INVALID_VALUE;
  WARPYARD_CU_TRY(d::Driver::Get().CheckInitialized());
  State& state = TheState();
  const std::lock_guard<std::mutex> lock(state.mutex);
  uint64_t covered = ptr;
  for (auto it = state.mapped.find(ptr);
       it != state.mapped.end() && it->first == covered && covered < ptr + size; ++it) {
    covered += it->second.size;
  }
  if (covered < ptr + size || size == 0) return CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < count; ++i) {
    if (desc[i].location.type != CU_MEM_LOCATION_TYPE_DEVICE) return CUDA_ERROR_NOT_SUPPORTED;
    d::Device* device;
    WARPYARD_CU_TRY(d::GetDevice(desc[i].location.id, &device));
    for (auto it = state.mapped.find(ptr); it != state.mapped.end() && it->first < ptr + size;
         ++it) {
      State::Mapping& mapping = it->second;
      // The owner's access decides; other devices come in as peers.
      if (device != mapping.physical->device) continue;
      mapping.access = desc[i].flags;
      MemoryTable::Get().Remove(it->first);
      if (desc[i].flags == CU_MEM_ACCESS_FLAGS_PROT_NONE) continue;
      auto record = std::make_shared<MemoryRecord>();
      record->base = it->first;
      record->size = mapping.size;
      record->kind = MemoryRecord::Kind::kMapped;
      record->device = device;
      record->access_flags = desc[i].flags;
      record->keeps = mapping.physical;
      WARPYARD_CU_TRY(MemoryTable::Get().Add(std::move(record)));
    }
  }
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location,
                                CUdeviceptr ptr) {
  if (flags == nullptr || location == nullptr) return CUDA_ERROR_INVALID_VALUE;
  State& state = TheState();
  const std::lock_guard<std::mutex> lock(state.mutex);
  auto mapping = state.mapped.upper_bound(ptr);
  if (mapping == state.mapped.begin()) return CUDA_ERROR_INVALID_VALUE;
  --mapping;
  if (ptr - mapping->first >= mapping->second.size) return CUDA_ERROR_INVALID_VALUE;
  *flags = mapping->second.access;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* handle, void* addr) {
  if (handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
  State& state = TheState();
  const std::lock_guard<std::mutex> lock(state.mutex);
  const CUdeviceptr address = reinterpret_cast<CUdeviceptr>(addr);
  auto mapping = state.mapped.upper_bound(address);
  if (mapping == state.mapped.begin()) return CUDA_ERROR_INVALID_VALUE;
  --mapping;
  if (address - mapping->first >= mapping->second.size) return CUDA_ERROR_INVALID_VALUE;
  *handle = AddHandle(state, mapping->second.physical);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuMemExportToShareableHandle(void* shareableHandle,
                                              CUmemGenericAllocationHandle handle,
                                              CUmemAllocationHandleType handleType,
                                              unsigned long long flags) {
  if (shareableHandle == nullptr || flags != 0 ||
      handleType != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  State& state = TheState();
  const std::lock_guard<std::mutex> lock(state.mutex);
  const std::shared_ptr<Physical> physical = FindHandle(state, handle);
  if (physical == nullptr || (physical->properties.requestedHandleTypes & handleType) == 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const int file = dup(physical->file);
  if (file < 0) return CUDA_ERROR_OPERATING_SYSTEM;
  *static_cast<int*>(shareableHandle) = file;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuMemImportFromShareableHandle(CUmemGenericAllocationHandle* handle,
                                                void* osHandle,
                                                CUmemAllocationHandleType shHandleType) {
  if (handle == nullptr || shHandleType != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  WARPYARD_CU_CURRENT(context);
  auto physical = std::make_shared<Physical>();
  physical->file = dup(static_cast<int>(reinterpret_cast<intptr_t>(osHandle)));
  if (physical->file < 0) return CUDA_ERROR_INVALID_VALUE;
  const off_t size = lseek(physical->file, 0, SEEK_END);
  if (size <= 0 || !Aligned(static_cast<uint64_t>(size))) return CUDA_ERROR_INVALID_VALUE;
  if (!context->device().budget.Take(static_cast<uint64_t>(size))) return CUDA_ERROR_OUT_OF_MEMORY;
  physical->device = &context->device();
  physical->size = static_cast<uint64_t>(size);
  physical->properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  physical->properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  physical->properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  physical->properties.location.id = context->device().ordinal();
  State& state = TheState();
  const std::lock_guard<std::mutex> lock(state.mutex);
  *handle = AddHandle(state, std::move(physical));
  return CUDA_SUCCESS;
}
