// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/hlo/opcode.h"

#include <iterator>

#include "absl/base/no_destructor.h"
#include "absl/container/flat_hash_map.h"

namespace warpyard::hlo {
namespace {

struct OpcodeInfo {
  std::string_view name;
  int operands;
};

constexpr OpcodeInfo kOpcodes[] = {
#define WARPYARD_X(enumerator, name, operands) {name, operands},
    WARPYARD_HLO_OPCODES(WARPYARD_X)
#undef WARPYARD_X
};

}  // namespace

std::string_view OpcodeName(Opcode opcode) { return kOpcodes[static_cast<int>(opcode)].name; }

std::optional<Opcode> ParseOpcode(std::string_view name) {
  static const absl::NoDestructor<absl::flat_hash_map<std::string_view, Opcode>> by_name([] {
    absl::flat_hash_map<std::string_view, Opcode> map;
    for (int i = 0; i < OpcodeCount(); ++i) map[kOpcodes[i].name] = static_cast<Opcode>(i);
    return map;
  }());
  const auto found = by_name->find(name);
  if (found == by_name->end()) return std::nullopt;
  return found->second;
}

int OpcodeOperandCount(Opcode opcode) { return kOpcodes[static_cast<int>(opcode)].operands; }

int OpcodeCount() { return static_cast<int>(std::size(kOpcodes)); }

bool IsElementwise(Opcode opcode) {
  switch (opcode) {
    case Opcode::kAbs:
    case Opcode::kAcos:
    case Opcode::kAcosh:
    case Opcode::kAdd:
    case Opcode::kAnd:
    case Opcode::kAsin:
    case Opcode::kAsinh:
    case Opcode::kAtan2:
    case Opcode::kAtanh:
    case Opcode::kCbrt:
    case Opcode::kCeil:
    case Opcode::kClamp:
    case Opcode::kClz:
    case Opcode::kCompare:
    case Opcode::kComplex:
    case Opcode::kConvert:
    case Opcode::kCopy:
    case Opcode::kCos:
    case Opcode::kCosh:
    case Opcode::kDivide:
    case Opcode::kErf:
    case Opcode::kExp:
    case Opcode::kExpm1:
    case Opcode::kFloor:
    case Opcode::kImag:
    case Opcode::kIsFinite:
    case Opcode::kLog:
    case Opcode::kLog1p:
    case Opcode::kLogistic:
    case Opcode::kMap:
    case Opcode::kMaximum:
    case Opcode::kMinimum:
    case Opcode::kMultiply:
    case Opcode::kNegate:
    case Opcode::kNot:
    case Opcode::kOr:
    case Opcode::kPopulationCount:
    case Opcode::kPower:
    case Opcode::kReal:
    case Opcode::kReducePrecision:
    case Opcode::kRemainder:
    case Opcode::kRoundNearestAfz:
    case Opcode::kRoundNearestEven:
    case Opcode::kRsqrt:
    case Opcode::kSelect:
    case Opcode::kShiftLeft:
    case Opcode::kShiftRightArithmetic:
    case Opcode::kShiftRightLogical:
    case Opcode::kSign:
    case Opcode::kSin:
    case Opcode::kSinh:
    case Opcode::kSqrt:
    case Opcode::kStochasticConvert:
    case Opcode::kSubtract:
    case Opcode::kTan:
    case Opcode::kTanh:
    case Opcode::kXor:
      return true;
    default:
      return false;
  }
}

bool IsCollective(Opcode opcode) {
  switch (opcode) {
    case Opcode::kAllGather:
    case Opcode::kAllGatherStart:
    case Opcode::kAllReduce:
    case Opcode::kAllReduceStart:
    case Opcode::kAllToAll:
    case Opcode::kCollectiveBroadcast:
    case Opcode::kCollectivePermute:
    case Opcode::kCollectivePermuteStart:
    case Opcode::kRaggedAllToAll:
    case Opcode::kReduceScatter:
      return true;
    default:
      return false;
  }
}

}  // namespace warpyard::hlo
