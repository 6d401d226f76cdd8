// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/base/private_working_directory.h"

#include <filesystem>
#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

TEST(RunInPrivateWorkingDirectory, OnlyTheBodySeesIt) {
  const fs::path before = fs::current_path();
  fs::path inside;
  fs::path process;
  const absl::Status status = RunInPrivateWorkingDirectory("/", [&] {
    inside = fs::current_path();
    process = fs::read_symlink("/proc/self/cwd");
    EXPECT_NE(before, "/");
  });
  ASSERT_EQ(status, absl::OkStatus());
  EXPECT_EQ(inside, "/");
  EXPECT_EQ(process, before);
  EXPECT_EQ(fs::current_path(), before);
}

TEST(RunInPrivateWorkingDirectory, AMissingDirectoryIsNamedAndNothingRuns) {
  bool ran = false;
  const absl::Status status = RunInPrivateWorkingDirectory("/nowhere/at/all", [&] { ran = true; });
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(status.message(), HasSubstr("/nowhere/at/all"));
  EXPECT_FALSE(ran);
}

}  // namespace
}  // namespace warpyard
