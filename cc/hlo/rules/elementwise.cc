// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Operations on the elements at one place of all operands.

#include <vector>

#include "cc/base/status_macros.h"
#include "cc/hlo/rules/rule.h"
#include "cc/numerics/element_type.h"

namespace warpyard::hlo {
namespace {

ElementKind KindOf(const Shape& shape) { return Info(shape.element_type()).kind; }
bool IsComplex(const Shape& shape) { return KindOf(shape) == ElementKind::kComplex; }
bool IsFloat(const Shape& shape) { return KindOf(shape) == ElementKind::kFloat; }
bool IsInteger(const Shape& shape) {
  return KindOf(shape) == ElementKind::kSigned || KindOf(shape) == ElementKind::kUnsigned;
}

Shape WithType(Shape shape, ElementType type) {
  shape.set_element_type(type);
  return shape;
}

ElementType RealOf(ElementType type) {
  return type == ElementType::kC128  ? ElementType::kF64
         : type == ElementType::kC64 ? ElementType::kF32
                                     : type;
}

// Which kinds of elements an operation takes.
absl::Status ExpectKind(const Instruction& instruction, bool fits, std::string_view expected) {
  if (fits) return absl::OkStatus();
  return Wrong(instruction, "its elements are ",
               ElementTypeName(instruction.operand(0)->shape().element_type()), ", expected ",
               expected);
}

absl::Status CheckUnary(const Instruction& instruction) {
  const Shape& operand = instruction.operand(0)->shape();
  const ElementType type = operand.element_type();
  switch (instruction.opcode()) {
    case Opcode::kAbs:
      return ExpectShape(instruction, WithType(operand, RealOf(type)));
    case Opcode::kReal:
    case Opcode::kImag:
      WARPYARD_RETURN_IF_ERROR(
          ExpectKind(instruction, IsComplex(operand) || IsFloat(operand), "floats or complex"));
      return ExpectShape(instruction, WithType(operand, RealOf(type)));
    case Opcode::kIsFinite:
      WARPYARD_RETURN_IF_ERROR(ExpectKind(instruction, IsFloat(operand), "floats"));
      return ExpectShape(instruction, WithType(operand, ElementType::kPred));
    case Opcode::kConvert:
      if (!instruction.shape().IsArray()) return Wrong(instruction, "its shape is no array");
      return ExpectShape(instruction, WithType(operand, instruction.shape().element_type()));
    case Opcode::kNot:
      WARPYARD_RETURN_IF_ERROR(ExpectKind(
          instruction, IsInteger(operand) || type == ElementType::kPred, "integers or pred"));
      break;
    case Opcode::kClz:
    case Opcode::kPopulationCount:
      WARPYARD_RETURN_IF_ERROR(ExpectKind(instruction, IsInteger(operand), "integers"));
      break;
    case Opcode::kFloor:
    case Opcode::kCeil:
    case Opcode::kRoundNearestAfz:
    case Opcode::kRoundNearestEven:
    case Opcode::kErf:
    case Opcode::kReducePrecision:
      WARPYARD_RETURN_IF_ERROR(ExpectKind(instruction, IsFloat(operand), "floats"));
      break;
    case Opcode::kNegate:
    case Opcode::kSign:
    case Opcode::kCopy:
      break;
    default:
      WARPYARD_RETURN_IF_ERROR(
          ExpectKind(instruction, IsFloat(operand) || IsComplex(operand), "floats or complex"));
  }
  return ExpectShape(instruction, operand);
}

absl::Status CheckBinary(const Instruction& instruction) {
  const Shape& left = instruction.operand(0)->shape();
  const Shape& right = instruction.operand(1)->shape();
  if (instruction.opcode() == Opcode::kStochasticConvert) {
    if (!IsFloat(left) || Info(right.element_type()).kind != ElementKind::kUnsigned ||
        BitWidth(left.element_type()) != BitWidth(right.element_type())) {
      return Wrong(instruction, "it takes floats and unsigned integers as wide as they");
    }
    if (!instruction.shape().IsArray()) return Wrong(instruction, "its shape is no array");
    return ExpectShape(instruction, WithType(left, instruction.shape().element_type()));
  }
  if (!left.Compatible(right)) {
    return Wrong(instruction, "its operands are ", left.ToString(false), " and ",
                 right.ToString(false), "; expected the same shapes");
  }
  switch (instruction.opcode()) {
    case Opcode::kCompare:
      if (instruction.Find<Word>("direction") == nullptr) {
        return Wrong(instruction, "it has no direction");
      }
      return ExpectShape(instruction, WithType(left, ElementType::kPred));
    case Opcode::kComplex: {
      const ElementType type = left.element_type();
      if (type != ElementType::kF32 && type != ElementType::kF64) {
        return Wrong(instruction, "its parts are ", ElementTypeName(type), ", expected f32 or f64");
      }
      return ExpectShape(
          instruction,
          WithType(left, type == ElementType::kF32 ? ElementType::kC64 : ElementType::kC128));
    }
    case Opcode::kAnd:
    case Opcode::kOr:
    case Opcode::kXor:
      WARPYARD_RETURN_IF_ERROR(
          ExpectKind(instruction, IsInteger(left) || left.element_type() == ElementType::kPred,
                     "integers or pred"));
      break;
    case Opcode::kShiftLeft:
    case Opcode::kShiftRightArithmetic:
    case Opcode::kShiftRightLogical:
      WARPYARD_RETURN_IF_ERROR(ExpectKind(instruction, IsInteger(left), "integers"));
      break;
    default:
      break;
  }
  return ExpectShape(instruction, left);
}

absl::Status CheckTernary(const Instruction& instruction) {
  const bool clamp = instruction.opcode() == Opcode::kClamp;
  const Shape& value = instruction.operand(1)->shape();
  if (clamp) {
    for (const int64_t i : {0, 2}) {
      const Shape& bound = instruction.operand(i)->shape();
      if (!bound.Compatible(value) && !bound.Compatible(Shape::Scalar(value.element_type()))) {
        return Wrong(instruction, "operand ", i, " is ", bound.ToString(false),
                     ", expected a scalar or ", value.ToString(false));
      }
    }
    return ExpectShape(instruction, value);
  }
  const Shape& predicate = instruction.operand(0)->shape();
  if (!predicate.IsArray() || predicate.element_type() != ElementType::kPred ||
      (!predicate.IsScalar() && !predicate.SameDimensions(value))) {
    return Wrong(instruction, "its predicate is ", predicate.ToString(false),
                 ", expected pred[] or one of the dimensions of ", value.ToString(false));
  }
  if (!value.Compatible(instruction.operand(2)->shape())) {
    return Wrong(instruction, "it selects from ", value.ToString(false), " and ",
                 instruction.operand(2)->shape().ToString(false));
  }
  return ExpectShape(instruction, value);
}

absl::Status CheckMap(const Instruction& instruction) {
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(instruction, 1));
  std::vector<Shape> scalars;
  for (const Instruction* operand : instruction.operands()) {
    if (!operand->shape().SameDimensions(instruction.operand(0)->shape())) {
      return Wrong(instruction, "its operands differ in dimensions");
    }
    scalars.push_back(Shape::Scalar(operand->shape().element_type()));
  }
  if (!instruction.shape().IsArray()) return Wrong(instruction, "its shape is no array");
  const Shape scalar = Shape::Scalar(instruction.shape().element_type());
  WARPYARD_RETURN_IF_ERROR(ExpectSignature(instruction, "to_apply", scalars, &scalar));
  return ExpectShape(instruction,
                     WithType(instruction.operand(0)->shape(), instruction.shape().element_type()));
}

}  // namespace

absl::Status CheckElementwise(const Instruction& instruction) {
  if (!IsElementwise(instruction.opcode())) return absl::NotFoundError("");
  // A copy takes whatever there is.
  if (instruction.opcode() == Opcode::kCopy) {
    return ExpectShape(instruction, instruction.operand(0)->shape());
  }
  WARPYARD_RETURN_IF_ERROR(ExpectArrays(instruction));
  if (instruction.opcode() == Opcode::kMap) return CheckMap(instruction);
  switch (OpcodeOperandCount(instruction.opcode())) {
    case 1:
      return CheckUnary(instruction);
    case 2:
      return CheckBinary(instruction);
    default:
      return CheckTernary(instruction);
  }
}

}  // namespace warpyard::hlo
