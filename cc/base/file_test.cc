// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/base/file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/time/clock.h"
#include "gtest/gtest.h"

namespace warpyard {
namespace {

class FileTest : public testing::Test {
 protected:
  FileTest() {
    const testing::TestInfo* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = testing::TempDir() + "/file_test." + info->name();
    std::filesystem::remove_all(folder_);
    EXPECT_TRUE(MakeFolders(folder_).ok());
  }

  std::string Path(const std::string& name) const { return folder_ + "/" + name; }
  std::vector<std::string> Names() const { return ListFolder(folder_).value(); }

  std::string folder_;
};

TEST_F(FileTest, ReadsBackWhatWasWritten) {
  const std::string bytes("a\0b\xff\n", 5);
  ASSERT_TRUE(WriteFileAtomically(Path("f"), bytes).ok());
  EXPECT_EQ(*ReadFile(Path("f"), 5), bytes);
  ASSERT_TRUE(WriteFileAtomically(Path("f"), "", Durability::kMachine).ok());
  EXPECT_EQ(*ReadFile(Path("f"), 0), "");
  EXPECT_EQ(Names(), std::vector<std::string>{"f"});
}

TEST_F(FileTest, ReadsNoMoreThanTheBound) {
  ASSERT_TRUE(WriteFileAtomically(Path("f"), "123456").ok());
  const auto read = ReadFile(Path("f"), 5);
  EXPECT_EQ(read.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_TRUE(absl::StrContains(read.status().message(), Path("f"))) << read.status();
}

TEST_F(FileTest, BoundsFilesThatDoNotTellTheirSize) {
  EXPECT_GT(ReadFile("/proc/self/status", 1 << 20)->size(), 100u);
  EXPECT_EQ(ReadFile("/proc/self/status", 10).status().code(),
            absl::StatusCode::kResourceExhausted);
}

TEST_F(FileTest, ErrorsNameTheFileAndTheCause) {
  const auto missing = ReadFile(Path("none"), 10);
  EXPECT_EQ(missing.status().code(), absl::StatusCode::kNotFound);
  EXPECT_TRUE(absl::StrContains(missing.status().message(), Path("none")));

  EXPECT_EQ(ReadFile(folder_, 10).status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(WriteFileAtomically(Path("none/f"), "x").code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(ListFolder(Path("none")).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(StatFile(Path("none")).status().code(), absl::StatusCode::kNotFound);
}

TEST_F(FileTest, DoesNotWaitAtAPipe) {
  ASSERT_EQ(mkfifo(Path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(ReadFile(Path("pipe"), 10).status().code(), absl::StatusCode::kFailedPrecondition);
}

TEST_F(FileTest, AFailedReplacementLeavesNothingBehind) {
  ASSERT_TRUE(MakeFolders(Path("folder")).ok());
  EXPECT_FALSE(WriteFileAtomically(Path("folder"), "x").ok());
  EXPECT_EQ(Names(), std::vector<std::string>{"folder"});
}

TEST_F(FileTest, MakeFoldersRefusesAFile) {
  ASSERT_TRUE(WriteFileAtomically(Path("f"), "x").ok());
  EXPECT_EQ(MakeFolders(Path("f")).code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_FALSE(MakeFolders(Path("f/below")).ok());
  EXPECT_TRUE(MakeFolders(Path("a/b/c")).ok());
  EXPECT_TRUE(MakeFolders(Path("a/b/c")).ok());
}

#if defined(__linux__)

// The kernel's own "no space left on device".
TEST_F(FileTest, AFullDiskIsResourceExhausted) {
  const int fd = open("/dev/full", O_WRONLY);
  ASSERT_GE(fd, 0);
  const absl::Status status = file_internal::WriteAll(fd, "x", "/dev/full");
  close(fd);
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
}

#endif

// Stops a write half-way for real: the bytes up to the limit are on disk when
// the kernel refuses the rest.
TEST_F(FileTest, AWriteThatStopsHalfWayLeavesTheOldFile) {
  constexpr rlim_t kLimit = 1 << 20;
  ASSERT_TRUE(WriteFileAtomically(Path("f"), "old").ok());
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  signal(SIGXFSZ, SIG_IGN);
  const rlimit limited = {kLimit, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limited), 0);
  const absl::Status status = WriteFileAtomically(Path("f"), std::string(2 * kLimit, 'x'));
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);

  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
  EXPECT_EQ(*ReadFile(Path("f"), 100), "old");
  EXPECT_EQ(Names(), std::vector<std::string>{"f"});
}

#if defined(__linux__)

// Permission bits do not stop root, but nobody makes files in sysfs.
TEST_F(FileTest, AReadOnlyFolderIsPermissionDenied) {
  EXPECT_EQ(WriteFileAtomically("/sys/kernel/f", "x").code(), absl::StatusCode::kPermissionDenied);
  EXPECT_EQ(MakeFolders("/sys/kernel/f").code(), absl::StatusCode::kPermissionDenied);
}

#endif

TEST_F(FileTest, ReadersSeeOneVersionOrTheOther) {
  constexpr int kBytes = 1 << 16;
  ASSERT_TRUE(WriteFileAtomically(Path("f"), std::string(kBytes, 'a')).ok());
  std::vector<std::thread> writers;
  for (char letter : {'b', 'c', 'd'}) {
    writers.emplace_back([&, letter] {
      for (int i = 0; i < 50; ++i) {
        EXPECT_TRUE(WriteFileAtomically(Path("f"), std::string(kBytes, letter)).ok());
      }
    });
  }
  for (int i = 0; i < 200; ++i) {
    const std::string bytes = ReadFile(Path("f"), kBytes).value();
    EXPECT_EQ(bytes, std::string(kBytes, bytes.empty() ? '?' : bytes[0]));
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(Names(), std::vector<std::string>{"f"});
}

TEST_F(FileTest, TouchAndStat) {
  ASSERT_TRUE(WriteFileAtomically(Path("f"), "123").ok());
  std::filesystem::last_write_time(
      Path("f"), std::filesystem::file_time_type::clock::now() - std::chrono::hours(5));
  EXPECT_LT(StatFile(Path("f"))->modified, absl::Now() - absl::Hours(4));
  ASSERT_TRUE(TouchFile(Path("f")).ok());
  const FileInfo info = StatFile(Path("f")).value();
  EXPECT_GT(info.modified, absl::Now() - absl::Hours(1));
  EXPECT_EQ(info.bytes, 3);
  EXPECT_FALSE(info.is_folder);
  EXPECT_TRUE(StatFile(folder_)->is_folder);
  EXPECT_EQ(TouchFile(Path("none")).code(), absl::StatusCode::kNotFound);
}

TEST_F(FileTest, RemoveIsFineWithWhatIsGone) {
  ASSERT_TRUE(WriteFileAtomically(Path("f"), "123").ok());
  EXPECT_TRUE(RemoveFile(Path("f")).ok());
  EXPECT_TRUE(RemoveFile(Path("f")).ok());
  EXPECT_FALSE(RemoveFile(folder_).ok());
}

TEST(TemporaryNameTest, TellsItsOwn) {
  EXPECT_TRUE(IsTemporaryName(".warpyard-tmp-1-2-3"));
  EXPECT_FALSE(IsTemporaryName("entry.bin"));
}

}  // namespace
}  // namespace warpyard
