// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// What the operands of one function's instructions stand for: rows, constants,
// addresses. The half of DecodeContext that does not write code.

#ifndef WARPYARD_CC_EMULATOR_PROGRAM_OPERAND_RESOLVER_H_
#define WARPYARD_CC_EMULATOR_PROGRAM_OPERAND_RESOLVER_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cc/emulator/program/constant_pool.h"
#include "cc/emulator/program/decoder.h"
#include "cc/emulator/program/function_uses.h"
#include "cc/emulator/program/program.h"
#include "cc/emulator/program/register_rows.h"
#include "cc/emulator/program/scopes.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {

class OperandResolver : public DecodeContext {
 public:
  // All must outlive this; `function.syntax` has a body.
  OperandResolver(Program& program, ConstantPool& constants, Function& function, FunctionUses& uses)
      : program_(program),
        constants_(constants),
        function_(function),
        syntax_(*function.syntax),
        uses_(uses) {}

  Program& program() override { return program_; }
  Function& function() override { return function_; }
  ComputeCapability target() const override { return program_.target; }
  int isa() const override { return program_.syntax.isa_major * 10 + program_.syntax.isa_minor; }

  absl::StatusOr<RowRef> Source(const syntax::Operand& operand, syntax::ScalarType type) override;
  absl::StatusOr<RowRef> Destination(const syntax::Operand& operand,
                                     syntax::ScalarType type) override;
  absl::StatusOr<RowRef> PredicateSource(const syntax::Operand& operand, bool* negated) override;
  absl::StatusOr<RowRef> PredicateDestination(const syntax::Operand& operand) override;
  absl::StatusOr<std::vector<RowRef>> Sources(const syntax::Operand& operand,
                                              syntax::ScalarType type) override;
  absl::StatusOr<std::vector<RowRef>> Destinations(const syntax::Operand& operand,
                                                   syntax::ScalarType type) override;
  absl::StatusOr<Address> MemoryOperand(const syntax::Operand& operand,
                                        syntax::StateSpace space) override;
  absl::StatusOr<int64_t> Immediate(const syntax::Operand& operand) override;
  syntax::ScalarType RegisterType(const syntax::Operand& operand) override;
  RowRef Constant(uint64_t value, int bits) override;
  RowRef Temporary(int bits) override;
  const syntax::LabelledDirective* FindLabelled(std::string_view label) override;
  const Parameter* FindParamVariable(std::string_view name) override;

 protected:
  // Behind the name of a parameter or result that the function declares as a
  // register: the place where it is handed over.
  static constexpr std::string_view kHandedOver = "@param";

  // Reads the function's declarations and gives everything in it its place.
  // INVALID_ARGUMENT names what is declared twice or is too large.
  absl::Status PlaceEverything();

  Program& program_;
  ConstantPool& constants_;
  Function& function_;
  const syntax::Function& syntax_;
  FunctionUses& uses_;
  Scopes scopes_;
  FrameLayout frame_;
  std::vector<uint32_t> rows_;             // by register
  absl::flat_hash_set<const void*> used_;  // what uses_ has already
  uint32_t scope_ = 0;                     // of the instruction that is decoded

 private:
  // A name of the function, other than a register, that stands for memory.
  struct Place {
    enum class Kind : uint8_t { kParam, kKernelParam, kLocal, kSymbol } kind = Kind::kParam;
    const Parameter* parameter = nullptr;  // kParam, kKernelParam
    uint64_t offset = 0;                   // kLocal
    ModuleSymbol* symbol = nullptr;        // kSymbol
    uint32_t element_size = 1;             // bytes
  };

  // Resolves a register to its row, having checked that `type` fits.
  absl::StatusOr<RowRef> RegisterRow(const Entity& entity, const syntax::Operand& operand,
                                     syntax::ScalarType type);
  absl::StatusOr<RowRef> NamedSource(const syntax::Operand& operand, syntax::ScalarType type);
  // %reserved_smem_offset_begin, _end, _cap, _0 and _1: shared memory that the
  // system keeps for libraries (cooperative groups takes 288 bytes of it). Here it
  // is a static variable that kernels have if they ask for it.
  absl::StatusOr<RowRef> ReservedShared(std::string_view which);
  // What memory `name` stands for; `entity` is what the scopes say of it.
  bool FindPlace(const std::optional<Entity>& entity, std::string_view name, Place* place);
  bool FindHandedOver(std::string_view name, Place* place);
  // A row with the address of `place`.
  absl::StatusOr<RowRef> PlaceAddress(const Place& place, int64_t addend, int bits);
  // The row for a frame address, one for each that differs.
  RowRef FrameRow(FrameAddress address, ModuleSymbol* shared);
  absl::StatusOr<std::vector<RowRef>> Several(const syntax::Operand& operand,
                                              syntax::ScalarType type, bool destination);
  // .param, .local, .shared, .global and .const variables that the body declares.
  absl::Status PlaceVariables();

  std::vector<Place> variables_;  // by variable of the function
  absl::flat_hash_map<std::tuple<int, int, uint64_t, ModuleSymbol*>, uint32_t> frame_rows_;
};

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_PROGRAM_OPERAND_RESOLVER_H_
