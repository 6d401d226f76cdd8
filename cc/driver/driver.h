// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// A CUDA driver that was opened at run time: NVIDIA's, or the emulated one.
// Nothing links against either.

#ifndef WARPYARD_CC_DRIVER_DRIVER_H_
#define WARPYARD_CC_DRIVER_DRIVER_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cc/base/environment.h"
#include "cc/base/version.h"

namespace warpyard::driver {

struct DriverTable;

// Immutable and thread-safe. A driver that was opened stays until the process
// ends (drivers do not survive being unloaded), so plain pointers to it are kept.
//
// A process can hold several: the system's beside emulated machines, which know
// nothing of each other.
class Driver {
 public:
  // Opens and initialises the driver at `path`. `reason` says why it was taken,
  // for people. NOT_FOUND: there is no such file, or it is a stub;
  // FAILED_PRECONDITION: it does not load, or is older than CUDA 12.0. A driver
  // that finds no GPU is no error here: it has no devices.
  static absl::StatusOr<const Driver*> Open(const std::string& path, const std::string& reason);

  // The process's driver: the first of `DriverLocations` that opens. It is
  // found once; a failure is not remembered, and names everything that was tried.
  // `emulator` is the emulated driver's path, or "".
  static absl::StatusOr<const Driver*> Default(const Environment& environment,
                                               const std::string& emulator);

  // A copy of its own of the emulated driver at `path`, which poses as the GPUs
  // `devices` ("h100,b200*2"; see WARPYARD_EMULATE). The same list gives the
  // same driver again, so that what was allocated on it stays reachable.
  static absl::StatusOr<const Driver*> Emulated(const std::string& path,
                                                const std::string& devices);

  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  const std::string& path() const { return path_; }
  const std::string& reason() const { return reason_; }
  // Whether it is Warpyard's emulated driver, which runs PTX and no machine code.
  bool emulated() const { return emulated_; }
  // The CUDA release whose API it has: 13.0.
  const Version& cuda_version() const { return cuda_version_; }
  int device_count() const { return device_count_; }

  // What the emulated driver has found wrong since the last call (faults, the
  // sanitizer's findings), a report a line, and the profiles of the launches
  // since, a JSON object a line. Empty for other drivers.
  std::string TakeReports() const;
  std::string TakeProfiles() const;
  // Switches the emulated driver's checks ("memory,race"; "" for those alone
  // that are always on), and the counting of what launches do. UNIMPLEMENTED for
  // other drivers, INVALID_ARGUMENT for a check that there is not.
  absl::Status SetSanitizer(const std::string& checks) const;
  absl::Status SetProfile(bool on) const;

  // Private to cc/driver, whose driver_table.h has the type.
  const DriverTable& table() const { return *table_; }

 private:
  Driver(std::string path, std::string reason, std::unique_ptr<const DriverTable> table);
  ~Driver();
  static absl::StatusOr<const Driver*> Start(std::string path, std::string reason,
                                             const DriverTable& table);

  const std::string path_;
  const std::string reason_;
  const std::unique_ptr<const DriverTable> table_;
  bool emulated_ = false;
  Version cuda_version_;
  int device_count_ = 0;
};

}  // namespace warpyard::driver

#endif  // WARPYARD_CC_DRIVER_DRIVER_H_
