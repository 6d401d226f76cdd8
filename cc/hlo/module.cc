// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/hlo/module.h"

#include <algorithm>

namespace warpyard::hlo {

void Instruction::SetAttribute(std::string_view name, AttributeValue value) {
  for (Attribute& attribute : attributes_) {
    if (attribute.name == name) {
      attribute.value = std::move(value);
      return;
    }
  }
  attributes_.push_back({std::string(name), std::move(value)});
}

void Instruction::RemoveAttribute(std::string_view name) {
  std::erase_if(attributes_, [name](const Attribute& each) { return each.name == name; });
}

std::vector<Computation*> Instruction::CalledComputations() const {
  std::vector<Computation*> called;
  for (const Attribute& attribute : attributes_) {
    if (const auto* one = std::get_if<Computation*>(&attribute.value)) {
      called.push_back(*one);
    } else if (const auto* many = std::get_if<std::vector<Computation*>>(&attribute.value)) {
      called.insert(called.end(), many->begin(), many->end());
    }
  }
  return called;
}

Instruction* Computation::Add(std::unique_ptr<Instruction> instruction) {
  instruction->parent_ = this;
  instructions_.push_back(std::move(instruction));
  return instructions_.back().get();
}

std::vector<Instruction*> Computation::Parameters() const {
  std::vector<Instruction*> parameters;
  for (const auto& instruction : instructions_) {
    if (instruction->opcode() != Opcode::kParameter) continue;
    const int64_t number = instruction->parameter_number();
    if (number >= static_cast<int64_t>(parameters.size())) parameters.resize(number + 1, nullptr);
    parameters[number] = instruction.get();
  }
  return parameters;
}

Computation* Module::Add(std::unique_ptr<Computation> computation) {
  computation->module_ = this;
  computations_.push_back(std::move(computation));
  return computations_.back().get();
}

Computation* Module::Find(std::string_view name) const {
  const auto found = std::find_if(computations_.begin(), computations_.end(),
                                  [name](const auto& each) { return each->name() == name; });
  return found == computations_.end() ? nullptr : found->get();
}

const std::string* Module::FindAttribute(std::string_view name) const {
  for (const auto& [attribute, value] : attributes_) {
    if (attribute == name) return &value;
  }
  return nullptr;
}

int64_t Module::InstructionCount() const {
  int64_t count = 0;
  for (const auto& computation : computations_) {
    count += static_cast<int64_t>(computation->instructions().size());
  }
  return count;
}

}  // namespace warpyard::hlo
