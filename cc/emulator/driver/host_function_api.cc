// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Functions of the client, and single values in memory, as work of a stream.

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "cc/emulator/driver/api.h"
#include "cc/emulator/driver/capture.h"
#include "cc/emulator/driver/context.h"
#include "cc/emulator/driver/host_operations.h"
#include "cc/emulator/driver/memory.h"
#include "cc/emulator/driver/stream.h"

namespace d = ::warpyard::emulator::driver;

namespace warpyard::emulator::driver {

CUresult HostFunction::Execute(Context& context) const {
  params.fn(params.userData);
  return CUDA_SUCCESS;
}

CUresult StreamCallback::Execute(Context& context) const {
  callback_(stream_, context.error(), user_data_);
  return CUDA_SUCCESS;
}

namespace {

template <typename T>
bool Holds(T found, T value, unsigned flags) {
  switch (flags & ~CU_STREAM_WAIT_VALUE_FLUSH) {
    case CU_STREAM_WAIT_VALUE_GEQ:
      return static_cast<std::make_signed_t<T>>(found - value) >= 0;
    case CU_STREAM_WAIT_VALUE_EQ:
      return found == value;
    case CU_STREAM_WAIT_VALUE_AND:
      return (found & value) != 0;
    default:
      return static_cast<T>(~(found | value)) != 0;
  }
}

template <typename T>
void WaitUntil(CUdeviceptr address, T value, unsigned flags, const Context& context) {
  auto& word = *static_cast<T*>(HostPointer(address));
  while (!Holds(std::atomic_ref<T>(word).load(std::memory_order_acquire), value, flags)) {
    if (!context.alive() || context.error() != CUDA_SUCCESS) return;
    std::this_thread::yield();
  }
}

template <typename T>
void Write(CUdeviceptr address, T value) {
  std::atomic_ref<T>(*static_cast<T*>(HostPointer(address)))
      .store(value, std::memory_order_release);
}

template <typename T>
void Reduce(CUdeviceptr address, T value, CUstreamAtomicReductionOpType operation) {
  std::atomic_ref<T> word(*static_cast<T*>(HostPointer(address)));
  switch (operation) {
    case CU_STREAM_ATOMIC_REDUCTION_OP_OR:
      word.fetch_or(value);
      break;
    case CU_STREAM_ATOMIC_REDUCTION_OP_AND:
      word.fetch_and(value);
      break;
    default:
      word.fetch_add(value);
      break;
  }
}

}  // namespace

CUresult MemoryOperations::Execute(Context& context) const {
  for (const CUstreamBatchMemOpParams& each : operations) {
    switch (each.operation) {
      case CU_STREAM_MEM_OP_WAIT_VALUE_32:
        WaitUntil<uint32_t>(each.waitValue.address, each.waitValue.value, each.waitValue.flags,
                            context);
        break;
      case CU_STREAM_MEM_OP_WAIT_VALUE_64:
        WaitUntil<uint64_t>(each.waitValue.address, each.waitValue.value64, each.waitValue.flags,
                            context);
        break;
      case CU_STREAM_MEM_OP_WRITE_VALUE_32:
        Write<uint32_t>(each.writeValue.address, each.writeValue.value);
        break;
      case CU_STREAM_MEM_OP_WRITE_VALUE_64:
        Write<uint64_t>(each.writeValue.address, each.writeValue.value64);
        break;
      case CU_STREAM_MEM_OP_ATOMIC_REDUCTION:
        if (each.atomicReduction.dataType == CU_STREAM_ATOMIC_REDUCTION_UNSIGNED_32) {
          Reduce<uint32_t>(each.atomicReduction.address,
                           static_cast<uint32_t>(each.atomicReduction.value),
                           each.atomicReduction.reductionOp);
        } else {
          Reduce<uint64_t>(each.atomicReduction.address, each.atomicReduction.value,
                           each.atomicReduction.reductionOp);
        }
        break;
      default:
        std::atomic_thread_fence(std::memory_order_seq_cst);
        break;
    }
  }
  return CUDA_SUCCESS;
}

CUresult CheckMemoryOperations(const CUstreamBatchMemOpParams* operations, unsigned count) {
  if (count == 0 || count > 256 || operations == nullptr) return CUDA_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < count; ++i) {
    CUdeviceptr address = 0;
    unsigned bytes = 0;
    switch (operations[i].operation) {
      case CU_STREAM_MEM_OP_WAIT_VALUE_32:
      case CU_STREAM_MEM_OP_WRITE_VALUE_32:
        address = operations[i].waitValue.address;
        bytes = 4;
        break;
      case CU_STREAM_MEM_OP_WAIT_VALUE_64:
      case CU_STREAM_MEM_OP_WRITE_VALUE_64:
        address = operations[i].waitValue.address;
        bytes = 8;
        break;
      case CU_STREAM_MEM_OP_ATOMIC_REDUCTION:
        address = operations[i].atomicReduction.address;
        bytes = operations[i].atomicReduction.dataType == CU_STREAM_ATOMIC_REDUCTION_UNSIGNED_32
                    ? 4
                    : 8;
        break;
      case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
      case CU_STREAM_MEM_OP_BARRIER:
        break;
      default:
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (bytes > 0) {
      if (address % bytes != 0) return CUDA_ERROR_INVALID_VALUE;
      WARPYARD_CU_TRY(CheckDeviceRange(address, bytes));
    }
  }
  return CUDA_SUCCESS;
}

namespace {

CUresult SubmitMemoryOperations(CUstream handle, unsigned count,
                                const CUstreamBatchMemOpParams* operations) {
  std::shared_ptr<Stream> stream;
  WARPYARD_CU_TRY(FindStream(handle, &stream));
  WARPYARD_CU_TRY(CheckMemoryOperations(operations, count));
  auto operation = std::make_shared<MemoryOperations>();
  operation->operations.assign(operations, operations + count);
  return Submit(*stream, std::move(operation));
}

CUresult WaitValue(CUstream stream, CUstreamBatchMemOpType type, CUdeviceptr address,
                   uint64_t value, unsigned flags) {
  if ((flags & ~CU_STREAM_WAIT_VALUE_FLUSH) > CU_STREAM_WAIT_VALUE_NOR) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  CUstreamBatchMemOpParams params{};
  params.operation = type;
  params.waitValue.address = address;
  params.waitValue.value64 = value;
  params.waitValue.flags = flags;
  return SubmitMemoryOperations(stream, 1, &params);
}

CUresult WriteValue(CUstream stream, CUstreamBatchMemOpType type, CUdeviceptr address,
                    uint64_t value, unsigned flags) {
  if (flags > CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER) return CUDA_ERROR_INVALID_VALUE;
  CUstreamBatchMemOpParams params{};
  params.operation = type;
  params.writeValue.address = address;
  params.writeValue.value64 = value;
  params.writeValue.flags = flags;
  return SubmitMemoryOperations(stream, 1, &params);
}

}  // namespace
}  // namespace warpyard::emulator::driver

CUresult CUDAAPI cuLaunchHostFunc(CUstream hStream, CUhostFn fn, void* userData) {
  if (fn == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<d::Stream> stream;
  WARPYARD_CU_TRY(d::FindStream(hStream, &stream));
  CUDA_HOST_NODE_PARAMS_v2 params{};
  params.fn = fn;
  params.userData = userData;
  return d::Submit(*stream, std::make_shared<d::HostFunction>(params));
}
CUresult CUDAAPI cuLaunchHostFunc_v2(CUstream hStream, CUhostFn fn, void* userData,
                                     unsigned int syncMode) {
  return cuLaunchHostFunc(hStream, fn, userData);
}

CUresult CUDAAPI cuStreamAddCallback(CUstream hStream, CUstreamCallback callback, void* userData,
                                     unsigned int flags) {
  if (callback == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<d::Stream> stream;
  WARPYARD_CU_TRY(d::FindStream(hStream, &stream));
  WARPYARD_CU_TRY(d::RefuseInCapture(*stream));
  stream->Enqueue(std::make_shared<d::StreamCallback>(hStream, callback, userData));
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr addr, cuuint32_t value,
                                        unsigned int flags) {
  return d::WaitValue(stream, CU_STREAM_MEM_OP_WAIT_VALUE_32, addr, value, flags);
}
CUresult CUDAAPI cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr addr, cuuint64_t value,
                                        unsigned int flags) {
  return d::WaitValue(stream, CU_STREAM_MEM_OP_WAIT_VALUE_64, addr, value, flags);
}
CUresult CUDAAPI cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr addr, cuuint32_t value,
                                         unsigned int flags) {
  return d::WriteValue(stream, CU_STREAM_MEM_OP_WRITE_VALUE_32, addr, value, flags);
}
CUresult CUDAAPI cuStreamWriteValue64_v2(CUstream stream, CUdeviceptr addr, cuuint64_t value,
                                         unsigned int flags) {
  return d::WriteValue(stream, CU_STREAM_MEM_OP_WRITE_VALUE_64, addr, value, flags);
}
CUresult CUDAAPI cuStreamBatchMemOp_v2(CUstream stream, unsigned int count,
                                       CUstreamBatchMemOpParams* paramArray, unsigned int flags) {
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  return d::SubmitMemoryOperations(stream, count, paramArray);
}
CUresult CUDAAPI cuStreamWaitValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value,
                                     unsigned int flags) {
  return cuStreamWaitValue32_v2(stream, addr, value, flags);
}
CUresult CUDAAPI cuStreamWaitValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value,
                                     unsigned int flags) {
  return cuStreamWaitValue64_v2(stream, addr, value, flags);
}
CUresult CUDAAPI cuStreamWriteValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value,
                                      unsigned int flags) {
  return cuStreamWriteValue32_v2(stream, addr, value, flags);
}
CUresult CUDAAPI cuStreamWriteValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value,
                                      unsigned int flags) {
  return cuStreamWriteValue64_v2(stream, addr, value, flags);
}
CUresult CUDAAPI cuStreamBatchMemOp(CUstream stream, unsigned int count,
                                    CUstreamBatchMemOpParams* paramArray, unsigned int flags) {
  return cuStreamBatchMemOp_v2(stream, count, paramArray, flags);
}
