// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/program/function_decoder.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/execution/address.h"
#include "cc/emulator/execution/special_rows.h"
#include "cc/emulator/program/decoder.h"
#include "cc/emulator/program/immediate.h"
#include "cc/emulator/program/module_symbols.h"
#include "cc/emulator/program/program.h"
#include "cc/emulator/program/register_rows.h"
#include "cc/emulator/program/scopes.h"
#include "cc/emulator/program/special_registers.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {
namespace {

using syntax::Operand;
using syntax::ScalarType;
using syntax::Statement;
using syntax::StateSpace;

// PTX ISA, "Kernel Function Parameters": 32,764 bytes from ISA 8.1 on.
constexpr uint64_t kMaxKernelParameters = 32764;
constexpr uint64_t kMaxParamArea = uint64_t{1} << 24;
constexpr uint64_t kMaxLocal = uint64_t{1} << 30;
constexpr uint64_t kMaxFrame = uint64_t{1} << 28;
constexpr size_t kMaxConstants = size_t{1} << 29;

RowRef Row(RowRef::Base base, uint32_t offset) {
  RowRef row;
  row.base = base;
  row.offset = offset;
  return row;
}

std::string FullName(const syntax::Instruction& instruction) {
  std::string name(instruction.opcode);
  for (std::string_view modifier : instruction.modifiers) absl::StrAppend(&name, ".", modifier);
  return name;
}

// A name of the function, other than a register, that stands for memory.
struct Place {
  enum class Kind : uint8_t { kParam, kKernelParam, kLocal, kSymbol } kind = Kind::kParam;
  const Parameter* parameter = nullptr;  // kParam, kKernelParam
  uint64_t offset = 0;                   // kLocal
  ModuleSymbol* symbol = nullptr;        // kSymbol
  uint32_t element_size = 1;             // bytes
};

class FunctionDecoder final : public DecodeContext {
 public:
  FunctionDecoder(const OperationTable& operations, Program& program, ConstantPool& constants,
                  Function& function, FunctionUses* uses)
      : operations_(operations),
        program_(program),
        constants_(constants),
        function_(function),
        syntax_(*function.syntax),
        uses_(*uses) {}

  absl::Status Run() {
    WARPYARD_RETURN_IF_ERROR(scopes_.Build(syntax_));
    const RegisterRows rows = AssignRows(syntax_, scopes_, frame_);
    rows_ = rows.offset;
    // What ptxas needs besides the values: addresses, the return address.
    function_.register_estimate =
        std::min<uint32_t>(std::max<uint32_t>(rows.register_estimate + 6, 8), 255);
    WARPYARD_RETURN_IF_ERROR(PlaceVariables());
    WARPYARD_RETURN_IF_ERROR(Code());
    if (frame_.bytes() > kMaxFrame) {
      return absl::InvalidArgumentError(absl::StrCat(
          function_.name, ": its registers need more than ", kMaxFrame, " bytes for a warp"));
    }
    // Vector loops may run to the end of a row whatever its width.
    function_.frame_bytes = static_cast<uint32_t>((frame_.bytes() + 63) & ~uint64_t{63});
    return absl::OkStatus();
  }

  Program& program() override { return program_; }
  Function& function() override { return function_; }
  ComputeCapability target() const override { return program_.target; }
  int isa() const override { return program_.syntax.isa_major * 10 + program_.syntax.isa_minor; }

  absl::StatusOr<RowRef> Source(const Operand& operand, ScalarType type) override {
    switch (operand.kind) {
      case Operand::Kind::kInteger:
      case Operand::Kind::kFloat: {
        WARPYARD_ASSIGN_OR_RETURN(const uint64_t bits, ImmediateBits(operand, type));
        if (type == ScalarType::kPred) return PredicateConstant(bits != 0);
        return constants_.Value(bits, RowBits(type));
      }
      case Operand::Kind::kIdentifier:
        return NamedSource(operand, type);
      default:
        return absl::InvalidArgumentError("expected a register, a constant or a variable");
    }
  }

  absl::StatusOr<RowRef> Destination(const Operand& operand, ScalarType type) override {
    if (operand.kind == Operand::Kind::kSink) return Row(RowRef::kScratch, 0);
    if (operand.kind != Operand::Kind::kIdentifier) {
      return absl::InvalidArgumentError("expected a register as destination");
    }
    const std::optional<Entity> entity = scopes_.Find(scope_, operand.identifier);
    if (!entity.has_value() || entity->kind != Entity::Kind::kRegister) {
      return NotDeclared(operand.identifier);
    }
    return RegisterRow(*entity, operand, type);
  }

  absl::StatusOr<RowRef> PredicateSource(const Operand& operand, bool* negated) override {
    *negated = operand.logical_not;
    if (operand.kind == Operand::Kind::kInteger) return PredicateConstant(operand.integer != 0);
    if (operand.kind != Operand::Kind::kIdentifier) {
      return absl::InvalidArgumentError("expected a predicate");
    }
    Operand plain = operand;
    plain.logical_not = false;
    return NamedSource(plain, ScalarType::kPred);
  }

  absl::StatusOr<RowRef> PredicateDestination(const Operand& operand) override {
    return Destination(operand, ScalarType::kPred);
  }

  absl::StatusOr<std::vector<RowRef>> Sources(const Operand& operand, ScalarType type) override {
    return Several(operand, type, /*destination=*/false);
  }
  absl::StatusOr<std::vector<RowRef>> Destinations(const Operand& operand,
                                                   ScalarType type) override {
    return Several(operand, type, /*destination=*/true);
  }

  absl::StatusOr<Address> MemoryOperand(const Operand& operand, StateSpace space) override {
    const bool element = operand.kind == Operand::Kind::kIdentifier && operand.is_element;
    if (!element &&
        ((operand.kind != Operand::Kind::kAddress && operand.kind != Operand::Kind::kTensor) ||
         operand.elements.empty())) {
      return absl::InvalidArgumentError("expected an address in brackets");
    }
    const Operand& base = element ? operand : operand.elements[0];
    Address address;
    address.displacement = static_cast<int64_t>(operand.integer);
    if (base.kind == Operand::Kind::kInteger) {
      address.base = constants_.Value(base.integer + operand.integer, 64);
      address.displacement = 0;
      return address;
    }
    if (base.kind != Operand::Kind::kIdentifier) {
      return absl::InvalidArgumentError("expected a register, a variable or a number as address");
    }
    const std::optional<Entity> entity = scopes_.Find(scope_, base.identifier);
    if (entity.has_value() && entity->kind == Entity::Kind::kRegister) {
      const ScalarType type = entity->type;
      const int bits = RowBits(type);
      if (bits != 64 && syntax::BitWidth(type) != 32) {
        return absl::InvalidArgumentError(absl::StrCat("expected a register of 32 or 64 bits as ",
                                                       "address, found ", base.identifier, " of .",
                                                       syntax::TypeName(type)));
      }
      address.wide = bits == 64;
      WARPYARD_ASSIGN_OR_RETURN(address.base, RegisterRow(*entity, base, type));
      return address;
    }
    Place place;
    if (!FindPlace(entity, base.identifier, &place)) {
      if (FindSpecialRegister(base.identifier, base.component).has_value()) {
        return absl::InvalidArgumentError("a special register is no address");
      }
      return NotDeclared(base.identifier);
    }
    if (element) address.displacement *= place.element_size;
    switch (place.kind) {
      case Place::Kind::kParam:
      case Place::Kind::kKernelParam:
        if (space == StateSpace::kParam) {
          address.is_parameter = true;
          address.displacement += place.parameter->offset;
          return address;
        }
        if (space != StateSpace::kNone) return WrongSpace(base.identifier, "param", space);
        break;
      case Place::Kind::kLocal:
        if (space == StateSpace::kNone) {
          address.displacement += static_cast<int64_t>(kLocalWindow);
        } else if (space != StateSpace::kLocal) {
          return WrongSpace(base.identifier, "local", space);
        }
        break;
      case Place::Kind::kSymbol: {
        const StateSpace is = place.symbol->space;
        if (is != space && space != StateSpace::kNone) {
          return WrongSpace(base.identifier, SpaceName(is), space);
        }
        // A row of a shared variable holds an address in the shared window.
        if (is == StateSpace::kShared && space == StateSpace::kNone) {
          address.displacement += static_cast<int64_t>(kSharedWindow);
        }
        address.wide = is != StateSpace::kShared || space == StateSpace::kNone;
        break;
      }
    }
    WARPYARD_ASSIGN_OR_RETURN(address.base, PlaceAddress(place, 0, address.wide ? 64 : 32));
    return address;
  }

  absl::StatusOr<int64_t> Immediate(const Operand& operand) override {
    if (operand.kind != Operand::Kind::kInteger) {
      return absl::InvalidArgumentError("expected an integer constant");
    }
    return static_cast<int64_t>(operand.integer);
  }

  ScalarType RegisterType(const Operand& operand) override {
    if (operand.kind != Operand::Kind::kIdentifier) return ScalarType::kNone;
    const std::optional<Entity> entity = scopes_.Find(scope_, operand.identifier);
    if (entity.has_value()) {
      return entity->kind == Entity::Kind::kRegister ? entity->type : ScalarType::kNone;
    }
    const std::optional<SpecialRegister> special =
        FindSpecialRegister(operand.identifier, operand.component);
    return special.has_value() ? special->type : ScalarType::kNone;
  }

  RowRef Constant(uint64_t value, int bits) override {
    return constants_.Value(bits == 32 ? static_cast<uint32_t>(value) : value, bits);
  }

  RowRef Temporary(int bits) override { return Row(RowRef::kFrame, frame_.Allocate(bits)); }

  absl::Status BranchTarget(const Operand& label, Instruction* instruction) override {
    if (label.kind != Operand::Kind::kIdentifier) {
      return absl::InvalidArgumentError("expected a label");
    }
    const std::optional<uint32_t> statement = scopes_.FindLabel(scope_, label.identifier);
    if (!statement.has_value()) {
      return absl::InvalidArgumentError(
          absl::StrCat("the label ", label.identifier, " is not in this function"));
    }
    branches_.push_back({instruction, *statement});
    return absl::OkStatus();
  }

  const syntax::LabelledDirective* FindLabelled(std::string_view label) override {
    return scopes_.FindLabelled(scope_, label);
  }

  const Parameter* FindParamVariable(std::string_view name) override {
    Place place;
    const std::optional<Entity> entity = scopes_.Find(scope_, name);
    if (!entity.has_value() || entity->kind == Entity::Kind::kRegister ||
        !FindPlace(entity, name, &place)) {
      return nullptr;
    }
    return place.parameter;
  }

 private:
  struct PendingBranch {
    Instruction* instruction;
    uint32_t statement;
  };

  static std::string_view SpaceName(StateSpace space) {
    switch (space) {
      case StateSpace::kGlobal:
        return "global";
      case StateSpace::kConst:
        return "const";
      case StateSpace::kShared:
        return "shared";
      case StateSpace::kLocal:
        return "local";
      case StateSpace::kParam:
        return "param";
      case StateSpace::kReg:
        return "reg";
      case StateSpace::kTex:
        return "tex";
      case StateSpace::kNone:
        break;
    }
    return "generic";
  }

  static absl::Status WrongSpace(std::string_view name, std::string_view is, StateSpace wanted) {
    return absl::InvalidArgumentError(
        absl::StrCat(name, " lies in .", is, " memory, accessed as .", SpaceName(wanted)));
  }

  static absl::Status NotDeclared(std::string_view name) {
    return absl::InvalidArgumentError(absl::StrCat(name, " is not declared"));
  }

  static RowRef PredicateConstant(bool value) {
    return Row(RowRef::kSpecial, static_cast<uint32_t>(value ? offsetof(SpecialRows, all_true)
                                                             : offsetof(SpecialRows, all_false)));
  }

  // Resolves a register to its row, having checked that `type` fits.
  absl::StatusOr<RowRef> RegisterRow(const Entity& entity, const Operand& operand,
                                     ScalarType type) {
    uint32_t index = entity.index;
    if (!operand.component.empty()) {
      const int component = ComponentIndex(operand.component);
      if (component < 0 || component >= entity.vector_size) {
        return absl::InvalidArgumentError(
            absl::StrCat(operand.identifier, " has no component .", operand.component));
      }
      index += static_cast<uint32_t>(component);
    } else if (entity.vector_size > 1) {
      return absl::InvalidArgumentError(
          absl::StrCat(operand.identifier, " is a vector, expected one register"));
    }
    if (operand.logical_not || operand.minus) {
      return absl::UnimplementedError(absl::StrCat("the ", operand.minus ? "negated" : "inverted",
                                                   " operand ", operand.identifier,
                                                   " is not supported here"));
    }
    const int have = syntax::BitWidth(entity.type), want = syntax::BitWidth(type);
    const bool both_wide_or_not = RowBits(entity.type) == RowBits(type);
    if (have < want || !both_wide_or_not) {
      return absl::InvalidArgumentError(
          absl::StrCat(operand.identifier, " is a register of .", syntax::TypeName(entity.type),
                       ", expected one for .", syntax::TypeName(type)));
    }
    return Row(RowRef::kFrame, rows_[index]);
  }

  static int ComponentIndex(std::string_view component) {
    if (component.size() != 1) return -1;
    switch (component[0]) {
      case 'x':
      case 'r':
        return 0;
      case 'y':
      case 'g':
        return 1;
      case 'z':
      case 'b':
        return 2;
      case 'w':
      case 'a':
        return 3;
      default:
        return -1;
    }
  }

  absl::StatusOr<RowRef> NamedSource(const Operand& operand, ScalarType type) {
    const std::optional<Entity> entity = scopes_.Find(scope_, operand.identifier);
    if (entity.has_value() && entity->kind == Entity::Kind::kRegister) {
      return RegisterRow(*entity, operand, type);
    }
    if (!entity.has_value()) {
      if (const std::optional<SpecialRegister> special =
              FindSpecialRegister(operand.identifier, operand.component)) {
        if (RowBits(special->type) != RowBits(type)) {
          if (special->type == ScalarType::kU64 && RowBits(type) == 32) {
            return absl::UnimplementedError(
                absl::StrCat("the lower half of ", operand.identifier, " is not supported"));
          }
          return absl::InvalidArgumentError(absl::StrCat(
              operand.identifier, " is a register of .", syntax::TypeName(special->type),
              ", expected one for .", syntax::TypeName(type)));
        }
        return special->row;
      }
    }
    const int bits = RowBits(type);
    Place place;
    if (FindPlace(entity, operand.identifier, &place)) {
      if (bits != 64 && bits != 32) {
        return absl::InvalidArgumentError(absl::StrCat("the address of ", operand.identifier,
                                                       " does not fit .", syntax::TypeName(type)));
      }
      const uint64_t scale = operand.is_element ? place.element_size : 1;
      return PlaceAddress(place, static_cast<int64_t>(operand.integer * scale), bits);
    }
    const auto function = program_.function_by_name.find(operand.identifier);
    if (function != program_.function_by_name.end()) {
      if (bits != 64) {
        return absl::InvalidArgumentError(
            absl::StrCat("the address of the function ", operand.identifier, " has 64 bits"));
      }
      return constants_.Address(function->first, static_cast<int64_t>(operand.integer), 64);
    }
    if (!entity.has_value() && operand.identifier.substr(0, 22) == "%reserved_smem_offset_" &&
        bits == 32) {
      return ReservedShared(operand.identifier.substr(22));
    }
    // Performance counters of 64 bits, %pm0_64: they count nothing here.
    if (!entity.has_value() && operand.identifier.substr(0, 3) == "%pm" && bits == 64) {
      return constants_.Value(0, 64);
    }
    return NotDeclared(operand.identifier);
  }

  // %reserved_smem_offset_begin, _end, _cap, _0 and _1: shared memory that the
  // system keeps for libraries (cooperative groups takes 288 bytes of it). Here it
  // is a static variable that kernels have if they ask for it.
  absl::StatusOr<RowRef> ReservedShared(std::string_view which) {
    constexpr std::string_view kName = "%reserved_smem";
    constexpr uint64_t kBytes = 512;
    auto found = program_.symbol_by_name.find(kName);
    if (found == program_.symbol_by_name.end()) {
      ModuleSymbol& symbol = program_.symbols.emplace_back();
      symbol.name = kName;
      symbol.space = StateSpace::kShared;
      symbol.size = kBytes;
      symbol.alignment = 16;
      found = program_.symbol_by_name.emplace(kName, &symbol).first;
    }
    if (which == "cap") return constants_.Value(kBytes, 32);
    Place place;
    place.kind = Place::Kind::kSymbol;
    place.symbol = found->second;
    return PlaceAddress(place, which == "end" ? static_cast<int64_t>(kBytes) : 0, 32);
  }

  // What memory `name` stands for; `entity` is what the scopes say of it.
  bool FindPlace(const std::optional<Entity>& entity, std::string_view name, Place* place) {
    if (entity.has_value()) {
      switch (entity->kind) {
        case Entity::Kind::kRegister:
          return false;
        case Entity::Kind::kParameter:
          place->kind = function_.is_entry ? Place::Kind::kKernelParam : Place::Kind::kParam;
          place->parameter = &function_.parameters[entity->index];
          place->element_size = ElementSize(syntax_.parameters[entity->index]);
          return true;
        case Entity::Kind::kResult:
          place->parameter = &function_.results[entity->index];
          return true;
        case Entity::Kind::kVariable:
          *place = variables_[entity->index];
          return true;
      }
    }
    const auto symbol = program_.symbol_by_name.find(name);
    if (symbol == program_.symbol_by_name.end()) return FindHandedOver(name, place);
    place->kind = Place::Kind::kSymbol;
    place->symbol = symbol->second;
    place->element_size = symbol->second->element_size;
    return true;
  }

  static uint32_t ElementSize(const syntax::Variable& variable) {
    return static_cast<uint32_t>(std::max(1, syntax::BitWidth(variable.type) / 8) *
                                 variable.vector_size);
  }

  // Where a parameter or result that the function declares as a register is
  // handed over: the name, with this behind it.
  static constexpr std::string_view kHandedOver = "@param";

  bool FindHandedOver(std::string_view name, Place* place) {
    if (!absl::ConsumeSuffix(&name, kHandedOver)) return false;
    for (const auto* list : {&function_.parameters, &function_.results}) {
      for (const Parameter& parameter : *list) {
        if (parameter.name != name) continue;
        place->parameter = &parameter;
        return true;
      }
    }
    return false;
  }

  // A row with the address of `place`.
  absl::StatusOr<RowRef> PlaceAddress(const Place& place, int64_t addend, int bits) {
    FrameAddress frame;
    frame.bits = static_cast<uint8_t>(bits);
    switch (place.kind) {
      case Place::Kind::kParam:
      case Place::Kind::kKernelParam:
        if (bits != 64) {
          return absl::InvalidArgumentError("the address of a parameter has 64 bits");
        }
        frame.area = place.kind == Place::Kind::kParam ? FrameAddress::Area::kParam
                                                       : FrameAddress::Area::kKernelParam;
        frame.offset = place.parameter->offset + static_cast<uint64_t>(addend);
        return FrameRow(frame, nullptr);
      case Place::Kind::kLocal:
        frame.area = FrameAddress::Area::kLocal;
        frame.offset = place.offset + static_cast<uint64_t>(addend);
        return FrameRow(frame, nullptr);
      case Place::Kind::kSymbol:
        break;
    }
    ModuleSymbol& symbol = *place.symbol;
    switch (symbol.space) {
      case StateSpace::kGlobal:
      case StateSpace::kConst:
        if (bits != 64) {
          return absl::InvalidArgumentError(
              absl::StrCat("the address of ", symbol.name, " has 64 bits"));
        }
        return constants_.Address(symbol.name, addend, 64);
      case StateSpace::kShared:
        frame.offset = static_cast<uint64_t>(addend);
        if (symbol.is_extern) {
          frame.area = FrameAddress::Area::kDynamicShared;
          frame.alignment = static_cast<uint32_t>(std::max<uint64_t>(symbol.alignment, 16));
          return FrameRow(frame, nullptr);
        }
        frame.area = FrameAddress::Area::kShared;
        return FrameRow(frame, &symbol);
      default:
        return absl::UnimplementedError(absl::StrCat(
            symbol.name, ": variables in .", SpaceName(symbol.space), " are not supported"));
    }
  }

  // The row for a frame address, one for each that differs.
  RowRef FrameRow(FrameAddress address, ModuleSymbol* shared) {
    const auto key =
        std::tuple(static_cast<int>(address.area), int{address.bits}, address.offset, shared);
    const auto [entry, is_new] = frame_rows_.try_emplace(key, 0);
    if (is_new) {
      address.row = frame_.Allocate(address.bits);
      entry->second = address.row;
      if (shared != nullptr) {
        uses_.shared_addresses.push_back({function_.frame_addresses.size(), shared});
        if (used_.insert(shared).second) uses_.shared.push_back(shared);
      }
      function_.frame_addresses.push_back(address);
    }
    return Row(RowRef::kFrame, entry->second);
  }

  absl::StatusOr<std::vector<RowRef>> Several(const Operand& operand, ScalarType type,
                                              bool destination) {
    std::vector<RowRef> rows;
    if (operand.kind == Operand::Kind::kVector) {
      rows.reserve(operand.elements.size());
      for (const Operand& element : operand.elements) {
        WARPYARD_ASSIGN_OR_RETURN(const RowRef row,
                                  destination ? Destination(element, type) : Source(element, type));
        rows.push_back(row);
      }
      return rows;
    }
    if (operand.kind == Operand::Kind::kIdentifier && operand.component.empty()) {
      const std::optional<Entity> entity = scopes_.Find(scope_, operand.identifier);
      // %tid: its four components.
      if (!entity.has_value() && !destination &&
          FindSpecialRegister(operand.identifier, "x").has_value()) {
        for (std::string_view component : {"x", "y", "z", "w"}) {
          Operand part = operand;
          part.component = component;
          WARPYARD_ASSIGN_OR_RETURN(const RowRef row, NamedSource(part, type));
          rows.push_back(row);
        }
        return rows;
      }
      if (entity.has_value() && entity->kind == Entity::Kind::kRegister &&
          entity->vector_size > 1) {
        Entity one = *entity;
        one.vector_size = 1;
        for (int i = 0; i < entity->vector_size; ++i, ++one.index) {
          WARPYARD_ASSIGN_OR_RETURN(const RowRef row, RegisterRow(one, operand, type));
          rows.push_back(row);
        }
        return rows;
      }
    }
    WARPYARD_ASSIGN_OR_RETURN(const RowRef row,
                              destination ? Destination(operand, type) : Source(operand, type));
    rows.push_back(row);
    return rows;
  }

  // .param, .local, .shared, .global and .const variables that the body declares.
  absl::Status PlaceVariables() {
    variables_.resize(syntax_.variables.size());
    // Calls in scopes of their own use the same bytes of the param area.
    uint64_t param_top = function_.param_bytes, local_top = 0;
    uint64_t param_bytes = param_top;
    std::vector<uint64_t> tops;
    for (const Statement& statement : syntax_.statements) {
      if (statement.kind == Statement::Kind::kScopeBegin) {
        tops.push_back(param_top);
      } else if (statement.kind == Statement::Kind::kScopeEnd) {
        param_top = tops.back();
        tops.pop_back();
      }
      if (statement.kind != Statement::Kind::kVariable) continue;
      const syntax::Variable& variable = syntax_.variables[statement.index];
      Place& place = variables_[statement.index];
      place.element_size = ElementSize(variable);
      switch (variable.space) {
        case StateSpace::kReg:
          break;
        case StateSpace::kParam: {
          WARPYARD_ASSIGN_OR_RETURN(const Parameter parameter,
                                    PlaceParameter(variable, kMaxParamArea, &param_top));
          param_bytes = std::max(param_bytes, param_top);
          place.kind = Place::Kind::kParam;
          place.parameter = program_.Keep(parameter);
          break;
        }
        case StateSpace::kLocal: {
          WARPYARD_ASSIGN_OR_RETURN(const Parameter local,
                                    PlaceParameter(variable, kMaxLocal, &local_top));
          place.kind = Place::Kind::kLocal;
          place.offset = local.offset;
          break;
        }
        default: {
          ModuleSymbol& symbol = program_.symbols.emplace_back();
          WARPYARD_RETURN_IF_ERROR(FillSymbol(variable, syntax::Linkage::kNone, &symbol));
          place.kind = Place::Kind::kSymbol;
          place.symbol = &symbol;
          // Other functions, and this one's other scopes, may use the name too.
          if (program_.symbol_by_name.contains(symbol.name)) {
            symbol.name =
                *program_.Keep(absl::StrCat(function_.name, "::", variable.name, "@",
                                            variable.position.line, ":", variable.position.column));
          }
          program_.symbol_by_name.emplace(symbol.name, &symbol);
        }
      }
    }
    function_.param_bytes = static_cast<uint32_t>(param_bytes);
    function_.local_bytes = static_cast<uint32_t>(local_top);
    return absl::OkStatus();
  }

  static absl::Status At(const syntax::Instruction& instruction, const absl::Status& status) {
    return absl::Status(status.code(), absl::StrCat("line ", instruction.position.line, ", column ",
                                                    instruction.position.column, ": ",
                                                    FullName(instruction), ": ", status.message()));
  }

  absl::Status Code() {
    clock_ = operations_.Find("warpyard_refresh_clock");
    // Decoders may keep pointers to the instruction that they fill.
    size_t count = syntax_.instructions.size() + 1;
    if (clock_ != nullptr) count *= 2;
    size_t returns = 1;
    for (const syntax::Instruction& instruction : syntax_.instructions) {
      returns += instruction.opcode == "ret";
    }
    count += syntax_.parameters.size() + returns * syntax_.results.size();
    function_.code.reserve(count);
    WARPYARD_RETURN_IF_ERROR(HandOver(syntax_.parameters, /*load=*/true));
    std::vector<uint32_t> code_index(syntax_.statements.size());
    ScopeCursor cursor(scopes_);
    for (size_t i = 0; i < syntax_.statements.size(); ++i) {
      const Statement& statement = syntax_.statements[i];
      cursor.Enter(statement);
      code_index[i] = static_cast<uint32_t>(function_.code.size());
      if (statement.kind != Statement::Kind::kInstruction) continue;
      scope_ = cursor.scope();
      const syntax::Instruction& instruction = syntax_.instructions[statement.index];
      if (instruction.opcode == "ret") {
        scope_ = 0;
        WARPYARD_RETURN_IF_ERROR(HandOver(syntax_.results, /*load=*/false));
        scope_ = cursor.scope();
      }
      WARPYARD_RETURN_IF_ERROR(Decode(instruction));
    }
    // What falls off the end returns.
    scope_ = 0;
    WARPYARD_RETURN_IF_ERROR(HandOver(syntax_.results, /*load=*/false));
    auto* ret = program_.Keep(syntax::Instruction());
    ret->opcode = ret->text = "ret";
    if (!syntax_.instructions.empty()) {
      ret->position = syntax_.instructions.back().position;
      ret->source = syntax_.instructions.back().source;
    } else {
      ret->position = syntax_.position;
    }
    WARPYARD_RETURN_IF_ERROR(Decode(*ret));
    for (const PendingBranch& branch : branches_) {
      branch.instruction->immediate = code_index[branch.statement];
    }
    return absl::OkStatus();
  }

  // A function may declare its parameters and results as registers: they are read
  // when it begins, and written before it returns.
  absl::Status HandOver(const std::vector<syntax::Variable>& variables, bool load) {
    for (const syntax::Variable& variable : variables) {
      if (variable.space != StateSpace::kReg || variable.name == "_" || function_.is_entry) {
        continue;
      }
      auto* copy = program_.Keep(syntax::Instruction());
      copy->position = variable.position;
      copy->opcode = load ? "ld" : "st";
      copy->modifiers = {"param", syntax::TypeName(variable.type)};
      copy->text = variable.name;
      Operand value, address;
      value.kind = Operand::Kind::kIdentifier;
      value.identifier = variable.name;
      address.kind = Operand::Kind::kAddress;
      address.elements.resize(1);
      address.elements[0].kind = Operand::Kind::kIdentifier;
      address.elements[0].identifier = *program_.Keep(absl::StrCat(variable.name, kHandedOver));
      copy->operands =
          load ? std::vector<Operand>{value, address} : std::vector<Operand>{address, value};
      WARPYARD_RETURN_IF_ERROR(Decode(*copy));
    }
    return absl::OkStatus();
  }

  absl::Status Decode(const syntax::Instruction& syntax) {
    NoteControl(syntax);
    if (clock_ != nullptr && ReadsClock(syntax)) {
      Instruction& refresh = function_.code.emplace_back();
      refresh.syntax = &syntax;
      WARPYARD_RETURN_IF_ERROR(clock_(*this, syntax, &refresh));
    }
    Instruction& instruction = function_.code.emplace_back();
    instruction.syntax = &syntax;
    if (!syntax.guard.empty()) {
      const std::optional<Entity> entity = scopes_.Find(scope_, syntax.guard);
      if (!entity.has_value() || entity->kind != Entity::Kind::kRegister ||
          entity->type != ScalarType::kPred) {
        return At(syntax, absl::InvalidArgumentError(
                              absl::StrCat(syntax.guard, " is no predicate register")));
      }
      instruction.guard = rows_[entity->index];
      instruction.guard_negated = syntax.guard_negated;
    }
    const DecodeFunction decode = operations_.Find(syntax.opcode);
    absl::Status status =
        decode == nullptr ? absl::UnimplementedError(absl::StrCat("the operation is not supported"))
                          : decode(*this, syntax, &instruction);
    if (status.ok() && instruction.handler == nullptr) {
      status = absl::InternalError("decoded without a handler");
    }
    if (status.ok()) return status;
    if (!absl::IsUnimplemented(status)) return At(syntax, status);
    function_.unsupported.push_back(absl::StrCat("line ", syntax.position.line, ": ",
                                                 FullName(syntax), ": ", status.message()));
    return Trap(syntax, &instruction);
  }

  // Replaces an operation that is not executed.
  absl::Status Trap(const syntax::Instruction& syntax, Instruction* instruction) {
    const uint32_t guard = instruction->guard;
    const bool negated = instruction->guard_negated;
    *instruction = Instruction();
    instruction->syntax = &syntax;
    instruction->guard = guard;
    instruction->guard_negated = negated;
    const DecodeFunction decode = operations_.Find("trap");
    if (decode == nullptr) return absl::InternalError("no family of operations has trap");
    syntax::Instruction trap;
    trap.opcode = "trap";
    return decode(*this, trap, instruction);
  }

  static bool ReadsClock(const syntax::Instruction& syntax) {
    for (size_t i = 1; i < syntax.operands.size(); ++i) {
      const Operand& operand = syntax.operands[i];
      if (operand.kind != Operand::Kind::kIdentifier) continue;
      // The names begin with %clock and %globaltimer.
      if (operand.identifier.size() < 6 || operand.identifier[0] != '%' ||
          (operand.identifier[1] != 'c' && operand.identifier[1] != 'g')) {
        continue;
      }
      const std::optional<SpecialRegister> special =
          FindSpecialRegister(operand.identifier, operand.component);
      if (special.has_value() && special->is_clock) return true;
    }
    return false;
  }

  // Calls and barriers, for what is known of the whole kernel.
  void NoteControl(const syntax::Instruction& syntax) {
    if (syntax.opcode == "call") {
      for (const Operand& operand : syntax.operands) {
        if (operand.kind == Operand::Kind::kList) continue;
        if (operand.kind != Operand::Kind::kIdentifier) break;
        const auto callee = program_.function_by_name.find(operand.identifier);
        if (callee == program_.function_by_name.end()) {
          uses_.calls_indirectly = true;
        } else if (used_.insert(callee->second).second) {
          uses_.callees.push_back(callee->second);
        }
        break;
      }
    } else if ((syntax.opcode == "bar" || syntax.opcode == "barrier") && !syntax.Has("warp") &&
               !syntax.Has("cluster")) {
      const size_t at = syntax.Has("red") ? 1 : 0;
      uint32_t count = 16;
      if (syntax.operands.empty()) {
        count = 1;
      } else if (at < syntax.operands.size() &&
                 syntax.operands[at].kind == Operand::Kind::kInteger) {
        count = static_cast<uint32_t>(std::min<uint64_t>(syntax.operands[at].integer, 15)) + 1;
      }
      function_.barrier_count = std::max(function_.barrier_count, count);
    }
  }

  const OperationTable& operations_;
  Program& program_;
  ConstantPool& constants_;
  Function& function_;
  const syntax::Function& syntax_;
  FunctionUses& uses_;
  Scopes scopes_;
  FrameLayout frame_;
  std::vector<uint32_t> rows_;    // by register
  std::vector<Place> variables_;  // by variable of the function
  absl::flat_hash_map<std::tuple<int, int, uint64_t, ModuleSymbol*>, uint32_t> frame_rows_;
  absl::flat_hash_set<const void*> used_;  // what uses_ has already
  std::vector<PendingBranch> branches_;
  DecodeFunction clock_ = nullptr;
  uint32_t scope_ = 0;
};

}  // namespace

uint32_t ConstantPool::Append(uint64_t value, int bits) {
  const size_t words = static_cast<size_t>(bits) / 2;  // 32 lanes in words of 64 bits
  const size_t offset = program_.constants.size() * sizeof(uint64_t);
  if (offset + words * sizeof(uint64_t) > kMaxConstants) {
    overflowed_ = true;
    return 0;
  }
  if (bits == 32) value |= value << 32;
  program_.constants.insert(program_.constants.end(), bits == 32 ? words : kWarpSize, value);
  if (bits == 128) program_.constants.insert(program_.constants.end(), kWarpSize, 0);
  return static_cast<uint32_t>(offset);
}

RowRef ConstantPool::Value(uint64_t value, int bits) {
  const auto [entry, is_new] = values_.try_emplace({value, bits}, 0);
  if (is_new) entry->second = Append(value, bits);
  return Row(RowRef::kConstants, entry->second);
}

RowRef ConstantPool::Address(std::string_view symbol, int64_t addend, int bits) {
  const auto [entry, is_new] = addresses_.try_emplace({symbol, addend, bits}, 0);
  if (is_new) {
    entry->second = Append(0, bits);
    program_.constant_addresses.push_back(
        {entry->second, static_cast<uint8_t>(bits), symbol, addend});
  }
  return Row(RowRef::kConstants, entry->second);
}

absl::Status PlaceParameters(Function& function) {
  uint64_t top = 0;
  const uint64_t limit = function.is_entry ? kMaxKernelParameters : kMaxParamArea;
  function.results.clear();
  function.parameters.clear();
  for (const syntax::Variable& variable : function.syntax->results) {
    WARPYARD_ASSIGN_OR_RETURN(const Parameter result, PlaceParameter(variable, limit, &top));
    function.results.push_back(result);
  }
  for (const syntax::Variable& variable : function.syntax->parameters) {
    WARPYARD_ASSIGN_OR_RETURN(const Parameter parameter, PlaceParameter(variable, limit, &top));
    function.parameters.push_back(parameter);
  }
  (function.is_entry ? function.parameter_bytes : function.param_bytes) =
      static_cast<uint32_t>(top);
  return absl::OkStatus();
}

absl::Status DecodeFunctionBody(const OperationTable& operations, Program& program,
                                ConstantPool& constants, Function& function, FunctionUses* uses) {
  WARPYARD_RETURN_IF_ERROR(FunctionDecoder(operations, program, constants, function, uses).Run());
  if (constants.overflowed()) {
    return absl::InvalidArgumentError(absl::StrCat(
        function.name, ": the module's constants need more than ", kMaxConstants, " bytes"));
  }
  return absl::OkStatus();
}

}  // namespace warpyard::emulator
