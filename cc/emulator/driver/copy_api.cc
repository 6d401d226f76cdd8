// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Copies in all forms: to, from and between devices, of one to three
// dimensions, at once or as work of a stream.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "cc/emulator/driver/api.h"
#include "cc/emulator/driver/capture.h"
#include "cc/emulator/driver/context.h"
#include "cc/emulator/driver/copy_operations.h"
#include "cc/emulator/driver/memory.h"
#include "cc/emulator/driver/stream.h"

namespace d = ::warpyard::emulator::driver;

namespace {

// Pageable memory up to this size is copied when an asynchronous copy is
// enqueued; the call waits for larger copies.
constexpr size_t kLargestStaged = size_t{1} << 20;

CUdeviceptr Address(const void* pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }

CUresult CopyNow(const CUDA_MEMCPY3D& params) {
  std::shared_ptr<d::Stream> stream;
  WARPYARD_CU_TRY(d::FindStream(nullptr, &stream));
  WARPYARD_CU_TRY(d::CheckCopy(params));
  auto copy = std::make_shared<d::Copy>(params);
  if (stream->kind() != d::Stream::Kind::kLegacy) return d::SubmitAndWait(*stream, std::move(copy));
  WARPYARD_CU_TRY(d::RefuseInCapture(*stream));
  d::Stream::AwaitAll(stream->LegacyBarrier());
  WARPYARD_CU_TRY(stream->context()->error());
  return copy->Execute(*stream->context());
}

bool Pageable(CUmemorytype type, const void* host, CUdeviceptr device) {
  if (type == CU_MEMORYTYPE_DEVICE) return false;
  const CUdeviceptr address = type == CU_MEMORYTYPE_HOST ? Address(host) : device;
  return d::MemoryTable::Get().Find(address) == nullptr;
}

CUresult CopyInStream(const CUDA_MEMCPY3D& params, CUstream handle) {
  std::shared_ptr<d::Stream> stream;
  WARPYARD_CU_TRY(d::FindStream(handle, &stream));
  WARPYARD_CU_TRY(d::CheckCopy(params));
  auto copy = std::make_shared<d::Copy>(params);
  copy->context_handle = stream->context()->handle();
  bool captured;
  {
    const std::lock_guard<std::mutex> lock(d::GraphLock());
    captured = stream->capture != nullptr;
  }
  const bool from_pageable = Pageable(params.srcMemoryType, params.srcHost, params.srcDevice);
  const bool to_pageable = Pageable(params.dstMemoryType, params.dstHost, params.dstDevice);
  if (captured || (!from_pageable && !to_pageable)) return d::Submit(*stream, std::move(copy));
  if (from_pageable && !to_pageable && params.Height == 1 && params.Depth == 1 &&
      params.srcY == 0 && params.srcZ == 0 && params.WidthInBytes <= kLargestStaged) {
    const bool host = params.srcMemoryType == CU_MEMORYTYPE_HOST;
    const char* const source =
        static_cast<const char*>(host ? params.srcHost : d::HostPointer(params.srcDevice)) +
        params.srcXInBytes;
    copy->staged.assign(source, params.WidthInBytes);
    copy->params.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy->params.srcHost = copy->staged.data();
    copy->params.srcXInBytes = 0;
    return d::Submit(*stream, std::move(copy));
  }
  // As the driver: pageable memory has been read or written when the call returns.
  return d::SubmitAndWait(*stream, std::move(copy));
}

CUDA_MEMCPY3D HostToDevice(CUdeviceptr device, const void* host, size_t bytes) {
  CUDA_MEMCPY3D params = d::LinearCopy(device, 0, bytes);
  params.srcMemoryType = CU_MEMORYTYPE_HOST;
  params.srcHost = host;
  params.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  return params;
}

CUDA_MEMCPY3D DeviceToHost(void* host, CUdeviceptr device, size_t bytes) {
  CUDA_MEMCPY3D params = d::LinearCopy(0, device, bytes);
  params.dstMemoryType = CU_MEMORYTYPE_HOST;
  params.dstHost = host;
  params.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  return params;
}

CUDA_MEMCPY3D DeviceToDevice(CUdeviceptr destination, CUdeviceptr source, size_t bytes) {
  CUDA_MEMCPY3D params = d::LinearCopy(destination, source, bytes);
  params.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  params.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  return params;
}

CUDA_MEMCPY3D FromTwoDimensions(const CUDA_MEMCPY2D& copy) {
  CUDA_MEMCPY3D params{};
  params.srcXInBytes = copy.srcXInBytes;
  params.srcY = copy.srcY;
  params.srcMemoryType = copy.srcMemoryType;
  params.srcHost = copy.srcHost;
  params.srcDevice = copy.srcDevice;
  params.srcArray = copy.srcArray;
  params.srcPitch = copy.srcPitch;
  params.dstXInBytes = copy.dstXInBytes;
  params.dstY = copy.dstY;
  params.dstMemoryType = copy.dstMemoryType;
  params.dstHost = copy.dstHost;
  params.dstDevice = copy.dstDevice;
  params.dstArray = copy.dstArray;
  params.dstPitch = copy.dstPitch;
  params.WidthInBytes = copy.WidthInBytes;
  params.Height = copy.Height;
  params.Depth = 1;
  return params;
}

// The two differ only in that contexts stand where the other has reserved fields.
CUDA_MEMCPY3D FromPeer(const CUDA_MEMCPY3D_PEER& copy) {
  CUDA_MEMCPY3D params{};
  params.srcXInBytes = copy.srcXInBytes;
  params.srcY = copy.srcY;
  params.srcZ = copy.srcZ;
  params.srcMemoryType = copy.srcMemoryType;
  params.srcHost = copy.srcHost;
  params.srcDevice = copy.srcDevice;
  params.srcArray = copy.srcArray;
  params.srcPitch = copy.srcPitch;
  params.srcHeight = copy.srcHeight;
  params.dstXInBytes = copy.dstXInBytes;
  params.dstY = copy.dstY;
  params.dstZ = copy.dstZ;
  params.dstMemoryType = copy.dstMemoryType;
  params.dstHost = copy.dstHost;
  params.dstDevice = copy.dstDevice;
  params.dstArray = copy.dstArray;
  params.dstPitch = copy.dstPitch;
  params.dstHeight = copy.dstHeight;
  params.WidthInBytes = copy.WidthInBytes;
  params.Height = copy.Height;
  params.Depth = copy.Depth;
  return params;
}

CUresult FromBatchOperand(const CUmemcpy3DOperand& operand, CUdeviceptr* address, size_t* pitch,
                          size_t* height) {
  if (operand.type != CU_MEMCPY_OPERAND_TYPE_POINTER) {
    return d::NotSupported("a copy from or to a CUDA array");
  }
  *address = operand.op.ptr.ptr;
  *pitch = operand.op.ptr.rowLength;
  *height = operand.op.ptr.layerHeight;
  return CUDA_SUCCESS;
}

CUresult CopyBatchOperation(const CUDA_MEMCPY3D_BATCH_OP& operation, CUstream stream) {
  CUDA_MEMCPY3D params = d::LinearCopy(0, 0, operation.extent.width);
  params.Height = operation.extent.height;
  params.Depth = operation.extent.depth;
  WARPYARD_CU_TRY(
      FromBatchOperand(operation.src, &params.srcDevice, &params.srcPitch, &params.srcHeight));
  WARPYARD_CU_TRY(
      FromBatchOperand(operation.dst, &params.dstDevice, &params.dstPitch, &params.dstHeight));
  return CopyInStream(params, stream);
}

}  // namespace

CUresult CUDAAPI cuMemcpyHtoD_v2(CUdeviceptr dstDevice, const void* srcHost, size_t ByteCount) {
  return CopyNow(HostToDevice(dstDevice, srcHost, ByteCount));
}
CUresult CUDAAPI cuMemcpyDtoH_v2(void* dstHost, CUdeviceptr srcDevice, size_t ByteCount) {
  return CopyNow(DeviceToHost(dstHost, srcDevice, ByteCount));
}
CUresult CUDAAPI cuMemcpyDtoD_v2(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount) {
  return CopyNow(DeviceToDevice(dstDevice, srcDevice, ByteCount));
}
CUresult CUDAAPI cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount) {
  return CopyNow(d::LinearCopy(dst, src, ByteCount));
}
CUresult CUDAAPI cuMemcpyPeer(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice,
                              CUcontext srcContext, size_t ByteCount) {
  return CopyNow(DeviceToDevice(dstDevice, srcDevice, ByteCount));
}
CUresult CUDAAPI cuMemcpy2D_v2(const CUDA_MEMCPY2D* pCopy) {
  return pCopy == nullptr ? CUDA_ERROR_INVALID_VALUE : CopyNow(FromTwoDimensions(*pCopy));
}
CUresult CUDAAPI cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D* pCopy) { return cuMemcpy2D_v2(pCopy); }
CUresult CUDAAPI cuMemcpy3D_v2(const CUDA_MEMCPY3D* pCopy) {
  return pCopy == nullptr ? CUDA_ERROR_INVALID_VALUE : CopyNow(*pCopy);
}
CUresult CUDAAPI cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER* pCopy) {
  return pCopy == nullptr ? CUDA_ERROR_INVALID_VALUE : CopyNow(FromPeer(*pCopy));
}

CUresult CUDAAPI cuMemcpyHtoDAsync_v2(CUdeviceptr dstDevice, const void* srcHost, size_t ByteCount,
                                      CUstream hStream) {
  return CopyInStream(HostToDevice(dstDevice, srcHost, ByteCount), hStream);
}
CUresult CUDAAPI cuMemcpyDtoHAsync_v2(void* dstHost, CUdeviceptr srcDevice, size_t ByteCount,
                                      CUstream hStream) {
  return CopyInStream(DeviceToHost(dstHost, srcDevice, ByteCount), hStream);
}
CUresult CUDAAPI cuMemcpyDtoDAsync_v2(CUdeviceptr dstDevice, CUdeviceptr srcDevice,
                                      size_t ByteCount, CUstream hStream) {
  return CopyInStream(DeviceToDevice(dstDevice, srcDevice, ByteCount), hStream);
}
CUresult CUDAAPI cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount,
                               CUstream hStream) {
  return CopyInStream(d::LinearCopy(dst, src, ByteCount), hStream);
}
CUresult CUDAAPI cuMemcpyPeerAsync(CUdeviceptr dstDevice, CUcontext dstContext,
                                   CUdeviceptr srcDevice, CUcontext srcContext, size_t ByteCount,
                                   CUstream hStream) {
  return CopyInStream(DeviceToDevice(dstDevice, srcDevice, ByteCount), hStream);
}
CUresult CUDAAPI cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D* pCopy, CUstream hStream) {
  return pCopy == nullptr ? CUDA_ERROR_INVALID_VALUE
                          : CopyInStream(FromTwoDimensions(*pCopy), hStream);
}
CUresult CUDAAPI cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D* pCopy, CUstream hStream) {
  return pCopy == nullptr ? CUDA_ERROR_INVALID_VALUE : CopyInStream(*pCopy, hStream);
}
CUresult CUDAAPI cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER* pCopy, CUstream hStream) {
  return pCopy == nullptr ? CUDA_ERROR_INVALID_VALUE : CopyInStream(FromPeer(*pCopy), hStream);
}

CUresult CUDAAPI cuMemcpyBatchAsync_v2(CUdeviceptr* dsts, CUdeviceptr* srcs, size_t* sizes,
                                       size_t count, CUmemcpyAttributes* attrs, size_t* attrsIdxs,
                                       size_t numAttrs, CUstream hStream) {
  if (dsts == nullptr || srcs == nullptr || sizes == nullptr || count == 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  // Batches do not go to default streams.
  if (hStream == nullptr || hStream == CU_STREAM_LEGACY) return CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < count; ++i) {
    WARPYARD_CU_TRY(CopyInStream(d::LinearCopy(dsts[i], srcs[i], sizes[i]), hStream));
  }
  return CUDA_SUCCESS;
}
CUresult CUDAAPI cuMemcpyBatchAsync(CUdeviceptr* dsts, CUdeviceptr* srcs, size_t* sizes,
                                    size_t count, CUmemcpyAttributes* attrs, size_t* attrsIdxs,
                                    size_t numAttrs, size_t* failIdx, CUstream hStream) {
  if (failIdx != nullptr) *failIdx = SIZE_MAX;
  return cuMemcpyBatchAsync_v2(dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs, hStream);
}
CUresult CUDAAPI cuMemcpyWithAttributesAsync(CUdeviceptr dst, CUdeviceptr src, size_t size,
                                             CUmemcpyAttributes* attr, CUstream hStream) {
  return CopyInStream(d::LinearCopy(dst, src, size), hStream);
}

CUresult CUDAAPI cuMemcpy3DBatchAsync_v2(size_t numOps, CUDA_MEMCPY3D_BATCH_OP* opList,
                                         unsigned long long flags, CUstream hStream) {
  if (numOps == 0 || opList == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  if (hStream == nullptr || hStream == CU_STREAM_LEGACY) return CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < numOps; ++i) WARPYARD_CU_TRY(CopyBatchOperation(opList[i], hStream));
  return CUDA_SUCCESS;
}
CUresult CUDAAPI cuMemcpy3DBatchAsync(size_t numOps, CUDA_MEMCPY3D_BATCH_OP* opList,
                                      size_t* failIdx, unsigned long long flags, CUstream hStream) {
  if (failIdx != nullptr) *failIdx = SIZE_MAX;
  return cuMemcpy3DBatchAsync_v2(numOps, opList, flags, hStream);
}
CUresult CUDAAPI cuMemcpy3DWithAttributesAsync(CUDA_MEMCPY3D_BATCH_OP* op, unsigned long long flags,
                                               CUstream hStream) {
  if (op == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  return CopyBatchOperation(*op, hStream);
}
