// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/program/module_analysis.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "cc/emulator/program/function_uses.h"
#include "cc/emulator/program/program.h"

namespace warpyard::emulator {
namespace {

// An address in shared memory has 24 bits for the offset.
constexpr uint64_t kMaxShared = uint64_t{1} << 24;

// A launch names the first; a few more help, all of a library's do not.
constexpr size_t kMaxNamed = 100;
constexpr uint32_t kRegistersPerBlock = 65536;

// The functions that `entry` reaches, itself first, in a fixed order.
std::vector<Function*> Reached(Program& program, const std::vector<FunctionUses>& uses,
                               Function* entry) {
  std::vector<Function*> reached = {entry};
  std::vector<bool> seen(program.functions.size());
  seen[entry->id] = true;
  const auto add = [&](Function* function) {
    if (seen[function->id]) return;
    seen[function->id] = true;
    reached.push_back(function);
  };
  bool all = false;
  for (size_t i = 0; i < reached.size(); ++i) {
    const FunctionUses& use = uses[reached[i]->id];
    for (Function* callee : use.callees) add(callee);
    if (use.calls_indirectly && !all) {
      all = true;
      for (Function& function : program.functions) {
        if (!function.is_entry) add(&function);
      }
    }
  }
  return reached;
}

}  // namespace

absl::Status AnalyseModule(Program& program, const std::vector<FunctionUses>& uses) {
  std::vector<Function*> entries;
  for (Function& function : program.functions) {
    if (function.is_entry && !function.is_declaration) entries.push_back(&function);
  }
  // Which entries use a shared variable, by its place in the program.
  absl::flat_hash_map<const ModuleSymbol*, std::vector<Function*>> users;
  for (Function* entry : entries) {
    const std::vector<Function*> reached = Reached(program, uses, entry);
    for (Function* function : reached) {
      for (ModuleSymbol* symbol : uses[function->id].shared) {
        std::vector<Function*>& of_symbol = users[symbol];
        if (of_symbol.empty() || of_symbol.back() != entry) of_symbol.push_back(entry);
      }
      if (function == entry) continue;
      entry->barrier_count = std::max(entry->barrier_count, function->barrier_count);
      entry->register_estimate = std::max(entry->register_estimate, function->register_estimate);
      entry->order_sensitive = entry->order_sensitive || function->order_sensitive;
      if (uses[entry->id].calls_indirectly) continue;  // perhaps it is never called
      for (const std::string& what : function->unsupported) {
        if (entry->unsupported.size() < kMaxNamed) entry->unsupported.push_back(what);
      }
    }
  }
  // ptxas keeps to what the bound of the block's size leaves.
  for (Function* entry : entries) {
    if (entry->max_registers != 0) {
      entry->register_estimate = std::min(entry->register_estimate, entry->max_registers);
    }
    if (entry->max_block_threads != 0) {
      const uint64_t warps = (uint64_t{entry->max_block_threads} + kWarpSize - 1) / kWarpSize;
      const uint64_t registers = kRegistersPerBlock / (warps * kWarpSize) / 8 * 8;
      const uint32_t bound = std::max(static_cast<uint32_t>(registers), uint32_t{16});
      entry->register_estimate = std::min(entry->register_estimate, bound);
    }
  }
  for (ModuleSymbol& symbol : program.symbols) {
    if (symbol.space != syntax::StateSpace::kShared || symbol.is_extern) continue;
    const auto found = users.find(&symbol);
    if (found == users.end()) continue;
    uint64_t offset = 0;
    for (const Function* entry : found->second) {
      offset = std::max<uint64_t>(offset, entry->static_shared_bytes);
    }
    offset = (offset + symbol.alignment - 1) & ~(symbol.alignment - 1);
    if (offset > kMaxShared || symbol.size > kMaxShared - offset) {
      return absl::ResourceExhaustedError(
          absl::StrCat(symbol.name, ": static shared memory of more than ", kMaxShared, " bytes"));
    }
    symbol.offset = offset;
    for (Function* entry : found->second) {
      entry->static_shared_bytes = static_cast<uint32_t>(offset + symbol.size);
    }
  }
  for (Function& function : program.functions) {
    for (const auto& [index, symbol] : uses[function.id].shared_addresses) {
      function.frame_addresses[index].offset += symbol->offset;
    }
  }
  return absl::OkStatus();
}

}  // namespace warpyard::emulator
