// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/program/operand_resolver.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/execution/address.h"
#include "cc/emulator/execution/special_rows.h"
#include "cc/emulator/program/immediate.h"
#include "cc/emulator/program/module_symbols.h"
#include "cc/emulator/program/program.h"
#include "cc/emulator/program/register_rows.h"
#include "cc/emulator/program/scopes.h"
#include "cc/emulator/program/special_registers.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {

using syntax::Operand;
using syntax::ScalarType;
using syntax::Statement;
using syntax::StateSpace;

namespace {

constexpr uint64_t kMaxParamArea = uint64_t{1} << 24;
constexpr uint64_t kMaxLocal = uint64_t{1} << 30;

RowRef Row(RowRef::Base base, uint32_t offset) {
  RowRef row;
  row.base = base;
  row.offset = offset;
  return row;
}

std::string_view SpaceName(StateSpace space) {
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

absl::Status WrongSpace(std::string_view name, std::string_view is, StateSpace wanted) {
  return absl::InvalidArgumentError(
      absl::StrCat(name, " lies in .", is, " memory, accessed as .", SpaceName(wanted)));
}

absl::Status NotDeclared(std::string_view name) {
  return absl::InvalidArgumentError(absl::StrCat(name, " is not declared"));
}

RowRef PredicateConstant(bool value) {
  return Row(RowRef::kSpecial, static_cast<uint32_t>(value ? offsetof(SpecialRows, all_true)
                                                           : offsetof(SpecialRows, all_false)));
}

int ComponentIndex(std::string_view component) {
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

uint32_t ElementSize(const syntax::Variable& variable) {
  return static_cast<uint32_t>(std::max(1, syntax::BitWidth(variable.type) / 8) *
                               variable.vector_size);
}

}  // namespace

absl::Status OperandResolver::PlaceEverything() {
  WARPYARD_RETURN_IF_ERROR(scopes_.Build(syntax_));
  const RegisterRows rows = AssignRows(syntax_, scopes_, frame_);
  rows_ = rows.offset;
  // What ptxas needs besides the values: addresses, the return address.
  function_.register_estimate =
      std::min<uint32_t>(std::max<uint32_t>(rows.register_estimate + 6, 8), 255);
  return PlaceVariables();
}

absl::StatusOr<RowRef> OperandResolver::Source(const Operand& operand, ScalarType type) {
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

absl::StatusOr<RowRef> OperandResolver::Destination(const Operand& operand, ScalarType type) {
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

absl::StatusOr<RowRef> OperandResolver::PredicateSource(const Operand& operand, bool* negated) {
  *negated = operand.logical_not;
  if (operand.kind == Operand::Kind::kInteger) return PredicateConstant(operand.integer != 0);
  if (operand.kind != Operand::Kind::kIdentifier) {
    return absl::InvalidArgumentError("expected a predicate");
  }
  Operand plain = operand;
  plain.logical_not = false;
  return NamedSource(plain, ScalarType::kPred);
}

absl::StatusOr<RowRef> OperandResolver::PredicateDestination(const Operand& operand) {
  return Destination(operand, ScalarType::kPred);
}

absl::StatusOr<std::vector<RowRef>> OperandResolver::Sources(const Operand& operand,
                                                             ScalarType type) {
  return Several(operand, type, /*destination=*/false);
}

absl::StatusOr<std::vector<RowRef>> OperandResolver::Destinations(const Operand& operand,
                                                                  ScalarType type) {
  return Several(operand, type, /*destination=*/true);
}

absl::StatusOr<Address> OperandResolver::MemoryOperand(const Operand& operand, StateSpace space) {
  const bool element = operand.kind == Operand::Kind::kIdentifier && operand.is_element;
  if (!element &&
      ((operand.kind != Operand::Kind::kAddress && operand.kind != Operand::Kind::kTensor) ||
       operand.elements.empty())) {
    return absl::InvalidArgumentError("expected an address in brackets");
  }
  const Operand& base = element ? operand : operand.elements[0];
  Address address;
  address.displacement = static_cast<int64_t>(operand.integer);
  // Addresses wrap; the sums are those of unsigned numbers.
  const auto move_by = [&](uint64_t bytes) {
    address.displacement =
        static_cast<int64_t>(static_cast<uint64_t>(address.displacement) + bytes);
  };
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
  if (element) address.displacement = static_cast<int64_t>(operand.integer * place.element_size);
  switch (place.kind) {
    case Place::Kind::kParam:
    case Place::Kind::kKernelParam:
      if (space == StateSpace::kParam) {
        address.is_parameter = true;
        move_by(place.parameter->offset);
        return address;
      }
      if (space != StateSpace::kNone) return WrongSpace(base.identifier, "param", space);
      break;
    case Place::Kind::kLocal:
      if (space == StateSpace::kNone) {
        move_by(kLocalWindow);
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
        move_by(kSharedWindow);
      }
      address.wide = is != StateSpace::kShared || space == StateSpace::kNone;
      break;
    }
  }
  WARPYARD_ASSIGN_OR_RETURN(address.base, PlaceAddress(place, 0, address.wide ? 64 : 32));
  return address;
}

absl::StatusOr<int64_t> OperandResolver::Immediate(const Operand& operand) {
  if (operand.kind != Operand::Kind::kInteger) {
    return absl::InvalidArgumentError("expected an integer constant");
  }
  return static_cast<int64_t>(operand.integer);
}

ScalarType OperandResolver::RegisterType(const Operand& operand) {
  if (operand.kind != Operand::Kind::kIdentifier) return ScalarType::kNone;
  const std::optional<Entity> entity = scopes_.Find(scope_, operand.identifier);
  if (entity.has_value()) {
    return entity->kind == Entity::Kind::kRegister ? entity->type : ScalarType::kNone;
  }
  const std::optional<SpecialRegister> special =
      FindSpecialRegister(operand.identifier, operand.component);
  return special.has_value() ? special->type : ScalarType::kNone;
}

RowRef OperandResolver::Constant(uint64_t value, int bits) {
  return constants_.Value(bits == 32 ? static_cast<uint32_t>(value) : value, bits);
}

RowRef OperandResolver::Temporary(int bits) { return Row(RowRef::kFrame, frame_.Allocate(bits)); }

const syntax::LabelledDirective* OperandResolver::FindLabelled(std::string_view label) {
  return scopes_.FindLabelled(scope_, label);
}

const Parameter* OperandResolver::FindParamVariable(std::string_view name) {
  Place place;
  const std::optional<Entity> entity = scopes_.Find(scope_, name);
  if (!entity.has_value() || entity->kind == Entity::Kind::kRegister ||
      !FindPlace(entity, name, &place)) {
    return nullptr;
  }
  return place.parameter;
}

absl::StatusOr<RowRef> OperandResolver::RegisterRow(const Entity& entity, const Operand& operand,
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
    return absl::InvalidArgumentError(absl::StrCat(operand.identifier, " is a register of .",
                                                   syntax::TypeName(entity.type),
                                                   ", expected one for .", syntax::TypeName(type)));
  }
  return Row(RowRef::kFrame, rows_[index]);
}

absl::StatusOr<RowRef> OperandResolver::NamedSource(const Operand& operand, ScalarType type) {
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
        return absl::InvalidArgumentError(
            absl::StrCat(operand.identifier, " is a register of .", syntax::TypeName(special->type),
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

absl::StatusOr<RowRef> OperandResolver::ReservedShared(std::string_view which) {
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

bool OperandResolver::FindPlace(const std::optional<Entity>& entity, std::string_view name,
                                Place* place) {
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

bool OperandResolver::FindHandedOver(std::string_view name, Place* place) {
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

absl::StatusOr<RowRef> OperandResolver::PlaceAddress(const Place& place, int64_t addend, int bits) {
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
      return absl::UnimplementedError(absl::StrCat(symbol.name, ": variables in .",
                                                   SpaceName(symbol.space), " are not supported"));
  }
}

RowRef OperandResolver::FrameRow(FrameAddress address, ModuleSymbol* shared) {
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

absl::StatusOr<std::vector<RowRef>> OperandResolver::Several(const Operand& operand,
                                                             ScalarType type, bool destination) {
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
    if (entity.has_value() && entity->kind == Entity::Kind::kRegister && entity->vector_size > 1) {
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

absl::Status OperandResolver::PlaceVariables() {
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

}  // namespace warpyard::emulator
