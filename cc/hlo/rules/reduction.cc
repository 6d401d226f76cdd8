// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Operations that combine elements with a computation: reduce, reduce-window,
// select-and-scatter, scan.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cc/base/status_macros.h"
#include "cc/hlo/rules/rule.h"
#include "cc/numerics/element_type.h"

namespace warpyard::hlo {
namespace {

Shape TupleIfMany(std::vector<Shape> shapes) {
  return shapes.size() == 1 ? shapes[0] : Shape::Tuple(std::move(shapes));
}

// N arrays of equal dimensions and N initial scalars, as reduce and reduce-window
// take them, and a computation of 2N scalars. Accumulators may be wider than what
// is reduced: their types are those of the computation's results.
absl::Status CheckInputs(const Instruction& instruction, std::vector<ElementType>* types) {
  const size_t count = instruction.operands().size() / 2;
  if (count == 0 || instruction.operands().size() % 2 != 0) {
    return Wrong(instruction, "it has ", instruction.operands().size(),
                 " operands, expected arrays and as many initial values");
  }
  std::vector<Shape> scalars;
  for (size_t i = 0; i < count; ++i) {
    const Shape& initial = instruction.operand(count + i)->shape();
    if (!instruction.operand(i)->shape().SameDimensions(instruction.operand(0)->shape()) ||
        !initial.IsScalar()) {
      return Wrong(instruction, "operand ", i, " is ",
                   instruction.operand(i)->shape().ToString(false), ", its initial value ",
                   initial.ToString(false));
    }
    types->push_back(initial.element_type());
    scalars.push_back(Shape::Scalar(initial.element_type()));
  }
  const Shape result = TupleIfMany(scalars);
  scalars.insert(scalars.end(), scalars.begin(), scalars.begin() + count);
  return ExpectSignature(instruction, "to_apply", scalars, &result);
}

absl::Status CheckReduce(const Instruction& instruction) {
  std::vector<ElementType> types;
  WARPYARD_RETURN_IF_ERROR(CheckInputs(instruction, &types));
  const Shape& operand = instruction.operand(0)->shape();
  const absl::Span<const int64_t> dimensions = instruction.GetIntegers("dimensions");
  WARPYARD_RETURN_IF_ERROR(ExpectDimensions(instruction, "dimensions", dimensions, operand.rank()));
  std::vector<int64_t> sizes;
  std::vector<bool> dynamic;
  for (int64_t i = 0; i < operand.rank(); ++i) {
    if (std::find(dimensions.begin(), dimensions.end(), i) != dimensions.end()) continue;
    sizes.push_back(operand.dimension(i));
    dynamic.push_back(operand.is_dynamic(i));
  }
  std::vector<Shape> shapes;
  for (const ElementType type : types) {
    shapes.push_back(Shape::Array(type, sizes));
    for (size_t i = 0; i < sizes.size(); ++i) {
      if (dynamic[i]) shapes.back().set_dynamic(static_cast<int64_t>(i), true);
    }
  }
  return ExpectShape(instruction, TupleIfMany(std::move(shapes)));
}

absl::StatusOr<std::vector<int64_t>> WindowSizes(const Instruction& instruction,
                                                 const Shape& operand) {
  const Window window = instruction.Get<Window>("window");
  if (static_cast<int64_t>(window.size()) != operand.rank()) {
    return Wrong(instruction, "its window has ", window.size(), " dimensions for ",
                 operand.ToString(false));
  }
  std::vector<int64_t> sizes(window.size());
  for (size_t i = 0; i < window.size(); ++i) {
    WARPYARD_ASSIGN_OR_RETURN(
        sizes[i], WindowPlaces(instruction, operand.dimension(static_cast<int64_t>(i)), window[i]));
  }
  return sizes;
}

absl::Status CheckReduceWindow(const Instruction& instruction) {
  std::vector<ElementType> types;
  WARPYARD_RETURN_IF_ERROR(CheckInputs(instruction, &types));
  WARPYARD_ASSIGN_OR_RETURN(const std::vector<int64_t> sizes,
                            WindowSizes(instruction, instruction.operand(0)->shape()));
  std::vector<Shape> shapes;
  for (const ElementType type : types) shapes.push_back(Shape::Array(type, sizes));
  return ExpectShape(instruction, TupleIfMany(std::move(shapes)));
}

// Each window of the operand selects one element, to which the source's element
// for that window is scattered.
absl::Status CheckSelectAndScatter(const Instruction& instruction) {
  const Shape& operand = instruction.operand(0)->shape();
  const Shape& source = instruction.operand(1)->shape();
  WARPYARD_ASSIGN_OR_RETURN(const std::vector<int64_t> sizes, WindowSizes(instruction, operand));
  const Shape scalar = Shape::Scalar(operand.element_type());
  if (source.dimensions() != sizes || source.element_type() != operand.element_type() ||
      !instruction.operand(2)->shape().Compatible(scalar)) {
    return Wrong(instruction, "its source is ", source.ToString(false), ", its windows give ",
                 Shape::Array(operand.element_type(), sizes).ToString(false));
  }
  const Shape predicate = Shape::Scalar(ElementType::kPred);
  WARPYARD_RETURN_IF_ERROR(ExpectSignature(instruction, "select", {scalar, scalar}, &predicate));
  WARPYARD_RETURN_IF_ERROR(ExpectSignature(instruction, "scatter", {scalar, scalar}, &scalar));
  return ExpectShape(instruction, operand);
}

// Inputs, then `num_carries` carries; the computation takes slices of the inputs
// and the carries, and gives slices of the outputs and new carries.
absl::Status CheckScan(const Instruction& instruction) {
  const int64_t operands = static_cast<int64_t>(instruction.operands().size());
  const int64_t carries = instruction.Get<int64_t>("num_carries", 0);
  const absl::Span<const int64_t> dimensions = instruction.GetIntegers("dimensions");
  if (dimensions.size() != 1 || carries < 0 || carries > operands) {
    return Wrong(instruction, "it has ", dimensions.size(), " scanned dimensions and ", carries,
                 " carries of ", operands, " operands");
  }
  std::vector<Shape> parameters;
  int64_t length = -1;
  const auto without = [&](const Shape& shape) {
    std::vector<int64_t> sizes = shape.dimensions();
    sizes.erase(sizes.begin() + dimensions[0]);
    return Shape::Array(shape.element_type(), std::move(sizes));
  };
  for (int64_t i = 0; i < operands; ++i) {
    const Shape& shape = instruction.operand(i)->shape();
    if (i >= operands - carries) {
      parameters.push_back(shape);
      continue;
    }
    WARPYARD_RETURN_IF_ERROR(ExpectDimensions(instruction, "dimensions", dimensions, shape.rank()));
    if (length >= 0 && shape.dimension(dimensions[0]) != length) {
      return Wrong(instruction, "operand ", i, " is scanned over ", shape.dimension(dimensions[0]),
                   ", operand 0 over ", length);
    }
    length = shape.dimension(dimensions[0]);
    parameters.push_back(without(shape));
  }
  // The computation's results are the instruction's, with outputs sliced.
  std::vector<Shape> results = instruction.shape().IsTuple()
                                   ? instruction.shape().elements()
                                   : std::vector<Shape>{instruction.shape()};
  const int64_t outputs = static_cast<int64_t>(results.size()) - carries;
  if (outputs < 0) return Wrong(instruction, "it has more carries than results");
  for (int64_t i = 0; i < outputs; ++i) {
    if (!results[i].IsArray() || dimensions[0] >= results[i].rank()) {
      return Wrong(instruction, "output ", i, " is ", results[i].ToString(false));
    }
    results[i] = without(results[i]);
  }
  const Shape result = TupleIfMany(std::move(results));
  return ExpectSignature(instruction, "to_apply", parameters, &result);
}

}  // namespace

absl::Status CheckReduction(const Instruction& instruction) {
  absl::Status (*check)(const Instruction&) = nullptr;
  switch (instruction.opcode()) {
    case Opcode::kReduce:
      check = CheckReduce;
      break;
    case Opcode::kReduceWindow:
      check = CheckReduceWindow;
      break;
    case Opcode::kSelectAndScatter:
      check = CheckSelectAndScatter;
      break;
    case Opcode::kScan:
      check = CheckScan;
      break;
    default:
      return absl::NotFoundError("");
  }
  WARPYARD_RETURN_IF_ERROR(ExpectArrays(instruction));
  return check(instruction);
}

}  // namespace warpyard::hlo
