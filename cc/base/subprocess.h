// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Running a tool to its end and taking what it said.

#ifndef WARPYARD_CC_BASE_SUBPROCESS_H_
#define WARPYARD_CC_BASE_SUBPROCESS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace warpyard {

struct SubprocessOptions {
  // The program's path (never looked up on PATH) and its arguments, handed over
  // as they are: no shell is involved.
  std::vector<std::string> argv;

  // NAME=VALUE; absent: the environment of this process.
  std::optional<std::vector<std::string>> environment = std::nullopt;

  // Descriptors of this process that the child sees as 3, 4, 5, ... in this
  // order, so that a tool can be told "/proc/self/fd/3".
  std::vector<int> inherited_fds = {};

  // From the start to the end of the child. When it is over, the child and
  // everything it started are killed.
  absl::Duration time_limit = absl::InfiniteDuration();

  // How much of each stream is kept. What follows is read and dropped, so that
  // a talkative child neither blocks nor fills the memory.
  int64_t max_output_bytes = int64_t{16} << 20;
};

struct SubprocessResult {
  int exit_code = 0;  // 0..255; meaningful when `signal` is 0
  int signal = 0;     // the signal that ended it, or 0
  std::string standard_output;
  std::string standard_error;
  bool truncated = false;  // a stream was longer than `max_output_bytes`

  bool Succeeded() const { return exit_code == 0 && signal == 0; }

  // "exit code 3" or "signal 11 (Segmentation fault)".
  std::string EndDescription() const;
};

// Runs the program with an empty standard input in a process group of its own.
// A program that ran is an OK result, whatever its exit code.
//
// NOT_FOUND or PERMISSION_DENIED when it cannot be started, DEADLINE_EXCEEDED
// (with what it had written to standard error) when the time limit passed,
// INVALID_ARGUMENT for an empty argv or one with NUL bytes. Thread-safe. POSIX
// only.
absl::StatusOr<SubprocessResult> RunSubprocess(const SubprocessOptions& options);

}  // namespace warpyard

#endif  // WARPYARD_CC_BASE_SUBPROCESS_H_
