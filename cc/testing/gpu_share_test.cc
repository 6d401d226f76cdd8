// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/testing/gpu_share.h"

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/statusor.h"
#include "cc/base/environment.h"
#include "cc/base/file_lock.h"
#include "gtest/gtest.h"

namespace warpyard::testing {
namespace {

constexpr int64_t kGiB = int64_t{1} << 30;

TEST(GpuSlotsNeededTest, RoundsUpToSlots) {
  EXPECT_EQ(GpuSlotsNeeded(1, 64 * kGiB, 1), 1);
  EXPECT_EQ(GpuSlotsNeeded(kGiB, 64 * kGiB, 1), 1);
  EXPECT_EQ(GpuSlotsNeeded(kGiB + 1, 64 * kGiB, 1), 2);
  EXPECT_EQ(GpuSlotsNeeded(32 * kGiB, 64 * kGiB, 1), 32);
}

TEST(GpuSlotsNeededTest, WhoDoesNotSayOrUsesSeveralIsAlone) {
  EXPECT_EQ(GpuSlotsNeeded(0, 64 * kGiB, 1), kGpuSlots);
  EXPECT_EQ(GpuSlotsNeeded(kGiB, 64 * kGiB, 2), kGpuSlots);
  EXPECT_EQ(GpuSlotsNeeded(80 * kGiB, 64 * kGiB, 1), kGpuSlots);
}

TEST(GpuLockFolderTest, TheEnvironmentHasTheLastWord) {
  EXPECT_EQ(GpuLockFolder(Environment(Environment::Variables{{"WARPYARD_GPU_LOCKS", "/here"}})),
            "/here");
  EXPECT_FALSE(GpuLockFolder(Environment()).empty());
}

// Threads exclude each other as processes do: each opens the files anew.
TEST(AcquireGpuSlotsTest, NeverMoreThanThereAre) {
  const std::string folder = ::testing::TempDir() + "/locks_never_more";
  std::atomic<int> used = 0;
  std::atomic<int> most = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 12; ++i) {
    threads.emplace_back([&, i] {
      const int slots = i % 4 == 0 ? kGpuSlots : 20;
      absl::StatusOr<std::vector<FileLock>> held = AcquireGpuSlots(slots, folder);
      ASSERT_TRUE(held.ok()) << held.status();
      EXPECT_EQ(held->size(), static_cast<size_t>(slots));
      const int now = used += slots;
      for (int before = most; before < now && !most.compare_exchange_weak(before, now);) {
      }
      std::this_thread::yield();
      used -= slots;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(most, kGpuSlots);
  EXPECT_GE(most, 20);
}

TEST(AcquireGpuSlotsTest, SmallOnesShare) {
  const std::string folder = ::testing::TempDir() + "/locks_small";
  absl::StatusOr<std::vector<FileLock>> first = AcquireGpuSlots(30, folder);
  absl::StatusOr<std::vector<FileLock>> second = AcquireGpuSlots(34, folder);
  EXPECT_TRUE(first.ok() && second.ok());
}

TEST(AcquireGpuSlotsTest, AFolderThatCannotBeMadeIsAnError) {
  EXPECT_FALSE(AcquireGpuSlots(1, "/dev/null/locks").ok());
}

}  // namespace
}  // namespace warpyard::testing
