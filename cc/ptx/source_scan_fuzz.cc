// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: what scans sources, for includes and for tensor memory, takes any
// text.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "absl/log/check.h"
#include "cc/ptx/include_closure.h"
#include "cc/ptx/tensor_memory.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const warpyard::ptx::IncludeDirective& found : warpyard::ptx::FindIncludes(text)) {
    CHECK(!found.computed || found.name.empty());
  }
  (void)warpyard::ptx::TensorMemoryColumns(text);
  return 0;
}
