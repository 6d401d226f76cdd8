// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/base/memory_file.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

namespace warpyard {

absl::StatusOr<MemoryFile> MemoryFile::Create(std::string_view bytes) {
  const int fd = memfd_create("warpyard", MFD_CLOEXEC);
  if (fd < 0) return absl::ErrnoToStatus(errno, "cannot create a file in memory");
  MemoryFile file(fd);
  // pwrite leaves the offset at 0, for readers that take the descriptor as it is.
  for (size_t written = 0; written < bytes.size();) {
    const ssize_t count =
        pwrite(fd, bytes.data() + written, bytes.size() - written, static_cast<off_t>(written));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      return absl::ErrnoToStatus(
          count < 0 ? errno : ENOSPC,
          absl::StrCat("cannot write ", bytes.size(), " bytes to a file in memory"));
    }
    written += static_cast<size_t>(count);
  }
  return file;
}

MemoryFile& MemoryFile::operator=(MemoryFile&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

MemoryFile::~MemoryFile() {
  if (fd_ >= 0) close(fd_);
}

absl::StatusOr<std::string> MemoryFile::ReadAll(int64_t limit) const {
  struct stat info;
  if (fstat(fd_, &info) != 0) {
    return absl::ErrnoToStatus(errno, "cannot take the size of a file in memory");
  }
  if (info.st_size > limit) {
    return absl::ResourceExhaustedError(absl::StrCat("a file in memory holds ", info.st_size,
                                                     " bytes; at most ", limit, " are read"));
  }
  std::string bytes(static_cast<size_t>(info.st_size), '\0');
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t count =
        pread(fd_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return absl::ErrnoToStatus(errno, "cannot read a file in memory");
    if (count == 0) {  // Somebody truncated it meanwhile.
      bytes.resize(done);
      break;
    }
    done += static_cast<size_t>(count);
  }
  return bytes;
}

}  // namespace warpyard
