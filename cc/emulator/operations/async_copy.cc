// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
#include "cc/emulator/operations/async_copy.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/execution/warp.h"
#include "cc/emulator/operations/async_engine.h"
#include "cc/emulator/operations/bulk_copy.h"
#include "cc/emulator/operations/decode_support.h"
#include "cc/emulator/operations/lane_address.h"
#include "cc/emulator/operations/mbarrier.h"
#include "cc/emulator/operations/tensor_copy.h"
#include "cc/emulator/program/decoder.h"
#include "cc/emulator/program/program.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {
namespace {

using syntax::ScalarType;
using syntax::StateSpace;

// Rows: the size of the source or the predicate that drops it, where there is one.
struct SmallCopyDetail {
  Address destination;
  Address source;
  uint32_t bytes = 0;
  bool has_size = false;
  bool has_ignore = false;
  bool ignore_negated = false;
};

Next StartSmallCopy(Warp& warp, const Instruction& instruction, uint32_t mask) {
  const auto& detail = *static_cast<const SmallCopyDetail*>(instruction.detail);
  SmallCopies& copies = AsyncEngine::Of(warp.block()).small_copies(warp);
  SmallCopy copy;
  copy.mask = mask;
  copy.bytes = detail.bytes;
  copy.group = copies.group;
  const bool fine = ForEachLane(mask, [&](int lane) {
    uint32_t taken = detail.bytes;
    if (detail.has_size) {
      taken = warp.Row<uint32_t>(instruction.row(0))[lane];
      if (taken > detail.bytes) {
        warp.RaiseFault(instruction, lane, FaultKind::kIllegalInstruction,
                        absl::StrCat("cp.async: the source size is ", taken,
                                     ", expected at most the copy's ", detail.bytes));
        return false;
      }
    }
    if (detail.has_ignore &&
        ((warp.Predicate(instruction.row(0)) >> lane & 1) != 0) != detail.ignore_negated) {
      taken = 0;
    }
    std::byte* to = warp.Access(instruction, lane, StateSpace::kShared,
                                AddressOf(warp, detail.destination, lane), detail.bytes,
                                detail.bytes, AccessKind::kWrite);
    if (to == nullptr) return false;
    const std::byte* from = nullptr;
    if (taken != 0) {
      const uint64_t address = AddressOf(warp, detail.source, lane);
      if (address % detail.bytes != 0) {
        warp.RaiseFault(instruction, lane, FaultKind::kMisalignedAddress,
                        absl::StrCat("cp.async: the source must be aligned to ", detail.bytes));
        return false;
      }
      from =
          warp.Access(instruction, lane, StateSpace::kGlobal, address, taken, 1, AccessKind::kRead);
      if (from == nullptr) return false;
    }
    std::memset(to, kPoison, detail.bytes);
    copy.destination[lane] = to;
    copy.source[lane] = from;
    copy.source_bytes[lane] = static_cast<uint8_t>(taken);
    return true;
  });
  if (!fine) return Next::kFault;
  copies.copies.push_back(copy);
  return Next::kAdvance;
}

Next CommitSmallGroup(Warp& warp, const Instruction& instruction, uint32_t mask) {
  SmallCopies& copies = AsyncEngine::Of(warp.block()).small_copies(warp);
  ForEachLane(mask, [&](int lane) {
    ++copies.group[lane];
    return true;
  });
  return Next::kAdvance;
}

// wait_group N: all but the latest N committed groups. wait_all (flag 1): also what
// is in no group yet.
Next WaitSmallGroups(Warp& warp, const Instruction& instruction, uint32_t mask) {
  SmallCopies& copies = AsyncEngine::Of(warp.block()).small_copies(warp);
  const bool all = instruction.flags != 0;
  const auto pending = static_cast<uint32_t>(instruction.immediate);
  ForEachLane(mask, [&](int lane) {
    copies.RunBefore(lane, all ? copies.group[lane] + 1 : copies.group[lane] - pending);
    return true;
  });
  return Next::kAdvance;
}

// cp.async.mbarrier.arrive: the barrier gets an arrival when the thread's copies
// so far are done. Without .noinc the phase waits for one arrival more, so that
// the count given to mbarrier.init does not have to know of it.
struct ArriveDetail {
  Address barrier;
  StateSpace space = StateSpace::kNone;
  bool increment = true;
};

Next ArriveAfterCopies(Warp& warp, const Instruction& instruction, uint32_t mask) {
  const auto& detail = *static_cast<const ArriveDetail*>(instruction.detail);
  AsyncEngine& engine = AsyncEngine::Of(warp.block());
  const bool fine = ForEachLane(mask, [&](int lane) {
    const BarrierPlace place =
        FindBarrier(warp, instruction, lane, AddressOf(warp, detail.barrier, lane));
    if (place.memory == nullptr) return false;
    if (detail.increment && !CheckedUpdateBarrier(warp, instruction, lane, place, -1, 0)) {
      return false;
    }
    const uint32_t before = engine.small_copies(warp).group[lane] + 1;
    Warp* const owner = &warp;
    AsyncEngine::Of(*place.block)
        .AddForBarrier(place.memory, [&engine, owner, lane, before, place] {
          engine.small_copies(*owner).RunBefore(lane, before);
          UpdateBarrier(*place.block, place.memory, 1, 0);
        });
    return true;
  });
  return fine ? Next::kAdvance : Next::kFault;
}

absl::Status DecodeArrive(DecodeContext& context, const syntax::Instruction& syntax,
                          Modifiers& modifiers, Instruction* instruction) {
  ArriveDetail detail;
  if (!modifiers.Take("arrive")) return modifiers.Unsupported();
  detail.increment = !modifiers.Take("noinc");
  if (modifiers.TakeOneOf({"shared", "shared::cta"}) >= 0) detail.space = StateSpace::kShared;
  modifiers.Take("b64");
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(syntax, 1));
  WARPYARD_ASSIGN_OR_RETURN(detail.barrier,
                            context.MemoryOperand(syntax.operands[0], detail.space));
  instruction->handler = ArriveAfterCopies;
  instruction->operation_class = OperationClass::kAsyncCopy;
  instruction->detail = context.program().Keep(detail);
  context.SetRows(instruction, {}, {});
  return absl::OkStatus();
}

absl::Status DecodeSmallCopy(DecodeContext& context, const syntax::Instruction& syntax,
                             Modifiers& modifiers, Instruction* instruction) {
  const bool hint = modifiers.Take("L2::cache_hint");
  modifiers.TakeOneOf({"L2::64B", "L2::128B", "L2::256B"});
  const int cache = modifiers.TakeOneOf({"ca", "cg"});
  if (cache < 0 || modifiers.TakeOneOf({"shared", "shared::cta"}) < 0 ||
      !modifiers.Take("global")) {
    return modifiers.Unsupported();
  }
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  const size_t count = syntax.operands.size() - (hint ? 1 : 0);
  if (count != 3 && count != 4) {
    return absl::InvalidArgumentError(
        absl::StrCat("cp.async has ", syntax.operands.size(), " operands"));
  }
  SmallCopyDetail detail;
  WARPYARD_ASSIGN_OR_RETURN(detail.destination,
                            context.MemoryOperand(syntax.operands[0], StateSpace::kShared));
  WARPYARD_ASSIGN_OR_RETURN(detail.source,
                            context.MemoryOperand(syntax.operands[1], StateSpace::kGlobal));
  WARPYARD_ASSIGN_OR_RETURN(const int64_t bytes, context.Immediate(syntax.operands[2]));
  if (bytes != 16 && (cache == 1 || (bytes != 4 && bytes != 8))) {
    return absl::InvalidArgumentError(absl::StrCat("cp.async copies ", bytes, " bytes, expected ",
                                                   cache == 1 ? "16" : "4, 8 or 16"));
  }
  detail.bytes = static_cast<uint32_t>(bytes);
  std::vector<RowRef> sources;
  if (count == 4) {
    const syntax::Operand& last = syntax.operands[3];
    if (last.logical_not || context.RegisterType(last) == ScalarType::kPred) {
      detail.has_ignore = true;
      WARPYARD_ASSIGN_OR_RETURN(const RowRef row,
                                context.PredicateSource(last, &detail.ignore_negated));
      sources.push_back(row);
    } else {
      detail.has_size = true;
      WARPYARD_ASSIGN_OR_RETURN(const RowRef row, context.Source(last, ScalarType::kU32));
      sources.push_back(row);
    }
  }
  instruction->handler = StartSmallCopy;
  instruction->operation_class = OperationClass::kAsyncCopy;
  instruction->detail = context.program().Keep(detail);
  context.SetRows(instruction, {}, sources);
  return absl::OkStatus();
}

absl::Status DecodeCopy(DecodeContext& context, const syntax::Instruction& syntax,
                        Instruction* instruction) {
  Modifiers modifiers(syntax);
  const bool reduce = modifiers.Take("reduce");
  if (!modifiers.Take("async")) return modifiers.Unsupported();
  if (modifiers.Take("bulk")) {
    if (modifiers.Take("tensor")) {
      return DecodeTensorCopy(context, syntax, modifiers, reduce, instruction);
    }
    return DecodeBulkCopy(context, syntax, modifiers, reduce, instruction);
  }
  if (reduce) return modifiers.Unsupported();
  instruction->operation_class = OperationClass::kAsyncCopy;
  if (modifiers.Take("mbarrier")) return DecodeArrive(context, syntax, modifiers, instruction);
  const int group = modifiers.TakeOneOf({"commit_group", "wait_group", "wait_all"});
  if (group < 0) return DecodeSmallCopy(context, syntax, modifiers, instruction);
  WARPYARD_RETURN_IF_ERROR(modifiers.Done());
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(syntax, group == 1 ? 1 : 0));
  context.SetRows(instruction, {}, {});
  if (group == 0) {
    instruction->handler = CommitSmallGroup;
    return absl::OkStatus();
  }
  instruction->handler = WaitSmallGroups;
  instruction->flags = group == 2 ? 1 : 0;
  if (group == 1) {
    WARPYARD_ASSIGN_OR_RETURN(const int64_t pending, context.Immediate(syntax.operands[0]));
    if (pending < 0) return absl::InvalidArgumentError("cp.async.wait_group: negative count");
    instruction->immediate = static_cast<uint64_t>(pending);
  }
  return absl::OkStatus();
}

constexpr Operation kOperations[] = {{"cp", DecodeCopy}};

}  // namespace

absl::Span<const Operation> AsyncCopyOperations() { return kOperations; }

}  // namespace warpyard::emulator
