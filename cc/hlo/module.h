// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// A program in HLO: a module of computations of instructions.

#ifndef WARPYARD_CC_HLO_MODULE_H_
#define WARPYARD_CC_HLO_MODULE_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "cc/hlo/attribute.h"
#include "cc/hlo/opcode.h"
#include "cc/hlo/shape.h"
#include "cc/numerics/literal.h"

namespace warpyard::hlo {

class Module;

// One operation, in a computation that owns it. Operands are instructions of the
// same computation.
class Instruction {
 public:
  Instruction(Opcode opcode, std::string name, Shape shape)
      : opcode_(opcode), name_(std::move(name)), shape_(std::move(shape)) {}

  Opcode opcode() const { return opcode_; }
  const std::string& name() const { return name_; }
  const Shape& shape() const { return shape_; }
  void set_shape(Shape shape) { shape_ = std::move(shape); }
  const std::vector<Instruction*>& operands() const { return operands_; }
  Instruction* operand(int64_t i) const { return operands_[i]; }
  void AddOperand(Instruction* operand) { operands_.push_back(operand); }
  void ReplaceOperand(int64_t i, Instruction* operand) { operands_[i] = operand; }
  Computation* parent() const { return parent_; }

  // In the order in which they are printed.
  const std::vector<Attribute>& attributes() const { return attributes_; }
  void SetAttribute(std::string_view name, AttributeValue value);
  void RemoveAttribute(std::string_view name);
  // The value of an attribute if there is one and it is a T, else null.
  template <typename T>
  const T* Find(std::string_view name) const {
    for (const Attribute& attribute : attributes_) {
      if (attribute.name == name) return std::get_if<T>(&attribute.value);
    }
    return nullptr;
  }
  template <typename T>
  T Get(std::string_view name, T otherwise = T()) const {
    const T* value = Find<T>(name);
    return value != nullptr ? *value : otherwise;
  }
  absl::Span<const int64_t> GetIntegers(std::string_view name) const {
    const auto* values = Find<std::vector<int64_t>>(name);
    return values != nullptr ? absl::Span<const int64_t>(*values) : absl::Span<const int64_t>();
  }

  // parameter(n).
  int64_t parameter_number() const { return parameter_number_; }
  void set_parameter_number(int64_t number) { parameter_number_ = number; }
  // constant(...): null where the text left the values out ("{...}"), and for a
  // constant that is no array.
  const std::shared_ptr<const Literal>& literal() const { return literal_; }
  void set_literal(std::shared_ptr<const Literal> literal) { literal_ = std::move(literal); }

  // The computations that it calls, in the order of its attributes.
  std::vector<Computation*> CalledComputations() const;

 private:
  friend class Computation;
  Opcode opcode_;
  std::string name_;
  Shape shape_;
  std::vector<Instruction*> operands_;
  std::vector<Attribute> attributes_;
  Computation* parent_ = nullptr;
  int64_t parameter_number_ = -1;
  std::shared_ptr<const Literal> literal_;
};

// Instructions in an order in which operands stand before their users.
class Computation {
 public:
  explicit Computation(std::string name) : name_(std::move(name)) {}
  Computation(const Computation&) = delete;
  Computation& operator=(const Computation&) = delete;

  const std::string& name() const { return name_; }
  Module* module() const { return module_; }
  // The thread of the host or device that it runs on, "" for the main one.
  const std::string& execution_thread() const { return execution_thread_; }
  void set_execution_thread(std::string thread) { execution_thread_ = std::move(thread); }

  const std::vector<std::unique_ptr<Instruction>>& instructions() const { return instructions_; }
  Instruction* Add(std::unique_ptr<Instruction> instruction);
  Instruction* root() const { return root_; }
  void set_root(Instruction* root) { root_ = root; }
  // By number; a gap is null, which the verifier refuses.
  std::vector<Instruction*> Parameters() const;

 private:
  friend class Module;
  std::string name_;
  std::string execution_thread_;
  Module* module_ = nullptr;
  Instruction* root_ = nullptr;
  std::vector<std::unique_ptr<Instruction>> instructions_;
};

// Shapes of the arguments and of the result, with layouts.
struct ProgramShape {
  std::vector<Shape> parameters;
  Shape result;
  friend bool operator==(const ProgramShape&, const ProgramShape&) = default;
};

class Module {
 public:
  explicit Module(std::string name) : name_(std::move(name)) {}
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  const std::string& name() const { return name_; }

  // Called computations stand before their callers.
  const std::vector<std::unique_ptr<Computation>>& computations() const { return computations_; }
  Computation* Add(std::unique_ptr<Computation> computation);
  Computation* entry() const { return entry_; }
  void set_entry(Computation* entry) { entry_ = entry; }
  Computation* Find(std::string_view name) const;

  const std::optional<ProgramShape>& entry_layout() const { return entry_layout_; }
  void set_entry_layout(std::optional<ProgramShape> layout) { entry_layout_ = std::move(layout); }

  // What stands behind the name: "is_scheduled" -> "true". The entry layout is
  // among them, with an empty value, at its place.
  const std::vector<std::pair<std::string, std::string>>& attributes() const { return attributes_; }
  void AddAttribute(std::string name, std::string value) {
    attributes_.emplace_back(std::move(name), std::move(value));
  }
  const std::string* FindAttribute(std::string_view name) const;

  // The tables of files, functions and stack frames that metadata points into, as
  // they were written.
  const std::string& tables() const { return tables_; }
  void set_tables(std::string tables) { tables_ = std::move(tables); }

  int64_t InstructionCount() const;

 private:
  std::string name_;
  std::vector<std::unique_ptr<Computation>> computations_;
  Computation* entry_ = nullptr;
  std::optional<ProgramShape> entry_layout_;
  std::vector<std::pair<std::string, std::string>> attributes_;
  std::string tables_;
};

}  // namespace warpyard::hlo

#endif  // WARPYARD_CC_HLO_MODULE_H_
