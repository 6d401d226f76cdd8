// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The disk part of the compile cache: a folder of files, one for each key.
//
//   DIR/v1/3f/3f9a...c2.entry    named after the key's hash; holds the whole key
//   DIR/v1/evict.lock            held by the process that removes old entries
//
// A file appears under its name whole or not at all, and is read only if its
// checksum, its schema and its key are right, so that neither a crash nor other
// processes nor damage can give a wrong result: at worst a miss.

#ifndef WARPYARD_CC_PTX_DISK_CACHE_H_
#define WARPYARD_CC_PTX_DISK_CACHE_H_

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "cc/ptx/cache_key.h"
#include "cc/ptx/compilation.h"

namespace warpyard::ptx {

// Thread-safe.
class DiskCache {
 public:
  // `max_bytes` bounds all entries together. It is kept after each write, give
  // or take what other processes write meanwhile.
  DiskCache(std::string dir, int64_t max_bytes);

  // nullopt when there is no entry, or none that can be believed. Marks the
  // entry as used now.
  std::optional<CompileResult> Load(const CompileKey& key);

  // Keeps `result`, and removes what was not used for longest if there is too
  // much. A failure leaves nothing behind and becomes a notice.
  void Store(const CompileKey& key, const CompileResult& result);

  // What went wrong since the last call; each kind of trouble is told once.
  std::vector<std::string> TakeNotices();

  // Where the entry of `key` is, if it is there.
  std::string PathOf(const CompileKey& key) const;

 private:
  void Notice(const absl::Status& status);
  void EvictIfNeeded(int64_t written);

  const std::string root_;  // DIR/v1
  const int64_t max_bytes_;

  absl::Mutex mutex_;
  // What the folder is believed to hold; absent until it has been listed.
  std::optional<int64_t> believed_bytes_ ABSL_GUARDED_BY(mutex_);
  int64_t written_since_listing_ ABSL_GUARDED_BY(mutex_) = 0;
  std::set<absl::StatusCode> told_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::string> notices_ ABSL_GUARDED_BY(mutex_);
};

// The bytes of a cache file, and back: nullopt unless the file is sound, of
// this schema, and of this key.
std::string EncodeCacheFile(const CompileKey& key, const CompileResult& result);
std::optional<CompileResult> DecodeCacheFile(std::string_view file, const CompileKey& key);

}  // namespace warpyard::ptx

#endif  // WARPYARD_CC_PTX_DISK_CACHE_H_
