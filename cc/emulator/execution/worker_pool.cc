// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/execution/worker_pool.h"

#include <sched.h>

#include <algorithm>
#include <functional>
#include <thread>

#include "absl/synchronization/mutex.h"

namespace warpyard::emulator {

WorkerPool& WorkerPool::Process() {
  static WorkerPool& pool = *new WorkerPool;
  return pool;
}

int WorkerPool::Cores() {
  static const int cores = [] {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof(set), &set) == 0) return std::max(1, CPU_COUNT(&set));
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  }();
  return cores;
}

void WorkerPool::Job::Start(int helpers) {
  if (helpers <= 0 || started_) return;
  started_ = true;
  WorkerPool& pool = Process();
  absl::MutexLock lock(pool.mutex_);
  wanted_ = helpers;
  pool.queue_.push_back(this);
  while (pool.threads_ < helpers) {
    ++pool.threads_;
    std::thread([&pool] { pool.Loop(); }).detach();
  }
}

void WorkerPool::Job::Stop() {
  if (!started_) return;
  WorkerPool& pool = Process();
  absl::MutexLock lock(pool.mutex_);
  std::erase(pool.queue_, this);
  pool.mutex_.Await(absl::Condition(+[](Job* job) { return job->running_ == 0; }, this));
  started_ = false;
}

void WorkerPool::Loop() {
  absl::MutexLock lock(mutex_);
  for (;;) {
    mutex_.Await(absl::Condition(this, &WorkerPool::HasWork));
    Job* const job = queue_.front();
    ++job->running_;
    if (--job->wanted_ == 0) queue_.pop_front();
    mutex_.unlock();
    job->work_();
    mutex_.lock();
    --job->running_;
  }
}

}  // namespace warpyard::emulator
