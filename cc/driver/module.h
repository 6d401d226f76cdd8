// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Code that was loaded for a device, its variables, and its kernels.

#ifndef WARPYARD_CC_DRIVER_MODULE_H_
#define WARPYARD_CC_DRIVER_MODULE_H_

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "cc/driver/context.h"

struct CUmod_st;
struct CUfunc_st;

namespace warpyard::driver {

class Stream;

// Thread-safe.
class Module : public std::enable_shared_from_this<Module> {
 public:
  // Loads PTX, a CUBIN or a fat binary. INVALID_ARGUMENT: damaged, or nothing in
  // it is for this device, with the driver's log; UNIMPLEMENTED: PTX of a newer
  // ISA than the driver reads. An emulated device runs PTX alone.
  static absl::StatusOr<std::shared_ptr<const Module>> Load(std::shared_ptr<const Context> context,
                                                            std::string_view image);
  ~Module();
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  const std::shared_ptr<const Context>& context() const { return context_; }
  CUmod_st* handle() const { return handle_; }

  // Sorted. UNIMPLEMENTED from a driver before CUDA 12.4.
  absl::StatusOr<std::vector<std::string>> KernelNames() const;

  // A `__device__` or `__constant__` variable. NOT_FOUND: there is none.
  struct Variable {
    uint64_t address = 0;
    uint64_t bytes = 0;
  };
  absl::StatusOr<Variable> FindVariable(const std::string& name) const;

 private:
  Module(std::shared_ptr<const Context> context, CUmod_st* handle)
      : context_(std::move(context)), handle_(handle) {}

  const std::shared_ptr<const Context> context_;
  CUmod_st* const handle_;
};

using Extent = std::array<uint32_t, 3>;

struct LaunchConfig {
  Extent grid = {1, 1, 1};   // blocks
  Extent block = {1, 1, 1};  // threads
  // Blocks of a cluster; what the kernel itself says where it is not set.
  std::optional<Extent> cluster = std::nullopt;
  uint32_t dynamic_shared_bytes = 0;
  bool cooperative = false;  // all blocks run at once, and may wait for each other
};

// Where a parameter lies in the kernel's parameter buffer, in bytes.
struct KernelParameter {
  uint64_t offset = 0;
  uint64_t size = 0;
};

struct KernelAttributes {
  int max_threads_per_block = 0;
  int registers = 0;
  int static_shared_bytes = 0;
  int constant_bytes = 0;
  int local_bytes = 0;
  int max_dynamic_shared_bytes = 0;
};

// Thread-safe.
class Kernel {
 public:
  // NOT_FOUND, naming the kernels that there are.
  static absl::StatusOr<std::unique_ptr<Kernel>> Find(std::shared_ptr<const Module> module,
                                                      const std::string& name);

  const std::string& name() const { return name_; }
  const std::shared_ptr<const Module>& module() const { return module_; }
  // nullopt: the driver (before CUDA 12.4) does not tell.
  const std::optional<std::vector<KernelParameter>>& parameters() const { return parameters_; }
  absl::StatusOr<KernelAttributes> Attributes() const;

  // How many blocks of so many threads an SM holds, as the driver sees it.
  absl::StatusOr<int> MaxActiveBlocksPerSm(int block_threads, uint64_t dynamic_shared_bytes) const;

  // Launches on `stream`, of the same context. `arguments` are the bytes of each
  // parameter, in order. INVALID_ARGUMENT: too few or too many arguments, one of
  // a wrong size, a grid or a block that the device does not run.
  // RESOURCE_EXHAUSTED: more registers or shared memory than there are. Raises the
  // kernel's limit of dynamic shared memory where it must.
  absl::Status Launch(const LaunchConfig& config, absl::Span<const std::string_view> arguments,
                      const Stream& stream) const;

 private:
  Kernel(std::shared_ptr<const Module> module, std::string name, CUfunc_st* handle)
      : module_(std::move(module)), name_(std::move(name)), handle_(handle) {}
  absl::Status CheckArguments(absl::Span<const std::string_view> arguments) const;

  const std::shared_ptr<const Module> module_;
  const std::string name_;
  CUfunc_st* const handle_;
  std::optional<std::vector<KernelParameter>> parameters_;
};

}  // namespace warpyard::driver

#endif  // WARPYARD_CC_DRIVER_MODULE_H_
