// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/testing/requires.h"
#include "gtest/gtest.h"

namespace {

TEST(TwoGpusTest, ThereAreTwo) { EXPECT_GE(warpyard::testing::TestMachine().devices.size(), 2u); }

}  // namespace
