// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/execution/loaded_module.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/execution/address.h"

namespace warpyard::emulator {
namespace {

using syntax::StateSpace;

bool NeedsMemory(const ModuleSymbol& symbol) {
  return symbol.space == StateSpace::kGlobal || symbol.space == StateSpace::kConst;
}

}  // namespace

absl::StatusOr<std::unique_ptr<LoadedModule>> LoadedModule::Load(
    std::shared_ptr<const Program> program, int device, MemoryMap& map, Memory memory) {
  if (memory.allocate == nullptr) {
    memory.allocate = [](uint64_t bytes) -> absl::StatusOr<void*> {
      const uint64_t rounded = (std::max<uint64_t>(bytes, 1) + 255) & ~uint64_t{255};
      void* block = rounded < bytes ? nullptr : std::aligned_alloc(256, rounded);
      if (block == nullptr) {
        return absl::ResourceExhaustedError(absl::StrCat("no memory for ", bytes, " bytes"));
      }
      std::memset(block, 0, rounded);
      return block;
    };
    memory.release = [](void* block) { std::free(block); };
  }
  std::unique_ptr<LoadedModule> module(new LoadedModule);
  module->program_ = std::move(program);
  module->device_ = device;
  module->map_ = &map;
  module->memory_ = std::move(memory);
  const Program& code = *module->program_;

  std::vector<std::string_view> undefined;
  for (const ModuleSymbol& symbol : code.symbols) {
    if (!NeedsMemory(symbol)) continue;
    if (symbol.is_extern) {
      undefined.push_back(symbol.name);
      continue;
    }
    WARPYARD_ASSIGN_OR_RETURN(void* const block, module->memory_.allocate(symbol.size));
    module->blocks_.push_back(block);
    Allocation allocation;
    allocation.base = reinterpret_cast<uint64_t>(block);
    allocation.size = std::max<uint64_t>(symbol.size, 1);
    allocation.kind = AllocationKind::kModule;
    allocation.device = device;
    allocation.read_only = symbol.space == StateSpace::kConst;
    allocation.label = std::string(symbol.name);
    WARPYARD_RETURN_IF_ERROR(map.Add(std::move(allocation)));
    module->registered_.push_back(reinterpret_cast<uint64_t>(block));
    module->globals_[symbol.name] = Global{reinterpret_cast<uint64_t>(block), symbol.size};
  }
  if (!undefined.empty()) {
    return absl::NotFoundError(absl::StrCat("undefined: ", absl::StrJoin(undefined, ", "),
                                            "; declared .extern and defined in no linked module"));
  }

  auto address_of = [&](std::string_view name) -> std::optional<uint64_t> {
    if (auto it = module->globals_.find(name); it != module->globals_.end()) {
      return it->second.address;
    }
    if (auto it = code.function_by_name.find(name); it != code.function_by_name.end()) {
      return kCodeWindow | uint64_t{it->second->id} << 4;
    }
    if (auto it = code.symbol_by_name.find(name); it != code.symbol_by_name.end()) {
      return it->second->offset;  // .shared: an offset
    }
    return std::nullopt;
  };
  for (const ModuleSymbol& symbol : code.symbols) {
    if (!NeedsMemory(symbol)) continue;
    std::byte* const bytes = reinterpret_cast<std::byte*>(module->globals_[symbol.name].address);
    std::memcpy(bytes, symbol.initial.data(),
                std::min<uint64_t>(symbol.initial.size(), symbol.size));
    for (const ModuleSymbol::Relocation& relocation : symbol.relocations) {
      const std::optional<uint64_t> target = address_of(relocation.symbol);
      if (!target.has_value()) {
        return absl::NotFoundError(absl::StrCat("the initialiser of ", symbol.name, " names ",
                                                relocation.symbol, ", which is defined nowhere"));
      }
      const uint64_t value = *target + static_cast<uint64_t>(relocation.addend);
      const uint64_t size = relocation.mask == 0 ? sizeof(value) : 1;
      if (relocation.offset > symbol.size || size > symbol.size - relocation.offset) {
        return absl::InvalidArgumentError(
            absl::StrCat("the initialiser of ", symbol.name, " is larger than it"));
      }
      if (relocation.mask == 0) {
        std::memcpy(bytes + relocation.offset, &value, sizeof(value));
      } else {
        const uint64_t masked = value & relocation.mask;
        int shift = 0;
        while (shift < 56 && (relocation.mask >> shift & 0xff) == 0) shift += 8;
        bytes[relocation.offset] = static_cast<std::byte>(masked >> shift & 0xff);
      }
    }
  }

  // One row more, because vector loops may read a whole row from any value.
  module->constants_storage_.resize(code.constants.size() + 64 + 8);
  uint64_t begin = reinterpret_cast<uint64_t>(module->constants_storage_.data());
  begin = (begin + 63) & ~uint64_t{63};
  module->constants_ = reinterpret_cast<std::byte*>(begin);
  if (!code.constants.empty()) {
    std::memcpy(module->constants_, code.constants.data(), code.constants.size() * 8);
  }
  for (const ConstantAddress& constant : code.constant_addresses) {
    const std::optional<uint64_t> target = address_of(constant.symbol);
    if (!target.has_value()) {
      return absl::NotFoundError(absl::StrCat("undefined: ", constant.symbol));
    }
    const uint64_t value = *target + static_cast<uint64_t>(constant.addend);
    const uint64_t size = constant.bits / 8;
    if (constant.offset + size * kWarpSize > code.constants.size() * 8) {
      return absl::InternalError(absl::StrCat("constant of ", constant.symbol, " out of range"));
    }
    for (int lane = 0; lane < kWarpSize; ++lane) {
      std::memcpy(module->constants_ + constant.offset + lane * size, &value, size);
    }
  }
  return module;
}

LoadedModule::~LoadedModule() {
  for (const uint64_t base : registered_) map_->Remove(base).IgnoreError();
  for (void* const block : blocks_) {
    if (memory_.release != nullptr) memory_.release(block);
  }
}

const Function* LoadedModule::FindKernel(std::string_view name) const {
  const auto found = program_->function_by_name.find(name);
  if (found == program_->function_by_name.end()) return nullptr;
  const Function* function = found->second;
  return function->is_entry && !function->is_declaration ? function : nullptr;
}

std::optional<LoadedModule::Global> LoadedModule::FindGlobal(std::string_view name) const {
  const auto found = globals_.find(name);
  if (found == globals_.end()) return std::nullopt;
  return found->second;
}

}  // namespace warpyard::emulator
