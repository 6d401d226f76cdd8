// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/target/occupancy.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "cc/target/generation.h"

namespace warpyard {
namespace {

constexpr int64_t kUnbounded = std::numeric_limits<int64_t>::max();

// Far above what any SM has, and far below what could overflow a product here.
constexpr int64_t kMaxRequest = int64_t{1} << 31;

int64_t CeilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }
int64_t RoundUp(int64_t a, int64_t unit) { return CeilDiv(a, unit) * unit; }

absl::Status CheckRequest(const OccupancyRequest& request) {
  const auto check = [](std::string_view what, int64_t value, int64_t least) {
    if (value >= least && value <= kMaxRequest) return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrCat("occupancy: ", what, " is ", value,
                                                   ", expected ", least, " to ", kMaxRequest));
  };
  for (const absl::Status& status : {
           check("threads_per_block", request.threads_per_block, 1),
           check("registers_per_thread", request.registers_per_thread, 0),
           check("static_shared_memory", request.static_shared_memory, 0),
           check("dynamic_shared_memory", request.dynamic_shared_memory, 0),
           check("named_barriers", request.named_barriers, 0),
       }) {
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace

std::string_view OccupancyLimitName(OccupancyLimit limit) {
  switch (limit) {
    case OccupancyLimit::kWarps:
      return "warps";
    case OccupancyLimit::kRegisters:
      return "registers";
    case OccupancyLimit::kSharedMemory:
      return "shared memory";
    case OccupancyLimit::kBlocks:
      return "blocks";
    case OccupancyLimit::kBarriers:
      return "barriers";
  }
  return "?";
}

absl::StatusOr<Occupancy> ComputeOccupancy(const Generation& generation,
                                           const OccupancyRequest& request) {
  if (absl::Status status = CheckRequest(request); !status.ok()) return status;
  const Generation& g = generation;
  Occupancy occupancy;

  const int64_t warps = CeilDiv(request.threads_per_block, g.warp_size);
  const int64_t by_warps =
      request.threads_per_block > g.max_threads_per_block ? 0 : g.max_warps_per_sm / warps;

  const int64_t registers_per_warp =
      RoundUp(int64_t{request.registers_per_thread} * g.warp_size, g.register_allocation_unit);
  occupancy.allocated_registers = registers_per_warp * warps;
  int64_t by_registers = kUnbounded;
  if (registers_per_warp * RoundUp(warps, g.sub_partitions_per_sm) > g.max_registers_per_block ||
      request.registers_per_thread > g.max_registers_per_thread) {
    by_registers = 0;
  } else if (registers_per_warp > 0) {
    const int64_t per_sub_partition = g.registers_per_sm / g.sub_partitions_per_sm;
    by_registers = per_sub_partition / registers_per_warp * g.sub_partitions_per_sm / warps;
  }

  const int64_t shared_memory = request.static_shared_memory + request.dynamic_shared_memory;
  occupancy.allocated_shared_memory =
      RoundUp(shared_memory + g.reserved_shared_memory_per_block, g.shared_memory_allocation_unit);
  int64_t by_shared_memory = kUnbounded;
  if (shared_memory > g.shared_memory_per_block_optin ||
      request.static_shared_memory > g.shared_memory_per_block) {
    by_shared_memory = 0;
  } else if (occupancy.allocated_shared_memory > 0) {
    by_shared_memory = g.shared_memory_per_sm / occupancy.allocated_shared_memory;
  }

  const int64_t by_barriers = g.named_barriers_per_sm.has_value() && request.named_barriers > 0
                                  ? *g.named_barriers_per_sm / request.named_barriers
                                  : kUnbounded;

  const struct {
    OccupancyLimit limit;
    int64_t blocks;
  } bounds[] = {
      {OccupancyLimit::kWarps, by_warps},
      {OccupancyLimit::kRegisters, by_registers},
      {OccupancyLimit::kSharedMemory, by_shared_memory},
      {OccupancyLimit::kBlocks, g.max_blocks_per_sm},
      {OccupancyLimit::kBarriers, by_barriers},
  };
  int64_t least = kUnbounded;
  for (const auto& bound : bounds) least = std::min(least, bound.blocks);
  for (const auto& bound : bounds) {
    if (bound.blocks == least) occupancy.limits.push_back(bound.limit);
  }
  occupancy.active_blocks = static_cast<int>(least);
  occupancy.active_warps = static_cast<int>(least * warps);
  occupancy.ratio = static_cast<double>(occupancy.active_warps) / g.max_warps_per_sm;
  return occupancy;
}

}  // namespace warpyard
