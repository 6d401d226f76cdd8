// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/device/host_pages.h"

#include <cstdint>
#include <cstring>
#include <set>
#include <vector>

#include "cc/emulator/device/memory_budget.h"
#include "gtest/gtest.h"

namespace warpyard::emulator {
namespace {

TEST(HostPagesTest, MoreThanTheMachineHas) {
  constexpr uint64_t kBytes = uint64_t{1} << 40;
  auto* const pages = static_cast<char*>(MapPages(kBytes));
  ASSERT_NE(pages, nullptr);
  pages[kBytes - 1] = 1;
  EXPECT_EQ(pages[0], 0);
  UnmapPages(pages, kBytes);
}

TEST(HostPagesTest, Alignment) {
  constexpr uint64_t kAlignment = uint64_t{64} << 20;
  for (int i = 0; i < 8; ++i) {
    void* const pages = MapPages(kPageBytes, kAlignment);
    ASSERT_NE(pages, nullptr);
    EXPECT_EQ(reinterpret_cast<uint64_t>(pages) % kAlignment, 0);
    std::memset(pages, 1, kPageBytes);
    UnmapPages(pages, kPageBytes);
  }
}

TEST(HostPagesTest, AllocationsAreAlignedAndDisjoint) {
  HostPages pages;
  std::set<std::pair<uint64_t, uint64_t>> taken;
  for (const uint64_t bytes : {1, 511, 512, 513, 4096, 65535, 65536, 65537, 3000000}) {
    for (int i = 0; i < 40; ++i) {
      void* const address = pages.Allocate(bytes);
      ASSERT_NE(address, nullptr);
      std::memset(address, 0xab, bytes);
      const uint64_t begin = reinterpret_cast<uint64_t>(address);
      EXPECT_EQ(begin % kDeviceAlignment, 0);
      taken.emplace(begin, begin + bytes);
    }
  }
  uint64_t last = 0;
  for (const auto& [begin, end] : taken) {
    EXPECT_GE(begin, last);
    last = end;
  }
  EXPECT_EQ(taken.size(), 9 * 40);
  for (const auto& [begin, end] : taken) pages.Free(reinterpret_cast<void*>(begin), end - begin);
}

TEST(HostPagesTest, RefusesWhatCannotBe) {
  EXPECT_EQ(MapPages(0), nullptr);
  EXPECT_EQ(HostPages().Allocate(uint64_t{1} << 60), nullptr);
}

TEST(MemoryBudgetTest, TakesAllOrNothing) {
  MemoryBudget budget(100);
  EXPECT_TRUE(budget.Take(60));
  EXPECT_FALSE(budget.Take(41));
  EXPECT_FALSE(budget.Take(~uint64_t{0}));
  EXPECT_TRUE(budget.Take(40));
  EXPECT_EQ(budget.available(), 0);
  budget.Give(100);
  EXPECT_EQ(budget.used(), 0);
}

}  // namespace
}  // namespace warpyard::emulator
