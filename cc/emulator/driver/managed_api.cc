// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Managed memory's hints, which have no effect where host and device share
// memory, and the profiler's switches.

#include <cstddef>
#include <cstdint>
#include <memory>

#include "cc/emulator/driver/api.h"
#include "cc/emulator/driver/context.h"
#include "cc/emulator/driver/memory.h"
#include "cc/emulator/driver/stream.h"

namespace d = ::warpyard::emulator::driver;
using d::MemoryRecord;
using d::MemoryRecordPtr;
using d::MemoryTable;

namespace {

CUresult CheckManaged(CUdeviceptr address, size_t bytes) {
  if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  WARPYARD_CU_TRY(d::CheckDeviceRange(address, bytes));
  const MemoryRecordPtr record = MemoryTable::Get().Find(address);
  return record->kind == MemoryRecord::Kind::kManaged ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult CheckLocation(const CUmemLocation& location) {
  switch (location.type) {
    case CU_MEM_LOCATION_TYPE_DEVICE: {
      d::Device* device;
      return d::GetDevice(location.id, &device);
    }
    case CU_MEM_LOCATION_TYPE_HOST:
    case CU_MEM_LOCATION_TYPE_HOST_NUMA:
    case CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT:
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

CUmemLocation LocationOf(CUdevice device) {
  CUmemLocation location{};
  location.type = device == CU_DEVICE_CPU ? CU_MEM_LOCATION_TYPE_HOST : CU_MEM_LOCATION_TYPE_DEVICE;
  location.id = device == CU_DEVICE_CPU ? 0 : device;
  return location;
}

}  // namespace

CUresult CUDAAPI cuMemPrefetchAsync_v2(CUdeviceptr devPtr, size_t count, CUmemLocation location,
                                       unsigned int flags, CUstream hStream) {
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<d::Stream> stream;
  WARPYARD_CU_TRY(d::FindStream(hStream, &stream));
  WARPYARD_CU_TRY(CheckManaged(devPtr, count));
  return CheckLocation(location);
}
CUresult CUDAAPI cuMemPrefetchAsync(CUdeviceptr devPtr, size_t count, CUdevice dstDevice,
                                    CUstream hStream) {
  return cuMemPrefetchAsync_v2(devPtr, count, LocationOf(dstDevice), 0, hStream);
}

CUresult CUDAAPI cuMemAdvise_v2(CUdeviceptr devPtr, size_t count, CUmem_advise advice,
                                CUmemLocation location) {
  WARPYARD_CU_CURRENT(context);
  if (advice < CU_MEM_ADVISE_SET_READ_MOSTLY || advice > CU_MEM_ADVISE_UNSET_ACCESSED_BY) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  WARPYARD_CU_TRY(CheckManaged(devPtr, count));
  return advice == CU_MEM_ADVISE_SET_PREFERRED_LOCATION || advice == CU_MEM_ADVISE_SET_ACCESSED_BY
             ? CheckLocation(location)
             : CUDA_SUCCESS;
}
CUresult CUDAAPI cuMemAdvise(CUdeviceptr devPtr, size_t count, CUmem_advise advice,
                             CUdevice device) {
  return cuMemAdvise_v2(devPtr, count, advice, LocationOf(device));
}

CUresult CUDAAPI cuStreamAttachMemAsync(CUstream hStream, CUdeviceptr dptr, size_t length,
                                        unsigned int flags) {
  std::shared_ptr<d::Stream> stream;
  WARPYARD_CU_TRY(d::FindStream(hStream, &stream));
  const MemoryRecordPtr record = MemoryTable::Get().Find(dptr);
  if (record == nullptr || record->kind != MemoryRecord::Kind::kManaged ||
      flags > CU_MEM_ATTACH_SINGLE * 2 - 1) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}

// cudaProfiler.h
extern "C" {
CUresult CUDAAPI cuProfilerInitialize(const char* config_file, const char* output_file,
                                      int output_mode) {
  return CUDA_ERROR_NOT_SUPPORTED;  // since CUDA 12
}
CUresult CUDAAPI cuProfilerStart(void) {
  WARPYARD_CU_CURRENT(context);
  return CUDA_SUCCESS;
}
CUresult CUDAAPI cuProfilerStop(void) {
  WARPYARD_CU_CURRENT(context);
  return CUDA_SUCCESS;
}
}
