// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Handles that a client holds. A handle is the address of an object, but is
// never followed: it is looked up among those that live, because clients pass
// freed handles and garbage.

#ifndef WARPYARD_CC_EMULATOR_DRIVER_HANDLES_H_
#define WARPYARD_CC_EMULATOR_DRIVER_HANDLES_H_

#include <memory>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"

namespace warpyard::emulator::driver {

// All objects of one type. Thread-safe.
template <typename T>
class Handles {
 public:
  static Handles& Get() {
    static auto& handles = *new Handles;
    return handles;
  }

  // The client's handle of a live object.
  template <typename Handle>
  Handle Add(std::shared_ptr<T> object) {
    T* const key = object.get();
    absl::MutexLock lock(mutex_);
    objects_[key] = std::move(object);
    return reinterpret_cast<Handle>(key);
  }

  // Null for what is no live handle.
  std::shared_ptr<T> Find(const void* handle) const {
    absl::ReaderMutexLock lock(mutex_);
    const auto found = objects_.find(handle);
    return found == objects_.end() ? nullptr : found->second;
  }

  // Ends a handle, and gives what it named.
  std::shared_ptr<T> Remove(const void* handle) {
    absl::MutexLock lock(mutex_);
    const auto found = objects_.find(handle);
    if (found == objects_.end()) return nullptr;
    std::shared_ptr<T> object = std::move(found->second);
    objects_.erase(found);
    return object;
  }

  std::vector<std::shared_ptr<T>> All() const {
    std::vector<std::shared_ptr<T>> all;
    absl::ReaderMutexLock lock(mutex_);
    for (const auto& [key, object] : objects_) all.push_back(object);
    return all;
  }

  // Ends the handles for which `predicate` is true, and gives what they named.
  template <typename Predicate>
  std::vector<std::shared_ptr<T>> RemoveIf(const Predicate& predicate) {
    std::vector<std::shared_ptr<T>> removed;
    absl::MutexLock lock(mutex_);
    for (auto it = objects_.begin(); it != objects_.end();) {
      if (predicate(*it->second)) {
        removed.push_back(std::move(it->second));
        objects_.erase(it++);
      } else {
        ++it;
      }
    }
    return removed;
  }

 private:
  mutable absl::Mutex mutex_;
  absl::flat_hash_map<const void*, std::shared_ptr<T>> objects_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace warpyard::emulator::driver

#endif  // WARPYARD_CC_EMULATOR_DRIVER_HANDLES_H_
