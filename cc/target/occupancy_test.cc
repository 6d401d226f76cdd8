// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/target/occupancy.h"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cc/target/compute_capability.h"
#include "cc/target/generation.h"
#include "cc/target/spec_database.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard {
namespace {

using ::testing::ElementsAre;

const Generation& On(std::string_view cc) {
  return *SpecDatabase::Embedded().FindGeneration(ComputeCapability::Parse(cc).value());
}

Occupancy Of(std::string_view cc, const OccupancyRequest& request) {
  absl::StatusOr<Occupancy> occupancy = ComputeOccupancy(On(cc), request);
  EXPECT_TRUE(occupancy.ok()) << occupancy.status();
  return occupancy.value_or(Occupancy());
}

// CUDA C++ Best Practices Guide, 10.2.1 "Effects of Shared Memory and Registers
// on occupancy", in the numbers of compute capability 7.0: 37 registers a
// thread and 128 threads a block give 75 % (12 blocks of 4 warps), 320 threads
// 63 % (4 blocks of 10 warps).
TEST(OccupancyTest, ExamplesOfTheBestPracticesGuide) {
  const Occupancy small = Of("7.0", {.threads_per_block = 128, .registers_per_thread = 37});
  EXPECT_EQ(small.active_blocks, 12);
  EXPECT_DOUBLE_EQ(small.ratio, 0.75);
  EXPECT_THAT(small.limits, ElementsAre(OccupancyLimit::kRegisters));
  const Occupancy large = Of("7.0", {.threads_per_block = 320, .registers_per_thread = 37});
  EXPECT_EQ(large.active_blocks, 4);
  EXPECT_DOUBLE_EQ(large.ratio, 0.625);
}

TEST(OccupancyTest, EachLimitBinds) {
  struct Case {
    std::string_view on;
    OccupancyRequest request;
    int blocks;
    std::vector<OccupancyLimit> limits;
  };
  for (const Case& c : std::vector<Case>{
           {"9.0", {.threads_per_block = 1024}, 2, {OccupancyLimit::kWarps}},
           {"9.0", {.threads_per_block = 32}, 32, {OccupancyLimit::kBlocks}},
           {"9.0",
            {.threads_per_block = 64},
            32,
            {OccupancyLimit::kWarps, OccupancyLimit::kBlocks}},
           {"8.9", {.threads_per_block = 32, .named_barriers = 16}, 24, {OccupancyLimit::kBlocks}},
           {"12.0",
            {.threads_per_block = 32},
            24,
            {OccupancyLimit::kBlocks, OccupancyLimit::kBarriers}},
           {"9.0",
            {.threads_per_block = 128, .registers_per_thread = 128},
            4,
            {OccupancyLimit::kRegisters}},
           {"9.0",
            {.threads_per_block = 128, .dynamic_shared_memory = 113 * 1024},
            2,
            {OccupancyLimit::kSharedMemory}},
           {"9.0",
            {.threads_per_block = 128, .dynamic_shared_memory = 113 * 1024 + 1},
            1,
            {OccupancyLimit::kSharedMemory}},
           {"9.0", {.threads_per_block = 32, .named_barriers = 16}, 4, {OccupancyLimit::kBarriers}},
           // Nothing fits.
           {"9.0", {.threads_per_block = 1025}, 0, {OccupancyLimit::kWarps}},
           {"9.0",
            {.threads_per_block = 1024, .registers_per_thread = 65},
            0,
            {OccupancyLimit::kRegisters}},
           {"9.0",
            {.threads_per_block = 32, .registers_per_thread = 256},
            0,
            {OccupancyLimit::kRegisters}},
           {"8.6",
            {.threads_per_block = 32, .dynamic_shared_memory = 99 * 1024 + 1},
            0,
            {OccupancyLimit::kSharedMemory}},
           {"9.0",
            {.threads_per_block = 32, .static_shared_memory = 48 * 1024 + 1},
            0,
            {OccupancyLimit::kSharedMemory}},
       }) {
    const Occupancy occupancy = Of(c.on, c.request);
    EXPECT_EQ(occupancy.active_blocks, c.blocks) << c.request.threads_per_block;
    EXPECT_EQ(occupancy.limits, c.limits) << c.request.threads_per_block;
    EXPECT_EQ(occupancy.active_warps, c.blocks * ((c.request.threads_per_block + 31) / 32));
  }
}

TEST(OccupancyTest, ReportsWhatABlockTakesAfterRounding) {
  const Occupancy occupancy = Of("9.0", {.threads_per_block = 33,
                                         .registers_per_thread = 33,
                                         .static_shared_memory = 1,
                                         .dynamic_shared_memory = 0});
  EXPECT_EQ(occupancy.allocated_registers, 2 * 1280);
  EXPECT_EQ(occupancy.allocated_shared_memory, 1024 + 128);
}

TEST(OccupancyTest, RefusesWhatIsNoLaunch) {
  for (const OccupancyRequest& request : std::vector<OccupancyRequest>{
           {.threads_per_block = 0},
           {.threads_per_block = -1},
           {.threads_per_block = 32, .registers_per_thread = -1},
           {.threads_per_block = 32, .static_shared_memory = -1},
           {.threads_per_block = 32, .dynamic_shared_memory = std::numeric_limits<int64_t>::max()},
           {.threads_per_block = 32, .named_barriers = -1},
       }) {
    EXPECT_EQ(ComputeOccupancy(On("9.0"), request).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
}

TEST(OccupancyTest, LimitsHaveNames) {
  EXPECT_EQ(OccupancyLimitName(OccupancyLimit::kWarps), "warps");
  EXPECT_EQ(OccupancyLimitName(OccupancyLimit::kRegisters), "registers");
  EXPECT_EQ(OccupancyLimitName(OccupancyLimit::kSharedMemory), "shared memory");
  EXPECT_EQ(OccupancyLimitName(OccupancyLimit::kBlocks), "blocks");
  EXPECT_EQ(OccupancyLimitName(OccupancyLimit::kBarriers), "barriers");
}

}  // namespace
}  // namespace warpyard
