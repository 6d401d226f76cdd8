// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// What Warpyard's own libraries ask of the emulated driver besides CUDA's
// interface. They look these functions up by name; another driver has none.

#include <cstddef>
#include <cstring>
#include <string>

#include "cc/emulator/driver/api.h"
#include "cc/emulator/driver/device.h"

namespace d = ::warpyard::emulator::driver;

extern "C" {

// There is one: this is the emulated driver. The version of this interface.
int warpyardControlVersion() { return 1; }

// Before cuInit: poses as these GPUs ("h100,b200*2"), whatever WARPYARD_EMULATE
// and CUDA_VISIBLE_DEVICES say. A CUresult.
int warpyardSetDevices(const char* list) {
  return list == nullptr ? CUDA_ERROR_INVALID_VALUE : d::Driver::Get().SetDevices(list);
}

// Takes the lines of faults since the last call: copies at most `size` bytes with
// a terminating zero, and gives how many there are with it. A size of 0 only asks.
size_t warpyardTakeReports(char* buffer, size_t size) {
  if (buffer == nullptr || size == 0) return d::ReportBytes() + 1;
  const std::string reports = d::TakeReports();
  const size_t count = reports.size() < size ? reports.size() : size - 1;
  std::memcpy(buffer, reports.data(), count);
  buffer[count] = '\0';
  return reports.size() + 1;
}

}  // extern "C"
