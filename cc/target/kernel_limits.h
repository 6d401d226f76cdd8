// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Whether a kernel fits on a generation at all.

#ifndef WARPYARD_CC_TARGET_KERNEL_LIMITS_H_
#define WARPYARD_CC_TARGET_KERNEL_LIMITS_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "cc/target/generation.h"

namespace warpyard {

// What one block of a kernel needs. 0 (for cluster_size: 1) asks for nothing,
// and is right for what is not known.
struct KernelNeeds {
  int registers_per_thread = 0;
  int threads_per_block = 0;
  int64_t static_shared_memory = 0;   // bytes
  int64_t dynamic_shared_memory = 0;  // bytes
  int tensor_memory_columns = 0;
  int cluster_size = 1;  // blocks
};

// RESOURCE_EXHAUSTED names the kernel, the compute capability, and for each
// bound that is passed what was requested and what is available:
//
//   kernel "gemm" on 10.0: tensor memory: 576 columns requested, 512 available
//
// INVALID_ARGUMENT for a negative amount.
absl::Status CheckKernelLimits(std::string_view kernel, const KernelNeeds& needs,
                               const Generation& generation);

}  // namespace warpyard

#endif  // WARPYARD_CC_TARGET_KERNEL_LIMITS_H_
