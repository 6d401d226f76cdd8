// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Events: a place in a stream, and when it was reached.

#ifndef WARPYARD_CC_EMULATOR_DRIVER_EVENT_H_
#define WARPYARD_CC_EMULATOR_DRIVER_EVENT_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "cc/emulator/driver/api.h"
#include "cc/emulator/driver/context.h"
#include "cc/emulator/driver/operation.h"
#include "cc/emulator/driver/stream.h"

namespace warpyard::emulator::driver {

struct GraphNode;  // graph.h

class Event {
 public:
  // One recording of the event.
  struct Record {
    Dependency at;
    std::atomic<int64_t> nanoseconds{0};  // of a steady clock, when it was reached
    // Recorded while the stream was captured: what it stands for in the graph.
    std::shared_ptr<Capture> capture;
    std::vector<GraphNode*> nodes;
  };

  Event(std::shared_ptr<Context> context, unsigned flags)
      : context_(std::move(context)), flags_(flags) {}

  const std::shared_ptr<Context>& context() const { return context_; }
  unsigned flags() const { return flags_; }
  bool timed() const { return (flags_ & CU_EVENT_DISABLE_TIMING) == 0; }

  // The last recording; null where there is none.
  std::shared_ptr<Record> last() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return last_;
  }
  void set_last(std::shared_ptr<Record> record) {
    const std::lock_guard<std::mutex> lock(mutex_);
    last_ = std::move(record);
  }

  // Records it at the end of the stream.
  void RecordIn(Stream& stream);
  // CUDA_SUCCESS or CUDA_ERROR_NOT_READY.
  CUresult Query() const;
  void Await() const;

 private:
  const std::shared_ptr<Context> context_;
  const unsigned flags_;
  mutable std::mutex mutex_;
  std::shared_ptr<Record> last_;
};

// Notes the time: what a stream does for an event.
class ReachRecord : public Operation {
 public:
  explicit ReachRecord(std::shared_ptr<Event::Record> record) : record_(std::move(record)) {}
  CUresult Execute(Context& context) const override;
  CUgraphNodeType type() const override { return CU_GRAPH_NODE_TYPE_EVENT_RECORD; }

 private:
  std::shared_ptr<Event::Record> record_;
};

int64_t SteadyNanoseconds();

}  // namespace warpyard::emulator::driver

#endif  // WARPYARD_CC_EMULATOR_DRIVER_EVENT_H_
