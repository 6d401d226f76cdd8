// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/driver/graph.h"

#include <cuda.h>

#include <cstddef>
#include <memory>

#include "absl/cleanup/cleanup.h"
#include "absl/memory/memory.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cc/base/status_macros.h"
#include "cc/driver/context.h"
#include "cc/driver/driver_table.h"
#include "cc/driver/stream.h"

namespace warpyard::driver {

absl::Status BeginCapture(const Stream& stream) {
  const ScopedContext current(*stream.context());
  WARPYARD_RETURN_IF_ERROR(current.status());
  WARPYARD_CALL_DRIVER(stream.context()->driver().table(), cuStreamBeginCapture, stream.handle(),
                       CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<Graph>> Graph::EndCapture(const Stream& stream) {
  const ScopedContext current(*stream.context());
  WARPYARD_RETURN_IF_ERROR(current.status());
  const DriverTable& table = stream.context()->driver().table();
  CUgraph captured = nullptr;
  WARPYARD_CALL_DRIVER(table, cuStreamEndCapture, stream.handle(), &captured);
  const absl::Cleanup destroy = [&] {
    if (captured != nullptr && table.cuGraphDestroy != nullptr) table.cuGraphDestroy(captured);
  };
  size_t count = 0;
  WARPYARD_CALL_DRIVER(table, cuGraphGetNodes, captured, nullptr, &count);
  CUgraphExec handle = nullptr;
  WARPYARD_CALL_DRIVER(table, cuGraphInstantiateWithFlags, &handle, captured, 0);
  return absl::WrapUnique(new Graph(stream.context(), handle, count));
}

Graph::~Graph() {
  const DriverTable& table = context_->driver().table();
  const ScopedContext current(*context_);
  if (current.status().ok() && table.cuGraphExecDestroy != nullptr) {
    table.cuGraphExecDestroy(handle_);
  }
}

absl::Status Graph::Launch(const Stream& stream) const {
  const ScopedContext current(*context_);
  WARPYARD_RETURN_IF_ERROR(current.status());
  WARPYARD_CALL_DRIVER(context_->driver().table(), cuGraphLaunch, handle_, stream.handle());
  return absl::OkStatus();
}

}  // namespace warpyard::driver
