// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"

namespace warpyard {
namespace {

constexpr std::string_view kTemporaryPrefix = ".warpyard-tmp-";

absl::Status ErrorOf(int error, std::string_view action, std::string_view path) {
  const std::string message =
      absl::StrCat("cannot ", action, " '", path,
                   "': ", std::error_code(error, std::generic_category()).message());
  switch (error) {
    case ENOENT:
      return absl::NotFoundError(message);
    case EACCES:
    case EPERM:
    case EROFS:
      return absl::PermissionDeniedError(message);
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
    case EMFILE:
    case ENFILE:
    case ENOMEM:
      return absl::ResourceExhaustedError(message);
    case EISDIR:
    case ENOTDIR:
    case EEXIST:
    case ENOTEMPTY:
      return absl::FailedPreconditionError(message);
    default:
      return absl::UnknownError(message);
  }
}

absl::Time ToTime(const timespec& time) { return absl::TimeFromTimespec(time); }

FileInfo ToInfo(const struct stat& status) {
  FileInfo info;
  info.bytes = status.st_size;
#ifdef __APPLE__
  info.modified = ToTime(status.st_mtimespec);
  info.changed = ToTime(status.st_ctimespec);
#else
  info.modified = ToTime(status.st_mtim);
  info.changed = ToTime(status.st_ctim);
#endif
  info.device = status.st_dev;
  info.inode = status.st_ino;
  info.is_folder = S_ISDIR(status.st_mode);
  return info;
}

// A name that no other writer, thread or process, has at the same time.
std::string TemporaryPath(const std::string& path) {
  static std::atomic<uint64_t> counter = 0;
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const std::string name = absl::StrCat(kTemporaryPrefix, getpid(), "-", counter.fetch_add(1), "-",
                                        absl::ToUnixNanos(absl::Now()));
  return folder.empty() ? name : (std::filesystem::path(folder) / name).string();
}

// Writes a new file `temporary`. `path` is what messages call it: the name that
// it will have, which users know.
absl::Status WriteWhole(const std::string& temporary, std::string_view bytes, Durability durability,
                        const std::string& path) {
  // O_EXCL: never write through a link that someone laid there.
  const int fd = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) return ErrorOf(errno, "create", path);
  absl::Status status = file_internal::WriteAll(fd, bytes, path);
  if (status.ok() && durability == Durability::kMachine && fsync(fd) != 0) {
    status = ErrorOf(errno, "flush", path);
  }
  // A network file system may report a full disk as late as here.
  if (close(fd) != 0 && status.ok()) status = ErrorOf(errno, "close", path);
  return status;
}

}  // namespace

namespace file_internal {

absl::Status WriteAll(int fd, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = write(fd, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return ErrorOf(errno, "write", path);
    }
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return absl::OkStatus();
}

}  // namespace file_internal

absl::StatusOr<std::string> ReadFile(const std::string& path, int64_t max_bytes) {
  // O_NONBLOCK: opening a pipe that has no writer would wait for ever.
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return ErrorOf(errno, "open", path);
  absl::Cleanup closer = [fd] { close(fd); };
  struct stat status;
  if (fstat(fd, &status) != 0) return ErrorOf(errno, "examine", path);
  if (S_ISDIR(status.st_mode)) return ErrorOf(EISDIR, "read", path);
  if (!S_ISREG(status.st_mode)) {
    return absl::FailedPreconditionError(
        absl::StrCat("cannot read '", path, "': it is not a regular file"));
  }
  const auto too_large = [&](int64_t found) {
    return absl::ResourceExhaustedError(absl::StrCat("cannot read '", path, "': it holds ", found,
                                                     " bytes or more, and at most ", max_bytes,
                                                     " are accepted"));
  };
  if (status.st_size > max_bytes) return too_large(status.st_size);
  // The size is a hint: files of /proc say 0, and others may grow meanwhile.
  std::string bytes;
  bytes.resize(static_cast<size_t>(status.st_size) + 1);
  size_t filled = 0;
  while (true) {
    const ssize_t got = read(fd, bytes.data() + filled, bytes.size() - filled);
    if (got < 0) {
      if (errno == EINTR) continue;
      return ErrorOf(errno, "read", path);
    }
    if (got == 0) break;
    filled += static_cast<size_t>(got);
    if (static_cast<int64_t>(filled) > max_bytes) return too_large(static_cast<int64_t>(filled));
    if (filled == bytes.size()) bytes.resize(bytes.size() * 2 + 4096);
  }
  bytes.resize(filled);
  return bytes;
}

absl::Status WriteFileAtomically(const std::string& path, std::string_view bytes,
                                 Durability durability) {
  const std::string temporary = TemporaryPath(path);
  absl::Status status = WriteWhole(temporary, bytes, durability, path);
  if (status.ok() && rename(temporary.c_str(), path.c_str()) != 0) {
    status = ErrorOf(errno, "replace", path);
  }
  if (!status.ok()) unlink(temporary.c_str());
  return status;
}

absl::Status MakeFolders(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) return ErrorOf(error.value(), "make folder", path);
  if (!std::filesystem::is_directory(path, error)) return ErrorOf(ENOTDIR, "make folder", path);
  return absl::OkStatus();
}

absl::Status RemoveFile(const std::string& path) {
  if (unlink(path.c_str()) != 0 && errno != ENOENT) return ErrorOf(errno, "remove", path);
  return absl::OkStatus();
}

absl::Status TouchFile(const std::string& path) {
  if (utimensat(AT_FDCWD, path.c_str(), nullptr, 0) != 0) return ErrorOf(errno, "touch", path);
  return absl::OkStatus();
}

absl::StatusOr<FileInfo> StatFile(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return ErrorOf(errno, "examine", path);
  return ToInfo(status);
}

absl::StatusOr<std::vector<std::string>> ListFolder(const std::string& path) {
  DIR* folder = opendir(path.c_str());
  if (folder == nullptr) return ErrorOf(errno, "list", path);
  absl::Cleanup closer = [folder] { closedir(folder); };
  std::vector<std::string> names;
  while (true) {
    errno = 0;
    const dirent* entry = readdir(folder);
    if (entry == nullptr) {
      if (errno != 0) return ErrorOf(errno, "list", path);
      break;
    }
    const std::string_view name(entry->d_name);
    if (name != "." && name != "..") names.emplace_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool IsTemporaryName(std::string_view name) { return absl::StartsWith(name, kTemporaryPrefix); }

}  // namespace warpyard
