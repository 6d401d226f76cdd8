// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/ptxas_provider.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "cc/base/memory_file.h"
#include "cc/base/remember_success.h"
#include "cc/base/status_macros.h"
#include "cc/base/subprocess.h"
#include "cc/base/version.h"
#include "cc/ptx/compilation.h"
#include "cc/ptx/compile_log_status.h"
#include "cc/ptx/cuda_locator.h"
#include "cc/ptx/cuda_program.h"
#include "cc/ptx/forms.h"
#include "cc/ptx/latest_isa.h"
#include "cc/ptx/log_parser.h"
#include "cc/ptx/provider.h"
#include "cc/ptx/ptx_header.h"
#include "cc/ptx/tool_targets.h"
#include "cc/target/compute_capability.h"

namespace warpyard::ptx {
namespace {

constexpr std::string_view kName = "ptxas";

// The descriptors that the program inherits, in this order.
constexpr std::string_view kInputPath = "/proc/self/fd/3";
constexpr std::string_view kOutputPath = "/proc/self/fd/4";

constexpr int64_t kMaxCubinBytes = int64_t{1} << 30;

struct Facts {
  ProgramFacts program;
  Version latest_isa;

  std::string Tool() const { return absl::StrCat(kName, " ", program.version.ToString()); }
};

absl::StatusOr<Version> AskLatestIsa(const CudaProgram& ptxas, const ProgramFacts& program) {
  WARPYARD_ASSIGN_OR_RETURN(const SubprocessResult list,
                            ptxas.Run({"--list-version"}, kQueryTimeLimit));
  Version latest;
  for (const std::string_view line : absl::StrSplit(list.standard_output, '\n')) {
    absl::StatusOr<Version> version = Version::Parse(absl::StripAsciiWhitespace(line));
    if (version.ok()) latest = std::max(latest, *version);
  }
  if (list.Succeeded() && latest != Version()) return latest;

  // Before CUDA 13 there is no such list, but there is the refusal.
  if (program.targets.empty()) return absl::InternalError("ptxas --help lists no target");
  const ComputeCapability target = program.targets.front();
  WARPYARD_ASSIGN_OR_RETURN(const MemoryFile probe, MemoryFile::Create(IsaProbe(target)));
  WARPYARD_ASSIGN_OR_RETURN(const SubprocessResult refused,
                            ptxas.Run({absl::StrCat("-arch=", target.SmName()),
                                       std::string(kInputPath), "-o", "/dev/null"},
                                      kQueryTimeLimit, {probe.fd()}));
  return LatestIsaInRefusal(refused.standard_error);
}

absl::StatusOr<Facts> AskFacts(const CudaProgram& ptxas) {
  Facts facts;
  WARPYARD_ASSIGN_OR_RETURN(facts.program, ptxas.AskFacts());
  WARPYARD_ASSIGN_OR_RETURN(facts.latest_isa, AskLatestIsa(ptxas, facts.program));
  return facts;
}

std::vector<std::string> Arguments(const CompileRequest& request) {
  const CompileOptions& options = request.options;
  std::vector<std::string> arguments = {absl::StrCat("-arch=", request.target.SmName()), "-v"};
  if (options.device_debug) {
    // Excludes both of the others.
    arguments.push_back("-g");
  } else {
    if (options.line_info) arguments.push_back("-lineinfo");
    if (options.optimization_level != CompileOptions().optimization_level) {
      arguments.push_back(absl::StrCat("-O", options.optimization_level));
    }
  }
  if (options.relocatable) arguments.push_back("-c");
  if (options.max_registers.has_value()) {
    arguments.push_back(absl::StrCat("-maxrregcount=", *options.max_registers));
  }
  arguments.insert(arguments.end(), options.extra.begin(), options.extra.end());
  arguments.insert(arguments.end(), {std::string(kInputPath), "-o", std::string(kOutputPath)});
  return arguments;
}

class PtxasProvider : public Provider {
 public:
  explicit PtxasProvider(ToolPaths paths)
      : program_(std::string(kName), paths.ptxas, CudaPart::kPtxas, paths.searched) {}

  std::string_view name() const override { return kName; }

  absl::StatusOr<Version> ToolVersion() override {
    WARPYARD_ASSIGN_OR_RETURN(const Facts* facts, GetFacts());
    return facts->program.version;
  }

  absl::StatusOr<Version> LatestPtxIsaVersion() override {
    WARPYARD_ASSIGN_OR_RETURN(const Facts* facts, GetFacts());
    return facts->latest_isa;
  }

  absl::Status Supports(const CompileRequest& request) override {
    static const ProviderForms* const kForms = new ProviderForms{
        .inputs = {InputKind::kPtx}, .outputs = {OutputKind::kCubin}, .links = false};
    WARPYARD_RETURN_IF_ERROR(CheckForms(kName, *kForms, request));
    return program_.Available();
  }

  absl::StatusOr<CompileResult> Compile(const CompileRequest& request) override;

 private:
  absl::StatusOr<const Facts*> GetFacts() {
    return facts_.Get([this] { return AskFacts(program_); });
  }

  const CudaProgram program_;
  RememberSuccess<Facts> facts_;
};

absl::StatusOr<CompileResult> PtxasProvider::Compile(const CompileRequest& request) {
  const absl::Time start = absl::Now();
  WARPYARD_RETURN_IF_ERROR(ValidateRequest(request));
  WARPYARD_RETURN_IF_ERROR(Supports(request));
  WARPYARD_ASSIGN_OR_RETURN(const Facts* facts, GetFacts());
  const std::vector<ComputeCapability>& targets = facts->program.targets;
  if (std::find(targets.begin(), targets.end(), request.target) == targets.end()) {
    return UnknownTargetError(facts->Tool(), request.target, targets);
  }
  WARPYARD_RETURN_IF_ERROR(CheckPtxInput(request, 0, facts->Tool(), facts->latest_isa));

  WARPYARD_ASSIGN_OR_RETURN(const MemoryFile input,
                            MemoryFile::Create(SourceText(request.inputs[0])));
  WARPYARD_ASSIGN_OR_RETURN(const MemoryFile output, MemoryFile::Create());
  WARPYARD_ASSIGN_OR_RETURN(
      const SubprocessResult ended,
      program_.Run(Arguments(request), kCompileTimeLimit, {input.fd(), output.fd()}));

  CompileResult result;
  result.log = absl::StrReplaceAll(absl::StrCat(ended.standard_output, ended.standard_error),
                                   {{kInputPath, InputName(request, 0)}});
  const std::string target = request.target.SmName();
  const std::string highest = targets.back().SmName();
  ParsedLog parsed = ParseCompilerLog(result.log, {.target = target, .highest_target = highest});
  if (!ended.Succeeded()) {
    if (!parsed.status.ok()) return AttachLog(parsed.status, result.log);
    return AttachLog(
        absl::InternalError(absl::StrCat(facts->Tool(), " ended with ", ended.EndDescription(),
                                         " on ", InputName(request, 0), ": ", result.log)),
        result.log);
  }
  WARPYARD_ASSIGN_OR_RETURN(result.cubin, output.ReadAll(kMaxCubinBytes));
  if (result.cubin.empty()) {
    return absl::InternalError(absl::StrCat(facts->Tool(), " succeeded on ", InputName(request, 0),
                                            " but gave no CUBIN: ", result.log));
  }
  result.kernels = std::move(parsed.kernels);
  result.warnings = std::move(parsed.warnings);
  result.provider = kName;
  result.tool_version = facts->Tool();
  result.duration = absl::Now() - start;
  return result;
}

}  // namespace

std::unique_ptr<Provider> MakePtxasProvider(ToolPaths paths) {
  return std::make_unique<PtxasProvider>(std::move(paths));
}

}  // namespace warpyard::ptx
