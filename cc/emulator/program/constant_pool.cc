// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/program/constant_pool.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "cc/emulator/program/program.h"

namespace warpyard::emulator {
namespace {

RowRef Row(uint32_t offset) {
  RowRef row;
  row.base = RowRef::kConstants;
  row.offset = offset;
  return row;
}

}  // namespace

uint32_t ConstantPool::Append(uint64_t value, int bits) {
  const size_t words = static_cast<size_t>(bits) / 2;  // 32 lanes in words of 64 bits
  const size_t offset = program_.constants.size() * sizeof(uint64_t);
  if (offset + words * sizeof(uint64_t) > kMaxConstants) {
    overflowed_ = true;
    return 0;
  }
  if (bits == 32) value |= value << 32;
  program_.constants.insert(program_.constants.end(), bits == 32 ? words : kWarpSize, value);
  if (bits == 128) program_.constants.insert(program_.constants.end(), kWarpSize, 0);
  return static_cast<uint32_t>(offset);
}

RowRef ConstantPool::Value(uint64_t value, int bits) {
  const auto [entry, is_new] = values_.try_emplace({value, bits}, 0);
  if (is_new) entry->second = Append(value, bits);
  return Row(entry->second);
}

RowRef ConstantPool::Address(std::string_view symbol, int64_t addend, int bits) {
  const auto [entry, is_new] = addresses_.try_emplace({symbol, addend, bits}, 0);
  if (is_new) {
    entry->second = Append(0, bits);
    program_.constant_addresses.push_back(
        {entry->second, static_cast<uint8_t>(bits), symbol, addend});
  }
  return Row(entry->second);
}

}  // namespace warpyard::emulator
