// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/base/remember_success.h"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"

namespace warpyard {
namespace {

TEST(RememberSuccess, MakesOnceAndGivesTheSameObject) {
  RememberSuccess<std::string> remembered;
  int calls = 0;
  auto make = [&]() -> absl::StatusOr<std::string> {
    ++calls;
    return "made";
  };
  const std::string* first = remembered.Get(make).value();
  EXPECT_EQ(*first, "made");
  EXPECT_EQ(remembered.Get(make).value(), first);
  EXPECT_EQ(calls, 1);
}

TEST(RememberSuccess, ForgetsAFailure) {
  RememberSuccess<int> remembered;
  int calls = 0;
  auto make = [&]() -> absl::StatusOr<int> {
    if (++calls < 3) return absl::NotFoundError("not yet");
    return calls;
  };
  EXPECT_EQ(remembered.Get(make).status(), absl::NotFoundError("not yet"));
  EXPECT_EQ(remembered.Get(make).status(), absl::NotFoundError("not yet"));
  EXPECT_EQ(*remembered.Get(make).value(), 3);
  EXPECT_EQ(*remembered.Get(make).value(), 3);
}

TEST(RememberSuccess, ManyThreadsMakeItOnce) {
  RememberSuccess<int> remembered;
  std::atomic<int> calls = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      auto make = [&]() -> absl::StatusOr<int> { return ++calls; };
      EXPECT_EQ(*remembered.Get(make).value(), 1);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace warpyard
