// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/driver/graph.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "cc/emulator/driver/conditional.h"
#include "cc/emulator/driver/handles.h"

namespace warpyard::emulator::driver {
namespace {

uint64_t NextGraphId() {
  static std::atomic<uint64_t> next{1};
  return next.fetch_add(1);
}

void Erase(std::vector<GraphNode*>& from, const GraphNode* node) {
  from.erase(std::remove(from.begin(), from.end(), node), from.end());
}

}  // namespace

std::mutex& GraphLock() {
  static auto& lock = *new std::mutex;
  return lock;
}

std::shared_ptr<Graph> Graph::Make() {
  auto graph = std::make_shared<Graph>();
  graph->id = NextGraphId();
  Handles<Graph>::Get().Add<CUgraph>(graph);
  return graph;
}

Graph::~Graph() {
  for (const std::shared_ptr<GraphNode>& node : nodes) {
    Handles<GraphNode>::Get().Remove(node.get());
  }
}

GraphNode* Graph::AddNode(OperationPtr operation, const std::vector<GraphNode*>& dependencies) {
  auto node = std::make_shared<GraphNode>();
  node->graph = this;
  node->id = next_id++;
  node->operation = std::move(operation);
  for (GraphNode* const dependency : dependencies) {
    if (std::find(node->dependencies.begin(), node->dependencies.end(), dependency) !=
        node->dependencies.end()) {
      continue;
    }
    node->dependencies.push_back(dependency);
    dependency->dependents.push_back(node.get());
  }
  nodes.push_back(node);
  Handles<GraphNode>::Get().Add<CUgraphNode>(node);
  return node.get();
}

void Graph::DestroyNode(GraphNode* node) {
  Handles<GraphNode>::Get().Remove(node);
  for (GraphNode* const other : node->dependencies) Erase(other->dependents, node);
  for (GraphNode* const other : node->dependents) Erase(other->dependencies, node);
  nodes.erase(std::remove_if(nodes.begin(), nodes.end(),
                             [&](const auto& each) { return each.get() == node; }),
              nodes.end());
}

GraphNode* Graph::FindById(uint64_t wanted) const {
  for (const std::shared_ptr<GraphNode>& node : nodes) {
    if (node->id == wanted) return node.get();
  }
  return nullptr;
}

std::shared_ptr<Graph> Graph::Clone() const {
  auto clone = std::make_shared<Graph>();
  clone->id = NextGraphId();
  clone->next_id = next_id;
  absl::flat_hash_map<const GraphNode*, GraphNode*> copies;
  for (const std::shared_ptr<GraphNode>& node : nodes) {
    auto copy = std::make_shared<GraphNode>();
    copy->graph = clone.get();
    copy->id = node->id;
    copy->operation = CloneGraphsOf(node->operation);
    copy->enabled = node->enabled;
    copies[node.get()] = copy.get();
    Handles<GraphNode>::Get().Add<CUgraphNode>(copy);
    clone->nodes.push_back(std::move(copy));
  }
  for (const std::shared_ptr<GraphNode>& node : nodes) {
    GraphNode* const copy = copies[node.get()];
    for (GraphNode* const other : node->dependencies) copy->dependencies.push_back(copies[other]);
    for (GraphNode* const other : node->dependents) copy->dependents.push_back(copies[other]);
  }
  return clone;
}

bool Graph::Order(std::vector<GraphNode*>* ordered) const {
  absl::flat_hash_map<const GraphNode*, size_t> missing;
  for (const std::shared_ptr<GraphNode>& node : nodes) {
    missing[node.get()] = node->dependencies.size();
    if (node->dependencies.empty()) ordered->push_back(node.get());
  }
  for (size_t next = 0; next < ordered->size(); ++next) {
    for (GraphNode* const dependent : (*ordered)[next]->dependents) {
      if (--missing[dependent] == 0) ordered->push_back(dependent);
    }
  }
  if (ordered->size() == nodes.size()) return true;
  ordered->clear();
  return false;
}

ExecutableGraph::Step* ExecutableGraph::Find(uint64_t wanted) {
  for (Step& step : steps) {
    if (step.id == wanted) return &step;
  }
  return nullptr;
}

CUresult BuildSteps(const Graph& graph, std::vector<ExecutableGraph::Step>* steps) {
  std::vector<GraphNode*> ordered;
  if (!graph.Order(&ordered)) return CUDA_ERROR_INVALID_VALUE;
  for (const GraphNode* const node : ordered) {
    steps->push_back({node->id, node->operation, node->enabled});
  }
  return CUDA_SUCCESS;
}

CUresult RunGraph::Execute(Context& context) const {
  for (const ExecutableGraph::Step& step : steps_) {
    if (step.operation == nullptr || !step.enabled) continue;
    WARPYARD_CU_TRY(step.operation->Execute(context));
  }
  return CUDA_SUCCESS;
}

CUresult ChildGraph::Execute(Context& context) const {
  std::vector<ExecutableGraph::Step> steps;
  {
    const std::lock_guard<std::mutex> lock(GraphLock());
    WARPYARD_CU_TRY(BuildSteps(*graph, &steps));
  }
  return RunGraph(std::move(steps)).Execute(context);
}

}  // namespace warpyard::emulator::driver
