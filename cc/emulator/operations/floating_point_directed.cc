// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/operations/floating_point_directed.h"

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "cc/emulator/execution/warp.h"
#include "cc/numerics/small_float.h"

namespace warpyard::emulator {
namespace {

using syntax::ScalarType;

// Sets the rounding of this thread for its scope. Rows are computed behind a
// call that the compiler cannot look into, so nothing moves across.
class RoundingScope {
 public:
  explicit RoundingScope(FloatRounding rounding)
      : nearest_(rounding == FloatRounding::kNearestEven) {
    static constexpr int kModes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    if (!nearest_) std::fesetround(kModes[static_cast<int>(rounding)]);
  }
  ~RoundingScope() {
    if (!nearest_) std::fesetround(FE_TONEAREST);
  }

 private:
  const bool nearest_;
};

template <class T>
struct Operands {
  T a[64], b[64], c[64], r[64];
};

template <class T>
[[gnu::noinline]] void ComputeRow(FloatOperation operation, Operands<T>& o, int count) {
  switch (operation) {
    case FloatOperation::kAdd:
      for (int i = 0; i < count; ++i) o.r[i] = o.a[i] + o.b[i];
      break;
    case FloatOperation::kSub:
      for (int i = 0; i < count; ++i) o.r[i] = o.a[i] - o.b[i];
      break;
    case FloatOperation::kMul:
      for (int i = 0; i < count; ++i) o.r[i] = o.a[i] * o.b[i];
      break;
    case FloatOperation::kFma:
      for (int i = 0; i < count; ++i) o.r[i] = std::fma(o.a[i], o.b[i], o.c[i]);
      break;
    case FloatOperation::kDiv:
      for (int i = 0; i < count; ++i) o.r[i] = o.a[i] / o.b[i];
      break;
    case FloatOperation::kSqrt:
      for (int i = 0; i < count; ++i) o.r[i] = std::sqrt(o.a[i]);
      break;
    case FloatOperation::kReciprocal:
      for (int i = 0; i < count; ++i) o.r[i] = T{1} / o.a[i];
      break;
    default:
      break;
  }
}

template <class T>
T Flush(T x) {
  return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(T{0}, x) : x;
}

template <class T>
T Nan(T a, T b, T c) {
  if constexpr (sizeof(T) == 4) {
    return std::bit_cast<float>(0x7fffffffu);
  } else {
    for (T x : {a, b, c}) {
      if (std::isnan(x)) {
        return std::bit_cast<double>(std::bit_cast<uint64_t>(x) | 0x0008000000000000u);
      }
    }
    return std::bit_cast<double>(uint64_t{0xfff8000000000000u});
  }
}

constexpr int SourceCount(FloatOperation operation) {
  switch (operation) {
    case FloatOperation::kFma:
      return 3;
    case FloatOperation::kSqrt:
    case FloatOperation::kReciprocal:
      return 1;
    default:
      return 2;
  }
}

// One source of a row, as T. kLanes values lie in each lane.
template <class T, int kParts>
void LoadSource(const Warp& warp, RowRef ref, int narrow, bool ftz, T* values) {
  if constexpr (sizeof(T) == 4) {
    if (narrow != 0) {
      const uint32_t* row = warp.Row<uint32_t>(ref);
      for (int i = 0; i < kWarpSize; ++i) {
        values[i] = static_cast<float>(DecodeFloat(narrow == 1 ? kF16 : kBF16, row[i] & 0xffff));
      }
      return;
    }
  }
  const T* row = warp.Row<T>(ref);
  for (int i = 0; i < kWarpSize * kParts; ++i) values[i] = ftz ? Flush(row[i]) : row[i];
}

template <FloatOperation kOperation, class T, int kParts>
Next Run(Warp& warp, const Instruction& in, uint32_t mask) {
  constexpr int kSources = SourceCount(kOperation);
  constexpr int kCount = kWarpSize * kParts;
  const FloatModifiers m = FloatModifiers::Unpack(in.flags);
  Operands<T> o;
  // Of the operands that an operation has, all but the last can be narrow.
  LoadSource<T, kParts>(warp, in.rows[1], m.narrow_sources, m.ftz, o.a);
  if constexpr (kSources > 1) {
    LoadSource<T, kParts>(warp, in.rows[2], kSources == 3 ? m.narrow_sources : 0, m.ftz, o.b);
  }
  if constexpr (kSources > 2) LoadSource<T, kParts>(warp, in.rows[3], 0, m.ftz, o.c);
  asm volatile("" : : "r"(&o) : "memory");
  {
    const RoundingScope scope(m.rounding);
    asm volatile("" : : "r"(&o) : "memory");
    ComputeRow<T>(kOperation, o, kCount);
    asm volatile("" : : "r"(&o) : "memory");
  }
  T* d = warp.Row<T>(in.rows[0]);
  for (int i = 0; i < kCount; ++i) {
    if ((mask >> (i / kParts) & 1) == 0) continue;
    T r = o.r[i];
    if (m.ftz) r = Flush(r);
    if (m.saturate) {
      r = !(r > 0) ? T{0} : r < 1 ? r : T{1};
    } else if (std::isnan(r)) {
      r = Nan(o.a[i], kSources > 1 ? o.b[i] : T{0}, kSources > 2 ? o.c[i] : T{0});
    }
    d[i] = r;
  }
  return Next::kAdvance;
}

template <FloatOperation kOperation>
Handler ByType(ScalarType type) {
  switch (type) {
    case ScalarType::kF32:
      return &Run<kOperation, float, 1>;
    case ScalarType::kF64:
      return &Run<kOperation, double, 1>;
    case ScalarType::kF32x2:
      return &Run<kOperation, float, 2>;
    default:
      return nullptr;
  }
}

}  // namespace

Handler DirectedFloatHandler(FloatOperation operation, ScalarType type) {
  switch (operation) {
    case FloatOperation::kAdd:
      return ByType<FloatOperation::kAdd>(type);
    case FloatOperation::kSub:
      return ByType<FloatOperation::kSub>(type);
    case FloatOperation::kMul:
      return ByType<FloatOperation::kMul>(type);
    case FloatOperation::kFma:
      return ByType<FloatOperation::kFma>(type);
    case FloatOperation::kDiv:
      return ByType<FloatOperation::kDiv>(type);
    case FloatOperation::kSqrt:
      return ByType<FloatOperation::kSqrt>(type);
    case FloatOperation::kReciprocal:
      return ByType<FloatOperation::kReciprocal>(type);
    default:
      return nullptr;
  }
}

}  // namespace warpyard::emulator
