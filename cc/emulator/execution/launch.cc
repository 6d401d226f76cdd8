// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/execution/launch.h"

#include <algorithm>
#include <cstdint>
#include <new>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/execution/launch_state.h"
#include "cc/emulator/execution/observer.h"
#include "cc/emulator/execution/scheduler.h"
#include "cc/emulator/execution/worker_pool.h"
#include "cc/target/kernel_limits.h"
#include "cc/target/occupancy.h"

namespace warpyard::emulator {
namespace {

// How long a launch runs alone before others are woken to help.
constexpr absl::Duration kAlone = absl::Microseconds(40);

std::string Text(const Dim3& dim) {
  return absl::StrCat("(", dim.x, ", ", dim.y, ", ", dim.z, ")");
}

// The cluster that a launch has: as configured, else as the kernel says.
Dim3 ClusterOf(const LaunchConfig& config) {
  if (config.has_cluster) return config.cluster;
  const uint32_t* required = config.function->required_cluster;
  if (required[0] == 0) return Dim3{};
  return Dim3{required[0], std::max(1u, required[1]), std::max(1u, required[2])};
}

absl::Status CheckCluster(const LaunchConfig& config) {
  const Function& function = *config.function;
  const Generation& generation = *config.device->generation;
  const Dim3 cluster = ClusterOf(config);
  if (cluster.x == 0 || cluster.y == 0 || cluster.z == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(function.name, ": cluster dimensions ", Text(cluster), " must not be 0"));
  }
  const uint32_t* required = function.required_cluster;
  if (config.has_cluster && required[0] != 0 &&
      (cluster.x != required[0] || cluster.y != std::max(1u, required[1]) ||
       cluster.z != std::max(1u, required[2]))) {
    return absl::InvalidArgumentError(absl::StrCat(
        function.name, ": cluster dimensions ", Text(cluster), ", the kernel is compiled for (",
        required[0], ", ", std::max(1u, required[1]), ", ", std::max(1u, required[2]), ")"));
  }
  const uint64_t most = std::max<uint64_t>(
      generation.max_cluster_size_nonportable.value_or(generation.max_cluster_size_portable), 1);
  if (cluster.count() > most) {
    return absl::InvalidArgumentError(absl::StrCat(
        function.name, ": a cluster of ", cluster.count(), " blocks; the device allows ", most));
  }
  if (config.grid.x % cluster.x != 0 || config.grid.y % cluster.y != 0 ||
      config.grid.z % cluster.z != 0) {
    return absl::InvalidArgumentError(absl::StrCat(function.name, ": the grid ", Text(config.grid),
                                                   " is no multiple of the cluster ",
                                                   Text(cluster)));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckLaunch(const LaunchConfig& config) {
  const Function& function = *config.function;
  const Generation& generation = *config.device->generation;
  if (!function.unsupported.empty()) {
    return absl::UnimplementedError(absl::StrCat(function.name, ": ", function.unsupported[0]));
  }
  const Dim3& grid = config.grid;
  const Dim3& block = config.block;
  // CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || grid.x > 0x7fffffff || grid.y > 65535 ||
      grid.z > 65535) {
    return absl::InvalidArgumentError(absl::StrCat(function.name, ": grid dimensions ", Text(grid),
                                                   " outside (1, 1, 1) to (2147483647, ",
                                                   "65535, 65535)"));
  }
  if (block.x == 0 || block.y == 0 || block.z == 0 || block.x > 1024 || block.y > 1024 ||
      block.z > 64) {
    return absl::InvalidArgumentError(absl::StrCat(function.name, ": block dimensions ",
                                                   Text(block),
                                                   " outside (1, 1, 1) to (1024, 1024, 64)"));
  }
  if (block.count() > static_cast<uint64_t>(generation.max_threads_per_block)) {
    return absl::InvalidArgumentError(absl::StrCat(function.name, ": ", block.count(),
                                                   " threads per block; the device allows ",
                                                   generation.max_threads_per_block));
  }
  const uint32_t* required = function.required_block;
  if (required[0] != 0 && (block.x != required[0] || block.y != std::max(1u, required[1]) ||
                           block.z != std::max(1u, required[2]))) {
    return absl::InvalidArgumentError(absl::StrCat(
        function.name, ": block dimensions ", Text(block), ", the kernel requires (", required[0],
        ", ", std::max(1u, required[1]), ", ", std::max(1u, required[2]), ") (.reqntid)"));
  }
  if (function.max_block_threads != 0 && block.count() > function.max_block_threads) {
    return absl::InvalidArgumentError(
        absl::StrCat(function.name, ": ", block.count(), " threads per block; it is compiled for ",
                     function.max_block_threads, " at most (.maxntid)"));
  }
  WARPYARD_RETURN_IF_ERROR(CheckCluster(config));

  KernelNeeds needs;
  needs.threads_per_block = static_cast<int>(block.count());
  needs.static_shared_memory = function.static_shared_bytes;
  needs.dynamic_shared_memory = config.dynamic_shared_bytes;
  WARPYARD_RETURN_IF_ERROR(CheckKernelLimits(function.name, needs, generation));

  if (config.cooperative) {
    OccupancyRequest request;
    request.threads_per_block = static_cast<int>(block.count());
    request.static_shared_memory = function.static_shared_bytes;
    request.dynamic_shared_memory = config.dynamic_shared_bytes;
    WARPYARD_ASSIGN_OR_RETURN(const Occupancy occupancy, ComputeOccupancy(generation, request));
    const uint64_t most = uint64_t(occupancy.active_blocks) * config.device->sm_count;
    if (grid.count() > most) {
      return absl::ResourceExhaustedError(absl::StrCat(function.name, ": a cooperative launch of ",
                                                       grid.count(), " blocks; at most ", most,
                                                       " can be resident together"));
    }
  }
  return absl::OkStatus();
}

std::optional<Fault> Run(const LaunchConfig& given) {
  LaunchConfig config = given;
  config.cluster = ClusterOf(config);
  if (!config.has_cluster && config.cluster.count() > 1) config.has_cluster = true;
  if (config.memory == nullptr) config.memory = &MemoryMap::Process();
  try {
    Launch launch(config);
    if (config.observer != nullptr) config.observer->LaunchBegins(config);
    int workers = config.workers > 0 ? config.workers : WorkerPool::Cores();
    if (config.function->order_sensitive || config.cooperative || config.observer != nullptr) {
      workers = 1;
    }
    workers = static_cast<int>(std::min<uint64_t>(workers, launch.cluster_count()));
    if (workers == 1) {
      Scheduler::Thread().Run(launch, [] {});
    } else {
      WorkerPool::Job job([&launch] { Scheduler::Thread().Run(launch, [] {}); });
      const absl::Time begin = absl::Now();
      bool alone = true;
      Scheduler::Thread().Run(launch, [&] {
        if (!alone || launch.clusters_left() == 0 || absl::Now() - begin < kAlone) return;
        alone = false;
        job.Start(workers - 1);
      });
      job.Stop();
    }
    if (config.observer != nullptr) config.observer->LaunchEnds(config);
    return launch.TakeFault();
  } catch (const std::bad_alloc&) {
    Fault fault;
    fault.kind = FaultKind::kStackOverflow;
    fault.what = "the host has no memory for the launch's registers, stacks or shared memory";
    fault.kernel = std::string(config.function->name);
    return fault;
  }
}

}  // namespace warpyard::emulator
