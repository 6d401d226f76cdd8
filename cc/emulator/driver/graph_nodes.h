// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Operations of nodes from the parameters that a client gives, and back.

#ifndef WARPYARD_CC_EMULATOR_DRIVER_GRAPH_NODES_H_
#define WARPYARD_CC_EMULATOR_DRIVER_GRAPH_NODES_H_

#include <memory>

#include "cc/emulator/driver/api.h"
#include "cc/emulator/driver/graph.h"
#include "cc/emulator/driver/operation.h"

namespace warpyard::emulator::driver {

// Checks the parameters of any type of node. Allocations are made here, and
// conditional nodes get the graphs of their bodies; both are written to `params`.
CUresult MakeNode(CUgraphNodeParams& params, OperationPtr* operation);
// What the node was made of. CUDA_ERROR_INVALID_VALUE where the node is of
// another type than `type`.
CUresult NodeParams(const OperationPtr& operation, CUgraphNodeType type, CUgraphNodeParams* params);

}  // namespace warpyard::emulator::driver

#endif  // WARPYARD_CC_EMULATOR_DRIVER_GRAPH_NODES_H_
