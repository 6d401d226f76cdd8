// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Products: dot, ragged dot, scaled dot, convolution.

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "cc/base/status_macros.h"
#include "cc/hlo/rules/rule.h"

namespace warpyard::hlo {
namespace {

bool Contains(absl::Span<const int64_t> list, int64_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

// That pairs of dimensions have equal sizes.
absl::Status ExpectPairs(const Instruction& instruction, const Shape& left, const Shape& right,
                         std::string_view left_name, std::string_view right_name) {
  const auto lefts = instruction.GetIntegers(left_name);
  const auto rights = instruction.GetIntegers(right_name);
  WARPYARD_RETURN_IF_ERROR(ExpectDimensions(instruction, left_name, lefts, left.rank()));
  WARPYARD_RETURN_IF_ERROR(ExpectDimensions(instruction, right_name, rights, right.rank()));
  if (lefts.size() != rights.size()) {
    return Wrong(instruction, left_name, " has ", lefts.size(), " entries, ", right_name, " ",
                 rights.size());
  }
  for (size_t i = 0; i < lefts.size(); ++i) {
    if (left.dimension(lefts[i]) != right.dimension(rights[i])) {
      return Wrong(instruction, left_name, " ", lefts[i], " of ", left.ToString(false),
                   " does not fit ", right_name, " ", rights[i], " of ", right.ToString(false));
    }
  }
  return absl::OkStatus();
}

// Batch dimensions, then what is free on the left, then on the right. `groups`
// are dimensions of the right that are not free either.
std::vector<int64_t> DotSizes(const Instruction& instruction, const Shape& left, const Shape& right,
                              absl::Span<const int64_t> groups = {}) {
  std::vector<int64_t> sizes;
  const auto batch = instruction.GetIntegers("lhs_batch_dims");
  for (const int64_t dimension : batch) sizes.push_back(left.dimension(dimension));
  for (int64_t i = 0; i < left.rank(); ++i) {
    if (!Contains(batch, i) && !Contains(instruction.GetIntegers("lhs_contracting_dims"), i)) {
      sizes.push_back(left.dimension(i));
    }
  }
  for (int64_t i = 0; i < right.rank(); ++i) {
    if (!Contains(instruction.GetIntegers("rhs_batch_dims"), i) &&
        !Contains(instruction.GetIntegers("rhs_contracting_dims"), i) && !Contains(groups, i)) {
      sizes.push_back(right.dimension(i));
    }
  }
  return sizes;
}

absl::Status CheckDot(const Instruction& instruction) {
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(instruction, 2));
  const Shape& left = instruction.operand(0)->shape();
  const Shape& right = instruction.operand(1)->shape();
  WARPYARD_RETURN_IF_ERROR(
      ExpectPairs(instruction, left, right, "lhs_batch_dims", "rhs_batch_dims"));
  if (instruction.Find<Verbatim>("sparsity") != nullptr) {
    return absl::UnimplementedError(
        absl::StrCat("dot ", instruction.name(), ": sparse operands are not checked"));
  }
  WARPYARD_RETURN_IF_ERROR(
      ExpectPairs(instruction, left, right, "lhs_contracting_dims", "rhs_contracting_dims"));
  if (!instruction.shape().IsArray()) return Wrong(instruction, "its shape is no array");
  return ExpectShape(instruction, Shape::Array(instruction.shape().element_type(),
                                               DotSizes(instruction, left, right)));
}

// See StableHLO's "ragged_dot_general": what the ragged dimension is on the left
// decides where the groups are.
absl::Status CheckRaggedDot(const Instruction& instruction) {
  const Shape& left = instruction.operand(0)->shape();
  const Shape& right = instruction.operand(1)->shape();
  const Shape& group_sizes = instruction.operand(2)->shape();
  WARPYARD_RETURN_IF_ERROR(
      ExpectPairs(instruction, left, right, "lhs_batch_dims", "rhs_batch_dims"));
  WARPYARD_RETURN_IF_ERROR(
      ExpectPairs(instruction, left, right, "lhs_contracting_dims", "rhs_contracting_dims"));
  const auto ragged = instruction.GetIntegers("lhs_ragged_dims");
  const auto groups = instruction.GetIntegers("rhs_group_dims");
  WARPYARD_RETURN_IF_ERROR(ExpectDimensions(instruction, "lhs_ragged_dims", ragged, left.rank()));
  WARPYARD_RETURN_IF_ERROR(ExpectDimensions(instruction, "rhs_group_dims", groups, right.rank()));
  if (ragged.size() != 1 || group_sizes.rank() < 1) {
    return Wrong(instruction, "it has not one ragged dimension, or no group sizes");
  }
  const bool contracting = Contains(instruction.GetIntegers("lhs_contracting_dims"), ragged[0]);
  const bool batch = Contains(instruction.GetIntegers("lhs_batch_dims"), ragged[0]);
  if ((contracting || batch) != groups.empty()) {
    return Wrong(instruction, "rhs_group_dims has ", groups.size(),
                 " entries, which does not fit its ragged dimension");
  }
  const int64_t count = group_sizes.dimensions().back();
  if (!groups.empty() && right.dimension(groups[0]) != count) {
    return Wrong(instruction, "there are ", count, " groups, and ", right.dimension(groups[0]),
                 " right-hand sides");
  }
  std::vector<int64_t> sizes = DotSizes(instruction, left, right, groups);
  if (contracting) sizes.insert(sizes.begin(), count);
  if (!instruction.shape().IsArray()) return Wrong(instruction, "its shape is no array");
  return ExpectShape(instruction,
                     Shape::Array(instruction.shape().element_type(), std::move(sizes)));
}

// Two operands and their scales. A scale has the operand's dimensions, each
// divided by the size of a block.
absl::Status CheckScaledDot(const Instruction& instruction) {
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(instruction, 3, 4));
  const Shape& left = instruction.operand(0)->shape();
  const Shape& right = instruction.operand(1)->shape();
  for (int64_t i = 2; i < static_cast<int64_t>(instruction.operands().size()); ++i) {
    const Shape& scale = instruction.operand(i)->shape();
    const Shape& scaled = instruction.operand(i - 2)->shape();
    if (scale.IsScalar()) continue;  // not scaled
    bool fits = scale.rank() == scaled.rank();
    for (int64_t d = 0; fits && d < scale.rank(); ++d) {
      fits = scale.dimension(d) > 0 && scaled.dimension(d) % scale.dimension(d) == 0;
    }
    if (!fits) {
      return Wrong(instruction, "scales ", scale.ToString(false), " do not fit ",
                   scaled.ToString(false));
    }
  }
  WARPYARD_RETURN_IF_ERROR(
      ExpectPairs(instruction, left, right, "lhs_batch_dims", "rhs_batch_dims"));
  WARPYARD_RETURN_IF_ERROR(
      ExpectPairs(instruction, left, right, "lhs_contracting_dims", "rhs_contracting_dims"));
  if (!instruction.shape().IsArray()) return Wrong(instruction, "its shape is no array");
  return ExpectShape(instruction, Shape::Array(instruction.shape().element_type(),
                                               DotSizes(instruction, left, right)));
}

absl::Status CheckConvolution(const Instruction& instruction) {
  const Shape& input = instruction.operand(0)->shape();
  const Shape& kernel = instruction.operand(1)->shape();
  const auto* labels = instruction.Find<ConvolutionLabels>("dim_labels");
  if (labels == nullptr) return Wrong(instruction, "it has no dim_labels");
  const size_t spatial = labels->input_spatial.size();
  const Window window = instruction.Get<Window>("window");
  if (input.rank() != static_cast<int64_t>(spatial) + 2 || kernel.rank() != input.rank() ||
      window.size() != spatial) {
    return Wrong(instruction, "dim_labels are for ", spatial,
                 " spatial dimensions, the window has ", window.size(), ", its operands are ",
                 input.ToString(false), " and ", kernel.ToString(false));
  }
  const int64_t groups = instruction.Get<int64_t>("feature_group_count", 1);
  const int64_t batch_groups = instruction.Get<int64_t>("batch_group_count", 1);
  const int64_t features = kernel.dimension(labels->kernel_output_feature);
  if (groups < 1 || batch_groups < 1 || (groups > 1 && batch_groups > 1) ||
      features % groups != 0 || features % batch_groups != 0 ||
      input.dimension(labels->input_batch) % batch_groups != 0 ||
      input.dimension(labels->input_feature) !=
          kernel.dimension(labels->kernel_input_feature) * groups) {
    return Wrong(instruction, "input ", input.ToString(false), " and kernel ",
                 kernel.ToString(false), " do not fit ", groups, " feature groups and ",
                 batch_groups, " batch groups");
  }
  std::vector<int64_t> sizes(input.rank());
  sizes[labels->output_batch] = input.dimension(labels->input_batch) / batch_groups;
  sizes[labels->output_feature] = features;
  for (size_t i = 0; i < spatial; ++i) {
    if (window[i].size != kernel.dimension(labels->kernel_spatial[i])) {
      return Wrong(instruction, "the window is ", window[i].size, " wide, the kernel ",
                   kernel.dimension(labels->kernel_spatial[i]));
    }
    WARPYARD_ASSIGN_OR_RETURN(
        sizes[labels->output_spatial[i]],
        WindowPlaces(instruction, input.dimension(labels->input_spatial[i]), window[i]));
  }
  if (!instruction.shape().IsArray()) return Wrong(instruction, "its shape is no array");
  return ExpectShape(instruction,
                     Shape::Array(instruction.shape().element_type(), std::move(sizes)));
}

}  // namespace

absl::Status CheckContraction(const Instruction& instruction) {
  absl::Status (*check)(const Instruction&) = nullptr;
  switch (instruction.opcode()) {
    case Opcode::kDot:
      check = CheckDot;
      break;
    case Opcode::kRaggedDot:
      check = CheckRaggedDot;
      break;
    case Opcode::kScaledDot:
      check = CheckScaledDot;
      break;
    case Opcode::kConvolution:
      check = CheckConvolution;
      break;
    default:
      return absl::NotFoundError("");
  }
  WARPYARD_RETURN_IF_ERROR(ExpectArrays(instruction));
  return check(instruction);
}

}  // namespace warpyard::hlo
