// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Threads of one process that meet: each brings a value, one of them makes a
// result from all, and everyone gets it.
//
//   RendezvousTable table;
//   // On each of four threads:
//   WARPYARD_ASSIGN_OR_RETURN(
//       std::shared_ptr<const Ids> ids,
//       Meet<Ids>(table, {.name = "ids of clique 3", .rank = rank, .participants = 4}, my_id,
//                 [](absl::Span<const Id* const> all) { return CollectIds(all); }));

#ifndef WARPYARD_CC_COLLECTIVES_RENDEZVOUS_H_
#define WARPYARD_CC_COLLECTIVES_RENDEZVOUS_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "absl/types/span.h"

namespace warpyard::collectives {

// Who comes where.
struct Attendance {
  // Those who give the same name meet. Once all have met, the name is free again;
  // after a time-out or a disagreement it stays taken, and gives that error.
  std::string name;
  int64_t rank = 0;          // in [0, participants)
  int64_t participants = 1;  // all must say the same
  absl::Duration timeout = absl::InfiniteDuration();
};

// Where meetings take place. Thread-safe; must outlive those who wait in it.
class RendezvousTable {
 public:
  RendezvousTable() = default;
  RendezvousTable(const RendezvousTable&) = delete;
  RendezvousTable& operator=(const RendezvousTable&) = delete;

  // Ends all meetings that are under way, and all that will be, with `status`,
  // which must not be OK: how one rank's failure reaches those who wait for it.
  void Abort(absl::Status status);

  // Meet() below, without types. `combine` gets the values in rank order, and
  // runs on the thread of whoever came last.
  using Value = std::shared_ptr<const void>;
  absl::StatusOr<Value> MeetUntyped(
      const Attendance& attendance, const void* value,
      absl::FunctionRef<absl::StatusOr<Value>(absl::Span<const void* const>)> combine);

 private:
  struct Meeting;
  absl::Mutex mutex_;
  absl::flat_hash_map<std::string, std::shared_ptr<Meeting>> meetings_ ABSL_GUARDED_BY(mutex_);
  absl::Status aborted_ ABSL_GUARDED_BY(mutex_);
};

// Waits until all have come, and gives everyone the same result. An error of
// `combine` reaches all. For those who wait:
//   DEADLINE_EXCEEDED    names the meeting and the ranks that are missing
//   INVALID_ARGUMENT     two come as one rank, or do not agree how many they are
//   what Abort() was given
// Values stay where they are: `value` must live until this returns, which it
// does on no thread before `combine` has ended.
template <typename Result, typename Value, typename Combine>
absl::StatusOr<std::shared_ptr<const Result>> Meet(RendezvousTable& table,
                                                   const Attendance& attendance, const Value& value,
                                                   Combine&& combine) {
  absl::StatusOr<RendezvousTable::Value> met = table.MeetUntyped(
      attendance, &value,
      [&](absl::Span<const void* const> values) -> absl::StatusOr<RendezvousTable::Value> {
        std::vector<const Value*> typed;
        typed.reserve(values.size());
        for (const void* each : values) typed.push_back(static_cast<const Value*>(each));
        absl::StatusOr<Result> result = combine(absl::Span<const Value* const>(typed));
        if (!result.ok()) return std::move(result).status();
        return std::make_shared<const Result>(*std::move(result));
      });
  if (!met.ok()) return std::move(met).status();
  return std::static_pointer_cast<const Result>(*std::move(met));
}

// Without values: a barrier.
absl::Status Meet(RendezvousTable& table, const Attendance& attendance);

// Remembers that all have met, so that later runs go on without asking: one
// atomic load, no lock. A communicator needs its ranks to meet before and after
// its first call alone.
class MeetOnce {
 public:
  // Meets the first time. An error is not remembered.
  absl::Status Meet(RendezvousTable& table, const Attendance& attendance) {
    if (met_.load(std::memory_order_acquire)) return absl::OkStatus();
    return MeetFirst(table, attendance);
  }
  bool met() const { return met_.load(std::memory_order_acquire); }

 private:
  absl::Status MeetFirst(RendezvousTable& table, const Attendance& attendance);
  std::atomic<bool> met_{false};
};

}  // namespace warpyard::collectives

#endif  // WARPYARD_CC_COLLECTIVES_RENDEZVOUS_H_
