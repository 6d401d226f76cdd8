// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Events: marks in streams, to wait for and to measure between.

#ifndef WARPYARD_CC_DRIVER_EVENT_H_
#define WARPYARD_CC_DRIVER_EVENT_H_

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "cc/driver/context.h"

struct CUevent_st;

namespace warpyard::driver {

class Stream;

// Thread-safe.
class Event {
 public:
  static absl::StatusOr<std::unique_ptr<Event>> Create(std::shared_ptr<const Context> context);
  ~Event();
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  CUevent_st* handle() const { return handle_; }

  // Marks the end of the stream's work so far; an earlier mark is forgotten.
  absl::Status Record(const Stream& stream) const;
  // What follows on the stream, which may be another device's, waits for the mark.
  absl::Status BlockStream(const Stream& stream) const;
  // Waits for the mark. At once where none was made.
  absl::Status Synchronize() const;
  absl::StatusOr<bool> Done() const;
  // From `start` to this; both must have been recorded and reached. UNAVAILABLE:
  // one is not yet.
  absl::StatusOr<absl::Duration> ElapsedSince(const Event& start) const;

 private:
  Event(std::shared_ptr<const Context> context, CUevent_st* handle)
      : context_(std::move(context)), handle_(handle) {}

  const std::shared_ptr<const Context> context_;
  CUevent_st* const handle_;
};

}  // namespace warpyard::driver

#endif  // WARPYARD_CC_DRIVER_EVENT_H_
