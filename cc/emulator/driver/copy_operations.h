// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Copies and sets of up to three dimensions.

#ifndef WARPYARD_CC_EMULATOR_DRIVER_COPY_OPERATIONS_H_
#define WARPYARD_CC_EMULATOR_DRIVER_COPY_OPERATIONS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "cc/emulator/driver/api.h"
#include "cc/emulator/driver/operation.h"

namespace warpyard::emulator::driver {

class Copy : public Operation {
 public:
  explicit Copy(const CUDA_MEMCPY3D& copy_params) : params(copy_params) {}
  CUresult Execute(Context& context) const override;
  CUgraphNodeType type() const override { return CU_GRAPH_NODE_TYPE_MEMCPY; }

  // Where memory types are unified, the device fields hold the addresses.
  CUDA_MEMCPY3D params;
  CUcontext context_handle = nullptr;
  // A copy of pageable memory that the client may change meanwhile; params.srcHost
  // points to it.
  std::string staged;
};

class Set : public Operation {
 public:
  explicit Set(const CUDA_MEMSET_NODE_PARAMS_v2& set_params) : params(set_params) {}
  CUresult Execute(Context& context) const override;
  CUgraphNodeType type() const override { return CU_GRAPH_NODE_TYPE_MEMSET; }

  const CUDA_MEMSET_NODE_PARAMS_v2 params;
};

// Parameters of a copy of contiguous bytes between any two addresses.
CUDA_MEMCPY3D LinearCopy(CUdeviceptr destination, CUdeviceptr source, size_t bytes);

// CUDA_ERROR_INVALID_VALUE for pitches smaller than a row and for device memory
// that the driver does not know; CUDA_ERROR_NOT_SUPPORTED for arrays.
CUresult CheckCopy(const CUDA_MEMCPY3D& params);
CUresult CheckSet(const CUDA_MEMSET_NODE_PARAMS_v2& params);

}  // namespace warpyard::emulator::driver

#endif  // WARPYARD_CC_EMULATOR_DRIVER_COPY_OPERATIONS_H_
