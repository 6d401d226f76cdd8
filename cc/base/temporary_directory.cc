// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/base/temporary_directory.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

namespace warpyard {

absl::StatusOr<TemporaryDirectory> TemporaryDirectory::Create() {
  const char* variable = std::getenv("TMPDIR");
  std::error_code error;
  const std::filesystem::path parent = std::filesystem::absolute(
      variable != nullptr && *variable != '\0' ? variable : "/tmp", error);
  std::string path = (parent / "warpyard-XXXXXX").string();
  if (error || mkdtemp(path.data()) == nullptr) {
    return absl::ErrnoToStatus(error ? error.value() : errno,
                               absl::StrCat("cannot create a temporary directory in ",
                                            parent.string(), " (TMPDIR names another place)"));
  }
  return TemporaryDirectory(std::move(path));
}

TemporaryDirectory& TemporaryDirectory::operator=(TemporaryDirectory&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}

TemporaryDirectory::~TemporaryDirectory() {
  // A directory that cannot be removed is the system's to clean up.
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

absl::StatusOr<std::string> TemporaryDirectory::Write(std::string_view name,
                                                      std::string_view bytes) const {
  if (name.empty() || name == "." || name == ".." || name.find('/') != std::string_view::npos) {
    return absl::InvalidArgumentError(
        absl::StrCat("\"", name, "\" is not the name of a file in a temporary directory"));
  }
  std::string path = absl::StrCat(path_, "/", name);
  errno = 0;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) {
    return absl::ErrnoToStatus(errno != 0 ? errno : EIO,
                               absl::StrCat("cannot write ", bytes.size(), " bytes to ", path));
  }
  return path;
}

}  // namespace warpyard
