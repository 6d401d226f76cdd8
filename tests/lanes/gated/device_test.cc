// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/testing/requires.h"
#include "gtest/gtest.h"

namespace {

TEST(DeviceTest, ThereIsOne) {
  ASSERT_EQ(warpyard::testing::TestMachine().devices.size(), 1u);
  EXPECT_GT(warpyard::testing::TestMachine().devices[0].memory_bytes, int64_t{16} << 30);
}

TEST(DeviceTest, FamilyOfBlackwell) {
  WARPYARD_REQUIRES("sm==10.0f");
  EXPECT_EQ(warpyard::testing::TestMachine().devices[0].compute_capability.major(), 10);
}

}  // namespace
