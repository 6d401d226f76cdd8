// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Which files a CUDA C++ source may include, as a digest for cache keys: without
// it, a header that was edited would go unnoticed and stale code be returned.
//
// The compilers tell no dependencies before they compile, so the sources are
// scanned for #include here. The scan looks at spelling alone: it also takes
// what stands in comments, strings and disabled branches. That makes the set too
// large at times, which costs a needless compilation after an edit, but never
// too small. Where spelling does not suffice (`#include MACRO`), the answer is
// that the result cannot be cached.

#ifndef WARPYARD_CC_PTX_INCLUDE_CLOSURE_H_
#define WARPYARD_CC_PTX_INCLUDE_CLOSURE_H_

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "cc/base/file.h"
#include "cc/ptx/cache_key.h"

namespace warpyard::ptx {

struct IncludeSearch {
  // Searched in this order, after the folder of the including file for names in
  // quotes.
  std::vector<std::string> include_dirs;
  // Searched last. Its files are known by the toolkit's version and not part of
  // the digest, but what they include is followed: a user's folder may shadow a
  // header of the toolkit.
  std::vector<std::string> toolkit_dirs;
  // Included before the source: `--pre-include`.
  std::vector<std::string> pre_includes;
};

// One #include, or a test of whether a file is there.
struct IncludeDirective {
  std::string name;
  bool quoted = false;    // "name" and not <name>
  bool computed = false;  // neither: the name comes from a macro
  bool next = false;      // #include_next: a later folder's file of that name
};

// All that may be directives, in order. Never fails.
std::vector<IncludeDirective> FindIncludes(std::string_view source);

// Thread-safe. Remembers files that it has read, by name, size, times and inode,
// so that later digests only ask the file system whether they changed.
class IncludeClosure {
 public:
  // The digest of every file outside the toolkit that `source`, called `name`,
  // may include, directly or not: their names as found and their contents. Empty
  // when there are none. Files that are missing count as missing: when they
  // appear, the digest changes.
  //
  // FAILED_PRECONDITION when what is included cannot be known from the text, or
  // is too much (more than 20000 files): do not cache.
  absl::StatusOr<std::string> Digest(std::string_view source, const std::string& name,
                                     const IncludeSearch& search);

 private:
  struct ScannedFile {
    FileInfo info;
    Hash128 hash;
    std::vector<IncludeDirective> includes;
    bool reliable = false;  // old enough for its times to tell later edits
  };

  absl::StatusOr<std::shared_ptr<const ScannedFile>> Scan(const std::string& path,
                                                          const FileInfo& info);

  absl::Mutex mutex_;
  std::map<std::string, std::shared_ptr<const ScannedFile>> scanned_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace warpyard::ptx

#endif  // WARPYARD_CC_PTX_INCLUDE_CLOSURE_H_
