// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/driver/event.h"

#include <cuda.h>

#include <memory>
#include <utility>

#include "absl/memory/memory.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "cc/base/status_macros.h"
#include "cc/driver/context.h"
#include "cc/driver/driver_table.h"
#include "cc/driver/stream.h"

namespace warpyard::driver {

absl::StatusOr<std::unique_ptr<Event>> Event::Create(std::shared_ptr<const Context> context) {
  const ScopedContext current(*context);
  WARPYARD_RETURN_IF_ERROR(current.status());
  CUevent handle = nullptr;
  WARPYARD_CALL_DRIVER(context->driver().table(), cuEventCreate, &handle, CU_EVENT_DEFAULT);
  return absl::WrapUnique(new Event(std::move(context), handle));
}

Event::~Event() {
  const DriverTable& table = context_->driver().table();
  const ScopedContext current(*context_);
  if (current.status().ok() && table.cuEventDestroy != nullptr) table.cuEventDestroy(handle_);
}

absl::Status Event::Record(const Stream& stream) const {
  const ScopedContext current(*context_);
  WARPYARD_RETURN_IF_ERROR(current.status());
  WARPYARD_CALL_DRIVER(context_->driver().table(), cuEventRecord, handle_, stream.handle());
  return absl::OkStatus();
}

absl::Status Event::BlockStream(const Stream& stream) const {
  const ScopedContext current(*stream.context());
  WARPYARD_RETURN_IF_ERROR(current.status());
  WARPYARD_CALL_DRIVER(context_->driver().table(), cuStreamWaitEvent, stream.handle(), handle_,
                       CU_EVENT_WAIT_DEFAULT);
  return absl::OkStatus();
}

absl::Status Event::Synchronize() const {
  const ScopedContext current(*context_);
  WARPYARD_RETURN_IF_ERROR(current.status());
  WARPYARD_CALL_DRIVER(context_->driver().table(), cuEventSynchronize, handle_);
  return absl::OkStatus();
}

absl::StatusOr<bool> Event::Done() const {
  const ScopedContext current(*context_);
  WARPYARD_RETURN_IF_ERROR(current.status());
  const DriverTable& table = context_->driver().table();
  if (table.cuEventQuery == nullptr) return MissingFunction("cuEventQuery");
  const CUresult result = table.cuEventQuery(handle_);
  if (result == CUDA_ERROR_NOT_READY) return false;
  if (result != CUDA_SUCCESS) return DriverError(table, "cuEventQuery", result);
  return true;
}

absl::StatusOr<absl::Duration> Event::ElapsedSince(const Event& start) const {
  const ScopedContext current(*context_);
  WARPYARD_RETURN_IF_ERROR(current.status());
  const DriverTable& table = context_->driver().table();
  if (table.event_elapsed_time == nullptr) return MissingFunction("cuEventElapsedTime");
  float milliseconds = 0;
  const CUresult result = table.event_elapsed_time(&milliseconds, start.handle_, handle_);
  if (result != CUDA_SUCCESS) return DriverError(table, "cuEventElapsedTime", result);
  return absl::Milliseconds(milliseconds);
}

}  // namespace warpyard::driver
