// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: any text gives kernels, warnings and a status.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "absl/log/check.h"
#include "cc/ptx/log_parser.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const warpyard::ptx::ParsedLog log = warpyard::ptx::ParseCompilerLog(text, {"sm_90", "sm_121"});
  for (const warpyard::ptx::KernelResources& kernel : log.kernels) CHECK(!kernel.name.empty());
  CHECK(log.status.ok() || !log.status.message().empty());
  return 0;
}
