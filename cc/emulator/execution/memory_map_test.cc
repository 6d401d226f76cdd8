// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/execution/memory_map.h"

#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "absl/status/status.h"
#include "cc/emulator/execution/device_heap.h"
#include "gtest/gtest.h"

namespace warpyard::emulator {
namespace {

Allocation At(uint64_t base, uint64_t size) {
  Allocation allocation;
  allocation.base = base;
  allocation.size = size;
  return allocation;
}

TEST(MemoryMap, FindsWhatHoldsAnAddress) {
  MemoryMap map;
  ASSERT_TRUE(map.Add(At(0x20000, 400)).ok());
  ASSERT_TRUE(map.Add(At(0x10000, 16)).ok());
  const auto snapshot = map.Get();
  EXPECT_EQ(MemoryMap::Find(*snapshot, 0xffff), nullptr);
  EXPECT_EQ(MemoryMap::Find(*snapshot, 0x10000)->base, 0x10000u);
  EXPECT_EQ(MemoryMap::Find(*snapshot, 0x1000f)->base, 0x10000u);
  EXPECT_EQ(MemoryMap::Find(*snapshot, 0x10010), nullptr);
  EXPECT_EQ(MemoryMap::Find(*snapshot, 0x20000 + 399)->base, 0x20000u);
}

TEST(MemoryMap, RefusesWhatOverlaps) {
  MemoryMap map;
  ASSERT_TRUE(map.Add(At(0x1000, 256)).ok());
  EXPECT_EQ(map.Add(At(0x1000, 1)).code(), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(map.Add(At(0x10ff, 16)).code(), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(map.Add(At(0xff0, 17)).code(), absl::StatusCode::kAlreadyExists);
  EXPECT_TRUE(map.Add(At(0xff0, 16)).ok());
  EXPECT_TRUE(map.Add(At(0x1100, 16)).ok());
  EXPECT_EQ(map.Add(At(~uint64_t{0} - 3, 16)).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(map.Remove(0x1004).code(), absl::StatusCode::kNotFound);
}

TEST(MemoryMap, DescribesNeighboursAndFreedMemory) {
  MemoryMap map;
  EXPECT_EQ(map.Describe(0x5000, 4), "there is no allocation");
  ASSERT_TRUE(map.Add(At(0x10000, 400)).ok());
  EXPECT_EQ(map.Describe(0x10000 + 412, 4), "12 bytes past the 400-byte allocation at 0x10000");
  EXPECT_EQ(map.Describe(0x10000 + 398, 4),
            "the last 2 bytes are past the 400-byte allocation at 0x10000");
  EXPECT_EQ(map.Describe(0xfff0, 4), "16 bytes before the 400-byte allocation at 0x10000");
  EXPECT_EQ(map.Describe(8, 4), "a null pointer, or an offset from one");
  const uint64_t version = map.version();
  ASSERT_TRUE(map.Remove(0x10000).ok());
  EXPECT_GT(map.version(), version);
  EXPECT_EQ(map.Describe(0x10010, 4),
            "16 bytes into the 400-byte allocation at 0x10000, which was freed");
}

TEST(DeviceHeap, BlocksAreApartAndComeBack) {
  MemoryMap map;
  DeviceHeap& heap = map.Heap(0, 1 << 16);
  EXPECT_EQ(&heap, &map.Heap(0, 1));
  EXPECT_TRUE(map.Get()->empty());  // made on first use
  std::mt19937 random(1);
  std::map<uint64_t, uint64_t> blocks;
  for (int i = 0; i < 2000; ++i) {
    if (random() % 3 != 0) {
      const uint64_t size = 1 + random() % 700;
      const uint64_t address = heap.Allocate(size);
      if (address == 0) continue;
      EXPECT_EQ(address % 16, 0u);
      const Allocation* region = MemoryMap::Find(*map.Get(), address);
      ASSERT_NE(region, nullptr);
      EXPECT_TRUE(region->Contains(address, size));
      auto after = blocks.lower_bound(address);
      if (after != blocks.end()) {
        EXPECT_LE(address + size, after->first);
      }
      if (after != blocks.begin()) {
        --after;
        EXPECT_LE(after->first + after->second, address);
      }
      blocks[address] = size;
    } else if (!blocks.empty()) {
      auto it = blocks.begin();
      std::advance(it, random() % blocks.size());
      EXPECT_TRUE(heap.Free(it->first));
      EXPECT_FALSE(heap.Free(it->first));
      blocks.erase(it);
    }
  }
  for (const auto& [address, size] : blocks) EXPECT_TRUE(heap.Free(address));
  EXPECT_EQ(heap.used(), 0u);
  EXPECT_NE(heap.Allocate(1 << 16), 0u);  // in one piece again
  EXPECT_EQ(heap.Allocate(16), 0u);
  EXPECT_TRUE(heap.Free(0));
}

}  // namespace
}  // namespace warpyard::emulator
