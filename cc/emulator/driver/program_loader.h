// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// From PTX text to a decoded program.

#ifndef WARPYARD_CC_EMULATOR_DRIVER_PROGRAM_LOADER_H_
#define WARPYARD_CC_EMULATOR_DRIVER_PROGRAM_LOADER_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cc/emulator/program/program.h"
#include "cc/target/compute_capability.h"

namespace warpyard::emulator::driver {

// Parses, links and decodes. INVALID_ARGUMENT names line and column of what is
// no PTX, or a symbol that is defined twice; FAILED_PRECONDITION where the
// `.target` of a module does not run on the device.
absl::StatusOr<std::shared_ptr<const Program>> CompilePtx(const std::vector<std::string>& modules,
                                                          const ComputeCapability& device);

}  // namespace warpyard::emulator::driver

#endif  // WARPYARD_CC_EMULATOR_DRIVER_PROGRAM_LOADER_H_
