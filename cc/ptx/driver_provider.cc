// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/driver_provider.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
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
#include "cc/base/remember_success.h"
#include "cc/base/status_macros.h"
#include "cc/base/version.h"
#include "cc/ptx/compilation.h"
#include "cc/ptx/compile_log_status.h"
#include "cc/ptx/cuda_locator.h"
#include "cc/ptx/driver_library.h"
#include "cc/ptx/forms.h"
#include "cc/ptx/latest_isa.h"
#include "cc/ptx/linkage.h"
#include "cc/ptx/log_parser.h"
#include "cc/ptx/provider.h"
#include "cc/ptx/ptx_header.h"
#include "cc/ptx/toolkit_release.h"
#include "cc/target/compute_capability.h"

namespace warpyard::ptx {
namespace {

constexpr std::string_view kName = "driver";

// The driver cuts logs off at the size of the buffer that it is given.
constexpr size_t kLogBytes = size_t{1} << 18;

// What ptxas inside the driver calls every PTX input.
constexpr std::string_view kAnonymousPtx = "application ptx input";

// Every driver that knows cuLinkCreate_v2 compiles for it up to CUDA 12; those
// of CUDA 13 begin at 7.5.
constexpr ComputeCapability kOldTarget(7, 5);

struct Facts {
  Version version;  // of the compiler in the driver, or of the CUDA it brings
  Version latest_isa;

  std::string Tool() const { return absl::StrCat(kName, " ", version.ToString()); }
};

absl::Status DriverError(const DriverLibrary& driver, std::string_view call, int result,
                         std::string_view log = {}) {
  const char* text = nullptr;
  if (driver.get_error_string(result, &text) != kCudaSuccess) text = nullptr;
  const std::string message =
      absl::StrCat(call, " failed: ", text != nullptr ? text : "unknown error", " (CUresult ",
                   result, ")", log.empty() ? "" : "\n", log);
  switch (result) {
    case kCudaOutOfMemory:
      return absl::ResourceExhaustedError(message);
    case kCudaStubLibrary:
    case kCudaNoDevice:
      return absl::NotFoundError(message);
    case kCudaSystemDriverMismatch:
      return absl::FailedPreconditionError(message);
    case kCudaInvalidImage:
    case kCudaNoBinaryForGpu:
    case kCudaInvalidPtx:
      return absl::InvalidArgumentError(message);
    case kCudaUnsupportedPtxVersion:
      return absl::UnimplementedError(message);
    default:
      return absl::InternalError(message);
  }
}

// The driver with a context on its first device, which is kept until the
// process ends: another part of the program may use the same primary context.
struct Session {
  DriverLibrary driver;
  DriverLibrary::Context context = nullptr;
};

absl::StatusOr<Session> OpenSession(const std::string& path) {
  Session session;
  WARPYARD_ASSIGN_OR_RETURN(session.driver, DriverLibrary::Open(path));
  const DriverLibrary& driver = session.driver;
  int result = driver.init(0);
  if (result != kCudaSuccess) return DriverError(driver, "cuInit", result);
  int count = 0;
  result = driver.device_get_count(&count);
  if (result != kCudaSuccess) return DriverError(driver, "cuDeviceGetCount", result);
  if (count < 1) {
    return absl::NotFoundError(
        absl::StrCat("the CUDA driver ", path, " finds no GPU, and compiles only with one"));
  }
  int device = 0;
  result = driver.device_get(&device, 0);
  if (result != kCudaSuccess) return DriverError(driver, "cuDeviceGet", result);
  result = driver.device_primary_ctx_retain(&session.context, device);
  if (result != kCudaSuccess) return DriverError(driver, "cuDevicePrimaryCtxRetain", result);
  return session;
}

// Makes the session's context current in this thread, and what was current
// before again at the end.
class ScopedContext {
 public:
  explicit ScopedContext(const Session& session)
      : driver_(session.driver), result_(session.driver.ctx_push_current(session.context)) {}
  ScopedContext(const ScopedContext&) = delete;
  ScopedContext& operator=(const ScopedContext&) = delete;
  ~ScopedContext() {
    DriverLibrary::Context popped = nullptr;
    if (result_ == kCudaSuccess) driver_.ctx_pop_current(&popped);
  }

  int result() const { return result_; }

 private:
  const DriverLibrary& driver_;
  const int result_;
};

// Options of cuLinkCreate: keys and values side by side. The driver writes the
// lengths of the logs into the values.
class JitOptions {
 public:
  JitOptions() : info_log_(kLogBytes, '\0'), error_log_(kLogBytes, '\0') {
    Add(kJitInfoLogBuffer, info_log_.data());
    Add(kJitInfoLogBufferBytes, kLogBytes);
    Add(kJitErrorLogBuffer, error_log_.data());
    Add(kJitErrorLogBufferBytes, kLogBytes);
    Add(kJitLogVerbose, 1);
  }
  JitOptions(const JitOptions&) = delete;
  JitOptions& operator=(const JitOptions&) = delete;

  void Add(int option, uintptr_t value) { Add(option, reinterpret_cast<void*>(value)); }
  void Add(int option, void* value) {
    keys_.push_back(option);
    values_.push_back(value);
  }

  unsigned int count() const { return static_cast<unsigned int>(keys_.size()); }
  int* keys() { return keys_.data(); }
  void** values() { return values_.data(); }

  std::string InfoLog() const { return info_log_.substr(0, info_log_.find('\0')); }
  std::string ErrorLog() const { return error_log_.substr(0, error_log_.find('\0')); }

 private:
  std::vector<int> keys_;
  std::vector<void*> values_;
  std::string info_log_;
  std::string error_log_;
};

// Owns one CUlinkState. The options must outlive it.
class Linker {
 public:
  explicit Linker(const DriverLibrary& driver) : driver_(driver) {}
  Linker(const Linker&) = delete;
  Linker& operator=(const Linker&) = delete;
  ~Linker() {
    if (state_ != nullptr) driver_.link_destroy(state_);
  }

  // These give a CUresult.
  int Start(JitOptions& options) {
    return driver_.link_create(options.count(), options.keys(), options.values(), &state_);
  }
  int Add(int type, std::string_view bytes, const std::string& name) {
    // The driver reads the bytes alone, but for PTX also a NUL behind them.
    std::string copy(bytes);
    const size_t size = copy.size() + (type == kJitInputPtx ? 1 : 0);
    return driver_.link_add_data(state_, type, copy.data(), size, name.c_str(), 0, nullptr,
                                 nullptr);
  }
  int Complete(std::string& cubin) {
    void* bytes = nullptr;  // owned by the state
    size_t size = 0;
    const int result = driver_.link_complete(state_, &bytes, &size);
    if (result == kCudaSuccess) cubin.assign(static_cast<const char*>(bytes), size);
    return result;
  }

 private:
  const DriverLibrary& driver_;
  DriverLibrary::LinkState state_ = nullptr;
};

uintptr_t JitTarget(const ComputeCapability& target) {
  const int number = target.major() * 10 + target.minor();
  switch (target.kind()) {
    case ComputeCapability::Kind::kArch:
      return static_cast<uintptr_t>(kJitTargetArch + number);
    case ComputeCapability::Kind::kFamily:
      return static_cast<uintptr_t>(kJitTargetFamily + number);
    case ComputeCapability::Kind::kPlain:
      break;
  }
  return static_cast<uintptr_t>(number);
}

// The PTX ISA from the refusal of one that never will be, the version from the
// note in the CUBIN of an empty kernel.
absl::StatusOr<Facts> AskFacts(const Session& session) {
  const DriverLibrary& driver = session.driver;
  Facts facts;
  int version = 0;
  int result = driver.driver_get_version(&version);
  if (result != kCudaSuccess) return DriverError(driver, "cuDriverGetVersion", result);
  facts.version =
      Version(static_cast<uint32_t>(version / 1000), static_cast<uint32_t>(version % 1000 / 10));

  const ScopedContext context(session);
  if (context.result() != kCudaSuccess) {
    return DriverError(driver, "cuCtxPushCurrent", context.result());
  }
  JitOptions refused;
  refused.Add(kJitTarget, JitTarget(kOldTarget));
  {
    Linker linker(driver);
    result = linker.Start(refused);
    if (result != kCudaSuccess) return DriverError(driver, "cuLinkCreate", result);
    std::string nothing;
    if (linker.Add(kJitInputPtx, IsaProbe(kOldTarget), "probe") == kCudaSuccess) {
      linker.Complete(nothing);
    }
  }
  WARPYARD_ASSIGN_OR_RETURN(facts.latest_isa, LatestIsaInRefusal(refused.ErrorLog()));

  JitOptions accepted;
  accepted.Add(kJitTarget, JitTarget(kOldTarget));
  Linker linker(driver);
  std::string cubin;
  const std::string kernel = absl::StrCat(".version 7.0\n.target ", kOldTarget.SmName(),
                                          "\n.address_size 64\n.visible .entry k() { ret; }\n");
  if (linker.Start(accepted) == kCudaSuccess &&
      linker.Add(kJitInputPtx, kernel, "probe") == kCudaSuccess &&
      linker.Complete(cubin) == kCudaSuccess) {
    if (const std::optional<Version> release = FindToolkitRelease(cubin)) facts.version = *release;
  }
  return facts;
}

void AddOptions(const CompileRequest& request, JitOptions& jit) {
  const CompileOptions& options = request.options;
  jit.Add(kJitTarget, JitTarget(request.target));
  if (options.device_debug) {
    // Excludes both of the others.
    jit.Add(kJitGenerateDebugInfo, 1);
  } else {
    if (options.line_info) jit.Add(kJitGenerateLineInfo, 1);
    // The driver's own default is 4, which it documents as all optimisations.
    if (options.optimization_level != CompileOptions().optimization_level) {
      jit.Add(kJitOptimizationLevel, static_cast<uintptr_t>(options.optimization_level));
    }
  }
  if (options.max_registers.has_value()) {
    jit.Add(kJitMaxRegisters, static_cast<uintptr_t>(*options.max_registers));
  }
}

class DriverProvider : public Provider {
 public:
  explicit DriverProvider(ToolPaths paths) : path_(std::move(paths.driver)) {}

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
        new ProviderForms{.inputs = {InputKind::kPtx, InputKind::kCubin},
                          .outputs = {OutputKind::kCubin},
                          .links = true};
    WARPYARD_RETURN_IF_ERROR(CheckForms(kName, *kForms, request));
    if (request.options.relocatable) {
      return absl::UnimplementedError("driver gives finished CUBINs, not relocatable ones");
    }
    if (!request.options.extra.empty()) {
      return absl::UnimplementedError("driver takes no extra options");
    }
    return GetSession().status();
  }

  absl::StatusOr<CompileResult> Compile(const CompileRequest& request) override;

 private:
  absl::StatusOr<const Session*> GetSession() {
    return session_.Get([this] { return OpenSession(path_); });
  }

  absl::StatusOr<const Facts*> GetFacts() {
    WARPYARD_ASSIGN_OR_RETURN(const Session* session, GetSession());
    return facts_.Get([session] { return AskFacts(*session); });
  }

  const std::string path_;
  RememberSuccess<Session> session_;
  RememberSuccess<Facts> facts_;
};

absl::StatusOr<CompileResult> DriverProvider::Compile(const CompileRequest& request) {
  const absl::Time start = absl::Now();
  WARPYARD_RETURN_IF_ERROR(ValidateRequest(request));
  WARPYARD_RETURN_IF_ERROR(Supports(request));
  WARPYARD_ASSIGN_OR_RETURN(const Session* session, GetSession());
  WARPYARD_ASSIGN_OR_RETURN(const Facts* facts, GetFacts());
  for (size_t i = 0; i < request.inputs.size(); ++i) {
    if (request.inputs[i].kind != InputKind::kPtx) continue;
    WARPYARD_RETURN_IF_ERROR(CheckPtxInput(request, i, facts->Tool(), facts->latest_isa));
  }
  WARPYARD_RETURN_IF_ERROR(CheckLinkInputs(request));

  const DriverLibrary& driver = session->driver;
  const ScopedContext context(*session);
  if (context.result() != kCudaSuccess) {
    return DriverError(driver, "cuCtxPushCurrent", context.result());
  }
  JitOptions options;
  AddOptions(request, options);
  const std::string target = request.target.SmName();
  std::string cubin;
  std::string_view call = "cuLinkCreate";
  std::optional<size_t> failed_input;
  Linker linker(driver);
  int result = linker.Start(options);
  if (result == kCudaSuccess) {
    call = "cuLinkAddData";
    for (size_t i = 0; i < request.inputs.size() && result == kCudaSuccess; ++i) {
      const Input& input = request.inputs[i];
      const bool ptx = input.kind == InputKind::kPtx;
      result = linker.Add(ptx ? kJitInputPtx : kJitInputCubin,
                          ptx ? SourceText(input) : std::string_view(input.bytes),
                          InputName(request, i));
      if (result != kCudaSuccess) failed_input = i;
    }
  }
  if (result == kCudaSuccess) {
    call = "cuLinkComplete";
    result = linker.Complete(cubin);
    if (request.inputs.size() == 1) failed_input = 0;
  }

  std::string log = absl::StrCat(options.ErrorLog(), options.InfoLog());
  if (failed_input.has_value()) {
    log = absl::StrReplaceAll(log, {{kAnonymousPtx, InputName(request, *failed_input)}});
  }
  ParsedLog parsed = ParseCompilerLog(log, {.target = target, .highest_target = {}});
  // An error in the log counts as one, whatever the result: see nvjitlink.
  WARPYARD_RETURN_IF_ERROR(AttachLog(parsed.status, log));
  if (result != kCudaSuccess) {
    return AttachLog(DriverError(driver, absl::StrCat(facts->Tool(), ": ", call), result, log),
                     log);
  }

  CompileResult compiled;
  compiled.cubin = std::move(cubin);
  compiled.log = std::move(log);
  compiled.kernels = std::move(parsed.kernels);
  compiled.warnings = std::move(parsed.warnings);
  compiled.provider = kName;
  compiled.tool_version = facts->Tool();
  compiled.duration = absl::Now() - start;
  return compiled;
}

}  // namespace

std::unique_ptr<Provider> MakeDriverProvider(ToolPaths paths) {
  return std::make_unique<DriverProvider>(std::move(paths));
}

}  // namespace warpyard::ptx
