// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/operations/builtin.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "cc/emulator/execution/device_heap.h"
#include "cc/emulator/execution/launch_state.h"
#include "cc/emulator/execution/memory_map.h"
#include "cc/emulator/execution/warp.h"
#include "cc/emulator/execution/warp_state.h"
#include "cc/emulator/operations/print_format.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {
namespace {

using syntax::StateSpace;

constexpr size_t kLongestString = 64 << 10;

// A zero-terminated string of device memory; nullopt after a fault.
std::optional<std::string> ReadText(Warp& warp, const Instruction& in, int lane, uint64_t address) {
  std::string text;
  while (text.size() < kLongestString) {
    const std::byte* at =
        warp.Access(in, lane, StateSpace::kNone, address + text.size(), 1, 1, AccessKind::kRead);
    if (at == nullptr) return std::nullopt;
    if (*at == std::byte{0}) break;
    text += static_cast<char>(*at);
  }
  return text;
}

Next VPrintf(Warp& warp, const Instruction& in, uint32_t mask, const CallSite& site) {
  std::string all;
  for (; mask != 0; mask &= mask - 1) {
    const int lane = std::countr_zero(mask);
    const uint64_t format_address = ReadArgument(warp, site, 0, lane);
    const uint64_t buffer = ReadArgument(warp, site, 1, lane);
    if (format_address == 0) {
      WriteCallResult(warp, site, 0, lane, ~uint64_t{0});
      continue;
    }
    const std::optional<std::string> format = ReadText(warp, in, lane, format_address);
    if (!format.has_value()) return Next::kFault;
    int arguments = 0;
    const std::optional<std::string> text = FormatPrint(
        *format,
        [&](uint64_t offset, uint32_t bytes) -> std::optional<uint64_t> {
          const std::byte* at = warp.Access(in, lane, StateSpace::kNone, buffer + offset, bytes,
                                            bytes, AccessKind::kRead);
          if (at == nullptr) return std::nullopt;
          uint64_t value = 0;
          std::memcpy(&value, at, bytes);
          return value;
        },
        [&](uint64_t address) { return ReadText(warp, in, lane, address); }, &arguments);
    if (!text.has_value()) return Next::kFault;
    all += *text;
    WriteCallResult(warp, site, 0, lane, static_cast<uint64_t>(arguments));
  }
  if (!all.empty()) warp.state->launch->Print(all);
  return Next::kAdvance;
}

// (message, file, line, function, size of a character).
Next AssertFail(Warp& warp, const Instruction& in, uint32_t mask, const CallSite& site) {
  const int lane = std::countr_zero(mask);
  std::string texts[3];
  constexpr size_t kPositions[3] = {0, 1, 3};
  for (int i = 0; i < 3; ++i) {
    const uint64_t address = ReadArgument(warp, site, kPositions[i], lane);
    if (address == 0) continue;
    const std::optional<std::string> text = ReadText(warp, in, lane, address);
    if (!text.has_value()) return Next::kFault;
    texts[i] = *text;
  }
  const auto line = static_cast<uint32_t>(ReadArgument(warp, site, 2, lane));
  return warp.RaiseFault(
      in, lane, FaultKind::kAssert,
      absl::StrFormat("%s:%u: %s: Assertion `%s` failed", texts[1], line, texts[2], texts[0]));
}

DeviceHeap& Heap(Warp& warp) {
  const LaunchConfig& config = warp.state->launch->config();
  return config.memory->Heap(config.ordinal, config.heap_bytes);
}

Next Malloc(Warp& warp, const Instruction& in, uint32_t mask, const CallSite& site) {
  DeviceHeap& heap = Heap(warp);
  for (; mask != 0; mask &= mask - 1) {
    const int lane = std::countr_zero(mask);
    WriteCallResult(warp, site, 0, lane, heap.Allocate(ReadArgument(warp, site, 0, lane)));
  }
  return Next::kAdvance;
}

Next Free(Warp& warp, const Instruction& in, uint32_t mask, const CallSite& site) {
  DeviceHeap& heap = Heap(warp);
  for (; mask != 0; mask &= mask - 1) {
    const int lane = std::countr_zero(mask);
    const uint64_t address = ReadArgument(warp, site, 0, lane);
    if (!heap.Free(address)) {
      return warp.RaiseFault(
          in, lane, FaultKind::kIllegalAddress,
          absl::StrFormat("free of 0x%x, which malloc did not give or which is free", address));
    }
  }
  return Next::kAdvance;
}

}  // namespace

Builtin FindBuiltin(std::string_view name) {
  if (name == "vprintf") return VPrintf;
  if (name == "__assertfail") return AssertFail;
  if (name == "malloc") return Malloc;
  if (name == "free") return Free;
  return nullptr;
}

}  // namespace warpyard::emulator
