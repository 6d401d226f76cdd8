// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/driver/driver_location.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cc/base/environment.h"

namespace warpyard::driver {

std::vector<DriverLocation> DriverLocations(const Environment& environment,
                                            const std::string& emulator) {
  if (const std::optional<std::string> path = environment.Get(kDriverVariable)) {
    return {{*path == "system" ? kSystemDriver : *path, kDriverVariable}};
  }
  if (environment.Get(kEmulateVariable).has_value() && !emulator.empty()) {
    return {{emulator, kEmulateVariable}};
  }
  std::vector<DriverLocation> locations = {{kSystemDriver, "the system's driver"}};
  if (!emulator.empty()) locations.push_back({emulator, "the emulated driver"});
  return locations;
}

}  // namespace warpyard::driver
