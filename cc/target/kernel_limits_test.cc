// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/target/kernel_limits.h"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "cc/target/compute_capability.h"
#include "cc/target/generation.h"
#include "cc/target/spec_database.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard {
namespace {

using ::testing::HasSubstr;

const Generation& On(std::string_view cc) {
  return *SpecDatabase::Embedded().FindGeneration(ComputeCapability::Parse(cc).value());
}

TEST(KernelLimitsTest, WhatFitsExactlyIsFine) {
  EXPECT_TRUE(CheckKernelLimits("k", {}, On("9.0")).ok());
  EXPECT_TRUE(CheckKernelLimits("k",
                                {.registers_per_thread = 64,
                                 .threads_per_block = 1024,
                                 .static_shared_memory = 48 * 1024,
                                 .dynamic_shared_memory = 179 * 1024,
                                 .cluster_size = 16},
                                On("9.0"))
                  .ok());
  EXPECT_TRUE(
      CheckKernelLimits("k", {.registers_per_thread = 255, .threads_per_block = 256}, On("9.0"))
          .ok());
  EXPECT_TRUE(CheckKernelLimits("k", {.tensor_memory_columns = 512}, On("10.0")).ok());
  EXPECT_TRUE(CheckKernelLimits("k", {.dynamic_shared_memory = 96 * 1024}, On("7.0")).ok());
}

TEST(KernelLimitsTest, SaysWhatWasRequestedAndWhatIsAvailable) {
  struct Case {
    KernelNeeds needs;
    std::string_view on;
    std::string_view message;
  };
  for (const Case& c : std::vector<Case>{
           {{.tensor_memory_columns = 576},
            "10.0",
            "kernel \"k\" on 10.0: tensor memory: 576 columns requested, 512 available"},
           {{.tensor_memory_columns = 32},
            "9.0",
            "kernel \"k\" on 9.0: tensor memory: 32 columns requested, 0 available"},
           {{.threads_per_block = 1025},
            "8.0",
            "kernel \"k\" on 8.0: block size: 1025 threads requested, 1024 available"},
           {{.registers_per_thread = 256},
            "8.0",
            "kernel \"k\" on 8.0: registers of a thread: 256 registers requested, 255 available"},
           {{.registers_per_thread = 65, .threads_per_block = 1024},
            "8.0",
            "kernel \"k\" on 8.0: registers of a block: 73728 registers requested, 65536 available "
            "(65 a thread, 1024 threads)"},
           {{.static_shared_memory = 49153},
            "9.0",
            "kernel \"k\" on 9.0: static shared memory: 49153 bytes requested, 49152 available "
            "(more must be dynamic)"},
           {{.static_shared_memory = 1024, .dynamic_shared_memory = 99 * 1024},
            "8.6",
            "kernel \"k\" on 8.6: shared memory: 101376 dynamic bytes requested, 100352 available "
            "(1024 of 101376 bytes are static)"},
           {{.cluster_size = 17},
            "9.0",
            "kernel \"k\" on 9.0: cluster: 17 blocks requested, 16 available"},
           {{.cluster_size = 2},
            "8.9",
            "kernel \"k\" on 8.9: cluster: 2 blocks requested, 1 available"},
       }) {
    const absl::Status status = CheckKernelLimits("k", c.needs, On(c.on));
    EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << c.message;
    EXPECT_EQ(status.message(), c.message);
  }
}

// 33 warps' worth is checked as 36: the hardware spreads warps over the four
// sub-partitions before it checks.
TEST(KernelLimitsTest, RegistersAreCheckedForWarpsSpreadOverSubPartitions) {
  EXPECT_TRUE(
      CheckKernelLimits("k", {.registers_per_thread = 112, .threads_per_block = 512}, On("9.0"))
          .ok());
  EXPECT_EQ(
      CheckKernelLimits("k", {.registers_per_thread = 112, .threads_per_block = 544}, On("9.0"))
          .code(),
      absl::StatusCode::kResourceExhausted);
}

TEST(KernelLimitsTest, ListsEveryBoundThatIsPassed) {
  const absl::Status status = CheckKernelLimits(
      "k", {.threads_per_block = 2048, .tensor_memory_columns = 1024}, On("10.0"));
  EXPECT_THAT(status.message(), HasSubstr("block size"));
  EXPECT_THAT(status.message(), HasSubstr("; tensor memory"));
}

TEST(KernelLimitsTest, AnUnpublishedClusterBoundRefusesNothing) {
  EXPECT_TRUE(CheckKernelLimits("k", {.cluster_size = 16}, On("10.3")).ok());
}

TEST(KernelLimitsTest, HugeNeedsDoNotOverflow) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(
      CheckKernelLimits("k", {.static_shared_memory = 1, .dynamic_shared_memory = kMax}, On("9.0"))
          .code(),
      absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(CheckKernelLimits("k", {.static_shared_memory = kMax, .dynamic_shared_memory = kMax},
                              On("9.0"))
                .code(),
            absl::StatusCode::kResourceExhausted);
  constexpr int kMaxInt = std::numeric_limits<int>::max();
  EXPECT_EQ(CheckKernelLimits("k", {.registers_per_thread = kMaxInt, .threads_per_block = kMaxInt},
                              On("9.0"))
                .code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(CheckKernelLimits("k", {.registers_per_thread = -1}, On("9.0")).code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace warpyard
