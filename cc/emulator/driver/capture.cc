// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/driver/capture.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "cc/emulator/driver/handles.h"

namespace warpyard::emulator::driver {
namespace {

// So that nothing here costs anything while nothing is captured.
std::atomic<int> captures{0};
// Captures under way, under GraphLock().
std::vector<std::weak_ptr<Capture>>& Active() {
  static auto& active = *new std::vector<std::weak_ptr<Capture>>;
  return active;
}

thread_local CUstreamCaptureMode thread_mode = CU_STREAM_CAPTURE_MODE_GLOBAL;

uint64_t NextCaptureId() {
  static std::atomic<uint64_t> next{1};
  return next.fetch_add(1);
}

void Begin(const std::shared_ptr<Capture>& capture, Stream& stream) {
  capture->id = NextCaptureId();
  capture->thread = std::this_thread::get_id();
  capture->origin = stream.weak_from_this();
  capture->participants[&stream].stream = stream.weak_from_this();
  stream.capture = capture;
  Active().push_back(capture);
  captures.fetch_add(1);
}

void End(const std::shared_ptr<Capture>& capture) {
  for (auto& [key, participant] : capture->participants) {
    if (const std::shared_ptr<Stream> stream = participant.stream.lock()) {
      if (stream->capture == capture) stream->capture = nullptr;
    }
  }
  std::erase_if(Active(), [&](const auto& each) { return each.lock() == capture; });
  captures.fetch_sub(1);
}

bool LegacyWouldWait(const Stream& legacy) {
  for (const std::weak_ptr<Capture>& weak : Active()) {
    const std::shared_ptr<Capture> capture = weak.lock();
    if (capture == nullptr) continue;
    for (const auto& [key, participant] : capture->participants) {
      const std::shared_ptr<Stream> stream = participant.stream.lock();
      if (stream != nullptr && stream->capture == capture && stream->blocking() &&
          stream->context() == legacy.context()) {
        capture->valid = false;
        return true;
      }
    }
  }
  return false;
}

CUresult BeginCapture(CUstream handle, CUstreamCaptureMode mode, std::shared_ptr<Graph> into,
                      const CUgraphNode* dependencies, size_t count) {
  if (mode < CU_STREAM_CAPTURE_MODE_GLOBAL || mode > CU_STREAM_CAPTURE_MODE_RELAXED) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  std::shared_ptr<Stream> stream;
  WARPYARD_CU_TRY(FindStream(handle, &stream));
  if (stream->kind() == Stream::Kind::kLegacy) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  auto capture = std::make_shared<Capture>();
  capture->mode = mode;
  capture->into_given_graph = into != nullptr;
  std::vector<GraphNode*> frontier;
  for (size_t i = 0; i < count; ++i) {
    const std::shared_ptr<GraphNode> node = Handles<GraphNode>::Get().Find(dependencies[i]);
    if (node == nullptr || node->graph != into.get()) return CUDA_ERROR_INVALID_VALUE;
    frontier.push_back(node.get());
  }
  capture->graph = into != nullptr ? std::move(into) : Graph::Make();
  const std::lock_guard<std::mutex> lock(GraphLock());
  if (stream->capture != nullptr) return CUDA_ERROR_ILLEGAL_STATE;
  Begin(capture, *stream);
  capture->participants[stream.get()].frontier = std::move(frontier);
  return CUDA_SUCCESS;
}

CUresult GetCaptureInfo(CUstream handle, CUstreamCaptureStatus* status, cuuint64_t* id,
                        CUgraph* graph, const CUgraphNode** dependencies,
                        const CUgraphEdgeData** edges, size_t* count) {
  if (status == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<Stream> stream;
  WARPYARD_CU_TRY(FindStream(handle, &stream));
  const std::lock_guard<std::mutex> lock(GraphLock());
  *status = CU_STREAM_CAPTURE_STATUS_NONE;
  if (stream->kind() == Stream::Kind::kLegacy && LegacyWouldWait(*stream)) {
    return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
  }
  const std::shared_ptr<Capture>& capture = stream->capture;
  if (capture == nullptr) return CUDA_SUCCESS;
  *status = capture->valid ? CU_STREAM_CAPTURE_STATUS_ACTIVE : CU_STREAM_CAPTURE_STATUS_INVALIDATED;
  if (id != nullptr) *id = capture->id;
  if (!capture->valid) return CUDA_SUCCESS;
  if (graph != nullptr) *graph = capture->graph->handle();
  const std::vector<GraphNode*>& frontier = capture->participants[stream.get()].frontier;
  // Valid until the next call of this thread, which is as long as clients use it.
  static thread_local std::vector<CUgraphNode> nodes;
  static thread_local std::vector<CUgraphEdgeData> data;
  nodes.clear();
  for (GraphNode* const node : frontier) nodes.push_back(node->handle());
  data.assign(nodes.size(), CUgraphEdgeData{});
  if (dependencies != nullptr) *dependencies = nodes.data();
  if (edges != nullptr) *edges = data.data();
  if (count != nullptr) *count = nodes.size();
  return CUDA_SUCCESS;
}

}  // namespace

CUresult Submit(Stream& stream, OperationPtr operation) {
  if (captures.load(std::memory_order_relaxed) > 0) {
    const std::lock_guard<std::mutex> lock(GraphLock());
    if (stream.capture != nullptr) {
      Capture& capture = *stream.capture;
      if (!capture.valid) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
      Capture::Participant& participant = capture.participants[&stream];
      GraphNode* const node = capture.graph->AddNode(std::move(operation), participant.frontier);
      participant.frontier = {node};
      participant.joined = false;
      return CUDA_SUCCESS;
    }
    if (stream.kind() == Stream::Kind::kLegacy && LegacyWouldWait(stream)) {
      return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    }
  }
  stream.Enqueue(std::move(operation));
  return CUDA_SUCCESS;
}

CUresult SubmitAndWait(Stream& stream, OperationPtr operation) {
  WARPYARD_CU_TRY(RefuseInCapture(stream));
  stream.Await(stream.Enqueue(std::move(operation)));
  return stream.context()->error();
}

CUresult RefuseInCapture(Stream& stream) {
  if (captures.load(std::memory_order_relaxed) == 0) return CUDA_SUCCESS;
  const std::lock_guard<std::mutex> lock(GraphLock());
  if (stream.capture != nullptr) {
    stream.capture->valid = false;
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  }
  if (stream.kind() == Stream::Kind::kLegacy && LegacyWouldWait(stream)) {
    return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
  }
  return CUDA_SUCCESS;
}

CUresult CheckNotCapturing(Context& context) {
  if (captures.load(std::memory_order_relaxed) == 0) return CUDA_SUCCESS;
  const std::lock_guard<std::mutex> lock(GraphLock());
  CUresult result = CUDA_SUCCESS;
  for (const std::shared_ptr<Stream>& stream : context.Streams()) {
    if (stream->capture == nullptr) continue;
    stream->capture->valid = false;
    result = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  }
  return result;
}

CUresult CheckSafeCall() {
  if (captures.load(std::memory_order_relaxed) == 0) return CUDA_SUCCESS;
  if (thread_mode == CU_STREAM_CAPTURE_MODE_RELAXED) return CUDA_SUCCESS;
  const std::lock_guard<std::mutex> lock(GraphLock());
  for (const std::weak_ptr<Capture>& weak : Active()) {
    const std::shared_ptr<Capture> capture = weak.lock();
    if (capture == nullptr || capture->mode == CU_STREAM_CAPTURE_MODE_RELAXED) continue;
    const bool own = capture->thread == std::this_thread::get_id();
    if (own || (capture->mode == CU_STREAM_CAPTURE_MODE_GLOBAL &&
                thread_mode == CU_STREAM_CAPTURE_MODE_GLOBAL)) {
      capture->valid = false;
      return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
  }
  return CUDA_SUCCESS;
}

CUresult RecordEvent(Event& event, Stream& stream, bool external) {
  if (event.context()->device().ordinal() != stream.context()->device().ordinal() ||
      event.context() != stream.context()) {
    return CUDA_ERROR_INVALID_HANDLE;
  }
  if (captures.load(std::memory_order_relaxed) > 0) {
    const std::lock_guard<std::mutex> lock(GraphLock());
    if (stream.capture != nullptr) {
      Capture& capture = *stream.capture;
      if (!capture.valid) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
      Capture::Participant& participant = capture.participants[&stream];
      if (external) {
        const std::shared_ptr<Event> shared = Handles<Event>::Get().Find(&event);
        GraphNode* const node = capture.graph->AddNode(
            std::make_shared<EventNode>(shared, /*record=*/true), participant.frontier);
        participant.frontier = {node};
        return CUDA_SUCCESS;
      }
      auto record = std::make_shared<Event::Record>();
      record->capture = stream.capture;
      record->nodes = participant.frontier;
      event.set_last(std::move(record));
      return CUDA_SUCCESS;
    }
    if (stream.kind() == Stream::Kind::kLegacy && LegacyWouldWait(stream)) {
      return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    }
  }
  event.RecordIn(stream);
  return CUDA_SUCCESS;
}

CUresult WaitForEvent(Stream& stream, Event& event, bool external) {
  const std::shared_ptr<Event::Record> record = event.last();
  if (captures.load(std::memory_order_relaxed) > 0) {
    const std::lock_guard<std::mutex> lock(GraphLock());
    if (external && stream.capture != nullptr) {
      Capture::Participant& participant = stream.capture->participants[&stream];
      const std::shared_ptr<Event> shared = Handles<Event>::Get().Find(&event);
      GraphNode* const node = stream.capture->graph->AddNode(
          std::make_shared<EventNode>(shared, /*record=*/false), participant.frontier);
      participant.frontier = {node};
      return CUDA_SUCCESS;
    }
    const std::shared_ptr<Capture> from = record == nullptr ? nullptr : record->capture;
    if (from != nullptr) {
      if (!from->valid) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
      if (stream.kind() == Stream::Kind::kLegacy) return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
      if (stream.capture != nullptr && stream.capture != from) {
        stream.capture->valid = false;
        from->valid = false;
        return CUDA_ERROR_STREAM_CAPTURE_MERGE;
      }
      Capture::Participant& participant = from->participants[&stream];
      participant.stream = stream.weak_from_this();
      stream.capture = from;
      for (GraphNode* const node : record->nodes) {
        if (std::find(participant.frontier.begin(), participant.frontier.end(), node) ==
            participant.frontier.end()) {
          participant.frontier.push_back(node);
        }
      }
      return CUDA_SUCCESS;
    }
    if (stream.capture != nullptr) {
      // Work outside the capture that is done does not matter.
      if (record == nullptr || event.Query() == CUDA_SUCCESS) return CUDA_SUCCESS;
      stream.capture->valid = false;
      return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
    }
  }
  if (record != nullptr && record->at.stream != nullptr) stream.WaitFor({record->at});
  return CUDA_SUCCESS;
}

CUresult EventNode::Execute(Context& context) const {
  if (!record_) {
    event->Await();
    return CUDA_SUCCESS;
  }
  // The graph runs as one piece of work: the event is reached here and now.
  auto record = std::make_shared<Event::Record>();
  record->nanoseconds = SteadyNanoseconds();
  event->set_last(std::move(record));
  return CUDA_SUCCESS;
}

}  // namespace warpyard::emulator::driver

namespace d = ::warpyard::emulator::driver;

CUresult CUDAAPI cuStreamBeginCapture_v2(CUstream hStream, CUstreamCaptureMode mode) {
  return d::BeginCapture(hStream, mode, nullptr, nullptr, 0);
}
CUresult CUDAAPI cuStreamBeginCapture(CUstream hStream) {
  return cuStreamBeginCapture_v2(hStream, CU_STREAM_CAPTURE_MODE_GLOBAL);
}

CUresult CUDAAPI cuStreamBeginCaptureToGraph(CUstream hStream, CUgraph hGraph,
                                             const CUgraphNode* dependencies,
                                             const CUgraphEdgeData* dependencyData,
                                             size_t numDependencies, CUstreamCaptureMode mode) {
  std::shared_ptr<d::Graph> graph = d::Handles<d::Graph>::Get().Find(hGraph);
  if (graph == nullptr || (dependencies == nullptr && numDependencies > 0)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  return d::BeginCapture(hStream, mode, std::move(graph), dependencies, numDependencies);
}

CUresult CUDAAPI cuStreamEndCapture(CUstream hStream, CUgraph* phGraph) {
  if (phGraph == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *phGraph = nullptr;
  std::shared_ptr<d::Stream> stream;
  WARPYARD_CU_TRY(d::FindStream(hStream, &stream));
  const std::lock_guard<std::mutex> lock(d::GraphLock());
  const std::shared_ptr<d::Capture> capture = stream->capture;
  if (capture == nullptr) return CUDA_ERROR_ILLEGAL_STATE;
  if (capture->origin.lock() != stream) {
    capture->valid = false;
    return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
  }
  if (capture->mode != CU_STREAM_CAPTURE_MODE_RELAXED &&
      capture->thread != std::this_thread::get_id()) {
    return CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
  }
  CUresult result = capture->valid ? CUDA_SUCCESS : CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  if (result == CUDA_SUCCESS) {
    // Everything that the other streams did must lead to the origin's end.
    std::vector<d::GraphNode*> reached = capture->participants[stream.get()].frontier;
    for (size_t i = 0; i < reached.size(); ++i) {
      for (d::GraphNode* const before : reached[i]->dependencies) {
        if (std::find(reached.begin(), reached.end(), before) == reached.end()) {
          reached.push_back(before);
        }
      }
    }
    for (const auto& [key, participant] : capture->participants) {
      for (d::GraphNode* const node : participant.frontier) {
        if (std::find(reached.begin(), reached.end(), node) == reached.end()) {
          result = CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
        }
      }
    }
  }
  d::End(capture);
  if (result != CUDA_SUCCESS) {
    if (!capture->into_given_graph) d::Handles<d::Graph>::Get().Remove(capture->graph.get());
    return result;
  }
  *phGraph = capture->graph->handle();
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuStreamIsCapturing(CUstream hStream, CUstreamCaptureStatus* captureStatus) {
  return d::GetCaptureInfo(hStream, captureStatus, nullptr, nullptr, nullptr, nullptr, nullptr);
}

CUresult CUDAAPI cuStreamGetCaptureInfo(CUstream hStream, CUstreamCaptureStatus* captureStatus_out,
                                        cuuint64_t* id_out) {
  return d::GetCaptureInfo(hStream, captureStatus_out, id_out, nullptr, nullptr, nullptr, nullptr);
}
CUresult CUDAAPI cuStreamGetCaptureInfo_v2(CUstream hStream,
                                           CUstreamCaptureStatus* captureStatus_out,
                                           cuuint64_t* id_out, CUgraph* graph_out,
                                           const CUgraphNode** dependencies_out,
                                           size_t* numDependencies_out) {
  return d::GetCaptureInfo(hStream, captureStatus_out, id_out, graph_out, dependencies_out, nullptr,
                           numDependencies_out);
}
CUresult CUDAAPI cuStreamGetCaptureInfo_v3(CUstream hStream,
                                           CUstreamCaptureStatus* captureStatus_out,
                                           cuuint64_t* id_out, CUgraph* graph_out,
                                           const CUgraphNode** dependencies_out,
                                           const CUgraphEdgeData** edgeData_out,
                                           size_t* numDependencies_out) {
  return d::GetCaptureInfo(hStream, captureStatus_out, id_out, graph_out, dependencies_out,
                           edgeData_out, numDependencies_out);
}

CUresult CUDAAPI cuStreamUpdateCaptureDependencies_v2(CUstream hStream, CUgraphNode* dependencies,
                                                      const CUgraphEdgeData* dependencyData,
                                                      size_t numDependencies, unsigned int flags) {
  if (flags > CU_STREAM_SET_CAPTURE_DEPENDENCIES ||
      (dependencies == nullptr && numDependencies > 0)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  std::shared_ptr<d::Stream> stream;
  WARPYARD_CU_TRY(d::FindStream(hStream, &stream));
  const std::lock_guard<std::mutex> lock(d::GraphLock());
  if (stream->capture == nullptr) return CUDA_ERROR_ILLEGAL_STATE;
  if (!stream->capture->valid) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  std::vector<d::GraphNode*>& frontier = stream->capture->participants[stream.get()].frontier;
  std::vector<d::GraphNode*> next;
  if (flags == CU_STREAM_ADD_CAPTURE_DEPENDENCIES) next = frontier;
  for (size_t i = 0; i < numDependencies; ++i) {
    const std::shared_ptr<d::GraphNode> node =
        d::Handles<d::GraphNode>::Get().Find(dependencies[i]);
    if (node == nullptr || node->graph != stream->capture->graph.get()) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    if (std::find(next.begin(), next.end(), node.get()) == next.end()) next.push_back(node.get());
  }
  frontier = std::move(next);
  return CUDA_SUCCESS;
}
CUresult CUDAAPI cuStreamUpdateCaptureDependencies(CUstream hStream, CUgraphNode* dependencies,
                                                   size_t numDependencies, unsigned int flags) {
  return cuStreamUpdateCaptureDependencies_v2(hStream, dependencies, nullptr, numDependencies,
                                              flags);
}

CUresult CUDAAPI cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  if (mode == nullptr || *mode < CU_STREAM_CAPTURE_MODE_GLOBAL ||
      *mode > CU_STREAM_CAPTURE_MODE_RELAXED) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  std::swap(*mode, d::thread_mode);
  return CUDA_SUCCESS;
}
