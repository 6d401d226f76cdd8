// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// A private directory that goes away with its owner.

#ifndef WARPYARD_CC_BASE_TEMPORARY_DIRECTORY_H_
#define WARPYARD_CC_BASE_TEMPORARY_DIRECTORY_H_

#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace warpyard {

// Move-only. Made readable by its owner alone, removed with all that is in it.
// Its name differs from run to run, so it must not reach any output.
class TemporaryDirectory {
 public:
  // A new directory below `$TMPDIR`, or /tmp where that is not set. The error
  // names the parent folder.
  static absl::StatusOr<TemporaryDirectory> Create();

  TemporaryDirectory(TemporaryDirectory&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryDirectory& operator=(TemporaryDirectory&& other) noexcept;
  ~TemporaryDirectory();

  // Absolute; no slash at its end.
  const std::string& path() const { return path_; }

  // Writes a new file into the directory and gives its absolute path. `name`
  // is one path component.
  absl::StatusOr<std::string> Write(std::string_view name, std::string_view bytes) const;

 private:
  explicit TemporaryDirectory(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

}  // namespace warpyard

#endif  // WARPYARD_CC_BASE_TEMPORARY_DIRECTORY_H_
