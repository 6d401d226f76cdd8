// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// How many blocks of a kernel an SM holds at a time, and what bounds it.

#ifndef WARPYARD_CC_TARGET_OCCUPANCY_H_
#define WARPYARD_CC_TARGET_OCCUPANCY_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "cc/target/generation.h"

namespace warpyard {

// What one launch of a kernel asks of an SM.
struct OccupancyRequest {
  int threads_per_block = 0;
  int registers_per_thread = 0;       // as allocated by the compiler; 0: none
  int64_t static_shared_memory = 0;   // bytes per block
  int64_t dynamic_shared_memory = 0;  // bytes per block, opted into where needed
  int named_barriers = 1;             // of bar.sync, per block
};

enum class OccupancyLimit { kWarps, kRegisters, kSharedMemory, kBlocks, kBarriers };

// "warps", "registers", "shared memory", "blocks", "barriers".
std::string_view OccupancyLimitName(OccupancyLimit limit);

struct Occupancy {
  // Blocks resident on one SM; 0 when not even one fits.
  int active_blocks = 0;
  int active_warps = 0;
  // Active warps over the most that an SM can hold: 0 to 1.
  double ratio = 0;
  // What allows no more blocks: every limit that is reached, in the order of
  // the enumeration; never empty.
  std::vector<OccupancyLimit> limits;
  // What one block takes, after rounding to what the hardware hands out.
  int64_t allocated_registers = 0;
  int64_t allocated_shared_memory = 0;  // the system's share included
};

// The rule of NVIDIA's occupancy calculator (cuda_occupancy.h,
// cudaOccMaxActiveBlocksPerMultiprocessor), for a kernel that has opted into
// the shared memory it needs and prefers shared memory to L1:
//
//   warps          ceil(threads / warp size) warps a block, of max_warps_per_sm
//   registers      registers x warp size, rounded up to the allocation unit,
//                  for each warp; a sub-partition holds a whole number of warps.
//                  A block must fit when its warps are rounded up to the number
//                  of sub-partitions, because the hardware checks it so
//   shared memory  static + dynamic + the system's, rounded up to the unit
//   blocks         max_blocks_per_sm
//   barriers       named_barriers_per_sm, where the generation has it
//
// INVALID_ARGUMENT when the request is no launch at all: no threads, or a
// negative amount.
absl::StatusOr<Occupancy> ComputeOccupancy(const Generation& generation,
                                           const OccupancyRequest& request);

}  // namespace warpyard

#endif  // WARPYARD_CC_TARGET_OCCUPANCY_H_
