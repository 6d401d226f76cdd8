// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/cuda_program.h"

#include <unistd.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "cc/base/status_macros.h"
#include "cc/base/subprocess.h"
#include "cc/base/version.h"
#include "cc/ptx/cuda_locator.h"
#include "cc/ptx/tool_targets.h"
#include "cc/ptx/toolkit_release.h"

namespace warpyard::ptx {

absl::Status CudaProgram::NotFound() const {
  ToolPaths paths;
  paths.searched = path_.empty() ? searched_ : std::vector<std::string>{path_};
  return PartNotFound(part_, paths);
}

absl::Status CudaProgram::Available() const {
  if (path_.empty() || access(path_.c_str(), X_OK) != 0) return NotFound();
  return absl::OkStatus();
}

absl::StatusOr<SubprocessResult> CudaProgram::Run(const std::vector<std::string>& arguments,
                                                  absl::Duration time_limit,
                                                  const std::vector<int>& inherited_fds) const {
  if (path_.empty()) return NotFound();
  SubprocessOptions options;
  options.argv.reserve(arguments.size() + 1);
  options.argv.push_back(path_);
  options.argv.insert(options.argv.end(), arguments.begin(), arguments.end());
  options.inherited_fds = inherited_fds;
  options.time_limit = time_limit;
  absl::StatusOr<SubprocessResult> result = RunSubprocess(options);
  if (absl::IsNotFound(result.status())) return NotFound();
  return result;
}

absl::StatusOr<std::string> CudaProgram::Ask(const std::string& argument) const {
  WARPYARD_ASSIGN_OR_RETURN(SubprocessResult result, Run({argument}, kQueryTimeLimit));
  if (!result.Succeeded()) {
    return absl::InternalError(absl::StrCat(path_, " ", argument, " ended with ",
                                            result.EndDescription(), ": ", result.standard_error));
  }
  return std::move(result.standard_output);
}

absl::StatusOr<ProgramFacts> CudaProgram::AskFacts() const {
  ProgramFacts facts;
  WARPYARD_ASSIGN_OR_RETURN(const std::string version, Ask("--version"));
  const std::optional<Version> release = FindToolkitRelease(version);
  if (!release.has_value()) {
    return absl::InternalError(
        absl::StrCat(path_, " --version does not tell a release of CUDA; it said: ", version));
  }
  facts.version = *release;
  WARPYARD_ASSIGN_OR_RETURN(const std::string help, Ask("--help"));
  facts.targets = TargetsInHelp(help);
  return facts;
}

}  // namespace warpyard::ptx
