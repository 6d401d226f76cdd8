// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Running a kernel: a module loaded for a device, and launches of it. This is
// what the emulated driver calls; it knows nothing of CUDA's API.

#ifndef WARPYARD_CC_EMULATOR_EXECUTION_LAUNCH_H_
#define WARPYARD_CC_EMULATOR_EXECUTION_LAUNCH_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "cc/emulator/execution/fault.h"
#include "cc/emulator/execution/loaded_module.h"
#include "cc/emulator/execution/memory_map.h"
#include "cc/emulator/program/program.h"
#include "cc/target/device_spec.h"

namespace warpyard::emulator {

class Observer;  // cc/emulator/execution/observer.h

struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
  uint64_t count() const { return uint64_t{x} * y * z; }
};

struct LaunchConfig {
  const LoadedModule* module = nullptr;
  const Function* function = nullptr;
  Dim3 grid, block, cluster;
  bool has_cluster = false;  // launched with explicit cluster dimensions
  bool cooperative = false;  // all blocks co-resident
  uint32_t dynamic_shared_bytes = 0;
  // function->parameter_bytes bytes, which Run copies before the first block starts.
  const void* parameters = nullptr;

  const DeviceSpec* device = nullptr;  // the posed GPU
  int ordinal = 0;
  MemoryMap* memory = nullptr;
  // Devices whose memory this one may use, a bit each (peer access, own included).
  uint64_t reachable_devices = ~uint64_t{0};
  uint64_t local_bytes_limit = 512 << 10;  // per thread, stack included
  uint64_t heap_bytes = 8 << 20;           // malloc in kernels
  uint64_t grid_id = 0;

  int workers = 0;  // host threads; 0: all cores
  absl::Duration time_limit = absl::InfiniteDuration();
  const std::atomic<bool>* cancel = nullptr;
  // Where printf goes; null: stdout. Called with whole strings, in a fixed order
  // for a given number of workers.
  std::function<void(std::string_view)> print;
  // The profile, the sanitizer: told of instructions, accesses and barriers. Null:
  // nothing is counted, and bounds and alignment alone are checked. One worker
  // runs the whole grid where there is one.
  Observer* observer = nullptr;
};

// Checks a configuration against the function and the device: INVALID_ARGUMENT
// (grid, block or cluster out of range), RESOURCE_EXHAUSTED (registers, shared
// memory, co-residence of a cooperative launch), UNIMPLEMENTED (names the first
// operation that is not executed).
absl::Status CheckLaunch(const LaunchConfig& config);

// Runs the grid to its end on the calling thread and `workers - 1` others.
// nullopt if it ended well. The configuration must have passed CheckLaunch.
std::optional<Fault> Run(const LaunchConfig& config);

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_EXECUTION_LAUNCH_H_
