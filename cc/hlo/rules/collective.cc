// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Operations between replicas and partitions. How many there are is not known
// here, only how large a group is.

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "cc/base/status_macros.h"
#include "cc/hlo/rules/rule.h"
#include "cc/numerics/element_type.h"

namespace warpyard::hlo {
namespace {

std::vector<Shape> OperandShapes(const Instruction& instruction) {
  std::vector<Shape> shapes;
  for (const Instruction* operand : instruction.operands()) shapes.push_back(operand->shape());
  return shapes;
}

Shape TupleIfMany(std::vector<Shape> shapes) {
  return shapes.size() == 1 ? shapes[0] : Shape::Tuple(std::move(shapes));
}

// The size of the groups; nullopt where it is all participants. An error where
// groups differ in size.
absl::StatusOr<std::optional<int64_t>> GroupSize(const Instruction& instruction) {
  const ReplicaGroups* groups = instruction.Find<ReplicaGroups>("replica_groups");
  if (groups == nullptr || groups->IsAll()) return std::nullopt;
  WARPYARD_ASSIGN_OR_RETURN(const std::vector<Group> lists, groups->Expand(kMaxGroupMembers));
  for (const Group& list : lists) {
    if (list.size() != lists[0].size()) {
      return Wrong(instruction, "its groups differ in size: ", groups->ToString());
    }
  }
  return static_cast<int64_t>(lists[0].size());
}

absl::Status CheckReducer(const Instruction& instruction) {
  const Shape scalar = Shape::Scalar(instruction.operand(0)->shape().element_type());
  return ExpectSignature(instruction, "to_apply", {scalar, scalar}, &scalar);
}

// Every operand with one dimension `factor` times as long (or as short).
absl::StatusOr<Shape> Scaled(const Instruction& instruction, bool grow) {
  const absl::Span<const int64_t> dimensions = instruction.GetIntegers("dimensions");
  if (dimensions.size() != 1) return Wrong(instruction, "dimensions has not one entry");
  WARPYARD_ASSIGN_OR_RETURN(const std::optional<int64_t> size, GroupSize(instruction));
  std::vector<Shape> shapes;
  // What is inside of the pair that starts: (operand, result).
  const Shape& own = instruction.shape();
  for (size_t i = 0; i < instruction.operands().size(); ++i) {
    const Shape& operand = instruction.operand(static_cast<int64_t>(i))->shape();
    WARPYARD_RETURN_IF_ERROR(
        ExpectDimensions(instruction, "dimensions", dimensions, operand.rank()));
    std::vector<int64_t> sizes = operand.dimensions();
    int64_t& scaled = sizes[dimensions[0]];
    if (!size.has_value()) {
      // All participants, however many: take the result's word.
      const Shape& result = own.IsTuple() && instruction.operands().size() > 1 ? own.elements()[i]
                            : own.IsTuple() && own.elements().size() > 1       ? own.elements()[1]
                                                                               : own;
      if (result.IsArray() && result.rank() == operand.rank()) {
        scaled = result.dimension(dimensions[0]);
      }
    } else if (grow) {
      if (__builtin_mul_overflow(scaled, *size, &scaled)) {
        return Wrong(instruction, "its result does not fit 64 bits");
      }
    } else if (scaled % *size != 0) {
      return Wrong(instruction, "a dimension of ", scaled, " is not divided by ", *size);
    } else {
      scaled /= *size;
    }
    shapes.push_back(Shape::Array(operand.element_type(), std::move(sizes)));
  }
  return TupleIfMany(std::move(shapes));
}

absl::Status CheckAllToAll(const Instruction& instruction) {
  const absl::Span<const int64_t> dimensions = instruction.GetIntegers("dimensions");
  if (instruction.shape().IsTuple() && dimensions.empty()) {
    return ExpectShape(instruction, Shape::Tuple(OperandShapes(instruction)));
  }
  // One array, split along a dimension and joined again along it.
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(instruction, 1, 1));
  const Shape& operand = instruction.operand(0)->shape();
  WARPYARD_RETURN_IF_ERROR(ExpectDimensions(instruction, "dimensions", dimensions, operand.rank()));
  WARPYARD_ASSIGN_OR_RETURN(const std::optional<int64_t> size, GroupSize(instruction));
  if (size.has_value() && dimensions.size() == 1 && operand.dimension(dimensions[0]) % *size != 0) {
    return Wrong(instruction, "a dimension of ", operand.dimension(dimensions[0]),
                 " is not divided by ", *size);
  }
  return ExpectShape(instruction, operand);
}

absl::Status CheckPairs(const Instruction& instruction) {
  const auto* pairs =
      instruction.Find<std::vector<std::pair<int64_t, int64_t>>>("source_target_pairs");
  if (pairs == nullptr) return Wrong(instruction, "it has no source_target_pairs");
  absl::flat_hash_set<int64_t> sources, targets;
  for (const auto& [source, target] : *pairs) {
    if (source < 0 || target < 0 || !sources.insert(source).second ||
        !targets.insert(target).second) {
      return Wrong(instruction, "the pair {", source, ",", target,
                   "} is negative, or repeats a source or a target");
    }
  }
  return absl::OkStatus();
}

// (operand, result, ...), flat or one tuple each where there are many.
absl::Status CheckPairStart(const Instruction& instruction, const Shape& result) {
  const Shape& shape = instruction.shape();
  const Shape operands = TupleIfMany(OperandShapes(instruction));
  if (!shape.IsTuple() || shape.elements().size() < 2 ||
      !shape.elements()[0].Compatible(operands) || !shape.elements()[1].Compatible(result)) {
    return Wrong(instruction, "its shape is ", shape.ToString(false), ", expected (",
                 operands.ToString(false), ", ", result.ToString(false), ", ...)");
  }
  return absl::OkStatus();
}

absl::Status CheckDone(const Instruction& instruction, Opcode start, bool pair) {
  const Instruction& before = *instruction.operand(0);
  if (before.opcode() != start) {
    return Wrong(instruction, "it ends ", OpcodeName(before.opcode()), ", expected ",
                 OpcodeName(start));
  }
  if (!pair) return ExpectShape(instruction, before.shape());
  if (!before.shape().IsTuple() || before.shape().elements().size() < 2) {
    return Wrong(instruction, "what it ends is ", before.shape().ToString(false));
  }
  return ExpectShape(instruction, before.shape().elements()[1]);
}

}  // namespace

absl::Status CheckCollective(const Instruction& instruction) {
  switch (instruction.opcode()) {
    case Opcode::kAllReduceDone:
      return CheckDone(instruction, Opcode::kAllReduceStart, false);
    case Opcode::kAllGatherDone:
      return CheckDone(instruction, Opcode::kAllGatherStart, true);
    case Opcode::kCollectivePermuteDone:
      return CheckDone(instruction, Opcode::kCollectivePermuteStart, true);
    case Opcode::kRaggedAllToAll:
      return ExpectShape(instruction, instruction.operand(1)->shape());
    default:
      break;
  }
  if (!IsCollective(instruction.opcode())) return absl::NotFoundError("");
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(instruction, 1));
  WARPYARD_RETURN_IF_ERROR(ExpectArrays(instruction));
  const Shape same = TupleIfMany(OperandShapes(instruction));
  switch (instruction.opcode()) {
    case Opcode::kAllReduce:
    case Opcode::kAllReduceStart:
      WARPYARD_RETURN_IF_ERROR(CheckReducer(instruction));
      return ExpectShape(instruction, same);
    case Opcode::kReduceScatter: {
      WARPYARD_RETURN_IF_ERROR(CheckReducer(instruction));
      WARPYARD_ASSIGN_OR_RETURN(const Shape result, Scaled(instruction, false));
      return ExpectShape(instruction, result);
    }
    case Opcode::kAllGather: {
      WARPYARD_ASSIGN_OR_RETURN(const Shape result, Scaled(instruction, true));
      return ExpectShape(instruction, result);
    }
    case Opcode::kAllGatherStart: {
      WARPYARD_ASSIGN_OR_RETURN(const Shape result, Scaled(instruction, true));
      return CheckPairStart(instruction, result);
    }
    case Opcode::kAllToAll:
      return CheckAllToAll(instruction);
    case Opcode::kCollectiveBroadcast:
      return ExpectShape(instruction, same);
    case Opcode::kCollectivePermute:
      WARPYARD_RETURN_IF_ERROR(CheckPairs(instruction));
      return ExpectShape(instruction, same);
    default:
      WARPYARD_RETURN_IF_ERROR(CheckPairs(instruction));
      return CheckPairStart(instruction, same);
  }
}

}  // namespace warpyard::hlo
