// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// A queue of work with a thread that does it, and the order between queues.
//
// Work gets tickets, rising within its stream. What must happen before other
// work is named by stream and ticket. All queues of the process are under one
// lock, as an event of one stream may hold back any other.

#ifndef WARPYARD_CC_EMULATOR_DRIVER_STREAM_H_
#define WARPYARD_CC_EMULATOR_DRIVER_STREAM_H_

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "cc/emulator/driver/api.h"
#include "cc/emulator/driver/operation.h"

namespace warpyard::emulator::driver {

class Context;
class Capture;  // capture.h
class Stream;

// Work that must be done first.
struct Dependency {
  std::shared_ptr<Stream> stream;
  uint64_t ticket = 0;
};

class Stream : public std::enable_shared_from_this<Stream> {
 public:
  enum class Kind { kLegacy, kPerThread, kOrdinary };

  Stream(std::shared_ptr<Context> context, Kind kind, unsigned flags, int priority);

  const std::shared_ptr<Context>& context() const { return context_; }
  Kind kind() const { return kind_; }
  unsigned flags() const { return flags_; }
  int priority() const { return priority_; }
  uint64_t id() const { return id_; }
  // Whether it takes turns with the legacy default stream.
  bool blocking() const { return (flags_ & CU_STREAM_NON_BLOCKING) == 0; }

  // Puts work at the end. Its ticket.
  uint64_t Enqueue(OperationPtr operation);
  // What is enqueued from now on waits for it.
  void WaitFor(std::vector<Dependency> dependencies);
  // The end of what has been enqueued so far.
  Dependency Tail();
  bool Done(uint64_t ticket);
  // Blocks the calling thread.
  void Await(uint64_t ticket);
  // Waits for all work enqueued so far.
  void Drain();

  // What work of the legacy default stream would wait for; for the legacy stream.
  std::vector<Dependency> LegacyBarrier();
  static void AwaitAll(const std::vector<Dependency>& dependencies);

  // Set by capture.cc while the stream's work goes to a graph.
  std::shared_ptr<Capture> capture;

  CUlaunchAttributeValue access_policy{};
  CUlaunchAttributeValue synchronization_policy{};

 private:
  struct Task {
    OperationPtr operation;
    std::vector<Dependency> after;
    uint64_t ticket;
  };

  void Work(std::unique_lock<std::mutex> lock);
  void CollectLegacyBarrier(std::vector<Dependency>* out);

  const std::shared_ptr<Context> context_;
  const Kind kind_;
  const unsigned flags_;
  const int priority_;
  const uint64_t id_;

  // All under the lock of the process.
  std::deque<Task> queue_;
  std::vector<Dependency> next_after_;
  uint64_t enqueued_ = 0;
  uint64_t completed_ = 0;
  bool working_ = false;
  std::condition_variable work_;
  std::condition_variable progress_;
};

}  // namespace warpyard::emulator::driver

#endif  // WARPYARD_CC_EMULATOR_DRIVER_STREAM_H_
