// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/base/private_working_directory.h"

#include <sched.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <thread>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace warpyard {

absl::Status RunInPrivateWorkingDirectory(const std::string& directory,
                                          absl::FunctionRef<void()> body) {
  absl::Status status;
  // A thread that has left the shared working directory cannot come back to it,
  // so it must not be one that lives on.
  std::thread thread([&] {
    if (unshare(CLONE_FS) != 0) {
      status = absl::UnimplementedError(absl::StrCat(
          "a thread cannot have a working directory of its own here: ", std::strerror(errno)));
    } else if (chdir(directory.c_str()) != 0) {
      status = absl::ErrnoToStatus(errno, absl::StrCat("cannot enter the directory ", directory));
    } else {
      body();
    }
  });
  thread.join();
  return status;
}

}  // namespace warpyard
