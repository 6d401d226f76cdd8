// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/driver/fatbin.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/driver/lz4_block.h"
#include "cc/emulator/driver/zstd_frame.h"

namespace warpyard::emulator::driver {
namespace {

constexpr size_t kHeaderBytes = 16;
// Entries end at 64 bytes before what newer toolkits append to them.
constexpr size_t kEntryBytes = 64;
constexpr uint16_t kPtxEntry = 1;
constexpr uint16_t kElfEntry = 2;
constexpr uint64_t kLz4 = 0x2000;
constexpr uint64_t kZstd = 0x8000;
// A fatbin of more is broken, as is an entry that grows to more.
constexpr uint64_t kLargest = uint64_t{4} << 30;
constexpr uint64_t kLargestEntry = uint64_t{1} << 30;

template <typename T>
T Load(std::string_view bytes, size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

absl::Status Broken(size_t offset, std::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("fatbin, byte ", offset, ": ", what));
}

}  // namespace

absl::StatusOr<size_t> FatbinSize(const void* fatbin) {
  const std::string_view header(static_cast<const char*>(fatbin), kHeaderBytes);
  const auto header_bytes = Load<uint16_t>(header, 6);
  const auto size = Load<uint64_t>(header, 8);
  if (header.substr(0, 4) != kFatbinMagic || header_bytes < kHeaderBytes || size > kLargest) {
    return Broken(0, "not a header");
  }
  return header_bytes + size;
}

absl::StatusOr<std::vector<FatbinEntry>> ReadFatbin(std::string_view bytes) {
  if (bytes.size() < kHeaderBytes) return Broken(bytes.size(), "ends within the header");
  WARPYARD_ASSIGN_OR_RETURN(const size_t size, FatbinSize(bytes.data()));
  if (size > bytes.size()) return Broken(bytes.size(), "ends before the size in its header");
  const std::string_view whole = bytes.substr(0, size);
  std::vector<FatbinEntry> entries;
  size_t offset = Load<uint16_t>(bytes, 6);
  while (offset < size) {
    if (size - offset < kEntryBytes) return Broken(offset, "ends within an entry's header");
    const std::string_view entry = whole.substr(offset);
    const auto kind = Load<uint16_t>(entry, 0);
    const auto header_bytes = Load<uint32_t>(entry, 4);
    const auto padded = Load<uint64_t>(entry, 8);
    const auto compressed = Load<uint32_t>(entry, 16);
    const auto architecture = Load<uint32_t>(entry, 28);
    const auto flags = Load<uint64_t>(entry, 40);
    const auto plain = Load<uint64_t>(entry, 56);
    if (header_bytes < kEntryBytes || header_bytes > entry.size() ||
        padded > entry.size() - header_bytes) {
      return Broken(offset, "an entry is longer than the file");
    }
    std::string_view payload = entry.substr(header_bytes, padded);
    FatbinEntry result;
    result.architecture = static_cast<int>(architecture);
    if (kind == kPtxEntry || kind == kElfEntry) {
      result.kind = kind == kPtxEntry ? FatbinEntry::Kind::kPtx : FatbinEntry::Kind::kElf;
      if ((flags & (kLz4 | kZstd)) != 0) {
        if (compressed > payload.size()) return Broken(offset, "compressed data are cut off");
        if (plain > kLargestEntry) return Broken(offset, "an entry is too large");
        payload = payload.substr(0, compressed);
        WARPYARD_ASSIGN_OR_RETURN(result.data, (flags & kZstd) != 0
                                                   ? DecompressZstd(payload, plain)
                                                   : DecompressLz4(payload, plain));
      } else {
        result.data = std::string(payload);
      }
      // Text is padded with zero bytes, and begins with blank lines.
      if (result.kind == FatbinEntry::Kind::kPtx) {
        result.data.resize(result.data.find('\0') == std::string::npos ? result.data.size()
                                                                       : result.data.find('\0'));
      }
    }
    entries.push_back(std::move(result));
    offset += header_bytes + padded;
  }
  return entries;
}

}  // namespace warpyard::emulator::driver
