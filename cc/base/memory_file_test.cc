// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/base/memory_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace warpyard {
namespace {

TEST(MemoryFile, HoldsItsBytesAndCanBeOpenedByName) {
  const std::string bytes("a\0b\n", 4);
  absl::StatusOr<MemoryFile> file = MemoryFile::Create(bytes);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(file->ReadAll(100).value(), bytes);

  std::ifstream by_name(absl::StrCat("/proc/self/fd/", file->fd()), std::ios::binary);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(by_name), {}), bytes);
}

TEST(MemoryFile, SeesWhatOthersWrite) {
  absl::StatusOr<MemoryFile> file = MemoryFile::Create();
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(file->ReadAll(100).value(), "");
  std::ofstream(absl::StrCat("/proc/self/fd/", file->fd())) << "written elsewhere";
  EXPECT_EQ(file->ReadAll(100).value(), "written elsewhere");
}

TEST(MemoryFile, RefusesToReadMoreThanTheLimit) {
  absl::StatusOr<MemoryFile> file = MemoryFile::Create("12345");
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(file->ReadAll(5).value(), "12345");
  EXPECT_EQ(file->ReadAll(4).status().code(), absl::StatusCode::kResourceExhausted);
}

TEST(MemoryFile, ClosesItsDescriptorOnceAfterMoves) {
  int fd = -1;
  {
    absl::StatusOr<MemoryFile> file = MemoryFile::Create("x");
    ASSERT_TRUE(file.ok()) << file.status();
    fd = file->fd();
    EXPECT_NE(fcntl(fd, F_GETFD) & FD_CLOEXEC, 0);
    MemoryFile moved = *std::move(file);
    EXPECT_EQ(moved.fd(), fd);
    EXPECT_EQ(moved.ReadAll(10).value(), "x");
  }
  EXPECT_EQ(fcntl(fd, F_GETFD), -1);
}

}  // namespace
}  // namespace warpyard
