// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/base/subprocess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "cc/base/memory_file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard {
namespace {

using ::testing::HasSubstr;

// The shell is only the program under test's stand-in: its script is one
// argument.
SubprocessOptions Script(std::string script) {
  return {.argv = {"/bin/sh", "-c", std::move(script)}};
}

int CountOpenFds() {
  const std::filesystem::directory_iterator fds("/proc/self/fd");
  return static_cast<int>(std::distance(begin(fds), end(fds)));
}

TEST(RunSubprocess, GivesTheExitCodeAndBothStreams) {
  absl::StatusOr<SubprocessResult> result =
      RunSubprocess(Script("echo out; echo error >&2; exit 3"));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->exit_code, 3);
  EXPECT_EQ(result->signal, 0);
  EXPECT_EQ(result->standard_output, "out\n");
  EXPECT_EQ(result->standard_error, "error\n");
  EXPECT_FALSE(result->truncated);
  EXPECT_FALSE(result->Succeeded());
  EXPECT_EQ(result->EndDescription(), "exit code 3");
  EXPECT_TRUE(RunSubprocess(Script("exit 0"))->Succeeded());
}

TEST(RunSubprocess, HandsArgumentsOverUnchanged) {
  absl::StatusOr<SubprocessResult> result = RunSubprocess(
      {.argv = {"/bin/sh", "-c", "printf '[%s]' \"$@\"", "name", "a b", "$HOME", ";", "", "\"'"}});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->standard_output, "[a b][$HOME][;][][\"']");
}

TEST(RunSubprocess, StandardInputIsEmpty) {
  EXPECT_EQ(RunSubprocess(Script("cat; echo end"))->standard_output, "end\n");
}

TEST(RunSubprocess, TheEnvironmentIsInheritedOrGiven) {
  setenv("WARPYARD_SUBPROCESS_TEST", "inherited", 1);
  SubprocessOptions options = Script("echo $WARPYARD_SUBPROCESS_TEST");
  EXPECT_EQ(RunSubprocess(options)->standard_output, "inherited\n");
  options.environment = {{"WARPYARD_SUBPROCESS_TEST=given"}};
  EXPECT_EQ(RunSubprocess(options)->standard_output, "given\n");
  options.environment = std::vector<std::string>();
  EXPECT_EQ(RunSubprocess(options)->standard_output, "\n");
}

TEST(RunSubprocess, ASignalIsToldApartFromAnExitCode) {
  absl::StatusOr<SubprocessResult> result = RunSubprocess(Script("kill -TERM $$"));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->signal, SIGTERM);
  EXPECT_FALSE(result->Succeeded());
  EXPECT_THAT(result->EndDescription(), HasSubstr("signal 15"));
}

TEST(RunSubprocess, MuchOutputOnBothStreamsDoesNotBlock) {
  // Far more than a pipe holds, on both streams in turn.
  absl::StatusOr<SubprocessResult> result = RunSubprocess(
      Script("i=0; while [ $i -lt 20 ]; do head -c 100000 /dev/zero; head -c 100000 /dev/zero >&2; "
             "i=$((i+1)); done"));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->standard_output.size(), 2'000'000u);
  EXPECT_EQ(result->standard_error.size(), 2'000'000u);
  EXPECT_FALSE(result->truncated);
}

TEST(RunSubprocess, KeepsTheFirstBytesOfTooMuchOutput) {
  SubprocessOptions options = Script("echo 12345678; head -c 1000000 /dev/zero; exit 7");
  options.max_output_bytes = 4;
  absl::StatusOr<SubprocessResult> result = RunSubprocess(options);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->standard_output, "1234");
  EXPECT_TRUE(result->truncated);
  EXPECT_EQ(result->exit_code, 7);
}

TEST(RunSubprocess, TheTimeLimitKillsTheWholeGroup) {
  SubprocessOptions options = Script("sleep 1000 & echo $! >&2; wait");
  options.time_limit = absl::Milliseconds(300);
  const absl::Time start = absl::Now();
  const absl::Status status = RunSubprocess(options).status();
  EXPECT_LT(absl::Now() - start, absl::Seconds(60));
  ASSERT_EQ(status.code(), absl::StatusCode::kDeadlineExceeded) << status;
  EXPECT_THAT(status.message(), HasSubstr("/bin/sh did not end within 300ms"));

  // The message ends with standard error: the grandchild's process id.
  const std::string message(status.message());
  int grandchild = 0;
  ASSERT_TRUE(absl::SimpleAtoi(absl::StripSuffix(message.substr(message.rfind(' ') + 1), "\n"),
                               &grandchild))
      << message;
  // Killed, though its corpse may wait for whoever adopted it.
  for (int i = 0; i < 600 && kill(grandchild, 0) == 0; ++i) {
    const std::string stat = absl::StrCat("/proc/", grandchild, "/stat");
    if (RunSubprocess({.argv = {"/bin/grep", "-q", ") Z ", stat}})->Succeeded()) break;
    absl::SleepFor(absl::Milliseconds(100));
    ASSERT_LT(i, 599) << "process " << grandchild << " still runs";
  }
}

TEST(RunSubprocess, AChildThatLeavesAGrandchildBehindIsOver) {
  SubprocessOptions options = Script("echo here; sleep 1000 & exit 5");
  options.time_limit = absl::Seconds(100);
  const absl::Time start = absl::Now();
  absl::StatusOr<SubprocessResult> result = RunSubprocess(options);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_LT(absl::Now() - start, absl::Seconds(60));
  EXPECT_EQ(result->exit_code, 5);
  EXPECT_EQ(result->standard_output, "here\n");
}

TEST(RunSubprocess, AChildThatClosesItsStreamsIsWaitedFor) {
  SubprocessOptions options = Script("exec >&- 2>&-; sleep 0.2; exit 4");
  EXPECT_EQ(RunSubprocess(options)->exit_code, 4);
  options.time_limit = absl::Seconds(100);
  EXPECT_EQ(RunSubprocess(options)->exit_code, 4);
}

TEST(RunSubprocess, InheritedDescriptorsGetTheirNumbers) {
  MemoryFile first = MemoryFile::Create("first").value();
  MemoryFile second = MemoryFile::Create("second").value();
  MemoryFile third = MemoryFile::Create().value();
  // In every order: some descriptors are then the target of another one.
  std::vector<std::pair<const MemoryFile*, std::string>> files = {{&first, "first"},
                                                                  {&second, "second"}};
  for (int round = 0; round < 2; ++round) {
    SubprocessOptions options =
        Script("cat /proc/self/fd/3 /proc/self/fd/4; printf third >/proc/self/fd/5");
    options.inherited_fds = {files[0].first->fd(), files[1].first->fd(), third.fd()};
    absl::StatusOr<SubprocessResult> result = RunSubprocess(options);
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_THAT(result->standard_output, HasSubstr(files[0].second + files[1].second));
    EXPECT_EQ(third.ReadAll(100).value(), "third");
    std::swap(files[0], files[1]);
  }
}

TEST(RunSubprocess, AClosedDescriptorCannotBeInherited) {
  SubprocessOptions options = Script("exit 0");
  options.inherited_fds = {1 << 20};
  const absl::Status status = RunSubprocess(options).status();
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(status.message(), HasSubstr("descriptor 1048576"));
}

TEST(RunSubprocess, AProgramThatCannotStartIsAnError) {
  const absl::Status missing = RunSubprocess({.argv = {"/nowhere/ptxas"}}).status();
  EXPECT_EQ(missing.code(), absl::StatusCode::kNotFound) << missing;
  EXPECT_THAT(missing.message(), HasSubstr("/nowhere/ptxas"));
  EXPECT_EQ(RunSubprocess({.argv = {"/dev"}}).status().code(), absl::StatusCode::kPermissionDenied);
}

TEST(RunSubprocess, RejectsBadArguments) {
  EXPECT_EQ(RunSubprocess({}).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(RunSubprocess({.argv = {""}}).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(RunSubprocess({.argv = {"/bin/true", std::string("a\0b", 3)}}).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(RunSubprocess({.argv = {"/bin/true"}, .environment = {{std::string("A=\0", 3)}}})
                .status()
                .code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(RunSubprocess, LeavesNoDescriptorAndNoChildBehind) {
  ASSERT_TRUE(RunSubprocess(Script("exit 0")).ok());
  const int before = CountOpenFds();
  MemoryFile file = MemoryFile::Create("x").value();
  for (int i = 0; i < 20; ++i) {
    SubprocessOptions options = Script(i % 2 == 0 ? "exit 1" : "sleep 100");
    options.time_limit = absl::Milliseconds(i % 2 == 0 ? 10000 : 5);
    options.inherited_fds = {file.fd()};
    (void)RunSubprocess(options);
    (void)RunSubprocess({.argv = {"/nowhere/at/all"}});
  }
  EXPECT_EQ(CountOpenFds(), before + 1);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(RunSubprocess, ManyAtOnceDoNotMixTheirOutput) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([i] {
      for (int j = 0; j < 10; ++j) {
        absl::StatusOr<SubprocessResult> result =
            RunSubprocess(Script(absl::StrCat("echo ", i, "; exit ", j)));
        ASSERT_TRUE(result.ok()) << result.status();
        EXPECT_EQ(result->standard_output, absl::StrCat(i, "\n"));
        EXPECT_EQ(result->exit_code, j);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace warpyard
