// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
#include "cc/emulator/operations/tcgen05_operations.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/execution/address.h"
#include "cc/emulator/execution/block.h"
#include "cc/emulator/execution/warp.h"
#include "cc/emulator/execution/warp_state.h"
#include "cc/emulator/operations/async_engine.h"
#include "cc/emulator/operations/bulk_copy.h"
#include "cc/emulator/operations/decode_support.h"
#include "cc/emulator/operations/lane_address.h"
#include "cc/emulator/operations/matrix_load.h"
#include "cc/emulator/operations/mbarrier.h"
#include "cc/emulator/operations/shared_matrix.h"
#include "cc/emulator/operations/tcgen05_memory.h"
#include "cc/emulator/operations/tcgen05_mma.h"
#include "cc/emulator/program/decoder.h"
#include "cc/emulator/program/program.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {
namespace {

using syntax::Operand;
using syntax::ScalarType;
using syntax::StateSpace;

Next Refuse(Warp& warp, const Instruction& instruction, std::string what) {
  return warp.RaiseFault(instruction, -1, FaultKind::kIllegalInstruction, std::move(what));
}

Next RefusePartialWarp(Warp& warp, const Instruction& instruction) {
  return Refuse(warp, instruction,
                "a tcgen05 .sync.aligned operation by a warp of which some threads have exited or "
                "are disabled; all 32 must execute it together");
}

// --- alloc, dealloc, relinquish ---

// Rows: alloc: columns; dealloc: address, columns.
struct AllocDetail {
  Address destination;
  StateSpace space = StateSpace::kNone;
};

bool IsAllocationSize(uint32_t columns) {
  return columns >= kTensorGranule && columns <= kTensorColumns && std::has_single_bit(columns);
}

Next Allocate(Warp& warp, const Instruction& instruction, uint32_t mask) {
  if (!warp.Arrived(mask, 0xffffffffu)) return Next::kWait;
  if (mask != 0xffffffffu) return RefusePartialWarp(warp, instruction);
  const auto& detail = *static_cast<const AllocDetail*>(instruction.detail);
  TensorMemory& memory = TensorMemory::Of(warp.block());
  const uint32_t columns = warp.Row<uint32_t>(instruction.row(0))[0];
  if (!IsAllocationSize(columns)) {
    return Refuse(
        warp, instruction,
        absl::StrCat("tcgen05.alloc of ", columns, " columns; expected 32, 64, 128, 256 or 512"));
  }
  if (memory.permit_given_up) {
    return Refuse(warp, instruction, "tcgen05.alloc after tcgen05.relinquish_alloc_permit");
  }
  const std::optional<uint32_t> first = memory.Allocate(columns);
  if (!first.has_value()) return Next::kWait;
  std::byte* to = warp.Access(instruction, 0, detail.space, AddressOf(warp, detail.destination, 0),
                              4, 4, AccessKind::kWrite);
  if (to == nullptr) return Next::kFault;
  std::memcpy(to, &*first, sizeof(*first));
  return Next::kAdvance;
}

Next Deallocate(Warp& warp, const Instruction& instruction, uint32_t mask) {
  if (!warp.Arrived(mask, 0xffffffffu)) return Next::kWait;
  if (mask != 0xffffffffu) return RefusePartialWarp(warp, instruction);
  TensorMemory& memory = TensorMemory::Of(warp.block());
  const uint32_t address = warp.Row<uint32_t>(instruction.row(0))[0];
  const uint32_t columns = warp.Row<uint32_t>(instruction.row(1))[0];
  if (!IsAllocationSize(columns) || !memory.Free(address & 0xffff, columns)) {
    return Refuse(warp, instruction,
                  absl::StrCat("tcgen05.dealloc of ", columns, " columns from ", address & 0xffff,
                               " on; expected what tcgen05.alloc gave, whole"));
  }
  for (Warp* const other : warp.block().warps()) other->state->WakeAll();
  warp.block().Wake();
  return Next::kAdvance;
}

Next Relinquish(Warp& warp, const Instruction& instruction, uint32_t mask) {
  if (!warp.Arrived(mask, 0xffffffffu)) return Next::kWait;
  TensorMemory::Of(warp.block()).permit_given_up = true;
  return Next::kAdvance;
}

Next Nothing(Warp&, const Instruction&, uint32_t) { return Next::kAdvance; }

// --- ld, st, wait ---

struct TransferDetail {
  Address address;
  TensorShape shape = TensorShape::k32x32b;
  int registers = 0;
  bool packed = false;  // .pack::16b, .unpack::16b: two columns' lower halves in a register
  uint32_t split = 0;
};

// Checks that the warp may access what it names, and calls cell(r, thread, column
// of 128 lanes, lane); columns are counted twice where halves are packed.
template <typename F>
Next ForCells(Warp& warp, const Instruction& instruction, const TransferDetail& detail, F cell) {
  TensorMemory& memory = TensorMemory::Of(warp.block());
  const auto at = TensorAddress::Of(static_cast<uint32_t>(AddressOf(warp, detail.address, 0)));
  const uint32_t own = warp.index_in_block() % 4 * 32;
  const bool whole = detail.shape == TensorShape::k32x32b;
  if (at.lane != own && (whole || at.lane != own + 16)) {
    return Refuse(warp, instruction,
                  absl::StrCat("tensor memory lane ", at.lane, "; warp ", warp.index_in_block(),
                               " of the block reaches lanes ", own, " to ", own + 31));
  }
  const uint32_t step = detail.packed ? 2 : 1;
  uint32_t last = 0;
  for (int r = 0; r < detail.registers; ++r) {
    for (int thread = 0; thread < kWarpSize; ++thread) {
      last = std::max(last, CellOf(detail.shape, thread, r, detail.split).column * step + step);
    }
  }
  if (!memory.IsAllocated(at.column, last)) {
    return Refuse(warp, instruction,
                  absl::StrCat("tensor memory columns ", at.column, " to ", at.column + last - 1,
                               " are not all allocated"));
  }
  for (int r = 0; r < detail.registers; ++r) {
    for (int thread = 0; thread < kWarpSize; ++thread) {
      const TensorCell place = CellOf(detail.shape, thread, r, detail.split);
      for (uint32_t half = 0; half < step; ++half) {
        cell(r, thread, half,
             memory.column(at.column + place.column * step + half) + at.lane + place.lane);
      }
    }
  }
  return Next::kAdvance;
}

// Registers get their values at once: compilers move uses of them in front of
// wait::ld (Triton's PTX has them there), and hardware tracks the registers.
Next LoadTensor(Warp& warp, const Instruction& instruction, uint32_t mask) {
  if (!warp.Arrived(mask, 0xffffffffu)) return Next::kWait;
  if (mask != 0xffffffffu) return RefusePartialWarp(warp, instruction);
  const auto& detail = *static_cast<const TransferDetail*>(instruction.detail);
  std::vector<uint32_t> values(static_cast<size_t>(detail.registers) * kWarpSize);
  const Next next = ForCells(
      warp, instruction, detail, [&](int r, int thread, uint32_t half, const uint32_t* cell) {
        uint32_t& value = values[static_cast<size_t>(r) * kWarpSize + thread];
        value = !detail.packed ? *cell : half == 0 ? *cell & 0xffff : value | *cell << 16;
      });
  if (next != Next::kAdvance) return next;
  for (int r = 0; r < detail.registers; ++r) {
    std::memcpy(warp.Row<uint32_t>(instruction.row(r)),
                values.data() + static_cast<size_t>(r) * kWarpSize, kWarpSize * sizeof(uint32_t));
  }
  return Next::kAdvance;
}

Next StoreTensor(Warp& warp, const Instruction& instruction, uint32_t mask) {
  if (!warp.Arrived(mask, 0xffffffffu)) return Next::kWait;
  if (mask != 0xffffffffu) return RefusePartialWarp(warp, instruction);
  const auto& detail = *static_cast<const TransferDetail*>(instruction.detail);
  std::vector<std::pair<uint32_t*, uint32_t>> writes;
  const Next next =
      ForCells(warp, instruction, detail, [&](int r, int thread, uint32_t half, uint32_t* cell) {
        const uint32_t value = warp.Row<uint32_t>(instruction.row(r))[thread];
        writes.emplace_back(cell, !detail.packed ? value : value >> (half * 16) & 0xffff);
      });
  if (next != Next::kAdvance) return next;
  TensorMemory::Of(warp.block()).stores(warp).push_back([writes = std::move(writes)] {
    for (const auto& [cell, value] : writes) *cell = value;
  });
  return Next::kAdvance;
}

Next WaitLoads(Warp& warp, const Instruction& instruction, uint32_t mask) {
  return warp.Arrived(mask, 0xffffffffu) ? Next::kAdvance : Next::kWait;
}

Next WaitStores(Warp& warp, const Instruction& instruction, uint32_t mask) {
  if (!warp.Arrived(mask, 0xffffffffu)) return Next::kWait;
  auto& stores = TensorMemory::Of(warp.block()).stores(warp);
  for (const auto& store : stores) store();
  stores.clear();
  return Next::kAdvance;
}

// --- mma ---

// Rows: A's descriptor (unless in tensor memory), B's, the instruction descriptor,
// masks of disabled lanes, enable-input-d.
struct MmaDetail {
  Tcgen05Kind kind = Tcgen05Kind::kF16;
  int blocks = 1;
  Address d, a, a_scales, b_scales;
  bool a_in_tensor_memory = false;
  bool scaled = false;
  int scale_vector = 0;
  int masks = 0;
  bool enable_negated = false;
  double d_scale = 1;
};

bool StartMma(Warp& warp, const Instruction& instruction, const MmaDetail& detail, int lane) {
  Tcgen05Product product;
  int at = 0;
  const auto wrong = [&](const absl::Status& status) {
    warp.RaiseFault(instruction, lane,
                    status.code() == absl::StatusCode::kUnimplemented
                        ? FaultKind::kUnsupported
                        : FaultKind::kIllegalInstruction,
                    std::string(status.message()));
    return false;
  };
  product.blocks = detail.blocks;
  product.d = static_cast<uint32_t>(AddressOf(warp, detail.d, lane));
  product.a_in_tensor_memory = detail.a_in_tensor_memory;
  if (detail.a_in_tensor_memory) {
    product.a_address = static_cast<uint32_t>(AddressOf(warp, detail.a, lane));
  } else {
    const auto a = DecodeSm100Descriptor(warp.Row<uint64_t>(instruction.row(at++))[lane]);
    if (!a.ok()) return wrong(a.status());
    product.a = *a;
  }
  const auto b = DecodeSm100Descriptor(warp.Row<uint64_t>(instruction.row(at++))[lane]);
  if (!b.ok()) return wrong(b.status());
  product.b = *b;
  const auto form =
      DecodeInstructionDescriptor(detail.kind, warp.Row<uint32_t>(instruction.row(at++))[lane],
                                  detail.scale_vector, detail.blocks);
  if (!form.ok()) return wrong(form.status());
  product.form = *form;
  for (int i = 0; i < detail.masks; ++i) {
    product.disabled_lanes[static_cast<size_t>(i)] =
        warp.Row<uint32_t>(instruction.row(at++))[lane];
  }
  product.accumulate =
      ((warp.Predicate(instruction.row(at++)) >> lane & 1) != 0) != detail.enable_negated;
  product.d_scale = detail.d_scale;
  if (detail.scaled) {
    product.a_scales = static_cast<uint32_t>(AddressOf(warp, detail.a_scales, lane));
    product.b_scales = static_cast<uint32_t>(AddressOf(warp, detail.b_scales, lane));
  }
  Warp* const issuer = &warp;
  const Instruction* const issued = &instruction;
  TensorMemory::Of(warp.block()).Add([issuer, issued, lane, product] {
    std::string fault = RunTcgen05(issuer->block(), product);
    if (!fault.empty()) {
      issuer->RaiseFault(*issued, lane, FaultKind::kIllegalInstruction, std::move(fault));
    }
  });
  return true;
}

Next Multiply(Warp& warp, const Instruction& instruction, uint32_t mask) {
  const auto& detail = *static_cast<const MmaDetail*>(instruction.detail);
  return ForEachLane(mask, [&](int lane) { return StartMma(warp, instruction, detail, lane); })
             ? Next::kAdvance
             : Next::kFault;
}

// --- cp, shift ---

enum class CopyShape : uint8_t { k128x256b, k4x256b, k128x128b, k64x02_13, k64x01_23, k32x4 };

// Rows: the descriptor.
struct CopyDetail {
  Address to;
  CopyShape shape = CopyShape::k128x256b;
  int blocks = 1;
  int packed_bits = 0;
};

std::string CopyToTensor(Block& block, const CopyDetail& detail, uint32_t address,
                         const SharedMatrix& matrix) {
  TensorMemory& memory = TensorMemory::Of(block);
  const TensorAddress at = TensorAddress::Of(address);
  const bool wide = detail.shape <= CopyShape::k4x256b;
  const uint32_t rows = detail.shape == CopyShape::k4x256b ? 4
                        : detail.shape >= CopyShape::k64x02_13
                            ? (detail.shape == CopyShape::k32x4 ? 32 : 64)
                            : 128;
  const uint32_t chunks = wide ? 2 : 1;
  if (!memory.IsAllocated(at.column, chunks * 4)) {
    return absl::StrCat("tcgen05.cp: columns ", at.column, " to ", at.column + chunks * 4 - 1,
                        " are not all allocated in tensor memory");
  }
  for (uint32_t row = 0; row < rows; ++row) {
    for (uint32_t chunk = 0; chunk < chunks; ++chunk) {
      const uint32_t place = ChunkAddress(matrix, false, row, chunk) - block.shared_offset();
      if (place > block.shared_bytes() || block.shared_bytes() - place < 16) {
        return absl::StrCat("tcgen05.cp: the descriptor leads outside of shared memory in row ",
                            row);
      }
      uint32_t words[4];
      if (detail.packed_bits != 0) {
        UnpackSixteen(detail.packed_bits, reinterpret_cast<const uint8_t*>(block.shared() + place),
                      reinterpret_cast<uint8_t*>(words));
      } else {
        std::memcpy(words, block.shared() + place, 16);
      }
      for (uint32_t copy = 0; copy < 4; ++copy) {
        uint32_t lane = row;
        if (detail.shape == CopyShape::k32x4) {
          lane = copy * 32 + row;
        } else if (detail.shape == CopyShape::k64x02_13) {
          if (copy >= 2) break;
          lane = copy * 64 + row;
        } else if (detail.shape == CopyShape::k64x01_23) {
          if (copy >= 2) break;
          lane = row / 32 * 64 + copy * 32 + row % 32;
        } else {
          if (copy >= 1) break;
          lane = (at.lane + row) % kTensorLanes;
        }
        for (uint32_t i = 0; i < 4; ++i) {
          memory.column(at.column + chunk * 4 + i)[lane] = words[i];
        }
      }
    }
  }
  return "";
}

Next StartCopy(Warp& warp, const Instruction& instruction, uint32_t mask) {
  const auto& detail = *static_cast<const CopyDetail*>(instruction.detail);
  const bool fine = ForEachLane(mask, [&](int lane) {
    const auto matrix = DecodeSm100Descriptor(warp.Row<uint64_t>(instruction.row(0))[lane]);
    if (!matrix.ok()) {
      Refuse(warp, instruction, std::string(matrix.status().message()));
      return false;
    }
    const auto address = static_cast<uint32_t>(AddressOf(warp, detail.to, lane));
    Warp* const issuer = &warp;
    const Instruction* const issued = &instruction;
    TensorMemory::Of(warp.block()).Add([issuer, issued, &detail, address, from = *matrix] {
      auto& all = issuer->block().cluster().blocks();
      std::vector<Block*> blocks = {&issuer->block()};
      const uint32_t peer = issuer->block().rank_in_cluster() ^ 1;
      if (detail.blocks == 2 && peer < all.size()) blocks.push_back(all[peer]);
      for (Block* const block : blocks) {
        std::string fault = CopyToTensor(*block, detail, address, from);
        if (!fault.empty()) Refuse(*issuer, *issued, std::move(fault));
      }
    });
    return true;
  });
  return fine ? Next::kAdvance : Next::kFault;
}

// tcgen05.shift.down: rows 32 bytes wide move to the lane below, those of a whole
// group of 32 lanes from the address's on; the last keeps its own.
Next StartShift(Warp& warp, const Instruction& instruction, uint32_t mask) {
  const auto& detail = *static_cast<const CopyDetail*>(instruction.detail);
  ForEachLane(mask, [&](int lane) {
    const auto at = TensorAddress::Of(static_cast<uint32_t>(AddressOf(warp, detail.to, lane)));
    Block* const block = &warp.block();
    TensorMemory::Of(*block).Add([block, at] {
      TensorMemory& memory = TensorMemory::Of(*block);
      for (uint32_t c = at.column; c < at.column + 8 && c < kTensorColumns; ++c) {
        uint32_t* const lanes = memory.column(c);
        for (uint32_t l = at.lane; l + 1 < kTensorLanes; ++l) lanes[l] = lanes[l + 1];
      }
    });
    return true;
  });
  return Next::kAdvance;
}

// --- commit ---

// Rows: the mask of blocks where there is one.
struct CommitDetail {
  Address barrier;
  StateSpace space = StateSpace::kNone;
  bool multicast = false;
};

Next Commit(Warp& warp, const Instruction& instruction, uint32_t mask) {
  const auto& detail = *static_cast<const CommitDetail*>(instruction.detail);
  TensorMemory* const memory = &TensorMemory::Of(warp.block());
  const uint64_t mark = memory->mark();
  const bool fine = ForEachLane(mask, [&](int lane) {
    uint32_t shared;
    if (!ToShared(AddressOf(warp, detail.barrier, lane), &shared)) {
      Refuse(warp, instruction, "tcgen05.commit: the mbarrier must be in shared memory");
      return false;
    }
    uint32_t blocks = uint32_t{1} << (shared >> kClusterRankShift & 31);
    if (detail.multicast) blocks = warp.Row<uint32_t>(instruction.row(0))[lane] & 0xffff;
    return ForEachLane(blocks, [&](int rank) {
      const BarrierPlace place =
          FindBarrier(warp, instruction, lane, InBlock(shared, static_cast<uint32_t>(rank)));
      if (place.memory == nullptr) return false;
      AsyncEngine::Of(*place.block).AddForBarrier(place.memory, [memory, mark, place] {
        memory->RunUpTo(mark);
        UpdateBarrier(*place.block, place.memory, 1, 0);
      });
      return true;
    });
  });
  return fine ? Next::kAdvance : Next::kFault;
}

// --- decoding ---

absl::Status DecodeAllocation(DecodeContext& context, const syntax::Instruction& syntax,
                              Modifiers& modifiers, int what, Instruction* instruction) {
  if (!modifiers.Take("sync") || !modifiers.Take("aligned")) return modifiers.Unsupported();
  modifiers.Take("b32");
  AllocDetail detail;
  if (modifiers.TakeOneOf({"shared::cta", "shared"}) >= 0) detail.space = StateSpace::kShared;
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(syntax, what == 2 ? 0 : 2));
  std::vector<RowRef> sources;
  if (what == 0) {
    WARPYARD_ASSIGN_OR_RETURN(detail.destination,
                              context.MemoryOperand(syntax.operands[0], detail.space));
  } else if (what == 1) {
    WARPYARD_ASSIGN_OR_RETURN(const RowRef address,
                              context.Source(syntax.operands[0], ScalarType::kB32));
    sources.push_back(address);
  }
  if (what != 2) {
    WARPYARD_ASSIGN_OR_RETURN(const RowRef columns,
                              context.Source(syntax.operands[1], ScalarType::kB32));
    sources.push_back(columns);
  }
  constexpr Handler kHandlers[] = {Allocate, Deallocate, Relinquish};
  instruction->handler = kHandlers[what];
  instruction->detail = context.program().Keep(detail);
  context.SetRows(instruction, {}, sources);
  return absl::OkStatus();
}

absl::Status DecodeTransfer(DecodeContext& context, const syntax::Instruction& syntax,
                            Modifiers& modifiers, bool load, Instruction* instruction) {
  TransferDetail detail;
  if (!modifiers.Take("sync") || !modifiers.Take("aligned")) return modifiers.Unsupported();
  const int shape = modifiers.TakeOneOf({"32x32b", "16x64b", "16x128b", "16x256b", "16x32bx2"});
  const int repeat = modifiers.TakeOneOf({"x1", "x2", "x4", "x8", "x16", "x32", "x64", "x128"});
  detail.packed = modifiers.Take(load ? "pack::16b" : "unpack::16b");
  if (shape < 0 || repeat < 0 || !modifiers.Take("b32")) return modifiers.Unsupported();
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  detail.shape = static_cast<TensorShape>(shape);
  detail.registers = RegistersOf(detail.shape) << repeat;
  const bool split = detail.shape == TensorShape::k16x32bx2;
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(syntax, split ? 3 : 2));
  const size_t address_at = load ? 1 : 0;
  const size_t registers_at = load ? 0 : syntax.operands.size() - 1;
  WARPYARD_ASSIGN_OR_RETURN(detail.address,
                            context.MemoryOperand(syntax.operands[address_at], StateSpace::kNone));
  if (split) {
    WARPYARD_ASSIGN_OR_RETURN(const int64_t columns,
                              context.Immediate(syntax.operands[address_at + 1]));
    if (columns < 0 || columns >= kTensorColumns) {
      return absl::InvalidArgumentError(
          absl::StrCat("tcgen05: the split is ", columns, ", expected 0 to ", kTensorColumns - 1));
    }
    detail.split = static_cast<uint32_t>(columns);
  }
  std::vector<RowRef> rows;
  if (load) {
    WARPYARD_ASSIGN_OR_RETURN(
        rows, context.Destinations(syntax.operands[registers_at], ScalarType::kB32));
  } else {
    WARPYARD_ASSIGN_OR_RETURN(rows,
                              context.Sources(syntax.operands[registers_at], ScalarType::kB32));
  }
  if (static_cast<int>(rows.size()) != detail.registers) {
    return absl::InvalidArgumentError(
        absl::StrCat("tcgen05: ", rows.size(), " registers, expected ", detail.registers));
  }
  instruction->handler = load ? LoadTensor : StoreTensor;
  instruction->detail = context.program().Keep(detail);
  if (load) {
    context.SetRows(instruction, rows, {});
  } else {
    context.SetRows(instruction, {}, rows);
  }
  return absl::OkStatus();
}

absl::Status DecodeMma(DecodeContext& context, const syntax::Instruction& syntax,
                       Modifiers& modifiers, int blocks, Instruction* instruction) {
  MmaDetail detail;
  detail.blocks = blocks;
  const int kind = modifiers.TakeOneOf({"kind::f16", "kind::tf32", "kind::f8f6f4", "kind::i8",
                                        "kind::mxf8f6f4", "kind::mxf4", "kind::mxf4nvf4"});
  if (kind < 0) return modifiers.Unsupported();
  detail.kind = static_cast<Tcgen05Kind>(kind);
  detail.scaled = modifiers.Take("block_scale");
  if (detail.scaled != (detail.kind >= Tcgen05Kind::kMxf8f6f4)) return modifiers.Unsupported();
  const int vector = modifiers.TakeOneOf({"scale_vec::1X", "scale_vec::2X", "scale_vec::4X"});
  if (vector >= 0) detail.scale_vector = 1 << vector;
  const int block = modifiers.TakeOneOf({"block16", "block32"});
  const int k = detail.kind == Tcgen05Kind::kMxf8f6f4 ? 32 : 64;
  if (block >= 0) detail.scale_vector = k / (block == 0 ? 16 : 32);
  // Which operands stay in the collector buffer is a matter of speed.
  modifiers.TakeOneOf({"collector::a::fill", "collector::a::use", "collector::a::lastuse",
                       "collector::a::discard"});
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  const auto& operands = syntax.operands;
  if (operands.size() < (detail.scaled ? 7u : 5u)) {
    return absl::InvalidArgumentError(
        absl::StrCat("tcgen05.mma has ", operands.size(), " operands, expected more"));
  }
  std::vector<RowRef> sources;
  WARPYARD_ASSIGN_OR_RETURN(detail.d, context.MemoryOperand(operands[0], StateSpace::kNone));
  detail.a_in_tensor_memory = operands[1].kind == Operand::Kind::kAddress;
  if (detail.a_in_tensor_memory) {
    WARPYARD_ASSIGN_OR_RETURN(detail.a, context.MemoryOperand(operands[1], StateSpace::kNone));
  } else {
    WARPYARD_ASSIGN_OR_RETURN(const RowRef a, context.Source(operands[1], ScalarType::kB64));
    sources.push_back(a);
  }
  WARPYARD_ASSIGN_OR_RETURN(const RowRef b, context.Source(operands[2], ScalarType::kB64));
  WARPYARD_ASSIGN_OR_RETURN(const RowRef descriptor, context.Source(operands[3], ScalarType::kB32));
  sources.insert(sources.end(), {b, descriptor});
  size_t next = 4;
  if (detail.scaled) {
    WARPYARD_ASSIGN_OR_RETURN(detail.a_scales,
                              context.MemoryOperand(operands[4], StateSpace::kNone));
    WARPYARD_ASSIGN_OR_RETURN(detail.b_scales,
                              context.MemoryOperand(operands[5], StateSpace::kNone));
    next = 6;
  } else if (operands[4].kind == Operand::Kind::kVector) {
    WARPYARD_ASSIGN_OR_RETURN(const std::vector<RowRef> masks,
                              context.Sources(operands[4], ScalarType::kB32));
    if (masks.size() != static_cast<size_t>(blocks) * 4) {
      return absl::InvalidArgumentError(
          absl::StrCat("tcgen05.mma: ", masks.size(), " masks of lanes, expected ", blocks * 4));
    }
    detail.masks = static_cast<int>(masks.size());
    sources.insert(sources.end(), masks.begin(), masks.end());
    next = 5;
  }
  if (next >= operands.size()) {
    return absl::InvalidArgumentError("tcgen05.mma: enable-input-d is missing");
  }
  WARPYARD_ASSIGN_OR_RETURN(const RowRef enable,
                            context.PredicateSource(operands[next++], &detail.enable_negated));
  sources.push_back(enable);
  if (next < operands.size()) {
    WARPYARD_ASSIGN_OR_RETURN(const int64_t shift, context.Immediate(operands[next++]));
    if (shift < 0 || shift > 15) {
      return absl::InvalidArgumentError(
          absl::StrCat("tcgen05.mma: scale-input-d is ", shift, ", expected 0 to 15"));
    }
    detail.d_scale = 1.0 / static_cast<double>(1 << shift);
  }
  if (next != operands.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("tcgen05.mma has ", operands.size(), " operands, expected ", next));
  }
  instruction->handler = Multiply;
  instruction->operation_class = OperationClass::kTensor;
  instruction->detail = context.program().Keep(detail);
  context.SetRows(instruction, {}, sources);
  return absl::OkStatus();
}

absl::Status DecodeCopy(DecodeContext& context, const syntax::Instruction& syntax,
                        Modifiers& modifiers, int blocks, Instruction* instruction) {
  CopyDetail detail;
  detail.blocks = blocks;
  if (modifiers.Take("128x256b")) {
    detail.shape = CopyShape::k128x256b;
  } else if (modifiers.Take("4x256b")) {
    detail.shape = CopyShape::k4x256b;
  } else if (modifiers.Take("128x128b")) {
    detail.shape = CopyShape::k128x128b;
  } else if (modifiers.Take("64x128b") && modifiers.Take("warpx2::02_13")) {
    detail.shape = CopyShape::k64x02_13;
  } else if (modifiers.Take("warpx2::01_23")) {
    detail.shape = CopyShape::k64x01_23;
  } else if (modifiers.Take("32x128b") && modifiers.Take("warpx4")) {
    detail.shape = CopyShape::k32x4;
  } else {
    return modifiers.Unsupported();
  }
  if (modifiers.Take("b8x16")) {
    const int packed = modifiers.TakeOneOf({"b4x16_p64", "b6x16_p32"});
    if (packed < 0) return modifiers.Unsupported();
    detail.packed_bits = packed == 0 ? 4 : 6;
  }
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(syntax, 2));
  WARPYARD_ASSIGN_OR_RETURN(detail.to,
                            context.MemoryOperand(syntax.operands[0], StateSpace::kNone));
  WARPYARD_ASSIGN_OR_RETURN(const RowRef from,
                            context.Source(syntax.operands[1], ScalarType::kB64));
  instruction->handler = StartCopy;
  instruction->detail = context.program().Keep(detail);
  context.SetRows(instruction, {}, {from});
  return absl::OkStatus();
}

absl::Status DecodeCommit(DecodeContext& context, const syntax::Instruction& syntax,
                          Modifiers& modifiers, Instruction* instruction) {
  CommitDetail detail;
  if (!modifiers.Take("mbarrier::arrive::one")) return modifiers.Unsupported();
  if (modifiers.TakeOneOf({"shared::cluster", "shared::cta"}) >= 0) {
    detail.space = StateSpace::kShared;
  }
  detail.multicast = modifiers.Take("multicast::cluster");
  modifiers.Take("b64");
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(syntax, detail.multicast ? 2 : 1));
  WARPYARD_ASSIGN_OR_RETURN(detail.barrier,
                            context.MemoryOperand(syntax.operands[0], detail.space));
  std::vector<RowRef> sources;
  if (detail.multicast) {
    WARPYARD_ASSIGN_OR_RETURN(const RowRef mask,
                              context.Source(syntax.operands[1], ScalarType::kB16));
    sources.push_back(mask);
  }
  instruction->handler = Commit;
  instruction->operation_class = OperationClass::kBarrier;
  instruction->detail = context.program().Keep(detail);
  context.SetRows(instruction, {}, sources);
  return absl::OkStatus();
}

absl::Status DecodeTcgen05(DecodeContext& context, const syntax::Instruction& syntax,
                           Instruction* instruction) {
  instruction->operation_class = OperationClass::kTensorMemory;
  Modifiers modifiers(syntax);
  const int blocks = modifiers.TakeOneOf({"cta_group::1", "cta_group::2"}) == 1 ? 2 : 1;
  if (modifiers.TakeOneOf({"fence::before_thread_sync", "fence::after_thread_sync"}) >= 0) {
    WARPYARD_RETURN_IF_ERROR(modifiers.Done());
    instruction->operation_class = OperationClass::kFence;
    instruction->handler = Nothing;
    context.SetRows(instruction, {}, {});
    return absl::OkStatus();
  }
  const int wait = modifiers.TakeOneOf({"wait::ld", "wait::st"});
  if (wait >= 0) {
    if (!modifiers.Take("sync") || !modifiers.Take("aligned")) return modifiers.Unsupported();
    WARPYARD_RETURN_IF_ERROR(modifiers.Done());
    instruction->handler = wait == 0 ? WaitLoads : WaitStores;
    context.SetRows(instruction, {}, {});
    return absl::OkStatus();
  }
  const int allocation = modifiers.TakeOneOf({"alloc", "dealloc", "relinquish_alloc_permit"});
  if (allocation >= 0) {
    return DecodeAllocation(context, syntax, modifiers, allocation, instruction);
  }
  if (modifiers.Take("ld")) return DecodeTransfer(context, syntax, modifiers, true, instruction);
  if (modifiers.Take("st")) return DecodeTransfer(context, syntax, modifiers, false, instruction);
  if (modifiers.Take("mma")) return DecodeMma(context, syntax, modifiers, blocks, instruction);
  if (modifiers.Take("commit")) return DecodeCommit(context, syntax, modifiers, instruction);
  if (modifiers.Take("cp")) return DecodeCopy(context, syntax, modifiers, blocks, instruction);
  if (modifiers.Take("shift") && modifiers.Take("down")) {
    WARPYARD_RETURN_IF_ERROR(modifiers.Done());
    WARPYARD_RETURN_IF_ERROR(ExpectOperands(syntax, 1));
    CopyDetail detail;
    WARPYARD_ASSIGN_OR_RETURN(detail.to,
                              context.MemoryOperand(syntax.operands[0], StateSpace::kNone));
    instruction->handler = StartShift;
    instruction->detail = context.program().Keep(detail);
    context.SetRows(instruction, {}, {});
    return absl::OkStatus();
  }
  return modifiers.Unsupported();
}

constexpr Operation kOperations[] = {{"tcgen05", DecodeTcgen05}};

}  // namespace

int RegistersOf(TensorShape shape) {
  switch (shape) {
    case TensorShape::k16x128b:
      return 2;
    case TensorShape::k16x256b:
      return 4;
    default:
      return 1;
  }
}

TensorCell CellOf(TensorShape shape, int thread, int reg, uint32_t split) {
  const auto t = static_cast<uint32_t>(thread), r = static_cast<uint32_t>(reg);
  switch (shape) {
    case TensorShape::k32x32b:
      return {t, r};
    case TensorShape::k16x64b:
      return {t / 4 + t % 2 * 8, t / 2 % 2 + r * 2};
    case TensorShape::k16x128b:
      return {t / 4 + r % 2 * 8, t % 4 + r / 2 * 4};
    case TensorShape::k16x256b:
      return {t / 4 + r / 2 % 2 * 8, t % 4 * 2 + r % 2 + r / 4 * 8};
    case TensorShape::k16x32bx2:
      return {t % 16, r + t / 16 * split};
  }
  return {0, 0};
}

absl::Span<const Operation> Tcgen05Operations() { return kOperations; }

}  // namespace warpyard::emulator
