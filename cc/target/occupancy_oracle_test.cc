// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Our occupancy against NVIDIA's own calculator, over a sweep of launches on
// every generation.

#include <algorithm>
#include <climits>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cc/target/generation.h"
#include "cc/target/occupancy.h"
#include "cc/target/spec_database.h"
#include "cuda_occupancy.h"
#include "gtest/gtest.h"

namespace warpyard {
namespace {

cudaOccDeviceProp PropertiesOf(const Generation& g) {
  cudaOccDeviceProp properties;
  properties.computeMajor = g.compute_capability.major();
  properties.computeMinor = g.compute_capability.minor();
  properties.maxThreadsPerBlock = g.max_threads_per_block;
  properties.maxThreadsPerMultiprocessor = g.max_threads_per_sm;
  properties.regsPerBlock = g.max_registers_per_block;
  properties.regsPerMultiprocessor = g.registers_per_sm;
  properties.warpSize = g.warp_size;
  properties.sharedMemPerBlock = g.shared_memory_per_block;
  properties.sharedMemPerMultiprocessor = g.shared_memory_per_sm;
  properties.numSms = 1;
  properties.sharedMemPerBlockOptin = g.shared_memory_per_block_optin;
  properties.reservedSharedMemPerBlock = g.reserved_shared_memory_per_block;
  return properties;
}

// Theirs also names what bound the blocks before barriers bound them further
// (result.limitingFactors), so the bounds themselves are compared.
std::vector<OccupancyLimit> LimitsOf(const cudaOccResult& result) {
  const int active = result.activeBlocksPerMultiprocessor;
  std::vector<OccupancyLimit> limits;
  if (result.blockLimitWarps == active) limits.push_back(OccupancyLimit::kWarps);
  if (result.blockLimitRegs == active) limits.push_back(OccupancyLimit::kRegisters);
  if (result.blockLimitSharedMem == active) limits.push_back(OccupancyLimit::kSharedMemory);
  if (result.blockLimitBlocks == active) limits.push_back(OccupancyLimit::kBlocks);
  if (result.blockLimitBarriers == active) limits.push_back(OccupancyLimit::kBarriers);
  return limits;
}

std::string Describe(const Generation& g, const OccupancyRequest& r) {
  return g.compute_capability.ToString() + ": " + std::to_string(r.threads_per_block) +
         " threads, " + std::to_string(r.registers_per_thread) + " registers, " +
         std::to_string(r.static_shared_memory) + "+" + std::to_string(r.dynamic_shared_memory) +
         " bytes, " + std::to_string(r.named_barriers) + " barriers";
}

void ExpectSame(const Generation& g, const OccupancyRequest& request) {
  const cudaOccDeviceProp properties = PropertiesOf(g);
  cudaOccFuncAttributes attributes;
  attributes.maxThreadsPerBlock = INT_MAX;
  attributes.numRegs = request.registers_per_thread;
  attributes.sharedSizeBytes = static_cast<size_t>(request.static_shared_memory);
  attributes.partitionedGCConfig = PARTITIONED_GC_OFF;
  attributes.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  attributes.maxDynamicSharedSizeBytes = static_cast<size_t>(request.dynamic_shared_memory);
  attributes.numBlockBarriers = request.named_barriers;
  cudaOccDeviceState state;
  cudaOccResult theirs;
  ASSERT_EQ(cudaOccMaxActiveBlocksPerMultiprocessor(
                &theirs, &properties, &attributes, &state, request.threads_per_block,
                static_cast<size_t>(request.dynamic_shared_memory)),
            CUDA_OCC_SUCCESS)
      << Describe(g, request);

  absl::StatusOr<Occupancy> ours = ComputeOccupancy(g, request);
  ASSERT_TRUE(ours.ok()) << ours.status();
  ASSERT_EQ(ours->active_blocks, theirs.activeBlocksPerMultiprocessor) << Describe(g, request);
  ASSERT_EQ(ours->limits, LimitsOf(theirs)) << Describe(g, request);
  ASSERT_EQ(ours->allocated_registers, theirs.allocatedRegistersPerBlock) << Describe(g, request);
  ASSERT_EQ(ours->allocated_shared_memory, theirs.allocatedSharedMemPerBlock)
      << Describe(g, request);
}

class OccupancyOracleTest : public testing::TestWithParam<int> {
 protected:
  const Generation& generation() const {
    return SpecDatabase::Embedded().AllGenerations()[GetParam()];
  }
};

TEST_P(OccupancyOracleTest, AllBlockSizesAndRegisterCounts) {
  for (int threads = 1; threads <= 1056; ++threads) {
    // At both sides of each multiple of a warp, and every size within one warp.
    if (threads > 32 && threads % 32 > 1 && threads % 32 < 31) continue;
    for (int registers = 0; registers <= 255; ++registers) {
      ExpectSame(generation(), {.threads_per_block = threads, .registers_per_thread = registers});
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(OccupancyOracleTest, AllSharedMemorySizes) {
  const Generation& g = generation();
  const int64_t most = g.shared_memory_per_block_optin;
  for (int64_t total = 0; total <= most + 256; total += 61) {
    for (const int64_t fixed : {int64_t{0}, int64_t{1}, int64_t{4096}, int64_t{49152}}) {
      if (fixed > total) continue;
      for (const int threads : {32, 96, 256, 1024}) {
        ExpectSame(g, {.threads_per_block = threads,
                       .registers_per_thread = 32,
                       .static_shared_memory = fixed,
                       .dynamic_shared_memory = total - fixed});
        if (HasFatalFailure()) return;
      }
    }
  }
  for (const int64_t total : {most - 1, most, most + 1}) {
    ExpectSame(g, {.threads_per_block = 128, .dynamic_shared_memory = total});
  }
}

TEST_P(OccupancyOracleTest, AllBarrierCounts) {
  for (int barriers = 0; barriers <= 16; ++barriers) {
    for (const int threads : {32, 64, 128, 512, 1024}) {
      ExpectSame(
          generation(),
          {.threads_per_block = threads, .registers_per_thread = 24, .named_barriers = barriers});
      if (HasFatalFailure()) return;
    }
  }
}

// Each carve-out is where NVIDIA's rounding up of a size stops.
TEST_P(OccupancyOracleTest, SharedMemoryCarveouts) {
  const cudaOccDeviceProp properties = PropertiesOf(generation());
  std::vector<int> carveouts;
  for (int kib = 0; kib <= generation().shared_memory_per_sm / 1024; ++kib) {
    size_t size = static_cast<size_t>(kib) * 1024;
    ASSERT_EQ(cudaOccAlignUpShmemSizeVoltaPlus(&size, &properties), CUDA_OCC_SUCCESS) << kib;
    const int rounded = static_cast<int>(size / 1024);
    if (carveouts.empty() || carveouts.back() != rounded) carveouts.push_back(rounded);
  }
  EXPECT_EQ(generation().shared_memory_carveouts_kib, carveouts);
}

INSTANTIATE_TEST_SUITE_P(
    EveryGeneration, OccupancyOracleTest,
    testing::Range(0, static_cast<int>(SpecDatabase::Embedded().AllGenerations().size())),
    [](const testing::TestParamInfo<int>& info) {
      const auto& g = SpecDatabase::Embedded().AllGenerations()[info.param];
      return g.compute_capability.SmName();
    });

}  // namespace
}  // namespace warpyard
