// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/nvjitlink_provider.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "cc/base/remember_success.h"
#include "cc/base/status_macros.h"
#include "cc/base/version.h"
#include "cc/ptx/compilation.h"
#include "cc/ptx/compile_log_status.h"
#include "cc/ptx/cuda_locator.h"
#include "cc/ptx/forms.h"
#include "cc/ptx/latest_isa.h"
#include "cc/ptx/linkage.h"
#include "cc/ptx/log_parser.h"
#include "cc/ptx/nvjitlink_library.h"
#include "cc/ptx/provider.h"
#include "cc/ptx/ptx_header.h"
#include "cc/ptx/tool_targets.h"
#include "cc/ptx/toolkit_release.h"
#include "cc/target/compute_capability.h"
#include "cc/target/versions.h"

namespace warpyard::ptx {
namespace {

constexpr std::string_view kName = "nvjitlink";

// What ptxas inside nvJitLink calls every PTX input.
constexpr std::string_view kAnonymousPtx = "application ptx input";

struct Facts {
  Version version;
  Version latest_isa;

  std::string Tool() const { return absl::StrCat(kName, " ", version.ToString()); }
};

// The results have no text of their own; the log has.
absl::Status NvJitLinkError(std::string_view call, int result, std::string_view log = {}) {
  const std::string message =
      absl::StrCat(call, " failed with nvJitLinkResult ", result, log.empty() ? "" : "\n", log);
  switch (result) {
    case kNvJitLinkInternal:
    case kNvJitLinkThreadPool:
      return absl::InternalError(message);
    case kNvJitLinkOutdatedLibrary:
      return absl::FailedPreconditionError(
          absl::StrCat(message, "\nAn input is of a newer toolkit than this nvJitLink"));
    default:
      return absl::InvalidArgumentError(message);
  }
}

// Owns one nvJitLinkHandle.
class Linker {
 public:
  explicit Linker(const NvJitLinkLibrary& library) : library_(library) {}
  Linker(const Linker&) = delete;
  Linker& operator=(const Linker&) = delete;
  ~Linker() {
    if (handle_ != nullptr) library_.destroy(&handle_);
  }

  // These give an nvJitLinkResult.
  int Start(const std::vector<std::string>& options) {
    std::vector<const char*> pointers;
    pointers.reserve(options.size());
    for (const std::string& option : options) pointers.push_back(option.c_str());
    return library_.create(&handle_, static_cast<uint32_t>(pointers.size()), pointers.data());
  }
  int Add(int type, std::string_view bytes, const std::string& name) {
    return library_.add_data(handle_, type, bytes.data(), bytes.size(), name.c_str());
  }
  int Complete() { return library_.complete(handle_); }

  std::string ErrorLog() const { return Log(library_.get_error_log_size, library_.get_error_log); }
  std::string InfoLog() const { return Log(library_.get_info_log_size, library_.get_info_log); }

  absl::StatusOr<std::string> Cubin() const {
    size_t size = 0;
    int result = library_.get_linked_cubin_size(handle_, &size);
    std::string bytes;
    if (result == kNvJitLinkSuccess) {
      bytes.resize(size);
      result = library_.get_linked_cubin(handle_, bytes.data());
    }
    if (result != kNvJitLinkSuccess) return NvJitLinkError("taking the CUBIN", result);
    return bytes;
  }

  absl::StatusOr<std::string> Ptx() const {
    size_t size = 0;
    int result = library_.get_linked_ptx_size(handle_, &size);
    std::string text;
    if (result == kNvJitLinkSuccess) {
      text.resize(size);
      result = library_.get_linked_ptx(handle_, text.data());
    }
    if (result != kNvJitLinkSuccess) return NvJitLinkError("taking the PTX", result);
    text.resize(std::min(text.size(), text.find('\0')));
    return text;
  }

 private:
  // A log that cannot be had is an empty one: it only explains other results.
  std::string Log(int (*get_size)(NvJitLinkLibrary::Handle, size_t*),
                  int (*get_log)(NvJitLinkLibrary::Handle, char*)) const {
    size_t size = 0;
    if (handle_ == nullptr || get_size(handle_, &size) != kNvJitLinkSuccess || size == 0) return "";
    // Room for a closing NUL, which some releases do not count.
    std::string log(size + 1, '\0');
    if (get_log(handle_, log.data()) != kNvJitLinkSuccess) return "";
    log.resize(std::min(log.size(), log.find('\0')));
    return log;
  }

  const NvJitLinkLibrary& library_;
  NvJitLinkLibrary::Handle handle_ = nullptr;
};

bool KnowsTarget(const NvJitLinkLibrary& library, const ComputeCapability& target) {
  return Linker(library).Start({absl::StrCat("-arch=", target.SmName())}) == kNvJitLinkSuccess;
}

// The targets of NVIDIA's tables that the library knows, for messages. It has no
// list, and older releases print a line for every target that they do not know,
// so they are asked only where it is needed. Suffixes are not looked at before
// there is an input.
std::vector<ComputeCapability> KnownTargets(const NvJitLinkLibrary& library) {
  std::vector<ComputeCapability> known;
  for (const ComputeCapability& target : VersionTables::Embedded().Targets()) {
    if (target.kind() == ComputeCapability::Kind::kPlain && KnowsTarget(library, target)) {
      known.push_back(target);
    }
  }
  return known;
}

// The version from the note in the CUBIN of a link of nothing; the PTX ISA from
// the refusal of a module of an ISA that never will be. Neither compiles any code.
absl::StatusOr<Facts> AskFacts(const NvJitLinkLibrary& library) {
  Facts facts;
  unsigned int major = 0;
  unsigned int minor = 0;
  const int result = library.version(&major, &minor);
  if (result != kNvJitLinkSuccess) return NvJitLinkError("nvJitLinkVersion", result);
  facts.version = Version(major, minor);

  // Any target that the library knows will do.
  ComputeCapability target(7, 5);
  if (!KnowsTarget(library, target)) target = ComputeCapability(9, 0);
  const std::vector<std::string> options = {absl::StrCat("-arch=", target.SmName())};

  Linker nothing(library);
  if (nothing.Start(options) == kNvJitLinkSuccess && nothing.Complete() == kNvJitLinkSuccess) {
    WARPYARD_ASSIGN_OR_RETURN(const std::string cubin, nothing.Cubin());
    if (const std::optional<Version> release = FindToolkitRelease(cubin)) facts.version = *release;
  }

  std::string log;
  // On a thread of its own: once a thread's PTX was refused for its ISA,
  // nvJitLink 13.5 reports success there for links that fail.
  std::thread([&] {
    Linker refusing(library);
    if (refusing.Start(options) != kNvJitLinkSuccess) return;
    const std::string probe = IsaProbe(target);
    if (refusing.Add(kNvJitLinkInputPtx, probe, "probe") == kNvJitLinkSuccess) {
      // Some releases compile no input before they are asked for the whole.
      refusing.Complete();
    }
    log = refusing.ErrorLog();
  }).join();
  WARPYARD_ASSIGN_OR_RETURN(facts.latest_isa, LatestIsaInRefusal(log));
  return facts;
}

bool HasLto(const CompileRequest& request) {
  return std::any_of(request.inputs.begin(), request.inputs.end(),
                     [](const Input& input) { return input.kind == InputKind::kLtoIr; });
}

std::vector<std::string> Options(const CompileRequest& request) {
  const CompileOptions& options = request.options;
  std::vector<std::string> arguments = {
      absl::StrCat("-arch=", request.target.SmName()),
      "-verbose",
      // What comes out must not depend on what was compiled before.
      "-no-cache",
  };
  if (HasLto(request)) arguments.push_back("-lto");
  if (Wants(request, OutputKind::kPtx)) arguments.push_back("-ptx");
  if (options.relocatable) arguments.push_back("-r");
  if (options.device_debug) {
    // Excludes both of the others.
    arguments.push_back("-g");
  } else {
    if (options.line_info) arguments.push_back("-lineinfo");
    switch (options.optimization_level) {
      case 0:
        arguments.push_back("-O0");
        break;
      case 3:
        break;
      default:
        // nvJitLink itself knows 0 and 3 alone.
        arguments.push_back(absl::StrCat("-Xptxas=-O", options.optimization_level));
    }
  }
  if (options.fast_math && HasLto(request)) {
    arguments.insert(arguments.end(), {"-ftz=1", "-prec-div=0", "-prec-sqrt=0", "-fma=1"});
  }
  if (options.max_registers.has_value()) {
    arguments.push_back(absl::StrCat("-maxrregcount=", *options.max_registers));
  }
  arguments.insert(arguments.end(), options.extra.begin(), options.extra.end());
  return arguments;
}

int InputType(InputKind kind) {
  switch (kind) {
    case InputKind::kCubin:
      return kNvJitLinkInputCubin;
    case InputKind::kLtoIr:
      return kNvJitLinkInputLtoIr;
    default:
      return kNvJitLinkInputPtx;
  }
}

class NvJitLinkProvider : public Provider {
 public:
  explicit NvJitLinkProvider(ToolPaths paths) : paths_(std::move(paths)) {}

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
        new ProviderForms{.inputs = {InputKind::kPtx, InputKind::kLtoIr, InputKind::kCubin},
                          .outputs = {OutputKind::kPtx, OutputKind::kCubin},
                          .links = true};
    WARPYARD_RETURN_IF_ERROR(CheckForms(kName, *kForms, request));
    if (Wants(request, OutputKind::kPtx)) {
      if (Wants(request, OutputKind::kCubin)) {
        return absl::UnimplementedError("nvjitlink gives PTX or a CUBIN, not both at once");
      }
      for (size_t i = 0; i < request.inputs.size(); ++i) {
        if (request.inputs[i].kind != InputKind::kLtoIr) {
          return absl::UnimplementedError(
              absl::StrCat("nvjitlink gives PTX of LTO IR alone, not of ",
                           FormName(request.inputs[i].kind), " (", InputName(request, i), ")"));
        }
      }
    }
    return GetLibrary().status();
  }

  absl::StatusOr<CompileResult> Compile(const CompileRequest& request) override;

 private:
  absl::StatusOr<const NvJitLinkLibrary*> GetLibrary() {
    return library_.Get([this]() -> absl::StatusOr<NvJitLinkLibrary> {
      if (paths_.nvjitlink.empty()) return PartNotFound(CudaPart::kNvJitLink, paths_);
      return NvJitLinkLibrary::Open(paths_.nvjitlink);
    });
  }

  absl::StatusOr<const Facts*> GetFacts() {
    WARPYARD_ASSIGN_OR_RETURN(const NvJitLinkLibrary* library, GetLibrary());
    return facts_.Get([library] { return AskFacts(*library); });
  }

  const ToolPaths paths_;
  RememberSuccess<NvJitLinkLibrary> library_;
  RememberSuccess<Facts> facts_;
};

// `input` is the index of the input that failed, if it was one.
absl::Status Failure(const CompileRequest& request, const NvJitLinkLibrary& library,
                     const Facts& facts, const Linker& linker, std::string_view call, int result,
                     std::optional<size_t> input) {
  if (result == kNvJitLinkUnrecognizedArch || result == kNvJitLinkUnsupportedArch ||
      (call == "nvJitLinkCreate" && !KnowsTarget(library, request.target))) {
    return UnknownTargetError(facts.Tool(), request.target, KnownTargets(library));
  }
  std::string log = linker.ErrorLog();
  if (result == kNvJitLinkUnrecognizedOption) {
    return absl::InvalidArgumentError(
        absl::StrCat(facts.Tool(), " does not take an option: ", log));
  }
  if (input.has_value()) {
    log = absl::StrReplaceAll(log, {{kAnonymousPtx, InputName(request, *input)}});
  }
  const std::string target = request.target.SmName();
  const ParsedLog parsed = ParseCompilerLog(log, {.target = target, .highest_target = {}});
  const absl::Status status =
      parsed.status.ok() ? NvJitLinkError(absl::StrCat(facts.Tool(), ": ", call), result, log)
                         : parsed.status;
  return AttachLog(status, absl::StrCat(log, linker.InfoLog()));
}

absl::StatusOr<CompileResult> NvJitLinkProvider::Compile(const CompileRequest& request) {
  const absl::Time start = absl::Now();
  WARPYARD_RETURN_IF_ERROR(ValidateRequest(request));
  WARPYARD_RETURN_IF_ERROR(Supports(request));
  WARPYARD_ASSIGN_OR_RETURN(const NvJitLinkLibrary* library, GetLibrary());
  WARPYARD_ASSIGN_OR_RETURN(const Facts* facts, GetFacts());
  for (size_t i = 0; i < request.inputs.size(); ++i) {
    if (request.inputs[i].kind != InputKind::kPtx) continue;
    WARPYARD_RETURN_IF_ERROR(CheckPtxInput(request, i, facts->Tool(), facts->latest_isa));
  }
  WARPYARD_RETURN_IF_ERROR(CheckLinkInputs(request));

  Linker linker(*library);
  int result = linker.Start(Options(request));
  if (result != kNvJitLinkSuccess) {
    return Failure(request, *library, *facts, linker, "nvJitLinkCreate", result, std::nullopt);
  }
  for (size_t i = 0; i < request.inputs.size(); ++i) {
    const Input& input = request.inputs[i];
    const std::string_view bytes =
        input.kind == InputKind::kPtx ? SourceText(input) : std::string_view(input.bytes);
    result = linker.Add(InputType(input.kind), bytes, InputName(request, i));
    if (result != kNvJitLinkSuccess) {
      return Failure(request, *library, *facts, linker, "nvJitLinkAddData", result, i);
    }
  }
  result = linker.Complete();
  if (result != kNvJitLinkSuccess) {
    // With one input, the input is what failed.
    return Failure(request, *library, *facts, linker, "nvJitLinkComplete", result,
                   request.inputs.size() == 1 ? std::optional<size_t>(0) : std::nullopt);
  }

  // The result alone is not to be trusted (see AskFacts).
  const std::string errors = linker.ErrorLog();
  const std::string target = request.target.SmName();
  const ParsedLog parsed_errors =
      ParseCompilerLog(errors, {.target = target, .highest_target = {}});
  WARPYARD_RETURN_IF_ERROR(AttachLog(parsed_errors.status, absl::StrCat(errors, linker.InfoLog())));

  CompileResult compiled;
  if (Wants(request, OutputKind::kPtx)) {
    WARPYARD_ASSIGN_OR_RETURN(compiled.ptx, linker.Ptx());
  } else {
    WARPYARD_ASSIGN_OR_RETURN(compiled.cubin, linker.Cubin());
  }
  compiled.log = absl::StrCat(errors, linker.InfoLog());
  if (request.inputs.size() == 1) {
    compiled.log = absl::StrReplaceAll(compiled.log, {{kAnonymousPtx, InputName(request, 0)}});
  }
  ParsedLog parsed = ParseCompilerLog(compiled.log, {.target = target, .highest_target = {}});
  compiled.kernels = std::move(parsed.kernels);
  compiled.warnings = std::move(parsed.warnings);
  compiled.provider = kName;
  compiled.tool_version = facts->Tool();
  compiled.duration = absl::Now() - start;
  return compiled;
}

}  // namespace

std::unique_ptr<Provider> MakeNvJitLinkProvider(ToolPaths paths) {
  return std::make_unique<NvJitLinkProvider>(std::move(paths));
}

}  // namespace warpyard::ptx
