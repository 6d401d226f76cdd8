// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Where on this machine Warpyard keeps what it can make again.

#ifndef WARPYARD_CC_BASE_CACHE_DIR_H_
#define WARPYARD_CC_BASE_CACHE_DIR_H_

#include <string>

#include "absl/status/statusor.h"
#include "cc/base/environment.h"

namespace warpyard {

// The first of
//   $WARPYARD_CACHE_DIR
//   $XDG_CACHE_HOME/warpyard      (XDG Base Directory Specification, which has
//                                  relative paths ignored)
//   $LOCALAPPDATA/warpyard/cache  (Windows only)
//   $HOME/.cache/warpyard         (not on Windows)
// whose variable is set. The folder need not exist. NOT_FOUND when none is set.
absl::StatusOr<std::string> CacheDir(const Environment& environment);

}  // namespace warpyard

#endif  // WARPYARD_CC_BASE_CACHE_DIR_H_
