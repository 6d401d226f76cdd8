// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Where work goes: to the stream, or, while the stream is captured, to a graph.

#ifndef WARPYARD_CC_EMULATOR_DRIVER_CAPTURE_H_
#define WARPYARD_CC_EMULATOR_DRIVER_CAPTURE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <thread>
#include <vector>

#include "cc/emulator/driver/api.h"
#include "cc/emulator/driver/context.h"
#include "cc/emulator/driver/event.h"
#include "cc/emulator/driver/graph.h"
#include "cc/emulator/driver/operation.h"
#include "cc/emulator/driver/stream.h"

namespace warpyard::emulator::driver {

// One capture: a graph that grows, and the streams that take part. Its members
// are under GraphLock().
class Capture {
 public:
  std::shared_ptr<Graph> graph;
  bool into_given_graph = false;
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
  uint64_t id = 0;
  std::thread::id thread;
  bool valid = true;
  std::weak_ptr<Stream> origin;
  // For each stream what its next work depends on.
  struct Participant {
    std::weak_ptr<Stream> stream;
    std::vector<GraphNode*> frontier;
    bool joined = false;  // the origin depends on all of it
  };
  std::map<const Stream*, Participant> participants;
};

// Enqueues or captures. CUDA_ERROR_STREAM_CAPTURE_INVALIDATED in a capture that
// has failed; CUDA_ERROR_STREAM_CAPTURE_IMPLICIT for the legacy stream while a
// stream that takes turns with it is captured.
CUresult Submit(Stream& stream, OperationPtr operation);
// Submit, and waits for it where the stream is not captured: for work that is
// synchronous to the host. Fails while the stream is captured.
CUresult SubmitAndWait(Stream& stream, OperationPtr operation);

// Whether the stream is captured; ends the validity of the capture if so, and
// gives CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED: for calls that cannot be captured.
CUresult RefuseInCapture(Stream& stream);
// For calls that wait for all work of a context.
CUresult CheckNotCapturing(Context& context);
// For calls that may wait for other work, such as cuMemAlloc:
// CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids them on this thread.
CUresult CheckSafeCall();

// cuEventRecord and cuStreamWaitEvent.
CUresult RecordEvent(Event& event, Stream& stream, bool external);
CUresult WaitForEvent(Stream& stream, Event& event, bool external);

// What a node of a graph does for an event.
class EventNode : public Operation {
 public:
  EventNode(std::shared_ptr<Event> node_event, bool record)
      : event(std::move(node_event)), record_(record) {}
  CUresult Execute(Context& context) const override;
  CUgraphNodeType type() const override {
    return record_ ? CU_GRAPH_NODE_TYPE_EVENT_RECORD : CU_GRAPH_NODE_TYPE_WAIT_EVENT;
  }

  const std::shared_ptr<Event> event;

 private:
  const bool record_;
};

}  // namespace warpyard::emulator::driver

#endif  // WARPYARD_CC_EMULATOR_DRIVER_CAPTURE_H_
