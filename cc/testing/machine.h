// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// What the machine at hand has, asked of its driver and libraries. Nothing is
// linked: what cannot be opened is not there.

#ifndef WARPYARD_CC_TESTING_MACHINE_H_
#define WARPYARD_CC_TESTING_MACHINE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cc/base/environment.h"
#include "cc/base/version.h"
#include "cc/target/compute_capability.h"
#include "cc/target/requirement.h"

namespace warpyard::testing {

struct MachineDevice {
  std::string name;  // the driver's: "NVIDIA H100 80GB HBM3"
  ComputeCapability compute_capability;
  int64_t memory_bytes = 0;

  // Whether it is a slice of a GPU.
  bool IsMig() const;
};

struct Machine {
  std::vector<MachineDevice> devices;
  bool emulated = false;
  std::optional<Version> driver;  // 580.95.05
  std::optional<Version> cuda;    // 13.0, of the driver
  std::optional<Version> cudnn;
  std::optional<Version> nccl;

  // For requirements. Of several GPUs, the least that any of them has counts.
  Facts ToFacts() const;
};

// Asks the driver that WARPYARD_CUDA_DRIVER names: a path, or "system", which is
// the default. A machine without a driver or without GPUs is a machine with
// none. cuDNN is the library that WARPYARD_CUDNN names, or the one that the
// system's loader finds. NOT_FOUND or FAILED_PRECONDITION: a path that does not load. INTERNAL:
// the driver fails with anything but "no device".
absl::StatusOr<Machine> ProbeMachine(const Environment& environment);

}  // namespace warpyard::testing

#endif  // WARPYARD_CC_TESTING_MACHINE_H_
