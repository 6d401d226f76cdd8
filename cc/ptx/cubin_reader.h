// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Reads what kernels need out of a CUBIN, the ELF file that GPUs load. The
// bytes are not trusted.
//
// NVIDIA does not document the format. What is read here is what `cuobjdump
// -elf` prints for CUBINs of CUDA 11.8 to 13.5 and every target of theirs, and
// a test compares all figures with `cuobjdump -res-usage`:
//
//   ABI 7 (CUDA 12 up to sm_90)   ABI 8 (CUDA 13; sm_100 and later in 12)
//   e_flags bits 0-7: sm          e_flags bits 8-15: sm
//   e_flags bit 11: 'a' target    e_flags bit 3 (CUDA 12), or attribute 9 of
//                                 .nv.compat (CUDA 13): 'a' target
//   .text flags bits 20-26:       EIATTR_NUM_BARRIERS
//     number of barriers
//
// An 'f' target leaves no trace: its CUBIN is that of the plain one.

#ifndef WARPYARD_CC_PTX_CUBIN_READER_H_
#define WARPYARD_CC_PTX_CUBIN_READER_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "cc/ptx/compilation.h"
#include "cc/target/compute_capability.h"

namespace warpyard::ptx {

struct CubinKernel {
  // All but the spills, which a CUBIN does not tell. `local_bytes` is the stack
  // of the kernel and all that it calls, or of the kernel alone where that is
  // not known (recursion, calls through pointers).
  KernelResources resources;
  bool whole_stack_known = true;

  // Of the shared memory of each block, what the system keeps for itself at its
  // front. Not part of resources.static_shared_bytes, but of what cuobjdump
  // shows.
  int64_t reserved_shared_bytes = 0;
};

struct Cubin {
  ComputeCapability target;          // plain or 'a'
  bool relocatable = false;          // still to be linked: figures may grow
  std::vector<CubinKernel> kernels;  // sorted by name
};

// INVALID_ARGUMENT, saying what is wrong, for bytes that are no sound CUBIN;
// UNIMPLEMENTED for one of an unknown ABI.
absl::StatusOr<Cubin> ReadCubin(std::string_view bytes);

}  // namespace warpyard::ptx

#endif  // WARPYARD_CC_PTX_CUBIN_READER_H_
