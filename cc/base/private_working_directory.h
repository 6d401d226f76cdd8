// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// A working directory for one call, without touching the process's own.

#ifndef WARPYARD_CC_BASE_PRIVATE_WORKING_DIRECTORY_H_
#define WARPYARD_CC_BASE_PRIVATE_WORKING_DIRECTORY_H_

#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"

namespace warpyard {

// Runs `body` on a thread of its own that alone has `directory` as its working
// directory, and waits for its end. Compilers write the working directory into
// debug information; this makes it the same for everybody. The process's own
// stays reachable there as /proc/self/cwd.
//
// UNIMPLEMENTED where the system does not let a thread have one (only Linux
// does, and a sandbox may forbid it), or an error for a directory that cannot
// be entered; `body` has then not run.
absl::Status RunInPrivateWorkingDirectory(const std::string& directory,
                                          absl::FunctionRef<void()> body);

}  // namespace warpyard

#endif  // WARPYARD_CC_BASE_PRIVATE_WORKING_DIRECTORY_H_
