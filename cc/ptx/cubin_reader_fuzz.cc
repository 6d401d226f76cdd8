// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: any bytes give a Cubin or a status.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "absl/log/check.h"
#include "cc/ptx/cubin_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const absl::StatusOr<warpyard::ptx::Cubin> cubin = warpyard::ptx::ReadCubin(bytes);
  if (cubin.ok()) {
    for (const warpyard::ptx::CubinKernel& kernel : cubin->kernels) {
      CHECK(!kernel.resources.name.empty());
      CHECK_GE(kernel.resources.static_shared_bytes, 0);
      CHECK_GE(kernel.resources.local_bytes, 0);
      CHECK_GE(kernel.resources.constant_bytes, 0);
    }
  }
  return 0;
}
