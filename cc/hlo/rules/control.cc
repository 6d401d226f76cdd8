// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Tuples, calls, loops, branches, asynchronous pairs.

#include <cstdint>
#include <vector>

#include "cc/base/status_macros.h"
#include "cc/hlo/rules/rule.h"
#include "cc/numerics/element_type.h"

namespace warpyard::hlo {
namespace {

std::vector<Shape> OperandShapes(const Instruction& instruction, int64_t first = 0) {
  std::vector<Shape> shapes;
  for (size_t i = static_cast<size_t>(first); i < instruction.operands().size(); ++i) {
    shapes.push_back(instruction.operand(static_cast<int64_t>(i))->shape());
  }
  return shapes;
}

absl::Status CheckGetTupleElement(const Instruction& instruction) {
  const Shape& operand = instruction.operand(0)->shape();
  const int64_t index = instruction.Get<int64_t>("index", -1);
  if (!operand.IsTuple() || index < 0 || index >= static_cast<int64_t>(operand.elements().size())) {
    return Wrong(instruction, "it takes element ", index, " of ", operand.ToString(false));
  }
  return ExpectShape(instruction, operand.elements()[index]);
}

absl::Status CheckWhile(const Instruction& instruction) {
  const Shape& state = instruction.operand(0)->shape();
  const Shape predicate = Shape::Scalar(ElementType::kPred);
  WARPYARD_RETURN_IF_ERROR(ExpectSignature(instruction, "condition", {state}, &predicate));
  WARPYARD_RETURN_IF_ERROR(ExpectSignature(instruction, "body", {state}, &state));
  return ExpectShape(instruction, state);
}

absl::Status CheckBranch(const Instruction& instruction, const Computation* branch, int64_t i) {
  if (branch == nullptr) return Wrong(instruction, "it has no branch ", i);
  const std::vector<Instruction*> parameters = branch->Parameters();
  const Shape& argument = instruction.operand(i + 1)->shape();
  if (parameters.size() != 1 || parameters[0] == nullptr ||
      !parameters[0]->shape().Compatible(argument) ||
      !branch->root()->shape().Compatible(instruction.shape())) {
    return Wrong(instruction, "branch ", branch->name(), " does not make ",
                 instruction.shape().ToString(false), " of ", argument.ToString(false));
  }
  return absl::OkStatus();
}

absl::Status CheckConditional(const Instruction& instruction) {
  WARPYARD_RETURN_IF_ERROR(ExpectOperands(instruction, 2));
  const Shape& selector = instruction.operand(0)->shape();
  const auto* branches = instruction.Find<std::vector<Computation*>>("branch_computations");
  std::vector<Computation*> all;
  if (branches != nullptr) {
    all = *branches;
  } else {
    all = {instruction.Get<Computation*>("true_computation"),
           instruction.Get<Computation*>("false_computation")};
  }
  const ElementType type = branches == nullptr ? ElementType::kPred : ElementType::kS32;
  const bool predicated = selector.Compatible(Shape::Scalar(ElementType::kPred));
  if (!selector.Compatible(Shape::Scalar(type)) && !(predicated && all.size() == 2)) {
    return Wrong(instruction, "it branches on ", selector.ToString(false));
  }
  if (all.size() + 1 != instruction.operands().size()) {
    return Wrong(instruction, "it has ", all.size(), " branches and ",
                 instruction.operands().size() - 1, " arguments");
  }
  for (size_t i = 0; i < all.size(); ++i) {
    WARPYARD_RETURN_IF_ERROR(CheckBranch(instruction, all[i], static_cast<int64_t>(i)));
  }
  return absl::OkStatus();
}

absl::Status CheckFusion(const Instruction& instruction) {
  const Word* kind = instruction.Find<Word>("kind");
  if (kind == nullptr || (kind->text != "kLoop" && kind->text != "kInput" &&
                          kind->text != "kOutput" && kind->text != "kCustom")) {
    return Wrong(instruction, "its kind is ", kind == nullptr ? "not said" : kind->text);
  }
  return ExpectSignature(instruction, "calls", OperandShapes(instruction), &instruction.shape());
}

// What an async-start holds: its operands, its result, and what the backend adds.
absl::Status CheckAsyncStart(const Instruction& instruction) {
  const Shape& shape = instruction.shape();
  if (!shape.IsTuple() || shape.elements().size() < 2 ||
      !shape.elements()[0].Compatible(Shape::Tuple(OperandShapes(instruction)))) {
    return Wrong(instruction, "its shape is ", shape.ToString(false),
                 ", expected ((operands), result, ...)");
  }
  return ExpectSignature(instruction, "calls", OperandShapes(instruction), &shape.elements()[1]);
}

absl::Status CheckAsyncNext(const Instruction& instruction) {
  const Instruction& before = *instruction.operand(0);
  if (before.opcode() != Opcode::kAsyncStart && before.opcode() != Opcode::kAsyncUpdate) {
    return Wrong(instruction, "it follows ", OpcodeName(before.opcode()),
                 ", expected async-start or async-update");
  }
  if (instruction.opcode() == Opcode::kAsyncUpdate) {
    return ExpectShape(instruction, before.shape());
  }
  const Shape& started = before.shape();
  if (!started.IsTuple() || started.elements().size() < 2) {
    return Wrong(instruction, "what it ends is ", started.ToString(false));
  }
  return ExpectShape(instruction, started.elements()[1]);
}

// (destination, source, context).
absl::Status CheckCopyStart(const Instruction& instruction) {
  const Shape& operand = instruction.operand(0)->shape();
  const Shape& shape = instruction.shape();
  if (!shape.IsTuple() || shape.elements().size() < 2 || !shape.elements()[0].Compatible(operand) ||
      !shape.elements()[1].Compatible(operand)) {
    return Wrong(instruction, "its shape is ", shape.ToString(false),
                 ", expected two of its operand's and a context");
  }
  return absl::OkStatus();
}

absl::Status CheckCopyDone(const Instruction& instruction) {
  const Instruction& start = *instruction.operand(0);
  if (start.opcode() != Opcode::kCopyStart || !start.shape().IsTuple() ||
      start.shape().elements().empty()) {
    return Wrong(instruction, "it ends ", OpcodeName(start.opcode()), ", expected copy-start");
  }
  return ExpectShape(instruction, start.shape().elements()[0]);
}

}  // namespace

absl::Status CheckControl(const Instruction& instruction) {
  switch (instruction.opcode()) {
    case Opcode::kParameter:
    case Opcode::kCustomCall:
      return absl::OkStatus();  // its shape is what it says
    case Opcode::kConstant:
      if (instruction.literal() != nullptr &&
          (instruction.literal()->element_type() != instruction.shape().element_type() ||
           instruction.literal()->dimensions() != instruction.shape().dimensions())) {
        return Wrong(instruction, "its value is not of its shape");
      }
      return absl::OkStatus();
    case Opcode::kTuple:
      return ExpectShape(instruction, Shape::Tuple(OperandShapes(instruction)));
    case Opcode::kGetTupleElement:
      return CheckGetTupleElement(instruction);
    case Opcode::kCall:
      return ExpectSignature(instruction, "to_apply", OperandShapes(instruction),
                             &instruction.shape());
    case Opcode::kWhile:
      return CheckWhile(instruction);
    case Opcode::kConditional:
      return CheckConditional(instruction);
    case Opcode::kFusion:
      return CheckFusion(instruction);
    case Opcode::kAsyncStart:
      return CheckAsyncStart(instruction);
    case Opcode::kAsyncUpdate:
    case Opcode::kAsyncDone:
      return CheckAsyncNext(instruction);
    case Opcode::kCopyStart:
      return CheckCopyStart(instruction);
    case Opcode::kCopyDone:
      return CheckCopyDone(instruction);
    case Opcode::kOptimizationBarrier:
    case Opcode::kDomain:
      return ExpectShape(instruction, instruction.operand(0)->shape());
    case Opcode::kAddDependency:
      if (instruction.operand(1)->shape().kind() != Shape::Kind::kToken) {
        return Wrong(instruction, "operand 1 is no token");
      }
      return ExpectShape(instruction, instruction.operand(0)->shape());
    case Opcode::kAfterAll:
      for (const Instruction* operand : instruction.operands()) {
        if (operand->shape().kind() != Shape::Kind::kToken) {
          return Wrong(instruction, operand->name(), " is no token");
        }
      }
      return ExpectShape(instruction, Shape::Token());
    default:
      return absl::NotFoundError("");
  }
}

}  // namespace warpyard::hlo
