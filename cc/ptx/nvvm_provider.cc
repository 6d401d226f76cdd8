// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/nvvm_provider.h"

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
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "cc/base/file.h"
#include "cc/base/remember_success.h"
#include "cc/base/status_macros.h"
#include "cc/base/version.h"
#include "cc/ptx/compilation.h"
#include "cc/ptx/compile_log_status.h"
#include "cc/ptx/cuda_locator.h"
#include "cc/ptx/forms.h"
#include "cc/ptx/log_parser.h"
#include "cc/ptx/nvvm_library.h"
#include "cc/ptx/provider.h"
#include "cc/ptx/ptx_header.h"
#include "cc/ptx/tool_targets.h"
#include "cc/ptx/toolkit_release.h"
#include "cc/target/compute_capability.h"

namespace warpyard::ptx {
namespace {

constexpr std::string_view kName = "nvvm";

// The least that libNVVM compiles (NVVM IR Specification, "Data Layout" and
// "IR Version").
constexpr std::string_view kStub = R"(target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
!nvvmir.version = !{!0}
!0 = !{i32 2, i32 0}
)";

// Every function of libdevice starts so (libdevice User's Guide).
constexpr std::string_view kLibdevicePrefix = "__nv_";

// libdevice.10.bc has half a megabyte.
constexpr int64_t kMaxLibdeviceBytes = int64_t{64} << 20;

struct Facts {
  Version version;
  Version latest_isa;
  std::vector<ComputeCapability> targets;

  std::string Tool() const { return absl::StrCat(kName, " ", version.ToString()); }
};

absl::Status NvvmError(const NvvmLibrary& nvvm, std::string_view call, int result,
                       std::string_view log = {}) {
  const char* text = nvvm.get_error_string(result);
  const std::string message =
      absl::StrCat(call, " failed: ", text != nullptr ? text : absl::StrCat("error ", result),
                   log.empty() ? "" : "\n", log);
  switch (result) {
    case kNvvmOutOfMemory:
      return absl::ResourceExhaustedError(message);
    case kNvvmIrVersionMismatch:
    case kNvvmInvalidInput:
    case kNvvmInvalidIr:
    case kNvvmInvalidOption:
    case kNvvmCompilation:
      return absl::InvalidArgumentError(message);
    default:
      return absl::InternalError(message);
  }
}

// Owns one nvvmProgram.
class Program {
 public:
  static absl::StatusOr<Program> Create(const NvvmLibrary& nvvm) {
    NvvmLibrary::Program handle = nullptr;
    const int result = nvvm.create_program(&handle);
    if (result != kNvvmSuccess) return NvvmError(nvvm, "nvvmCreateProgram", result);
    return Program(nvvm, handle);
  }

  Program(Program&& other) noexcept
      : nvvm_(other.nvvm_), handle_(std::exchange(other.handle_, nullptr)) {}
  Program& operator=(Program&&) = delete;
  ~Program() {
    if (handle_ != nullptr) nvvm_.destroy_program(&handle_);
  }

  absl::Status Add(std::string_view bytes, const std::string& name) {
    const int result =
        nvvm_.add_module_to_program(handle_, bytes.data(), bytes.size(), name.c_str());
    if (result == kNvvmSuccess) return absl::OkStatus();
    return NvvmError(nvvm_, absl::StrCat("adding ", name), result);
  }

  // Takes in only what the other modules use.
  absl::Status AddLazily(std::string_view bytes, const std::string& name) {
    const int result =
        nvvm_.lazy_add_module_to_program(handle_, bytes.data(), bytes.size(), name.c_str());
    if (result == kNvvmSuccess) return absl::OkStatus();
    return NvvmError(nvvm_, absl::StrCat("adding ", name), result);
  }

  // An nvvmResult.
  int Compile(const std::vector<std::string>& options) {
    std::vector<const char*> pointers;
    pointers.reserve(options.size());
    for (const std::string& option : options) pointers.push_back(option.c_str());
    return nvvm_.compile_program(handle_, static_cast<int>(pointers.size()), pointers.data());
  }

  absl::StatusOr<std::string> Log() const {
    WARPYARD_ASSIGN_OR_RETURN(std::string log,
                              Take(nvvm_.get_program_log_size, nvvm_.get_program_log, "the log"));
    log.resize(std::min(log.size(), log.find('\0')));
    return log;
  }

  absl::StatusOr<std::string> Output(bool text) const {
    WARPYARD_ASSIGN_OR_RETURN(std::string bytes, Take(nvvm_.get_compiled_result_size,
                                                      nvvm_.get_compiled_result, "the output"));
    if (text) bytes.resize(std::min(bytes.size(), bytes.find('\0')));
    return bytes;
  }

 private:
  Program(const NvvmLibrary& nvvm, NvvmLibrary::Program handle) : nvvm_(nvvm), handle_(handle) {}

  absl::StatusOr<std::string> Take(int (*get_size)(NvvmLibrary::Program, size_t*),
                                   int (*get_bytes)(NvvmLibrary::Program, char*),
                                   std::string_view what) const {
    size_t size = 0;
    int result = get_size(handle_, &size);
    std::string bytes;
    if (result == kNvvmSuccess) {
      bytes.resize(size);
      result = get_bytes(handle_, bytes.data());
    }
    if (result != kNvvmSuccess) {
      return NvvmError(nvvm_, absl::StrCat("taking ", what, " from libNVVM"), result);
    }
    return bytes;
  }

  const NvvmLibrary& nvvm_;
  NvvmLibrary::Program handle_;
};

// Reads version and PTX ISA off a compiled stub: nvvmVersion tells that of the
// interface.
absl::StatusOr<Facts> AskFacts(const NvvmLibrary& nvvm) {
  Facts facts;
  WARPYARD_ASSIGN_OR_RETURN(Program stub, Program::Create(nvvm));
  WARPYARD_RETURN_IF_ERROR(stub.Add(kStub, "stub"));
  const int result = stub.Compile({});
  WARPYARD_ASSIGN_OR_RETURN(const std::string log, stub.Log());
  if (result != kNvvmSuccess) return NvvmError(nvvm, "compiling a stub", result, log);
  WARPYARD_ASSIGN_OR_RETURN(const std::string ptx, stub.Output(/*text=*/true));
  WARPYARD_ASSIGN_OR_RETURN(const PtxHeader header, ReadPtxHeader(ptx, "libNVVM's stub"));
  facts.latest_isa = header.isa;
  const std::optional<Version> release = FindToolkitRelease(ptx);
  if (!release.has_value()) {
    return absl::InternalError("libNVVM's PTX does not tell the release that made it");
  }
  facts.version = *release;
  if (nvvm.llvm_version != nullptr) {
    facts.targets = ProbeTargets([&nvvm](const ComputeCapability& target) {
      int llvm_major = 0;
      return nvvm.llvm_version(target.ComputeName().c_str(), &llvm_major) == kNvvmSuccess;
    });
  }
  return facts;
}

std::vector<std::string> Options(const CompileRequest& request, bool lto) {
  const CompileOptions& options = request.options;
  std::vector<std::string> arguments = {absl::StrCat("-arch=", request.target.ComputeName())};
  if (lto) arguments.push_back("-gen-lto");
  if (options.device_debug) {
    // Full debug information is for unoptimised code alone.
    arguments.insert(arguments.end(), {"-g", "-opt=0"});
  } else {
    arguments.push_back(absl::StrCat("-opt=", options.optimization_level));
  }
  if (options.fast_math) {
    arguments.insert(arguments.end(), {"-ftz=1", "-prec-div=0", "-prec-sqrt=0", "-fma=1"});
  }
  arguments.insert(arguments.end(), options.extra.begin(), options.extra.end());
  return arguments;
}

class NvvmProvider : public Provider {
 public:
  explicit NvvmProvider(ToolPaths paths) : paths_(std::move(paths)) {}

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
        new ProviderForms{.inputs = {InputKind::kNvvmIr},
                          .outputs = {OutputKind::kPtx, OutputKind::kLtoIr},
                          .links = true};
    WARPYARD_RETURN_IF_ERROR(CheckForms(kName, *kForms, request));
    return GetLibrary().status();
  }

  absl::StatusOr<CompileResult> Compile(const CompileRequest& request) override;

 private:
  absl::StatusOr<const NvvmLibrary*> GetLibrary() {
    return library_.Get([this]() -> absl::StatusOr<NvvmLibrary> {
      if (paths_.nvvm.empty()) return PartNotFound(CudaPart::kNvvm, paths_);
      return NvvmLibrary::Open(paths_.nvvm);
    });
  }

  absl::StatusOr<const Facts*> GetFacts() {
    WARPYARD_ASSIGN_OR_RETURN(const NvvmLibrary* nvvm, GetLibrary());
    return facts_.Get([nvvm] { return AskFacts(*nvvm); });
  }

  absl::StatusOr<const std::string*> GetLibdevice() {
    return libdevice_.Get([this]() -> absl::StatusOr<std::string> {
      if (paths_.libdevice.empty()) return PartNotFound(CudaPart::kLibdevice, paths_);
      return ReadFile(paths_.libdevice, kMaxLibdeviceBytes);
    });
  }

  absl::StatusOr<std::string> CompileOnce(const CompileRequest& request, bool lto,
                                          const NvvmLibrary& nvvm, const Facts& facts,
                                          CompileResult& result);

  const ToolPaths paths_;
  RememberSuccess<NvvmLibrary> library_;
  RememberSuccess<Facts> facts_;
  RememberSuccess<std::string> libdevice_;
};

absl::Status Failure(const CompileRequest& request, const NvvmLibrary& nvvm, const Facts& facts,
                     int code, const std::string& log) {
  const bool known = facts.targets.empty() || std::find(facts.targets.begin(), facts.targets.end(),
                                                        request.target) != facts.targets.end();
  if (!known) return UnknownTargetError(facts.Tool(), request.target, facts.targets);
  const std::string target = request.target.SmName();
  const ParsedLog parsed = ParseCompilerLog(log, {.target = target, .highest_target = {}});
  if (!parsed.status.ok()) return parsed.status;
  absl::Status status = NvvmError(
      nvvm, absl::StrCat(facts.Tool(), " compiling ", InputName(request, 0), " for ", target), code,
      log);
  if (request.target < ComputeCapability(10, 0) && absl::StrContains(log, "expected type")) {
    status = absl::Status(
        status.code(),
        absl::StrCat(status.message(),
                     "\nBelow sm_100 libNVVM reads typed pointers alone (float*, not ptr), unless "
                     "the extra option -nvvm-latest is given"));
  }
  return status;
}

absl::StatusOr<CompileResult> NvvmProvider::Compile(const CompileRequest& request) {
  const absl::Time start = absl::Now();
  WARPYARD_RETURN_IF_ERROR(ValidateRequest(request));
  WARPYARD_RETURN_IF_ERROR(Supports(request));
  WARPYARD_ASSIGN_OR_RETURN(const NvvmLibrary* nvvm, GetLibrary());
  WARPYARD_ASSIGN_OR_RETURN(const Facts* facts, GetFacts());

  CompileResult result;
  result.provider = kName;
  result.tool_version = facts->Tool();
  if (Wants(request, OutputKind::kPtx)) {
    WARPYARD_ASSIGN_OR_RETURN(result.ptx,
                              CompileOnce(request, /*lto=*/false, *nvvm, *facts, result));
  }
  if (Wants(request, OutputKind::kLtoIr)) {
    WARPYARD_ASSIGN_OR_RETURN(result.lto_ir,
                              CompileOnce(request, /*lto=*/true, *nvvm, *facts, result));
  }
  result.duration = absl::Now() - start;
  return result;
}

absl::StatusOr<std::string> NvvmProvider::CompileOnce(const CompileRequest& request, bool lto,
                                                      const NvvmLibrary& nvvm, const Facts& facts,
                                                      CompileResult& result) {
  WARPYARD_ASSIGN_OR_RETURN(Program program, Program::Create(nvvm));
  bool uses_libdevice = false;
  for (size_t i = 0; i < request.inputs.size(); ++i) {
    const std::string& bytes = request.inputs[i].bytes;
    WARPYARD_RETURN_IF_ERROR(program.Add(bytes, InputName(request, i)));
    // Bitcode keeps names as they are in its string table.
    uses_libdevice |= absl::StrContains(bytes, kLibdevicePrefix);
  }
  if (uses_libdevice) {
    WARPYARD_ASSIGN_OR_RETURN(const std::string* libdevice, GetLibdevice());
    WARPYARD_RETURN_IF_ERROR(program.AddLazily(*libdevice, "libdevice"));
  }
  const int code = program.Compile(Options(request, lto));
  WARPYARD_ASSIGN_OR_RETURN(const std::string log, program.Log());
  if (code != kNvvmSuccess) return AttachLog(Failure(request, nvvm, facts, code, log), log);

  const std::string target = request.target.SmName();
  ParsedLog parsed = ParseCompilerLog(log, {.target = target, .highest_target = {}});
  absl::StrAppend(&result.log, log);
  for (std::string& warning : parsed.warnings) {
    if (std::find(result.warnings.begin(), result.warnings.end(), warning) ==
        result.warnings.end()) {
      result.warnings.push_back(std::move(warning));
    }
  }
  return program.Output(/*text=*/!lto);
}

}  // namespace

std::unique_ptr<Provider> MakeNvvmProvider(ToolPaths paths) {
  return std::make_unique<NvvmProvider>(std::move(paths));
}

}  // namespace warpyard::ptx
