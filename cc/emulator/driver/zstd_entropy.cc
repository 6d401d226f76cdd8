// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/driver/zstd_entropy.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace warpyard::emulator::driver {
namespace {

constexpr int kDeepestHuffman = 11;
constexpr int kLargestWeightAccuracy = 6;

int Log2(uint32_t value) { return std::bit_width(value) - 1; }

// `count` bits that begin at bit `at`; those before the string are zeros.
uint32_t Bits(std::string_view bytes, int64_t at, int count) {
  uint32_t value = 0;
  for (int i = 0; i < count; ++i) {
    const int64_t bit = at + i;
    if (bit < 0 || bit / 8 >= static_cast<int64_t>(bytes.size())) continue;
    value |= (static_cast<uint8_t>(bytes[static_cast<size_t>(bit / 8)]) >> (bit % 8) & 1u) << i;
  }
  return value;
}

// Weights of a Huffman tree that are themselves coded with two FSE states.
bool ReadWeights(std::string_view bytes, std::vector<int>* weights) {
  FseTable table;
  if (!table.Read(&bytes, kLargestWeightAccuracy, 256)) return false;
  BackwardBits bits;
  if (!bits.Open(bytes)) return false;
  uint32_t states[2] = {bits.Read(table.accuracy), bits.Read(table.accuracy)};
  if (bits.left() < 0) return false;
  for (int turn = 0; weights->size() < 255; turn ^= 1) {
    const FseTable::Entry& entry = table.entries[states[turn]];
    weights->push_back(entry.symbol);
    states[turn] = entry.base + bits.Read(entry.bits);
    if (bits.left() < 0) {
      // The other state holds the last weight.
      weights->push_back(table.entries[states[turn ^ 1]].symbol);
      return true;
    }
  }
  return false;
}

}  // namespace

bool BackwardBits::Open(std::string_view bytes) {
  if (bytes.empty() || bytes.back() == 0) return false;
  bytes_ = bytes;
  left_ = static_cast<int64_t>(bytes.size() - 1) * 8 + Log2(static_cast<uint8_t>(bytes.back()));
  return true;
}

uint32_t BackwardBits::Read(int count) {
  left_ -= count;
  return Bits(bytes_, left_, count);
}

bool FseTable::Build(const std::vector<int>& probabilities, int table_accuracy) {
  accuracy = table_accuracy;
  const uint32_t size = 1u << accuracy;
  entries.assign(size, Entry{});
  std::vector<uint32_t> next(probabilities.size());
  uint32_t high = size;
  for (size_t symbol = 0; symbol < probabilities.size(); ++symbol) {
    if (probabilities[symbol] != -1) continue;
    if (high == 0) return false;
    entries[--high].symbol = static_cast<uint8_t>(symbol);
    next[symbol] = 1;
  }
  const uint32_t step = (size >> 1) + (size >> 3) + 3;
  uint32_t position = 0;
  uint32_t placed = size - high;
  for (size_t symbol = 0; symbol < probabilities.size(); ++symbol) {
    if (probabilities[symbol] <= 0) continue;
    next[symbol] = static_cast<uint32_t>(probabilities[symbol]);
    placed += next[symbol];
    if (placed > size) return false;
    for (int i = 0; i < probabilities[symbol]; ++i) {
      entries[position].symbol = static_cast<uint8_t>(symbol);
      do {
        position = (position + step) & (size - 1);
      } while (position >= high && high > 0);
    }
  }
  if (placed != size) return false;
  for (Entry& entry : entries) {
    const uint32_t state = next[entry.symbol]++;
    entry.bits = static_cast<uint8_t>(accuracy - Log2(state));
    entry.base = static_cast<uint16_t>((state << entry.bits) - size);
  }
  return true;
}

void FseTable::BuildRun(uint8_t symbol) {
  accuracy = 0;
  entries.assign(1, Entry{symbol, 0, 0});
}

bool FseTable::Read(std::string_view* bytes, int largest_accuracy, size_t symbols) {
  if (bytes->empty()) return false;
  int64_t at = 4;
  const int table_accuracy = static_cast<int>(Bits(*bytes, 0, 4)) + 5;
  if (table_accuracy > largest_accuracy) return false;
  int remaining = 1 << table_accuracy;
  std::vector<int> probabilities;
  while (remaining > 0) {
    if (probabilities.size() >= symbols) return false;
    // A value is at most `remaining + 1`; small ones take a bit less.
    const int count = Log2(static_cast<uint32_t>(remaining + 1)) + 1;
    int value = static_cast<int>(Bits(*bytes, at, count));
    at += count;
    const int lower = (1 << (count - 1)) - 1;
    const int threshold = (1 << count) - 1 - (remaining + 1);
    if ((value & lower) < threshold) {
      --at;
      value &= lower;
    } else if (value > lower) {
      value -= threshold;
    }
    const int probability = value - 1;
    remaining -= std::abs(probability);
    probabilities.push_back(probability);
    if (probability != 0) continue;
    uint32_t repeat;
    do {
      repeat = Bits(*bytes, at, 2);
      at += 2;
      if (probabilities.size() + repeat > symbols) return false;
      probabilities.insert(probabilities.end(), repeat, 0);
    } while (repeat == 3);
  }
  const size_t used = static_cast<size_t>((at + 7) / 8);
  if (remaining != 0 || used > bytes->size()) return false;
  bytes->remove_prefix(used);
  return Build(probabilities, table_accuracy);
}

bool HuffmanTable::Read(std::string_view* bytes) {
  if (bytes->empty()) return false;
  const auto header = static_cast<uint8_t>(bytes->front());
  bytes->remove_prefix(1);
  std::vector<int> weights;
  if (header < 128) {
    if (header > bytes->size() || !ReadWeights(bytes->substr(0, header), &weights)) return false;
    bytes->remove_prefix(header);
  } else {
    const size_t count = header - 127u;
    if ((count + 1) / 2 > bytes->size()) return false;
    for (size_t i = 0; i < count; ++i) {
      const auto byte = static_cast<uint8_t>((*bytes)[i / 2]);
      weights.push_back(i % 2 == 0 ? byte >> 4 : byte & 15);
    }
    bytes->remove_prefix((count + 1) / 2);
  }
  uint32_t total = 0;
  for (const int weight : weights) {
    if (weight > kDeepestHuffman) return false;
    if (weight > 0) total += 1u << (weight - 1);
  }
  if (total == 0) return false;
  // The last symbol's weight fills up to the next power of two.
  depth = Log2(total) + 1;
  const uint32_t rest = (1u << depth) - total;
  if (depth > kDeepestHuffman || !std::has_single_bit(rest) || weights.size() > 255) return false;
  weights.push_back(Log2(rest) + 1);
  entries.clear();
  for (int weight = 1; weight <= depth; ++weight) {
    for (size_t symbol = 0; symbol < weights.size(); ++symbol) {
      if (weights[symbol] != weight) continue;
      entries.insert(entries.end(), size_t{1} << (weight - 1),
                     Entry{static_cast<uint8_t>(symbol), static_cast<uint8_t>(depth + 1 - weight)});
    }
  }
  return entries.size() == size_t{1} << depth;
}

bool HuffmanTable::Decode(std::string_view stream, size_t count, std::string* out) const {
  BackwardBits bits;
  if (entries.empty() || !bits.Open(stream)) return false;
  for (size_t i = 0; i < count; ++i) {
    const Entry& entry = entries[bits.Read(depth)];
    bits.Unread(depth - entry.bits);
    if (bits.left() < 0) return false;
    out->push_back(static_cast<char>(entry.symbol));
  }
  return bits.left() == 0;
}

}  // namespace warpyard::emulator::driver
