// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Operations whose places are values: dynamic slices, gathers, scatters, sorts.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cc/base/status_macros.h"
#include "cc/hlo/rules/rule.h"
#include "cc/numerics/element_type.h"

namespace warpyard::hlo {
namespace {

// Start indices: one scalar for each dimension, or one array of them.
absl::Status ExpectStarts(const Instruction& instruction, int64_t first, int64_t rank) {
  const int64_t given = static_cast<int64_t>(instruction.operands().size()) - first;
  if (given == 1 &&
      instruction.operand(first)->shape().dimensions() == std::vector<int64_t>{rank}) {
    return absl::OkStatus();
  }
  if (given != rank) {
    return Wrong(instruction, "it has ", given, " start indices for ", rank, " dimensions");
  }
  for (int64_t i = first; i < first + given; ++i) {
    const Shape& start = instruction.operand(i)->shape();
    const ElementKind kind = Info(start.element_type()).kind;
    if (!start.IsScalar() || (kind != ElementKind::kSigned && kind != ElementKind::kUnsigned)) {
      return Wrong(instruction, "start index ", i - first, " is ", start.ToString(false),
                   ", expected an integer");
    }
  }
  return absl::OkStatus();
}

absl::Status CheckDynamicSlice(const Instruction& instruction) {
  const Shape& operand = instruction.operand(0)->shape();
  const absl::Span<const int64_t> sizes = instruction.GetIntegers("dynamic_slice_sizes");
  if (static_cast<int64_t>(sizes.size()) != operand.rank()) {
    return Wrong(instruction, "dynamic_slice_sizes has ", sizes.size(), " entries for ",
                 operand.rank(), " dimensions");
  }
  for (int64_t i = 0; i < operand.rank(); ++i) {
    if (sizes[i] < 0 || sizes[i] > operand.dimension(i)) {
      return Wrong(instruction, "it takes ", sizes[i], " of ", operand.dimension(i));
    }
  }
  WARPYARD_RETURN_IF_ERROR(ExpectStarts(instruction, 1, operand.rank()));
  return ExpectShape(instruction,
                     Shape::Array(operand.element_type(), {sizes.begin(), sizes.end()}));
}

absl::Status CheckDynamicUpdateSlice(const Instruction& instruction) {
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(instruction, 2));
  const Shape& operand = instruction.operand(0)->shape();
  const Shape& update = instruction.operand(1)->shape();
  bool fits = update.rank() == operand.rank() && update.element_type() == operand.element_type();
  for (int64_t i = 0; fits && i < operand.rank(); ++i) {
    fits = update.dimension(i) <= operand.dimension(i);
  }
  if (!fits) {
    return Wrong(instruction, "it updates ", operand.ToString(false), " with ",
                 update.ToString(false));
  }
  WARPYARD_RETURN_IF_ERROR(ExpectStarts(instruction, 2, operand.rank()));
  return ExpectShape(instruction, operand);
}

// The dimensions of the index array without the one that holds index vectors.
std::vector<int64_t> BatchSizes(const Shape& indices, int64_t index_vector_dim) {
  std::vector<int64_t> sizes = indices.dimensions();
  if (index_vector_dim < static_cast<int64_t>(sizes.size())) {
    sizes.erase(sizes.begin() + index_vector_dim);
  }
  return sizes;
}

// How many entries an index vector has.
int64_t IndexSize(const Shape& indices, int64_t index_vector_dim) {
  return index_vector_dim == indices.rank() ? 1 : indices.dimension(index_vector_dim);
}

absl::Status CheckIndexVectors(const Instruction& instruction, const Shape& indices,
                               std::string_view map, int64_t rank) {
  const int64_t vector_dim = instruction.Get<int64_t>("index_vector_dim", -1);
  if (vector_dim < 0 || vector_dim > indices.rank()) {
    return Wrong(instruction, "index_vector_dim is ", vector_dim, " of ", indices.rank());
  }
  const absl::Span<const int64_t> mapped = instruction.GetIntegers(map);
  if (static_cast<int64_t>(mapped.size()) != IndexSize(indices, vector_dim)) {
    return Wrong(instruction, map, " has ", mapped.size(), " entries, an index ",
                 IndexSize(indices, vector_dim));
  }
  return ExpectDimensions(instruction, map, mapped, rank);
}

// See XLA's operation semantics, "Gather".
absl::Status CheckGather(const Instruction& instruction) {
  const Shape& operand = instruction.operand(0)->shape();
  const Shape& indices = instruction.operand(1)->shape();
  WARPYARD_RETURN_IF_ERROR(
      CheckIndexVectors(instruction, indices, "start_index_map", operand.rank()));
  const absl::Span<const int64_t> sizes = instruction.GetIntegers("slice_sizes");
  const absl::Span<const int64_t> offsets = instruction.GetIntegers("offset_dims");
  if (static_cast<int64_t>(sizes.size()) != operand.rank()) {
    return Wrong(instruction, "slice_sizes has ", sizes.size(), " entries for ", operand.rank(),
                 " dimensions");
  }
  std::vector<bool> dropped(operand.rank(), false);
  for (const std::string_view name : {"collapsed_slice_dims", "operand_batching_dims"}) {
    WARPYARD_RETURN_IF_ERROR(
        ExpectDimensions(instruction, name, instruction.GetIntegers(name), operand.rank()));
    for (const int64_t dimension : instruction.GetIntegers(name)) {
      if (sizes[dimension] > 1) {
        return Wrong(instruction, "dimension ", dimension, " is in ", name, ", but its slice is ",
                     sizes[dimension]);
      }
      dropped[dimension] = true;
    }
  }
  std::vector<int64_t> window;
  for (int64_t i = 0; i < operand.rank(); ++i) {
    if (sizes[i] < 0 || sizes[i] > operand.dimension(i)) {
      return Wrong(instruction, "it takes ", sizes[i], " of ", operand.dimension(i));
    }
    if (!dropped[i]) window.push_back(sizes[i]);
  }
  const std::vector<int64_t> batch =
      BatchSizes(indices, instruction.Get<int64_t>("index_vector_dim"));
  if (window.size() != offsets.size()) {
    return Wrong(instruction, "offset_dims has ", offsets.size(), " entries, a slice ",
                 window.size(), " dimensions");
  }
  const int64_t rank = static_cast<int64_t>(window.size() + batch.size());
  WARPYARD_RETURN_IF_ERROR(ExpectDimensions(instruction, "offset_dims", offsets, rank));
  std::vector<int64_t> result;
  size_t from_window = 0, from_batch = 0;
  for (int64_t i = 0; i < rank; ++i) {
    const bool is_offset = std::find(offsets.begin(), offsets.end(), i) != offsets.end();
    result.push_back(is_offset ? window[from_window++] : batch[from_batch++]);
  }
  return ExpectShape(instruction, Shape::Array(operand.element_type(), std::move(result)));
}

// See XLA's operation semantics, "Scatter". N operands, one array of indices, N
// arrays of updates.
absl::Status CheckScatter(const Instruction& instruction) {
  const int64_t count = (static_cast<int64_t>(instruction.operands().size()) - 1) / 2;
  if (count < 1 || instruction.operands().size() % 2 == 0) {
    return Wrong(instruction, "it has ", instruction.operands().size(),
                 " operands, expected arrays, indices, and as many updates");
  }
  const Shape& operand = instruction.operand(0)->shape();
  const Shape& indices = instruction.operand(count)->shape();
  WARPYARD_RETURN_IF_ERROR(
      CheckIndexVectors(instruction, indices, "scatter_dims_to_operand_dims", operand.rank()));
  const absl::Span<const int64_t> window = instruction.GetIntegers("update_window_dims");
  const std::vector<int64_t> batch =
      BatchSizes(indices, instruction.Get<int64_t>("index_vector_dim"));
  std::vector<bool> dropped(operand.rank(), false);
  for (const std::string_view name : {"inserted_window_dims", "input_batching_dims"}) {
    WARPYARD_RETURN_IF_ERROR(
        ExpectDimensions(instruction, name, instruction.GetIntegers(name), operand.rank()));
    for (const int64_t dimension : instruction.GetIntegers(name)) dropped[dimension] = true;
  }
  std::vector<int64_t> bounds;
  for (int64_t i = 0; i < operand.rank(); ++i) {
    if (!dropped[i]) bounds.push_back(operand.dimension(i));
  }
  std::vector<Shape> scalars, shapes;
  for (int64_t n = 0; n < count; ++n) {
    const Shape& each = instruction.operand(n)->shape();
    const Shape& update = instruction.operand(count + 1 + n)->shape();
    if (!each.SameDimensions(operand) || update.element_type() != each.element_type()) {
      return Wrong(instruction, "operand ", n, " is ", each.ToString(false), ", its updates ",
                   update.ToString(false));
    }
    WARPYARD_RETURN_IF_ERROR(
        ExpectDimensions(instruction, "update_window_dims", window, update.rank()));
    if (window.size() != bounds.size() ||
        update.rank() != static_cast<int64_t>(bounds.size() + batch.size())) {
      return Wrong(instruction, "updates are ", update.ToString(false), ", expected ",
                   bounds.size(), " window and ", batch.size(), " scatter dimensions");
    }
    size_t from_window = 0, from_batch = 0;
    for (int64_t i = 0; i < update.rank(); ++i) {
      const bool in_window = std::find(window.begin(), window.end(), i) != window.end();
      if (in_window ? update.dimension(i) > bounds[from_window++]
                    : update.dimension(i) != batch[from_batch++]) {
        return Wrong(instruction, "dimension ", i, " of the updates is ", update.dimension(i));
      }
    }
    shapes.push_back(each);
  }
  for (int64_t side = 0; side < 2; ++side) {
    for (const Shape& shape : shapes) scalars.push_back(Shape::Scalar(shape.element_type()));
  }
  WARPYARD_RETURN_IF_ERROR(ExpectSignature(instruction, "to_apply", scalars, nullptr));
  return ExpectShape(instruction, count == 1 ? shapes[0] : Shape::Tuple(shapes));
}

absl::Status CheckSort(const Instruction& instruction) {
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(instruction, 1));
  std::vector<Shape> shapes, scalars;
  for (const Instruction* operand : instruction.operands()) {
    if (!operand->shape().SameDimensions(instruction.operand(0)->shape())) {
      return Wrong(instruction, "its operands differ in dimensions");
    }
    shapes.push_back(operand->shape());
    for (int side = 0; side < 2; ++side) {
      scalars.push_back(Shape::Scalar(operand->shape().element_type()));
    }
  }
  const absl::Span<const int64_t> dimensions = instruction.GetIntegers("dimensions");
  if (dimensions.size() != 1) return Wrong(instruction, "dimensions has not one entry");
  WARPYARD_RETURN_IF_ERROR(
      ExpectDimensions(instruction, "dimensions", dimensions, shapes[0].rank()));
  const Shape predicate = Shape::Scalar(ElementType::kPred);
  WARPYARD_RETURN_IF_ERROR(ExpectSignature(instruction, "to_apply", scalars, &predicate));
  return ExpectShape(instruction, shapes.size() == 1 ? shapes[0] : Shape::Tuple(shapes));
}

absl::Status CheckTopK(const Instruction& instruction) {
  const Shape& operand = instruction.operand(0)->shape();
  const int64_t k = instruction.Get<int64_t>("k", -1);
  if (operand.rank() < 1 || k < 0 || k > operand.dimensions().back()) {
    return Wrong(instruction, "it takes the first ", k, " of ", operand.ToString(false));
  }
  std::vector<int64_t> sizes = operand.dimensions();
  sizes.back() = k;
  return ExpectShape(instruction, Shape::Tuple({Shape::Array(operand.element_type(), sizes),
                                                Shape::Array(ElementType::kS32, sizes)}));
}

}  // namespace

absl::Status CheckIndexing(const Instruction& instruction) {
  absl::Status (*check)(const Instruction&) = nullptr;
  switch (instruction.opcode()) {
    case Opcode::kDynamicSlice:
      check = CheckDynamicSlice;
      break;
    case Opcode::kDynamicUpdateSlice:
      check = CheckDynamicUpdateSlice;
      break;
    case Opcode::kGather:
      check = CheckGather;
      break;
    case Opcode::kScatter:
      check = CheckScatter;
      break;
    case Opcode::kSort:
      check = CheckSort;
      break;
    case Opcode::kTopK:
      check = CheckTopK;
      break;
    default:
      return absl::NotFoundError("");
  }
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(instruction, 1));
  WARPYARD_RETURN_IF_ERROR(ExpectArrays(instruction));
  return check(instruction);
}

}  // namespace warpyard::hlo
