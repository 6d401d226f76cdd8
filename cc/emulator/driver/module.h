// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Modules, libraries, kernels and functions.

#ifndef WARPYARD_CC_EMULATOR_DRIVER_MODULE_H_
#define WARPYARD_CC_EMULATOR_DRIVER_MODULE_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "cc/emulator/driver/api.h"
#include "cc/emulator/driver/context.h"
#include "cc/emulator/execution/launch.h"
#include "cc/emulator/program/program.h"

namespace warpyard::emulator::driver {

class Module;
class Library;

// What cuFuncSetAttribute sets.
struct FunctionSettings {
  std::atomic<int> max_dynamic_shared{-1};  // -1: what needs no opting in
  std::atomic<int> shared_carveout{-1};
  std::atomic<int> required_cluster[3] = {0, 0, 0};
  std::atomic<int> cluster_must_be_set{0};
  std::atomic<int> nonportable_cluster{0};
  std::atomic<int> cluster_policy{0};
  std::atomic<int> cache_config{0};
};

// A kernel in a context: what a CUfunction names.
struct KernelFunction {
  Module* module = nullptr;
  const Function* function = nullptr;
  std::string name;
  std::shared_ptr<FunctionSettings> settings;

  CUfunction handle() { return reinterpret_cast<CUfunction>(this); }
};

// A program with memory for its variables in a context: what a CUmodule names.
class Module : public std::enable_shared_from_this<Module> {
 public:
  static CUresult Make(std::shared_ptr<Context> context, std::shared_ptr<const Program> program,
                       std::shared_ptr<Module>* module);
  ~Module();

  const std::shared_ptr<Context>& context() const { return context_; }
  const LoadedModule& loaded() const { return *loaded_; }
  CUmodule handle() { return reinterpret_cast<CUmodule>(this); }

  // Null where there is no such kernel.
  std::shared_ptr<KernelFunction> FindFunction(std::string_view name,
                                               std::shared_ptr<FunctionSettings> settings = {});
  // The names of the kernels, in the order of the program.
  static std::vector<std::string_view> KernelNames(const Program& program);

 private:
  Module() = default;
  std::shared_ptr<Context> context_;
  std::unique_ptr<LoadedModule> loaded_;
  std::vector<uint64_t> variables_;  // in the memory table

  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<KernelFunction>, std::less<>> functions_;
};

// A kernel of a library, in whatever context: what a CUkernel names.
struct Kernel {
  std::weak_ptr<Library> library;
  std::string name;
  const Function* function = nullptr;
  std::shared_ptr<FunctionSettings> settings;

  CUkernel handle() { return reinterpret_cast<CUkernel>(this); }
};

// A program that is loaded in each context when it is first used there.
class Library : public std::enable_shared_from_this<Library> {
 public:
  static std::shared_ptr<Library> Make(std::shared_ptr<const Program> program);
  ~Library();

  const Program& program() const { return *program_; }
  CUresult ModuleIn(const std::shared_ptr<Context>& context, std::shared_ptr<Module>* module);
  std::shared_ptr<Kernel> FindKernel(std::string_view name) const;
  const std::vector<std::shared_ptr<Kernel>>& kernels() const { return kernels_; }
  void Forget(const Context& context);

 private:
  std::shared_ptr<const Program> program_;
  std::vector<std::shared_ptr<Kernel>> kernels_;
  std::mutex mutex_;
  absl::flat_hash_map<uint64_t, std::shared_ptr<Module>> modules_;  // by the context's id
};

// Text for the buffers that a client gives with CU_JIT_ERROR_LOG_BUFFER and kin.
class JitLogs {
 public:
  JitLogs(unsigned count, const CUjit_option* options, void** values);
  void Error(std::string_view text);
  // Writes the sizes of what was written where the client reads them.
  ~JitLogs();

 private:
  char* error_ = nullptr;
  size_t error_size_ = 0;
  size_t error_used_ = 0;
  void** error_size_out_ = nullptr;
  void** info_size_out_ = nullptr;
};

// Makes a program of an image: reads, links, decodes.
// CUDA_ERROR_INVALID_IMAGE, _INVALID_PTX, _NO_BINARY_FOR_GPU,
// _UNSUPPORTED_PTX_VERSION; one line says why, in the log and to `logs`.
CUresult LoadProgram(std::string_view image, const Device& device, JitLogs& logs,
                     std::shared_ptr<const Program>* program);
// The bytes of an image whose size nobody told; a fatbin may be wrapped.
CUresult ImageBytes(const void* image, std::string_view* bytes);

// The function of a CUfunction or of a CUkernel in the current context, with its
// module, which it keeps. CUDA_ERROR_INVALID_HANDLE.
CUresult FindFunction(CUfunction handle, std::shared_ptr<KernelFunction>* function,
                      std::shared_ptr<Module>* module);

}  // namespace warpyard::emulator::driver

#endif  // WARPYARD_CC_EMULATOR_DRIVER_MODULE_H_
