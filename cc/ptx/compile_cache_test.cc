// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/compile_cache.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "cc/base/environment.h"
#include "cc/base/file.h"
#include "cc/ptx/cache_key.h"
#include "cc/ptx/disk_cache.h"
#include "gtest/gtest.h"

namespace warpyard::ptx {
namespace {

CompileKey Key(const std::string& source) {
  CompileRequest request;
  request.inputs = {{InputKind::kPtx, "k.ptx", source}};
  request.target = ComputeCapability(9, 0);
  request.outputs = {OutputKind::kCubin};
  return MakeCompileKey(request, {.tool = "test 1.0", .tool_files = {}, .includes = ""});
}

CompileResult Result(const std::string& cubin) {
  CompileResult result;
  result.cubin = cubin;
  result.ptx = std::string("p\0tx\xff", 5);
  result.kernels = {{.name = "k",
                     .registers = 1,
                     .static_shared_bytes = 2,
                     .constant_bytes = 3,
                     .local_bytes = 4,
                     .spill_store_bytes = 5,
                     .spill_load_bytes = 6,
                     .max_threads_per_block = 7,
                     .barriers = 8}};
  result.warnings = {"careful"};
  result.log = "log \xfe";
  result.provider = "test";
  result.tool_version = "test 1.0";
  result.duration = absl::Milliseconds(7);
  return result;
}

void ExpectSame(const CompileResult& a, const CompileResult& b) {
  EXPECT_EQ(a.cubin, b.cubin);
  EXPECT_EQ(a.ptx, b.ptx);
  EXPECT_EQ(a.lto_ir, b.lto_ir);
  EXPECT_EQ(a.kernels, b.kernels);
  EXPECT_EQ(a.warnings, b.warnings);
  EXPECT_EQ(a.log, b.log);
  EXPECT_EQ(a.provider, b.provider);
  EXPECT_EQ(a.tool_version, b.tool_version);
  EXPECT_EQ(a.duration, b.duration);
}

class CompileCacheTest : public testing::Test {
 protected:
  CompileCacheTest() {
    config_.dir = absl::StrCat(testing::TempDir(), "/compile_cache_test.",
                               testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::remove_all(config_.dir);
  }

  // All files below the folder.
  std::vector<std::string> Files() const {
    std::vector<std::string> files;
    if (!std::filesystem::exists(config_.dir)) return files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(config_.dir)) {
      if (entry.is_regular_file() && entry.path().extension() != ".lock") {
        files.push_back(entry.path().string());
      }
    }
    return files;
  }

  int64_t BytesOnDisk() const {
    int64_t bytes = 0;
    for (const std::string& file : Files()) {
      bytes += static_cast<int64_t>(std::filesystem::file_size(file));
    }
    return bytes;
  }

  CompileResult Get(CompileCache& cache, const std::string& source, const std::string& cubin) {
    return cache
        .GetOrCompile(Key(source),
                      [&]() -> absl::StatusOr<CompileResult> {
                        ++compilations_;
                        return Result(cubin);
                      })
        .value();
  }

  CacheConfig config_;
  std::atomic<int> compilations_ = 0;
};

TEST_F(CompileCacheTest, CompilesOnceAndAnswersFromMemory) {
  config_.disk = false;
  CompileCache cache(config_);
  EXPECT_FALSE(Get(cache, "a", "A").from_cache);
  const CompileResult again = Get(cache, "a", "never");
  EXPECT_TRUE(again.from_cache);
  ExpectSame(again, Result("A"));
  EXPECT_FALSE(Get(cache, "b", "B").from_cache);
  EXPECT_EQ(compilations_, 2);
  EXPECT_EQ(cache.Stats().memory_hits, 1);
  EXPECT_TRUE(Files().empty());
}

TEST_F(CompileCacheTest, AnotherProcessAnswersFromDisk) {
  {
    CompileCache cache(config_);
    Get(cache, "a", "A");
  }
  CompileCache cache(config_);
  const CompileResult loaded = Get(cache, "a", "never");
  EXPECT_TRUE(loaded.from_cache);
  ExpectSame(loaded, Result("A"));
  EXPECT_EQ(compilations_, 1);
  EXPECT_EQ(cache.Stats().disk_hits, 1);
  Get(cache, "a", "never");
  EXPECT_EQ(cache.Stats().memory_hits, 1);
}

TEST_F(CompileCacheTest, WithoutEitherPartEachCallCompiles) {
  config_.memory = false;
  config_.disk = false;
  CompileCache cache(config_);
  Get(cache, "a", "A");
  EXPECT_FALSE(Get(cache, "a", "A").from_cache);
  EXPECT_EQ(compilations_, 2);
}

TEST_F(CompileCacheTest, ErrorsAreNotKept) {
  CompileCache cache(config_);
  const auto failing = [&]() -> absl::StatusOr<CompileResult> {
    return absl::ResourceExhaustedError("too much");
  };
  EXPECT_EQ(cache.GetOrCompile(Key("a"), failing).status().code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_FALSE(Get(cache, "a", "A").from_cache);
  EXPECT_TRUE(Get(cache, "a", "A").from_cache);
}

TEST_F(CompileCacheTest, ResultsThatMayNotBeKeptAreNot) {
  CompileCache cache(config_);
  const auto compile = [&]() -> absl::StatusOr<CompileResult> { return Result("A"); };
  EXPECT_TRUE(cache.GetOrCompile(Key("a"), compile, [] { return false; }).ok());
  EXPECT_TRUE(Files().empty());
  EXPECT_FALSE(Get(cache, "a", "A").from_cache);
}

TEST_F(CompileCacheTest, ParallelCallsForAKeyCompileOnce) {
  CompileCache cache(config_);
  constexpr int kThreads = 16;
  std::atomic<int> compilations = 0;
  std::atomic<int> compiled_here = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      const absl::StatusOr<CompileResult> result =
          cache.GetOrCompile(Key("a"), [&]() -> absl::StatusOr<CompileResult> {
            ++compilations;
            // Until all others wait for this one.
            while (cache.Stats().joined < kThreads - 1) absl::SleepFor(absl::Milliseconds(1));
            return Result("A");
          });
      ASSERT_TRUE(result.ok());
      EXPECT_EQ(result->cubin, "A");
      if (!result->from_cache) ++compiled_here;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(compilations, 1);
  EXPECT_EQ(compiled_here, 1);
  EXPECT_EQ(cache.Stats().joined, kThreads - 1);
}

TEST_F(CompileCacheTest, AFailureReachesAllWhoWaitForIt) {
  CompileCache cache(config_);
  constexpr int kThreads = 8;
  std::atomic<int> compilations = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      const absl::StatusOr<CompileResult> result =
          cache.GetOrCompile(Key("a"), [&]() -> absl::StatusOr<CompileResult> {
            ++compilations;
            while (cache.Stats().joined < kThreads - 1) absl::SleepFor(absl::Milliseconds(1));
            return absl::InvalidArgumentError("no");
          });
      EXPECT_EQ(result.status().code(), absl::StatusCode::kInvalidArgument);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(compilations, 1);
  EXPECT_FALSE(Get(cache, "a", "A").from_cache);
}

TEST_F(CompileCacheTest, DifferentKeysDoNotWaitForEachOther) {
  CompileCache cache(config_);
  absl::Notification other_done;
  std::thread slow([&] {
    (void)cache.GetOrCompile(Key("slow"), [&]() -> absl::StatusOr<CompileResult> {
      other_done.WaitForNotification();
      return Result("S");
    });
  });
  Get(cache, "fast", "F");
  other_done.Notify();
  slow.join();
}

TEST_F(CompileCacheTest, MemoryIsBoundedAndForgetsWhatWasUsedLast) {
  config_.disk = false;
  config_.memory_bytes = 10000;
  CompileCache cache(config_);
  const std::string big(2500, 'x');
  for (const char* source : {"a", "b", "c"}) Get(cache, source, big);
  Get(cache, "a", big);  // used again
  Get(cache, "d", big);  // pushes "b" out
  EXPECT_LE(cache.Stats().memory_bytes, 10000);
  EXPECT_TRUE(Get(cache, "a", big).from_cache);
  EXPECT_TRUE(Get(cache, "c", big).from_cache);
  EXPECT_FALSE(Get(cache, "b", big).from_cache);
  Get(cache, "huge", std::string(20000, 'x'));  // larger than all: not kept
  EXPECT_LE(cache.Stats().memory_bytes, 10000);
  EXPECT_TRUE(Get(cache, "b", big).from_cache);
}

TEST_F(CompileCacheTest, DiskIsBoundedAndForgetsWhatWasNotUsedForLongest) {
  config_.memory = false;
  config_.disk_bytes = 50000;
  CompileCache cache(config_);
  const std::string big(10000, 'x');
  const auto age = [&](const std::string& source, int hours) {
    std::filesystem::last_write_time(
        DiskCache(config_.dir, 0).PathOf(Key(source)),
        std::filesystem::file_time_type::clock::now() - std::chrono::hours(hours));
  };
  for (const char* source : {"a", "b", "c", "d"}) Get(cache, source, big);
  age("a", 4);
  age("b", 3);
  age("c", 2);
  age("d", 1);
  EXPECT_TRUE(Get(cache, "a", big).from_cache);  // now the youngest
  Get(cache, "e", big);
  EXPECT_LE(BytesOnDisk(), 50000);
  EXPECT_TRUE(Get(cache, "a", big).from_cache);
  EXPECT_TRUE(Get(cache, "e", big).from_cache);
  EXPECT_FALSE(Get(cache, "b", big).from_cache);
}

TEST_F(CompileCacheTest, EvictionSweepsWhatKilledWritersLeft) {
  config_.disk_bytes = 3000;
  CompileCache cache(config_);
  Get(cache, "a", std::string(2000, 'x'));
  const std::string folder = std::filesystem::path(Files().at(0)).parent_path().string();
  const std::string old_file = folder + "/.warpyard-tmp-1-2-3";
  const std::string new_file = folder + "/.warpyard-tmp-1-2-4";
  ASSERT_TRUE(WriteFileAtomically(old_file, "half").ok());
  ASSERT_TRUE(WriteFileAtomically(new_file, "half").ok());
  std::filesystem::last_write_time(
      old_file, std::filesystem::file_time_type::clock::now() - std::chrono::hours(2));
  Get(cache, "b", std::string(2000, 'x'));
  EXPECT_FALSE(std::filesystem::exists(old_file));
  EXPECT_TRUE(std::filesystem::exists(new_file));  // its writer may be alive
}

TEST_F(CompileCacheTest, ADamagedEntryIsAMissAndIsReplaced) {
  {
    CompileCache cache(config_);
    Get(cache, "a", "A");
  }
  const std::string path = Files().at(0);
  const std::string sound = ReadFile(path, 1 << 20).value();
  for (const std::string& damaged : {std::string(), sound.substr(0, sound.size() / 2),
                                     std::string(sound.size(), '\0'), sound + "x"}) {
    ASSERT_TRUE(WriteFileAtomically(path, damaged).ok());
    CompileCache cache(config_);
    EXPECT_EQ(Get(cache, "a", "A").cubin, "A");
  }
  EXPECT_EQ(ReadFile(path, 1 << 20).value(), sound);
}

TEST(CacheFileTest, RoundTrips) {
  const CompileKey key = Key("a");
  const std::string file = EncodeCacheFile(key, Result("A"));
  const std::optional<CompileResult> decoded = DecodeCacheFile(file, key);
  ASSERT_TRUE(decoded.has_value());
  ExpectSame(*decoded, Result("A"));
  EXPECT_EQ(file, EncodeCacheFile(key, Result("A")));
}

TEST(CacheFileTest, ComparesTheWholeKey) {
  // As if the hashes were equal.
  EXPECT_FALSE(DecodeCacheFile(EncodeCacheFile(Key("a"), Result("A")), Key("b")).has_value());
}

TEST(CacheFileTest, EveryCutIsAMiss) {
  const CompileKey key = Key("a");
  const std::string file = EncodeCacheFile(key, Result("A"));
  for (size_t length = 0; length < file.size(); ++length) {
    EXPECT_FALSE(DecodeCacheFile(file.substr(0, length), key).has_value()) << length;
  }
}

TEST(CacheFileTest, EveryFlippedBitIsAMiss) {
  const CompileKey key = Key("a");
  std::string file = EncodeCacheFile(key, Result("A"));
  for (size_t at = 0; at < file.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      file[at] = static_cast<char>(file[at] ^ (1 << bit));
      EXPECT_FALSE(DecodeCacheFile(file, key).has_value()) << at << " bit " << bit;
      file[at] = static_cast<char>(file[at] ^ (1 << bit));
    }
  }
}

// Several processes, each with several keys, at once in one folder that is too
// small for all: nobody ever gets another key's result or part of one.
TEST_F(CompileCacheTest, ManyProcessesShareAFolder) {
  config_.memory = false;
  config_.disk_bytes = 200000;
  constexpr int kProcesses = 6;
  std::vector<pid_t> children;
  for (int process = 0; process < kProcesses; ++process) {
    const pid_t child = fork();
    if (child == 0) {
      int wrong = 0;
      CompileCache cache(config_);
      for (int round = 0; round < 120; ++round) {
        const int which = (round * 7 + process) % 40;
        const std::string cubin(4000 + 200 * which, static_cast<char>('A' + which));
        const absl::StatusOr<CompileResult> result =
            cache.GetOrCompile(Key(absl::StrCat("source ", which)),
                               [&]() -> absl::StatusOr<CompileResult> { return Result(cubin); });
        if (!result.ok() || result->cubin != cubin) ++wrong;
      }
      if (!cache.TakeNotices().empty()) wrong += 100;
      // Without the destructors and listeners of the test that was forked.
      _exit(wrong == 0 && cache.Stats().disk_hits > 0 ? 0 : 1);
    }
    ASSERT_GT(child, 0);
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  // Each process may overshoot by what the others wrote since it last looked.
  EXPECT_LE(BytesOnDisk(), 2 * config_.disk_bytes);
  for (const std::string& file : Files()) {
    EXPECT_FALSE(IsTemporaryName(std::filesystem::path(file).filename().string())) << file;
  }
}

// Nobody, root included, makes files in sysfs.
TEST_F(CompileCacheTest, AReadOnlyFolderCostsOneNoticeAndNoCompilation) {
  config_.dir = "/sys/kernel";
  CompileCache cache(config_);
  EXPECT_EQ(Get(cache, "a", "A").cubin, "A");
  EXPECT_EQ(Get(cache, "b", "B").cubin, "B");
  EXPECT_TRUE(Get(cache, "a", "never").from_cache);  // from memory
  const std::vector<std::string> notices = cache.TakeNotices();
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_TRUE(absl::StrContains(notices[0], "/sys/kernel")) << notices[0];
  EXPECT_TRUE(absl::StrContains(notices[0], "WARPYARD_CACHE_DIR")) << notices[0];
  EXPECT_TRUE(cache.TakeNotices().empty());
}

// The kernel refuses what goes beyond the limit, as on a full disk: the first
// part of the file is already written then.
TEST_F(CompileCacheTest, AFullDiskCostsOneNoticeAndLeavesNothing) {
  constexpr rlim_t kLimit = 1 << 20;
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  signal(SIGXFSZ, SIG_IGN);
  const rlimit limited = {kLimit, before.rlim_max};
  CompileCache cache(config_);
  const std::string big(2 * kLimit, 'x');
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limited), 0);
  EXPECT_EQ(Get(cache, "a", big).cubin, big);
  EXPECT_EQ(Get(cache, "b", big).cubin, big);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);

  EXPECT_TRUE(Files().empty());
  const std::vector<std::string> notices = cache.TakeNotices();
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_TRUE(absl::StrContains(notices[0], config_.dir)) << notices[0];
  EXPECT_TRUE(Get(cache, "a", "never").from_cache);  // from memory
}

TEST(CacheKeyTest, EveryPartCounts) {
  CompileRequest request;
  request.inputs = {{InputKind::kPtx, "k.ptx", "source"}};
  request.target = ComputeCapability(9, 0);
  request.outputs = {OutputKind::kCubin};
  const KeyContext context = {.tool = "t", .tool_files = {"f 1 2"}, .includes = "i"};
  std::vector<CompileKey> keys = {MakeCompileKey(request, context)};
  EXPECT_EQ(MakeCompileKey(request, context).bytes, keys[0].bytes);

  const auto with = [&](auto change) {
    CompileRequest other = request;
    change(other);
    keys.push_back(MakeCompileKey(other, context));
  };
  with([](CompileRequest& r) { r.inputs[0].bytes = "other"; });
  with([](CompileRequest& r) { r.inputs[0].name = "other"; });
  with([](CompileRequest& r) { r.inputs[0].kind = InputKind::kNvvmIr; });
  with([](CompileRequest& r) { r.inputs.push_back(r.inputs[0]); });
  with([](CompileRequest& r) {
    r.target = ComputeCapability(9, 0, ComputeCapability::Kind::kArch);
  });
  with([](CompileRequest& r) { r.target = ComputeCapability(8, 9); });
  with([](CompileRequest& r) { r.outputs = {OutputKind::kPtx}; });
  with([](CompileRequest& r) { r.outputs = {OutputKind::kCubin, OutputKind::kPtx}; });
  with([](CompileRequest& r) { r.options.optimization_level = 2; });
  with([](CompileRequest& r) { r.options.fast_math = true; });
  with([](CompileRequest& r) { r.options.line_info = true; });
  with([](CompileRequest& r) { r.options.device_debug = true; });
  with([](CompileRequest& r) { r.options.relocatable = true; });
  with([](CompileRequest& r) { r.options.max_registers = 32; });
  with([](CompileRequest& r) { r.options.language_standard = "c++20"; });
  with([](CompileRequest& r) { r.options.defines = {"A"}; });
  with([](CompileRequest& r) { r.options.include_dirs = {"A"}; });
  with([](CompileRequest& r) { r.options.extra = {"A"}; });
  with([](CompileRequest& r) { r.options.extra = {"A", "B"}; });
  with([](CompileRequest& r) { r.options.extra = {"AB"}; });
  keys.push_back(MakeCompileKey(request, {.tool = "u", .tool_files = {"f 1 2"}, .includes = "i"}));
  keys.push_back(MakeCompileKey(request, {.tool = "t", .tool_files = {"f 1 3"}, .includes = "i"}));
  keys.push_back(MakeCompileKey(request, {.tool = "t", .tool_files = {"f 1 2"}, .includes = "j"}));
  for (size_t i = 0; i < keys.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      EXPECT_NE(keys[i].bytes, keys[j].bytes) << i << " " << j;
      EXPECT_NE(keys[i].hash, keys[j].hash) << i << " " << j;
    }
  }
}

TEST(CacheKeyTest, AnotherBuildOfAToolIsAnotherFile) {
  const std::string path = testing::TempDir() + "/libtool.so";
  ASSERT_TRUE(WriteFileAtomically(path, "one").ok());
  const std::string one = DescribeToolFile(path);
  EXPECT_TRUE(absl::StartsWith(one, "libtool.so 3 ")) << one;
  ASSERT_TRUE(WriteFileAtomically(path, "other").ok());
  EXPECT_NE(DescribeToolFile(path), one);
  EXPECT_EQ(DescribeToolFile(""), "");
  EXPECT_EQ(DescribeToolFile(path + ".nothere"), "");
}

TEST(CacheConfigTest, ReadsTheEnvironment) {
  const auto config = [](Environment::Variables variables) {
    variables.emplace("HOME", "/h");
    return CacheConfig::FromEnvironment(Environment(std::move(variables)));
  };
  EXPECT_EQ(config({})->dir, "/h/.cache/warpyard/compile");
  EXPECT_TRUE(config({})->disk);
  EXPECT_EQ(config({{"WARPYARD_CACHE_DIR", "/c"}})->dir, "/c/compile");
  EXPECT_FALSE(config({{"WARPYARD_COMPILE_CACHE", "memory"}})->disk);
  EXPECT_TRUE(config({{"WARPYARD_COMPILE_CACHE", "memory"}})->memory);
  EXPECT_FALSE(config({{"WARPYARD_COMPILE_CACHE", "off"}})->memory);
  EXPECT_EQ(config({{"WARPYARD_COMPILE_CACHE_SIZE", "500MiB"}})->disk_bytes, 500 << 20);
  EXPECT_EQ(config({{"WARPYARD_COMPILE_CACHE_SIZE", "12345"}})->disk_bytes, 12345);
  for (const char* bad : {"x", "5GB", "-1", "99999999999TiB", "MiB"}) {
    const absl::Status status = config({{"WARPYARD_COMPILE_CACHE_SIZE", bad}}).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << bad;
    EXPECT_TRUE(absl::StrContains(status.message(), "WARPYARD_COMPILE_CACHE_SIZE"));
  }
  EXPECT_TRUE(absl::StrContains(config({{"WARPYARD_COMPILE_CACHE", "yes"}}).status().message(),
                                "'disk', 'memory' or 'off'"));
  // No home, no disk part: that is no error.
  EXPECT_FALSE(CacheConfig::FromEnvironment(Environment())->disk);
}

}  // namespace
}  // namespace warpyard::ptx
