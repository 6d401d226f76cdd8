// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/driver/stream.h"

#include <cuda.h>

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/memory/memory.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cc/base/status_macros.h"
#include "cc/driver/context.h"
#include "cc/driver/driver_table.h"

namespace warpyard::driver {

absl::StatusOr<std::unique_ptr<Stream>> Stream::Create(std::shared_ptr<const Context> context,
                                                       int priority) {
  const ScopedContext current(*context);
  WARPYARD_RETURN_IF_ERROR(current.status());
  CUstream handle = nullptr;
  WARPYARD_CALL_DRIVER(context->driver().table(), cuStreamCreateWithPriority, &handle,
                       CU_STREAM_DEFAULT, priority);
  return absl::WrapUnique(new Stream(std::move(context), handle));
}

std::unique_ptr<Stream> Stream::Default(std::shared_ptr<const Context> context) {
  return absl::WrapUnique(new Stream(std::move(context), nullptr));
}

Stream::~Stream() {
  if (handle_ == nullptr) return;
  const ScopedContext current(*context_);
  if (current.status().ok()) context_->driver().table().cuStreamDestroy(handle_);
}

absl::Status Stream::Synchronize() const {
  const ScopedContext current(*context_);
  WARPYARD_RETURN_IF_ERROR(current.status());
  WARPYARD_CALL_DRIVER(context_->driver().table(), cuStreamSynchronize, handle_);
  return absl::OkStatus();
}

absl::StatusOr<bool> Stream::Done() const {
  const ScopedContext current(*context_);
  WARPYARD_RETURN_IF_ERROR(current.status());
  const DriverTable& table = context_->driver().table();
  if (table.cuStreamQuery == nullptr) return MissingFunction("cuStreamQuery");
  const CUresult result = table.cuStreamQuery(handle_);
  if (result == CUDA_ERROR_NOT_READY) return false;
  if (result != CUDA_SUCCESS) return DriverError(table, "cuStreamQuery", result);
  return true;
}

absl::Status Stream::CopyFromHost(uint64_t destination, const void* source, uint64_t bytes) const {
  if (bytes == 0) return absl::OkStatus();
  const ScopedContext current(*context_);
  WARPYARD_RETURN_IF_ERROR(current.status());
  WARPYARD_CALL_DRIVER(context_->driver().table(), cuMemcpyHtoDAsync, destination, source, bytes,
                       handle_);
  return absl::OkStatus();
}

absl::Status Stream::CopyToHost(void* destination, uint64_t source, uint64_t bytes) const {
  if (bytes == 0) return absl::OkStatus();
  const ScopedContext current(*context_);
  WARPYARD_RETURN_IF_ERROR(current.status());
  WARPYARD_CALL_DRIVER(context_->driver().table(), cuMemcpyDtoHAsync, destination, source, bytes,
                       handle_);
  return absl::OkStatus();
}

absl::Status Stream::CopyOnDevice(uint64_t destination, uint64_t source, uint64_t bytes) const {
  if (bytes == 0) return absl::OkStatus();
  const ScopedContext current(*context_);
  WARPYARD_RETURN_IF_ERROR(current.status());
  WARPYARD_CALL_DRIVER(context_->driver().table(), cuMemcpyAsync, destination, source, bytes,
                       handle_);
  return absl::OkStatus();
}

absl::Status Stream::CopyFromPeer(uint64_t destination, uint64_t source,
                                  const Context& source_context, uint64_t bytes) const {
  if (bytes == 0) return absl::OkStatus();
  if (&source_context.driver() != &context_->driver()) {
    return absl::InvalidArgumentError(
        "a copy between devices of two drivers; copy through the host instead");
  }
  const ScopedContext current(*context_);
  WARPYARD_RETURN_IF_ERROR(current.status());
  WARPYARD_CALL_DRIVER(context_->driver().table(), cuMemcpyPeerAsync, destination,
                       context_->handle(), source, source_context.handle(), bytes, handle_);
  return absl::OkStatus();
}

absl::Status Stream::Fill(uint64_t destination, uint8_t value, uint64_t bytes) const {
  if (bytes == 0) return absl::OkStatus();
  const ScopedContext current(*context_);
  WARPYARD_RETURN_IF_ERROR(current.status());
  WARPYARD_CALL_DRIVER(context_->driver().table(), cuMemsetD8Async, destination, value, bytes,
                       handle_);
  return absl::OkStatus();
}

}  // namespace warpyard::driver
