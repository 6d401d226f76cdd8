// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The entropy codes of Zstandard: FSE and Huffman tables (RFC 8878, section 4).

#ifndef WARPYARD_CC_EMULATOR_DRIVER_ZSTD_ENTROPY_H_
#define WARPYARD_CC_EMULATOR_DRIVER_ZSTD_ENTROPY_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpyard::emulator::driver {

// Bits from the end of a string to its beginning. The last byte's highest set
// bit marks where they begin. Reading past the beginning gives zeros and is noted.
class BackwardBits {
 public:
  // False for a string without a mark.
  bool Open(std::string_view bytes);
  uint32_t Read(int count);
  // Bits left; negative after reading past the beginning.
  int64_t left() const { return left_; }
  void Unread(int count) { left_ += count; }

 private:
  std::string_view bytes_;
  int64_t left_ = 0;
};

// A decoding table of a finite state entropy code.
struct FseTable {
  struct Entry {
    uint8_t symbol;
    uint8_t bits;
    uint16_t base;
  };
  std::vector<Entry> entries;  // 2^accuracy
  int accuracy = 0;

  // From probabilities in units of 2^-accuracy; -1: less than one.
  bool Build(const std::vector<int>& probabilities, int table_accuracy);
  // One symbol for ever.
  void BuildRun(uint8_t symbol);
  // Reads probabilities; takes what it reads off `bytes`.
  bool Read(std::string_view* bytes, int largest_accuracy, size_t symbols);
};

struct HuffmanTable {
  struct Entry {
    uint8_t symbol;
    uint8_t bits;
  };
  std::vector<Entry> entries;  // 2^depth; empty: none yet
  int depth = 0;

  // Reads a tree description; takes it off `bytes`.
  bool Read(std::string_view* bytes);
  // Appends `count` symbols of one stream, which must be all that it holds.
  bool Decode(std::string_view stream, size_t count, std::string* out) const;
};

}  // namespace warpyard::emulator::driver

#endif  // WARPYARD_CC_EMULATOR_DRIVER_ZSTD_ENTROPY_H_
