// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Which CUDA driver a process uses.

#ifndef WARPYARD_CC_DRIVER_DRIVER_LOCATION_H_
#define WARPYARD_CC_DRIVER_DRIVER_LOCATION_H_

#include <string>
#include <vector>

#include "cc/base/environment.h"

namespace warpyard::driver {

// Names a driver: a file, a name for the system's loader, or "system" for
// kSystemDriver. Where it is set, no other is tried.
inline constexpr char kDriverVariable[] = "WARPYARD_CUDA_DRIVER";
// The GPUs that the emulated driver poses as: "h100", "b200*8", "h100,b200".
// Where it is set, the emulated driver is used.
inline constexpr char kEmulateVariable[] = "WARPYARD_EMULATE";
inline constexpr char kSystemDriver[] = "libcuda.so.1";

struct DriverLocation {
  std::string path;
  std::string reason;  // "the system's driver"

  friend bool operator==(const DriverLocation&, const DriverLocation&) = default;
};

// The drivers to try, in order. `emulator` is the path of the emulated driver
// that is shipped beside the program, or "" where there is none.
std::vector<DriverLocation> DriverLocations(const Environment& environment,
                                            const std::string& emulator);

}  // namespace warpyard::driver

#endif  // WARPYARD_CC_DRIVER_DRIVER_LOCATION_H_
