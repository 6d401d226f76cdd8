// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Cases of every verdict; gtest_test.py runs some of them at a time.

#include <cstdlib>
#include <optional>
#include <string>

#include "cc/testing/requires.h"
#include "gtest/gtest.h"

namespace {

TEST(Plain, Passes) {}
TEST(Plain, Fails) { EXPECT_EQ(1, 2) << "<&\" \x01 \xff"; }
TEST(Plain, DISABLED_NeverRuns) {}
TEST(Plain, Dies) { EXPECT_EXIT(std::exit(3), ::testing::ExitedWithCode(3), ""); }

TEST(Requires, Met) {
  WARPYARD_REQUIRES("sm>=9.0 & os in {linux, windows}");
  EXPECT_EQ(warpyard::testing::TestMachine().devices.size(), 1u);
}
TEST(Requires, Unmet) {
  WARPYARD_REQUIRES("sm>=9.0 & gpus>=2");
  FAIL() << "must not run";
}
TEST(Requires, Wrong) { WARPYARD_REQUIRES("sm>=h100"); }

// In a helper that says nothing of what is needed.
void Helper() { GTEST_SKIP() << "not today"; }
TEST(Skips, InAHelper) { Helper(); }

class FixtureTest : public ::testing::Test {
 protected:
  void SetUp() override { WARPYARD_REQUIRES("gpu==b200"); }
};
TEST_F(FixtureTest, One) { FAIL() << "must not run"; }

class SuiteTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { WARPYARD_REQUIRES("gpu==b200"); }
};
TEST_F(SuiteTest, One) { FAIL() << "must not run"; }
TEST_F(SuiteTest, Two) { FAIL() << "must not run"; }

class SkippingSuiteTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { GTEST_SKIP() << "not today"; }
};
TEST_F(SkippingSuiteTest, One) { FAIL() << "must not run"; }

class FailingSuiteTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { FAIL() << "no data"; }
};
TEST_F(FailingSuiteTest, One) {}

TEST(Xfail, Fails) {
  WARPYARD_XFAIL("a reason, in two parts", "an owner", "2999-01-01");
  FAIL() << "as expected";
}
TEST(Xfail, Mended) { WARPYARD_XFAIL("a reason", "an owner", "2999-01-01"); }
TEST(Xfail, Expired) {
  WARPYARD_XFAIL("a reason", "an owner", "2020-01-01");
  FAIL() << "as expected";
}
TEST(Xfail, Elsewhere) { WARPYARD_XFAIL_WHEN("gpu==b200", "a reason", "an owner", "2999-01-01"); }
TEST(Xfail, NoDate) { WARPYARD_XFAIL("a reason", "an owner", "some day"); }

TEST(Kills, Itself) {
  WARPYARD_REQUIRES("os==linux");
  if (std::getenv("SAMPLE_KILLS_ITSELF") != nullptr) std::abort();
}

class SkippingEnvironment : public ::testing::Environment {
 public:
  void SetUp() override {
    if (std::getenv("SAMPLE_ENVIRONMENT_SKIPS") != nullptr) GTEST_SKIP() << "nothing today";
  }
};
const auto* const kEnvironment = ::testing::AddGlobalTestEnvironment(new SkippingEnvironment);

}  // namespace
