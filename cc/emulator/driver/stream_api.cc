// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Streams and events.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "cc/emulator/driver/api.h"
#include "cc/emulator/driver/capture.h"
#include "cc/emulator/driver/context.h"
#include "cc/emulator/driver/event.h"
#include "cc/emulator/driver/handles.h"
#include "cc/emulator/driver/stream.h"

namespace d = ::warpyard::emulator::driver;

namespace {

CUresult FindEvent(CUevent handle, std::shared_ptr<d::Event>* event) {
  WARPYARD_CU_TRY(d::Driver::Get().CheckInitialized());
  *event = d::Handles<d::Event>::Get().Find(handle);
  if (*event == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  return CUDA_SUCCESS;
}

// Events end with their context.
void ForgetEvents(d::Context& context) {
  d::Handles<d::Event>::Get().RemoveIf(
      [&](const d::Event& event) { return event.context().get() == &context; });
}
const bool registered = [] {
  d::AtContextDestruction(&ForgetEvents);
  return true;
}();

}  // namespace

CUresult CUDAAPI cuStreamCreateWithPriority(CUstream* phStream, unsigned int flags, int priority) {
  if (phStream == nullptr || (flags & ~CU_STREAM_NON_BLOCKING) != 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  WARPYARD_CU_CURRENT(context);
  *phStream =
      reinterpret_cast<CUstream>(context->MakeStream(flags, std::clamp(priority, -5, 0)).get());
  return CUDA_SUCCESS;
}
CUresult CUDAAPI cuStreamCreate(CUstream* phStream, unsigned int Flags) {
  return cuStreamCreateWithPriority(phStream, Flags, 0);
}

CUresult CUDAAPI cuStreamDestroy_v2(CUstream hStream) {
  WARPYARD_CU_TRY(d::Driver::Get().CheckInitialized());
  // The default streams are not the client's to destroy.
  const std::shared_ptr<d::Stream> stream = d::Handles<d::Stream>::Get().Remove(hStream);
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  {
    const std::lock_guard<std::mutex> lock(d::GraphLock());
    if (stream->capture != nullptr) stream->capture->valid = false;
  }
  // Work that is under way goes on; the thread that does it holds the stream.
  if (stream->Done(stream->Tail().ticket)) stream->context()->ForgetStream(stream.get());
  return CUDA_SUCCESS;
}
CUresult CUDAAPI cuStreamDestroy(CUstream hStream) { return cuStreamDestroy_v2(hStream); }

CUresult CUDAAPI cuStreamQuery(CUstream hStream) {
  std::shared_ptr<d::Stream> stream;
  WARPYARD_CU_TRY(d::FindStream(hStream, &stream));
  WARPYARD_CU_TRY(d::RefuseInCapture(*stream));
  if (!stream->Done(stream->Tail().ticket)) return CUDA_ERROR_NOT_READY;
  return stream->context()->error();
}

CUresult CUDAAPI cuStreamSynchronize(CUstream hStream) {
  std::shared_ptr<d::Stream> stream;
  WARPYARD_CU_TRY(d::FindStream(hStream, &stream));
  WARPYARD_CU_TRY(d::RefuseInCapture(*stream));
  if (stream->kind() == d::Stream::Kind::kLegacy) {
    d::Stream::AwaitAll(stream->LegacyBarrier());
  } else {
    stream->Drain();
  }
  return stream->context()->error();
}

CUresult CUDAAPI cuStreamWaitEvent(CUstream hStream, CUevent hEvent, unsigned int Flags) {
  if ((Flags & ~CU_EVENT_WAIT_EXTERNAL) != 0) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<d::Stream> stream;
  WARPYARD_CU_TRY(d::FindStream(hStream, &stream));
  std::shared_ptr<d::Event> event;
  WARPYARD_CU_TRY(FindEvent(hEvent, &event));
  return d::WaitForEvent(*stream, *event, (Flags & CU_EVENT_WAIT_EXTERNAL) != 0);
}

CUresult CUDAAPI cuStreamGetFlags(CUstream hStream, unsigned int* flags) {
  if (flags == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<d::Stream> stream;
  WARPYARD_CU_TRY(d::FindStream(hStream, &stream));
  *flags = stream->flags();
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuStreamGetPriority(CUstream hStream, int* priority) {
  if (priority == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<d::Stream> stream;
  WARPYARD_CU_TRY(d::FindStream(hStream, &stream));
  *priority = stream->priority();
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuStreamGetId(CUstream hStream, unsigned long long* streamId) {
  if (streamId == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<d::Stream> stream;
  WARPYARD_CU_TRY(d::FindStream(hStream, &stream));
  *streamId = stream->id();
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuStreamGetDevice(CUstream hStream, CUdevice* device) {
  if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<d::Stream> stream;
  WARPYARD_CU_TRY(d::FindStream(hStream, &stream));
  *device = stream->context()->device().ordinal();
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuStreamGetCtx(CUstream hStream, CUcontext* pctx) {
  if (pctx == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<d::Stream> stream;
  WARPYARD_CU_TRY(d::FindStream(hStream, &stream));
  *pctx = stream->context()->handle();
  return CUDA_SUCCESS;
}
CUresult CUDAAPI cuStreamGetCtx_v2(CUstream hStream, CUcontext* pCtx, CUgreenCtx* pGreenCtx) {
  WARPYARD_CU_TRY(cuStreamGetCtx(hStream, pCtx));
  if (pGreenCtx != nullptr) *pGreenCtx = nullptr;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuStreamGetAttribute(CUstream hStream, CUstreamAttrID attr,
                                      CUstreamAttrValue* value_out) {
  if (value_out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<d::Stream> stream;
  WARPYARD_CU_TRY(d::FindStream(hStream, &stream));
  *value_out = {};
  switch (static_cast<int>(attr)) {
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
      *value_out = stream->access_policy;
      return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
      *value_out = stream->synchronization_policy;
      if (value_out->syncPolicy == 0) value_out->syncPolicy = CU_SYNC_POLICY_AUTO;
      return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_PRIORITY:
      value_out->priority = stream->priority();
      return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult CUDAAPI cuStreamSetAttribute(CUstream hStream, CUstreamAttrID attr,
                                      const CUstreamAttrValue* value) {
  if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<d::Stream> stream;
  WARPYARD_CU_TRY(d::FindStream(hStream, &stream));
  switch (static_cast<int>(attr)) {
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
      stream->access_policy = *value;
      return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
      stream->synchronization_policy = *value;
      return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_PRIORITY:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult CUDAAPI cuStreamCopyAttributes(CUstream dstStream, CUstream srcStream) {
  std::shared_ptr<d::Stream> destination;
  WARPYARD_CU_TRY(d::FindStream(dstStream, &destination));
  std::shared_ptr<d::Stream> source;
  WARPYARD_CU_TRY(d::FindStream(srcStream, &source));
  destination->access_policy = source->access_policy;
  destination->synchronization_policy = source->synchronization_policy;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuEventCreate(CUevent* phEvent, unsigned int Flags) {
  constexpr unsigned kKnown =
      CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS;
  if (phEvent == nullptr || (Flags & ~kKnown) != 0) return CUDA_ERROR_INVALID_VALUE;
  if ((Flags & CU_EVENT_INTERPROCESS) != 0 && (Flags & CU_EVENT_DISABLE_TIMING) == 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  WARPYARD_CU_CURRENT(context);
  *phEvent = d::Handles<d::Event>::Get().Add<CUevent>(
      std::make_shared<d::Event>(context->shared_from_this(), Flags));
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuEventDestroy_v2(CUevent hEvent) {
  WARPYARD_CU_TRY(d::Driver::Get().CheckInitialized());
  const std::shared_ptr<d::Event> event = d::Handles<d::Event>::Get().Remove(hEvent);
  return event == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
}
CUresult CUDAAPI cuEventDestroy(CUevent hEvent) { return cuEventDestroy_v2(hEvent); }

CUresult CUDAAPI cuEventRecordWithFlags(CUevent hEvent, CUstream hStream, unsigned int flags) {
  if ((flags & ~CU_EVENT_RECORD_EXTERNAL) != 0) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<d::Event> event;
  WARPYARD_CU_TRY(FindEvent(hEvent, &event));
  std::shared_ptr<d::Stream> stream;
  WARPYARD_CU_TRY(d::FindStream(hStream, &stream));
  return d::RecordEvent(*event, *stream, (flags & CU_EVENT_RECORD_EXTERNAL) != 0);
}
CUresult CUDAAPI cuEventRecord(CUevent hEvent, CUstream hStream) {
  return cuEventRecordWithFlags(hEvent, hStream, CU_EVENT_RECORD_DEFAULT);
}

CUresult CUDAAPI cuEventQuery(CUevent hEvent) {
  std::shared_ptr<d::Event> event;
  WARPYARD_CU_TRY(FindEvent(hEvent, &event));
  WARPYARD_CU_TRY(event->context()->error());
  if (const auto record = event->last(); record != nullptr && record->capture != nullptr) {
    return CUDA_ERROR_CAPTURED_EVENT;
  }
  WARPYARD_CU_TRY(event->Query());
  return event->context()->error();
}

CUresult CUDAAPI cuEventSynchronize(CUevent hEvent) {
  std::shared_ptr<d::Event> event;
  WARPYARD_CU_TRY(FindEvent(hEvent, &event));
  if (const auto record = event->last(); record != nullptr && record->capture != nullptr) {
    return CUDA_ERROR_CAPTURED_EVENT;
  }
  event->Await();
  return event->context()->error();
}

CUresult CUDAAPI cuEventElapsedTime_v2(float* pMilliseconds, CUevent hStart, CUevent hEnd) {
  if (pMilliseconds == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<d::Event> start;
  WARPYARD_CU_TRY(FindEvent(hStart, &start));
  std::shared_ptr<d::Event> end;
  WARPYARD_CU_TRY(FindEvent(hEnd, &end));
  const auto from = start->last();
  const auto to = end->last();
  if (!start->timed() || !end->timed() || from == nullptr || to == nullptr) {
    return CUDA_ERROR_INVALID_HANDLE;
  }
  if (from->capture != nullptr || to->capture != nullptr) return CUDA_ERROR_CAPTURED_EVENT;
  WARPYARD_CU_TRY(start->Query());
  WARPYARD_CU_TRY(end->Query());
  WARPYARD_CU_TRY(start->context()->error());
  *pMilliseconds = static_cast<float>(
      static_cast<double>(to->nanoseconds.load() - from->nanoseconds.load()) * 1e-6);
  return CUDA_SUCCESS;
}
CUresult CUDAAPI cuEventElapsedTime(float* pMilliseconds, CUevent hStart, CUevent hEnd) {
  return cuEventElapsedTime_v2(pMilliseconds, hStart, hEnd);
}

// An event for all work of a context so far.
CUresult CUDAAPI cuCtxRecordEvent(CUcontext hCtx, CUevent hEvent) {
  std::shared_ptr<d::Context> context;
  WARPYARD_CU_TRY(d::FindContext(hCtx, &context));
  std::shared_ptr<d::Event> event;
  WARPYARD_CU_TRY(FindEvent(hEvent, &event));
  if (event->context() != context) return CUDA_ERROR_INVALID_HANDLE;
  const std::shared_ptr<d::Stream> gather =
      std::make_shared<d::Stream>(context, d::Stream::Kind::kOrdinary, CU_STREAM_NON_BLOCKING, 0);
  std::vector<d::Dependency> all{context->legacy_stream()->Tail()};
  for (const auto& stream : context->Streams()) all.push_back(stream->Tail());
  gather->WaitFor(std::move(all));
  event->RecordIn(*gather);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxWaitEvent(CUcontext hCtx, CUevent hEvent) {
  std::shared_ptr<d::Context> context;
  WARPYARD_CU_TRY(d::FindContext(hCtx, &context));
  std::shared_ptr<d::Event> event;
  WARPYARD_CU_TRY(FindEvent(hEvent, &event));
  const auto record = event->last();
  if (record == nullptr || record->at.stream == nullptr) return CUDA_SUCCESS;
  context->legacy_stream()->WaitFor({record->at});
  for (const auto& stream : context->Streams()) stream->WaitFor({record->at});
  return CUDA_SUCCESS;
}
