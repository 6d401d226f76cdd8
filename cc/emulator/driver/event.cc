// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/driver/event.h"

#include <chrono>
#include <memory>

namespace warpyard::emulator::driver {

int64_t SteadyNanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

CUresult ReachRecord::Execute(Context& context) const {
  record_->nanoseconds.store(SteadyNanoseconds(), std::memory_order_release);
  return CUDA_SUCCESS;
}

void Event::RecordIn(Stream& stream) {
  auto record = std::make_shared<Record>();
  const uint64_t ticket = stream.Enqueue(std::make_shared<ReachRecord>(record));
  record->at = {stream.shared_from_this(), ticket};
  set_last(std::move(record));
}

CUresult Event::Query() const {
  const std::shared_ptr<Record> record = last();
  if (record == nullptr || record->at.stream == nullptr) return CUDA_SUCCESS;
  return record->at.stream->Done(record->at.ticket) ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

void Event::Await() const {
  const std::shared_ptr<Record> record = last();
  if (record == nullptr || record->at.stream == nullptr) return;
  record->at.stream->Await(record->at.ticket);
}

}  // namespace warpyard::emulator::driver
