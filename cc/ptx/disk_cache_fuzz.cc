// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: a cache file of any bytes is a miss or the whole result. The seed
// is put into a sound file first, and the file is then changed by its own bytes.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/log/check.h"
#include "cc/ptx/cache_key.h"
#include "cc/ptx/disk_cache.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace warpyard::ptx;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const CompileKey key = {.bytes = "key", .hash = HashBytes("key")};
  (void)DecodeCacheFile(bytes, key);

  CompileResult result;
  result.cubin = std::string(bytes);
  std::string file = EncodeCacheFile(key, result);
  CHECK_EQ(DecodeCacheFile(file, key)->cubin, bytes);
  if (size < 3) return 0;
  // Little enough that it cannot happen to be a sound file again.
  const size_t at = (size_t{data[0]} << 8 | data[1]) % file.size();
  const char change = static_cast<char>(data[2] == 0 ? 1 : data[2]);
  file[at] = static_cast<char>(file[at] ^ change);
  CHECK(!DecodeCacheFile(file, key).has_value()) << at;
  return 0;
}
