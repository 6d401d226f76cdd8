// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: any text is decoded, or refused with a status; what is decoded
// names no row outside of its frame, and jumps to no place outside of its code.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/log/check.h"
#include "absl/status/statusor.h"
#include "cc/emulator/operations/all_operations.h"
#include "cc/emulator/program/decoder.h"
#include "cc/emulator/program/program.h"
#include "cc/emulator/syntax/ast.h"
#include "cc/emulator/syntax/parser.h"

namespace {

using warpyard::emulator::FrameAddress;
using warpyard::emulator::Function;
using warpyard::emulator::Instruction;
using warpyard::emulator::Program;
using warpyard::emulator::RowRef;

void CheckFunction(const Program& program, const Function& function) {
  CHECK(!function.code.empty());
  for (const Instruction& instruction : function.code) {
    CHECK(instruction.handler != nullptr);
    CHECK(instruction.syntax != nullptr);
    CHECK_LE(instruction.rows_written, instruction.row_count);
    if (instruction.guard != Instruction::kNoGuard) {
      CHECK_LE(instruction.guard + 4, function.frame_bytes);
    }
    for (int i = 0; i < instruction.row_count; ++i) {
      const RowRef row = instruction.row(i);
      if (row.base == RowRef::kFrame) CHECK_LE(row.offset + 4, function.frame_bytes);
      if (row.base == RowRef::kConstants) CHECK_LE(row.offset / 8 + 16, program.constants.size());
    }
    if (instruction.syntax->opcode == "bra" && instruction.row_count == 0) {
      CHECK_LE(instruction.immediate, function.code.size());
    }
  }
  for (const FrameAddress& address : function.frame_addresses) {
    CHECK_LE(address.row + 32 * address.bits / 8, function.frame_bytes);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using warpyard::emulator::AllOperations;
  using warpyard::emulator::Decode;
  auto module =
      warpyard::emulator::syntax::Parse(std::string(reinterpret_cast<const char*>(data), size));
  if (!module.ok()) return 0;
  const absl::StatusOr<std::unique_ptr<Program>> program =
      Decode(*std::move(module), AllOperations());
  if (!program.ok()) {
    CHECK(!program.status().message().empty());
    return 0;
  }
  for (const Function& function : (*program)->functions) {
    if (!function.is_declaration) CheckFunction(**program, function);
  }
  return 0;
}
