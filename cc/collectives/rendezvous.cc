// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/collectives/rendezvous.h"

#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace warpyard::collectives {

// Each meeting has a lock of its own: meetings do not hold one another up.
struct RendezvousTable::Meeting {
  absl::Mutex mutex;
  int64_t participants ABSL_GUARDED_BY(mutex) = 0;
  std::vector<const void*> values ABSL_GUARDED_BY(mutex);  // null: not yet come
  std::vector<bool> arrived ABSL_GUARDED_BY(mutex);
  int64_t arrived_count ABSL_GUARDED_BY(mutex) = 0;
  bool combining ABSL_GUARDED_BY(mutex) = false;
  std::optional<absl::StatusOr<Value>> result ABSL_GUARDED_BY(mutex);
};

absl::StatusOr<RendezvousTable::Value> RendezvousTable::MeetUntyped(
    const Attendance& attendance, const void* value,
    absl::FunctionRef<absl::StatusOr<Value>(absl::Span<const void* const>)> combine) {
  if (attendance.participants < 1 || attendance.rank < 0 ||
      attendance.rank >= attendance.participants) {
    return absl::InvalidArgumentError(absl::StrCat("meeting '", attendance.name, "': rank ",
                                                   attendance.rank, " of ",
                                                   attendance.participants));
  }
  std::shared_ptr<Meeting> meeting;
  {
    absl::MutexLock lock(mutex_);
    if (!aborted_.ok()) return aborted_;
    std::shared_ptr<Meeting>& entry = meetings_[attendance.name];
    if (entry == nullptr) entry = std::make_shared<Meeting>();
    meeting = entry;
  }
  absl::MutexLock lock(meeting->mutex);
  if (meeting->result.has_value()) return *meeting->result;  // ended while we came: an error
  absl::Status refused;
  if (meeting->participants == 0) {
    meeting->participants = attendance.participants;
    meeting->values.resize(attendance.participants);
    meeting->arrived.resize(attendance.participants);
  } else if (meeting->participants != attendance.participants) {
    refused = absl::InvalidArgumentError(
        absl::StrCat("meeting '", attendance.name, "': rank ", attendance.rank, " expects ",
                     attendance.participants, " participants, others ", meeting->participants));
  } else if (meeting->arrived[attendance.rank]) {
    refused = absl::InvalidArgumentError(
        absl::StrCat("meeting '", attendance.name, "': rank ", attendance.rank, " has come twice"));
  }
  if (!refused.ok()) {
    // Whoever is wrong, the others would wait for ever: it ends for all, and for
    // those who are still to come.
    if (!meeting->combining) meeting->result = refused;
    return refused;
  }
  meeting->values[attendance.rank] = value;
  meeting->arrived[attendance.rank] = true;
  if (++meeting->arrived_count == meeting->participants) {
    meeting->combining = true;
    const std::vector<const void*> values = meeting->values;
    meeting->mutex.unlock();
    {
      absl::MutexLock table_lock(mutex_);
      meetings_.erase(attendance.name);  // free for the next meeting
    }
    absl::StatusOr<Value> result = combine(values);
    meeting->mutex.lock();
    meeting->result = std::move(result);
    return *meeting->result;
  }
  const auto ended = [&meeting]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(meeting->mutex) {
    return meeting->result.has_value();
  };
  if (!meeting->mutex.AwaitWithTimeout(absl::Condition(&ended), attendance.timeout)) {
    if (meeting->combining) {  // all have come: the values are in use until it ends
      meeting->mutex.Await(absl::Condition(&ended));
      return *meeting->result;
    }
    std::vector<int64_t> missing;
    for (int64_t rank = 0; rank < meeting->participants; ++rank) {
      if (!meeting->arrived[rank]) missing.push_back(rank);
    }
    meeting->result = absl::DeadlineExceededError(
        absl::StrCat("meeting '", attendance.name, "': rank ", attendance.rank, " waited ",
                     absl::FormatDuration(attendance.timeout), " for {",
                     absl::StrJoin(missing, ","), "} of ", meeting->participants, " ranks"));
    // The name stays taken by the failed meeting, so that those who come late
    // learn of it rather than wait for those who have left.
  }
  return *meeting->result;
}

void RendezvousTable::Abort(absl::Status status) {
  std::vector<std::shared_ptr<Meeting>> meetings;
  {
    absl::MutexLock lock(mutex_);
    aborted_ = status;
    for (const auto& [name, meeting] : meetings_) meetings.push_back(meeting);
  }
  for (const auto& meeting : meetings) {
    absl::MutexLock lock(meeting->mutex);
    if (!meeting->result.has_value() && !meeting->combining) meeting->result = status;
  }
}

absl::Status Meet(RendezvousTable& table, const Attendance& attendance) {
  const char present = 0;
  return Meet<char>(table, attendance, present,
                    [](absl::Span<const char* const>) -> absl::StatusOr<char> { return 0; })
      .status();
}

absl::Status MeetOnce::MeetFirst(RendezvousTable& table, const Attendance& attendance) {
  absl::Status status = ::warpyard::collectives::Meet(table, attendance);
  if (status.ok()) met_.store(true, std::memory_order_release);
  return status;
}

}  // namespace warpyard::collectives
