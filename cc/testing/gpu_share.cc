// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/testing/gpu_share.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "cc/base/environment.h"
#include "cc/base/file.h"
#include "cc/base/file_lock.h"
#include "cc/base/status_macros.h"

namespace warpyard::testing {
namespace {

// Sleeps a little longer each time.
class Wait {
 public:
  void operator()() {
    absl::SleepFor(time_);
    time_ = std::min(time_ * 1.5, absl::Milliseconds(250));
  }

 private:
  absl::Duration time_ = absl::Milliseconds(5);
};

// Any user's test may come next.
void OpenToAll(const std::string& path) {
  std::error_code ignored;
  std::filesystem::permissions(path,
                               std::filesystem::perms::owner_all |
                                   std::filesystem::perms::group_all |
                                   std::filesystem::perms::others_all,
                               ignored);
}

}  // namespace

std::string GpuLockFolder(const Environment& environment) {
  if (const auto folder = environment.Get("WARPYARD_GPU_LOCKS"); folder.has_value()) return *folder;
  std::error_code ignored;
  const std::filesystem::path shared = "/dev/shm";
  const std::filesystem::path root = std::filesystem::is_directory(shared, ignored)
                                         ? shared
                                         : std::filesystem::temp_directory_path(ignored);
  return (root / "warpyard-gpu-locks").string();
}

int GpuSlotsNeeded(int64_t memory, int64_t total, int gpus) {
  if (gpus > 1 || memory <= 0 || memory >= total) return kGpuSlots;
  // Of the slots' size, rounded down so that their sum is never more than there is.
  const int64_t slot = std::max<int64_t>(total / kGpuSlots, 1);
  return static_cast<int>(std::min<int64_t>((memory + slot - 1) / slot, kGpuSlots));
}

absl::StatusOr<std::vector<FileLock>> AcquireGpuSlots(int slots, const std::string& folder) {
  WARPYARD_RETURN_IF_ERROR(MakeFolders(folder));
  OpenToAll(folder);
  const auto acquire = [&folder](const std::string& name) {
    const std::string path = absl::StrCat(folder, "/", name);
    absl::StatusOr<FileLock> lock = FileLock::TryAcquire(path);
    if (lock.ok()) OpenToAll(path);
    return lock;
  };
  absl::StatusOr<FileLock> queue = acquire("queue");
  for (Wait wait; absl::IsUnavailable(queue.status()); queue = acquire("queue")) wait();
  WARPYARD_RETURN_IF_ERROR(queue.status());

  std::vector<FileLock> held;
  std::vector<bool> mine(kGpuSlots, false);
  for (Wait wait;; wait()) {
    for (int i = 0; i < kGpuSlots && held.size() < static_cast<size_t>(slots); ++i) {
      if (mine[i]) continue;
      absl::StatusOr<FileLock> lock = acquire(absl::StrCat("slot-", i));
      if (absl::IsUnavailable(lock.status())) continue;
      WARPYARD_RETURN_IF_ERROR(lock.status());
      mine[i] = true;
      held.push_back(*std::move(lock));
    }
    if (held.size() >= static_cast<size_t>(slots)) return held;
  }
}

}  // namespace warpyard::testing
