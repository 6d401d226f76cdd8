// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Graphs: work of a stream that was captured once, to be launched many times.

#ifndef WARPYARD_CC_DRIVER_GRAPH_H_
#define WARPYARD_CC_DRIVER_GRAPH_H_

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cc/driver/context.h"

struct CUgraphExec_st;

namespace warpyard::driver {

class Stream;

// From here to Graph::EndCapture what is given to the stream is recorded and not
// done. Other threads' calls are not held against it.
absl::Status BeginCapture(const Stream& stream);

// A graph that was captured and made ready to launch. What it uses (memory,
// modules) must live as long as it does. Thread-safe, but for launches of one
// graph, which follow each other.
class Graph {
 public:
  // Ends what BeginCapture began. FAILED_PRECONDITION: nothing was being captured,
  // or something in it cannot be.
  static absl::StatusOr<std::unique_ptr<Graph>> EndCapture(const Stream& stream);
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  uint64_t node_count() const { return node_count_; }

  // On a stream of the same context.
  absl::Status Launch(const Stream& stream) const;

 private:
  Graph(std::shared_ptr<const Context> context, CUgraphExec_st* handle, uint64_t node_count)
      : context_(std::move(context)), handle_(handle), node_count_(node_count) {}

  const std::shared_ptr<const Context> context_;
  CUgraphExec_st* const handle_;
  const uint64_t node_count_;
};

}  // namespace warpyard::driver

#endif  // WARPYARD_CC_DRIVER_GRAPH_H_
