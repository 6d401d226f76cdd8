// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Streams: work that is done in its order, beside the host and other streams.

#ifndef WARPYARD_CC_DRIVER_STREAM_H_
#define WARPYARD_CC_DRIVER_STREAM_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cc/driver/context.h"

struct CUstream_st;

namespace warpyard::driver {

// Thread-safe. Addresses are of device memory (or of what the device can reach).
// What a call gets must stay alive until the stream has done it.
class Stream {
 public:
  // A new stream, ordered with the legacy default stream as CUDA has it. Smaller
  // numbers are of higher priority; those that the device lacks are clamped.
  static absl::StatusOr<std::unique_ptr<Stream>> Create(std::shared_ptr<const Context> context,
                                                        int priority = 0);
  // The context's legacy default stream.
  static std::unique_ptr<Stream> Default(std::shared_ptr<const Context> context);

  // Destroys the stream; its work goes on.
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  const std::shared_ptr<const Context>& context() const { return context_; }
  CUstream_st* handle() const { return handle_; }

  // Waits until all work so far is done. A kernel's fault comes out here.
  absl::Status Synchronize() const;
  // Whether all work so far is done.
  absl::StatusOr<bool> Done() const;

  // Copies, which may return before they are done. Copies from and to pageable
  // host memory are done with `source` when they return, as CUDA promises.
  absl::Status CopyFromHost(uint64_t destination, const void* source, uint64_t bytes) const;
  absl::Status CopyToHost(void* destination, uint64_t source, uint64_t bytes) const;
  // Within a device, or between devices of one driver by unified addresses.
  absl::Status CopyOnDevice(uint64_t destination, uint64_t source, uint64_t bytes) const;
  absl::Status CopyFromPeer(uint64_t destination, uint64_t source, const Context& source_context,
                            uint64_t bytes) const;
  // Sets each byte to `value`.
  absl::Status Fill(uint64_t destination, uint8_t value, uint64_t bytes) const;

 private:
  Stream(std::shared_ptr<const Context> context, CUstream_st* handle)
      : context_(std::move(context)), handle_(handle) {}

  const std::shared_ptr<const Context> context_;
  CUstream_st* const handle_;
};

}  // namespace warpyard::driver

#endif  // WARPYARD_CC_DRIVER_STREAM_H_
