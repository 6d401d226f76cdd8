// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/operations/integer.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "cc/emulator/execution/warp.h"
#include "cc/emulator/operations/vector_regions.h"

namespace warpyard::emulator {
namespace {

using syntax::ScalarType;

WARPYARD_BEGIN_BASELINE
namespace baseline {
#include "cc/emulator/operations/row_map.inc"
// After row_map.inc.
#include "cc/emulator/operations/integer_rows.inc"
}  // namespace baseline
WARPYARD_END_REGION

#if WARPYARD_HAS_AVX2_REGION
WARPYARD_BEGIN_AVX2
namespace avx2 {
#include "cc/emulator/operations/row_map.inc"
// After row_map.inc.
#include "cc/emulator/operations/integer_rows.inc"
}  // namespace avx2
WARPYARD_END_REGION
#endif

}  // namespace

Handler IntegerHandler(IntegerOperation operation, ScalarType type) {
#if WARPYARD_HAS_AVX2_REGION
  if (UseAvx2()) return avx2::Find(operation, type);
#endif
  return baseline::Find(operation, type);
}

}  // namespace warpyard::emulator
