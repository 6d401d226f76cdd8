// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/driver/stream.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "cc/emulator/driver/context.h"

namespace warpyard::emulator::driver {
namespace {

// As std::condition_variable::wait, whose symbol is of GCC 12 and more than a wheel
// may ask of the systems that it is for.
template <typename Predicate>
void Sleep(std::condition_variable& changed, std::unique_lock<std::mutex>& lock,
           Predicate reached) {
  while (!reached()) changed.wait_for(lock, std::chrono::hours(1));
}

// How long a thread without work stays.
constexpr std::chrono::milliseconds kIdle(500);

std::mutex& Lock() {
  static auto& lock = *new std::mutex;
  return lock;
}

uint64_t NextId() {
  static std::atomic<uint64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

Stream::Stream(std::shared_ptr<Context> context, Kind kind, unsigned flags, int priority)
    : context_(std::move(context)),
      kind_(kind),
      flags_(flags),
      priority_(priority),
      id_(NextId()) {}

uint64_t Stream::Enqueue(OperationPtr operation) {
  std::unique_lock<std::mutex> lock(Lock());
  Task task{std::move(operation), std::move(next_after_), ++enqueued_};
  next_after_.clear();
  if (kind_ == Kind::kLegacy) {
    CollectLegacyBarrier(&task.after);
  } else if (blocking()) {
    const std::shared_ptr<Stream>& legacy = context_->legacy_stream();
    if (legacy != nullptr && legacy->completed_ < legacy->enqueued_) {
      task.after.push_back({legacy, legacy->enqueued_});
    }
  }
  const uint64_t ticket = task.ticket;
  queue_.push_back(std::move(task));
  if (!working_) {
    working_ = true;
    std::thread([self = shared_from_this()] {
      self->Work(std::unique_lock<std::mutex>(Lock()));
    }).detach();
  } else {
    work_.notify_one();
  }
  return ticket;
}

void Stream::WaitFor(std::vector<Dependency> dependencies) {
  const std::lock_guard<std::mutex> lock(Lock());
  for (Dependency& dependency : dependencies) {
    if (dependency.stream.get() == this) continue;
    if (dependency.stream->completed_ >= dependency.ticket) continue;
    next_after_.push_back(std::move(dependency));
  }
}

Dependency Stream::Tail() {
  const std::lock_guard<std::mutex> lock(Lock());
  return {shared_from_this(), enqueued_};
}

bool Stream::Done(uint64_t ticket) {
  const std::lock_guard<std::mutex> lock(Lock());
  return completed_ >= ticket;
}

void Stream::Await(uint64_t ticket) {
  std::unique_lock<std::mutex> lock(Lock());
  Sleep(progress_, lock, [&] { return completed_ >= ticket; });
}

void Stream::Drain() {
  // What the stream was told to wait for counts as work of its own.
  std::vector<Dependency> after;
  uint64_t ticket;
  {
    const std::lock_guard<std::mutex> lock(Lock());
    after = next_after_;
    ticket = enqueued_;
  }
  AwaitAll(after);
  Await(ticket);
}

void Stream::CollectLegacyBarrier(std::vector<Dependency>* out) {
  for (const std::shared_ptr<Stream>& stream : context_->Streams()) {
    if (stream.get() == this || !stream->blocking()) continue;
    if (stream->completed_ < stream->enqueued_) out->push_back({stream, stream->enqueued_});
    for (const Dependency& dependency : stream->next_after_) {
      if (dependency.stream.get() != this) out->push_back(dependency);
    }
  }
}

std::vector<Dependency> Stream::LegacyBarrier() {
  const std::lock_guard<std::mutex> lock(Lock());
  std::vector<Dependency> result = next_after_;
  CollectLegacyBarrier(&result);
  if (completed_ < enqueued_) result.push_back({shared_from_this(), enqueued_});
  return result;
}

void Stream::AwaitAll(const std::vector<Dependency>& dependencies) {
  for (const Dependency& dependency : dependencies) dependency.stream->Await(dependency.ticket);
}

void Stream::Work(std::unique_lock<std::mutex> lock) {
  while (true) {
    if (queue_.empty() && !work_.wait_for(lock, kIdle, [this] { return !queue_.empty(); })) {
      working_ = false;
      return;
    }
    Task task = std::move(queue_.front());
    queue_.pop_front();
    for (const Dependency& dependency : task.after) {
      Stream& other = *dependency.stream;
      Sleep(other.progress_, lock, [&] { return other.completed_ >= dependency.ticket; });
    }
    lock.unlock();
    if (context_->error() == CUDA_SUCCESS || task.operation->runs_after_error()) {
      const CUresult result = task.operation->Execute(*context_);
      if (result != CUDA_SUCCESS) context_->Fail(result);
    }
    const uint64_t ticket = task.ticket;
    task = Task{};  // what it held is freed without the lock
    lock.lock();
    completed_ = ticket;
    progress_.notify_all();
  }
}

}  // namespace warpyard::emulator::driver
