// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The key under which a compilation's result is kept.

#ifndef WARPYARD_CC_PTX_CACHE_KEY_H_
#define WARPYARD_CC_PTX_CACHE_KEY_H_

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cc/ptx/compilation.h"

namespace warpyard::ptx {

inline constexpr uint32_t kSchemaVersion = 1;

// XXH3 of 128 bits: fast and well spread, not proof against an adversary, which
// is why keys are compared whole.
struct Hash128 {
  uint64_t low = 0;
  uint64_t high = 0;

  std::string ToHex() const;  // 32 digits

  friend auto operator<=>(const Hash128&, const Hash128&) = default;
};

Hash128 HashBytes(std::string_view bytes);

struct CompileKey {
  std::string bytes;  // a serialised CompileKeyProto
  Hash128 hash;       // of `bytes`
};

// What of the key does not stand in the request.
struct KeyContext {
  std::string tool;                     // Provider::ToolIdentity
  std::vector<std::string> tool_files;  // DescribeToolFile of each
  std::string includes;                 // IncludeClosure::Digest
};

// Equal requests in equal contexts have equal keys, in any process.
CompileKey MakeCompileKey(const CompileRequest& request, const KeyContext& context);

// "libnvrtc.so.13 113245184 1760568240000000000": name, bytes, time of last
// modification; empty when there is no such file. The version that a tool tells
// of itself does not tell its builds apart.
std::string DescribeToolFile(const std::string& path);

}  // namespace warpyard::ptx

#endif  // WARPYARD_CC_PTX_CACHE_KEY_H_
