// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Decodes the body of one function.

#ifndef WARPYARD_CC_EMULATOR_PROGRAM_FUNCTION_DECODER_H_
#define WARPYARD_CC_EMULATOR_PROGRAM_FUNCTION_DECODER_H_

#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "cc/emulator/program/decoder.h"
#include "cc/emulator/program/program.h"

namespace warpyard::emulator {

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

// What a function needs of others, for what is computed over all that a kernel
// can reach.
struct FunctionUses {
  std::vector<Function*> callees;  // direct calls, in order, each once
  bool calls_indirectly = false;
  // Static .shared variables, each once; and which of the function's frame
  // addresses are to be raised by the variable's offset once it has one.
  std::vector<ModuleSymbol*> shared;
  std::vector<std::pair<size_t, ModuleSymbol*>> shared_addresses;
};

// Decodes `function`, whose `syntax` has a body. Variables that the function
// declares in .shared, .global or .const memory are added to the program.
absl::Status DecodeFunctionBody(const OperationTable& operations, Program& program,
                                ConstantPool& constants, Function& function, FunctionUses* uses);

// Lays out parameters and results: a kernel's in the launch's buffer, a
// function's in the param area of its frame.
absl::Status PlaceParameters(Function& function);

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_PROGRAM_FUNCTION_DECODER_H_
