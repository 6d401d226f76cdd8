// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/driver/graph_nodes.h"

#include <memory>
#include <mutex>
#include <utility>

#include "cc/emulator/driver/capture.h"
#include "cc/emulator/driver/conditional.h"
#include "cc/emulator/driver/context.h"
#include "cc/emulator/driver/copy_operations.h"
#include "cc/emulator/driver/handles.h"
#include "cc/emulator/driver/host_operations.h"
#include "cc/emulator/driver/launch_operation.h"
#include "cc/emulator/driver/memory_pool.h"

namespace warpyard::emulator::driver {
namespace {

CUresult MakeKernel(const CUDA_KERNEL_NODE_PARAMS_v3& params, OperationPtr* operation) {
  const CUfunction function =
      params.func != nullptr ? params.func : reinterpret_cast<CUfunction>(params.kern);
  std::shared_ptr<const Launch> launch;
  WARPYARD_CU_TRY(Launch::Make(function, {params.gridDimX, params.gridDimY, params.gridDimZ},
                               {params.blockDimX, params.blockDimY, params.blockDimZ},
                               params.sharedMemBytes, params.kernelParams, params.extra, {},
                               &launch));
  *operation = std::move(launch);
  return CUDA_SUCCESS;
}

CUresult MakeChild(CUgraph handle, OperationPtr* operation) {
  const std::shared_ptr<Graph> graph = Handles<Graph>::Get().Find(handle);
  if (graph == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<Graph> clone;
  {
    const std::lock_guard<std::mutex> lock(GraphLock());
    clone = graph->Clone();
  }
  clone->is_child = true;
  Handles<Graph>::Get().Add<CUgraph>(clone);
  *operation = std::make_shared<ChildGraph>(std::move(clone));
  return CUDA_SUCCESS;
}

CUresult MakeAllocation(CUDA_MEM_ALLOC_NODE_PARAMS_v2& params, OperationPtr* operation) {
  if (params.poolProps.location.type != CU_MEM_LOCATION_TYPE_DEVICE || params.bytesize == 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  Device* device;
  WARPYARD_CU_TRY(GetDevice(params.poolProps.location.id, &device));
  Context* context;
  WARPYARD_CU_TRY(CurrentContext(&context));
  if (&context->device() != device) return CUDA_ERROR_INVALID_VALUE;
  CUDA_MEM_ALLOC_NODE_PARAMS kept{};
  kept.poolProps = params.poolProps;
  kept.bytesize = params.bytesize;
  auto node = std::make_shared<AllocateNode>(kept);
  WARPYARD_CU_TRY(
      AllocateDeviceMemory(*context, params.bytesize, MemoryRecord::Kind::kGraph, &node->record));
  node->params.dptr = node->record->base;
  params.dptr = node->record->base;
  *operation = std::move(node);
  return CUDA_SUCCESS;
}

CUresult MakeConditional(CUDA_CONDITIONAL_NODE_PARAMS& params, OperationPtr* operation) {
  auto node = std::make_shared<Conditional>();
  node->value = FindConditional(params.handle);
  if (node->value == nullptr || params.size == 0) return CUDA_ERROR_INVALID_VALUE;
  const unsigned most = params.type == CU_GRAPH_COND_TYPE_IF       ? 2
                        : params.type == CU_GRAPH_COND_TYPE_WHILE  ? 1
                        : params.type == CU_GRAPH_COND_TYPE_SWITCH ? 1024
                                                                   : 0;
  if (params.size > most) return CUDA_ERROR_INVALID_VALUE;
  // The client reads the handles from an array that lives as long as the node.
  auto handles = std::make_unique<CUgraph[]>(params.size);
  for (unsigned i = 0; i < params.size; ++i) {
    node->bodies.push_back(Graph::Make());
    node->bodies.back()->is_child = true;
    handles[i] = node->bodies.back()->handle();
  }
  params.phGraph_out = handles.get();
  node->params = params;
  node->body_handles = std::move(handles);
  *operation = std::move(node);
  return CUDA_SUCCESS;
}

CUresult MakeEvent(CUevent handle, bool record, OperationPtr* operation) {
  std::shared_ptr<Event> event = Handles<Event>::Get().Find(handle);
  if (event == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  *operation = std::make_shared<EventNode>(std::move(event), record);
  return CUDA_SUCCESS;
}

}  // namespace

CUresult MakeNode(CUgraphNodeParams& params, OperationPtr* operation) {
  switch (params.type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
      return MakeKernel(params.kernel, operation);
    case CU_GRAPH_NODE_TYPE_MEMCPY: {
      WARPYARD_CU_TRY(CheckCopy(params.memcpy.copyParams));
      auto copy = std::make_shared<Copy>(params.memcpy.copyParams);
      copy->context_handle = params.memcpy.copyCtx;
      *operation = std::move(copy);
      return CUDA_SUCCESS;
    }
    case CU_GRAPH_NODE_TYPE_MEMSET:
      WARPYARD_CU_TRY(CheckSet(params.memset));
      *operation = std::make_shared<Set>(params.memset);
      return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_HOST:
      if (params.host.fn == nullptr) return CUDA_ERROR_INVALID_VALUE;
      *operation = std::make_shared<HostFunction>(params.host);
      return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_GRAPH:
      return MakeChild(params.graph.graph, operation);
    case CU_GRAPH_NODE_TYPE_EMPTY:
      operation->reset();
      return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
      return MakeEvent(params.eventWait.event, /*record=*/false, operation);
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
      return MakeEvent(params.eventRecord.event, /*record=*/true, operation);
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
      return MakeAllocation(params.alloc, operation);
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
      if (MemoryTable::Get().FindBase(params.free.dptr) == nullptr) return CUDA_ERROR_INVALID_VALUE;
      *operation = std::make_shared<FreeNode>(params.free.dptr);
      return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP: {
      WARPYARD_CU_TRY(CheckMemoryOperations(params.memOp.paramArray, params.memOp.count));
      auto operations = std::make_shared<MemoryOperations>();
      operations->operations.assign(params.memOp.paramArray,
                                    params.memOp.paramArray + params.memOp.count);
      operations->context_handle = params.memOp.ctx;
      operations->flags = params.memOp.flags;
      *operation = std::move(operations);
      return CUDA_SUCCESS;
    }
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
      return MakeConditional(params.conditional, operation);
    default:
      return NotSupported("a graph node of this type (external semaphores, batches of copies)");
  }
}

CUresult NodeParams(const OperationPtr& operation, CUgraphNodeType type,
                    CUgraphNodeParams* params) {
  const CUgraphNodeType found = operation == nullptr ? CU_GRAPH_NODE_TYPE_EMPTY : operation->type();
  if (found != type) return CUDA_ERROR_INVALID_VALUE;
  *params = {};
  params->type = type;
  const Operation* const node = operation.get();
  switch (type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: {
      const CUDA_KERNEL_NODE_PARAMS_v2 kernel = static_cast<const Launch*>(node)->NodeParams();
      params->kernel.func = kernel.func;
      params->kernel.gridDimX = kernel.gridDimX;
      params->kernel.gridDimY = kernel.gridDimY;
      params->kernel.gridDimZ = kernel.gridDimZ;
      params->kernel.blockDimX = kernel.blockDimX;
      params->kernel.blockDimY = kernel.blockDimY;
      params->kernel.blockDimZ = kernel.blockDimZ;
      params->kernel.sharedMemBytes = kernel.sharedMemBytes;
      params->kernel.kernelParams = kernel.kernelParams;
      params->kernel.ctx = kernel.ctx;
      return CUDA_SUCCESS;
    }
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      params->memcpy.copyParams = static_cast<const Copy*>(node)->params;
      params->memcpy.copyCtx = static_cast<const Copy*>(node)->context_handle;
      return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_MEMSET:
      params->memset = static_cast<const Set*>(node)->params;
      return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_HOST:
      params->host = static_cast<const HostFunction*>(node)->params;
      return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_GRAPH: {
      const auto* const child = dynamic_cast<const ChildGraph*>(node);
      if (child == nullptr) return CUDA_ERROR_INVALID_VALUE;
      params->graph.graph = child->graph->handle();
      return CUDA_SUCCESS;
    }
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
      params->eventRecord.event =
          reinterpret_cast<CUevent>(static_cast<const EventNode*>(node)->event.get());
      return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC: {
      const CUDA_MEM_ALLOC_NODE_PARAMS& kept = static_cast<const AllocateNode*>(node)->params;
      params->alloc.poolProps = kept.poolProps;
      params->alloc.bytesize = kept.bytesize;
      params->alloc.dptr = kept.dptr;
      return CUDA_SUCCESS;
    }
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
      params->free.dptr = static_cast<const FreeNode*>(node)->address;
      return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP: {
      const auto* const operations = static_cast<const MemoryOperations*>(node);
      params->memOp.ctx = operations->context_handle;
      params->memOp.count = static_cast<unsigned>(operations->operations.size());
      // The driver gives an array that a client may read but not write.
      params->memOp.paramArray =
          const_cast<CUstreamBatchMemOpParams*>(operations->operations.data());
      params->memOp.flags = operations->flags;
      return CUDA_SUCCESS;
    }
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
      params->conditional = static_cast<const Conditional*>(node)->params;
      return CUDA_SUCCESS;
    default:
      return CUDA_SUCCESS;
  }
}

}  // namespace warpyard::emulator::driver
