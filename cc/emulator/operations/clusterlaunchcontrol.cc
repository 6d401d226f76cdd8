// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
#include "cc/emulator/operations/clusterlaunchcontrol.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/execution/address.h"
#include "cc/emulator/execution/block.h"
#include "cc/emulator/execution/warp.h"
#include "cc/emulator/operations/async_engine.h"
#include "cc/emulator/operations/bulk_copy.h"
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

constexpr uint32_t kResponseBytes = 16;  // all zeros: not canceled

struct RequestDetail {
  Address response, barrier;
  bool multicast = false;  // to every block of the cluster
};

Next Request(Warp& warp, const Instruction& instruction, uint32_t mask) {
  const auto& detail = *static_cast<const RequestDetail*>(instruction.detail);
  const bool fine = ForEachLane(mask, [&](int lane) {
    uint32_t response, barrier;
    if (!ToShared(AddressOf(warp, detail.response, lane), &response) ||
        !ToShared(AddressOf(warp, detail.barrier, lane), &barrier)) {
      warp.RaiseFault(instruction, lane, FaultKind::kInvalidAddressSpace,
                      "clusterlaunchcontrol: response and mbarrier must be in shared memory");
      return false;
    }
    const auto blocks = static_cast<uint32_t>(warp.block().cluster().blocks().size());
    const uint32_t own = warp.block().rank_in_cluster();
    for (uint32_t rank = detail.multicast ? 0 : own; rank < (detail.multicast ? blocks : own + 1);
         ++rank) {
      std::byte* memory =
          warp.Access(instruction, lane, StateSpace::kShared, InBlock(response, rank),
                      kResponseBytes, 16, AccessKind::kWrite, Proxy::kAsync);
      if (memory == nullptr) return false;
      const BarrierPlace place = FindBarrier(warp, instruction, lane, InBlock(barrier, rank));
      if (place.memory == nullptr) return false;
      std::memset(memory, kPoison, kResponseBytes);
      AsyncEngine::Of(*place.block).AddForBarrier(place.memory, [memory, place] {
        std::memset(memory, 0, kResponseBytes);
        UpdateBarrier(*place.block, place.memory, 0, -int64_t{kResponseBytes});
      });
    }
    return true;
  });
  return fine ? Next::kAdvance : Next::kFault;
}

// is_canceled: bit 0 of the response.
Next IsCanceled(Warp& warp, const Instruction& instruction, uint32_t mask) {
  const uint64_t* low = warp.Row<uint64_t>(instruction.row(1));
  uint32_t canceled = 0;
  for (int lane = 0; lane < kWarpSize; ++lane) {
    canceled |= static_cast<uint32_t>(low[lane] & 1) << lane;
  }
  uint32_t& predicate = warp.Predicate(instruction.row(0));
  predicate = (predicate & ~mask) | (canceled & mask);
  return Next::kAdvance;
}

// get_first_ctaid has no meaning for what was not canceled: zeros.
Next FirstBlock(Warp& warp, const Instruction& instruction, uint32_t mask) {
  for (int i = 0; i < instruction.rows_written; ++i) {
    uint32_t* d = warp.Row<uint32_t>(instruction.row(i));
    ForEachLane(mask, [&](int lane) {
      d[lane] = 0;
      return true;
    });
  }
  return Next::kAdvance;
}

absl::Status DecodeControl(DecodeContext& context, const syntax::Instruction& syntax,
                           Instruction* instruction) {
  instruction->operation_class = OperationClass::kAsyncCopy;
  Modifiers modifiers(syntax);
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(syntax, 2));
  if (modifiers.Take("try_cancel")) {
    RequestDetail detail;
    modifiers.Take("shared::cta");
    detail.multicast = modifiers.Take("multicast::cluster::all");
    if (!modifiers.Take("async") || !modifiers.Take("mbarrier::complete_tx::bytes") ||
        !modifiers.Take("b128")) {
      return modifiers.Unsupported();
    }
    WARPYARD_RETURN_IF_ERROR(modifiers.Done());
    WARPYARD_ASSIGN_OR_RETURN(detail.response,
                              context.MemoryOperand(syntax.operands[0], StateSpace::kShared));
    WARPYARD_ASSIGN_OR_RETURN(detail.barrier,
                              context.MemoryOperand(syntax.operands[1], StateSpace::kShared));
    instruction->handler = Request;
    instruction->detail = context.program().Keep(detail);
    context.SetRows(instruction, {}, {});
    return absl::OkStatus();
  }
  // Types come last: .pred.b128, .b32.b128, .v4.b32.b128.
  WARPYARD_ASSIGN_OR_RETURN(const RowRef response,
                            context.Source(syntax.operands[1], ScalarType::kB128));
  std::vector<RowRef> results;
  if (syntax.Has("query_cancel")) {
    if (syntax.Has("is_canceled")) {
      WARPYARD_ASSIGN_OR_RETURN(const RowRef p, context.PredicateDestination(syntax.operands[0]));
      results.push_back(p);
      instruction->handler = IsCanceled;
    } else {
      WARPYARD_ASSIGN_OR_RETURN(results,
                                context.Destinations(syntax.operands[0], ScalarType::kB32));
      instruction->handler = FirstBlock;
    }
    context.SetRows(instruction, results, {response});
    return absl::OkStatus();
  }
  return modifiers.Unsupported();
}

constexpr Operation kOperations[] = {{"clusterlaunchcontrol", DecodeControl}};

}  // namespace

absl::Span<const Operation> ClusterLaunchControlOperations() { return kOperations; }

}  // namespace warpyard::emulator
