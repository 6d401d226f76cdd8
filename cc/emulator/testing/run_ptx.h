// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// For tests: kernels from PTX text or CUDA C++, run on a posed GPU.

#ifndef WARPYARD_CC_EMULATOR_TESTING_RUN_PTX_H_
#define WARPYARD_CC_EMULATOR_TESTING_RUN_PTX_H_

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "cc/emulator/execution/launch.h"
#include "cc/emulator/execution/loaded_module.h"
#include "cc/emulator/execution/memory_map.h"
#include "cc/emulator/program/program.h"

namespace warpyard::emulator {

// A module on one device, with memory of its own. What goes wrong before a
// launch ends the program with a message.
class TestModule {
 public:
  explicit TestModule(std::string ptx, std::string_view gpu = "h100");
  ~TestModule();

  // `body` in a kernel `k(.param .u64 out, .param .u64 in)` for sm_90a, with
  // registers %r<64> %rd<64> %h<32> %f<32> %fd<32> %p<16> %b<4> declared and the
  // parameters in %rd0 and %rd1.
  static std::string Kernel(std::string_view body, std::string_view before = "");

  // Registered device memory of `count` values, zeroed or as given. Lives as
  // long as the module.
  template <typename T>
  T* Allocate(size_t count) {
    return static_cast<T*>(AllocateBytes(count * sizeof(T)));
  }
  template <typename T>
  T* Allocate(const std::vector<T>& values) {
    T* memory = Allocate<T>(values.size());
    std::memcpy(memory, values.data(), values.size() * sizeof(T));
    return memory;
  }

  // Launches with parameters by value, each at the place that the kernel gives
  // it. What is printed is kept in `printed`.
  template <typename... Args>
  std::optional<Fault> Launch(std::string_view kernel, Dim3 grid, Dim3 block, Args... args) {
    std::vector<std::string> bytes = {Bytes(args)...};
    return LaunchBytes(kernel, grid, block, bytes);
  }

  // What Launch() uses: change at will. Its function, dimensions and parameters
  // are set by Launch.
  LaunchConfig config;
  std::string printed;

  MemoryMap& map() { return map_; }
  const Program& program() const { return *program_; }
  const LoadedModule& loaded() const { return *loaded_; }

 private:
  template <typename T>
  static std::string Bytes(const T& value) {
    return std::string(reinterpret_cast<const char*>(&value), sizeof(value));
  }
  void* AllocateBytes(uint64_t bytes);
  std::optional<Fault> LaunchBytes(std::string_view kernel, Dim3 grid, Dim3 block,
                                   const std::vector<std::string>& args);

  MemoryMap map_;
  std::shared_ptr<const Program> program_;
  std::unique_ptr<LoadedModule> loaded_;
  std::vector<void*> memory_;
};

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_TESTING_RUN_PTX_H_
