// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/execution/memory_map.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/synchronization/mutex.h"
#include "cc/emulator/execution/device_heap.h"

namespace warpyard::emulator {
namespace {

constexpr size_t kRememberedRemovals = 64;

std::atomic<uint64_t> next_id{1};

// "the 400-byte allocation at 0x7f00", "the 16-byte variable 'table' at 0x…".
std::string Name(const Allocation& allocation) {
  const char* noun =
      allocation.kind == AllocationKind::kModule ? "-byte variable" : "-byte allocation";
  return absl::StrCat("the ", allocation.size, noun,
                      allocation.label.empty() ? "" : absl::StrCat(" '", allocation.label, "'"),
                      absl::StrFormat(" at 0x%x", allocation.base));
}

}  // namespace

MemoryMap::MemoryMap() : snapshot_(std::make_shared<const Snapshot>()) {}

MemoryMap::~MemoryMap() = default;

absl::Status MemoryMap::Add(Allocation allocation) {
  if (allocation.base + allocation.size < allocation.base) {
    return absl::InvalidArgumentError(absl::StrFormat("allocation of %u bytes at 0x%x wraps around",
                                                      allocation.size, allocation.base));
  }
  allocation.id = next_id.fetch_add(1, std::memory_order_relaxed);
  absl::MutexLock lock(mutex_);
  const auto at =
      std::upper_bound(snapshot_->begin(), snapshot_->end(), allocation.base,
                       [](uint64_t base, const Allocation& other) { return base < other.base; });
  const Allocation* overlapped = nullptr;
  if (at != snapshot_->begin()) {
    const Allocation& before = *std::prev(at);
    if (before.base + before.size > allocation.base || before.base == allocation.base) {
      overlapped = &before;
    }
  }
  if (at != snapshot_->end() && allocation.base + allocation.size > at->base) overlapped = &*at;
  if (overlapped != nullptr) {
    return absl::AlreadyExistsError(
        absl::StrCat(absl::StrFormat("%u bytes at 0x%x overlap ", allocation.size, allocation.base),
                     Name(*overlapped)));
  }
  auto next = std::make_shared<Snapshot>();
  next->reserve(snapshot_->size() + 1);
  next->insert(next->end(), snapshot_->begin(), at);
  // Memory that is in use again is no longer "freed".
  std::erase_if(recently_removed_, [&](const Allocation& old) {
    return old.base < allocation.base + allocation.size && allocation.base < old.base + old.size;
  });
  next->push_back(std::move(allocation));
  next->insert(next->end(), at, snapshot_->end());
  snapshot_ = std::move(next);
  version_.fetch_add(1, std::memory_order_release);
  return absl::OkStatus();
}

absl::Status MemoryMap::Remove(uint64_t base) {
  absl::MutexLock lock(mutex_);
  const auto at = std::lower_bound(
      snapshot_->begin(), snapshot_->end(), base,
      [](const Allocation& other, uint64_t wanted) { return other.base < wanted; });
  if (at == snapshot_->end() || at->base != base) {
    return absl::NotFoundError(absl::StrFormat("no allocation begins at 0x%x", base));
  }
  if (recently_removed_.size() == kRememberedRemovals) {
    recently_removed_.erase(recently_removed_.begin());
  }
  recently_removed_.push_back(*at);
  auto next = std::make_shared<Snapshot>();
  next->reserve(snapshot_->size() - 1);
  next->insert(next->end(), snapshot_->begin(), at);
  next->insert(next->end(), std::next(at), snapshot_->end());
  snapshot_ = std::move(next);
  version_.fetch_add(1, std::memory_order_release);
  return absl::OkStatus();
}

std::shared_ptr<const MemoryMap::Snapshot> MemoryMap::Get() const {
  absl::MutexLock lock(mutex_);
  return snapshot_;
}

const Allocation* MemoryMap::Find(const Snapshot& snapshot, uint64_t address) {
  const auto after = std::upper_bound(
      snapshot.begin(), snapshot.end(), address,
      [](uint64_t wanted, const Allocation& other) { return wanted < other.base; });
  if (after == snapshot.begin()) return nullptr;
  const Allocation& candidate = *std::prev(after);
  return address - candidate.base < candidate.size ? &candidate : nullptr;
}

std::string MemoryMap::Describe(uint64_t address, uint64_t bytes) const {
  absl::MutexLock lock(mutex_);
  if (address < 4096) return "a null pointer, or an offset from one";
  const auto after = std::upper_bound(
      snapshot_->begin(), snapshot_->end(), address,
      [](uint64_t wanted, const Allocation& other) { return wanted < other.base; });
  const Allocation* before = after == snapshot_->begin() ? nullptr : &*std::prev(after);
  if (before != nullptr && before->Contains(address, bytes)) {
    return absl::StrCat(address - before->base, " bytes into ", Name(*before));
  }
  if (before != nullptr && address - before->base < before->size) {
    return absl::StrCat("the last ", address + bytes - before->base - before->size,
                        " bytes are past ", Name(*before));
  }
  for (auto it = recently_removed_.rbegin(); it != recently_removed_.rend(); ++it) {
    if (it->Contains(address, 1)) {
      return absl::StrCat(address - it->base, " bytes into ", Name(*it), ", which was freed");
    }
  }
  const uint64_t past = before == nullptr ? ~uint64_t{0} : address - before->base - before->size;
  const uint64_t ahead = after == snapshot_->end() ? ~uint64_t{0} : after->base - address;
  if (before == nullptr && after == snapshot_->end()) return "there is no allocation";
  if (past <= ahead) return absl::StrCat(past, " bytes past ", Name(*before));
  return absl::StrCat(ahead, " bytes before ", Name(*after));
}

DeviceHeap& MemoryMap::Heap(int device, uint64_t bytes) {
  absl::MutexLock lock(mutex_);
  std::unique_ptr<DeviceHeap>& heap = heaps_[device];
  if (heap == nullptr) heap = std::make_unique<DeviceHeap>(*this, device, bytes);
  return *heap;
}

MemoryMap& MemoryMap::Process() {
  static MemoryMap& map = *new MemoryMap;
  return map;
}

}  // namespace warpyard::emulator
