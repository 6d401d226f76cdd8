// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// A lock between processes.

#ifndef WARPYARD_CC_BASE_FILE_LOCK_H_
#define WARPYARD_CC_BASE_FILE_LOCK_H_

#include <string>
#include <utility>

#include "absl/status/statusor.h"

namespace warpyard {

// Held from acquisition to destruction; the system releases it when the process
// ends in whatever way. Between threads it excludes too: each acquisition opens
// the file anew. Move-only.
class FileLock {
 public:
  // Makes the file if need be; it stays. UNAVAILABLE when another holds the
  // lock; otherwise errors of opening the file.
  static absl::StatusOr<FileLock> TryAcquire(const std::string& path);

  FileLock(FileLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileLock& operator=(FileLock&& other) noexcept;
  ~FileLock();

 private:
  explicit FileLock(int fd) : fd_(fd) {}

  int fd_;
};

}  // namespace warpyard

#endif  // WARPYARD_CC_BASE_FILE_LOCK_H_
