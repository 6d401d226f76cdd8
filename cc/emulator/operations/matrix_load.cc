// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
#include "cc/emulator/operations/matrix_load.h"

#include <cstdint>
#include <cstring>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/execution/warp.h"
#include "cc/emulator/operations/decode_support.h"
#include "cc/emulator/operations/lane_address.h"
#include "cc/emulator/program/decoder.h"
#include "cc/emulator/program/program.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {
namespace {

using syntax::ScalarType;
using syntax::StateSpace;

enum class Shape : uint8_t { kM8n8, kM16n16, kM8n16, kM16n8 };

struct MatrixDetail {
  Address address;
  StateSpace space = StateSpace::kNone;
  Shape shape = Shape::kM8n8;
  int count = 1;  // matrices
  bool transposed = false;
  int packed_bits = 0;  // 4 or 6: elements are unpacked to bytes
  int rows() const { return shape == Shape::kM16n16 ? 16 : 8; }  // of 16 bytes in memory
  int registers() const { return shape == Shape::kM16n16 ? count * 2 : count; }
};

Next RefusePartialWarp(Warp& warp, const Instruction& instruction) {
  return warp.RaiseFault(instruction, -1, FaultKind::kIllegalInstruction,
                         absl::StrCat(instruction.syntax->opcode,
                                      ".sync.aligned by a warp of which some threads have exited "
                                      "or are disabled; all 32 must execute it together"));
}

// Lane (t, g) of a transposed 8 x 8 matrix of 16 bits: rows 2 t and 2 t + 1 of column g.
void Transpose8x8(const uint16_t* source, uint16_t* out) {
  for (int lane = 0; lane < kWarpSize; ++lane) {
    for (int i = 0; i < 2; ++i) out[lane * 2 + i] = source[(lane % 4 * 2 + i) * 8 + lane / 4];
  }
}

// Register `r` of a transposed 16 x 16 matrix of bytes. As CUTLASS has it for
// ldmatrix.m16n16.trans: byte i is of row 4 t + 2 r + i % 2, column g + 8 (i / 2).
void Transpose16x16(const uint8_t* source, int r, uint8_t* out) {
  for (int lane = 0; lane < kWarpSize; ++lane) {
    for (int i = 0; i < 4; ++i) {
      out[lane * 4 + i] = source[(lane % 4 * 4 + r * 2 + i % 2) * 16 + lane / 4 + i / 2 * 8];
    }
  }
}

Next LoadMatrix(Warp& warp, const Instruction& instruction, uint32_t mask) {
  if (!warp.Arrived(mask, 0xffffffffu)) return Next::kWait;
  if (mask != 0xffffffffu) return RefusePartialWarp(warp, instruction);
  const auto& detail = *static_cast<const MatrixDetail*>(instruction.detail);
  const int rows = detail.rows();
  uint8_t memory[4][16 * 16];
  for (int i = 0; i < detail.count * rows; ++i) {
    const uint64_t address = AddressOf(warp, detail.address, i);
    const std::byte* row =
        warp.Access(instruction, i, detail.space, address, 16, 16, AccessKind::kRead);
    if (row == nullptr) return Next::kFault;
    uint8_t* to = &memory[i / rows][i % rows * 16];
    if (detail.packed_bits != 0) {
      UnpackSixteen(detail.packed_bits, reinterpret_cast<const uint8_t*>(row), to);
    } else {
      std::memcpy(to, row, 16);
    }
  }
  for (int r = 0; r < detail.registers(); ++r) {
    auto* d = warp.Row<uint8_t>(instruction.row(r));
    if (detail.shape == Shape::kM16n16) {
      Transpose16x16(memory[r / 2], r % 2, d);
    } else if (detail.transposed) {
      Transpose8x8(reinterpret_cast<const uint16_t*>(memory[r]), reinterpret_cast<uint16_t*>(d));
    } else {
      std::memcpy(d, memory[r], 128);  // a row is four lanes of four bytes
    }
  }
  return Next::kAdvance;
}

Next StoreMatrix(Warp& warp, const Instruction& instruction, uint32_t mask) {
  if (!warp.Arrived(mask, 0xffffffffu)) return Next::kWait;
  if (mask != 0xffffffffu) return RefusePartialWarp(warp, instruction);
  const auto& detail = *static_cast<const MatrixDetail*>(instruction.detail);
  for (int r = 0; r < detail.count; ++r) {
    const auto* a = warp.Row<uint8_t>(instruction.row(r));
    uint8_t memory[128];
    if (detail.shape == Shape::kM16n8) {
      // As CUTLASS has it: byte i of lane (t, g) goes to row 2 t + i % 2, byte g + 8 (i / 2).
      for (int lane = 0; lane < kWarpSize; ++lane) {
        for (int i = 0; i < 4; ++i) {
          memory[(lane % 4 * 2 + i % 2) * 16 + lane / 4 + i / 2 * 8] = a[lane * 4 + i];
        }
      }
    } else if (detail.transposed) {
      uint16_t transposed[64];
      for (int lane = 0; lane < kWarpSize; ++lane) {
        for (int i = 0; i < 2; ++i) {
          std::memcpy(&transposed[(lane % 4 * 2 + i) * 8 + lane / 4], a + lane * 4 + i * 2, 2);
        }
      }
      std::memcpy(memory, transposed, sizeof(memory));
    } else {
      std::memcpy(memory, a, sizeof(memory));
    }
    for (int i = 0; i < 8; ++i) {
      const int lane = r * 8 + i;
      std::byte* row =
          warp.Access(instruction, lane, detail.space, AddressOf(warp, detail.address, lane), 16,
                      16, AccessKind::kWrite);
      if (row == nullptr) return Next::kFault;
      std::memcpy(row, memory + i * 16, 16);
    }
  }
  return Next::kAdvance;
}

Next MoveMatrix(Warp& warp, const Instruction& instruction, uint32_t mask) {
  if (!warp.Arrived(mask, 0xffffffffu)) return Next::kWait;
  if (mask != 0xffffffffu) return RefusePartialWarp(warp, instruction);
  uint16_t source[64];
  std::memcpy(source, warp.Row<uint16_t>(instruction.row(1)), sizeof(source));
  Transpose8x8(source, warp.Row<uint16_t>(instruction.row(0)));
  return Next::kAdvance;
}

absl::Status DecodeMatrix(DecodeContext& context, const syntax::Instruction& syntax,
                          Instruction* instruction) {
  Modifiers modifiers(syntax);
  const bool load = syntax.opcode == "ldmatrix";
  MatrixDetail detail;
  const bool sync = modifiers.Take("sync") && modifiers.Take("aligned");
  const int shape = modifiers.TakeOneOf({"m8n8", "m16n16", "m8n16", "m16n8"});
  const int count = modifiers.TakeOneOf({"x1", "x2", "x4"});
  detail.transposed = modifiers.Take("trans");
  if (modifiers.Take("shared") || modifiers.Take("shared::cta")) {
    detail.space = StateSpace::kShared;
  }
  if (!sync || shape < 0 || count < 0) return modifiers.Unsupported();
  detail.shape = static_cast<Shape>(shape);
  detail.count = 1 << count;
  bool known = false;
  if (modifiers.Take("b8x16")) {
    const int packed = modifiers.TakeOneOf({"b4x16_p64", "b6x16_p32"});
    detail.packed_bits = packed == 0 ? 4 : 6;
    known =
        load && packed >= 0 && (detail.shape == Shape::kM8n16 || detail.shape == Shape::kM16n16);
  } else if (modifiers.Take("b16")) {
    known = detail.shape == Shape::kM8n8;
  } else if (modifiers.Take("b8")) {
    known = detail.transposed &&
            (load ? detail.shape == Shape::kM16n16 : detail.shape == Shape::kM16n8);
  }
  if (detail.shape == Shape::kM16n16) known = known && detail.transposed && detail.count <= 2;
  if (detail.shape == Shape::kM8n16) known = known && !detail.transposed;
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  if (!known) return modifiers.Unsupported();
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(syntax, 2));
  WARPYARD_ASSIGN_OR_RETURN(detail.address,
                            context.MemoryOperand(syntax.operands[load ? 1 : 0], detail.space));
  std::vector<RowRef> rows;
  if (load) {
    WARPYARD_ASSIGN_OR_RETURN(rows, context.Destinations(syntax.operands[0], ScalarType::kB32));
  } else {
    WARPYARD_ASSIGN_OR_RETURN(rows, context.Sources(syntax.operands[1], ScalarType::kB32));
  }
  if (static_cast<int>(rows.size()) != detail.registers()) {
    return absl::InvalidArgumentError(absl::StrCat(syntax.opcode, " has ", rows.size(),
                                                   " registers, expected ", detail.registers()));
  }
  instruction->handler = load ? LoadMatrix : StoreMatrix;
  instruction->operation_class = load ? OperationClass::kLoad : OperationClass::kStore;
  instruction->detail = context.program().Keep(detail);
  if (load) {
    context.SetRows(instruction, rows, {});
  } else {
    context.SetRows(instruction, {}, rows);
  }
  return absl::OkStatus();
}

absl::Status DecodeMoveMatrix(DecodeContext& context, const syntax::Instruction& syntax,
                              Instruction* instruction) {
  Modifiers modifiers(syntax);
  for (const char* word : {"sync", "aligned", "m8n8", "trans", "b16"}) {
    if (!modifiers.Take(word)) return modifiers.Unsupported();
  }
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  return Emit(context, syntax, instruction,
              {.handler = MoveMatrix,
               .operation_class = OperationClass::kShuffle,
               .result = ScalarType::kB32,
               .sources = {ScalarType::kB32}});
}

constexpr Operation kOperations[] = {
    {"ldmatrix", DecodeMatrix}, {"stmatrix", DecodeMatrix}, {"movmatrix", DecodeMoveMatrix}};

}  // namespace

void UnpackSixteen(int bits, const uint8_t* packed, uint8_t* bytes) {
  for (int i = 0; i < 16; ++i) {
    const int at = i * bits;
    const uint32_t two = packed[at / 8] | uint32_t{packed[at / 8 + 1]} << 8;
    bytes[i] = static_cast<uint8_t>(two >> (at % 8) & ((1u << bits) - 1));
  }
}

absl::Span<const Operation> MatrixLoadOperations() { return kOperations; }

}  // namespace warpyard::emulator
