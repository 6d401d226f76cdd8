// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/base/temporary_directory.h"

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class TemporaryDirectoryTest : public ::testing::Test {
 protected:
  void SetUp() override { setenv("TMPDIR", ::testing::TempDir().c_str(), 1); }
};

TEST_F(TemporaryDirectoryTest, GoesAwayWithEverythingInIt) {
  std::string path;
  {
    absl::StatusOr<TemporaryDirectory> directory = TemporaryDirectory::Create();
    ASSERT_TRUE(directory.ok()) << directory.status();
    path = directory->path();
    EXPECT_THAT(path, StartsWith("/"));
    const std::string bytes("x\0y", 3);
    const std::string file = directory->Write("a.bin", bytes).value();
    std::ifstream stream(file, std::ios::binary);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), bytes);
    std::filesystem::create_directories(path + "/deep/er");

    TemporaryDirectory moved = *std::move(directory);
    EXPECT_EQ(moved.path(), path);
    EXPECT_TRUE(std::filesystem::exists(file));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(TemporaryDirectoryTest, TwoAreTwo) {
  absl::StatusOr<TemporaryDirectory> first = TemporaryDirectory::Create();
  absl::StatusOr<TemporaryDirectory> second = TemporaryDirectory::Create();
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_NE(first->path(), second->path());
}

TEST_F(TemporaryDirectoryTest, WritesOnlyIntoItself) {
  absl::StatusOr<TemporaryDirectory> directory = TemporaryDirectory::Create();
  ASSERT_TRUE(directory.ok()) << directory.status();
  for (const char* name : {"", ".", "..", "../x", "/etc/x"}) {
    EXPECT_EQ(directory->Write(name, "x").status().code(), absl::StatusCode::kInvalidArgument)
        << name;
  }
}

TEST_F(TemporaryDirectoryTest, AMissingParentIsNamed) {
  setenv("TMPDIR", "/nowhere/at/all", 1);
  const absl::Status status = TemporaryDirectory::Create().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound) << status;
  EXPECT_THAT(status.message(), HasSubstr("/nowhere/at/all"));
}

}  // namespace
}  // namespace warpyard
