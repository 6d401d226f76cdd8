// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/execution/launch_state.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"

namespace warpyard::emulator {

Launch::Launch(const LaunchConfig& config) : config_(config) {
  const Function& function = *config.function;
  // 16 more, so that a vector load of the last parameter may be done whole.
  parameters_.resize(uint64_t{function.parameter_bytes} + 16);
  if (function.parameter_bytes != 0 && config.parameters != nullptr) {
    std::memcpy(parameters_.data(), config.parameters, function.parameter_bytes);
  }
  threads_per_block_ = static_cast<uint32_t>(config.block.count());
  cluster_size_ = static_cast<uint32_t>(config.cluster.count());
  cluster_count_ = config.grid.count() / cluster_size_;
  const ComputeCapability& capability = config.device->compute_capability();
  shared_offset_ = capability.major() >= 9 ? kReservedSharedBytes : 0;
  shared_bytes_ = DynamicSharedOffset(1) + config.dynamic_shared_bytes;
  // Not less than what the kernel's own variables need.
  local_limit_ = std::max<uint64_t>(config.local_bytes_limit,
                                    uint64_t{function.local_bytes} + function.param_bytes + 4096);
  deadline_ = config.time_limit == absl::InfiniteDuration() ? absl::InfiniteFuture()
                                                            : absl::Now() + config.time_limit;
}

uint32_t Launch::DynamicSharedOffset(uint32_t alignment) const {
  const uint32_t to = std::max<uint32_t>(16, alignment);
  return (config_.function->static_shared_bytes + to - 1) & ~(to - 1);
}

std::optional<uint64_t> Launch::TakeCluster() {
  if (fault_cluster_.load(std::memory_order_relaxed) != ~uint64_t{0}) return std::nullopt;
  if (next_cluster_.load(std::memory_order_relaxed) >= cluster_count_) return std::nullopt;
  const uint64_t taken = next_cluster_.fetch_add(1, std::memory_order_relaxed);
  if (taken >= cluster_count_) return std::nullopt;
  return taken;
}

uint64_t Launch::clusters_left() const {
  const uint64_t next = next_cluster_.load(std::memory_order_relaxed);
  return next >= cluster_count_ ? 0 : cluster_count_ - next;
}

bool Launch::Stopped(uint64_t cluster) {
  if (fault_cluster_.load(std::memory_order_relaxed) < cluster) return true;
  const bool cancelled =
      config_.cancel != nullptr && config_.cancel->load(std::memory_order_relaxed);
  if (cancelled || (deadline_ != absl::InfiniteFuture() && absl::Now() > deadline_)) {
    Fault fault;
    fault.kind = FaultKind::kTimeout;
    fault.what = cancelled ? "the launch was cancelled"
                           : absl::StrCat("the kernel ran longer than its time limit of ",
                                          absl::FormatDuration(config_.time_limit));
    fault.kernel = std::string(config_.function->name);
    SetFault(0, std::move(fault));
    return true;
  }
  return false;
}

void Launch::SetFault(uint64_t cluster, Fault fault) {
  absl::MutexLock lock(mutex_);
  if (fault_.has_value() && fault_cluster_.load(std::memory_order_relaxed) <= cluster) return;
  fault_cluster_.store(cluster, std::memory_order_relaxed);
  fault_ = std::move(fault);
}

std::optional<Fault> Launch::TakeFault() {
  absl::MutexLock lock(mutex_);
  return std::exchange(fault_, std::nullopt);
}

void Launch::Print(std::string_view text) const {
  if (config_.print != nullptr) {
    config_.print(text);
  } else {
    std::fwrite(text.data(), 1, text.size(), stdout);
  }
}

}  // namespace warpyard::emulator
