// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/nvrtc_provider.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "cc/base/private_working_directory.h"
#include "cc/base/remember_success.h"
#include "cc/base/status_macros.h"
#include "cc/base/version.h"
#include "cc/ptx/compilation.h"
#include "cc/ptx/compile_log_status.h"
#include "cc/ptx/cuda_locator.h"
#include "cc/ptx/forms.h"
#include "cc/ptx/log_parser.h"
#include "cc/ptx/nvrtc_library.h"
#include "cc/ptx/provider.h"
#include "cc/ptx/ptx_header.h"
#include "cc/ptx/tool_targets.h"
#include "cc/ptx/toolkit_release.h"
#include "cc/target/compute_capability.h"

namespace warpyard::ptx {
namespace {

constexpr std::string_view kName = "nvrtc";

// The working directory of this process, for whoever reads the path.
constexpr std::string_view kWorkingDirectory = "/proc/self/cwd/";

// Makes ptxas tell what kernels use.
constexpr std::string_view kVerbose = "--ptxas-options=-v";

// The release whose NVRTC began to keep compiled code in the driver's cache.
constexpr Version kFirstWithCache(12, 9);

// What NVRTC tells of itself.
struct Facts {
  Version version;
  Version latest_isa;
  std::vector<ComputeCapability> targets;  // plain ones, rising

  std::string Tool() const { return absl::StrCat(kName, " ", version.ToString()); }
};

absl::Status NvrtcError(const NvrtcLibrary& nvrtc, std::string_view call, int result) {
  const char* text = nvrtc.get_error_string(result);
  const std::string message =
      absl::StrCat(call, " failed: ", text != nullptr ? text : absl::StrCat("error ", result));
  switch (result) {
    case kNvrtcOutOfMemory:
      return absl::ResourceExhaustedError(message);
    case kNvrtcInvalidInput:
    case kNvrtcInvalidOption:
      return absl::InvalidArgumentError(message);
    default:
      return absl::InternalError(message);
  }
}

// Owns one nvrtcProgram.
class Program {
 public:
  static absl::StatusOr<Program> Create(const NvrtcLibrary& nvrtc, const std::string& source,
                                        const char* name) {
    NvrtcLibrary::Program handle = nullptr;
    const int result = nvrtc.create_program(&handle, source.c_str(), name, 0, nullptr, nullptr);
    if (result != kNvrtcSuccess) return NvrtcError(nvrtc, "nvrtcCreateProgram", result);
    return Program(nvrtc, handle);
  }

  Program(Program&& other) noexcept
      : nvrtc_(other.nvrtc_), handle_(std::exchange(other.handle_, nullptr)) {}
  Program& operator=(Program&&) = delete;
  ~Program() {
    if (handle_ != nullptr) nvrtc_.destroy_program(&handle_);
  }

  // An nvrtcResult.
  int Compile(const std::vector<std::string>& options) {
    std::vector<const char*> pointers;
    pointers.reserve(options.size());
    for (const std::string& option : options) pointers.push_back(option.c_str());
    return nvrtc_.compile_program(handle_, static_cast<int>(pointers.size()), pointers.data());
  }

  absl::StatusOr<std::string> Log() const {
    return Take(nvrtc_.get_program_log_size, nvrtc_.get_program_log, "the log", /*text=*/true);
  }
  absl::StatusOr<std::string> Ptx() const {
    return Take(nvrtc_.get_ptx_size, nvrtc_.get_ptx, "the PTX", /*text=*/true);
  }
  absl::StatusOr<std::string> Cubin() const {
    return Take(nvrtc_.get_cubin_size, nvrtc_.get_cubin, "the CUBIN", /*text=*/false);
  }
  absl::StatusOr<std::string> LtoIr() const {
    return Take(nvrtc_.get_lto_ir_size, nvrtc_.get_lto_ir, "the LTO IR", /*text=*/false);
  }

 private:
  Program(const NvrtcLibrary& nvrtc, NvrtcLibrary::Program handle)
      : nvrtc_(nvrtc), handle_(handle) {}

  using SizeFunction = int (*)(NvrtcLibrary::Program, size_t*);
  using BytesFunction = int (*)(NvrtcLibrary::Program, char*);

  // Texts come with their closing NUL counted in.
  absl::StatusOr<std::string> Take(SizeFunction get_size, BytesFunction get_bytes,
                                   std::string_view what, bool text) const {
    size_t size = 0;
    int result = get_size(handle_, &size);
    std::string bytes;
    if (result == kNvrtcSuccess) {
      bytes.resize(size);
      result = get_bytes(handle_, bytes.data());
    }
    if (result != kNvrtcSuccess) {
      return NvrtcError(nvrtc_, absl::StrCat("taking ", what, " from NVRTC"), result);
    }
    if (text) bytes.resize(std::min(bytes.size(), bytes.find('\0')));
    return bytes;
  }

  const NvrtcLibrary& nvrtc_;
  NvrtcLibrary::Program handle_;
};

// Reads version and PTX ISA off a compiled stub: NVRTC has no function for the
// one and tells only the first two components of the other.
absl::StatusOr<Facts> AskFacts(const NvrtcLibrary& nvrtc) {
  Facts facts;
  int major = 0;
  int minor = 0;
  int result = nvrtc.version(&major, &minor);
  if (result != kNvrtcSuccess) return NvrtcError(nvrtc, "nvrtcVersion", result);
  facts.version = Version(static_cast<uint32_t>(major), static_cast<uint32_t>(minor));

  int count = 0;
  result = nvrtc.get_num_supported_archs(&count);
  std::vector<int> archs(static_cast<size_t>(std::max(count, 0)));
  if (result == kNvrtcSuccess && count > 0) result = nvrtc.get_supported_archs(archs.data());
  if (result != kNvrtcSuccess) return NvrtcError(nvrtc, "nvrtcGetSupportedArchs", result);
  for (const int arch : archs) facts.targets.emplace_back(arch / 10, arch % 10);
  std::sort(facts.targets.begin(), facts.targets.end());

  WARPYARD_ASSIGN_OR_RETURN(Program stub, Program::Create(nvrtc, "", "stub.cu"));
  // --minimal leaves out the built-in header and a third of the time, but older
  // releases do not have it.
  if (stub.Compile({"--minimal"}) != kNvrtcSuccess) {
    result = stub.Compile({});
    if (result != kNvrtcSuccess) return NvrtcError(nvrtc, "compiling a stub", result);
  }
  WARPYARD_ASSIGN_OR_RETURN(const std::string ptx, stub.Ptx());
  WARPYARD_ASSIGN_OR_RETURN(const PtxHeader header, ReadPtxHeader(ptx, "NVRTC's stub"));
  facts.latest_isa = header.isa;
  if (const std::optional<Version> release = FindToolkitRelease(ptx)) facts.version = *release;
  return facts;
}

// Where NVRTC writes paths into what it makes: line information, and full debug
// information and LTO IR, which name the working directory as well.
enum class PathUse { kNone, kFiles, kFilesAndDirectory };

PathUse PathsIn(const CompileOptions& options, bool lto) {
  if (lto || options.device_debug) return PathUse::kFilesAndDirectory;
  return options.line_info ? PathUse::kFiles : PathUse::kNone;
}

// NVRTC makes a relative path that it writes absolute, with the working
// directory. One that is absolute already, and means the same, stays as it is.
std::string StablePath(const std::string& path, PathUse use) {
  if (use == PathUse::kNone || absl::StartsWith(path, "/")) return path;
  return absl::StrCat(kWorkingDirectory, path);
}

// The log, with paths as the caller wrote them.
absl::StatusOr<std::string> TakeLog(const Program& program, PathUse use) {
  WARPYARD_ASSIGN_OR_RETURN(std::string log, program.Log());
  if (use == PathUse::kNone) return log;
  return absl::StrReplaceAll(log, {{kWorkingDirectory, ""}});
}

// What NVRTC is told for one compilation, of LTO IR or of the other forms.
std::vector<std::string> Options(const CompileRequest& request, const Facts& facts,
                                 const ToolPaths& paths, bool lto) {
  const CompileOptions& options = request.options;
  const bool real = lto || Wants(request, OutputKind::kCubin);
  std::vector<std::string> arguments = {
      absl::StrCat("--gpu-architecture=",
                   real ? request.target.SmName() : request.target.ComputeName()),
      absl::StrCat("--std=", options.language_standard),
      "--no-source-include",
      std::string(kVerbose),
  };
  if (facts.version >= kFirstWithCache) arguments.push_back("--no-cache");
  if (lto) arguments.push_back("--dlink-time-opt");
  if (options.relocatable && !lto) arguments.push_back("--relocatable-device-code=true");
  if (options.fast_math) arguments.push_back("--use_fast_math");
  if (options.device_debug) {
    // Excludes both of the others.
    arguments.push_back("--device-debug");
  } else {
    if (options.line_info) arguments.push_back("--generate-line-info");
    if (options.optimization_level != CompileOptions().optimization_level) {
      arguments.push_back(absl::StrCat("--ptxas-options=-O", options.optimization_level));
    }
  }
  if (options.max_registers.has_value()) {
    arguments.push_back(absl::StrCat("--maxrregcount=", *options.max_registers));
  }
  for (const std::string& define : options.defines) {
    arguments.push_back(absl::StrCat("--define-macro=", define));
  }
  for (const std::string& folder : options.include_dirs) {
    arguments.push_back(absl::StrCat("--include-path=", StablePath(folder, PathsIn(options, lto))));
  }
  for (const std::string* folder : {&paths.cuda_include, &paths.cccl_include}) {
    if (!folder->empty()) arguments.push_back(absl::StrCat("--include-path=", *folder));
  }
  arguments.insert(arguments.end(), options.extra.begin(), options.extra.end());
  return arguments;
}

class NvrtcProvider : public Provider {
 public:
  explicit NvrtcProvider(ToolPaths paths) : paths_(std::move(paths)) {}

  std::string_view name() const override { return kName; }

  absl::StatusOr<Version> ToolVersion() override {
    WARPYARD_ASSIGN_OR_RETURN(const Facts* facts, GetFacts());
    return facts->version;
  }

  absl::StatusOr<Version> LatestPtxIsaVersion() override {
    WARPYARD_ASSIGN_OR_RETURN(const Facts* facts, GetFacts());
    return facts->latest_isa;
  }

  absl::Status Supports(const CompileRequest& request) override {
    static const ProviderForms* const kForms =
        new ProviderForms{.inputs = {InputKind::kCudaCpp},
                          .outputs = {OutputKind::kPtx, OutputKind::kLtoIr, OutputKind::kCubin},
                          .links = false};
    WARPYARD_RETURN_IF_ERROR(CheckForms(kName, *kForms, request));
    return GetLibrary().status();
  }

  absl::StatusOr<CompileResult> Compile(const CompileRequest& request) override;

 private:
  absl::StatusOr<const NvrtcLibrary*> GetLibrary() {
    return library_.Get([this]() -> absl::StatusOr<NvrtcLibrary> {
      if (paths_.nvrtc.empty()) return PartNotFound(CudaPart::kNvrtc, paths_);
      return NvrtcLibrary::Open(paths_.nvrtc);
    });
  }

  absl::StatusOr<const Facts*> GetFacts() {
    WARPYARD_ASSIGN_OR_RETURN(const NvrtcLibrary* nvrtc, GetLibrary());
    return facts_.Get([nvrtc] { return AskFacts(*nvrtc); });
  }

  // Compiles once, for LTO IR or for the other forms, and adds to `result`.
  absl::Status CompileOnce(const CompileRequest& request, bool lto, const NvrtcLibrary& nvrtc,
                           const Facts& facts, CompileResult& result) const;

  absl::Status Failure(const CompileRequest& request, const NvrtcLibrary& nvrtc, const Facts& facts,
                       int code, const std::string& log, const absl::Status& parsed) const;

  const ToolPaths paths_;
  RememberSuccess<NvrtcLibrary> library_;
  RememberSuccess<Facts> facts_;
};

absl::StatusOr<CompileResult> NvrtcProvider::Compile(const CompileRequest& request) {
  const absl::Time start = absl::Now();
  WARPYARD_RETURN_IF_ERROR(ValidateRequest(request));
  WARPYARD_RETURN_IF_ERROR(Supports(request));
  WARPYARD_ASSIGN_OR_RETURN(const NvrtcLibrary* nvrtc, GetLibrary());
  WARPYARD_ASSIGN_OR_RETURN(const Facts* facts, GetFacts());

  CompileResult result;
  result.provider = kName;
  result.tool_version = facts->Tool();
  if (Wants(request, OutputKind::kPtx) || Wants(request, OutputKind::kCubin)) {
    WARPYARD_RETURN_IF_ERROR(CompileOnce(request, /*lto=*/false, *nvrtc, *facts, result));
  }
  if (Wants(request, OutputKind::kLtoIr)) {
    WARPYARD_RETURN_IF_ERROR(CompileOnce(request, /*lto=*/true, *nvrtc, *facts, result));
  }
  result.duration = absl::Now() - start;
  return result;
}

absl::Status NvrtcProvider::CompileOnce(const CompileRequest& request, bool lto,
                                        const NvrtcLibrary& nvrtc, const Facts& facts,
                                        CompileResult& result) const {
  const Input& input = request.inputs[0];
  // NVRTC reads a C string: a std::string's own NUL ends it.
  std::string trimmed;
  const std::string_view text = SourceText(input);
  if (text.size() != input.bytes.size()) trimmed = std::string(text);
  const PathUse paths = PathsIn(request.options, lto);
  const std::string name = StablePath(InputName(request, 0), paths);
  WARPYARD_ASSIGN_OR_RETURN(
      Program program,
      Program::Create(nvrtc, trimmed.empty() ? input.bytes : trimmed, name.c_str()));

  std::vector<std::string> options = Options(request, facts, paths_, lto);
  int code = kNvrtcSuccess;
  if (paths == PathUse::kFilesAndDirectory) {
    const absl::Status isolated =
        RunInPrivateWorkingDirectory("/", [&] { code = program.Compile(options); });
    if (!isolated.ok()) {
      code = program.Compile(options);
      result.warnings.push_back(absl::StrCat(lto ? "the LTO IR" : "the debug information",
                                             " names the working directory: ", isolated.message()));
    }
  } else {
    code = program.Compile(options);
  }

  WARPYARD_ASSIGN_OR_RETURN(std::string log, TakeLog(program, paths));
  const std::string target = request.target.SmName();
  const LogContext context = {.target = target, .highest_target = {}};
  ParsedLog parsed = ParseCompilerLog(log, context);
  if (code == kNvrtcCompilation && parsed.status.ok()) {
    // With -v NVRTC 13.5 swallows errors that ptxas finds at its very end (too
    // much shared memory); without, it tells them.
    std::erase(options, kVerbose);
    (void)program.Compile(options);
    WARPYARD_ASSIGN_OR_RETURN(log, TakeLog(program, paths));
    parsed = ParseCompilerLog(log, context);
  }
  if (code != kNvrtcSuccess) {
    return AttachLog(Failure(request, nvrtc, facts, code, log, parsed.status), log);
  }

  if (lto) {
    WARPYARD_ASSIGN_OR_RETURN(result.lto_ir, program.LtoIr());
  } else {
    if (Wants(request, OutputKind::kPtx)) {
      WARPYARD_ASSIGN_OR_RETURN(result.ptx, program.Ptx());
    }
    if (Wants(request, OutputKind::kCubin)) {
      WARPYARD_ASSIGN_OR_RETURN(result.cubin, program.Cubin());
    }
    result.kernels = std::move(parsed.kernels);
  }
  absl::StrAppend(&result.log, log);
  for (std::string& warning : parsed.warnings) {
    if (std::find(result.warnings.begin(), result.warnings.end(), warning) ==
        result.warnings.end()) {
      result.warnings.push_back(std::move(warning));
    }
  }
  return absl::OkStatus();
}

absl::Status NvrtcProvider::Failure(const CompileRequest& request, const NvrtcLibrary& nvrtc,
                                    const Facts& facts, int code, const std::string& log,
                                    const absl::Status& parsed) const {
  // The list has plain targets alone: that sm_80a is none shows in the log.
  const bool known = std::find(facts.targets.begin(), facts.targets.end(),
                               request.target.Plain()) != facts.targets.end();
  if (!known || absl::StrContains(log, "--nv_arch flag") ||
      absl::StrContains(log, "invalid value for --gpu-architecture")) {
    return UnknownTargetError(facts.Tool(), request.target, facts.targets);
  }
  if (code == kNvrtcInvalidOption) {
    return absl::InvalidArgumentError(
        absl::StrCat(facts.Tool(), " does not take an option: ", log));
  }
  if (parsed.ok()) {
    const absl::Status error = NvrtcError(nvrtc, "nvrtcCompileProgram", code);
    return absl::Status(
        code == kNvrtcCompilation ? absl::StatusCode::kInvalidArgument : error.code(),
        absl::StrCat(error.message(), "\n", log));
  }
  const bool needs_headers = absl::StrContains(log, "open source file") &&
                             (paths_.cuda_include.empty() || paths_.cccl_include.empty());
  if (!needs_headers) return parsed;
  const CudaPart part = paths_.cuda_include.empty() ? CudaPart::kHeaders : CudaPart::kCccl;
  return absl::Status(parsed.code(), absl::StrCat(parsed.message(), "\nIf the file is CUDA's: ",
                                                  PartNotFound(part, paths_).message()));
}

}  // namespace

std::unique_ptr<Provider> MakeNvrtcProvider(ToolPaths paths) {
  return std::make_unique<NvrtcProvider>(std::move(paths));
}

}  // namespace warpyard::ptx
