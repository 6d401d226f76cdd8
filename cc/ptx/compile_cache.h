// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Results of compilations, kept in memory and on disk.

#ifndef WARPYARD_CC_PTX_COMPILE_CACHE_H_
#define WARPYARD_CC_PTX_COMPILE_CACHE_H_

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "cc/base/environment.h"
#include "cc/ptx/cache_key.h"
#include "cc/ptx/compilation.h"
#include "cc/ptx/disk_cache.h"

namespace warpyard::ptx {

struct CacheConfig {
  bool memory = true;
  bool disk = true;
  // Of the disk part; empty: the folder "compile" in CacheDir().
  std::string dir;
  int64_t memory_bytes = int64_t{256} << 20;
  int64_t disk_bytes = int64_t{2} << 30;

  // The defaults, changed by
  //   WARPYARD_COMPILE_CACHE       disk (the default: disk and memory), memory,
  //                                or off
  //   WARPYARD_COMPILE_CACHE_SIZE  on disk, e.g. "500MiB", "4GiB", or bytes
  // and CacheDir's variables. INVALID_ARGUMENT names the variable, what it holds
  // and what it may hold. No folder to keep files in turns the disk part off.
  static absl::StatusOr<CacheConfig> FromEnvironment(const Environment& environment);
};

struct CacheStats {
  int64_t memory_hits = 0;
  int64_t disk_hits = 0;
  int64_t compilations = 0;
  int64_t joined = 0;  // calls that waited for another's compilation
  int64_t memory_bytes = 0;
};

// Thread-safe. Any number of processes may share the folder.
class CompileCache {
 public:
  explicit CompileCache(CacheConfig config);

  static bool KeepAlways() { return true; }
  using CompileFunction = absl::FunctionRef<absl::StatusOr<CompileResult>()>;

  // The result of `key`: from memory, from disk, or from `compile`, whose result
  // is then kept. Calls for the same key at the same time compile once: the
  // others wait and get the same. That goes for an error too (the same request
  // would fail in the same way), but no error is kept: the next call compiles
  // again. `from_cache` is true unless this very call compiled.
  //
  // Trouble with the disk never fails a compilation; see TakeNotices. `keep` is
  // asked after a compilation: false keeps the result out of the cache.
  absl::StatusOr<CompileResult> GetOrCompile(const CompileKey& key, CompileFunction compile,
                                             absl::FunctionRef<bool()> keep = KeepAlways);

  // What went wrong with the disk since the last call, in sentences for users;
  // each kind of trouble is told once in this object's life.
  std::vector<std::string> TakeNotices();

  CacheStats Stats() const;

 private:
  struct Flight;
  struct Kept {
    std::string key;
    std::shared_ptr<const CompileResult> result;
    int64_t bytes;
    std::list<Hash128>::iterator place;
  };

  std::shared_ptr<const CompileResult> FindInMemory(const CompileKey& key)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void KeepInMemory(const CompileKey& key, std::shared_ptr<const CompileResult> result)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::StatusOr<CompileResult> LoadOrCompile(const CompileKey& key, CompileFunction compile,
                                              absl::FunctionRef<bool()> keep);

  const CacheConfig config_;
  std::unique_ptr<DiskCache> disk_;  // null: off

  mutable absl::Mutex mutex_;
  std::map<Hash128, Kept> kept_ ABSL_GUARDED_BY(mutex_);
  std::list<Hash128> by_age_ ABSL_GUARDED_BY(mutex_);  // last used first
  std::map<std::string, std::shared_ptr<Flight>> flights_ ABSL_GUARDED_BY(mutex_);
  CacheStats stats_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace warpyard::ptx

#endif  // WARPYARD_CC_PTX_COMPILE_CACHE_H_
