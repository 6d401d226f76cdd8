// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The programs of the CUDA toolkit, run as subprocesses.

#ifndef WARPYARD_CC_PTX_CUDA_PROGRAM_H_
#define WARPYARD_CC_PTX_CUDA_PROGRAM_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "cc/base/subprocess.h"
#include "cc/base/version.h"
#include "cc/ptx/cuda_locator.h"
#include "cc/target/compute_capability.h"

namespace warpyard::ptx {

// The longest that a program may take to tell its version or its options.
inline constexpr absl::Duration kQueryTimeLimit = absl::Minutes(1);

// The longest that a program may take to compile: no kernel takes an hour.
inline constexpr absl::Duration kCompileTimeLimit = absl::Hours(1);

// What a program tells of itself.
struct ProgramFacts {
  Version version;                         // --version
  std::vector<ComputeCapability> targets;  // in --help, rising; `a` and `f` too
};

// One program at one path.
class CudaProgram {
 public:
  // `name` is what messages call it; `path` may be empty (not found).
  CudaProgram(std::string name, std::string path, CudaPart part, std::vector<std::string> searched)
      : name_(std::move(name)),
        path_(std::move(path)),
        part_(part),
        searched_(std::move(searched)) {}

  const std::string& name() const { return name_; }

  // OK when there is a file to run; NOT_FOUND as of PartNotFound otherwise.
  absl::Status Available() const;

  // Runs the program with `arguments`. `inherited_fds` as in SubprocessOptions.
  // NOT_FOUND, naming the package to install, when it is not there.
  absl::StatusOr<SubprocessResult> Run(const std::vector<std::string>& arguments,
                                       absl::Duration time_limit,
                                       const std::vector<int>& inherited_fds = {}) const;

  // Runs it with one argument and gives its standard output; an exit code other
  // than 0 is INTERNAL.
  absl::StatusOr<std::string> Ask(const std::string& argument) const;

  absl::StatusOr<ProgramFacts> AskFacts() const;

 private:
  absl::Status NotFound() const;

  const std::string name_;
  const std::string path_;
  const CudaPart part_;
  const std::vector<std::string> searched_;
};

}  // namespace warpyard::ptx

#endif  // WARPYARD_CC_PTX_CUDA_PROGRAM_H_
