// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/numerics/packed.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

namespace warpyard {
namespace {

// Sixteen 4-bit values at a time, of the low halves of two words.
inline uint64_t Squeeze(uint64_t bytes) {
  bytes &= 0x0f0f0f0f0f0f0f0f;
  bytes = (bytes | bytes >> 4) & 0x00ff00ff00ff00ff;
  bytes = (bytes | bytes >> 8) & 0x0000ffff0000ffff;
  return (bytes | bytes >> 16) & 0x00000000ffffffff;
}

}  // namespace

void PackBits(const uint8_t* from, int width, uint8_t* to, int64_t count) {
  int64_t i = 0;
  if (width == 4 && std::endian::native == std::endian::little) {
    for (; i + 16 <= count; i += 16, to += 8) {
      uint64_t words[2];
      std::memcpy(words, from + i, sizeof(words));
      const uint64_t packed = Squeeze(words[0]) | Squeeze(words[1]) << 32;
      std::memcpy(to, &packed, sizeof(packed));
    }
  }
  const uint32_t mask = (1u << width) - 1;
  while (i < count) {
    // Eight values fill `width` whole bytes.
    const int64_t block = std::min<int64_t>(8, count - i);
    uint64_t bits = 0;
    for (int64_t k = 0; k < block; ++k) bits |= uint64_t{from[i + k] & mask} << (k * width);
    for (int64_t k = 0; k < (block * width + 7) / 8; ++k) {
      *to++ = static_cast<uint8_t>(bits >> (8 * k));
    }
    i += block;
  }
}

void UnpackBits(const uint8_t* from, int width, bool sign_extend, uint8_t* to, int64_t count) {
  const uint32_t mask = (1u << width) - 1;
  const uint32_t sign = sign_extend ? 1u << (width - 1) : 0;
  for (int64_t i = 0; i < count;) {
    const int64_t block = std::min<int64_t>(8, count - i);
    uint64_t bits = 0;
    for (int64_t k = 0; k < (block * width + 7) / 8; ++k) bits |= uint64_t{*from++} << (8 * k);
    for (int64_t k = 0; k < block; ++k) {
      const uint32_t value = static_cast<uint32_t>(bits >> (k * width)) & mask;
      // Flipping the sign bit and subtracting it copies it upwards.
      to[i + k] = static_cast<uint8_t>((value ^ sign) - sign);
    }
    i += block;
  }
}

}  // namespace warpyard
