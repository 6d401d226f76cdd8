// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Operations that put elements elsewhere, by rules that are known beforehand.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "cc/base/status_macros.h"
#include "cc/hlo/rules/rule.h"
#include "cc/numerics/element_type.h"

namespace warpyard::hlo {
namespace {

// The instruction's own shape must be an array; its dimensions are what it says.
absl::Status ExpectOwnArray(const Instruction& instruction) {
  if (instruction.shape().IsArray()) return absl::OkStatus();
  return Wrong(instruction, "its shape is ", instruction.shape().ToString(false),
               ", expected an array");
}

absl::Status ExpectSameType(const Instruction& instruction) {
  const ElementType type = instruction.operand(0)->shape().element_type();
  if (instruction.shape().element_type() == type) return absl::OkStatus();
  return Wrong(instruction, "its elements are ",
               ElementTypeName(instruction.shape().element_type()), ", its operand's ",
               ElementTypeName(type));
}

absl::Status CheckBroadcast(const Instruction& instruction) {
  const Shape& operand = instruction.operand(0)->shape();
  const Shape& shape = instruction.shape();
  WARPYARD_RETURN_IF_ERROR(ExpectOwnArray(instruction));
  WARPYARD_RETURN_IF_ERROR(ExpectSameType(instruction));
  const absl::Span<const int64_t> dimensions = instruction.GetIntegers("dimensions");
  if (static_cast<int64_t>(dimensions.size()) != operand.rank()) {
    return Wrong(instruction, "dimensions has ", dimensions.size(), " entries, its operand ",
                 operand.rank(), " dimensions");
  }
  WARPYARD_RETURN_IF_ERROR(ExpectDimensions(instruction, "dimensions", dimensions, shape.rank()));
  for (int64_t i = 0; i < operand.rank(); ++i) {
    if (shape.dimension(dimensions[i]) != operand.dimension(i)) {
      return Wrong(instruction, "dimension ", i, " of its operand is ", operand.dimension(i),
                   ", dimension ", dimensions[i], " of the result ",
                   shape.dimension(dimensions[i]));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckTranspose(const Instruction& instruction) {
  const Shape& operand = instruction.operand(0)->shape();
  const absl::Span<const int64_t> dimensions = instruction.GetIntegers("dimensions");
  WARPYARD_RETURN_IF_ERROR(ExpectDimensions(instruction, "dimensions", dimensions, operand.rank()));
  if (static_cast<int64_t>(dimensions.size()) != operand.rank()) {
    return Wrong(instruction, "dimensions is no permutation of ", operand.rank());
  }
  Shape expected = operand;
  std::vector<int64_t> sizes;
  for (const int64_t dimension : dimensions) sizes.push_back(operand.dimension(dimension));
  expected = Shape::Array(operand.element_type(), std::move(sizes));
  for (int64_t i = 0; i < operand.rank(); ++i) {
    if (operand.is_dynamic(dimensions[i])) expected.set_dynamic(i, true);
  }
  return ExpectShape(instruction, expected);
}

absl::Status CheckReshape(const Instruction& instruction) {
  WARPYARD_RETURN_IF_ERROR(ExpectOwnArray(instruction));
  WARPYARD_RETURN_IF_ERROR(ExpectSameType(instruction));
  const auto from = instruction.operand(0)->shape().ElementCount();
  const auto to = instruction.shape().ElementCount();
  if (from.has_value() && from == to) return absl::OkStatus();
  return Wrong(instruction, "it makes ", instruction.shape().ToString(false), " of ",
               instruction.operand(0)->shape().ToString(false), "; the numbers of elements differ");
}

// Bits of all elements, or -1 where they do not fit.
int64_t Bits(const Shape& shape) {
  const auto count = shape.ElementCount();
  int64_t bits;
  if (!count.has_value() ||
      __builtin_mul_overflow(*count, int64_t{BitWidth(shape.element_type())}, &bits)) {
    return -1;
  }
  return bits;
}

absl::Status CheckBitcast(const Instruction& instruction) {
  WARPYARD_RETURN_IF_ERROR(ExpectOwnArray(instruction));
  const int64_t from = Bits(instruction.operand(0)->shape());
  if (from >= 0 && from == Bits(instruction.shape())) return absl::OkStatus();
  return Wrong(instruction, "it makes ", instruction.shape().ToString(false), " of ",
               instruction.operand(0)->shape().ToString(false), "; their bits differ in number");
}

absl::Status CheckBitcastConvert(const Instruction& instruction) {
  WARPYARD_RETURN_IF_ERROR(ExpectOwnArray(instruction));
  const Shape& operand = instruction.operand(0)->shape();
  const Shape& shape = instruction.shape();
  const int64_t from = BitWidth(operand.element_type());
  const int64_t to = BitWidth(shape.element_type());
  std::vector<int64_t> sizes = operand.dimensions();
  if (from > to) {
    sizes.push_back(from / to);
  } else if (from < to) {
    if (sizes.empty() || sizes.back() != to / from) {
      return Wrong(instruction, "the last dimension of ", operand.ToString(false), " is not ",
                   to / from);
    }
    sizes.pop_back();
  }
  return ExpectShape(instruction, Shape::Array(shape.element_type(), std::move(sizes)));
}

absl::Status CheckSlice(const Instruction& instruction) {
  const Shape& operand = instruction.operand(0)->shape();
  const auto* slice = instruction.Find<std::vector<SliceDimension>>("slice");
  if (slice == nullptr || static_cast<int64_t>(slice->size()) != operand.rank()) {
    return Wrong(instruction, "slice has not one entry for each of ", operand.rank(),
                 " dimensions");
  }
  std::vector<int64_t> sizes;
  for (int64_t i = 0; i < operand.rank(); ++i) {
    const SliceDimension& each = (*slice)[i];
    if (each.start < 0 || each.limit < each.start || each.limit > operand.dimension(i) ||
        each.stride < 1) {
      return Wrong(instruction, "it takes [", each.start, ":", each.limit, ":", each.stride,
                   "] of ", operand.dimension(i));
    }
    sizes.push_back(each.limit == each.start ? 0 : (each.limit - each.start - 1) / each.stride + 1);
  }
  return ExpectShape(instruction, Shape::Array(operand.element_type(), std::move(sizes)));
}

absl::Status CheckPad(const Instruction& instruction) {
  const Shape& operand = instruction.operand(0)->shape();
  const Shape& value = instruction.operand(1)->shape();
  if (!value.Compatible(Shape::Scalar(operand.element_type()))) {
    return Wrong(instruction, "it pads ", operand.ToString(false), " with ", value.ToString(false));
  }
  const auto* padding = instruction.Find<std::vector<PaddingDimension>>("padding");
  const int64_t entries = padding == nullptr ? 0 : static_cast<int64_t>(padding->size());
  if (entries != operand.rank()) {
    return Wrong(instruction, "padding has ", entries, " entries for ", operand.rank(),
                 " dimensions");
  }
  std::vector<int64_t> sizes;
  for (int64_t i = 0; i < operand.rank(); ++i) {
    const PaddingDimension& each = (*padding)[i];
    const int64_t size = operand.dimension(i);
    int64_t padded;
    if (each.interior < 0 ||
        __builtin_mul_overflow(size > 0 ? size - 1 : 0, each.interior, &padded) ||
        __builtin_add_overflow(padded, size, &padded) ||
        __builtin_add_overflow(padded, each.low, &padded) ||
        __builtin_add_overflow(padded, each.high, &padded) || padded < 0) {
      return Wrong(instruction, "dimension ", i, " of ", size, " cannot be padded with ", each.low,
                   "_", each.high, "_", each.interior);
    }
    sizes.push_back(padded);
  }
  return ExpectShape(instruction, Shape::Array(operand.element_type(), std::move(sizes)));
}

absl::Status CheckConcatenate(const Instruction& instruction) {
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(instruction, 1));
  const Shape& first = instruction.operand(0)->shape();
  const absl::Span<const int64_t> dimensions = instruction.GetIntegers("dimensions");
  if (dimensions.size() != 1) return Wrong(instruction, "dimensions has not one entry");
  WARPYARD_RETURN_IF_ERROR(ExpectDimensions(instruction, "dimensions", dimensions, first.rank()));
  std::vector<int64_t> sizes = first.dimensions();
  for (size_t i = 1; i < instruction.operands().size(); ++i) {
    const Shape& next = instruction.operand(i)->shape();
    bool fits = next.rank() == first.rank() && next.element_type() == first.element_type();
    for (int64_t d = 0; fits && d < first.rank(); ++d) {
      fits = d == dimensions[0] || next.dimension(d) == first.dimension(d);
    }
    if (!fits || __builtin_add_overflow(sizes[dimensions[0]], next.dimension(dimensions[0]),
                                        &sizes[dimensions[0]])) {
      return Wrong(instruction, "operand ", i, " is ", next.ToString(false), ", operand 0 ",
                   first.ToString(false));
    }
  }
  return ExpectShape(instruction, Shape::Array(first.element_type(), std::move(sizes)));
}

absl::Status CheckIota(const Instruction& instruction) {
  WARPYARD_RETURN_IF_ERROR(ExpectOwnArray(instruction));
  const int64_t dimension = instruction.Get<int64_t>("iota_dimension", -1);
  if (dimension >= 0 && dimension < instruction.shape().rank()) return absl::OkStatus();
  return Wrong(instruction, "iota_dimension is ", dimension, " of ", instruction.shape().rank());
}

absl::Status CheckSetDimensionSize(const Instruction& instruction) {
  const Shape& operand = instruction.operand(0)->shape();
  const absl::Span<const int64_t> dimensions = instruction.GetIntegers("dimensions");
  if (dimensions.size() != 1) return Wrong(instruction, "dimensions has not one entry");
  WARPYARD_RETURN_IF_ERROR(ExpectDimensions(instruction, "dimensions", dimensions, operand.rank()));
  if (!instruction.operand(1)->shape().Compatible(Shape::Scalar(ElementType::kS32))) {
    return Wrong(instruction, "the size is ", instruction.operand(1)->shape().ToString(false),
                 ", expected s32[]");
  }
  // A constant size makes the dimension static again.
  Shape dynamic = operand, fixed = operand;
  dynamic.set_dynamic(dimensions[0], true);
  fixed.set_dynamic(dimensions[0], false);
  if (instruction.shape().Compatible(fixed)) return absl::OkStatus();
  return ExpectShape(instruction, dynamic);
}

}  // namespace

absl::Status CheckDataMovement(const Instruction& instruction) {
  switch (instruction.opcode()) {
    case Opcode::kIota:
      return CheckIota(instruction);
    case Opcode::kBroadcast:
    case Opcode::kTranspose:
    case Opcode::kReshape:
    case Opcode::kDynamicReshape:
    case Opcode::kBitcast:
    case Opcode::kBitcastConvert:
    case Opcode::kSlice:
    case Opcode::kPad:
    case Opcode::kConcatenate:
    case Opcode::kReverse:
    case Opcode::kGetDimensionSize:
    case Opcode::kSetDimensionSize:
      break;
    default:
      return absl::NotFoundError("");
  }
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(instruction, 1));
  WARPYARD_RETURN_IF_ERROR(ExpectArrays(instruction));
  const Shape& operand = instruction.operand(0)->shape();
  switch (instruction.opcode()) {
    case Opcode::kBroadcast:
      return CheckBroadcast(instruction);
    case Opcode::kTranspose:
      return CheckTranspose(instruction);
    case Opcode::kReshape:
    case Opcode::kDynamicReshape:
      return CheckReshape(instruction);
    case Opcode::kBitcast:
      return CheckBitcast(instruction);
    case Opcode::kBitcastConvert:
      return CheckBitcastConvert(instruction);
    case Opcode::kSlice:
      return CheckSlice(instruction);
    case Opcode::kPad:
      return CheckPad(instruction);
    case Opcode::kConcatenate:
      return CheckConcatenate(instruction);
    case Opcode::kReverse:
      WARPYARD_RETURN_IF_ERROR(ExpectDimensions(
          instruction, "dimensions", instruction.GetIntegers("dimensions"), operand.rank()));
      return ExpectShape(instruction, operand);
    case Opcode::kGetDimensionSize:
      WARPYARD_RETURN_IF_ERROR(ExpectDimensions(
          instruction, "dimensions", instruction.GetIntegers("dimensions"), operand.rank()));
      return ExpectShape(instruction, Shape::Scalar(ElementType::kS32));
    default:
      return CheckSetDimensionSize(instruction);
  }
}

}  // namespace warpyard::hlo
