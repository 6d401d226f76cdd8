// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/operations/atomic_lane.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

#include "absl/synchronization/mutex.h"
#include "cc/emulator/execution/warp.h"
#include "cc/emulator/operations/vector_regions.h"
#include "cc/emulator/program/program.h"
#include "cc/emulator/syntax/ast.h"

namespace warpyard::emulator {
namespace {

using syntax::ScalarType;

#include "cc/emulator/operations/row_map.inc"
// After row_map.inc.
#include "cc/emulator/operations/float_values.inc"
// After float_values.inc.
#include "cc/emulator/operations/half_values.inc"

template <class U, class F>
uint64_t Update(std::byte* memory, F f) {
  U* const p = reinterpret_cast<U*>(memory);
  U old = __atomic_load_n(p, __ATOMIC_RELAXED);
  U next = f(old);
  while (!__atomic_compare_exchange_n(p, &old, next, /*weak=*/true, __ATOMIC_SEQ_CST,
                                      __ATOMIC_RELAXED)) {
    next = f(old);
  }
  return old;
}

template <class U>
uint64_t Add(std::byte* memory, uint64_t b, uint64_t) {
  return __atomic_fetch_add(reinterpret_cast<U*>(memory), static_cast<U>(b), __ATOMIC_SEQ_CST);
}
template <class U>
uint64_t And(std::byte* memory, uint64_t b, uint64_t) {
  return __atomic_fetch_and(reinterpret_cast<U*>(memory), static_cast<U>(b), __ATOMIC_SEQ_CST);
}
template <class U>
uint64_t Or(std::byte* memory, uint64_t b, uint64_t) {
  return __atomic_fetch_or(reinterpret_cast<U*>(memory), static_cast<U>(b), __ATOMIC_SEQ_CST);
}
template <class U>
uint64_t Xor(std::byte* memory, uint64_t b, uint64_t) {
  return __atomic_fetch_xor(reinterpret_cast<U*>(memory), static_cast<U>(b), __ATOMIC_SEQ_CST);
}
template <class U>
uint64_t Exchange(std::byte* memory, uint64_t b, uint64_t) {
  return __atomic_exchange_n(reinterpret_cast<U*>(memory), static_cast<U>(b), __ATOMIC_SEQ_CST);
}
template <class U>
uint64_t CompareAndSwap(std::byte* memory, uint64_t b, uint64_t c) {
  U expected = static_cast<U>(b);
  __atomic_compare_exchange_n(reinterpret_cast<U*>(memory), &expected, static_cast<U>(c),
                              /*weak=*/false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return expected;
}
// S: the type that is compared, U: its bits.
template <class S, class U>
uint64_t Min(std::byte* memory, uint64_t b, uint64_t) {
  return Update<U>(
      memory, [b](U a) { return static_cast<U>(std::min(static_cast<S>(a), static_cast<S>(b))); });
}
template <class S, class U>
uint64_t Max(std::byte* memory, uint64_t b, uint64_t) {
  return Update<U>(
      memory, [b](U a) { return static_cast<U>(std::max(static_cast<S>(a), static_cast<S>(b))); });
}
// PTX ISA, "atom": inc is (a >= b) ? 0 : a + 1, dec is (a == 0 || a > b) ? b : a - 1.
uint64_t Increment(std::byte* memory, uint64_t b, uint64_t) {
  const uint32_t limit = static_cast<uint32_t>(b);
  return Update<uint32_t>(memory, [limit](uint32_t a) { return a >= limit ? 0 : a + 1; });
}
uint64_t Decrement(std::byte* memory, uint64_t b, uint64_t) {
  const uint32_t limit = static_cast<uint32_t>(b);
  return Update<uint32_t>(memory,
                          [limit](uint32_t a) { return a == 0 || a > limit ? limit : a - 1; });
}

float Flush(float x) { return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x; }

template <bool kFlush>
uint64_t AddF32(std::byte* memory, uint64_t b, uint64_t) {
  const float addend = Bits<float>(static_cast<uint32_t>(b));
  return Update<uint32_t>(memory, [addend](uint32_t bits) {
    const float a = Bits<float>(bits);
    const float sum = kFlush ? Flush(Flush(a) + Flush(addend)) : a + addend;
    // The canonical NaN of PTX.
    return std::isnan(sum) ? 0x7fffffffu : Bits<uint32_t>(sum);
  });
}

uint64_t AddF64(std::byte* memory, uint64_t b, uint64_t) {
  const double addend = Bits<double>(b);
  return Update<uint64_t>(
      memory, [addend](uint64_t bits) { return Bits<uint64_t>(Bits<double>(bits) + addend); });
}

// f16 and bf16. The sum of two values of 11 or 8 significant bits, rounded to 24
// and then to theirs, is the sum rounded once.
struct F16 {
  static float From(uint32_t h) { return F16ToFloat(h); }
  static uint32_t To(float x) { return FloatToF16(x); }
  static bool IsNan(uint32_t h) { return (h & 0x7fff) > 0x7c00; }
};
struct Bf16 {
  static float From(uint32_t h) { return Bf16ToFloat(h); }
  static uint32_t To(float x) { return FloatToBf16(x); }
  static bool IsNan(uint32_t h) { return (h & 0x7fff) > 0x7f80; }
};

enum class HalfOp { kAdd, kMin, kMax };

template <class T, HalfOp kOp>
uint32_t CombineHalf(uint32_t a, uint32_t b) {
  if constexpr (kOp == HalfOp::kAdd) {
    const float sum = T::From(a) + T::From(b);
    return std::isnan(sum) ? 0x7fff : T::To(sum);
  } else {
    if (T::IsNan(a)) return T::IsNan(b) ? 0x7fff : b;
    if (T::IsNan(b)) return a;
    // Bits as an order: -0 is less than +0.
    const auto key = [](uint32_t h) {
      return (h & 0x8000) != 0 ? -static_cast<int32_t>(h & 0x7fff) - 1 : static_cast<int32_t>(h);
    };
    const bool a_less = key(a) < key(b);
    return (kOp == HalfOp::kMin) == a_less ? a : b;
  }
}

template <class T, HalfOp kOp>
uint64_t Half(std::byte* memory, uint64_t b, uint64_t) {
  const uint32_t other = static_cast<uint16_t>(b);
  return Update<uint16_t>(
      memory, [other](uint16_t a) { return static_cast<uint16_t>(CombineHalf<T, kOp>(a, other)); });
}

template <class T, HalfOp kOp>
uint64_t HalfPair(std::byte* memory, uint64_t b, uint64_t) {
  const uint32_t other = static_cast<uint32_t>(b);
  return Update<uint32_t>(memory, [other](uint32_t a) {
    return (CombineHalf<T, kOp>(a & 0xffff, other & 0xffff) & 0xffff) |
           CombineHalf<T, kOp>(a >> 16, other >> 16) << 16;
  });
}

template <class T>
LaneAtomic FindHalf(std::string_view operation, bool pair) {
  if (operation == "add") return pair ? HalfPair<T, HalfOp::kAdd> : Half<T, HalfOp::kAdd>;
  if (operation == "min") return pair ? HalfPair<T, HalfOp::kMin> : Half<T, HalfOp::kMin>;
  if (operation == "max") return pair ? HalfPair<T, HalfOp::kMax> : Half<T, HalfOp::kMax>;
  return nullptr;
}

template <class U>
LaneAtomic FindInteger(std::string_view operation, bool is_signed) {
  using S = std::make_signed_t<U>;
  if (operation == "add") return Add<U>;
  if (operation == "and") return And<U>;
  if (operation == "or") return Or<U>;
  if (operation == "xor") return Xor<U>;
  if (operation == "exch") return Exchange<U>;
  if (operation == "cas") return CompareAndSwap<U>;
  if (operation == "min") return is_signed ? Min<S, U> : Min<U, U>;
  if (operation == "max") return is_signed ? Max<S, U> : Max<U, U>;
  if constexpr (sizeof(U) == 4) {
    if (operation == "inc") return Increment;
    if (operation == "dec") return Decrement;
  }
  return nullptr;
}

}  // namespace

LaneAtomic FindLaneAtomic(std::string_view operation, ScalarType type, bool flush) {
  switch (type) {
    case ScalarType::kB16:
      return operation == "cas"    ? CompareAndSwap<uint16_t>
             : operation == "exch" ? Exchange<uint16_t>
                                   : nullptr;
    case ScalarType::kB32:
    case ScalarType::kU32:
      return FindInteger<uint32_t>(operation, false);
    case ScalarType::kS32:
      return FindInteger<uint32_t>(operation, true);
    case ScalarType::kB64:
    case ScalarType::kU64:
      return FindInteger<uint64_t>(operation, false);
    case ScalarType::kS64:
      return FindInteger<uint64_t>(operation, true);
    case ScalarType::kF32:
      if (operation == "exch") return Exchange<uint32_t>;
      return operation != "add" ? nullptr : flush ? AddF32<true> : AddF32<false>;
    case ScalarType::kF64:
      if (operation == "exch") return Exchange<uint64_t>;
      return operation == "add" ? AddF64 : nullptr;
    case ScalarType::kF16:
      return FindHalf<F16>(operation, false);
    case ScalarType::kBf16:
      return FindHalf<Bf16>(operation, false);
    case ScalarType::kF16x2:
      return FindHalf<F16>(operation, true);
    case ScalarType::kBf16x2:
      return FindHalf<Bf16>(operation, true);
    default:
      return nullptr;
  }
}

void Atomic128(std::byte* memory, const uint64_t* compare, const uint64_t* value, uint64_t* old) {
  // Few programs use these: one lock for all of them.
  static absl::Mutex& mutex = *new absl::Mutex;
  absl::MutexLock lock(mutex);
  std::memcpy(old, memory, 16);
  if (compare != nullptr && (compare[0] != old[0] || compare[1] != old[1])) return;
  std::memcpy(memory, value, 16);
}

}  // namespace warpyard::emulator
