// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/base/status_macros.h"

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"

namespace warpyard {
namespace {

absl::Status RunTwice(int& calls, const absl::Status& first) {
  WARPYARD_RETURN_IF_ERROR((++calls, first));
  WARPYARD_RETURN_IF_ERROR((++calls, absl::OkStatus()));
  return absl::OkStatus();
}

TEST(ReturnIfError, StopsAtTheFirstErrorAndEvaluatesOnce) {
  int calls = 0;
  EXPECT_EQ(RunTwice(calls, absl::DataLossError("gone")), absl::DataLossError("gone"));
  EXPECT_EQ(calls, 1);
}

TEST(ReturnIfError, GoesOnWhenOk) {
  int calls = 0;
  EXPECT_EQ(RunTwice(calls, absl::OkStatus()), absl::OkStatus());
  EXPECT_EQ(calls, 2);
}

absl::StatusOr<std::unique_ptr<int>> Half(int value) {
  if (value % 2 != 0) return absl::InvalidArgumentError("odd");
  return std::make_unique<int>(value / 2);
}

absl::StatusOr<int> Quarter(int value) {
  // Two on different lines must not clash, and a move-only value must do.
  WARPYARD_ASSIGN_OR_RETURN(std::unique_ptr<int> half, Half(value));
  WARPYARD_ASSIGN_OR_RETURN(half, Half(*half));
  return *half;
}

TEST(AssignOrReturn, MovesTheValueOut) { EXPECT_EQ(Quarter(12).value(), 3); }

TEST(AssignOrReturn, ReturnsTheStatus) {
  EXPECT_EQ(Quarter(3).status(), absl::InvalidArgumentError("odd"));
  EXPECT_EQ(Quarter(6).status(), absl::InvalidArgumentError("odd"));
}

}  // namespace
}  // namespace warpyard
