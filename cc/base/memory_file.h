// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// A file that lives in memory alone, for tools that insist on file names.

#ifndef WARPYARD_CC_BASE_MEMORY_FILE_H_
#define WARPYARD_CC_BASE_MEMORY_FILE_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace warpyard {

// An anonymous file without a directory entry. Nothing is left behind however
// the process ends, and no name differs from run to run. A child process that
// inherits the descriptor as N opens it as /proc/self/fd/N (see Subprocess).
// Linux only. Move-only; closes the descriptor.
class MemoryFile {
 public:
  // A file that holds `bytes`. RESOURCE_EXHAUSTED when there is no descriptor
  // or memory left.
  static absl::StatusOr<MemoryFile> Create(std::string_view bytes = {});

  MemoryFile(MemoryFile&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  MemoryFile& operator=(MemoryFile&& other) noexcept;
  ~MemoryFile();

  // Close-on-exec; owned by this object.
  int fd() const { return fd_; }

  // Everything that the file holds now. RESOURCE_EXHAUSTED when that is more
  // than `limit` bytes.
  absl::StatusOr<std::string> ReadAll(int64_t limit) const;

 private:
  explicit MemoryFile(int fd) : fd_(fd) {}

  int fd_;
};

}  // namespace warpyard

#endif  // WARPYARD_CC_BASE_MEMORY_FILE_H_
