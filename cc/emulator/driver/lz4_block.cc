// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/driver/lz4_block.h"

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace warpyard::emulator::driver {
namespace {

constexpr size_t kShortestMatch = 4;

// A length that goes on in further bytes as long as they are 255.
bool Extend(std::string_view block, size_t& at, size_t& length) {
  uint8_t byte;
  do {
    if (at == block.size()) return false;
    byte = static_cast<uint8_t>(block[at++]);
    length += byte;
  } while (byte == 255);
  return true;
}

}  // namespace

absl::StatusOr<std::string> DecompressLz4(std::string_view block, size_t size) {
  const auto broken = [](size_t at) {
    return absl::InvalidArgumentError(absl::StrCat("LZ4 block broken at byte ", at));
  };
  // No more than 255 bytes come of one, so that a lie does not take memory.
  if (size / 255 > block.size()) return broken(0);
  std::string out;
  out.reserve(size);
  size_t at = 0;
  while (at < block.size()) {
    const auto token = static_cast<uint8_t>(block[at++]);
    size_t literals = token >> 4;
    if (literals == 15 && !Extend(block, at, literals)) return broken(at);
    if (literals > block.size() - at || literals > size - out.size()) return broken(at);
    out.append(block.substr(at, literals));
    at += literals;
    if (at == block.size()) break;  // the last sequence has literals alone
    if (block.size() - at < 2) return broken(at);
    const size_t distance = static_cast<uint8_t>(block[at]) |
                            static_cast<size_t>(static_cast<uint8_t>(block[at + 1])) << 8;
    at += 2;
    size_t length = token & 15;
    if (length == 15 && !Extend(block, at, length)) return broken(at);
    length += kShortestMatch;
    if (distance == 0 || distance > out.size() || length > size - out.size()) return broken(at);
    for (size_t i = 0; i < length; ++i) out.push_back(out[out.size() - distance]);
  }
  if (out.size() != size) return broken(at);
  return out;
}

}  // namespace warpyard::emulator::driver
