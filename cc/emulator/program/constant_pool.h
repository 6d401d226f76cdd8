// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The immediates of a module and the addresses that are known when it is loaded,
// as rows of Program::constants.

#ifndef WARPYARD_CC_EMULATOR_PROGRAM_CONSTANT_POOL_H_
#define WARPYARD_CC_EMULATOR_PROGRAM_CONSTANT_POOL_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "cc/emulator/program/program.h"

namespace warpyard::emulator {

// What RowRef can name, and less than memory.
inline constexpr size_t kMaxConstants = size_t{1} << 29;

// The immediates of a module, each once.
class ConstantPool {
 public:
  explicit ConstantPool(Program& program) : program_(program) {}
  // `value` in all lanes; `bits` is 32, 64 or 128 (upper half zero).
  RowRef Value(uint64_t value, int bits);
  // The address of a variable or function, filled in when the module is loaded.
  RowRef Address(std::string_view symbol, int64_t addend, int bits);

  // More constants than a RowRef can name: what was returned since is wrong.
  bool overflowed() const { return overflowed_; }

 private:
  uint32_t Append(uint64_t value, int bits);

  Program& program_;
  bool overflowed_ = false;
  absl::flat_hash_map<std::pair<uint64_t, int>, uint32_t> values_;
  absl::flat_hash_map<std::tuple<std::string_view, int64_t, int>, uint32_t> addresses_;
};

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_PROGRAM_CONSTANT_POOL_H_
