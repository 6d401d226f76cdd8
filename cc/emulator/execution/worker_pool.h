// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Host threads that help with launches. They are started when a launch is first
// worth it, and stay.

#ifndef WARPYARD_CC_EMULATOR_EXECUTION_WORKER_POOL_H_
#define WARPYARD_CC_EMULATOR_EXECUTION_WORKER_POOL_H_

#include <deque>
#include <functional>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace warpyard::emulator {

// Thread-safe. Never destroyed: its threads sleep when the process ends.
class WorkerPool {
 public:
  static WorkerPool& Process();

  // Cores of this machine that the process may use.
  static int Cores();

  // Calls `work` on up to `helpers` threads of the pool, as they become free,
  // from Start until Stop, which waits for the calls that have begun. `work`
  // must end by itself. Both are called by the owner's thread.
  class Job {
   public:
    explicit Job(std::function<void()> work) : work_(std::move(work)) {}
    ~Job() { Stop(); }
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;
    void Start(int helpers);
    void Stop();

   private:
    friend class WorkerPool;
    std::function<void()> work_;
    int wanted_ = 0;
    int running_ = 0;
    bool started_ = false;
  };

 private:
  WorkerPool() = default;
  void Loop();
  bool HasWork() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return !queue_.empty(); }

  absl::Mutex mutex_;
  std::deque<Job*> queue_ ABSL_GUARDED_BY(mutex_);
  int threads_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_EXECUTION_WORKER_POOL_H_
