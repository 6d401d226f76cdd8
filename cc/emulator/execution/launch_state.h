// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// One run of a grid, shared by the host threads that execute its blocks.

#ifndef WARPYARD_CC_EMULATOR_EXECUTION_LAUNCH_STATE_H_
#define WARPYARD_CC_EMULATOR_EXECUTION_LAUNCH_STATE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "cc/emulator/execution/fault.h"
#include "cc/emulator/execution/launch.h"

namespace warpyard::emulator {

// Shared memory that the system keeps for itself at the start of a block's
// (device_spec's reserved_shared_memory_per_block): 1024 from 8.0 on. The
// addresses that a kernel sees begin behind it from 9.0 on, as they do there.
inline constexpr uint32_t kReservedSharedBytes = 1024;

class Launch {
 public:
  explicit Launch(const LaunchConfig& config);
  Launch(const Launch&) = delete;
  Launch& operator=(const Launch&) = delete;

  const LaunchConfig& config() const { return config_; }
  const Function& function() const { return *config_.function; }
  const Program& program() const { return config_.module->program(); }
  // The kernel's parameters: a copy, read-only.
  const std::byte* parameters() const { return parameters_.data(); }
  uint64_t parameter_bytes() const { return config_.function->parameter_bytes; }

  uint32_t shared_offset() const { return shared_offset_; }
  // Static and dynamic.
  uint32_t shared_bytes() const { return shared_bytes_; }
  // Of dynamic shared memory, from the beginning of the block's own.
  uint32_t DynamicSharedOffset(uint32_t alignment) const;
  uint64_t local_limit() const { return local_limit_; }

  uint32_t cluster_size() const { return cluster_size_; }
  uint64_t cluster_count() const { return cluster_count_; }
  uint32_t threads_per_block() const { return threads_per_block_; }
  uint32_t warps_per_block() const { return (threads_per_block_ + kWarpSize - 1) / kWarpSize; }

  // What cooperative_groups' grid barrier counts in: zeroed, writable.
  uint64_t grid_workspace() const { return reinterpret_cast<uint64_t>(grid_workspace_); }
  uint64_t grid_workspace_bytes() const { return sizeof(grid_workspace_); }

  // The next cluster to run, in order; nullopt when none is left, or after a
  // fault.
  std::optional<uint64_t> TakeCluster();
  uint64_t clusters_left() const;

  // Whether a cluster is not worth going on with: cancelled, timed out, or an
  // earlier one (in the grid's order) faulted.
  bool Stopped(uint64_t cluster);
  // Keeps the fault of the earliest cluster, so that the same one is reported
  // whatever the number of workers.
  void SetFault(uint64_t cluster, Fault fault);
  std::optional<Fault> TakeFault();

  void Print(std::string_view text) const;

 private:
  const LaunchConfig config_;
  std::vector<std::byte> parameters_;
  uint32_t shared_offset_ = 0;
  uint32_t shared_bytes_ = 0;
  uint64_t local_limit_ = 0;
  uint32_t cluster_size_ = 1;
  uint64_t cluster_count_ = 0;
  uint32_t threads_per_block_ = 0;
  absl::Time deadline_;
  alignas(64) uint32_t grid_workspace_[16] = {};

  std::atomic<uint64_t> next_cluster_{0};
  std::atomic<uint64_t> fault_cluster_{~uint64_t{0}};
  absl::Mutex mutex_;
  std::optional<Fault> fault_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_EXECUTION_LAUNCH_STATE_H_
