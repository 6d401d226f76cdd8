// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Graphs: instantiation, updates and launches.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "cc/emulator/driver/api.h"
#include "cc/emulator/driver/capture.h"
#include "cc/emulator/driver/graph.h"
#include "cc/emulator/driver/graph_nodes.h"
#include "cc/emulator/driver/handles.h"
#include "cc/emulator/driver/launch_operation.h"
#include "cc/emulator/driver/stream.h"

namespace d = ::warpyard::emulator::driver;
using d::ExecutableGraph;
using d::Graph;
using d::GraphNode;
using d::Handles;
using Step = d::ExecutableGraph::Step;

namespace {

CUresult FindExecutable(CUgraphExec handle, std::shared_ptr<ExecutableGraph>* executable) {
  WARPYARD_CU_TRY(d::Driver::Get().CheckInitialized());
  *executable = Handles<ExecutableGraph>::Get().Find(handle);
  return *executable == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult Instantiate(CUgraphExec* out, CUgraph handle, uint64_t flags) {
  if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  constexpr uint64_t kKnown =
      CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH | CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD |
      CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH | CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;
  if ((flags & ~kKnown) != 0) return CUDA_ERROR_INVALID_VALUE;
  WARPYARD_CU_TRY(d::Driver::Get().CheckInitialized());
  const std::shared_ptr<Graph> graph = Handles<Graph>::Get().Find(handle);
  if (graph == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if ((flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH) != 0) {
    return d::NotSupported("launching graphs from kernels");
  }
  auto executable = std::make_shared<ExecutableGraph>();
  executable->flags = flags;
  const std::lock_guard<std::mutex> lock(d::GraphLock());
  executable->graph = graph->Clone();
  executable->id = executable->graph->id;
  WARPYARD_CU_TRY(d::BuildSteps(*executable->graph, &executable->steps));
  *out = Handles<ExecutableGraph>::Get().Add<CUgraphExec>(std::move(executable));
  return CUDA_SUCCESS;
}

// Replaces what one node does. The node is one of the graph that the executable
// was made of.
CUresult SetParams(CUgraphExec handle, CUgraphNode node_handle, CUgraphNodeParams& params) {
  std::shared_ptr<ExecutableGraph> executable;
  WARPYARD_CU_TRY(FindExecutable(handle, &executable));
  const std::shared_ptr<GraphNode> node = Handles<GraphNode>::Get().Find(node_handle);
  if (node == nullptr || node->type() != params.type) return CUDA_ERROR_INVALID_VALUE;
  d::OperationPtr operation;
  WARPYARD_CU_TRY(d::MakeNode(params, &operation));
  const std::lock_guard<std::mutex> lock(executable->mutex);
  Step* const step = executable->Find(node->id);
  if (step == nullptr || step->operation == nullptr ||
      step->operation->type() != operation->type()) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  step->operation = std::move(operation);
  return CUDA_SUCCESS;
}

CUgraphExecUpdateResult Compare(const Graph& old_graph, const Graph& new_graph,
                                GraphNode** error_node, GraphNode** error_from) {
  *error_node = nullptr;
  *error_from = nullptr;
  if (old_graph.nodes.size() != new_graph.nodes.size()) {
    return CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
  }
  for (size_t i = 0; i < new_graph.nodes.size(); ++i) {
    const GraphNode& before = *old_graph.nodes[i];
    GraphNode& after = *new_graph.nodes[i];
    *error_node = &after;
    if (before.type() != after.type()) return CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED;
    if (before.dependencies.size() != after.dependencies.size()) {
      return CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
    }
    for (size_t k = 0; k < after.dependencies.size(); ++k) {
      const auto index = [](const Graph& graph, const GraphNode* node) {
        return std::find_if(graph.nodes.begin(), graph.nodes.end(),
                            [&](const auto& each) { return each.get() == node; }) -
               graph.nodes.begin();
      };
      if (index(old_graph, before.dependencies[k]) != index(new_graph, after.dependencies[k])) {
        *error_from = after.dependencies[k];
        return CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
      }
    }
  }
  *error_node = nullptr;
  return CU_GRAPH_EXEC_UPDATE_SUCCESS;
}

}  // namespace

CUresult CUDAAPI cuGraphInstantiateWithFlags(CUgraphExec* phGraphExec, CUgraph hGraph,
                                             unsigned long long flags) {
  return Instantiate(phGraphExec, hGraph, flags);
}
CUresult CUDAAPI cuGraphInstantiateWithParams(CUgraphExec* phGraphExec, CUgraph hGraph,
                                              CUDA_GRAPH_INSTANTIATE_PARAMS* instantiateParams) {
  if (instantiateParams == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const CUresult result = Instantiate(phGraphExec, hGraph, instantiateParams->flags);
  instantiateParams->hErrNode_out = nullptr;
  instantiateParams->result_out =
      result == CUDA_SUCCESS ? CUDA_GRAPH_INSTANTIATE_SUCCESS : CUDA_GRAPH_INSTANTIATE_ERROR;
  return result;
}
CUresult CUDAAPI cuGraphInstantiate_v2(CUgraphExec* phGraphExec, CUgraph hGraph,
                                       CUgraphNode* phErrorNode, char* logBuffer,
                                       size_t bufferSize) {
  if (phErrorNode != nullptr) *phErrorNode = nullptr;
  if (logBuffer != nullptr && bufferSize > 0) *logBuffer = '\0';
  return Instantiate(phGraphExec, hGraph, 0);
}
CUresult CUDAAPI cuGraphInstantiate(CUgraphExec* phGraphExec, CUgraph hGraph,
                                    CUgraphNode* phErrorNode, char* logBuffer, size_t bufferSize) {
  return cuGraphInstantiate_v2(phGraphExec, hGraph, phErrorNode, logBuffer, bufferSize);
}

CUresult CUDAAPI cuGraphExecGetFlags(CUgraphExec hGraphExec, cuuint64_t* flags) {
  if (flags == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<ExecutableGraph> executable;
  WARPYARD_CU_TRY(FindExecutable(hGraphExec, &executable));
  *flags = executable->flags;
  return CUDA_SUCCESS;
}
CUresult CUDAAPI cuGraphExecGetId(CUgraphExec hGraphExec, unsigned int* graphId) {
  if (graphId == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<ExecutableGraph> executable;
  WARPYARD_CU_TRY(FindExecutable(hGraphExec, &executable));
  *graphId = static_cast<unsigned>(executable->id);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGraphExecDestroy(CUgraphExec hGraphExec) {
  WARPYARD_CU_TRY(d::Driver::Get().CheckInitialized());
  return Handles<ExecutableGraph>::Get().Remove(hGraphExec) == nullptr ? CUDA_ERROR_INVALID_VALUE
                                                                       : CUDA_SUCCESS;
}

CUresult CUDAAPI cuGraphUpload(CUgraphExec hGraph, CUstream hStream) {
  std::shared_ptr<ExecutableGraph> executable;
  WARPYARD_CU_TRY(FindExecutable(hGraph, &executable));
  std::shared_ptr<d::Stream> stream;
  return d::FindStream(hStream, &stream);
}

CUresult CUDAAPI cuGraphLaunch(CUgraphExec hGraph, CUstream hStream) {
  std::shared_ptr<ExecutableGraph> executable;
  WARPYARD_CU_TRY(FindExecutable(hGraph, &executable));
  std::shared_ptr<d::Stream> stream;
  WARPYARD_CU_TRY(d::FindStream(hStream, &stream));
  std::shared_ptr<const d::RunGraph> run;
  {
    const std::lock_guard<std::mutex> lock(executable->mutex);
    run = std::make_shared<d::RunGraph>(executable->steps, executable);
  }
  return d::Submit(*stream, std::move(run));
}

CUresult CUDAAPI cuGraphNodeSetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode,
                                       unsigned int isEnabled) {
  std::shared_ptr<ExecutableGraph> executable;
  WARPYARD_CU_TRY(FindExecutable(hGraphExec, &executable));
  const std::shared_ptr<GraphNode> node = Handles<GraphNode>::Get().Find(hNode);
  if (node == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const CUgraphNodeType type = node->type();
  if (type != CU_GRAPH_NODE_TYPE_KERNEL && type != CU_GRAPH_NODE_TYPE_MEMCPY &&
      type != CU_GRAPH_NODE_TYPE_MEMSET) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const std::lock_guard<std::mutex> lock(executable->mutex);
  Step* const step = executable->Find(node->id);
  if (step == nullptr) return CUDA_ERROR_INVALID_VALUE;
  step->enabled = isEnabled != 0;
  return CUDA_SUCCESS;
}
CUresult CUDAAPI cuGraphNodeGetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode,
                                       unsigned int* isEnabled) {
  if (isEnabled == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<ExecutableGraph> executable;
  WARPYARD_CU_TRY(FindExecutable(hGraphExec, &executable));
  const std::shared_ptr<GraphNode> node = Handles<GraphNode>::Get().Find(hNode);
  if (node == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const std::lock_guard<std::mutex> lock(executable->mutex);
  Step* const step = executable->Find(node->id);
  if (step == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *isEnabled = step->enabled ? 1 : 0;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGraphExecNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                          CUgraphNodeParams* nodeParams) {
  return nodeParams == nullptr ? CUDA_ERROR_INVALID_VALUE
                               : SetParams(hGraphExec, hNode, *nodeParams);
}
CUresult CUDAAPI cuGraphExecKernelNodeSetParams_v2(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                   const CUDA_KERNEL_NODE_PARAMS_v2* nodeParams) {
  if (nodeParams == nullptr) return CUDA_ERROR_INVALID_VALUE;
  CUgraphNodeParams params{};
  params.type = CU_GRAPH_NODE_TYPE_KERNEL;
  params.kernel.func = nodeParams->func;
  params.kernel.kern = nodeParams->kern;
  params.kernel.gridDimX = nodeParams->gridDimX;
  params.kernel.gridDimY = nodeParams->gridDimY;
  params.kernel.gridDimZ = nodeParams->gridDimZ;
  params.kernel.blockDimX = nodeParams->blockDimX;
  params.kernel.blockDimY = nodeParams->blockDimY;
  params.kernel.blockDimZ = nodeParams->blockDimZ;
  params.kernel.sharedMemBytes = nodeParams->sharedMemBytes;
  params.kernel.kernelParams = nodeParams->kernelParams;
  params.kernel.extra = nodeParams->extra;
  return SetParams(hGraphExec, hNode, params);
}
CUresult CUDAAPI cuGraphExecMemcpyNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                const CUDA_MEMCPY3D* copyParams, CUcontext ctx) {
  if (copyParams == nullptr) return CUDA_ERROR_INVALID_VALUE;
  CUgraphNodeParams params{};
  params.type = CU_GRAPH_NODE_TYPE_MEMCPY;
  params.memcpy.copyParams = *copyParams;
  params.memcpy.copyCtx = ctx;
  return SetParams(hGraphExec, hNode, params);
}
CUresult CUDAAPI cuGraphExecMemsetNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                const CUDA_MEMSET_NODE_PARAMS* memsetParams,
                                                CUcontext ctx) {
  if (memsetParams == nullptr) return CUDA_ERROR_INVALID_VALUE;
  CUgraphNodeParams params{};
  params.type = CU_GRAPH_NODE_TYPE_MEMSET;
  params.memset.dst = memsetParams->dst;
  params.memset.pitch = memsetParams->pitch;
  params.memset.value = memsetParams->value;
  params.memset.elementSize = memsetParams->elementSize;
  params.memset.width = memsetParams->width;
  params.memset.height = memsetParams->height;
  params.memset.ctx = ctx;
  return SetParams(hGraphExec, hNode, params);
}
CUresult CUDAAPI cuGraphExecHostNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                              const CUDA_HOST_NODE_PARAMS* nodeParams) {
  if (nodeParams == nullptr) return CUDA_ERROR_INVALID_VALUE;
  CUgraphNodeParams params{};
  params.type = CU_GRAPH_NODE_TYPE_HOST;
  params.host.fn = nodeParams->fn;
  params.host.userData = nodeParams->userData;
  return SetParams(hGraphExec, hNode, params);
}
CUresult CUDAAPI cuGraphExecChildGraphNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                    CUgraph childGraph) {
  CUgraphNodeParams params{};
  params.type = CU_GRAPH_NODE_TYPE_GRAPH;
  params.graph.graph = childGraph;
  return SetParams(hGraphExec, hNode, params);
}

CUresult CUDAAPI cuGraphExecUpdate_v2(CUgraphExec hGraphExec, CUgraph hGraph,
                                      CUgraphExecUpdateResultInfo* resultInfo) {
  if (resultInfo == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<ExecutableGraph> executable;
  WARPYARD_CU_TRY(FindExecutable(hGraphExec, &executable));
  const std::shared_ptr<Graph> graph = Handles<Graph>::Get().Find(hGraph);
  if (graph == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const std::lock_guard<std::mutex> graph_lock(d::GraphLock());
  const std::lock_guard<std::mutex> lock(executable->mutex);
  GraphNode* error_node;
  GraphNode* error_from;
  resultInfo->result = Compare(*executable->graph, *graph, &error_node, &error_from);
  resultInfo->errorNode = error_node == nullptr ? nullptr : error_node->handle();
  resultInfo->errorFromNode = error_from == nullptr ? nullptr : error_from->handle();
  if (resultInfo->result != CU_GRAPH_EXEC_UPDATE_SUCCESS) {
    return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
  }
  // Nodes keep the ids by which the client knows those of the first graph.
  for (size_t i = 0; i < graph->nodes.size(); ++i) {
    Step* const step = executable->Find(executable->graph->nodes[i]->id);
    step->operation = graph->nodes[i]->operation;
    executable->graph->nodes[i]->operation = graph->nodes[i]->operation;
  }
  return CUDA_SUCCESS;
}
CUresult CUDAAPI cuGraphExecUpdate(CUgraphExec hGraphExec, CUgraph hGraph,
                                   CUgraphNode* hErrorNode_out,
                                   CUgraphExecUpdateResult* updateResult_out) {
  CUgraphExecUpdateResultInfo info{};
  const CUresult result = cuGraphExecUpdate_v2(hGraphExec, hGraph, &info);
  if (hErrorNode_out != nullptr) *hErrorNode_out = info.errorNode;
  if (updateResult_out != nullptr) *updateResult_out = info.result;
  return result;
}
