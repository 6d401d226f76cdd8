// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
#include "cc/emulator/operations/tensor_copy.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/types/span.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/execution/address.h"
#include "cc/emulator/execution/block.h"
#include "cc/emulator/execution/tensor_map.h"
#include "cc/emulator/execution/warp.h"
#include "cc/emulator/operations/async_engine.h"
#include "cc/emulator/operations/bulk_copy.h"
#include "cc/emulator/operations/bulk_reduce.h"
#include "cc/emulator/operations/decode_support.h"
#include "cc/emulator/operations/lane_address.h"
#include "cc/emulator/operations/mbarrier.h"
#include "cc/emulator/operations/swizzle.h"
#include "cc/emulator/operations/tensor_box.h"
#include "cc/emulator/program/decoder.h"
#include "cc/emulator/program/program.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {
namespace {

using syntax::Operand;
using syntax::ScalarType;
using syntax::StateSpace;

enum class Traversal : uint8_t { kTile, kGather4, kIm2col };

// Rows: coordinates, then offsets of im2col, then the mask of blocks.
struct TensorDetail {
  bool load = false;
  bool prefetch = false;
  Traversal traversal = Traversal::kTile;
  int coordinates = 0;
  int offsets = 0;
  bool multicast = false;
  bool two_blocks = false;  // .cta_group::2
  Address shared, map, barrier;
  std::optional<BulkOperator> op;
};

// A box with the host memory behind its rows.
struct Transfer {
  TensorMap map;
  Box box;
  std::vector<std::byte*> memory;  // per row; null where nothing of it is inside
};

std::optional<ScalarType> ReductionType(TensorElement element, BulkOperator op) {
  const int bits = ElementBits(element);
  if (op >= BulkOperator::kAnd) {
    if (bits == 32) return ScalarType::kB32;
    if (bits == 64) return ScalarType::kB64;
    return std::nullopt;
  }
  switch (element) {
    case TensorElement::kUint32:
      return ScalarType::kU32;
    case TensorElement::kInt32:
      return ScalarType::kS32;
    case TensorElement::kUint64:
      return ScalarType::kU64;
    case TensorElement::kInt64:
      return ScalarType::kS64;
    case TensorElement::kFloat16:
      return ScalarType::kF16;
    case TensorElement::kBfloat16:
      return ScalarType::kBf16;
    case TensorElement::kFloat32:
    case TensorElement::kFloat32Ftz:
      return ScalarType::kF32;
    case TensorElement::kFloat64:
      return ScalarType::kF64;
    default:
      return std::nullopt;
  }
}

// The box that a lane names, its rows checked for bounds; null after a fault.
std::shared_ptr<Transfer> FindTransfer(Warp& warp, const Instruction& instruction,
                                       const TensorDetail& detail, int lane) {
  const std::byte* bytes =
      warp.Access(instruction, lane, StateSpace::kNone, AddressOf(warp, detail.map, lane),
                  sizeof(TensorMap), 1, AccessKind::kRead);
  if (bytes == nullptr) return nullptr;
  auto transfer = std::make_shared<Transfer>();
  std::memcpy(&transfer->map, bytes, sizeof(TensorMap));
  int32_t coordinates[kMaxTensorRank];
  for (int i = 0; i < detail.coordinates; ++i) {
    coordinates[i] = warp.Row<int32_t>(instruction.row(i))[lane];
  }
  uint32_t offsets[3] = {};
  for (int i = 0; i < detail.offsets; ++i) {
    offsets[i] = warp.Row<uint32_t>(instruction.row(detail.coordinates + i))[lane] & 0xffff;
  }
  const absl::Span<const int32_t> at(coordinates, static_cast<size_t>(detail.coordinates));
  const bool no_offsets = detail.offsets == 0;
  absl::StatusOr<Box> box =
      detail.traversal == Traversal::kTile ? TiledBox(transfer->map, at)
      : detail.traversal == Traversal::kGather4
          ? GatherBox(transfer->map, at)
          : Im2colBox(
                transfer->map, at,
                absl::Span<const uint32_t>(offsets, no_offsets ? at.size() - 2 : detail.offsets));
  if (!box.ok()) {
    warp.RaiseFault(instruction, lane,
                    box.status().code() == absl::StatusCode::kUnimplemented
                        ? FaultKind::kUnsupported
                        : FaultKind::kIllegalInstruction,
                    absl::StrFormat("tensor map at 0x%x: %s", AddressOf(warp, detail.map, lane),
                                    box.status().message()));
    return nullptr;
  }
  transfer->box = *std::move(box);
  const AccessKind kind = detail.load             ? AccessKind::kRead
                          : detail.op.has_value() ? AccessKind::kAtomic
                                                  : AccessKind::kWrite;
  const int bits = ElementBits(transfer->map.element);
  transfer->memory.reserve(transfer->box.rows.size());
  for (const BoxRow& row : transfer->box.rows) {
    std::byte* memory = nullptr;
    if (row.count != 0) {
      memory = warp.Access(instruction, lane, StateSpace::kGlobal, row.address,
                           row.count * static_cast<uint32_t>(bits) / 8, 1, kind, Proxy::kAsync);
      if (memory == nullptr) return nullptr;
    }
    transfer->memory.push_back(memory);
  }
  return transfer;
}

// Moves a row between `row` and shared memory, in the swizzle's steps. `shared` is
// the host memory behind the shared address `address` of the box's first byte.
template <bool kToShared>
void MoveRow(const TensorMap& map, uint32_t address, std::byte* shared, uint32_t offset,
             uint8_t* row, uint32_t bytes) {
  const uint32_t atom = SwizzleAtom(map.swizzle);
  for (uint32_t at = 0; at < bytes; at += atom) {
    const uint32_t place = SwizzledAddress(map.swizzle, address + offset + at) - address;
    const uint32_t size = std::min(atom, bytes - at);
    if constexpr (kToShared) {
      std::memcpy(shared + static_cast<int32_t>(place), row + at, size);
    } else {
      std::memcpy(row + at, shared + static_cast<int32_t>(place), size);
    }
  }
}

constexpr uint32_t kMaxRowBytes = 256 * 8;

void WriteShared(const Transfer& transfer, uint32_t address, std::byte* shared) {
  const Box& box = transfer.box;
  const TensorElement element = transfer.map.element;
  const int bits = ElementBits(element);
  const auto row_bytes = static_cast<uint32_t>(BoxRowBytes(element, box.row_elements));
  uint8_t global[kMaxRowBytes], row[kMaxRowBytes];
  for (size_t i = 0; i < box.rows.size(); ++i) {
    const BoxRow& part = box.rows[i];
    if (part.count != box.row_elements) FillOutside(transfer.map, global, box.row_bytes);
    if (part.count != 0) {
      std::memcpy(global + part.first * static_cast<uint32_t>(bits) / 8, transfer.memory[i],
                  part.count * static_cast<uint32_t>(bits) / 8);
    }
    ToSharedRow(element, global, box.row_elements, row);
    MoveRow<true>(transfer.map, address, shared, static_cast<uint32_t>(i) * box.pitch, row,
                  row_bytes);
  }
}

// Takes the box from shared memory: rows as global memory has them, side by side.
std::vector<uint8_t> ReadShared(const Transfer& transfer, uint32_t address, std::byte* shared) {
  const Box& box = transfer.box;
  const TensorElement element = transfer.map.element;
  const auto row_bytes = static_cast<uint32_t>(BoxRowBytes(element, box.row_elements));
  std::vector<uint8_t> data(box.row_bytes * box.rows.size());
  uint8_t row[kMaxRowBytes];
  for (size_t i = 0; i < box.rows.size(); ++i) {
    MoveRow<false>(transfer.map, address, shared, static_cast<uint32_t>(i) * box.pitch, row,
                   row_bytes);
    ToGlobalRow(element, row, box.row_elements, data.data() + i * box.row_bytes);
  }
  return data;
}

void WriteGlobal(const Transfer& transfer, const std::vector<uint8_t>& data,
                 const std::optional<BulkOperator>& op, ScalarType type) {
  const Box& box = transfer.box;
  const int bits = ElementBits(transfer.map.element);
  for (size_t i = 0; i < box.rows.size(); ++i) {
    const BoxRow& part = box.rows[i];
    if (part.count == 0) continue;
    const uint8_t* from =
        data.data() + i * box.row_bytes + part.first * static_cast<uint32_t>(bits) / 8;
    const uint32_t bytes = part.count * static_cast<uint32_t>(bits) / 8;
    if (op.has_value()) {
      Reduce(*op, type, transfer.memory[i], reinterpret_cast<const std::byte*>(from), bytes);
    } else {
      std::memcpy(transfer.memory[i], from, bytes);
    }
  }
}

bool CheckShared(Warp& warp, const Instruction& instruction, int lane, uint32_t shared) {
  if (shared % 128 == 0) return true;
  warp.RaiseFault(instruction, lane, FaultKind::kMisalignedAddress,
                  absl::StrFormat("tensor copy: the shared address is 0x%x, expected a multiple "
                                  "of 128",
                                  shared & kSharedOffsetMask));
  return false;
}

bool StartLoad(Warp& warp, const Instruction& instruction, const TensorDetail& detail, int lane,
               const std::shared_ptr<Transfer>& transfer, uint32_t to) {
  uint32_t barrier;
  if (!ToShared(AddressOf(warp, detail.barrier, lane), &barrier)) {
    warp.RaiseFault(instruction, lane, FaultKind::kInvalidAddressSpace,
                    "tensor copy: the mbarrier must be in shared memory");
    return false;
  }
  const auto bytes = static_cast<uint32_t>(transfer->box.shared_bytes());
  uint32_t blocks = uint32_t{1} << (to >> kClusterRankShift & 31);
  if (detail.multicast) {
    blocks = warp.Row<uint32_t>(instruction.row(detail.coordinates + detail.offsets))[lane];
    blocks &= 0xffff;
  }
  return ForEachLane(blocks, [&](int index) {
    const auto rank = static_cast<uint32_t>(index);
    const uint32_t there = detail.multicast ? InBlock(to, rank) : to;
    uint32_t signal = barrier;
    if (detail.multicast) {
      // With .cta_group::2 the barrier is in the block of the pair that the given
      // one is in: even or odd.
      const uint32_t even_or_odd = barrier >> kClusterRankShift & 1;
      signal = InBlock(barrier, detail.two_blocks ? (rank & ~1u) | even_or_odd : rank);
    }
    std::byte* memory = warp.Access(instruction, lane, StateSpace::kShared, there, bytes, 16,
                                    AccessKind::kWrite, Proxy::kAsync);
    if (memory == nullptr) return false;
    const BarrierPlace place = FindBarrier(warp, instruction, lane, signal);
    if (place.memory == nullptr) return false;
    std::memset(memory, kPoison, bytes);
    AsyncEngine::Of(*place.block).AddForBarrier(place.memory, [transfer, there, memory, place] {
      WriteShared(*transfer, there, memory);
      UpdateBarrier(*place.block, place.memory, 0,
                    -static_cast<int64_t>(transfer->box.transaction_bytes()));
    });
    return true;
  });
}

bool StartStore(Warp& warp, const Instruction& instruction, const TensorDetail& detail, int lane,
                const std::shared_ptr<Transfer>& transfer, uint32_t from) {
  ScalarType type = ScalarType::kNone;
  if (detail.op.has_value()) {
    const auto found = ReductionType(transfer->map.element, *detail.op);
    if (!found.has_value()) {
      warp.RaiseFault(
          instruction, lane, FaultKind::kIllegalInstruction,
          absl::StrCat("tensor reduction: the tensor map's element type ",
                       static_cast<int>(transfer->map.element), " does not have this operation"));
      return false;
    }
    type = *found;
  }
  std::byte* memory = warp.Access(instruction, lane, StateSpace::kShared, from,
                                  static_cast<uint32_t>(transfer->box.shared_bytes()), 16,
                                  AccessKind::kRead, Proxy::kAsync);
  if (memory == nullptr) return false;
  auto data = std::make_shared<std::vector<uint8_t>>();
  BulkOperation operation;
  operation.read = [=] { *data = ReadShared(*transfer, from, memory); };
  operation.write = [=, op = detail.op] { WriteGlobal(*transfer, *data, op, type); };
  AsyncEngine::Of(warp.block()).AddToGroup(warp, lane, std::move(operation));
  return true;
}

Next StartTensorCopy(Warp& warp, const Instruction& instruction, uint32_t mask) {
  const auto& detail = *static_cast<const TensorDetail*>(instruction.detail);
  const bool fine = ForEachLane(mask, [&](int lane) {
    const auto transfer = FindTransfer(warp, instruction, detail, lane);
    if (transfer == nullptr) return false;
    if (detail.prefetch) return true;
    uint32_t shared;
    if (!ToShared(AddressOf(warp, detail.shared, lane), &shared)) {
      warp.RaiseFault(instruction, lane, FaultKind::kInvalidAddressSpace,
                      "tensor copy: the box must be in shared memory");
      return false;
    }
    if (!CheckShared(warp, instruction, lane, shared)) return false;
    return detail.load ? StartLoad(warp, instruction, detail, lane, transfer, shared)
                       : StartStore(warp, instruction, detail, lane, transfer, shared);
  });
  return fine ? Next::kAdvance : Next::kFault;
}

// --- tensormap ---

struct ReplaceDetail {
  Address map;
  StateSpace space = StateSpace::kNone;
  std::string_view field;
  int index = 0;
  bool wide = false;
  bool sixteenths = false;  // a stride without its four lowest bits (ISA before 8.5)
};

Next ReplaceInMap(Warp& warp, const Instruction& instruction, uint32_t mask) {
  const auto& detail = *static_cast<const ReplaceDetail*>(instruction.detail);
  const bool fine = ForEachLane(mask, [&](int lane) {
    std::byte* bytes =
        warp.Access(instruction, lane, detail.space, AddressOf(warp, detail.map, lane),
                    sizeof(TensorMap), 64, AccessKind::kWrite);
    if (bytes == nullptr) return false;
    uint64_t value = detail.wide ? warp.Row<uint64_t>(instruction.row(0))[lane]
                                 : warp.Row<uint32_t>(instruction.row(0))[lane];
    if (detail.sixteenths) value <<= 4;
    TensorMap map;
    std::memcpy(&map, bytes, sizeof(map));
    const absl::Status status = ReplaceField(map, detail.field, detail.index, value);
    if (!status.ok()) {
      warp.RaiseFault(instruction, lane, FaultKind::kIllegalInstruction,
                      std::string(status.message()));
      return false;
    }
    std::memcpy(bytes, &map, sizeof(map));
    return true;
  });
  return fine ? Next::kAdvance : Next::kFault;
}

struct FenceCopyDetail {
  Address destination, source;
};

// tensormap.cp_fenceproxy: copies a map from shared to global memory.
Next CopyMap(Warp& warp, const Instruction& instruction, uint32_t mask) {
  if (!warp.Arrived(mask, 0xffffffffu)) return Next::kWait;
  const auto& detail = *static_cast<const FenceCopyDetail*>(instruction.detail);
  const int lane = std::countr_zero(mask);
  std::byte* to =
      warp.Access(instruction, lane, StateSpace::kGlobal, AddressOf(warp, detail.destination, lane),
                  sizeof(TensorMap), 128, AccessKind::kWrite);
  if (to == nullptr) return Next::kFault;
  const std::byte* from =
      warp.Access(instruction, lane, StateSpace::kShared, AddressOf(warp, detail.source, lane),
                  sizeof(TensorMap), 128, AccessKind::kRead);
  if (from == nullptr) return Next::kFault;
  std::memcpy(to, from, sizeof(TensorMap));
  return Next::kAdvance;
}

absl::Status DecodeFenceCopy(DecodeContext& context, const syntax::Instruction& syntax,
                             Instruction* instruction) {
  FenceCopyDetail detail;
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(syntax, 3));
  WARPYARD_ASSIGN_OR_RETURN(detail.destination,
                            context.MemoryOperand(syntax.operands[0], StateSpace::kGlobal));
  WARPYARD_ASSIGN_OR_RETURN(detail.source,
                            context.MemoryOperand(syntax.operands[1], StateSpace::kShared));
  instruction->handler = CopyMap;
  instruction->operation_class = OperationClass::kAsyncCopy;
  instruction->detail = context.program().Keep(detail);
  context.SetRows(instruction, {}, {});
  return absl::OkStatus();
}

absl::Status DecodeTensorMap(DecodeContext& context, const syntax::Instruction& syntax,
                             Instruction* instruction) {
  Modifiers modifiers(syntax);
  if (modifiers.Take("cp_fenceproxy")) return DecodeFenceCopy(context, syntax, instruction);
  if (!modifiers.Take("replace") || !modifiers.Take("tile") || !modifiers.Take("b1024")) {
    return modifiers.Unsupported();
  }
  ReplaceDetail detail;
  if (modifiers.Take("shared::cta") || modifiers.Take("shared")) {
    detail.space = StateSpace::kShared;
  } else if (modifiers.Take("global")) {
    detail.space = StateSpace::kGlobal;
  }
  constexpr std::string_view kFields[] = {
      "global_address", "rank",     "box_dim",           "global_dim",   "global_stride",
      "element_stride", "elemtype", "interleave_layout", "swizzle_mode", "swizzle_atomicity",
      "fill_mode"};
  for (std::string_view field : kFields) {
    if (modifiers.Take(field)) detail.field = field;
  }
  if (detail.field.empty()) return modifiers.Unsupported();
  detail.wide = modifiers.Take("b64");
  if (!detail.wide) modifiers.Take("b32");
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  const bool indexed = detail.field == "box_dim" || detail.field == "global_dim" ||
                       detail.field == "global_stride" || detail.field == "element_stride";
  detail.sixteenths = detail.field == "global_stride" && context.isa() < 85;
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(syntax, indexed ? 3 : 2));
  WARPYARD_ASSIGN_OR_RETURN(detail.map, context.MemoryOperand(syntax.operands[0], detail.space));
  if (indexed) {
    WARPYARD_ASSIGN_OR_RETURN(const int64_t index, context.Immediate(syntax.operands[1]));
    detail.index = static_cast<int>(index);
  }
  WARPYARD_ASSIGN_OR_RETURN(
      const RowRef value,
      context.Source(syntax.operands.back(), detail.wide ? ScalarType::kB64 : ScalarType::kB32));
  instruction->handler = ReplaceInMap;
  instruction->operation_class = OperationClass::kAsyncCopy;
  instruction->detail = context.program().Keep(detail);
  context.SetRows(instruction, {}, {value});
  return absl::OkStatus();
}

constexpr Operation kOperations[] = {{"tensormap", DecodeTensorMap}};

}  // namespace

absl::Span<const Operation> TensorMapOperations() { return kOperations; }

absl::Status DecodeTensorCopy(DecodeContext& context, const syntax::Instruction& syntax,
                              Modifiers& modifiers, bool reduce, Instruction* instruction) {
  TensorDetail detail;
  const bool hint = modifiers.Take("L2::cache_hint");
  const int rank = 1 + modifiers.TakeOneOf({"1d", "2d", "3d", "4d", "5d"});
  if (rank == 0) return modifiers.Unsupported();
  detail.prefetch = modifiers.Take("prefetch");
  const bool to_global = modifiers.Take("bulk_group");
  detail.load = !to_global;
  bool known = modifiers.Take("global");
  if (detail.prefetch) {
    known = known && modifiers.Take("L2");
  } else if (to_global) {
    known = known && modifiers.Take("shared::cta");
  } else {
    known = known && modifiers.TakeOneOf({"shared::cluster", "shared::cta"}) >= 0 &&
            modifiers.Take("mbarrier::complete_tx::bytes");
  }
  if (!known) return modifiers.Unsupported();
  switch (modifiers.TakeOneOf(
      {"tile", "tile::gather4", "tile::scatter4", "im2col", "im2col_no_offs"})) {
    case 1:
    case 2:
      detail.traversal = Traversal::kGather4;
      break;
    case 3:
    case 4:
      detail.traversal = Traversal::kIm2col;
      break;
    default:
      break;
  }
  detail.multicast = modifiers.Take("multicast::cluster");
  detail.two_blocks = modifiers.TakeOneOf({"cta_group::1", "cta_group::2"}) == 1;
  if (reduce) {
    const int op = modifiers.TakeOneOf({"add", "min", "max", "inc", "dec", "and", "or", "xor"});
    if (op < 0) return modifiers.Unsupported();
    detail.op = static_cast<BulkOperator>(op);
    if (*detail.op == BulkOperator::kAdd) context.function().order_sensitive = true;
  }
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());

  const bool has_offsets = detail.traversal == Traversal::kIm2col && detail.load;
  const size_t expected = (detail.prefetch ? 1u
                           : to_global     ? 2u
                                           : 3u) +
                          (has_offsets ? 1 : 0) + (detail.multicast ? 1 : 0) + (hint ? 1 : 0);
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(syntax, expected));
  const size_t map_at = to_global || detail.prefetch ? 0 : 1;
  const Operand& tensor = syntax.operands[map_at];
  if (tensor.kind != Operand::Kind::kTensor || tensor.elements.size() != 2) {
    return absl::InvalidArgumentError("tensor copy: expected [tensor map, {coordinates}]");
  }
  WARPYARD_ASSIGN_OR_RETURN(detail.map, context.MemoryOperand(tensor, StateSpace::kNone));
  WARPYARD_ASSIGN_OR_RETURN(std::vector<RowRef> sources,
                            context.Sources(tensor.elements[1], ScalarType::kS32));
  detail.coordinates = static_cast<int>(sources.size());
  const int wanted = detail.traversal == Traversal::kGather4 ? 5 : rank;
  if (detail.coordinates != wanted) {
    return absl::InvalidArgumentError(
        absl::StrCat("tensor copy: ", detail.coordinates, " coordinates, expected ", wanted));
  }
  if (!detail.prefetch) {
    WARPYARD_ASSIGN_OR_RETURN(
        detail.shared, context.MemoryOperand(syntax.operands[1 - map_at], StateSpace::kShared));
  }
  size_t next = detail.prefetch ? 1 : 2;
  if (!detail.prefetch && !to_global) {
    WARPYARD_ASSIGN_OR_RETURN(detail.barrier,
                              context.MemoryOperand(syntax.operands[next++], StateSpace::kShared));
  }
  if (has_offsets) {
    WARPYARD_ASSIGN_OR_RETURN(const std::vector<RowRef> offsets,
                              context.Sources(syntax.operands[next++], ScalarType::kU16));
    detail.offsets = static_cast<int>(offsets.size());
    if (detail.offsets != rank - 2) {
      return absl::InvalidArgumentError(
          absl::StrCat("tensor copy: ", detail.offsets, " im2col offsets, expected ", rank - 2));
    }
    sources.insert(sources.end(), offsets.begin(), offsets.end());
  }
  if (detail.multicast) {
    WARPYARD_ASSIGN_OR_RETURN(const RowRef mask,
                              context.Source(syntax.operands[next++], ScalarType::kB16));
    sources.push_back(mask);
  }
  instruction->handler = StartTensorCopy;
  instruction->operation_class = OperationClass::kAsyncCopy;
  instruction->detail = context.program().Keep(detail);
  context.SetRows(instruction, {}, sources);
  return absl::OkStatus();
}

}  // namespace warpyard::emulator
