// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/disassembler.h"

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/time/time.h"
#include "cc/base/status_macros.h"
#include "cc/base/subprocess.h"
#include "cc/base/temporary_directory.h"

namespace warpyard::ptx {
namespace {

constexpr absl::Duration kTimeLimit = absl::Minutes(5);
constexpr int64_t kMaxOutputBytes = int64_t{1} << 30;

}  // namespace

absl::StatusOr<std::string> DisassembleCubin(std::string_view cubin, const ToolPaths& tools) {
  std::vector<std::string> argv;
  if (!tools.nvdisasm.empty()) {
    argv = {tools.nvdisasm, "--print-code"};
  } else if (!tools.cuobjdump.empty()) {
    argv = {tools.cuobjdump, "--dump-sass"};
  } else {
    return absl::NotFoundError(
        "no disassembler: neither nvdisasm nor cuobjdump is on this machine; install one with: "
        "pip install nvidia-cuda-nvdisasm (or nvidia-cuda-cuobjdump)");
  }
  WARPYARD_ASSIGN_OR_RETURN(const TemporaryDirectory folder, TemporaryDirectory::Create());
  WARPYARD_ASSIGN_OR_RETURN(const std::string path, folder.Write("code.cubin", cubin));
  argv.push_back(path);
  WARPYARD_ASSIGN_OR_RETURN(SubprocessResult result,
                            RunSubprocess({.argv = argv,
                                           .environment = std::nullopt,
                                           .inherited_fds = {},
                                           .time_limit = kTimeLimit,
                                           .max_output_bytes = kMaxOutputBytes}));
  if (!result.Succeeded()) {
    return absl::InvalidArgumentError(
        absl::StrCat(argv[0], " ended with ", result.EndDescription(), ": ",
                     absl::StrReplaceAll(result.standard_error, {{path, "the CUBIN"}})));
  }
  if (result.truncated) {
    return absl::ResourceExhaustedError(
        absl::StrCat("the disassembly is longer than ", kMaxOutputBytes, " bytes"));
  }
  return std::move(result.standard_output);
}

}  // namespace warpyard::ptx
