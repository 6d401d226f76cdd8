// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/driver/context.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "cc/emulator/driver/handles.h"

namespace warpyard::emulator::driver {
namespace {

uint64_t NextContextId() {
  static std::atomic<uint64_t> next{1};
  return next.fetch_add(1);
}

// A number for each thread that never comes again.
uint64_t ThreadNumber() {
  static std::atomic<uint64_t> next{1};
  static thread_local const uint64_t number = next.fetch_add(1);
  return number;
}

std::vector<void (*)(Context&)>& Hooks() {
  static auto& hooks = *new std::vector<void (*)(Context&)>;
  return hooks;
}

}  // namespace

void AtContextDestruction(void (*hook)(Context&)) { Hooks().push_back(hook); }

Context::Context(Device& device, unsigned context_flags, bool primary)
    : flags(context_flags), device_(device), primary_(primary), id_(NextContextId()) {
  for (std::atomic<size_t>& limit : limits) limit = 0;
  // What NVIDIA's driver begins with on a data-centre GPU.
  limits[CU_LIMIT_STACK_SIZE] = 1024;
  limits[CU_LIMIT_PRINTF_FIFO_SIZE] = size_t{1} << 20;
  limits[CU_LIMIT_MALLOC_HEAP_SIZE] = size_t{8} << 20;
  limits[CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH] = 2;
  limits[CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT] = 2048;
  limits[CU_LIMIT_MAX_L2_FETCH_GRANULARITY] = 64;
}

std::shared_ptr<Context> Context::Make(Device& device, unsigned flags, bool primary) {
  std::shared_ptr<Context> context(new Context(device, flags, primary));
  context->legacy_ = std::make_shared<Stream>(context, Stream::Kind::kLegacy, 0, 0);
  Handles<Context>::Get().Add<CUcontext>(context);
  return context;
}

void Context::Fail(CUresult error) {
  CUresult expected = CUDA_SUCCESS;
  error_.compare_exchange_strong(expected, error);
}

std::vector<std::shared_ptr<Stream>> Context::Streams() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return streams_;
}

std::shared_ptr<Stream> Context::PerThreadStream() {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::shared_ptr<Stream>& stream = per_thread_[ThreadNumber()];
  if (stream == nullptr) {
    stream = std::make_shared<Stream>(shared_from_this(), Stream::Kind::kPerThread, 0, 0);
    streams_.push_back(stream);
  }
  return stream;
}

std::shared_ptr<Stream> Context::MakeStream(unsigned stream_flags, int priority) {
  auto stream =
      std::make_shared<Stream>(shared_from_this(), Stream::Kind::kOrdinary, stream_flags, priority);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    streams_.push_back(stream);
  }
  Handles<Stream>::Get().Add<CUstream>(stream);
  return stream;
}

void Context::ForgetStream(const Stream* stream) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::erase_if(streams_, [&](const auto& each) { return each.get() == stream; });
}

CUresult Context::Synchronize() {
  for (const std::shared_ptr<Stream>& stream : Streams()) stream->Drain();
  if (legacy_ != nullptr) legacy_->Drain();
  return error();
}

void Context::Destroy() {
  if (!alive_.exchange(false)) return;
  Synchronize();
  Handles<Stream>::Get().RemoveIf(
      [this](const Stream& stream) { return stream.context().get() == this; });
  for (void (*const hook)(Context&) : Hooks()) hook(*this);
  const std::lock_guard<std::mutex> lock(mutex_);
  streams_.clear();
  per_thread_.clear();
}

void Context::Revive(unsigned new_flags) {
  flags = new_flags;
  peers = 0;
  error_ = CUDA_SUCCESS;
  alive_ = true;
}

std::vector<std::shared_ptr<Context>>& ContextStack() {
  static thread_local std::vector<std::shared_ptr<Context>> stack;
  return stack;
}

CUresult CurrentContextEvenFailed(Context** context) {
  WARPYARD_CU_TRY(Driver::Get().CheckInitialized());
  const std::vector<std::shared_ptr<Context>>& stack = ContextStack();
  if (stack.empty() || stack.back() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  *context = stack.back().get();
  return (*context)->alive() ? CUDA_SUCCESS : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

CUresult CurrentContext(Context** context) {
  WARPYARD_CU_TRY(CurrentContextEvenFailed(context));
  return (*context)->error();
}

CUresult FindContext(CUcontext handle, std::shared_ptr<Context>* context) {
  WARPYARD_CU_TRY(Driver::Get().CheckInitialized());
  if (handle == nullptr) {
    Context* current;
    WARPYARD_CU_TRY(CurrentContextEvenFailed(&current));
    *context = current->shared_from_this();
    return CUDA_SUCCESS;
  }
  *context = Handles<Context>::Get().Find(handle);
  if (*context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  return (*context)->alive() ? CUDA_SUCCESS : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

CUresult RetainPrimary(Device& device, std::shared_ptr<Context>* context) {
  const std::lock_guard<std::mutex> lock(device.primary_mutex);
  if (device.primary == nullptr) {
    device.primary = Context::Make(device, device.primary_flags, /*primary=*/true);
  } else if (!device.primary->alive()) {
    device.primary->Revive(device.primary_flags);
  }
  ++device.primary_retained;
  *context = device.primary;
  return CUDA_SUCCESS;
}

CUresult FindStream(CUstream handle, std::shared_ptr<Stream>* stream) {
  if (handle == nullptr || handle == CU_STREAM_LEGACY || handle == CU_STREAM_PER_THREAD) {
    WARPYARD_CU_CURRENT(context);
    const bool per_thread =
        handle == CU_STREAM_PER_THREAD || (handle == nullptr && PerThreadDefaultStream::Active());
    *stream = per_thread ? context->PerThreadStream() : context->legacy_stream();
    return CUDA_SUCCESS;
  }
  WARPYARD_CU_TRY(Driver::Get().CheckInitialized());
  *stream = Handles<Stream>::Get().Find(handle);
  if (*stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  return (*stream)->context()->error();
}

}  // namespace warpyard::emulator::driver
