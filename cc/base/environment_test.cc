// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/base/environment.h"

#include <cstdlib>
#include <optional>

#include "gtest/gtest.h"

namespace warpyard {
namespace {

TEST(EnvironmentTest, AnswersFromTheMap) {
  const Environment environment(Environment::Variables{{"A", "1"}, {"B", "x=y"}});
  EXPECT_EQ(environment.Get("A"), "1");
  EXPECT_EQ(environment.Get("B"), "x=y");
  EXPECT_EQ(environment.Get("C"), std::nullopt);
  EXPECT_EQ(Environment().Get("A"), std::nullopt);
}

TEST(EnvironmentTest, AnEmptyVariableIsNotSet) {
  EXPECT_EQ(Environment(Environment::Variables{{"A", ""}}).Get("A"), std::nullopt);
}

TEST(EnvironmentTest, TakesASnapshotOfTheProcess) {
  ASSERT_EQ(setenv("WARPYARD_ENVIRONMENT_TEST", "a=b", 1), 0);
  const Environment environment = Environment::FromProcess();
  ASSERT_EQ(setenv("WARPYARD_ENVIRONMENT_TEST", "later", 1), 0);
  EXPECT_EQ(environment.Get("WARPYARD_ENVIRONMENT_TEST"), "a=b");
  ASSERT_EQ(unsetenv("WARPYARD_ENVIRONMENT_TEST"), 0);
}

}  // namespace
}  // namespace warpyard
