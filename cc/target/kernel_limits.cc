// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/target/kernel_limits.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "cc/target/generation.h"

namespace warpyard {
namespace {

// Registers of a block as the hardware checks them: for whole warps, in units,
// with the warps spread evenly over the sub-partitions (cuda_occupancy.h,
// cudaOccMaxBlocksPerSMRegsLimit).
int64_t RegistersOfBlock(const KernelNeeds& needs, const Generation& g) {
  const auto round_up = [](int64_t a, int64_t unit) { return (a + unit - 1) / unit * unit; };
  const int64_t warps =
      round_up(needs.threads_per_block, int64_t{g.warp_size} * g.sub_partitions_per_sm) /
      g.warp_size;
  return warps *
         round_up(int64_t{needs.registers_per_thread} * g.warp_size, g.register_allocation_unit);
}

}  // namespace

absl::Status CheckKernelLimits(std::string_view kernel, const KernelNeeds& needs,
                               const Generation& generation) {
  const Generation& g = generation;
  const std::string subject =
      absl::StrCat("kernel \"", kernel, "\" on ", g.compute_capability.ToString(), ": ");
  if (needs.registers_per_thread < 0 || needs.threads_per_block < 0 ||
      needs.static_shared_memory < 0 || needs.dynamic_shared_memory < 0 ||
      needs.tensor_memory_columns < 0 || needs.cluster_size < 1) {
    return absl::InvalidArgumentError(absl::StrCat(subject, "a need is negative"));
  }

  std::vector<std::string> exceeded;
  const auto check = [&exceeded](std::string_view what, int64_t requested, int64_t available,
                                 std::string_view unit, std::string_view hint = "") {
    if (requested <= available) return true;
    exceeded.push_back(absl::StrCat(what, ": ", requested, " ", unit, " requested, ", available,
                                    " available", hint.empty() ? "" : " (", hint,
                                    hint.empty() ? "" : ")"));
    return false;
  };

  const bool threads_fit =
      check("block size", needs.threads_per_block, g.max_threads_per_block, "threads");
  const bool thread_fits = check("registers of a thread", needs.registers_per_thread,
                                 g.max_registers_per_thread, "registers");
  if (threads_fit && thread_fits) {
    check("registers of a block", RegistersOfBlock(needs, g), g.max_registers_per_block,
          "registers",
          absl::StrCat(needs.registers_per_thread, " a thread, ", needs.threads_per_block,
                       " threads"));
  }
  check("static shared memory", needs.static_shared_memory, g.shared_memory_per_block, "bytes",
        "more must be dynamic");
  // The sum of two int64 that are not negative may not be one.
  const int64_t most_dynamic = g.shared_memory_per_block_optin - needs.static_shared_memory;
  if (needs.static_shared_memory <= g.shared_memory_per_block &&
      needs.dynamic_shared_memory > most_dynamic) {
    check("shared memory", needs.dynamic_shared_memory, most_dynamic, "dynamic bytes",
          absl::StrCat(needs.static_shared_memory, " of ", g.shared_memory_per_block_optin,
                       " bytes are static"));
  }
  check("tensor memory", needs.tensor_memory_columns, g.tensor_memory_columns, "columns");
  // Where NVIDIA has not published how far it goes beyond the portable size,
  // only the driver knows.
  if (g.max_cluster_size_nonportable.has_value()) {
    check("cluster", needs.cluster_size, *g.max_cluster_size_nonportable, "blocks");
  }

  if (exceeded.empty()) return absl::OkStatus();
  return absl::ResourceExhaustedError(absl::StrCat(subject, absl::StrJoin(exceeded, "; ")));
}

}  // namespace warpyard
