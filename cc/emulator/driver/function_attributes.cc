// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/driver/function_attributes.h"

#include <algorithm>

#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator::driver {

int RegistersPerThread(const Function& function) {
  // No kernel takes fewer than a few; 255 is the most that hardware has.
  int registers = std::clamp(static_cast<int>(function.register_estimate), 8, 255);
  if (function.max_registers > 0) {
    registers = std::min(registers, static_cast<int>(function.max_registers));
  }
  return registers;
}

CUresult GetFunctionAttribute(const Function& function, const Program& program,
                              const FunctionSettings& settings, const Device& device,
                              CUfunction_attribute attribute, int* value) {
  const Generation& generation = device.generation();
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: {
      int most = generation.max_threads_per_block;
      // The registers of a block may allow fewer.
      const int by_registers = generation.max_registers_per_block / RegistersPerThread(function) /
                               generation.warp_size * generation.warp_size;
      most = std::min(most, by_registers);
      if (function.max_block_threads > 0) {
        most = std::min(most, static_cast<int>(function.max_block_threads));
      }
      *value = most;
      return CUDA_SUCCESS;
    }
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      *value = static_cast<int>(function.static_shared_bytes);
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: {
      uint64_t bytes = 0;
      for (const ModuleSymbol& symbol : program.symbols) {
        if (symbol.space == syntax::StateSpace::kConst) bytes += symbol.size;
      }
      *value = static_cast<int>(bytes);
      return CUDA_SUCCESS;
    }
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      *value = static_cast<int>(function.local_bytes);
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
      *value = RegistersPerThread(function);
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
      *value = program.target.major() * 10 + program.target.minor();
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION: {
      const ComputeCapability& cc = device.spec().compute_capability();
      *value = cc.major() * 10 + cc.minor();
      return CUDA_SUCCESS;
    }
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
    case CU_FUNC_ATTRIBUTE_DEVICE_NODE_UPDATE_SUPPORTED:
    case CU_FUNC_ATTRIBUTE_SHARED_MEMORY_MODE:
      *value = 0;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      *value = settings.max_dynamic_shared >= 0
                   ? settings.max_dynamic_shared.load()
                   : std::max(0, generation.shared_memory_per_block -
                                     static_cast<int>(function.static_shared_bytes));
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      *value = settings.shared_carveout;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
      *value = function.explicit_cluster && function.required_cluster[0] == 0 ? 1 : 0;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH: {
      const int axis = attribute - CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH;
      const int set = settings.required_cluster[axis];
      *value = set != 0 ? set : static_cast<int>(function.required_cluster[axis]);
      return CUDA_SUCCESS;
    }
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
      *value = settings.nonportable_cluster;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
      *value = settings.cluster_policy;
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult SetFunctionAttribute(const Function& function, const Generation& generation,
                              CUfunction_attribute attribute, int value,
                              FunctionSettings& settings) {
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      if (value < 0 || value > generation.shared_memory_per_block_optin -
                                   static_cast<int>(function.static_shared_bytes)) {
        return CUDA_ERROR_INVALID_VALUE;
      }
      settings.max_dynamic_shared = value;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      if (value < -1 || value > 100) return CUDA_ERROR_INVALID_VALUE;
      settings.shared_carveout = value;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH: {
      // What the kernel was compiled with cannot be changed.
      if (value < 0 || function.required_cluster[0] != 0) return CUDA_ERROR_INVALID_VALUE;
      settings.required_cluster[attribute - CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH] = value;
      for (std::atomic<int>& extent : settings.required_cluster) {
        if (extent == 0 && value > 0) extent = 1;
      }
      return CUDA_SUCCESS;
    }
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
      if (generation.max_cluster_size_portable <= 1) return CUDA_ERROR_INVALID_VALUE;
      settings.nonportable_cluster = value != 0 ? 1 : 0;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
      settings.cluster_policy = value;
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

}  // namespace warpyard::emulator::driver
