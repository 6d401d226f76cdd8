// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// A program with memory for its variables on one device.

#ifndef WARPYARD_CC_EMULATOR_EXECUTION_LOADED_MODULE_H_
#define WARPYARD_CC_EMULATOR_EXECUTION_LOADED_MODULE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "cc/emulator/execution/memory_map.h"
#include "cc/emulator/program/program.h"

namespace warpyard::emulator {

// A program with memory for its variables on one device. Its `.global` and
// `.const` variables are registered in the memory map until it dies.
class LoadedModule {
 public:
  // RESOURCE_EXHAUSTED where `allocate` has no memory; NOT_FOUND names symbols
  // that are declared `.extern` and defined nowhere. `allocate` gives zeroed memory
  // of the device for the variables, aligned to 256, and `release` takes it back;
  // null: the host's heap.
  struct Memory {
    std::function<absl::StatusOr<void*>(uint64_t bytes)> allocate;
    std::function<void(void*)> release;
  };
  static absl::StatusOr<std::unique_ptr<LoadedModule>> Load(std::shared_ptr<const Program> program,
                                                            int device, MemoryMap& map,
                                                            Memory memory = {});
  ~LoadedModule();
  LoadedModule(const LoadedModule&) = delete;
  LoadedModule& operator=(const LoadedModule&) = delete;

  const Program& program() const { return *program_; }
  int device() const { return device_; }
  // A kernel by name; null if there is none.
  const Function* FindKernel(std::string_view name) const;
  // A variable's address and size in bytes.
  struct Global {
    uint64_t address;
    uint64_t size;
  };
  std::optional<Global> FindGlobal(std::string_view name) const;
  // The constants of the program with addresses filled in.
  const std::byte* constants() const { return constants_; }

 private:
  LoadedModule() = default;
  std::shared_ptr<const Program> program_;
  int device_ = 0;
  MemoryMap* map_ = nullptr;
  Memory memory_;
  std::vector<void*> blocks_;         // from memory_
  std::vector<uint64_t> registered_;  // in map_
  absl::flat_hash_map<std::string_view, Global> globals_;
  std::byte* constants_ = nullptr;
  std::vector<uint64_t> constants_storage_;
};

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_EXECUTION_LOADED_MODULE_H_
