// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/program/decoder.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/program/constant_pool.h"
#include "cc/emulator/program/function_decoder.h"
#include "cc/emulator/program/function_uses.h"
#include "cc/emulator/program/module_analysis.h"
#include "cc/emulator/program/module_symbols.h"
#include "cc/emulator/program/program.h"
#include "cc/emulator/syntax/ast.h"
#include "cc/target/compute_capability.h"

namespace warpyard::emulator {
namespace {

// A function as data is an id in 32 bits at least; nobody comes near.
constexpr size_t kMaxFunctions = size_t{1} << 24;

uint32_t Clamp(uint64_t value) {
  return static_cast<uint32_t>(std::min<uint64_t>(value, std::numeric_limits<uint32_t>::max()));
}

void ReadDirectives(const syntax::Function& syntax, Function* function) {
  for (const syntax::PerformanceDirective& directive : syntax.directives) {
    uint32_t values[3] = {1, 1, 1};
    for (size_t i = 0; i < 3 && i < directive.values.size(); ++i) {
      values[i] = Clamp(directive.values[i]);
    }
    const bool has_value = !directive.values.empty();
    // Three factors of 32 bits may not fit 64.
    const uint64_t plane = uint64_t{values[0]} * values[1];
    const uint32_t product = plane > std::numeric_limits<uint32_t>::max()
                                 ? std::numeric_limits<uint32_t>::max()
                                 : Clamp(plane * values[2]);
    if (directive.name == "maxntid" && has_value) {
      function->max_block_threads = product;
    } else if (directive.name == "reqntid" && has_value) {
      std::copy_n(values, 3, function->required_block);
      function->max_block_threads = product;
    } else if (directive.name == "reqnctapercluster" && has_value) {
      std::copy_n(values, 3, function->required_cluster);
    } else if (directive.name == "explicitcluster") {
      function->explicit_cluster = true;
    } else if (directive.name == "blocksareclusters") {
      function->blocks_are_clusters = true;
    } else if (directive.name == "maxclusterrank" && has_value) {
      function->max_cluster_rank = values[0];
    } else if (directive.name == "minnctapersm" && has_value) {
      function->min_blocks_per_multiprocessor = values[0];
    } else if (directive.name == "maxnreg" && has_value) {
      function->max_registers = values[0];
    }
  }
}

absl::Status ErrorAt(syntax::Position position, std::string_view name, std::string_view message) {
  return absl::InvalidArgumentError(
      absl::StrCat("line ", position.line, ", column ", position.column, ": ", name, message));
}

// One Function for each name; a definition replaces its declaration.
absl::Status AddFunctions(Program* program) {
  if (program->syntax.functions.size() > kMaxFunctions) {
    return absl::InvalidArgumentError("too many functions in one module");
  }
  for (const syntax::Function& syntax : program->syntax.functions) {
    const auto found = program->function_by_name.find(syntax.name);
    Function* function;
    if (found == program->function_by_name.end()) {
      function = &program->functions.emplace_back();
      function->id = static_cast<uint32_t>(program->functions.size() - 1);
      program->function_by_name.emplace(syntax.name, function);
    } else {
      function = found->second;
      if (syntax.is_declaration) continue;
      if (!function->is_declaration) {
        return ErrorAt(syntax.position, syntax.name, " is defined twice");
      }
    }
    if (program->symbol_by_name.contains(syntax.name)) {
      return ErrorAt(syntax.position, syntax.name, " is a variable too");
    }
    function->name = syntax.name;
    function->syntax = &syntax;
    function->is_entry = syntax.is_entry;
    function->is_declaration = syntax.is_declaration;
    ReadDirectives(syntax, function);
    WARPYARD_RETURN_IF_ERROR(PlaceParameters(*function));
  }
  for (const syntax::Alias& alias : program->syntax.aliases) {
    const auto target = program->function_by_name.find(alias.target);
    if (target == program->function_by_name.end()) {
      return absl::InvalidArgumentError(
          absl::StrCat(".alias ", alias.name, ": the function ", alias.target, " is not defined"));
    }
    // The alias has been declared as a function of its own before.
    program->function_by_name[alias.name] = target->second;
  }
  return absl::OkStatus();
}

}  // namespace

void DecodeContext::SetRows(Instruction* instruction, absl::Span<const RowRef> destinations,
                            absl::Span<const RowRef> sources) {
  const size_t count = destinations.size() + sources.size();
  constexpr size_t kMaxRows = std::numeric_limits<uint8_t>::max();
  instruction->rows_written = static_cast<uint8_t>(std::min(destinations.size(), kMaxRows));
  instruction->row_count = static_cast<uint8_t>(std::min(count, kMaxRows));
  RowRef* rows = instruction->rows;
  if (count > Instruction::kInlineRows) {
    rows = program().Keep(std::vector<RowRef>(count))->data();
    instruction->more_rows = rows;
  } else {
    instruction->more_rows = nullptr;
  }
  std::copy(destinations.begin(), destinations.end(), rows);
  std::copy(sources.begin(), sources.end(), rows + destinations.size());
}

OperationTable::OperationTable(absl::Span<const absl::Span<const Operation>> families) {
  for (absl::Span<const Operation> family : families) {
    for (const Operation& operation : family) {
      by_opcode_.emplace(operation.opcode, operation.decode);
    }
  }
}

DecodeFunction OperationTable::Find(std::string_view opcode) const {
  const auto found = by_opcode_.find(opcode);
  return found == by_opcode_.end() ? nullptr : found->second;
}

absl::StatusOr<std::unique_ptr<Program>> Decode(syntax::Module module,
                                                const OperationTable& operations) {
  auto program = std::make_unique<Program>();
  program->syntax = std::move(module);
  if (program->syntax.target.empty()) {
    return absl::InvalidArgumentError("expected a .target such as sm_90");
  }
  WARPYARD_ASSIGN_OR_RETURN(program->target, ComputeCapability::Parse(program->syntax.target));
  if (program->syntax.address_size != 64) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected .address_size 64, found ", program->syntax.address_size));
  }
  // What a row that nobody reads takes at most: 128 bits for each lane.
  program->scratch_bytes = 128 / 8 * kWarpSize;
  WARPYARD_RETURN_IF_ERROR(AddModuleSymbols(program.get()));
  WARPYARD_RETURN_IF_ERROR(AddFunctions(program.get()));
  ConstantPool constants(*program);
  std::vector<FunctionUses> uses(program->functions.size());
  for (Function& function : program->functions) {
    if (function.is_declaration) continue;
    WARPYARD_RETURN_IF_ERROR(
        DecodeFunctionBody(operations, *program, constants, function, &uses[function.id]));
  }
  WARPYARD_RETURN_IF_ERROR(AnalyseModule(*program, uses));
  return program;
}

}  // namespace warpyard::emulator
