// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// One PTX statement decoded and run on rows of a test's choice, without memory or
// a scheduler.

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_TESTING_SINGLE_OPERATION_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_TESTING_SINGLE_OPERATION_H_

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "cc/emulator/execution/special_rows.h"
#include "cc/emulator/execution/warp.h"
#include "cc/emulator/program/decoder.h"
#include "cc/emulator/program/program.h"

namespace warpyard::emulator {

// Arithmetic, comparisons, conversions and moves: what needs registers alone.
const OperationTable& ArithmeticTable();

// Registers that a statement can use: %p0 … %p7, %c (8 bits), %h (16), %r (32),
// %f (f32), %d (64), %g (f64), %q (128), numbered likewise.
//
//   ASSIGN(auto add, SingleOperation::Decode("add.s32 %r0, %r1, %r2", "sm_90"));
//   add->row<uint32_t>(1)[0] = 3;
//   add->row<uint32_t>(2)[0] = 4;
//   add->Run();
//   add->row<uint32_t>(0)[0]  // 7
class SingleOperation {
 public:
  // Statements may be several, separated by ";"; row() is about the last one.
  // Registers whose values do not overlap in time may share rows, so earlier
  // statements must not write registers that the test cannot see; `_` is safe.
  // UNIMPLEMENTED where it is not executed, INVALID_ARGUMENT where it is no PTX.
  static absl::StatusOr<std::unique_ptr<SingleOperation>> Decode(std::string_view statements,
                                                                 std::string_view target);

  const Instruction& instruction() const { return *instruction_; }
  // The rows of the instruction, destinations first.
  template <typename T>
  T* row(int i) {
    return warp_.Row<T>(instruction_->row(i));
  }
  uint32_t& predicate(int i) { return warp_.Predicate(instruction_->row(i)); }
  SpecialRows& special() { return *special_; }

  // Runs all statements for the lanes of `mask`.
  void Run(uint32_t mask = 0xffffffff);

 private:
  class RegistersOnly : public Warp {
   public:
    void SetBase(RowRef::Base base, void* at) { bases_[base] = static_cast<std::byte*>(at); }
  };

  std::unique_ptr<Program> program_;
  const Function* function_ = nullptr;
  const Instruction* instruction_ = nullptr;
  int count_ = 0;
  std::vector<uint64_t> frame_, constants_, scratch_;
  std::unique_ptr<SpecialRows> special_;
  RegistersOnly warp_;
};

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_TESTING_SINGLE_OPERATION_H_
