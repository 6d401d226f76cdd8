// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/driver/zstd_frame.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "cc/emulator/driver/zstd_entropy.h"

namespace warpyard::emulator::driver {
namespace {

constexpr uint32_t kMagic = 0xfd2fb528;
constexpr size_t kLargestBlock = size_t{128} << 10;

// A code stands for a base and a number of further bits.
struct Code {
  uint32_t base;
  int bits;
};

Code LiteralLengthCode(uint8_t code) {
  constexpr Code kCodes[] = {{16, 1},    {18, 1},    {20, 1},     {22, 1},     {24, 2},
                             {28, 2},    {32, 3},    {40, 3},     {48, 4},     {64, 6},
                             {128, 7},   {256, 8},   {512, 9},    {1024, 10},  {2048, 11},
                             {4096, 12}, {8192, 13}, {16384, 14}, {32768, 15}, {65536, 16}};
  return code < 16 ? Code{code, 0} : kCodes[code - 16];
}

Code MatchLengthCode(uint8_t code) {
  constexpr Code kCodes[] = {
      {35, 1},    {37, 1},    {39, 1},    {41, 1},    {43, 2},     {47, 2},     {51, 3},
      {59, 3},    {67, 4},    {83, 4},    {99, 5},    {131, 7},    {259, 8},    {515, 9},
      {1027, 10}, {2051, 11}, {4099, 12}, {8195, 13}, {16387, 14}, {32771, 15}, {65539, 16}};
  return code < 32 ? Code{code + 3u, 0} : kCodes[code - 32];
}

constexpr size_t kLiteralLengthCodes = 36;
constexpr size_t kMatchLengthCodes = 53;
constexpr size_t kOffsetCodes = 32;

// RFC 8878, section 3.1.1.3.2.2, "Default Distributions".
const std::vector<int>& DefaultLiteralLengths() {
  static const auto& values =
      *new std::vector<int>{4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1,  1,  2,  2,
                            2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1};
  return values;
}
const std::vector<int>& DefaultMatchLengths() {
  static const auto& values = *new std::vector<int>{
      1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,  1,  1,  1,  1,  1,  1, 1,
      1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1};
  return values;
}
const std::vector<int>& DefaultOffsets() {
  static const auto& values = *new std::vector<int>{1, 1, 1, 1, 1, 1, 2, 2, 2, 1,  1,  1,  1,  1, 1,
                                                    1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1};
  return values;
}

class Decoder {
 public:
  Decoder(std::string_view bytes, size_t size) : bytes_(bytes), size_(size) {}

  bool Frame();
  std::string Take() { return std::move(out_); }
  size_t left() const { return bytes_.size(); }

 private:
  bool Take(size_t count, std::string_view* taken) {
    if (count > bytes_.size()) return false;
    *taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return true;
  }
  static uint64_t Little(std::string_view bytes) {
    uint64_t value = 0;
    std::memcpy(&value, bytes.data(), std::min<size_t>(bytes.size(), 8));
    return value;
  }
  bool Header();
  bool Block(std::string_view block);
  bool Literals(std::string_view* block);
  bool Sequences(std::string_view block);
  bool Table(int mode, std::string_view* block, const std::vector<int>& defaults,
             int default_accuracy, int largest_accuracy, size_t symbols, FseTable* table);
  bool Copy(size_t literals, size_t offset, size_t match);

  std::string_view bytes_;
  const size_t size_;
  std::string out_;
  HuffmanTable huffman_;
  FseTable literal_lengths_, offsets_, match_lengths_;
  std::array<uint32_t, 3> recent_{1, 4, 8};
  std::string literals_;
  size_t literals_used_ = 0;
};

bool Decoder::Header() {
  std::string_view part;
  if (!Take(4, &part) || Little(part) != kMagic) return false;
  if (!Take(1, &part)) return false;
  const auto descriptor = static_cast<uint8_t>(part[0]);
  const bool single = (descriptor & 0x20) != 0;
  if ((descriptor & 0x08) != 0) return false;
  if (!single && !Take(1, &part)) return false;  // the window: all that came before
  constexpr size_t kDictionaryBytes[] = {0, 1, 2, 4};
  if (!Take(kDictionaryBytes[descriptor & 3], &part)) return false;
  if (!part.empty() && Little(part) != 0) return false;
  constexpr size_t kSizeBytes[] = {0, 2, 4, 8};
  const int size_flag = descriptor >> 6;
  if (!Take(size_flag == 0 && single ? 1 : kSizeBytes[size_flag], &part)) return false;
  if (part.empty()) return true;
  return Little(part) + (part.size() == 2 ? 256 : 0) == size_;
}

bool Decoder::Frame() {
  if (!Header()) return false;
  while (true) {
    std::string_view part;
    if (!Take(3, &part)) return false;
    const uint64_t header = Little(part);
    const size_t count = header >> 3;
    switch (header >> 1 & 3) {
      case 0:
        if (!Take(count, &part) || count > size_ - out_.size()) return false;
        out_.append(part);
        break;
      case 1:
        if (!Take(1, &part) || count > size_ - out_.size()) return false;
        out_.append(count, part[0]);
        break;
      case 2:
        if (!Take(count, &part) || !Block(part)) return false;
        break;
      default:
        return false;
    }
    if ((header & 1) != 0) return out_.size() == size_;
  }
}

bool Decoder::Literals(std::string_view* block) {
  literals_.clear();
  literals_used_ = 0;
  if (block->empty()) return false;
  const uint64_t header = Little(*block);
  const int type = header & 3;
  const int format = header >> 2 & 3;
  if (type < 2) {
    const size_t header_bytes = format == 1 ? 2 : format == 3 ? 3 : 1;
    if (block->size() < header_bytes) return false;
    const size_t count = format == 1   ? header >> 4 & 0xfff
                         : format == 3 ? header >> 4 & 0xfffff
                                       : header >> 3 & 0x1f;
    block->remove_prefix(header_bytes);
    if (count > kLargestBlock) return false;
    if (type == 1) {
      if (block->empty()) return false;
      literals_.assign(count, block->front());
      block->remove_prefix(1);
      return true;
    }
    if (count > block->size()) return false;
    literals_.assign(block->substr(0, count));
    block->remove_prefix(count);
    return true;
  }
  const size_t header_bytes = format < 2 ? 3 : static_cast<size_t>(format) + 2;
  const int width = format < 2 ? 10 : format == 2 ? 14 : 18;
  if (block->size() < header_bytes) return false;
  const uint64_t mask = (uint64_t{1} << width) - 1;
  const size_t count = header >> 4 & mask;
  const size_t compressed = header >> (4 + width) & mask;
  block->remove_prefix(header_bytes);
  if (compressed > block->size() || count > kLargestBlock) return false;
  std::string_view streams = block->substr(0, compressed);
  block->remove_prefix(compressed);
  if (type == 2 && !huffman_.Read(&streams)) return false;
  if (format == 0) return huffman_.Decode(streams, count, &literals_);
  if (streams.size() < 6 || count < 6) return false;
  const std::string_view jumps = streams.substr(0, 6);
  streams.remove_prefix(6);
  const size_t each = (count + 3) / 4;
  if (each * 3 > count) return false;
  for (int i = 0; i < 3; ++i) {
    const size_t length = Little(jumps.substr(2 * i, 2));
    if (length > streams.size()) return false;
    if (!huffman_.Decode(streams.substr(0, length), each, &literals_)) return false;
    streams.remove_prefix(length);
  }
  return huffman_.Decode(streams, count - 3 * each, &literals_);
}

bool Decoder::Table(int mode, std::string_view* block, const std::vector<int>& defaults,
                    int default_accuracy, int largest_accuracy, size_t symbols, FseTable* table) {
  switch (mode) {
    case 0:
      return table->Build(defaults, default_accuracy);
    case 1:
      if (block->empty() || static_cast<uint8_t>(block->front()) >= symbols) return false;
      table->BuildRun(static_cast<uint8_t>(block->front()));
      block->remove_prefix(1);
      return true;
    case 2:
      return table->Read(block, largest_accuracy, symbols);
    default:
      return !table->entries.empty();
  }
}

bool Decoder::Copy(size_t literals, size_t offset, size_t match) {
  if (literals > literals_.size() - literals_used_ || literals > size_ - out_.size()) return false;
  out_.append(literals_, literals_used_, literals);
  literals_used_ += literals;
  if (offset == 0 || offset > out_.size() || match > size_ - out_.size()) return false;
  for (size_t i = 0; i < match; ++i) out_.push_back(out_[out_.size() - offset]);
  return true;
}

bool Decoder::Sequences(std::string_view block) {
  if (block.empty()) return false;
  size_t count = static_cast<uint8_t>(block[0]);
  size_t header_bytes = 1;
  if (count == 255) {
    if (block.size() < 3) return false;
    count = Little(block.substr(1, 2)) + 0x7f00;
    header_bytes = 3;
  } else if (count >= 128) {
    if (block.size() < 2) return false;
    count = ((count - 128) << 8) + static_cast<uint8_t>(block[1]);
    header_bytes = 2;
  }
  block.remove_prefix(header_bytes);
  if (count > 0) {
    if (block.empty()) return false;
    const auto modes = static_cast<uint8_t>(block[0]);
    block.remove_prefix(1);
    if ((modes & 3) != 0 ||
        !Table(modes >> 6, &block, DefaultLiteralLengths(), 6, 9, kLiteralLengthCodes,
               &literal_lengths_) ||
        !Table(modes >> 4 & 3, &block, DefaultOffsets(), 5, 8, kOffsetCodes, &offsets_) ||
        !Table(modes >> 2 & 3, &block, DefaultMatchLengths(), 6, 9, kMatchLengthCodes,
               &match_lengths_)) {
      return false;
    }
    BackwardBits bits;
    if (!bits.Open(block)) return false;
    uint32_t literal_state = bits.Read(literal_lengths_.accuracy);
    uint32_t offset_state = bits.Read(offsets_.accuracy);
    uint32_t match_state = bits.Read(match_lengths_.accuracy);
    for (size_t i = 0; i < count; ++i) {
      const FseTable::Entry& literal_entry = literal_lengths_.entries[literal_state];
      const FseTable::Entry& offset_entry = offsets_.entries[offset_state];
      const FseTable::Entry& match_entry = match_lengths_.entries[match_state];
      const uint32_t offset_value = (1u << offset_entry.symbol) + bits.Read(offset_entry.symbol);
      const Code match_code = MatchLengthCode(match_entry.symbol);
      const size_t match = match_code.base + bits.Read(match_code.bits);
      const Code literal_code = LiteralLengthCode(literal_entry.symbol);
      const size_t literals = literal_code.base + bits.Read(literal_code.bits);
      uint32_t offset;
      if (offset_value > 3) {
        offset = offset_value - 3;
        recent_ = {offset, recent_[0], recent_[1]};
      } else {
        // One of the recent offsets; without literals the first is not meant.
        const uint32_t index = offset_value - 1 + (literals == 0 ? 1 : 0);
        offset = index == 3 ? recent_[0] - 1 : recent_[index];
        if (index >= 2) recent_ = {offset, recent_[0], recent_[1]};
        if (index == 1) std::swap(recent_[0], recent_[1]);
      }
      if (bits.left() < 0 || !Copy(literals, offset, match)) return false;
      if (i + 1 < count) {
        literal_state = literal_entry.base + bits.Read(literal_entry.bits);
        match_state = match_entry.base + bits.Read(match_entry.bits);
        offset_state = offset_entry.base + bits.Read(offset_entry.bits);
      }
    }
    if (bits.left() != 0) return false;
  }
  const size_t rest = literals_.size() - literals_used_;
  if (rest > size_ - out_.size()) return false;
  out_.append(literals_, literals_used_, rest);
  return true;
}

bool Decoder::Block(std::string_view block) { return Literals(&block) && Sequences(block); }

}  // namespace

absl::StatusOr<std::string> DecompressZstd(std::string_view bytes, size_t size) {
  Decoder decoder(bytes, size);
  if (!decoder.Frame()) {
    return absl::InvalidArgumentError(absl::StrCat("Zstandard frame broken about byte ",
                                                   bytes.size() - decoder.left(), ", or not of ",
                                                   size, " bytes"));
  }
  return decoder.Take();
}

}  // namespace warpyard::emulator::driver
