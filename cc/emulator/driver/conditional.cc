// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/driver/conditional.h"

#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace warpyard::emulator::driver {
namespace {

struct Registry {
  std::mutex mutex;
  CUgraphConditionalHandle next = 1;
  std::map<CUgraphConditionalHandle, std::shared_ptr<ConditionalValue>> values;
};

Registry& Values() {
  static auto& registry = *new Registry;
  return registry;
}

}  // namespace

std::shared_ptr<ConditionalValue> FindConditional(CUgraphConditionalHandle handle) {
  Registry& registry = Values();
  const std::lock_guard<std::mutex> lock(registry.mutex);
  const auto found = registry.values.find(handle);
  return found == registry.values.end() ? nullptr : found->second;
}

CUgraphConditionalHandle AddConditional(std::shared_ptr<ConditionalValue> value) {
  Registry& registry = Values();
  const std::lock_guard<std::mutex> lock(registry.mutex);
  registry.values[registry.next] = std::move(value);
  return registry.next++;
}

CUresult Conditional::Execute(Context& context) const {
  if (value->assign_at_launch) value->value = value->initial;
  const auto run = [&](size_t body) {
    return body < bodies.size() ? ChildGraph(bodies[body]).Execute(context) : CUDA_SUCCESS;
  };
  switch (params.type) {
    case CU_GRAPH_COND_TYPE_IF:
      // The second body, where there is one, is the "else".
      return run(value->value != 0 ? 0 : 1);
    case CU_GRAPH_COND_TYPE_WHILE:
      while (value->value != 0) WARPYARD_CU_TRY(run(0));
      return CUDA_SUCCESS;
    case CU_GRAPH_COND_TYPE_SWITCH:
      return run(value->value);
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

OperationPtr CloneGraphsOf(const OperationPtr& operation) {
  if (const auto* child = dynamic_cast<const ChildGraph*>(operation.get())) {
    auto copy = child->graph->Clone();
    copy->is_child = true;
    return std::make_shared<ChildGraph>(std::move(copy));
  }
  if (const auto* conditional = dynamic_cast<const Conditional*>(operation.get())) {
    auto copy = std::make_shared<Conditional>();
    copy->params = conditional->params;
    copy->value = conditional->value;
    for (const std::shared_ptr<Graph>& body : conditional->bodies) {
      copy->bodies.push_back(body->Clone());
      copy->bodies.back()->is_child = true;
    }
    return copy;
  }
  return operation;
}

}  // namespace warpyard::emulator::driver
