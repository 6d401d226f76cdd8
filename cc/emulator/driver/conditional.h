// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Conditional nodes of graphs: if, while and switch over a value that kernels set.

#ifndef WARPYARD_CC_EMULATOR_DRIVER_CONDITIONAL_H_
#define WARPYARD_CC_EMULATOR_DRIVER_CONDITIONAL_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "cc/emulator/driver/api.h"
#include "cc/emulator/driver/graph.h"
#include "cc/emulator/driver/operation.h"

namespace warpyard::emulator::driver {

// What a CUgraphConditionalHandle names.
struct ConditionalValue {
  std::atomic<unsigned> value{0};
  unsigned initial = 0;
  bool assign_at_launch = false;
  const Graph* graph = nullptr;
};

// Handles are numbers. Null for what is none.
std::shared_ptr<ConditionalValue> FindConditional(CUgraphConditionalHandle handle);
CUgraphConditionalHandle AddConditional(std::shared_ptr<ConditionalValue> value);

class Conditional : public Operation {
 public:
  CUresult Execute(Context& context) const override;
  CUgraphNodeType type() const override { return CU_GRAPH_NODE_TYPE_CONDITIONAL; }

  CUDA_CONDITIONAL_NODE_PARAMS params{};
  std::shared_ptr<ConditionalValue> value;
  std::vector<std::shared_ptr<Graph>> bodies;
  std::unique_ptr<CUgraph[]> body_handles;  // what params.phGraph_out points to
};

// The operation; where it holds graphs, one that holds copies of them.
OperationPtr CloneGraphsOf(const OperationPtr& operation);

}  // namespace warpyard::emulator::driver

#endif  // WARPYARD_CC_EMULATOR_DRIVER_CONDITIONAL_H_
