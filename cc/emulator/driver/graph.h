// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Graphs of work: nodes with operations, and what must come before what.

#ifndef WARPYARD_CC_EMULATOR_DRIVER_GRAPH_H_
#define WARPYARD_CC_EMULATOR_DRIVER_GRAPH_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "cc/emulator/driver/api.h"
#include "cc/emulator/driver/context.h"
#include "cc/emulator/driver/operation.h"

namespace warpyard::emulator::driver {

struct Graph;

// Lives as long as its graph, unless it is destroyed before.
struct GraphNode : std::enable_shared_from_this<GraphNode> {
  Graph* graph = nullptr;
  uint64_t id = 0;         // rises within a graph; a clone keeps it
  OperationPtr operation;  // null: an empty node
  bool enabled = true;
  std::vector<GraphNode*> dependencies;  // in the order in which they were added
  std::vector<GraphNode*> dependents;

  CUgraphNodeType type() const {
    return operation == nullptr ? CU_GRAPH_NODE_TYPE_EMPTY : operation->type();
  }
  CUgraphNode handle() { return reinterpret_cast<CUgraphNode>(this); }
};

struct Graph : std::enable_shared_from_this<Graph> {
  ~Graph();

  // In the order in which they were made.
  std::vector<std::shared_ptr<GraphNode>> nodes;
  uint64_t next_id = 1;
  uint64_t id = 0;
  bool is_child = false;  // owned by a node of another graph

  CUgraph handle() { return reinterpret_cast<CUgraph>(this); }

  GraphNode* AddNode(OperationPtr operation, const std::vector<GraphNode*>& dependencies);
  void DestroyNode(GraphNode* node);
  GraphNode* FindById(uint64_t id) const;

  // A copy with its own nodes, under the same ids.
  std::shared_ptr<Graph> Clone() const;
  // The nodes so that each comes after what it depends on; empty and false where
  // there is a cycle.
  bool Order(std::vector<GraphNode*>* ordered) const;

  // A new graph with a handle.
  static std::shared_ptr<Graph> Make();
};

// One lock for all graphs: building them is not where time goes.
std::mutex& GraphLock();

// A graph that can be launched: operations in an order that keeps to the edges.
struct ExecutableGraph {
  struct Step {
    uint64_t id;  // of the node
    OperationPtr operation;
    bool enabled;
  };
  std::mutex mutex;
  std::shared_ptr<Graph> graph;  // a clone: what updates are compared with
  std::vector<Step> steps;
  uint64_t flags = 0;
  uint64_t id = 0;

  Step* Find(uint64_t id);
};

// Makes the steps of a graph. CUDA_ERROR_INVALID_VALUE where there is a cycle.
CUresult BuildSteps(const Graph& graph, std::vector<ExecutableGraph::Step>* steps);

// What launching a graph does in a stream: all steps, one after the other.
class RunGraph : public Operation {
 public:
  // `keeps` is held until the work is done.
  explicit RunGraph(std::vector<ExecutableGraph::Step> steps, std::shared_ptr<void> keeps = nullptr)
      : steps_(std::move(steps)), keeps_(std::move(keeps)) {}
  CUresult Execute(Context& context) const override;
  CUgraphNodeType type() const override { return CU_GRAPH_NODE_TYPE_GRAPH; }

 private:
  std::vector<ExecutableGraph::Step> steps_;
  std::shared_ptr<void> keeps_;
};

// A node that holds a graph.
class ChildGraph : public Operation {
 public:
  explicit ChildGraph(std::shared_ptr<Graph> child) : graph(std::move(child)) {}
  CUresult Execute(Context& context) const override;
  CUgraphNodeType type() const override { return CU_GRAPH_NODE_TYPE_GRAPH; }

  const std::shared_ptr<Graph> graph;
};

}  // namespace warpyard::emulator::driver

#endif  // WARPYARD_CC_EMULATOR_DRIVER_GRAPH_H_
