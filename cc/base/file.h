// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Whole files in and out, with statuses that name the file and the cause.
//
// Codes: NOT_FOUND (no such file or folder), PERMISSION_DENIED (not allowed, or
// a read-only file system), RESOURCE_EXHAUSTED (disk full, quota or file size
// limit, too many open files), FAILED_PRECONDITION (a folder where a file must
// be, or the reverse), UNKNOWN (the rest).

#ifndef WARPYARD_CC_BASE_FILE_H_
#define WARPYARD_CC_BASE_FILE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace warpyard {

// Reads a whole regular file, or RESOURCE_EXHAUSTED if it holds more than
// `max_bytes`: nothing that comes from outside is read without a bound.
absl::StatusOr<std::string> ReadFile(const std::string& path, int64_t max_bytes);

enum class Durability {
  // After a crash of the machine the old file, the new one or none may be there;
  // after a crash of the process alone the old or the new one is.
  kProcess,
  // The bytes reach the disk before the name does (fsync): slow.
  kMachine,
};

// Writes `bytes` under a temporary name in the folder of `path` and renames it
// to `path`: whoever opens `path`, in any process, sees the old bytes or all of
// the new ones. On any error the temporary file is gone and `path` is as it was.
// The folder must exist.
absl::Status WriteFileAtomically(const std::string& path, std::string_view bytes,
                                 Durability durability = Durability::kProcess);

// Makes the folder and those above it; OK when it is there.
absl::Status MakeFolders(const std::string& path);

// OK when the file is gone, by whomever.
absl::Status RemoveFile(const std::string& path);

// Sets the time of last modification to now.
absl::Status TouchFile(const std::string& path);

struct FileInfo {
  int64_t bytes = 0;
  absl::Time modified;
  absl::Time changed;  // of the inode: cannot be set back as `modified` can
  uint64_t device = 0;
  uint64_t inode = 0;
  bool is_folder = false;

  friend bool operator==(const FileInfo&, const FileInfo&) = default;
};

// Follows symbolic links.
absl::StatusOr<FileInfo> StatFile(const std::string& path);

// Names, without the folder, of everything in it but "." and "..", sorted.
absl::StatusOr<std::vector<std::string>> ListFolder(const std::string& path);

// Whether `name` is what WriteFileAtomically calls its files until they are
// whole: such a file stays behind when the process is killed.
bool IsTemporaryName(std::string_view name);

namespace file_internal {

// Writes all bytes to an open file. `path` is for messages.
absl::Status WriteAll(int fd, std::string_view bytes, const std::string& path);

}  // namespace file_internal

}  // namespace warpyard

#endif  // WARPYARD_CC_BASE_FILE_H_
