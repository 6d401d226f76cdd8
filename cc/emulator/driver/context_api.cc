// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Primary and ordinary contexts, the stack of contexts of a thread, limits.

#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "cc/emulator/driver/api.h"
#include "cc/emulator/driver/capture.h"
#include "cc/emulator/driver/context.h"
#include "cc/emulator/driver/event.h"
#include "cc/emulator/driver/handles.h"

namespace d = ::warpyard::emulator::driver;

namespace {

constexpr unsigned kKnownFlags = CU_CTX_FLAGS_MASK;

bool ValidFlags(unsigned flags) {
  return (flags & ~kKnownFlags) == 0 && (flags & CU_CTX_SCHED_MASK) != 3 &&
         (flags & CU_CTX_SCHED_MASK) <= CU_CTX_SCHED_BLOCKING_SYNC;
}

CUresult CreateContext(CUcontext* out, unsigned flags, CUdevice dev) {
  if (out == nullptr || !ValidFlags(flags)) return CUDA_ERROR_INVALID_VALUE;
  d::Device* device;
  WARPYARD_CU_TRY(d::GetDevice(dev, &device));
  std::shared_ptr<d::Context> context = d::Context::Make(*device, flags, /*primary=*/false);
  *out = context->handle();
  d::ContextStack().push_back(std::move(context));
  return CUDA_SUCCESS;
}

// Null stands for "no context".
CUresult FindOrNull(CUcontext handle, std::shared_ptr<d::Context>* context) {
  if (handle == nullptr) {
    context->reset();
    return d::Driver::Get().CheckInitialized();
  }
  return d::FindContext(handle, context);
}

}  // namespace

CUresult CUDAAPI cuDevicePrimaryCtxRetain(CUcontext* pctx, CUdevice dev) {
  if (pctx == nullptr) return CUDA_ERROR_INVALID_VALUE;
  d::Device* device;
  WARPYARD_CU_TRY(d::GetDevice(dev, &device));
  std::shared_ptr<d::Context> context;
  WARPYARD_CU_TRY(d::RetainPrimary(*device, &context));
  *pctx = context->handle();
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDevicePrimaryCtxRelease_v2(CUdevice dev) {
  d::Device* device;
  WARPYARD_CU_TRY(d::GetDevice(dev, &device));
  std::shared_ptr<d::Context> last;
  {
    const std::lock_guard<std::mutex> lock(device->primary_mutex);
    if (device->primary_retained == 0) return CUDA_ERROR_INVALID_CONTEXT;
    if (--device->primary_retained == 0) last = device->primary;
  }
  if (last != nullptr) last->Destroy();
  return CUDA_SUCCESS;
}
CUresult CUDAAPI cuDevicePrimaryCtxRelease(CUdevice dev) {
  return cuDevicePrimaryCtxRelease_v2(dev);
}

CUresult CUDAAPI cuDevicePrimaryCtxReset_v2(CUdevice dev) {
  d::Device* device;
  WARPYARD_CU_TRY(d::GetDevice(dev, &device));
  const std::lock_guard<std::mutex> lock(device->primary_mutex);
  if (device->primary == nullptr || !device->primary->alive()) return CUDA_SUCCESS;
  device->primary->Destroy();
  // Those who retain it go on with a fresh one.
  if (device->primary_retained > 0) device->primary->Revive(device->primary_flags);
  return CUDA_SUCCESS;
}
CUresult CUDAAPI cuDevicePrimaryCtxReset(CUdevice dev) { return cuDevicePrimaryCtxReset_v2(dev); }

CUresult CUDAAPI cuDevicePrimaryCtxSetFlags_v2(CUdevice dev, unsigned int flags) {
  if (!ValidFlags(flags)) return CUDA_ERROR_INVALID_VALUE;
  d::Device* device;
  WARPYARD_CU_TRY(d::GetDevice(dev, &device));
  const std::lock_guard<std::mutex> lock(device->primary_mutex);
  device->primary_flags = flags;
  if (device->primary != nullptr) device->primary->flags = flags;
  return CUDA_SUCCESS;
}
CUresult CUDAAPI cuDevicePrimaryCtxSetFlags(CUdevice dev, unsigned int flags) {
  return cuDevicePrimaryCtxSetFlags_v2(dev, flags);
}

CUresult CUDAAPI cuDevicePrimaryCtxGetState(CUdevice dev, unsigned int* flags, int* active) {
  if (flags == nullptr || active == nullptr) return CUDA_ERROR_INVALID_VALUE;
  d::Device* device;
  WARPYARD_CU_TRY(d::GetDevice(dev, &device));
  const std::lock_guard<std::mutex> lock(device->primary_mutex);
  *flags = device->primary_flags;
  *active = device->primary != nullptr && device->primary->alive() ? 1 : 0;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxCreate_v4(CUcontext* pctx, CUctxCreateParams* ctxCreateParams,
                                unsigned int flags, CUdevice dev) {
  if (ctxCreateParams != nullptr) {
    if (ctxCreateParams->cigParams != nullptr) {
      return d::NotSupported("cuCtxCreate with CUDA in graphics");
    }
    if (ctxCreateParams->numExecAffinityParams != 0) return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
  }
  return CreateContext(pctx, flags, dev);
}
CUresult CUDAAPI cuCtxCreate_v3(CUcontext* pctx, CUexecAffinityParam* paramsArray, int numParams,
                                unsigned int flags, CUdevice dev) {
  if (numParams != 0) return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
  return CreateContext(pctx, flags, dev);
}
CUresult CUDAAPI cuCtxCreate_v2(CUcontext* pctx, unsigned int flags, CUdevice dev) {
  return CreateContext(pctx, flags, dev);
}

CUresult CUDAAPI cuCtxDestroy_v2(CUcontext ctx) {
  if (ctx == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<d::Context> context;
  WARPYARD_CU_TRY(d::FindContext(ctx, &context));
  if (context->primary()) return CUDA_ERROR_INVALID_CONTEXT;
  d::Handles<d::Context>::Get().Remove(ctx);
  context->Destroy();
  std::vector<std::shared_ptr<d::Context>>& stack = d::ContextStack();
  if (!stack.empty() && stack.back() == context) stack.pop_back();
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxPushCurrent_v2(CUcontext ctx) {
  if (ctx == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  std::shared_ptr<d::Context> context;
  WARPYARD_CU_TRY(d::FindContext(ctx, &context));
  d::ContextStack().push_back(std::move(context));
  return CUDA_SUCCESS;
}
CUresult CUDAAPI cuCtxPushCurrent(CUcontext ctx) { return cuCtxPushCurrent_v2(ctx); }

CUresult CUDAAPI cuCtxPopCurrent_v2(CUcontext* pctx) {
  WARPYARD_CU_TRY(d::Driver::Get().CheckInitialized());
  std::vector<std::shared_ptr<d::Context>>& stack = d::ContextStack();
  if (stack.empty()) return CUDA_ERROR_INVALID_CONTEXT;
  if (pctx != nullptr) *pctx = stack.back() == nullptr ? nullptr : stack.back()->handle();
  stack.pop_back();
  return CUDA_SUCCESS;
}
CUresult CUDAAPI cuCtxPopCurrent(CUcontext* pctx) { return cuCtxPopCurrent_v2(pctx); }

CUresult CUDAAPI cuCtxSetCurrent(CUcontext ctx) {
  std::shared_ptr<d::Context> context;
  WARPYARD_CU_TRY(FindOrNull(ctx, &context));
  std::vector<std::shared_ptr<d::Context>>& stack = d::ContextStack();
  if (!stack.empty()) stack.pop_back();
  if (context != nullptr) stack.push_back(std::move(context));
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxGetCurrent(CUcontext* pctx) {
  if (pctx == nullptr) return CUDA_ERROR_INVALID_VALUE;
  WARPYARD_CU_TRY(d::Driver::Get().CheckInitialized());
  const std::vector<std::shared_ptr<d::Context>>& stack = d::ContextStack();
  *pctx = stack.empty() || stack.back() == nullptr ? nullptr : stack.back()->handle();
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxGetDevice_v2(CUdevice* device, CUcontext ctx) {
  if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<d::Context> context;
  WARPYARD_CU_TRY(d::FindContext(ctx, &context));
  *device = context->device().ordinal();
  return CUDA_SUCCESS;
}
CUresult CUDAAPI cuCtxGetDevice(CUdevice* device) { return cuCtxGetDevice_v2(device, nullptr); }

CUresult CUDAAPI cuCtxGetFlags(unsigned int* flags) {
  if (flags == nullptr) return CUDA_ERROR_INVALID_VALUE;
  WARPYARD_CU_CURRENT(context);
  *flags = context->flags;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxSetFlags(unsigned int flags) {
  if (!ValidFlags(flags)) return CUDA_ERROR_INVALID_VALUE;
  WARPYARD_CU_CURRENT(context);
  context->flags = flags;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxGetId(CUcontext ctx, unsigned long long* ctxId) {
  if (ctxId == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<d::Context> context;
  WARPYARD_CU_TRY(d::FindContext(ctx, &context));
  *ctxId = context->id();
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxSynchronize_v2(CUcontext ctx) {
  std::shared_ptr<d::Context> context;
  WARPYARD_CU_TRY(d::FindContext(ctx, &context));
  WARPYARD_CU_TRY(d::CheckNotCapturing(*context));
  return context->Synchronize();
}
CUresult CUDAAPI cuCtxSynchronize(void) { return cuCtxSynchronize_v2(nullptr); }

CUresult CUDAAPI cuCtxSetLimit(CUlimit limit, size_t value) {
  WARPYARD_CU_CURRENT(context);
  switch (limit) {
    case CU_LIMIT_STACK_SIZE:
      // Threads have at most 512 KiB of local memory.
      if (value > (size_t{512} << 10)) return CUDA_ERROR_INVALID_VALUE;
      context->limits[limit] = (value + 15) / 16 * 16;
      return CUDA_SUCCESS;
    case CU_LIMIT_PRINTF_FIFO_SIZE:
    case CU_LIMIT_MALLOC_HEAP_SIZE:
    case CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT:
    case CU_LIMIT_PERSISTING_L2_CACHE_SIZE:
      context->limits[limit] = value;
      return CUDA_SUCCESS;
    case CU_LIMIT_MAX_L2_FETCH_GRANULARITY:
      if (value > 128) return CUDA_ERROR_INVALID_VALUE;
      context->limits[limit] = value;
      return CUDA_SUCCESS;
    case CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH:
      return CUDA_ERROR_UNSUPPORTED_LIMIT;  // gone with compute capability 9.0
    default:
      return limit < CU_LIMIT_MAX ? CUDA_ERROR_UNSUPPORTED_LIMIT : CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult CUDAAPI cuCtxGetLimit(size_t* pvalue, CUlimit limit) {
  if (pvalue == nullptr) return CUDA_ERROR_INVALID_VALUE;
  WARPYARD_CU_CURRENT(context);
  if (limit < 0 || limit >= CU_LIMIT_MAX) return CUDA_ERROR_INVALID_VALUE;
  *pvalue = context->limits[limit];
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxGetCacheConfig(CUfunc_cache* pconfig) {
  if (pconfig == nullptr) return CUDA_ERROR_INVALID_VALUE;
  WARPYARD_CU_CURRENT(context);
  *pconfig = static_cast<CUfunc_cache>(context->cache_config.load());
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxSetCacheConfig(CUfunc_cache config) {
  WARPYARD_CU_CURRENT(context);
  if (config < CU_FUNC_CACHE_PREFER_NONE || config > CU_FUNC_CACHE_PREFER_EQUAL) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  context->cache_config = config;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxGetSharedMemConfig(CUsharedconfig* pConfig) {
  if (pConfig == nullptr) return CUDA_ERROR_INVALID_VALUE;
  WARPYARD_CU_CURRENT(context);
  *pConfig = CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxSetSharedMemConfig(CUsharedconfig config) {
  WARPYARD_CU_CURRENT(context);
  return CUDA_SUCCESS;  // no effect since compute capability 5.0
}

CUresult CUDAAPI cuCtxGetApiVersion(CUcontext ctx, unsigned int* version) {
  if (version == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<d::Context> context;
  WARPYARD_CU_TRY(d::FindContext(ctx, &context));
  *version = 3020;  // what all drivers say since CUDA 3.2
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxGetStreamPriorityRange(int* leastPriority, int* greatestPriority) {
  WARPYARD_CU_CURRENT(context);
  if (leastPriority != nullptr) *leastPriority = 0;
  if (greatestPriority != nullptr) *greatestPriority = -5;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxResetPersistingL2Cache(void) {
  WARPYARD_CU_CURRENT(context);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxEnablePeerAccess(CUcontext peerContext, unsigned int Flags) {
  WARPYARD_CU_CURRENT(context);
  if (Flags != 0) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<d::Context> peer;
  if (peerContext == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  WARPYARD_CU_TRY(d::FindContext(peerContext, &peer));
  if (&peer->device() == &context->device()) return CUDA_ERROR_INVALID_CONTEXT;
  const uint64_t bit = uint64_t{1} << peer->device().ordinal();
  const uint64_t before = context->peers.fetch_or(bit);
  return (before & bit) != 0 ? CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED : CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxDisablePeerAccess(CUcontext peerContext) {
  WARPYARD_CU_CURRENT(context);
  std::shared_ptr<d::Context> peer;
  if (peerContext == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  WARPYARD_CU_TRY(d::FindContext(peerContext, &peer));
  const uint64_t bit = uint64_t{1} << peer->device().ordinal();
  const uint64_t before = context->peers.fetch_and(~bit);
  return (before & bit) == 0 ? CUDA_ERROR_PEER_ACCESS_NOT_ENABLED : CUDA_SUCCESS;
}
