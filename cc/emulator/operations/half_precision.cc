// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/operations/half_precision.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "cc/emulator/execution/warp.h"
#include "cc/emulator/operations/vector_regions.h"
#include "cc/numerics/small_float.h"

namespace warpyard::emulator {
namespace {

using syntax::ScalarType;

WARPYARD_BEGIN_BASELINE
namespace baseline {
#include "cc/emulator/operations/row_map.inc"
// After row_map.inc.
#include "cc/emulator/operations/float_values.inc"
// After float_values.inc.
#include "cc/emulator/operations/half_values.inc"
// After float_values.inc.
#include "cc/emulator/operations/half_precision_rows.inc"
}  // namespace baseline
WARPYARD_END_REGION

#if WARPYARD_HAS_AVX2_REGION
WARPYARD_BEGIN_AVX2
namespace avx2 {
#include "cc/emulator/operations/row_map.inc"
// After row_map.inc.
#include "cc/emulator/operations/float_values.inc"
// After float_values.inc.
#include "cc/emulator/operations/half_values.inc"
// After float_values.inc.
#include "cc/emulator/operations/half_precision_rows.inc"
}  // namespace avx2
WARPYARD_END_REGION
#endif

}  // namespace

Handler HalfHandler(HalfOperation operation, ScalarType type, bool plain) {
#if WARPYARD_HAS_AVX2_REGION
  if (UseAvx2()) return avx2::Find(operation, type, plain);
#endif
  return baseline::Find(operation, type, plain);
}

namespace {

uint32_t FmaBf16(uint32_t a, uint32_t b, uint32_t c, uint32_t flags) {
  static constexpr Rounding kRoundings[] = {Rounding::kNearestEven, Rounding::kTowardZero,
                                            Rounding::kDown, Rounding::kUp};
  const double product = DecodeFloat(kBF16, a & 0xffff) * DecodeFloat(kBF16, b & 0xffff);
  const double addend = DecodeFloat(kBF16, c & 0xffff);
  double sum = baseline::SumToOdd(product, addend);
  // A sum of opposite numbers is -0 where it is rounded down.
  const auto rounding = kRoundings[flags >> 5 & 3];
  if (sum == 0 && (product != 0 || std::signbit(product) != std::signbit(addend))) {
    sum = rounding == Rounding::kDown ? -0.0 : 0.0;
  }
  FloatConversion how;
  how.rounding = rounding;
  how.convention = Convention::kPtx;
  const uint32_t r = EncodeFloat(kBF16, sum, how);
  const bool relu = (flags >> 2 & 1) != 0;
  return relu && (r & 0x8000) != 0 ? 0 : r;
}

template <bool kPair>
Next DirectedFma(Warp& warp, const Instruction& in, uint32_t mask) {
  for (; mask != 0; mask &= mask - 1) {
    const int lane = __builtin_ctz(mask);
    const uint32_t a = warp.Row<uint32_t>(in.rows[1])[lane];
    const uint32_t b = warp.Row<uint32_t>(in.rows[2])[lane];
    const uint32_t c = warp.Row<uint32_t>(in.rows[3])[lane];
    uint32_t r = FmaBf16(a, b, c, in.flags);
    if (kPair) r |= FmaBf16(a >> 16, b >> 16, c >> 16, in.flags) << 16;
    warp.Row<uint32_t>(in.rows[0])[lane] = r;
  }
  return Next::kAdvance;
}

}  // namespace

Handler DirectedHalfFma(ScalarType type) {
  if (type == ScalarType::kBf16) return &DirectedFma<false>;
  if (type == ScalarType::kBf16x2) return &DirectedFma<true>;
  return nullptr;
}

}  // namespace warpyard::emulator
