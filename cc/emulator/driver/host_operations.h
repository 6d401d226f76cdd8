// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Work that the host does in a stream's order: functions of the client, and
// waiting for and writing of single values.

#ifndef WARPYARD_CC_EMULATOR_DRIVER_HOST_OPERATIONS_H_
#define WARPYARD_CC_EMULATOR_DRIVER_HOST_OPERATIONS_H_

#include <vector>

#include "cc/emulator/driver/api.h"
#include "cc/emulator/driver/operation.h"

namespace warpyard::emulator::driver {

class HostFunction : public Operation {
 public:
  explicit HostFunction(const CUDA_HOST_NODE_PARAMS_v2& node_params) : params(node_params) {}
  CUresult Execute(Context& context) const override;
  CUgraphNodeType type() const override { return CU_GRAPH_NODE_TYPE_HOST; }

  const CUDA_HOST_NODE_PARAMS_v2 params;
};

// cuStreamAddCallback: also called when the context has an error, with it.
class StreamCallback : public Operation {
 public:
  StreamCallback(CUstream stream, CUstreamCallback callback, void* user_data)
      : stream_(stream), callback_(callback), user_data_(user_data) {}
  CUresult Execute(Context& context) const override;
  CUgraphNodeType type() const override { return CU_GRAPH_NODE_TYPE_HOST; }
  bool runs_after_error() const override { return true; }

 private:
  CUstream stream_;
  CUstreamCallback callback_;
  void* user_data_;
};

class MemoryOperations : public Operation {
 public:
  CUresult Execute(Context& context) const override;
  CUgraphNodeType type() const override { return CU_GRAPH_NODE_TYPE_BATCH_MEM_OP; }

  std::vector<CUstreamBatchMemOpParams> operations;
  CUcontext context_handle = nullptr;  // as a node of a graph gives it back
  unsigned flags = 0;
};

// CUDA_ERROR_INVALID_VALUE for unknown operations, unaligned addresses and
// memory that the driver does not know.
CUresult CheckMemoryOperations(const CUstreamBatchMemOpParams* operations, unsigned count);

}  // namespace warpyard::emulator::driver

#endif  // WARPYARD_CC_EMULATOR_DRIVER_HOST_OPERATIONS_H_
