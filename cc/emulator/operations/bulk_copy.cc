// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
#include "cc/emulator/operations/bulk_copy.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/execution/address.h"
#include "cc/emulator/execution/block.h"
#include "cc/emulator/execution/warp.h"
#include "cc/emulator/operations/async_engine.h"
#include "cc/emulator/operations/bulk_reduce.h"
#include "cc/emulator/operations/decode_support.h"
#include "cc/emulator/operations/lane_address.h"
#include "cc/emulator/operations/mbarrier.h"
#include "cc/emulator/program/decoder.h"
#include "cc/emulator/program/program.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {
namespace {

using syntax::ScalarType;
using syntax::StateSpace;

enum class Direction : uint8_t { kGlobalToShared, kSharedToShared, kSharedToGlobal };

// Rows: size, then the mask of blocks or of bytes where there is one.
struct BulkDetail {
  Direction direction = Direction::kGlobalToShared;
  Address destination, source, barrier;
  bool multicast = false;
  bool byte_mask = false;
  std::optional<BulkOperator> op;
  ScalarType type = ScalarType::kNone;
};

void Combine(const BulkDetail& detail, std::byte* to, const std::byte* from, uint32_t bytes) {
  if (detail.op.has_value()) {
    Reduce(*detail.op, detail.type, to, from, bytes);
  } else {
    std::memcpy(to, from, bytes);
  }
}

bool StartToShared(Warp& warp, const Instruction& instruction, const BulkDetail& detail, int lane,
                   const std::byte* from, uint32_t bytes) {
  uint32_t to, barrier;
  if (!ToShared(AddressOf(warp, detail.destination, lane), &to) ||
      !ToShared(AddressOf(warp, detail.barrier, lane), &barrier)) {
    warp.RaiseFault(instruction, lane, FaultKind::kInvalidAddressSpace,
                    "cp.async.bulk: destination and mbarrier must be in shared memory");
    return false;
  }
  uint32_t blocks = uint32_t{1} << (to >> kClusterRankShift & 31);
  if (detail.multicast) blocks = warp.Row<uint32_t>(instruction.row(1))[lane] & 0xffff;
  return ForEachLane(blocks, [&](int rank) {
    const uint32_t there = InBlock(to, static_cast<uint32_t>(rank));
    std::byte* memory = warp.Access(instruction, lane, StateSpace::kShared, there, bytes, 16,
                                    AccessKind::kWrite, Proxy::kAsync);
    if (memory == nullptr) return false;
    const BarrierPlace place =
        FindBarrier(warp, instruction, lane,
                    detail.multicast ? InBlock(barrier, static_cast<uint32_t>(rank)) : barrier);
    if (place.memory == nullptr) return false;
    if (!detail.op.has_value()) std::memset(memory, kPoison, bytes);
    AsyncEngine::Of(*place.block).AddForBarrier(place.memory, [=, &detail] {
      Combine(detail, memory, from, bytes);
      UpdateBarrier(*place.block, place.memory, 0, -int64_t{bytes});
    });
    return true;
  });
}

bool StartOne(Warp& warp, const Instruction& instruction, const BulkDetail& detail, int lane) {
  const uint32_t bytes = warp.Row<uint32_t>(instruction.row(0))[lane];
  if (bytes % 16 != 0) {
    warp.RaiseFault(
        instruction, lane, FaultKind::kIllegalInstruction,
        absl::StrCat("cp.async.bulk: the size is ", bytes, ", expected a multiple of 16"));
    return false;
  }
  const bool from_global = detail.direction == Direction::kGlobalToShared;
  const std::byte* from = warp.Access(
      instruction, lane, from_global ? StateSpace::kGlobal : StateSpace::kShared,
      AddressOf(warp, detail.source, lane), bytes, 16, AccessKind::kRead, Proxy::kAsync);
  if (from == nullptr) return false;
  if (detail.direction != Direction::kSharedToGlobal) {
    return StartToShared(warp, instruction, detail, lane, from, bytes);
  }
  std::byte* to = warp.Access(
      instruction, lane, StateSpace::kGlobal, AddressOf(warp, detail.destination, lane), bytes, 16,
      detail.op.has_value() ? AccessKind::kAtomic : AccessKind::kWrite, Proxy::kAsync);
  if (to == nullptr) return false;
  const uint32_t mask =
      detail.byte_mask ? warp.Row<uint32_t>(instruction.row(1))[lane] & 0xffff : 0xffff;
  auto data = std::make_shared<std::vector<std::byte>>();
  BulkOperation operation;
  operation.read = [=] { data->assign(from, from + bytes); };
  operation.write = [=, &detail] {
    if (mask == 0xffff) return Combine(detail, to, data->data(), bytes);
    for (uint32_t i = 0; i < bytes; ++i) {
      if ((mask >> (i % 16) & 1) != 0) to[i] = (*data)[i];
    }
  };
  AsyncEngine::Of(warp.block()).AddToGroup(warp, lane, std::move(operation));
  return true;
}

Next StartBulkCopy(Warp& warp, const Instruction& instruction, uint32_t mask) {
  const auto& detail = *static_cast<const BulkDetail*>(instruction.detail);
  return ForEachLane(mask, [&](int lane) { return StartOne(warp, instruction, detail, lane); })
             ? Next::kAdvance
             : Next::kFault;
}

Next Nothing(Warp&, const Instruction&, uint32_t) { return Next::kAdvance; }

Next CommitBulkGroup(Warp& warp, const Instruction& instruction, uint32_t mask) {
  AsyncEngine& engine = AsyncEngine::Of(warp.block());
  ForEachLane(mask, [&](int lane) {
    engine.CommitGroup(warp, lane);
    return true;
  });
  return Next::kAdvance;
}

Next WaitBulkGroups(Warp& warp, const Instruction& instruction, uint32_t mask) {
  AsyncEngine& engine = AsyncEngine::Of(warp.block());
  ForEachLane(mask, [&](int lane) {
    engine.WaitGroups(warp, lane, instruction.immediate, instruction.flags != 0);
    return true;
  });
  return Next::kAdvance;
}

// --- st.async, red.async ---

// Rows: the values.
struct StoreDetail {
  Address destination, barrier;
  uint32_t word_bytes = 4;
  int words = 1;
  std::optional<BulkOperator> op;
  ScalarType type = ScalarType::kNone;
};

Next StartAsyncStore(Warp& warp, const Instruction& instruction, uint32_t mask) {
  const auto& detail = *static_cast<const StoreDetail*>(instruction.detail);
  const uint32_t bytes = detail.word_bytes * static_cast<uint32_t>(detail.words);
  const bool fine = ForEachLane(mask, [&](int lane) {
    uint32_t to;
    if (!ToShared(AddressOf(warp, detail.destination, lane), &to)) {
      warp.RaiseFault(instruction, lane, FaultKind::kInvalidAddressSpace,
                      "the destination must be in shared memory");
      return false;
    }
    std::byte* memory = warp.Access(
        instruction, lane, StateSpace::kShared, to, bytes, bytes,
        detail.op.has_value() ? AccessKind::kAtomic : AccessKind::kWrite, Proxy::kAsync);
    if (memory == nullptr) return false;
    const BarrierPlace place =
        FindBarrier(warp, instruction, lane, AddressOf(warp, detail.barrier, lane));
    if (place.memory == nullptr) return false;
    std::vector<std::byte> values(bytes);
    for (int i = 0; i < detail.words; ++i) {
      const RowRef row = instruction.row(i);
      std::memcpy(values.data() + static_cast<uint32_t>(i) * detail.word_bytes,
                  detail.word_bytes == 8 ? static_cast<const void*>(warp.Row<uint64_t>(row) + lane)
                                         : static_cast<const void*>(warp.Row<uint32_t>(row) + lane),
                  detail.word_bytes);
    }
    if (!detail.op.has_value()) std::memset(memory, kPoison, bytes);
    AsyncEngine::Of(*place.block)
        .AddForBarrier(place.memory, [memory, bytes, place, values = std::move(values), &detail] {
          if (detail.op.has_value()) {
            Reduce(*detail.op, detail.type, memory, values.data(), bytes);
          } else {
            std::memcpy(memory, values.data(), bytes);
          }
          UpdateBarrier(*place.block, place.memory, 0, -int64_t{bytes});
        });
    return true;
  });
  return fine ? Next::kAdvance : Next::kFault;
}

absl::Status DecodeGroup(DecodeContext& context, const syntax::Instruction& syntax,
                         Modifiers& modifiers, bool commit, Instruction* instruction) {
  instruction->flags = modifiers.Take("read") ? 1 : 0;
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(syntax, commit ? 0 : 1));
  instruction->handler = commit ? CommitBulkGroup : WaitBulkGroups;
  if (!commit) {
    WARPYARD_ASSIGN_OR_RETURN(const int64_t pending, context.Immediate(syntax.operands[0]));
    if (pending < 0) return absl::InvalidArgumentError("cp.async.bulk.wait_group: negative count");
    instruction->immediate = static_cast<uint64_t>(pending);
  }
  context.SetRows(instruction, {}, {});
  return absl::OkStatus();
}

}  // namespace

absl::Status DecodeBulkCopy(DecodeContext& context, const syntax::Instruction& syntax,
                            Modifiers& modifiers, bool reduce, Instruction* instruction) {
  instruction->operation_class = OperationClass::kAsyncCopy;
  const int group = modifiers.TakeOneOf({"commit_group", "wait_group"});
  if (group >= 0) return DecodeGroup(context, syntax, modifiers, group == 0, instruction);
  const bool hint = modifiers.Take("L2::cache_hint");
  if (modifiers.Take("prefetch")) {
    if (!modifiers.Take("L2") || !modifiers.Take("global")) return modifiers.Unsupported();
    WARPYARD_RETURN_IF_ERROR(modifiers.Done());
    instruction->handler = Nothing;
    context.SetRows(instruction, {}, {});
    return absl::OkStatus();
  }
  BulkDetail detail;
  // Destination and source, in this order.
  const auto& words = syntax.modifiers;
  std::vector<bool> shared;
  for (std::string_view word : words) {
    if (word == "global") shared.push_back(false);
    if (word == "shared::cluster" || word == "shared::cta") shared.push_back(true);
  }
  if (shared.size() != 2 || (!shared[0] && !shared[1])) return modifiers.Unsupported();
  detail.direction = !shared[0]  ? Direction::kSharedToGlobal
                     : shared[1] ? Direction::kSharedToShared
                                 : Direction::kGlobalToShared;
  for (const char* word : {"global", "shared::cluster", "shared::cta", "shared::cta"}) {
    modifiers.Take(word);
  }
  const bool to_global = detail.direction == Direction::kSharedToGlobal;
  if (!modifiers.Take(to_global ? "bulk_group" : "mbarrier::complete_tx::bytes")) {
    return modifiers.Unsupported();
  }
  detail.multicast = modifiers.Take("multicast::cluster");
  detail.byte_mask = modifiers.Take("cp_mask");
  if (reduce) {
    modifiers.Take("noftz");
    const int op = modifiers.TakeOneOf({"add", "min", "max", "inc", "dec", "and", "or", "xor"});
    detail.type = modifiers.TakeType();
    if (op < 0 || !CanReduce(static_cast<BulkOperator>(op), detail.type)) {
      return modifiers.Unsupported();
    }
    detail.op = static_cast<BulkOperator>(op);
    const bool floating = IsFloat(detail.type);
    if (to_global && floating && *detail.op == BulkOperator::kAdd) {
      context.function().order_sensitive = true;
    }
  }
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  const size_t expected = (to_global ? 3u : 4u) + (detail.multicast ? 1 : 0) +
                          (detail.byte_mask ? 1 : 0) + (hint ? 1 : 0);
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(syntax, expected));
  WARPYARD_ASSIGN_OR_RETURN(
      detail.destination,
      context.MemoryOperand(syntax.operands[0],
                            to_global ? StateSpace::kGlobal : StateSpace::kShared));
  WARPYARD_ASSIGN_OR_RETURN(
      detail.source,
      context.MemoryOperand(syntax.operands[1], detail.direction == Direction::kGlobalToShared
                                                    ? StateSpace::kGlobal
                                                    : StateSpace::kShared));
  std::vector<RowRef> sources;
  WARPYARD_ASSIGN_OR_RETURN(const RowRef size,
                            context.Source(syntax.operands[2], ScalarType::kU32));
  sources.push_back(size);
  if (!to_global) {
    WARPYARD_ASSIGN_OR_RETURN(detail.barrier,
                              context.MemoryOperand(syntax.operands[3], StateSpace::kShared));
  }
  if (detail.multicast) {
    WARPYARD_ASSIGN_OR_RETURN(const RowRef mask,
                              context.Source(syntax.operands[4], ScalarType::kB16));
    sources.push_back(mask);
  } else if (detail.byte_mask) {
    WARPYARD_ASSIGN_OR_RETURN(const RowRef mask,
                              context.Source(syntax.operands[expected - 1], ScalarType::kB16));
    sources.push_back(mask);
  }
  instruction->handler = StartBulkCopy;
  instruction->detail = context.program().Keep(detail);
  context.SetRows(instruction, {}, sources);
  return absl::OkStatus();
}

absl::Status DecodeAsyncStore(DecodeContext& context, const syntax::Instruction& syntax,
                              Instruction* instruction) {
  Modifiers modifiers(syntax);
  StoreDetail detail;
  if (!modifiers.Take("async")) return modifiers.Unsupported();
  modifiers.Take("weak");
  modifiers.Take("relaxed");
  modifiers.Take("cluster");
  if (!modifiers.Take("shared::cluster") || !modifiers.Take("mbarrier::complete_tx::bytes")) {
    return modifiers.Unsupported();
  }
  const int vector = modifiers.TakeOneOf({"v2", "v4"});
  detail.words = vector < 0 ? 1 : 2 << vector;
  if (syntax.opcode == "red") {
    const int op = modifiers.TakeOneOf({"add", "min", "max", "inc", "dec", "and", "or", "xor"});
    if (op < 0) return modifiers.Unsupported();
    detail.op = static_cast<BulkOperator>(op);
  }
  detail.type = modifiers.TakeType();
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  const int bits = syntax::BitWidth(detail.type);
  if ((bits != 32 && bits != 64) ||
      (detail.op.has_value() && !CanReduce(*detail.op, detail.type))) {
    return modifiers.Unsupported();
  }
  detail.word_bytes = static_cast<uint32_t>(bits) / 8;
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(syntax, 3));
  WARPYARD_ASSIGN_OR_RETURN(detail.destination,
                            context.MemoryOperand(syntax.operands[0], StateSpace::kShared));
  WARPYARD_ASSIGN_OR_RETURN(const std::vector<RowRef> values,
                            context.Sources(syntax.operands[1], detail.type));
  WARPYARD_ASSIGN_OR_RETURN(detail.barrier,
                            context.MemoryOperand(syntax.operands[2], StateSpace::kShared));
  if (static_cast<int>(values.size()) != detail.words) {
    return absl::InvalidArgumentError(
        absl::StrCat(syntax.opcode, ".async: ", values.size(), " values, expected ", detail.words));
  }
  instruction->handler = StartAsyncStore;
  instruction->operation_class = OperationClass::kAsyncCopy;
  instruction->detail = context.program().Keep(detail);
  context.SetRows(instruction, {}, values);
  return absl::OkStatus();
}

}  // namespace warpyard::emulator
