// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/execution/profile.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/strings/str_format.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {
namespace {

constexpr std::string_view kNames[kOperationClassCount] = {
    "integer", "float16", "float32",    "float64", "convert",       "move",    "predicate",
    "control", "call",    "load",       "store",   "atomic",        "barrier", "fence",
    "shuffle", "tensor",  "async copy", "special", "tensor memory", "other",
};

// Distinct values among the first `count`, which are sorted.
uint32_t Distinct(uint64_t* values, uint32_t count) {
  std::sort(values, values + count);
  return static_cast<uint32_t>(std::unique(values, values + count) - values);
}

uint32_t Sectors(const MemoryAccess& access) {
  // An aligned access of up to 32 bytes lies in one sector.
  uint64_t sectors[2 * kWarpSize];
  uint32_t count = 0;
  for (uint32_t left = access.mask; left != 0; left &= left - 1) {
    const auto at = reinterpret_cast<uint64_t>(access.memory[std::countr_zero(left)]);
    const uint64_t first = at / 32;
    const uint64_t last = (at + access.bytes - 1) / 32;
    sectors[count++] = first;
    if (last != first) sectors[count++] = last;
  }
  return Distinct(sectors, count);
}

// Rounds of one request; *least: without conflicts.
uint32_t Rounds(const MemoryAccess& access, uint32_t* least) {
  const uint32_t words = std::max<uint32_t>(1, access.bytes / 4);
  const uint32_t lanes_at_a_time = std::max<uint32_t>(1, kWarpSize / words);
  uint32_t rounds = 0;
  *least = 0;
  for (uint32_t first = 0; first < kWarpSize; first += lanes_at_a_time) {
    uint64_t touched[kWarpSize];
    uint32_t count = 0;
    for (uint32_t lane = first; lane < first + lanes_at_a_time; ++lane) {
      if ((access.mask >> lane & 1) == 0) continue;
      const auto at = reinterpret_cast<uint64_t>(access.memory[lane]) / 4;
      for (uint32_t word = 0; word < words && count < kWarpSize; ++word) {
        touched[count++] = at + word;
      }
    }
    if (count == 0) continue;
    count = Distinct(touched, count);
    uint32_t per_bank[32] = {};
    uint32_t most = 0;
    for (uint32_t i = 0; i < count; ++i) most = std::max(most, ++per_bank[touched[i] % 32]);
    rounds += most;
    ++*least;
  }
  return rounds;
}

std::string Line(std::string_view name, const Traffic& traffic) {
  return absl::StrFormat(
      "%-8s %u loads (%u bytes), %u stores (%u bytes), %u atomic operations (%u bytes)\n", name,
      traffic.load_requests, traffic.load_bytes, traffic.store_requests, traffic.store_bytes,
      traffic.atomic_requests, traffic.atomic_bytes);
}

}  // namespace

std::string_view OperationClassName(OperationClass operation_class) {
  return kNames[static_cast<int>(operation_class)];
}

void Profile::LaunchBegins(const LaunchConfig&) { ++launches; }

void Profile::BlockBegins(Block&) { ++blocks; }

void Profile::OnInstruction(Warp& warp, const Instruction& instruction, uint32_t mask,
                            uint32_t active) {
  const int index = static_cast<int>(instruction.operation_class);
  ++instructions[index];
  lanes[index] += std::popcount(mask);
  if (active != warp.live_lanes()) ++divergent_instructions;
}

void Profile::OnAccess(Warp&, const Instruction&, const MemoryAccess& access) {
  const uint64_t bytes = uint64_t{access.bytes} * std::popcount(access.mask);
  Traffic& traffic = access.space == syntax::StateSpace::kShared  ? shared
                     : access.space == syntax::StateSpace::kLocal ? local
                                                                  : global;
  switch (access.kind) {
    case AccessKind::kRead:
      ++traffic.load_requests;
      traffic.load_bytes += bytes;
      break;
    case AccessKind::kWrite:
      ++traffic.store_requests;
      traffic.store_bytes += bytes;
      break;
    case AccessKind::kAtomic:
      ++traffic.atomic_requests;
      traffic.atomic_bytes += bytes;
      break;
  }
  if (&traffic == &global) global_sectors += Sectors(access);
  if (&traffic == &shared) {
    uint32_t least = 0;
    const uint32_t rounds = Rounds(access, &least);
    shared_rounds += rounds;
    shared_conflicts += rounds - least;
  }
}

void Profile::OnBarrier(Warp&, const Instruction&, BarrierEvent event, int barrier, uint32_t,
                        bool) {
  if (event == BarrierEvent::kRelease && barrier != kWarpBarrier) ++barriers;
}

uint64_t Profile::total_instructions() const {
  uint64_t total = 0;
  for (const uint64_t count : instructions) total += count;
  return total;
}

uint64_t Profile::total_lanes() const {
  uint64_t total = 0;
  for (const uint64_t count : lanes) total += count;
  return total;
}

double Profile::sectors_per_request() const {
  const uint64_t requests = global.load_requests + global.store_requests + global.atomic_requests;
  return requests == 0 ? 0 : static_cast<double>(global_sectors) / static_cast<double>(requests);
}

double Profile::lanes_per_instruction() const {
  const uint64_t total = total_instructions();
  return total == 0 ? 0 : static_cast<double>(total_lanes()) / static_cast<double>(total);
}

std::string Profile::ToString() const {
  std::string text = absl::StrFormat(
      "%u launches, %u blocks, %u instructions of warps, %.1f lanes each, %u in divergent "
      "warps, %u barriers\n",
      launches, blocks, total_instructions(), lanes_per_instruction(), divergent_instructions,
      barriers);
  for (int i = 0; i < kOperationClassCount; ++i) {
    if (instructions[i] == 0) continue;
    absl::StrAppendFormat(&text, "  %-14s %12u\n", kNames[i], instructions[i]);
  }
  text += Line("global", global);
  absl::StrAppendFormat(&text, "         %u sectors of 32 bytes, %.2f for a request\n",
                        global_sectors, sectors_per_request());
  text += Line("shared", shared);
  absl::StrAppendFormat(&text, "         %u rounds, %u of them for bank conflicts\n", shared_rounds,
                        shared_conflicts);
  text += Line("local", local);
  return text;
}

}  // namespace warpyard::emulator
