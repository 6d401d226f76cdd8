// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Occupancy on the posed GPU (cc/target/occupancy.h), with an estimate of the
// registers.

#include <algorithm>
#include <cstddef>
#include <memory>

#include "absl/status/statusor.h"
#include "cc/emulator/driver/api.h"
#include "cc/emulator/driver/context.h"
#include "cc/emulator/driver/function_attributes.h"
#include "cc/emulator/driver/module.h"
#include "cc/target/occupancy.h"

namespace d = ::warpyard::emulator::driver;

namespace {

struct Kernel {
  std::shared_ptr<d::KernelFunction> function;
  std::shared_ptr<d::Module> module;

  const warpyard::Generation& generation() const {
    return module->context()->device().generation();
  }
};

CUresult Find(CUfunction handle, Kernel* kernel) {
  WARPYARD_CU_TRY(d::Driver::Get().CheckInitialized());
  return d::FindFunction(handle, &kernel->function, &kernel->module);
}

CUresult ActiveBlocks(const Kernel& kernel, int block_size, size_t dynamic_shared, int* blocks) {
  if (block_size <= 0) return CUDA_ERROR_INVALID_VALUE;
  const warpyard::Generation& generation = kernel.generation();
  if (block_size > generation.max_threads_per_block) {
    *blocks = 0;
    return CUDA_SUCCESS;
  }
  warpyard::OccupancyRequest request;
  request.threads_per_block = block_size;
  request.registers_per_thread = d::RegistersPerThread(*kernel.function->function);
  request.static_shared_memory = kernel.function->function->static_shared_bytes;
  request.dynamic_shared_memory = static_cast<int64_t>(dynamic_shared);
  request.named_barriers = std::max(1, static_cast<int>(kernel.function->function->barrier_count));
  const absl::StatusOr<warpyard::Occupancy> occupancy =
      warpyard::ComputeOccupancy(generation, request);
  if (!occupancy.ok()) return CUDA_ERROR_INVALID_VALUE;
  *blocks = occupancy->active_blocks;
  return CUDA_SUCCESS;
}

int ClusterSize(const CUlaunchConfig& config) {
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    if (config.attrs[i].id != CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) continue;
    const auto& dim = config.attrs[i].value.clusterDim;
    return static_cast<int>(dim.x * dim.y * dim.z);
  }
  return 1;
}

}  // namespace

CUresult CUDAAPI cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* numBlocks, CUfunction func, int blockSize, size_t dynamicSMemSize, unsigned int flags) {
  if (numBlocks == nullptr || flags > CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  Kernel kernel;
  WARPYARD_CU_TRY(Find(func, &kernel));
  return ActiveBlocks(kernel, blockSize, dynamicSMemSize, numBlocks);
}
CUresult CUDAAPI cuOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, CUfunction func,
                                                             int blockSize,
                                                             size_t dynamicSMemSize) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, func, blockSize,
                                                              dynamicSMemSize, 0);
}

CUresult CUDAAPI cuOccupancyMaxPotentialBlockSizeWithFlags(
    int* minGridSize, int* blockSize, CUfunction func,
    CUoccupancyB2DSize blockSizeToDynamicSMemSize, size_t dynamicSMemSize, int blockSizeLimit,
    unsigned int flags) {
  if (minGridSize == nullptr || blockSize == nullptr || blockSizeLimit < 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  Kernel kernel;
  WARPYARD_CU_TRY(Find(func, &kernel));
  const warpyard::Generation& generation = kernel.generation();
  int most;
  WARPYARD_CU_TRY(cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, func));
  if (blockSizeLimit > 0) most = std::min(most, blockSizeLimit);
  // The largest block of those that keep most threads resident.
  int best_threads = 0;
  int best_blocks = 0;
  *blockSize = 0;
  const int rounded =
      (most + generation.warp_size - 1) / generation.warp_size * generation.warp_size;
  for (int size = rounded; size > 0; size -= generation.warp_size) {
    const int tried = std::min(size, most);
    const size_t shared =
        blockSizeToDynamicSMemSize != nullptr ? blockSizeToDynamicSMemSize(tried) : dynamicSMemSize;
    int blocks;
    WARPYARD_CU_TRY(ActiveBlocks(kernel, tried, shared, &blocks));
    if (blocks * tried > best_threads) {
      best_threads = blocks * tried;
      best_blocks = blocks;
      *blockSize = tried;
    }
    if (best_threads == generation.max_threads_per_sm) break;
  }
  *minGridSize = best_blocks * kernel.module->context()->device().spec().sm_count;
  return CUDA_SUCCESS;
}
CUresult CUDAAPI cuOccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize, CUfunction func,
                                                  CUoccupancyB2DSize blockSizeToDynamicSMemSize,
                                                  size_t dynamicSMemSize, int blockSizeLimit) {
  return cuOccupancyMaxPotentialBlockSizeWithFlags(
      minGridSize, blockSize, func, blockSizeToDynamicSMemSize, dynamicSMemSize, blockSizeLimit, 0);
}

CUresult CUDAAPI cuOccupancyAvailableDynamicSMemPerBlock(size_t* dynamicSmemSize, CUfunction func,
                                                         int numBlocks, int blockSize) {
  if (dynamicSmemSize == nullptr || numBlocks <= 0 || blockSize <= 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  Kernel kernel;
  WARPYARD_CU_TRY(Find(func, &kernel));
  const warpyard::Generation& generation = kernel.generation();
  const int unit = generation.shared_memory_allocation_unit;
  const int each = generation.shared_memory_per_sm / numBlocks / unit * unit;
  const int most = std::min(each - generation.reserved_shared_memory_per_block,
                            generation.shared_memory_per_block_optin);
  const int left = most - static_cast<int>(kernel.function->function->static_shared_bytes);
  *dynamicSmemSize = static_cast<size_t>(std::max(left, 0));
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuOccupancyMaxPotentialClusterSize(int* clusterSize, CUfunction func,
                                                    const CUlaunchConfig* config) {
  if (clusterSize == nullptr || config == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Kernel kernel;
  WARPYARD_CU_TRY(Find(func, &kernel));
  const warpyard::Generation& generation = kernel.generation();
  if (generation.max_cluster_size_portable <= 1) return CUDA_ERROR_NOT_SUPPORTED;
  *clusterSize =
      kernel.function->settings->nonportable_cluster != 0
          ? generation.max_cluster_size_nonportable.value_or(generation.max_cluster_size_portable)
          : generation.max_cluster_size_portable;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuOccupancyMaxActiveClusters(int* numClusters, CUfunction func,
                                              const CUlaunchConfig* config) {
  if (numClusters == nullptr || config == nullptr ||
      (config->attrs == nullptr && config->numAttrs > 0)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  Kernel kernel;
  WARPYARD_CU_TRY(Find(func, &kernel));
  if (kernel.generation().max_cluster_size_portable <= 1) return CUDA_ERROR_NOT_SUPPORTED;
  int blocks;
  const unsigned threads = config->blockDimX * config->blockDimY * config->blockDimZ;
  WARPYARD_CU_TRY(ActiveBlocks(kernel, static_cast<int>(threads), config->sharedMemBytes, &blocks));
  // As if every SM could be in a cluster with any other, which is an upper bound.
  *numClusters = blocks * kernel.module->context()->device().spec().sm_count /
                 std::max(1, ClusterSize(*config));
  return CUDA_SUCCESS;
}
