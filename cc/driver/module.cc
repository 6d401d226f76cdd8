// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/driver/module.h"

#include <cuda.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/memory/memory.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "cc/base/status_macros.h"
#include "cc/driver/context.h"
#include "cc/driver/driver_table.h"
#include "cc/driver/stream.h"
#include "cc/ptx/compile_log_status.h"

namespace warpyard::driver {
namespace {

constexpr size_t kLogBytes = size_t{1} << 16;
// No kernel has more: its parameters take at most 32764 bytes (PTX ISA, "Kernel
// Function Parameters").
constexpr size_t kMaxParameters = 32764;
// What a kernel has without opting in (CUDA C++ Programming Guide, "Compute
// Capabilities").
constexpr uint32_t kSharedWithoutOptIn = 48 << 10;

std::string UpToNul(const std::string& text) { return text.substr(0, text.find('\0')); }

}  // namespace

absl::StatusOr<std::shared_ptr<const Module>> Module::Load(std::shared_ptr<const Context> context,
                                                           std::string_view image) {
  if (image.empty()) return absl::InvalidArgumentError("an empty image; expected PTX or a CUBIN");
  const ScopedContext current(*context);
  WARPYARD_RETURN_IF_ERROR(current.status());
  const DriverTable& table = context->driver().table();

  // The driver reads PTX up to its NUL.
  const std::string copy(image);
  std::string log(kLogBytes, '\0');
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log.data(), reinterpret_cast<void*>(kLogBytes - 1)};
  CUmodule handle = nullptr;
  const CUresult result =
      table.cuModuleLoadDataEx(&handle, copy.c_str(), std::size(options), options, values);
  if (result != CUDA_SUCCESS) {
    const absl::Status error = DriverError(table, "cuModuleLoadDataEx", result);
    log = UpToNul(log);
    std::string message(error.message());
    if (!log.empty()) absl::StrAppend(&message, "\n", log);
    return ptx::AttachLog(absl::Status(error.code(), message),
                          absl::StrCat(log, ptx::LogOf(error)));
  }
  return std::shared_ptr<const Module>(new Module(std::move(context), handle));
}

Module::~Module() {
  const ScopedContext current(*context_);
  if (current.status().ok()) context_->driver().table().cuModuleUnload(handle_);
}

absl::StatusOr<std::vector<std::string>> Module::KernelNames() const {
  const ScopedContext current(*context_);
  WARPYARD_RETURN_IF_ERROR(current.status());
  const DriverTable& table = context_->driver().table();
  unsigned int count = 0;
  WARPYARD_CALL_DRIVER(table, cuModuleGetFunctionCount, &count, handle_);
  std::vector<CUfunction> functions(count);
  if (count > 0) {
    WARPYARD_CALL_DRIVER(table, cuModuleEnumerateFunctions, functions.data(), count, handle_);
  }
  std::vector<std::string> names;
  names.reserve(count);
  for (CUfunction function : functions) {
    const char* name = nullptr;
    WARPYARD_CALL_DRIVER(table, cuFuncGetName, &name, function);
    names.emplace_back(name != nullptr ? name : "");
  }
  std::sort(names.begin(), names.end());
  return names;
}

absl::StatusOr<Module::Variable> Module::FindVariable(const std::string& name) const {
  const ScopedContext current(*context_);
  WARPYARD_RETURN_IF_ERROR(current.status());
  const DriverTable& table = context_->driver().table();
  if (table.cuModuleGetGlobal == nullptr) return MissingFunction("cuModuleGetGlobal");
  CUdeviceptr address = 0;
  size_t bytes = 0;
  const CUresult result = table.cuModuleGetGlobal(&address, &bytes, handle_, name.c_str());
  if (result == CUDA_ERROR_NOT_FOUND) {
    return absl::NotFoundError(absl::StrCat("the module has no variable \"", name, "\""));
  }
  if (result != CUDA_SUCCESS) return DriverError(table, "cuModuleGetGlobal", result);
  return Variable{address, bytes};
}

absl::StatusOr<std::unique_ptr<Kernel>> Kernel::Find(std::shared_ptr<const Module> module,
                                                     const std::string& name) {
  const ScopedContext current(*module->context());
  WARPYARD_RETURN_IF_ERROR(current.status());
  const DriverTable& table = module->context()->driver().table();
  CUfunction handle = nullptr;
  const CUresult result = table.cuModuleGetFunction(&handle, module->handle(), name.c_str());
  if (result == CUDA_ERROR_NOT_FOUND) {
    const absl::StatusOr<std::vector<std::string>> names = module->KernelNames();
    return absl::NotFoundError(
        absl::StrCat("the module has no kernel \"", name, "\"",
                     names.ok() ? absl::StrCat("; it has: ", absl::StrJoin(*names, ", ")) : ""));
  }
  if (result != CUDA_SUCCESS) return DriverError(table, "cuModuleGetFunction", result);
  auto kernel = absl::WrapUnique(new Kernel(std::move(module), name, handle));
  if (table.cuFuncGetParamInfo != nullptr) {
    std::vector<KernelParameter> parameters;
    size_t offset = 0;
    size_t size = 0;
    CUresult found = CUDA_SUCCESS;
    while (parameters.size() < kMaxParameters) {
      found = table.cuFuncGetParamInfo(handle, parameters.size(), &offset, &size);
      if (found != CUDA_SUCCESS) break;
      parameters.push_back({offset, size});
    }
    // INVALID_VALUE is the end.
    if (found == CUDA_ERROR_INVALID_VALUE) kernel->parameters_ = std::move(parameters);
  }
  return kernel;
}

absl::StatusOr<KernelAttributes> Kernel::Attributes() const {
  const ScopedContext current(*module_->context());
  WARPYARD_RETURN_IF_ERROR(current.status());
  const DriverTable& table = module_->context()->driver().table();
  KernelAttributes attributes;
  const std::pair<CUfunction_attribute, int*> wanted[] = {
      {CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &attributes.max_threads_per_block},
      {CU_FUNC_ATTRIBUTE_NUM_REGS, &attributes.registers},
      {CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, &attributes.static_shared_bytes},
      {CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, &attributes.constant_bytes},
      {CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, &attributes.local_bytes},
      {CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, &attributes.max_dynamic_shared_bytes},
  };
  for (const auto& [attribute, value] : wanted) {
    WARPYARD_CALL_DRIVER(table, cuFuncGetAttribute, value, attribute, handle_);
  }
  return attributes;
}

absl::StatusOr<int> Kernel::MaxActiveBlocksPerSm(int block_threads,
                                                 uint64_t dynamic_shared_bytes) const {
  const ScopedContext current(*module_->context());
  WARPYARD_RETURN_IF_ERROR(current.status());
  int blocks = 0;
  WARPYARD_CALL_DRIVER(module_->context()->driver().table(),
                       cuOccupancyMaxActiveBlocksPerMultiprocessor, &blocks, handle_, block_threads,
                       dynamic_shared_bytes);
  return blocks;
}

absl::Status Kernel::CheckArguments(absl::Span<const std::string_view> arguments) const {
  if (!parameters_.has_value()) return absl::OkStatus();
  if (arguments.size() != parameters_->size()) {
    return absl::InvalidArgumentError(absl::StrCat("kernel ", name_, " takes ", parameters_->size(),
                                                   " arguments, found ", arguments.size()));
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].size() != (*parameters_)[i].size) {
      return absl::InvalidArgumentError(absl::StrCat("kernel ", name_, ": argument ", i, " has ",
                                                     arguments[i].size(), " bytes, expected ",
                                                     (*parameters_)[i].size));
    }
  }
  return absl::OkStatus();
}

absl::Status Kernel::Launch(const LaunchConfig& config,
                            absl::Span<const std::string_view> arguments,
                            const Stream& stream) const {
  WARPYARD_RETURN_IF_ERROR(CheckArguments(arguments));
  const Context& context = *module_->context();
  if (stream.context()->handle() != context.handle()) {
    return absl::InvalidArgumentError(absl::StrCat("kernel ", name_, " is loaded for device ",
                                                   context.ordinal(), ", the stream is of device ",
                                                   stream.context()->ordinal()));
  }
  const ScopedContext current(context);
  WARPYARD_RETURN_IF_ERROR(current.status());
  const DriverTable& table = context.driver().table();

  if (config.dynamic_shared_bytes > 0 && table.cuFuncSetAttribute != nullptr) {
    int fixed = 0;
    if (table.cuFuncGetAttribute != nullptr) {
      WARPYARD_CALL_DRIVER(table, cuFuncGetAttribute, &fixed, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES,
                           handle_);
    }
    if (config.dynamic_shared_bytes + static_cast<uint64_t>(fixed) > kSharedWithoutOptIn) {
      const CUresult result =
          table.cuFuncSetAttribute(handle_, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                   static_cast<int>(config.dynamic_shared_bytes));
      if (result != CUDA_SUCCESS) {
        const absl::Status error = DriverError(table, "cuFuncSetAttribute", result);
        return absl::ResourceExhaustedError(
            absl::StrCat("kernel ", name_, ": ", config.dynamic_shared_bytes,
                         " bytes of dynamic shared memory beside ", fixed,
                         " of static are more than the device has: ", error.message()));
      }
    }
  }

  std::vector<void*> pointers;
  pointers.reserve(arguments.size());
  for (std::string_view argument : arguments) {
    pointers.push_back(const_cast<char*>(argument.data()));
  }
  CUresult result = CUDA_SUCCESS;
  if (!config.cluster.has_value() && !config.cooperative) {
    result = table.cuLaunchKernel(
        handle_, config.grid[0], config.grid[1], config.grid[2], config.block[0], config.block[1],
        config.block[2], config.dynamic_shared_bytes, stream.handle(), pointers.data(), nullptr);
  } else {
    if (table.cuLaunchKernelEx == nullptr) return MissingFunction("cuLaunchKernelEx");
    std::vector<CUlaunchAttribute> attributes;
    if (config.cluster.has_value()) {
      CUlaunchAttribute attribute = {};
      attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
      attribute.value.clusterDim.x = (*config.cluster)[0];
      attribute.value.clusterDim.y = (*config.cluster)[1];
      attribute.value.clusterDim.z = (*config.cluster)[2];
      attributes.push_back(attribute);
    }
    if (config.cooperative) {
      CUlaunchAttribute attribute = {};
      attribute.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
      attribute.value.cooperative = 1;
      attributes.push_back(attribute);
    }
    CUlaunchConfig launch = {};
    launch.gridDimX = config.grid[0];
    launch.gridDimY = config.grid[1];
    launch.gridDimZ = config.grid[2];
    launch.blockDimX = config.block[0];
    launch.blockDimY = config.block[1];
    launch.blockDimZ = config.block[2];
    launch.sharedMemBytes = config.dynamic_shared_bytes;
    launch.hStream = stream.handle();
    launch.attrs = attributes.data();
    launch.numAttrs = static_cast<unsigned int>(attributes.size());
    result = table.cuLaunchKernelEx(&launch, handle_, pointers.data(), nullptr);
  }
  if (result != CUDA_SUCCESS) {
    return DriverError(
        table,
        absl::StrCat("the launch of ", name_, " with grid (", absl::StrJoin(config.grid, ", "),
                     "), block (", absl::StrJoin(config.block, ", "), ")"),
        result);
  }
  return absl::OkStatus();
}

}  // namespace warpyard::driver
