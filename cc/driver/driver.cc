// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/driver/driver.h"

#include <cuda.h>

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/no_destructor.h"
#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/synchronization/mutex.h"
#include "cc/base/environment.h"
#include "cc/base/file.h"
#include "cc/base/memory_file.h"
#include "cc/base/remember_success.h"
#include "cc/base/status_macros.h"
#include "cc/base/version.h"
#include "cc/driver/driver_location.h"
#include "cc/driver/driver_table.h"
#include "cc/driver/soname.h"

namespace warpyard::driver {
namespace {

constexpr int64_t kMaxEmulatorBytes = int64_t{256} << 20;
// cuLaunchKernelEx and cuModuleLoadDataEx as used here.
constexpr int kOldestVersion = 12000;

// Keeps `value` until the process ends.
template <typename T>
void KeepForever(T value) {
  static absl::NoDestructor<absl::Mutex> mutex;
  static absl::NoDestructor<std::deque<T>> kept;
  absl::MutexLock lock(*mutex);
  kept->push_back(std::move(value));
}

}  // namespace

Driver::Driver(std::string path, std::string reason, std::unique_ptr<const DriverTable> table)
    : path_(std::move(path)), reason_(std::move(reason)), table_(std::move(table)) {}

Driver::~Driver() = default;

absl::StatusOr<const Driver*> Driver::Start(std::string path, std::string reason,
                                            const DriverTable& table) {
  std::unique_ptr<Driver, void (*)(Driver*)> driver(
      new Driver(std::move(path), std::move(reason), std::make_unique<DriverTable>(table)),
      [](Driver* failed) { delete failed; });
  driver->emulated_ = table.control_version != nullptr;
  int version = 0;
  WARPYARD_CALL_DRIVER(table, cuDriverGetVersion, &version);
  driver->cuda_version_ =
      Version(static_cast<uint32_t>(version / 1000), static_cast<uint32_t>(version % 1000 / 10));
  if (version < kOldestVersion) {
    return absl::FailedPreconditionError(absl::StrCat("the driver ", driver->path_, " is of CUDA ",
                                                      driver->cuda_version_.ToString(),
                                                      "; 12.0 or later is needed. Update it"));
  }
  const CUresult result = table.cuInit(0);
  if (result != CUDA_SUCCESS && result != CUDA_ERROR_NO_DEVICE) {
    return DriverError(table, absl::StrCat("cuInit of ", driver->path_), result);
  }
  if (result == CUDA_SUCCESS) {
    WARPYARD_CALL_DRIVER(table, cuDeviceGetCount, &driver->device_count_);
  }
  KeepForever<const Driver*>(driver.get());
  return driver.release();
}

absl::StatusOr<const Driver*> Driver::Open(const std::string& path, const std::string& reason) {
  WARPYARD_ASSIGN_OR_RETURN(const DriverTable table, DriverTable::Open(path));
  return Start(path, reason, table);
}

absl::StatusOr<const Driver*> Driver::Default(const Environment& environment,
                                              const std::string& emulator) {
  static absl::NoDestructor<RememberSuccess<const Driver*>> found;
  WARPYARD_ASSIGN_OR_RETURN(
      const Driver* const* driver, found->Get([&]() -> absl::StatusOr<const Driver*> {
        const std::vector<DriverLocation> locations = DriverLocations(environment, emulator);
        std::vector<std::string> failures;
        const Driver* without_devices = nullptr;
        for (const DriverLocation& location : locations) {
          absl::StatusOr<const Driver*> opened = Open(location.path, location.reason);
          if (opened.ok() && ((*opened)->device_count() > 0 || locations.size() == 1)) {
            return opened;
          }
          if (opened.ok()) {
            // A driver without a GPU: an emulated one may follow.
            if (without_devices == nullptr) without_devices = *opened;
            continue;
          }
          if (locations.size() == 1) return opened.status();
          failures.push_back(absl::StrCat(location.reason, ": ", opened.status().message()));
        }
        if (without_devices != nullptr) return without_devices;
        return absl::NotFoundError(
            absl::StrCat("no CUDA driver was found.\n  ", absl::StrJoin(failures, "\n  ")));
      }));
  return *driver;
}

absl::StatusOr<const Driver*> Driver::Emulated(const std::string& path,
                                               const std::string& devices) {
  static absl::NoDestructor<absl::Mutex> mutex;
  static absl::NoDestructor<std::map<std::pair<std::string, std::string>, const Driver*>> drivers;
  absl::MutexLock lock(*mutex);
  const Driver*& driver = (*drivers)[{path, devices}];
  if (driver != nullptr) return driver;

  // The loader gives one library for one file, so each machine gets a file of its
  // own, in memory. It stays open: a descriptor that was used again would give
  // the loader the same name for another file.
  absl::StatusOr<std::string> bytes = ReadFile(path, kMaxEmulatorBytes);
  if (!bytes.ok()) {
    return absl::Status(bytes.status().code(),
                        absl::StrCat("the emulated driver: ", bytes.status().message()));
  }
  WARPYARD_RETURN_IF_ERROR(DropSoname(*bytes));
  WARPYARD_ASSIGN_OR_RETURN(MemoryFile file, MemoryFile::Create(*bytes));
  const std::string name = absl::StrCat("/proc/self/fd/", file.fd());
  WARPYARD_ASSIGN_OR_RETURN(const DriverTable table, DriverTable::Open(name));
  KeepForever(std::move(file));
  if (table.set_devices == nullptr) {
    return absl::FailedPreconditionError(
        absl::StrCat(path, " is not Warpyard's emulated driver: it lacks warpyardSetDevices"));
  }
  if (const int result = table.set_devices(devices.c_str()); result != 0) {
    absl::Status status = DriverError(table, absl::StrCat("emulating \"", devices, "\""),
                                      static_cast<CUresult>(result));
    return status;
  }
  WARPYARD_ASSIGN_OR_RETURN(driver, Start(path, absl::StrCat("emulated: ", devices), table));
  return driver;
}

std::string Driver::TakeReports() const { return TakeText(table_->take_reports); }

std::string Driver::TakeProfiles() const { return TakeText(table_->take_profiles); }

absl::Status Driver::SetSanitizer(const std::string& checks) const {
  if (table_->set_sanitizer == nullptr) {
    return absl::UnimplementedError(absl::StrCat("the driver ", path_, " has no sanitizer"));
  }
  if (table_->set_sanitizer(checks.c_str()) != 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "sanitizer: \"", checks, "\" names a check that there is not. ", TakeReports()));
  }
  return absl::OkStatus();
}

absl::Status Driver::SetProfile(bool on) const {
  if (table_->set_profile == nullptr) {
    return absl::UnimplementedError(
        absl::StrCat("the driver ", path_, " does not count what launches do"));
  }
  if (table_->set_profile(on ? 1 : 0) != 0) {
    return absl::InternalError("the emulated driver does not start to count");
  }
  return absl::OkStatus();
}

}  // namespace warpyard::driver
