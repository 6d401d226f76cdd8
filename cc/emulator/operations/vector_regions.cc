// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/operations/vector_regions.h"

#include <cstdlib>

namespace warpyard::emulator {

bool UseAvx2() {
#if WARPYARD_HAS_AVX2_REGION
  static const bool use = [] {
    const char* baseline = std::getenv("WARPYARD_EMULATOR_BASELINE");
    if (baseline != nullptr && baseline[0] == '1') return false;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("f16c") && __builtin_cpu_supports("bmi2");
  }();
  return use;
#else
  return false;
#endif
}

}  // namespace warpyard::emulator
