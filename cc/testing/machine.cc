// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/testing/machine.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "cc/base/dynamic_library.h"
#include "cc/base/environment.h"
#include "cc/base/file.h"
#include "cc/base/status_macros.h"
#include "cc/base/version.h"
#include "cc/target/compute_capability.h"
#include "cc/target/requirement.h"
#include "cc/testing/gpu_names.h"

namespace warpyard::testing {
namespace {

#if defined(_WIN32)
constexpr char kDriver[] = "nvcuda.dll";
constexpr char kNvml[] = "nvml.dll";
constexpr char kCudnn[] = "cudnn64_9.dll";
constexpr char kNccl[] = "nccl.dll";
constexpr char kOs[] = "windows";
#else
constexpr char kDriver[] = "libcuda.so.1";
constexpr char kNvml[] = "libnvidia-ml.so.1";
constexpr char kCudnn[] = "libcudnn.so.9";
constexpr char kNccl[] = "libnccl.so.2";
#if defined(__APPLE__)
constexpr char kOs[] = "macos";
#else
constexpr char kOs[] = "linux";
#endif
#endif

constexpr int kNoDevice = 100;  // CUDA_ERROR_NO_DEVICE
// CUdevice_attribute of cuda.h.
constexpr int kComputeCapabilityMajor = 75;
constexpr int kComputeCapabilityMinor = 76;

// The few functions of the driver API that tell what is there.
struct Driver {
  int (*init)(unsigned) = nullptr;
  int (*version)(int*) = nullptr;
  int (*count)(int*) = nullptr;
  int (*get)(int*, int) = nullptr;
  int (*name)(char*, int, int) = nullptr;
  int (*attribute)(int*, int, int) = nullptr;
  int (*memory)(size_t*, int) = nullptr;
  // What Warpyard's emulated driver has and no other.
  int (*control)() = nullptr;
};

absl::StatusOr<Driver> Bind(const DynamicLibrary& library) {
  Driver driver;
  SymbolBinder binder(library);
  binder.Required("cuInit", driver.init);
  binder.Required("cuDriverGetVersion", driver.version);
  binder.Required("cuDeviceGetCount", driver.count);
  binder.Required("cuDeviceGet", driver.get);
  binder.Required("cuDeviceGetName", driver.name);
  binder.Required("cuDeviceGetAttribute", driver.attribute);
  binder.Required("cuDeviceTotalMem_v2", driver.memory);
  binder.Optional("warpyardControlVersion", driver.control);
  WARPYARD_RETURN_IF_ERROR(binder.Finish());
  return driver;
}

absl::Status Check(int code, std::string_view function) {
  if (code == 0) return absl::OkStatus();
  return absl::InternalError(absl::StrCat(function, " gave error ", code));
}

absl::StatusOr<MachineDevice> ProbeDevice(const Driver& driver, int ordinal) {
  int device = 0, major = 0, minor = 0;
  size_t memory = 0;
  char name[256] = {};
  WARPYARD_RETURN_IF_ERROR(Check(driver.get(&device, ordinal), "cuDeviceGet"));
  WARPYARD_RETURN_IF_ERROR(Check(driver.name(name, sizeof(name) - 1, device), "cuDeviceGetName"));
  WARPYARD_RETURN_IF_ERROR(
      Check(driver.attribute(&major, kComputeCapabilityMajor, device), "cuDeviceGetAttribute"));
  WARPYARD_RETURN_IF_ERROR(
      Check(driver.attribute(&minor, kComputeCapabilityMinor, device), "cuDeviceGetAttribute"));
  WARPYARD_RETURN_IF_ERROR(Check(driver.memory(&memory, device), "cuDeviceTotalMem_v2"));
  MachineDevice found;
  found.name = name;
  found.compute_capability = ComputeCapability(major, minor);
  found.memory_bytes = static_cast<int64_t>(memory);
  return found;
}

// The first word that is a version with a dot in it.
std::optional<Version> FindVersion(std::string_view text) {
  for (std::string_view word : absl::StrSplit(text, absl::ByAnyChar(" \n\t"), absl::SkipEmpty())) {
    absl::StatusOr<Version> version = Version::Parse(word);
    if (version.ok() && version->size() > 1) return *version;
  }
  return std::nullopt;
}

// The driver's own version: the kernel module's, or what NVML says.
std::optional<Version> SystemDriverVersion() {
  if (absl::StatusOr<std::string> text = ReadFile("/proc/driver/nvidia/version", 1 << 16);
      text.ok()) {
    return FindVersion(*text);
  }
  absl::StatusOr<DynamicLibrary> library = DynamicLibrary::Open(kNvml, "");
  if (!library.ok()) return std::nullopt;
  int (*init)() = nullptr;
  int (*get)(char*, unsigned) = nullptr;
  int (*shutdown)() = nullptr;
  SymbolBinder binder(*library);
  binder.Required("nvmlInit_v2", init);
  binder.Required("nvmlSystemGetDriverVersion", get);
  binder.Required("nvmlShutdown", shutdown);
  if (!binder.Finish().ok() || init() != 0) return std::nullopt;
  char text[80] = {};
  const bool known = get(text, sizeof(text) - 1) == 0;
  shutdown();
  return known ? FindVersion(text) : std::nullopt;
}

// 91301 is 9.13.1, of cuDNN 9 and of NCCL 2.
Version FromNumber(size_t number) {
  return Version(static_cast<uint32_t>(number / 10000), static_cast<uint32_t>(number / 100 % 100),
                 static_cast<uint32_t>(number % 100));
}

std::optional<Version> CudnnVersion(const std::string& path) {
  absl::StatusOr<DynamicLibrary> library = DynamicLibrary::Open(path, "");
  if (!library.ok()) return std::nullopt;
  size_t (*get)() = nullptr;
  SymbolBinder binder(*library);
  binder.Required("cudnnGetVersion", get);
  if (!binder.Finish().ok()) return std::nullopt;
  return FromNumber(get());
}

std::optional<Version> NcclVersion() {
  absl::StatusOr<DynamicLibrary> library = DynamicLibrary::Open(kNccl, "");
  if (!library.ok()) return std::nullopt;
  int (*get)(int*) = nullptr;
  SymbolBinder binder(*library);
  binder.Required("ncclGetVersion", get);
  int number = 0;
  if (!binder.Finish().ok() || get(&number) != 0) return std::nullopt;
  return FromNumber(static_cast<size_t>(number));
}

std::string VersionFact(const std::optional<Version>& version) {
  return version.has_value() ? version->ToString() : "none";
}

}  // namespace

bool MachineDevice::IsMig() const {
  return absl::StrContains(absl::StrCat(" ", name, " "), " MIG ");
}

Facts Machine::ToFacts() const {
  Facts facts = {{"cuda", VersionFact(cuda)},
                 {"cudnn", VersionFact(cudnn)},
                 {"driver", VersionFact(driver)},
                 {"gpu", "none"},
                 {"gpus", absl::StrCat(devices.size())},
                 {"hardware", "none"},
                 {"memory", "none"},
                 {"nccl", VersionFact(nccl)},
                 {"os", kOs},
                 {"sm", "none"}};
  if (devices.empty()) return facts;
  const auto least = std::min_element(devices.begin(), devices.end(),
                                      [](const MachineDevice& a, const MachineDevice& b) {
                                        return a.compute_capability < b.compute_capability;
                                      });
  int64_t memory = least->memory_bytes;
  for (const MachineDevice& device : devices) memory = std::min(memory, device.memory_bytes);
  facts["gpu"] = ShortGpuName(least->name);
  facts["hardware"] = emulated ? "no" : "yes";
  facts["memory"] = absl::StrCat(memory >> 20, "MiB");
  facts["sm"] = least->compute_capability.ToString();
  return facts;
}

absl::StatusOr<Machine> ProbeMachine(const Environment& environment) {
  Machine machine;
  machine.cudnn = CudnnVersion(environment.Get("WARPYARD_CUDNN").value_or(kCudnn));
  machine.nccl = NcclVersion();
  const std::string path = environment.Get("WARPYARD_CUDA_DRIVER").value_or("system");
  absl::StatusOr<DynamicLibrary> library =
      DynamicLibrary::Open(path == "system" ? kDriver : path, "WARPYARD_CUDA_DRIVER names it.");
  if (!library.ok()) {
    if (path == "system") return machine;
    return absl::Status(library.status().code(),
                        absl::StrCat("WARPYARD_CUDA_DRIVER=", path,
                                     " does not load: ", library.status().message()));
  }
  WARPYARD_ASSIGN_OR_RETURN(const Driver driver, Bind(*library));
  machine.emulated = driver.control != nullptr;
  const int code = driver.init(0);
  if (code == kNoDevice) return machine;
  WARPYARD_RETURN_IF_ERROR(Check(code, "cuInit"));
  int cuda = 0, count = 0;
  WARPYARD_RETURN_IF_ERROR(Check(driver.version(&cuda), "cuDriverGetVersion"));
  WARPYARD_RETURN_IF_ERROR(Check(driver.count(&count), "cuDeviceGetCount"));
  machine.cuda = Version(cuda / 1000, cuda % 1000 / 10);  // 13000 is 13.0
  // An emulated driver is as new as its CUDA asks for: CUDA 13 came with 580.
  machine.driver = machine.emulated ? Version(580) : SystemDriverVersion();
  for (int i = 0; i < count; ++i) {
    WARPYARD_ASSIGN_OR_RETURN(MachineDevice device, ProbeDevice(driver, i));
    machine.devices.push_back(std::move(device));
  }
  return machine;
}

}  // namespace warpyard::testing
