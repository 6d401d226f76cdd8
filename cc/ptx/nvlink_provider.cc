// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/nvlink_provider.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "cc/base/file.h"
#include "cc/base/remember_success.h"
#include "cc/base/status_macros.h"
#include "cc/base/subprocess.h"
#include "cc/base/temporary_directory.h"
#include "cc/base/version.h"
#include "cc/ptx/compilation.h"
#include "cc/ptx/compile_log_status.h"
#include "cc/ptx/cuda_locator.h"
#include "cc/ptx/cuda_program.h"
#include "cc/ptx/forms.h"
#include "cc/ptx/linkage.h"
#include "cc/ptx/log_parser.h"
#include "cc/ptx/provider.h"
#include "cc/ptx/tool_targets.h"

namespace warpyard::ptx {
namespace {

constexpr std::string_view kName = "nvlink";

constexpr int64_t kMaxCubinBytes = int64_t{1} << 30;

std::string Tool(const ProgramFacts& facts) {
  return absl::StrCat(kName, " ", facts.version.ToString());
}

class NvlinkProvider : public Provider {
 public:
  explicit NvlinkProvider(ToolPaths paths)
      : program_(std::string(kName), paths.nvlink, CudaPart::kNvlink, paths.searched) {}

  std::string_view name() const override { return kName; }

  absl::StatusOr<Version> ToolVersion() override {
    WARPYARD_ASSIGN_OR_RETURN(const ProgramFacts* facts, GetFacts());
    return facts->version;
  }

  absl::StatusOr<Version> LatestPtxIsaVersion() override {
    return absl::UnimplementedError("nvlink reads no PTX");
  }

  absl::Status Supports(const CompileRequest& request) override {
    static const ProviderForms* const kForms = new ProviderForms{
        .inputs = {InputKind::kCubin}, .outputs = {OutputKind::kCubin}, .links = true};
    WARPYARD_RETURN_IF_ERROR(CheckForms(kName, *kForms, request));
    return program_.Available();
  }

  absl::StatusOr<CompileResult> Compile(const CompileRequest& request) override;

 private:
  absl::StatusOr<const ProgramFacts*> GetFacts() {
    return facts_.Get([this] { return program_.AskFacts(); });
  }

  const CudaProgram program_;
  RememberSuccess<ProgramFacts> facts_;
};

absl::StatusOr<CompileResult> NvlinkProvider::Compile(const CompileRequest& request) {
  const absl::Time start = absl::Now();
  WARPYARD_RETURN_IF_ERROR(ValidateRequest(request));
  WARPYARD_RETURN_IF_ERROR(Supports(request));
  WARPYARD_RETURN_IF_ERROR(CheckLinkInputs(request));
  WARPYARD_ASSIGN_OR_RETURN(const ProgramFacts* facts, GetFacts());
  if (std::find(facts->targets.begin(), facts->targets.end(), request.target) ==
      facts->targets.end()) {
    return UnknownTargetError(Tool(*facts), request.target, facts->targets);
  }

  WARPYARD_ASSIGN_OR_RETURN(const TemporaryDirectory directory, TemporaryDirectory::Create());
  std::vector<std::string> arguments = {absl::StrCat("-arch=", request.target.SmName()), "-v"};
  if (request.options.relocatable) arguments.push_back("-r");
  if (request.options.device_debug) arguments.push_back("-g");
  arguments.insert(arguments.end(), request.options.extra.begin(), request.options.extra.end());
  // From the paths in messages to the names that the caller knows. None is the
  // beginning of another.
  std::vector<std::pair<std::string, std::string>> names;
  for (size_t i = 0; i < request.inputs.size(); ++i) {
    WARPYARD_ASSIGN_OR_RETURN(const std::string path,
                              directory.Write(absl::StrCat(i, ".cubin"), request.inputs[i].bytes));
    arguments.push_back(path);
    names.emplace_back(path, InputName(request, i));
  }
  const std::string output = absl::StrCat(directory.path(), "/linked.out");
  arguments.insert(arguments.end(), {"-o", output});
  WARPYARD_ASSIGN_OR_RETURN(const SubprocessResult ended,
                            program_.Run(arguments, kCompileTimeLimit));

  CompileResult result;
  result.log =
      absl::StrReplaceAll(absl::StrCat(ended.standard_output, ended.standard_error), names);
  const std::string target = request.target.SmName();
  const std::string highest = facts->targets.back().SmName();
  ParsedLog parsed = ParseCompilerLog(result.log, {.target = target, .highest_target = highest});
  if (!ended.Succeeded()) {
    if (!parsed.status.ok()) return AttachLog(parsed.status, result.log);
    return AttachLog(absl::InternalError(absl::StrCat(Tool(*facts), " ended with ",
                                                      ended.EndDescription(), ": ", result.log)),
                     result.log);
  }
  WARPYARD_ASSIGN_OR_RETURN(result.cubin, ReadFile(output, kMaxCubinBytes));
  result.kernels = std::move(parsed.kernels);
  result.warnings = std::move(parsed.warnings);
  result.provider = kName;
  result.tool_version = Tool(*facts);
  result.duration = absl::Now() - start;
  return result;
}

}  // namespace

std::unique_ptr<Provider> MakeNvlinkProvider(ToolPaths paths) {
  return std::make_unique<NvlinkProvider>(std::move(paths));
}

}  // namespace warpyard::ptx
