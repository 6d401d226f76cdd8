// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Running a kernel: a module loaded for a device, and launches of it. This is
// what the emulated driver calls; it knows nothing of CUDA's API.

#ifndef WARPYARD_CC_EMULATOR_EXECUTION_LAUNCH_H_
#define WARPYARD_CC_EMULATOR_EXECUTION_LAUNCH_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "cc/emulator/execution/fault.h"
#include "cc/emulator/execution/memory_map.h"
#include "cc/emulator/program/program.h"
#include "cc/target/device_spec.h"

namespace warpyard::emulator {

struct Profile;   // cc/emulator/execution/profile.h
class Sanitizer;  // cc/emulator/execution/sanitizer.h

struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
  uint64_t count() const { return uint64_t{x} * y * z; }
};

// A program with memory for its variables on one device. Its `.global` and
// `.const` variables are registered in the memory map until it dies.
class LoadedModule {
 public:
  // RESOURCE_EXHAUSTED where `allocate` has no memory; NOT_FOUND names symbols
  // that are declared `.extern` and defined nowhere. `allocate` gives zeroed memory
  // of the device for the variables, aligned to 256, and `release` takes it back;
  // null: the host's heap.
  struct Memory {
    std::function<absl::StatusOr<void*>(uint64_t bytes)> allocate;
    std::function<void(void*)> release;
  };
  static absl::StatusOr<std::unique_ptr<LoadedModule>> Load(std::shared_ptr<const Program> program,
                                                            int device, MemoryMap& map,
                                                            Memory memory = {});
  ~LoadedModule();
  LoadedModule(const LoadedModule&) = delete;
  LoadedModule& operator=(const LoadedModule&) = delete;

  const Program& program() const { return *program_; }
  int device() const { return device_; }
  // A kernel by name; null if there is none.
  const Function* FindKernel(std::string_view name) const;
  // A variable's address and size in bytes.
  struct Global {
    uint64_t address;
    uint64_t size;
  };
  std::optional<Global> FindGlobal(std::string_view name) const;
  // The constants of the program with addresses filled in.
  const std::byte* constants() const { return constants_; }

 private:
  LoadedModule() = default;
  std::shared_ptr<const Program> program_;
  int device_ = 0;
  MemoryMap* map_ = nullptr;
  Memory memory_;
  std::vector<void*> blocks_;
  absl::flat_hash_map<std::string_view, Global> globals_;
  std::byte* constants_ = nullptr;
  std::vector<std::byte> constants_storage_;
};

struct LaunchConfig {
  const LoadedModule* module = nullptr;
  const Function* function = nullptr;
  Dim3 grid, block, cluster;
  bool has_cluster = false;  // launched with explicit cluster dimensions
  bool cooperative = false;  // all blocks co-resident
  uint32_t dynamic_shared_bytes = 0;
  // function->parameter_bytes bytes, copied before Run returns... before it starts.
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
  Profile* profile = nullptr;      // null: not counted
  Sanitizer* sanitizer = nullptr;  // null: bounds and alignment alone
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
