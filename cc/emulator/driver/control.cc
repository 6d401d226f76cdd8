// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/driver/control.h"

#include <cstddef>
#include <cstring>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "cc/emulator/driver/api.h"
#include "cc/emulator/driver/device.h"

namespace warpyard::emulator::driver {
namespace {

constexpr size_t kMostReports = 4096;

struct State {
  std::mutex mutex;
  std::optional<std::string> devices;
  std::deque<std::string> reports;
};

// Never destroyed: threads may report while the process ends.
State& Get() {
  static State& state = *new State;
  return state;
}

}  // namespace

std::optional<std::string> ControlledDevices() {
  const std::lock_guard<std::mutex> lock(Get().mutex);
  return Get().devices;
}

bool KeepReport(std::string_view line) {
  State& state = Get();
  const std::lock_guard<std::mutex> lock(state.mutex);
  if (state.reports.size() == kMostReports) state.reports.pop_front();
  state.reports.emplace_back(line);
  return !state.devices.has_value();
}

}  // namespace warpyard::emulator::driver

#define WARPYARD_EXPORT extern "C" __attribute__((visibility("default")))

WARPYARD_EXPORT int warpyardControlVersion() { return 1; }

WARPYARD_EXPORT int warpyardSetDevices(const char* list) {
  namespace driver = warpyard::emulator::driver;
  if (list == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (driver::Driver::Get().CheckInitialized() != CUDA_ERROR_NOT_INITIALIZED) {
    return CUDA_ERROR_ILLEGAL_STATE;
  }
  const std::lock_guard<std::mutex> lock(driver::Get().mutex);
  driver::Get().devices = list;
  return CUDA_SUCCESS;
}

WARPYARD_EXPORT size_t warpyardTakeReports(char* buffer, size_t size) {
  namespace driver = warpyard::emulator::driver;
  driver::State& state = driver::Get();
  const std::lock_guard<std::mutex> lock(state.mutex);
  std::string text;
  for (const std::string& report : state.reports) {
    text += report;
    text += '\n';
  }
  const size_t needed = text.size() + 1;
  if (buffer != nullptr && size > 0) {
    const size_t copied = size < needed ? size - 1 : text.size();
    std::memcpy(buffer, text.data(), copied);
    buffer[copied] = '\0';
    if (size >= needed) state.reports.clear();
  }
  return needed;
}
