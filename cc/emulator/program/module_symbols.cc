// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/program/module_symbols.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/program/immediate.h"
#include "cc/emulator/program/program.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {
namespace {

using syntax::ScalarType;
using syntax::StateSpace;

constexpr uint64_t kMaxVariableBytes = uint64_t{1} << 40;
// Initialised bytes are in the program's memory.
constexpr uint64_t kMaxInitialBytes = uint64_t{1} << 30;

absl::Status ErrorAt(syntax::Position position, std::string_view message) {
  return absl::InvalidArgumentError(
      absl::StrCat("line ", position.line, ", column ", position.column, ": ", message));
}

}  // namespace

absl::StatusOr<VariableLayout> LayOut(const syntax::Variable& variable) {
  uint64_t element = 0;
  switch (variable.type) {
    case ScalarType::kPred:
    case ScalarType::kNone:
      return ErrorAt(variable.position,
                     absl::StrCat(variable.name, ": a variable of type .",
                                  syntax::TypeName(variable.type), " has no place in memory"));
    case ScalarType::kTexref:
    case ScalarType::kSamplerref:
    case ScalarType::kSurfref:
      element = 8;
      break;
    default:
      element = (syntax::BitWidth(variable.type) + 7) / 8;
  }
  element *= variable.vector_size;
  VariableLayout layout{element, variable.alignment != 0 ? variable.alignment : element,
                        static_cast<uint32_t>(element)};
  for (uint64_t extent : variable.dimensions) {
    if (extent != 0 && layout.size > kMaxVariableBytes / extent) {
      return ErrorAt(variable.position, absl::StrCat(variable.name, ": larger than 2^40 bytes"));
    }
    layout.size *= extent;
  }
  return layout;
}

absl::StatusOr<Parameter> PlaceParameter(const syntax::Variable& variable, uint64_t limit,
                                         uint64_t* top) {
  WARPYARD_ASSIGN_OR_RETURN(const VariableLayout layout, LayOut(variable));
  const uint64_t offset = (*top + layout.alignment - 1) & ~(layout.alignment - 1);
  if (layout.size > limit || offset > limit - layout.size) {
    return ErrorAt(variable.position,
                   absl::StrCat(variable.name, ": with what lies before it, needs more than ",
                                limit, " bytes"));
  }
  *top = offset + layout.size;
  return Parameter{variable.name, static_cast<uint32_t>(offset), static_cast<uint32_t>(layout.size),
                   static_cast<uint32_t>(layout.alignment)};
}

absl::Status FillSymbol(const syntax::Variable& variable, syntax::Linkage linkage,
                        ModuleSymbol* symbol) {
  WARPYARD_ASSIGN_OR_RETURN(const VariableLayout layout, LayOut(variable));
  symbol->name = variable.name;
  symbol->space = variable.space;
  symbol->size = layout.size;
  symbol->alignment = layout.alignment;
  symbol->element_size = layout.element_size;
  symbol->is_extern = linkage == syntax::Linkage::kExtern;
  symbol->is_visible = linkage != syntax::Linkage::kNone;
  if (variable.initials.empty()) return absl::OkStatus();
  if (variable.space == StateSpace::kShared || symbol->is_extern) {
    return ErrorAt(variable.position, absl::StrCat(variable.name, ": a variable that is ",
                                                   symbol->is_extern ? ".extern" : ".shared",
                                                   " cannot have an initial value"));
  }
  const uint64_t width = std::max(1, syntax::BitWidth(variable.type) / 8);
  const uint64_t used = variable.initials.size() * width;
  if (used > layout.size) {
    return ErrorAt(variable.position,
                   absl::StrCat(variable.name, ": expected at most ", layout.size / width,
                                " initial values, found ", variable.initials.size()));
  }
  if (used > kMaxInitialBytes) {
    return ErrorAt(variable.position, absl::StrCat(variable.name, ": too many initial values"));
  }
  symbol->initial.resize(used);
  for (size_t i = 0; i < variable.initials.size(); ++i) {
    const syntax::Variable::Initial& initial = variable.initials[i];
    if (initial.kind == syntax::Variable::Initial::Kind::kSymbol) {
      // One byte of an address by mask(), else all of it: the room for it is
      // that of a pointer.
      if (width != 8 && initial.mask == 0) {
        return ErrorAt(
            variable.position,
            absl::StrCat(variable.name, ": the address of ", initial.symbol,
                         " needs elements of 64 bits, found .", syntax::TypeName(variable.type)));
      }
      symbol->relocations.push_back({i * width, initial.symbol, static_cast<int64_t>(initial.bits),
                                     initial.generic, initial.mask});
      continue;
    }
    absl::StatusOr<uint64_t> bits = InitialBits(initial, variable.type);
    if (!bits.ok()) {
      return ErrorAt(variable.position, absl::StrCat(variable.name, ": ", bits.status().message()));
    }
    std::memcpy(&symbol->initial[i * width], &*bits, std::min<uint64_t>(width, sizeof(*bits)));
  }
  return absl::OkStatus();
}

absl::Status AddModuleSymbols(Program* program) {
  for (const syntax::ModuleVariable& declared : program->syntax.variables) {
    const syntax::Variable& variable = declared.variable;
    if (variable.space == StateSpace::kReg || variable.space == StateSpace::kParam) {
      return ErrorAt(variable.position, absl::StrCat(variable.name,
                                                     ": registers and parameters are declared "
                                                     "in functions"));
    }
    ModuleSymbol symbol;
    WARPYARD_RETURN_IF_ERROR(FillSymbol(variable, declared.linkage, &symbol));
    const auto found = program->symbol_by_name.find(variable.name);
    if (found == program->symbol_by_name.end()) {
      program->symbols.push_back(std::move(symbol));
      program->symbol_by_name.emplace(variable.name, &program->symbols.back());
      continue;
    }
    ModuleSymbol& known = *found->second;
    if (symbol.is_extern) continue;
    if (!known.is_extern) {
      return ErrorAt(variable.position, absl::StrCat(variable.name, " is defined twice"));
    }
    known = std::move(symbol);
  }
  return absl::OkStatus();
}

}  // namespace warpyard::emulator
