// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Operations that a library or the host does: transforms, decompositions, batch
// norms, random numbers, feeds, and who runs.

#include <cstdint>
#include <vector>

#include "cc/base/status_macros.h"
#include "cc/hlo/rules/rule.h"
#include "cc/numerics/element_type.h"

namespace warpyard::hlo {
namespace {

absl::Status CheckFft(const Instruction& instruction) {
  WARPYARD_RETURN_IF_ERROR(ExpectArrays(instruction));
  const Shape& operand = instruction.operand(0)->shape();
  const absl::Span<const int64_t> lengths = instruction.GetIntegers("fft_length");
  const Word* type = instruction.Find<Word>("fft_type");
  if (type == nullptr || lengths.empty() || static_cast<int64_t>(lengths.size()) > operand.rank()) {
    return Wrong(instruction, "it has ", lengths.size(), " lengths for ", operand.ToString(false));
  }
  const bool real = type->text == "RFFT", inverse_real = type->text == "IRFFT";
  if (!real && !inverse_real && type->text != "FFT" && type->text != "IFFT") {
    return Wrong(instruction, "its type is ", type->text);
  }
  std::vector<int64_t> sizes = operand.dimensions();
  const int64_t first = operand.rank() - static_cast<int64_t>(lengths.size());
  for (size_t i = 0; i < lengths.size(); ++i) {
    // Of a real transform half of the last dimension is stored.
    const bool halved = inverse_real && i + 1 == lengths.size();
    if (sizes[first + i] != (halved ? lengths[i] / 2 + 1 : lengths[i])) {
      return Wrong(instruction, "its length is ", lengths[i], ", the dimension ", sizes[first + i]);
    }
  }
  ElementType element = operand.element_type();
  if (real) {
    sizes.back() = lengths.back() / 2 + 1;
    element = element == ElementType::kF64 ? ElementType::kC128 : ElementType::kC64;
  } else if (inverse_real) {
    sizes.back() = lengths.back();
    element = element == ElementType::kC128 ? ElementType::kF64 : ElementType::kF32;
  }
  return ExpectShape(instruction, Shape::Array(element, std::move(sizes)));
}

absl::Status CheckSquare(const Instruction& instruction) {
  WARPYARD_RETURN_IF_ERROR(ExpectArrays(instruction));
  const Shape& matrix = instruction.operand(0)->shape();
  if (matrix.rank() < 2 ||
      matrix.dimension(matrix.rank() - 1) != matrix.dimension(matrix.rank() - 2)) {
    return Wrong(instruction, "its matrix is ", matrix.ToString(false));
  }
  if (instruction.opcode() == Opcode::kCholesky) return ExpectShape(instruction, matrix);
  const Shape& right = instruction.operand(1)->shape();
  const bool left_side = instruction.Get<bool>("left_side", true);
  if (right.rank() != matrix.rank() ||
      right.dimension(right.rank() - (left_side ? 2 : 1)) != matrix.dimension(matrix.rank() - 1)) {
    return Wrong(instruction, "it solves ", matrix.ToString(false), " for ", right.ToString(false));
  }
  return ExpectShape(instruction, right);
}

// (normalised or gradient, then a value for each feature, twice) but for
// inference, which gives the first alone.
absl::Status CheckBatchNorm(const Instruction& instruction) {
  WARPYARD_RETURN_IF_ERROR(ExpectArrays(instruction));
  const Shape& operand = instruction.operand(0)->shape();
  const int64_t feature = instruction.Get<int64_t>("feature_index", -1);
  if (feature < 0 || feature >= operand.rank()) {
    return Wrong(instruction, "feature_index is ", feature, " of ", operand.ToString(false));
  }
  const Shape& scale = instruction.operand(1)->shape();
  if (scale.dimensions() != std::vector<int64_t>{operand.dimension(feature)}) {
    return Wrong(instruction, "operand 1 is ", scale.ToString(false), " for ",
                 operand.dimension(feature), " features");
  }
  if (instruction.opcode() == Opcode::kBatchNormInference) {
    return ExpectShape(instruction, operand);
  }
  return ExpectShape(instruction, Shape::Tuple({operand, scale, scale}));
}

// (values, token), or a token.
absl::Status CheckToken(const Instruction& instruction, const Shape& shape, bool in_tuple) {
  const bool fits = in_tuple ? shape.IsTuple() && !shape.elements().empty() &&
                                   shape.elements().back().kind() == Shape::Kind::kToken
                             : shape.kind() == Shape::Kind::kToken;
  if (fits) return absl::OkStatus();
  return Wrong(instruction, shape.ToString(false), " has no token");
}

absl::Status CheckTransferDone(const Instruction& instruction, Opcode start) {
  const Instruction& before = *instruction.operand(0);
  if (before.opcode() != start) {
    return Wrong(instruction, "it ends ", OpcodeName(before.opcode()), ", expected ",
                 OpcodeName(start));
  }
  if (start == Opcode::kSend) return ExpectShape(instruction, Shape::Token());
  if (!before.shape().IsTuple() || before.shape().elements().empty()) {
    return Wrong(instruction, "what it ends is ", before.shape().ToString(false));
  }
  return ExpectShape(instruction, Shape::Tuple({before.shape().elements()[0], Shape::Token()}));
}

}  // namespace

absl::Status CheckLibrary(const Instruction& instruction) {
  const Shape& shape = instruction.shape();
  switch (instruction.opcode()) {
    case Opcode::kFft:
      return CheckFft(instruction);
    case Opcode::kCholesky:
    case Opcode::kTriangularSolve:
      return CheckSquare(instruction);
    case Opcode::kBatchNormGrad:
    case Opcode::kBatchNormInference:
    case Opcode::kBatchNormTraining:
      return CheckBatchNorm(instruction);
    case Opcode::kRng:
    case Opcode::kRngGetAndUpdateState:
      if (!shape.IsArray()) return Wrong(instruction, "its shape is no array");
      return absl::OkStatus();
    case Opcode::kRngBitGenerator:
      // The new state and the bits, or the bits alone.
      if (shape.IsArray()) return absl::OkStatus();
      if (!shape.IsTuple() || shape.elements().size() != 2 ||
          !shape.elements()[0].Compatible(instruction.operand(0)->shape())) {
        return Wrong(instruction, "its shape is ", shape.ToString(false));
      }
      return absl::OkStatus();
    case Opcode::kReplicaId:
    case Opcode::kPartitionId:
      return ExpectShape(instruction, Shape::Scalar(ElementType::kU32));
    case Opcode::kInfeed:
      WARPYARD_RETURN_IF_ERROR(CheckToken(instruction, instruction.operand(0)->shape(), false));
      return CheckToken(instruction, shape, true);
    case Opcode::kOutfeed:
      return CheckToken(instruction, shape, false);
    case Opcode::kSend:
    case Opcode::kRecv:
      return CheckToken(instruction, shape, true);
    case Opcode::kSendDone:
      return CheckTransferDone(instruction, Opcode::kSend);
    case Opcode::kRecvDone:
      return CheckTransferDone(instruction, Opcode::kRecv);
    default:
      return absl::NotFoundError("");
  }
}

}  // namespace warpyard::hlo
