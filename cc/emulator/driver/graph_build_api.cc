// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Graphs: making them node by node, and looking at them.

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <memory>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "cc/emulator/driver/api.h"
#include "cc/emulator/driver/capture.h"
#include "cc/emulator/driver/conditional.h"
#include "cc/emulator/driver/graph.h"
#include "cc/emulator/driver/graph_nodes.h"
#include "cc/emulator/driver/handles.h"
#include "cc/emulator/driver/launch_operation.h"

namespace d = ::warpyard::emulator::driver;
using d::Graph;
using d::GraphNode;
using d::Handles;
using NodePtr = std::shared_ptr<GraphNode>;

namespace {

CUresult FindGraph(CUgraph handle, std::shared_ptr<Graph>* graph) {
  WARPYARD_CU_TRY(d::Driver::Get().CheckInitialized());
  *graph = Handles<Graph>::Get().Find(handle);
  return *graph == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult FindNode(CUgraphNode handle, NodePtr* node) {
  WARPYARD_CU_TRY(d::Driver::Get().CheckInitialized());
  *node = Handles<GraphNode>::Get().Find(handle);
  return *node == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult AddNode(CUgraphNode* out, CUgraph handle, const CUgraphNode* dependencies, size_t count,
                 CUgraphNodeParams& params) {
  if (out == nullptr || (dependencies == nullptr && count > 0)) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<Graph> graph;
  WARPYARD_CU_TRY(FindGraph(handle, &graph));
  std::vector<GraphNode*> before;
  for (size_t i = 0; i < count; ++i) {
    NodePtr node;
    WARPYARD_CU_TRY(FindNode(dependencies[i], &node));
    if (node->graph != graph.get() ||
        std::find(before.begin(), before.end(), node.get()) != before.end()) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    before.push_back(node.get());
  }
  d::OperationPtr operation;
  WARPYARD_CU_TRY(d::MakeNode(params, &operation));
  const std::lock_guard<std::mutex> lock(d::GraphLock());
  *out = graph->AddNode(std::move(operation), before)->handle();
  return CUDA_SUCCESS;
}

CUresult GetParams(CUgraphNode handle, CUgraphNodeType type, CUgraphNodeParams* params) {
  NodePtr node;
  WARPYARD_CU_TRY(FindNode(handle, &node));
  const std::lock_guard<std::mutex> lock(d::GraphLock());
  return d::NodeParams(node->operation, type, params);
}

CUresult SetParams(CUgraphNode handle, CUgraphNodeParams& params) {
  NodePtr node;
  WARPYARD_CU_TRY(FindNode(handle, &node));
  if (node->type() != params.type) return CUDA_ERROR_INVALID_VALUE;
  d::OperationPtr operation;
  WARPYARD_CU_TRY(d::MakeNode(params, &operation));
  const std::lock_guard<std::mutex> lock(d::GraphLock());
  node->operation = std::move(operation);
  return CUDA_SUCCESS;
}

CUgraphNodeParams OfType(CUgraphNodeType type) {
  CUgraphNodeParams params{};
  params.type = type;
  return params;
}

// Fills the client's array as far as it goes. `count` is its size and becomes
// the number that there are where there is no array.
CUresult GiveNodes(const std::vector<GraphNode*>& nodes, CUgraphNode* out, size_t* count) {
  if (count == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (out == nullptr) {
    *count = nodes.size();
    return CUDA_SUCCESS;
  }
  for (size_t i = 0; i < *count; ++i) out[i] = i < nodes.size() ? nodes[i]->handle() : nullptr;
  *count = std::min(*count, nodes.size());
  return CUDA_SUCCESS;
}

CUresult ChangeEdges(CUgraph handle, const CUgraphNode* from, const CUgraphNode* to, size_t count,
                     bool add) {
  if (count > 0 && (from == nullptr || to == nullptr)) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<Graph> graph;
  WARPYARD_CU_TRY(FindGraph(handle, &graph));
  const std::lock_guard<std::mutex> lock(d::GraphLock());
  for (size_t i = 0; i < count; ++i) {
    NodePtr first;
    NodePtr second;
    WARPYARD_CU_TRY(FindNode(from[i], &first));
    WARPYARD_CU_TRY(FindNode(to[i], &second));
    if (first->graph != graph.get() || second->graph != graph.get() || first == second) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    std::vector<GraphNode*>& before = second->dependencies;
    std::vector<GraphNode*>& after = first->dependents;
    const auto edge = std::find(before.begin(), before.end(), first.get());
    if (add == (edge != before.end())) return CUDA_ERROR_INVALID_VALUE;
    if (add) {
      before.push_back(first.get());
      after.push_back(second.get());
    } else {
      before.erase(edge);
      after.erase(std::find(after.begin(), after.end(), second.get()));
    }
  }
  return CUDA_SUCCESS;
}

template <typename Old, typename New>
void CopyKernelParams(const Old& from, New& to) {
  to.func = from.func;
  to.gridDimX = from.gridDimX;
  to.gridDimY = from.gridDimY;
  to.gridDimZ = from.gridDimZ;
  to.blockDimX = from.blockDimX;
  to.blockDimY = from.blockDimY;
  to.blockDimZ = from.blockDimZ;
  to.sharedMemBytes = from.sharedMemBytes;
  to.kernelParams = from.kernelParams;
  to.extra = from.extra;
}

CUgraphNodeParams OfKernel(const CUDA_KERNEL_NODE_PARAMS_v2& params) {
  CUgraphNodeParams node = OfType(CU_GRAPH_NODE_TYPE_KERNEL);
  CopyKernelParams(params, node.kernel);
  node.kernel.kern = params.kern;
  node.kernel.ctx = params.ctx;
  return node;
}

CUgraphNodeParams OfSet(const CUDA_MEMSET_NODE_PARAMS_v1& params, CUcontext context) {
  CUgraphNodeParams node = OfType(CU_GRAPH_NODE_TYPE_MEMSET);
  node.memset.dst = params.dst;
  node.memset.pitch = params.pitch;
  node.memset.value = params.value;
  node.memset.elementSize = params.elementSize;
  node.memset.width = params.width;
  node.memset.height = params.height;
  node.memset.ctx = context;
  return node;
}

CUgraphNodeParams OfHost(const CUDA_HOST_NODE_PARAMS_v1& params) {
  CUgraphNodeParams node = OfType(CU_GRAPH_NODE_TYPE_HOST);
  node.host.fn = params.fn;
  node.host.userData = params.userData;
  return node;
}

CUgraphNodeParams OfCopy(const CUDA_MEMCPY3D& params, CUcontext context) {
  CUgraphNodeParams node = OfType(CU_GRAPH_NODE_TYPE_MEMCPY);
  node.memcpy.copyParams = params;
  node.memcpy.copyCtx = context;
  return node;
}

}  // namespace

CUresult CUDAAPI cuGraphCreate(CUgraph* phGraph, unsigned int flags) {
  if (phGraph == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  WARPYARD_CU_TRY(d::Driver::Get().CheckInitialized());
  *phGraph = Graph::Make()->handle();
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGraphDestroy(CUgraph hGraph) {
  std::shared_ptr<Graph> graph;
  WARPYARD_CU_TRY(FindGraph(hGraph, &graph));
  if (graph->is_child) return CUDA_ERROR_INVALID_VALUE;
  Handles<Graph>::Get().Remove(hGraph);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGraphAddNode_v2(CUgraphNode* phGraphNode, CUgraph hGraph,
                                   const CUgraphNode* dependencies,
                                   const CUgraphEdgeData* dependencyData, size_t numDependencies,
                                   CUgraphNodeParams* nodeParams) {
  if (nodeParams == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return AddNode(phGraphNode, hGraph, dependencies, numDependencies, *nodeParams);
}
CUresult CUDAAPI cuGraphAddNode_v3(CUgraphNode* phGraphNode, CUgraph hGraph,
                                   const CUgraphNode* dependencies,
                                   const CUgraphEdgeData* dependencyData, size_t numDependencies,
                                   CUgraphNodeParams* nodeParams) {
  return cuGraphAddNode_v2(phGraphNode, hGraph, dependencies, dependencyData, numDependencies,
                           nodeParams);
}
CUresult CUDAAPI cuGraphAddNode(CUgraphNode* phGraphNode, CUgraph hGraph,
                                const CUgraphNode* dependencies, size_t numDependencies,
                                CUgraphNodeParams* nodeParams) {
  return cuGraphAddNode_v2(phGraphNode, hGraph, dependencies, nullptr, numDependencies, nodeParams);
}

CUresult CUDAAPI cuGraphAddKernelNode_v2(CUgraphNode* phGraphNode, CUgraph hGraph,
                                         const CUgraphNode* dependencies, size_t numDependencies,
                                         const CUDA_KERNEL_NODE_PARAMS_v2* nodeParams) {
  if (nodeParams == nullptr) return CUDA_ERROR_INVALID_VALUE;
  CUgraphNodeParams params = OfKernel(*nodeParams);
  return AddNode(phGraphNode, hGraph, dependencies, numDependencies, params);
}
CUresult CUDAAPI cuGraphAddKernelNode(CUgraphNode* phGraphNode, CUgraph hGraph,
                                      const CUgraphNode* dependencies, size_t numDependencies,
                                      const CUDA_KERNEL_NODE_PARAMS_v1* nodeParams) {
  if (nodeParams == nullptr) return CUDA_ERROR_INVALID_VALUE;
  CUgraphNodeParams params = OfType(CU_GRAPH_NODE_TYPE_KERNEL);
  CopyKernelParams(*nodeParams, params.kernel);
  return AddNode(phGraphNode, hGraph, dependencies, numDependencies, params);
}

CUresult CUDAAPI cuGraphKernelNodeGetParams_v2(CUgraphNode hNode,
                                               CUDA_KERNEL_NODE_PARAMS_v2* nodeParams) {
  if (nodeParams == nullptr) return CUDA_ERROR_INVALID_VALUE;
  CUgraphNodeParams params;
  WARPYARD_CU_TRY(GetParams(hNode, CU_GRAPH_NODE_TYPE_KERNEL, &params));
  CopyKernelParams(params.kernel, *nodeParams);
  nodeParams->kern = params.kernel.kern;
  nodeParams->ctx = params.kernel.ctx;
  return CUDA_SUCCESS;
}
CUresult CUDAAPI cuGraphKernelNodeSetParams_v2(CUgraphNode hNode,
                                               const CUDA_KERNEL_NODE_PARAMS_v2* nodeParams) {
  if (nodeParams == nullptr) return CUDA_ERROR_INVALID_VALUE;
  CUgraphNodeParams params = OfKernel(*nodeParams);
  return SetParams(hNode, params);
}

CUresult CUDAAPI cuGraphAddMemcpyNode(CUgraphNode* phGraphNode, CUgraph hGraph,
                                      const CUgraphNode* dependencies, size_t numDependencies,
                                      const CUDA_MEMCPY3D* copyParams, CUcontext ctx) {
  if (copyParams == nullptr) return CUDA_ERROR_INVALID_VALUE;
  CUgraphNodeParams params = OfCopy(*copyParams, ctx);
  return AddNode(phGraphNode, hGraph, dependencies, numDependencies, params);
}
CUresult CUDAAPI cuGraphMemcpyNodeGetParams(CUgraphNode hNode, CUDA_MEMCPY3D* nodeParams) {
  if (nodeParams == nullptr) return CUDA_ERROR_INVALID_VALUE;
  CUgraphNodeParams params;
  WARPYARD_CU_TRY(GetParams(hNode, CU_GRAPH_NODE_TYPE_MEMCPY, &params));
  *nodeParams = params.memcpy.copyParams;
  return CUDA_SUCCESS;
}
CUresult CUDAAPI cuGraphMemcpyNodeSetParams(CUgraphNode hNode, const CUDA_MEMCPY3D* nodeParams) {
  if (nodeParams == nullptr) return CUDA_ERROR_INVALID_VALUE;
  CUgraphNodeParams params = OfCopy(*nodeParams, nullptr);
  return SetParams(hNode, params);
}

CUresult CUDAAPI cuGraphAddMemsetNode(CUgraphNode* phGraphNode, CUgraph hGraph,
                                      const CUgraphNode* dependencies, size_t numDependencies,
                                      const CUDA_MEMSET_NODE_PARAMS* memsetParams, CUcontext ctx) {
  if (memsetParams == nullptr) return CUDA_ERROR_INVALID_VALUE;
  CUgraphNodeParams params = OfSet(*memsetParams, ctx);
  return AddNode(phGraphNode, hGraph, dependencies, numDependencies, params);
}
CUresult CUDAAPI cuGraphMemsetNodeGetParams(CUgraphNode hNode,
                                            CUDA_MEMSET_NODE_PARAMS* nodeParams) {
  if (nodeParams == nullptr) return CUDA_ERROR_INVALID_VALUE;
  CUgraphNodeParams params;
  WARPYARD_CU_TRY(GetParams(hNode, CU_GRAPH_NODE_TYPE_MEMSET, &params));
  *nodeParams = {params.memset.dst,         params.memset.pitch, params.memset.value,
                 params.memset.elementSize, params.memset.width, params.memset.height};
  return CUDA_SUCCESS;
}
CUresult CUDAAPI cuGraphMemsetNodeSetParams(CUgraphNode hNode,
                                            const CUDA_MEMSET_NODE_PARAMS* nodeParams) {
  if (nodeParams == nullptr) return CUDA_ERROR_INVALID_VALUE;
  CUgraphNodeParams params = OfSet(*nodeParams, nullptr);
  return SetParams(hNode, params);
}

CUresult CUDAAPI cuGraphAddHostNode(CUgraphNode* phGraphNode, CUgraph hGraph,
                                    const CUgraphNode* dependencies, size_t numDependencies,
                                    const CUDA_HOST_NODE_PARAMS* nodeParams) {
  if (nodeParams == nullptr) return CUDA_ERROR_INVALID_VALUE;
  CUgraphNodeParams params = OfHost(*nodeParams);
  return AddNode(phGraphNode, hGraph, dependencies, numDependencies, params);
}
CUresult CUDAAPI cuGraphHostNodeGetParams(CUgraphNode hNode, CUDA_HOST_NODE_PARAMS* nodeParams) {
  if (nodeParams == nullptr) return CUDA_ERROR_INVALID_VALUE;
  CUgraphNodeParams params;
  WARPYARD_CU_TRY(GetParams(hNode, CU_GRAPH_NODE_TYPE_HOST, &params));
  *nodeParams = {params.host.fn, params.host.userData};
  return CUDA_SUCCESS;
}
CUresult CUDAAPI cuGraphHostNodeSetParams(CUgraphNode hNode,
                                          const CUDA_HOST_NODE_PARAMS* nodeParams) {
  if (nodeParams == nullptr) return CUDA_ERROR_INVALID_VALUE;
  CUgraphNodeParams params = OfHost(*nodeParams);
  return SetParams(hNode, params);
}

CUresult CUDAAPI cuGraphAddChildGraphNode(CUgraphNode* phGraphNode, CUgraph hGraph,
                                          const CUgraphNode* dependencies, size_t numDependencies,
                                          CUgraph childGraph) {
  CUgraphNodeParams params = OfType(CU_GRAPH_NODE_TYPE_GRAPH);
  params.graph.graph = childGraph;
  return AddNode(phGraphNode, hGraph, dependencies, numDependencies, params);
}
CUresult CUDAAPI cuGraphChildGraphNodeGetGraph(CUgraphNode hNode, CUgraph* phGraph) {
  if (phGraph == nullptr) return CUDA_ERROR_INVALID_VALUE;
  CUgraphNodeParams params;
  WARPYARD_CU_TRY(GetParams(hNode, CU_GRAPH_NODE_TYPE_GRAPH, &params));
  *phGraph = params.graph.graph;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGraphAddEmptyNode(CUgraphNode* phGraphNode, CUgraph hGraph,
                                     const CUgraphNode* dependencies, size_t numDependencies) {
  CUgraphNodeParams params = OfType(CU_GRAPH_NODE_TYPE_EMPTY);
  return AddNode(phGraphNode, hGraph, dependencies, numDependencies, params);
}

CUresult CUDAAPI cuGraphAddEventRecordNode(CUgraphNode* phGraphNode, CUgraph hGraph,
                                           const CUgraphNode* dependencies, size_t numDependencies,
                                           CUevent event) {
  CUgraphNodeParams params = OfType(CU_GRAPH_NODE_TYPE_EVENT_RECORD);
  params.eventRecord.event = event;
  return AddNode(phGraphNode, hGraph, dependencies, numDependencies, params);
}
CUresult CUDAAPI cuGraphAddEventWaitNode(CUgraphNode* phGraphNode, CUgraph hGraph,
                                         const CUgraphNode* dependencies, size_t numDependencies,
                                         CUevent event) {
  CUgraphNodeParams params = OfType(CU_GRAPH_NODE_TYPE_WAIT_EVENT);
  params.eventWait.event = event;
  return AddNode(phGraphNode, hGraph, dependencies, numDependencies, params);
}
CUresult CUDAAPI cuGraphEventRecordNodeGetEvent(CUgraphNode hNode, CUevent* event_out) {
  if (event_out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  CUgraphNodeParams params;
  WARPYARD_CU_TRY(GetParams(hNode, CU_GRAPH_NODE_TYPE_EVENT_RECORD, &params));
  *event_out = params.eventRecord.event;
  return CUDA_SUCCESS;
}
CUresult CUDAAPI cuGraphEventWaitNodeGetEvent(CUgraphNode hNode, CUevent* event_out) {
  if (event_out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  CUgraphNodeParams params;
  WARPYARD_CU_TRY(GetParams(hNode, CU_GRAPH_NODE_TYPE_WAIT_EVENT, &params));
  *event_out = params.eventRecord.event;
  return CUDA_SUCCESS;
}
CUresult CUDAAPI cuGraphEventRecordNodeSetEvent(CUgraphNode hNode, CUevent event) {
  CUgraphNodeParams params = OfType(CU_GRAPH_NODE_TYPE_EVENT_RECORD);
  params.eventRecord.event = event;
  return SetParams(hNode, params);
}
CUresult CUDAAPI cuGraphEventWaitNodeSetEvent(CUgraphNode hNode, CUevent event) {
  CUgraphNodeParams params = OfType(CU_GRAPH_NODE_TYPE_WAIT_EVENT);
  params.eventWait.event = event;
  return SetParams(hNode, params);
}

CUresult CUDAAPI cuGraphAddMemAllocNode(CUgraphNode* phGraphNode, CUgraph hGraph,
                                        const CUgraphNode* dependencies, size_t numDependencies,
                                        CUDA_MEM_ALLOC_NODE_PARAMS* nodeParams) {
  if (nodeParams == nullptr) return CUDA_ERROR_INVALID_VALUE;
  CUgraphNodeParams params = OfType(CU_GRAPH_NODE_TYPE_MEM_ALLOC);
  params.alloc.poolProps = nodeParams->poolProps;
  params.alloc.bytesize = nodeParams->bytesize;
  WARPYARD_CU_TRY(AddNode(phGraphNode, hGraph, dependencies, numDependencies, params));
  nodeParams->dptr = params.alloc.dptr;
  return CUDA_SUCCESS;
}
CUresult CUDAAPI cuGraphMemAllocNodeGetParams(CUgraphNode hNode,
                                              CUDA_MEM_ALLOC_NODE_PARAMS* params_out) {
  if (params_out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  CUgraphNodeParams params;
  WARPYARD_CU_TRY(GetParams(hNode, CU_GRAPH_NODE_TYPE_MEM_ALLOC, &params));
  *params_out = {};
  params_out->poolProps = params.alloc.poolProps;
  params_out->bytesize = params.alloc.bytesize;
  params_out->dptr = params.alloc.dptr;
  return CUDA_SUCCESS;
}
CUresult CUDAAPI cuGraphAddMemFreeNode(CUgraphNode* phGraphNode, CUgraph hGraph,
                                       const CUgraphNode* dependencies, size_t numDependencies,
                                       CUdeviceptr dptr) {
  CUgraphNodeParams params = OfType(CU_GRAPH_NODE_TYPE_MEM_FREE);
  params.free.dptr = dptr;
  return AddNode(phGraphNode, hGraph, dependencies, numDependencies, params);
}
CUresult CUDAAPI cuGraphMemFreeNodeGetParams(CUgraphNode hNode, CUdeviceptr* dptr_out) {
  if (dptr_out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  CUgraphNodeParams params;
  WARPYARD_CU_TRY(GetParams(hNode, CU_GRAPH_NODE_TYPE_MEM_FREE, &params));
  *dptr_out = params.free.dptr;
  return CUDA_SUCCESS;
}
CUresult CUDAAPI cuGraphAddBatchMemOpNode(CUgraphNode* phGraphNode, CUgraph hGraph,
                                          const CUgraphNode* dependencies, size_t numDependencies,
                                          const CUDA_BATCH_MEM_OP_NODE_PARAMS* nodeParams) {
  if (nodeParams == nullptr) return CUDA_ERROR_INVALID_VALUE;
  CUgraphNodeParams params = OfType(CU_GRAPH_NODE_TYPE_BATCH_MEM_OP);
  params.memOp.ctx = nodeParams->ctx;
  params.memOp.count = nodeParams->count;
  params.memOp.paramArray = nodeParams->paramArray;
  params.memOp.flags = nodeParams->flags;
  return AddNode(phGraphNode, hGraph, dependencies, numDependencies, params);
}

CUresult CUDAAPI cuGraphNodeSetParams_v2(CUgraphNode hNode, CUgraphNodeParams* nodeParams) {
  return nodeParams == nullptr ? CUDA_ERROR_INVALID_VALUE : SetParams(hNode, *nodeParams);
}
CUresult CUDAAPI cuGraphNodeSetParams(CUgraphNode hNode, CUgraphNodeParams* nodeParams) {
  return cuGraphNodeSetParams_v2(hNode, nodeParams);
}
CUresult CUDAAPI cuGraphNodeGetParams(CUgraphNode hNode, CUgraphNodeParams* nodeParams) {
  if (nodeParams == nullptr) return CUDA_ERROR_INVALID_VALUE;
  CUgraphNodeType type;
  WARPYARD_CU_TRY(cuGraphNodeGetType(hNode, &type));
  return GetParams(hNode, type, nodeParams);
}

CUresult CUDAAPI cuGraphNodeGetType(CUgraphNode hNode, CUgraphNodeType* type) {
  if (type == nullptr) return CUDA_ERROR_INVALID_VALUE;
  NodePtr node;
  WARPYARD_CU_TRY(FindNode(hNode, &node));
  *type = node->type();
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGraphNodeGetContainingGraph(CUgraphNode hNode, CUgraph* phGraph) {
  if (phGraph == nullptr) return CUDA_ERROR_INVALID_VALUE;
  NodePtr node;
  WARPYARD_CU_TRY(FindNode(hNode, &node));
  *phGraph = node->graph->handle();
  return CUDA_SUCCESS;
}
CUresult CUDAAPI cuGraphNodeGetLocalId(CUgraphNode hNode, unsigned int* nodeId) {
  if (nodeId == nullptr) return CUDA_ERROR_INVALID_VALUE;
  NodePtr node;
  WARPYARD_CU_TRY(FindNode(hNode, &node));
  *nodeId = static_cast<unsigned>(node->id);
  return CUDA_SUCCESS;
}
CUresult CUDAAPI cuGraphGetId(CUgraph hGraph, unsigned int* graphId) {
  if (graphId == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<Graph> graph;
  WARPYARD_CU_TRY(FindGraph(hGraph, &graph));
  *graphId = static_cast<unsigned>(graph->id);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGraphClone(CUgraph* phGraphClone, CUgraph originalGraph) {
  if (phGraphClone == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<Graph> graph;
  WARPYARD_CU_TRY(FindGraph(originalGraph, &graph));
  const std::lock_guard<std::mutex> lock(d::GraphLock());
  *phGraphClone = Handles<Graph>::Get().Add<CUgraph>(graph->Clone());
  return CUDA_SUCCESS;
}
CUresult CUDAAPI cuGraphNodeFindInClone(CUgraphNode* phNode, CUgraphNode hOriginalNode,
                                        CUgraph hClonedGraph) {
  if (phNode == nullptr) return CUDA_ERROR_INVALID_VALUE;
  NodePtr node;
  WARPYARD_CU_TRY(FindNode(hOriginalNode, &node));
  std::shared_ptr<Graph> clone;
  WARPYARD_CU_TRY(FindGraph(hClonedGraph, &clone));
  GraphNode* const found = clone->FindById(node->id);
  if (found == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *phNode = found->handle();
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGraphGetNodes(CUgraph hGraph, CUgraphNode* nodes, size_t* numNodes) {
  std::shared_ptr<Graph> graph;
  WARPYARD_CU_TRY(FindGraph(hGraph, &graph));
  const std::lock_guard<std::mutex> lock(d::GraphLock());
  std::vector<GraphNode*> all;
  for (const NodePtr& node : graph->nodes) all.push_back(node.get());
  return GiveNodes(all, nodes, numNodes);
}
CUresult CUDAAPI cuGraphGetRootNodes(CUgraph hGraph, CUgraphNode* rootNodes, size_t* numRootNodes) {
  std::shared_ptr<Graph> graph;
  WARPYARD_CU_TRY(FindGraph(hGraph, &graph));
  const std::lock_guard<std::mutex> lock(d::GraphLock());
  std::vector<GraphNode*> roots;
  for (const NodePtr& node : graph->nodes) {
    if (node->dependencies.empty()) roots.push_back(node.get());
  }
  return GiveNodes(roots, rootNodes, numRootNodes);
}

CUresult CUDAAPI cuGraphGetEdges_v2(CUgraph hGraph, CUgraphNode* from, CUgraphNode* to,
                                    CUgraphEdgeData* edgeData, size_t* numEdges) {
  if (numEdges == nullptr || (from == nullptr) != (to == nullptr)) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<Graph> graph;
  WARPYARD_CU_TRY(FindGraph(hGraph, &graph));
  const std::lock_guard<std::mutex> lock(d::GraphLock());
  std::vector<GraphNode*> begins;
  std::vector<GraphNode*> ends;
  for (const NodePtr& node : graph->nodes) {
    for (GraphNode* const before : node->dependencies) {
      begins.push_back(before);
      ends.push_back(node.get());
    }
  }
  size_t count = *numEdges;
  if (from != nullptr && edgeData != nullptr) {
    std::fill_n(edgeData, std::min(count, begins.size()), CUgraphEdgeData{});
  }
  WARPYARD_CU_TRY(GiveNodes(begins, from, numEdges));
  return GiveNodes(ends, to, &count);
}
CUresult CUDAAPI cuGraphGetEdges(CUgraph hGraph, CUgraphNode* from, CUgraphNode* to,
                                 size_t* numEdges) {
  return cuGraphGetEdges_v2(hGraph, from, to, nullptr, numEdges);
}

CUresult CUDAAPI cuGraphNodeGetDependencies_v2(CUgraphNode hNode, CUgraphNode* dependencies,
                                               CUgraphEdgeData* edgeData, size_t* numDependencies) {
  NodePtr node;
  WARPYARD_CU_TRY(FindNode(hNode, &node));
  const std::lock_guard<std::mutex> lock(d::GraphLock());
  if (edgeData != nullptr && dependencies != nullptr && numDependencies != nullptr) {
    std::fill_n(edgeData, std::min(*numDependencies, node->dependencies.size()), CUgraphEdgeData{});
  }
  return GiveNodes(node->dependencies, dependencies, numDependencies);
}
CUresult CUDAAPI cuGraphNodeGetDependencies(CUgraphNode hNode, CUgraphNode* dependencies,
                                            size_t* numDependencies) {
  return cuGraphNodeGetDependencies_v2(hNode, dependencies, nullptr, numDependencies);
}
CUresult CUDAAPI cuGraphNodeGetDependentNodes_v2(CUgraphNode hNode, CUgraphNode* dependentNodes,
                                                 CUgraphEdgeData* edgeData,
                                                 size_t* numDependentNodes) {
  NodePtr node;
  WARPYARD_CU_TRY(FindNode(hNode, &node));
  const std::lock_guard<std::mutex> lock(d::GraphLock());
  if (edgeData != nullptr && dependentNodes != nullptr && numDependentNodes != nullptr) {
    std::fill_n(edgeData, std::min(*numDependentNodes, node->dependents.size()), CUgraphEdgeData{});
  }
  return GiveNodes(node->dependents, dependentNodes, numDependentNodes);
}
CUresult CUDAAPI cuGraphNodeGetDependentNodes(CUgraphNode hNode, CUgraphNode* dependentNodes,
                                              size_t* numDependentNodes) {
  return cuGraphNodeGetDependentNodes_v2(hNode, dependentNodes, nullptr, numDependentNodes);
}

CUresult CUDAAPI cuGraphAddDependencies_v2(CUgraph hGraph, const CUgraphNode* from,
                                           const CUgraphNode* to, const CUgraphEdgeData* edgeData,
                                           size_t numDependencies) {
  return ChangeEdges(hGraph, from, to, numDependencies, /*add=*/true);
}
CUresult CUDAAPI cuGraphAddDependencies(CUgraph hGraph, const CUgraphNode* from,
                                        const CUgraphNode* to, size_t numDependencies) {
  return ChangeEdges(hGraph, from, to, numDependencies, /*add=*/true);
}
CUresult CUDAAPI cuGraphRemoveDependencies_v2(CUgraph hGraph, const CUgraphNode* from,
                                              const CUgraphNode* to,
                                              const CUgraphEdgeData* edgeData,
                                              size_t numDependencies) {
  return ChangeEdges(hGraph, from, to, numDependencies, /*add=*/false);
}
CUresult CUDAAPI cuGraphRemoveDependencies(CUgraph hGraph, const CUgraphNode* from,
                                           const CUgraphNode* to, size_t numDependencies) {
  return ChangeEdges(hGraph, from, to, numDependencies, /*add=*/false);
}

CUresult CUDAAPI cuGraphDestroyNode(CUgraphNode hNode) {
  NodePtr node;
  WARPYARD_CU_TRY(FindNode(hNode, &node));
  const std::lock_guard<std::mutex> lock(d::GraphLock());
  node->graph->DestroyNode(node.get());
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGraphConditionalHandleCreate(CUgraphConditionalHandle* pHandle_out,
                                                CUgraph hGraph, CUcontext ctx,
                                                unsigned int defaultLaunchValue,
                                                unsigned int flags) {
  if (pHandle_out == nullptr || flags > CU_GRAPH_COND_ASSIGN_DEFAULT) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  std::shared_ptr<Graph> graph;
  WARPYARD_CU_TRY(FindGraph(hGraph, &graph));
  auto value = std::make_shared<d::ConditionalValue>();
  value->initial = defaultLaunchValue;
  value->assign_at_launch = flags == CU_GRAPH_COND_ASSIGN_DEFAULT;
  value->graph = graph.get();
  *pHandle_out = d::AddConditional(std::move(value));
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGraphKernelNodeGetAttribute(CUgraphNode hNode, CUkernelNodeAttrID attr,
                                               CUkernelNodeAttrValue* value_out) {
  if (value_out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  NodePtr node;
  WARPYARD_CU_TRY(FindNode(hNode, &node));
  if (node->type() != CU_GRAPH_NODE_TYPE_KERNEL) return CUDA_ERROR_INVALID_VALUE;
  const d::LaunchOptions& options = static_cast<const d::Launch*>(node->operation.get())->options();
  *value_out = {};
  if (attr == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) {
    value_out->cooperative = options.cooperative ? 1 : 0;
  } else if (attr == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION && options.has_cluster) {
    value_out->clusterDim = {options.cluster.x, options.cluster.y, options.cluster.z};
  }
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGraphDebugDotPrint(CUgraph hGraph, const char* path, unsigned int flags) {
  if (path == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<Graph> graph;
  WARPYARD_CU_TRY(FindGraph(hGraph, &graph));
  constexpr const char* kTypes[] = {
      "kernel",       "memcpy", "memset", "host",      "graph",    "empty",        "event wait",
      "event record", "signal", "wait",   "mem alloc", "mem free", "batch mem op", "conditional"};
  std::ofstream file(path);
  const std::lock_guard<std::mutex> lock(d::GraphLock());
  file << "digraph graph_" << graph->id << " {\n";
  for (const NodePtr& node : graph->nodes) {
    const char* const name = node->type() < std::size(kTypes) ? kTypes[node->type()] : "node";
    file << "  n" << node->id << " [label=\"" << node->id << ": " << name;
    if (node->type() == CU_GRAPH_NODE_TYPE_KERNEL) {
      file << ' ' << static_cast<const d::Launch*>(node->operation.get())->function()->name;
    }
    file << "\"];\n";
    for (const GraphNode* const before : node->dependencies) {
      file << "  n" << before->id << " -> n" << node->id << ";\n";
    }
  }
  file << "}\n";
  return file.good() ? CUDA_SUCCESS : CUDA_ERROR_OPERATING_SYSTEM;
}
