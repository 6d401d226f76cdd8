// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Tests of several processes on one machine's GPUs: those whose memory fits
// run together.
//
// The memory is divided into slots, each with a lock file; a test takes as many
// as what it declares needs, and all of them when it declares nothing or uses
// several GPUs. Who takes slots holds the lock `queue` meanwhile, so tests are
// admitted in turn, and a big one waits but is never passed for ever. The
// system gives locks back when a process ends, however that happens.
// python/warpyard/testing/gpu_share.py takes the same locks.

#ifndef WARPYARD_CC_TESTING_GPU_SHARE_H_
#define WARPYARD_CC_TESTING_GPU_SHARE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cc/base/environment.h"
#include "cc/base/file_lock.h"

namespace warpyard::testing {

inline constexpr int kGpuSlots = 64;

// Where the lock files are: WARPYARD_GPU_LOCKS, or a folder that sandboxes
// share.
std::string GpuLockFolder(const Environment& environment);

// How many of the slots a test takes that uses `memory` bytes (0: it does not
// say) of each of `gpus` GPUs with `total` bytes.
int GpuSlotsNeeded(int64_t memory, int64_t total, int gpus);

// Waits until that many slots (at most kGpuSlots) are free, and takes them until
// what it returns is destroyed or the process ends. Errors are those of making
// the folder and files.
absl::StatusOr<std::vector<FileLock>> AcquireGpuSlots(int slots, const std::string& folder);

}  // namespace warpyard::testing

#endif  // WARPYARD_CC_TESTING_GPU_SHARE_H_
