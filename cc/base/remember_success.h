// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// A value that is made on first use and kept; a failure to make it is reported
// and forgotten, so that the next call tries again.

#ifndef WARPYARD_CC_BASE_REMEMBER_SUCCESS_H_
#define WARPYARD_CC_BASE_REMEMBER_SUCCESS_H_

#include <atomic>
#include <optional>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"

namespace warpyard {

// Thread-safe. Callers that arrive while the value is being made wait for it
// (it is made once, not once each); once it is there, `Get` takes no lock.
template <typename T>
class RememberSuccess {
 public:
  RememberSuccess() = default;
  RememberSuccess(const RememberSuccess&) = delete;
  RememberSuccess& operator=(const RememberSuccess&) = delete;

  // The value, made by `make` if it is not there yet. The pointer is valid for
  // as long as this object.
  absl::StatusOr<const T*> Get(absl::FunctionRef<absl::StatusOr<T>()> make)
      ABSL_LOCKS_EXCLUDED(mutex_) {
    if (const T* ready = ready_.load(std::memory_order_acquire)) return ready;
    absl::MutexLock lock(mutex_);
    if (!value_.has_value()) {
      absl::StatusOr<T> made = make();
      if (!made.ok()) return std::move(made).status();
      value_.emplace(*std::move(made));
      ready_.store(&*value_, std::memory_order_release);
    }
    return &*value_;
  }

 private:
  std::atomic<const T*> ready_ = nullptr;
  absl::Mutex mutex_;
  std::optional<T> value_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace warpyard

#endif  // WARPYARD_CC_BASE_REMEMBER_SUCCESS_H_
