// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// From a syntax tree to decoded code, and what families of operations
// (cc/emulator/operations) use to decode theirs.

#ifndef WARPYARD_CC_EMULATOR_PROGRAM_DECODER_H_
#define WARPYARD_CC_EMULATOR_PROGRAM_DECODER_H_

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "cc/emulator/program/program.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {

// An [address] operand: base row + displacement.
struct Address {
  // A row of 64-bit (generic, global, const, local, param) or 32-bit values as
  // declared; for a symbol, a broadcast row with its address. `wide` says which.
  RowRef base;
  bool wide = true;
  int64_t displacement = 0;
  // Set for a kernel's or function's parameter named directly: the displacement
  // is its offset, and `base` is not used.
  bool is_parameter = false;
};

// Given to a family's decoder, for one instruction of one function.
class DecodeContext {
 public:
  virtual ~DecodeContext() = default;

  virtual Program& program() = 0;
  virtual Function& function() = 0;
  // The module's .target and .version.
  virtual ComputeCapability target() const = 0;
  virtual int isa() const = 0;  // 8.5 is 85

  // The row of a source operand read as `type`: a register, an integer or
  // floating-point immediate (converted to `type` and broadcast), a special
  // register, or the address of a variable or function. INVALID_ARGUMENT for
  // unknown names and for widths that do not fit. A 32-bit operation may read a
  // 64-bit register's low half only where PTX says so: then the row is
  // converted by the caller.
  virtual absl::StatusOr<RowRef> Source(const syntax::Operand& operand,
                                        syntax::ScalarType type) = 0;
  // The row of a destination register; `_` gives a scratch row.
  virtual absl::StatusOr<RowRef> Destination(const syntax::Operand& operand,
                                             syntax::ScalarType type) = 0;
  // Predicates: the offset is that of one uint32_t. `p`, `!p` (sets *negated),
  // or an immediate 0/1 where PTX allows it.
  virtual absl::StatusOr<RowRef> PredicateSource(const syntax::Operand& operand, bool* negated) = 0;
  virtual absl::StatusOr<RowRef> PredicateDestination(const syntax::Operand& operand) = 0;
  // The rows of {a, b, ...} or of a single register.
  virtual absl::StatusOr<std::vector<RowRef>> Sources(const syntax::Operand& operand,
                                                      syntax::ScalarType type) = 0;
  virtual absl::StatusOr<std::vector<RowRef>> Destinations(const syntax::Operand& operand,
                                                           syntax::ScalarType type) = 0;
  virtual absl::StatusOr<Address> MemoryOperand(const syntax::Operand& operand,
                                                syntax::StateSpace space) = 0;
  // An operand that must be an immediate.
  virtual absl::StatusOr<int64_t> Immediate(const syntax::Operand& operand) = 0;
  // The declared type of a register operand; kNone for what is no register.
  virtual syntax::ScalarType RegisterType(const syntax::Operand& operand) = 0;
  // A constant broadcast to all lanes, of 32 or 64 bits.
  virtual RowRef Constant(uint64_t value, int bits) = 0;
  // An unnamed register of the function's frame, of 32, 64 or 128 bits.
  virtual RowRef Temporary(int bits) = 0;
  // Index of the instruction after a label. Known labels only once all
  // statements were seen: the value is patched into Instruction::immediate.
  virtual absl::Status BranchTarget(const syntax::Operand& label, Instruction* instruction) = 0;
  // The targets of a .branchtargets or .calltargets label, or its prototype.
  virtual const syntax::LabelledDirective* FindLabelled(std::string_view label) = 0;
  // A .param variable of the function (own parameters, results, call arguments):
  // its place in the per-thread param area; null if there is none.
  virtual const Parameter* FindParamVariable(std::string_view name) = 0;

  // Sets rows (destinations first) on the instruction.
  void SetRows(Instruction* instruction, absl::Span<const RowRef> destinations,
               absl::Span<const RowRef> sources);
};

// A family's decoder. Fills handler, rows, flags, class. UNIMPLEMENTED says what
// is not executed ("textures are not supported"): it becomes an entry of
// Function::unsupported and an instruction that traps. INVALID_ARGUMENT is for
// PTX that ptxas would refuse.
using DecodeFunction = absl::Status (*)(DecodeContext& context, const syntax::Instruction& syntax,
                                        Instruction* instruction);

// Which opcode ("ld", "wgmma", "bar") is whose. Built by cc/emulator/operations:
// one `absl::Span<const Operation> XxxOperations()` per family.
struct Operation {
  std::string_view opcode;
  DecodeFunction decode;
};

// Finds decoders by opcode. Immutable after construction.
class OperationTable {
 public:
  explicit OperationTable(absl::Span<const absl::Span<const Operation>> families);
  // Null for an opcode that no family has.
  DecodeFunction Find(std::string_view opcode) const;

 private:
  absl::flat_hash_map<std::string_view, DecodeFunction> by_opcode_;
};

// Decodes a module for execution. INVALID_ARGUMENT names line and column of
// what is not valid PTX (an undeclared register, a missing label, ...).
absl::StatusOr<std::unique_ptr<Program>> Decode(syntax::Module module,
                                                const OperationTable& operations);

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_PROGRAM_DECODER_H_
