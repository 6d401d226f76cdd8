// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/base/file_lock.h"

#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace warpyard {
namespace {

TEST(FileLockTest, ExcludesWithinAProcess) {
  const std::string path = testing::TempDir() + "/within.lock";
  {
    const absl::StatusOr<FileLock> first = FileLock::TryAcquire(path);
    ASSERT_TRUE(first.ok()) << first.status();
    EXPECT_EQ(FileLock::TryAcquire(path).status().code(), absl::StatusCode::kUnavailable);
  }
  EXPECT_TRUE(FileLock::TryAcquire(path).ok());
}

TEST(FileLockTest, ExcludesOtherProcessesAndEndsWithThem) {
  const std::string path = testing::TempDir() + "/between.lock";
  int ready[2];
  int finish[2];
  ASSERT_EQ(pipe(ready), 0);
  ASSERT_EQ(pipe(finish), 0);
  const pid_t child = fork();
  if (child == 0) {
    const absl::StatusOr<FileLock> lock = FileLock::TryAcquire(path);
    char byte = lock.ok() ? 'y' : 'n';
    if (write(ready[1], &byte, 1) != 1 || read(finish[0], &byte, 1) != 1) _exit(1);
    _exit(0);  // without running the destructor
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  EXPECT_EQ(byte, 'y');
  EXPECT_EQ(FileLock::TryAcquire(path).status().code(), absl::StatusCode::kUnavailable);
  ASSERT_EQ(write(finish[1], &byte, 1), 1);
  int status;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(FileLock::TryAcquire(path).ok());
}

TEST(FileLockTest, MovesItsOwnership) {
  const std::string path = testing::TempDir() + "/moved.lock";
  FileLock first = FileLock::TryAcquire(path).value();
  FileLock second = std::move(first);
  EXPECT_FALSE(FileLock::TryAcquire(path).ok());
  second = FileLock::TryAcquire(path + "2").value();
  EXPECT_TRUE(FileLock::TryAcquire(path).ok());
}

TEST(FileLockTest, SaysWhatCannotBeOpened) {
  const absl::Status status = FileLock::TryAcquire("/nothere/x.lock").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound) << status;
}

}  // namespace
}  // namespace warpyard
