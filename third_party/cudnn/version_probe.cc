// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The cuDNN that a test finds is the one that the build chose.

#include <cstdlib>

#include "cc/base/environment.h"
#include "cc/testing/machine.h"
#include "gtest/gtest.h"

namespace warpyard::testing {
namespace {

TEST(CudnnVersionTest, IsTheOneThatWasChosen) {
  const auto machine = ProbeMachine(Environment::FromProcess());
  ASSERT_TRUE(machine.ok()) << machine.status();
  ASSERT_TRUE(machine->cudnn.has_value()) << "no cuDNN at " << std::getenv("WARPYARD_CUDNN");
  EXPECT_EQ(machine->cudnn->ToString(), std::getenv("WARPYARD_TEST_CUDNN_VERSION"));
}

}  // namespace
}  // namespace warpyard::testing
