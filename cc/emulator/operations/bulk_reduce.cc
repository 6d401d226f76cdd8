// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
#include "cc/emulator/operations/bulk_reduce.h"

#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <type_traits>

#include "cc/emulator/syntax/ast.h"
#include "cc/numerics/small_float.h"

namespace warpyard::emulator {
namespace {

using syntax::ScalarType;

// Replaces each Word by f(old, value), atomically.
template <typename Word, typename F>
void ForEach(std::byte* memory, const std::byte* values, uint64_t bytes, F f) {
  for (uint64_t at = 0; at < bytes; at += sizeof(Word)) {
    Word value;
    std::memcpy(&value, values + at, sizeof(value));
    std::atomic_ref<Word> place(*reinterpret_cast<Word*>(memory + at));
    Word old = place.load(std::memory_order_relaxed);
    while (!place.compare_exchange_weak(old, f(old, value), std::memory_order_relaxed)) {
    }
  }
}

template <typename T>
T Combine(BulkOperator op, T old, T value) {
  using Unsigned = std::make_unsigned_t<T>;
  switch (op) {
    case BulkOperator::kAdd:
      return static_cast<T>(static_cast<Unsigned>(old) + static_cast<Unsigned>(value));
    case BulkOperator::kMin:
      return value < old ? value : old;
    case BulkOperator::kMax:
      return old < value ? value : old;
    case BulkOperator::kInc:
      return old >= value ? 0 : old + 1;
    case BulkOperator::kDec:
      return old == 0 || old > value ? value : old - 1;
    case BulkOperator::kAnd:
      return old & value;
    case BulkOperator::kOr:
      return old | value;
    case BulkOperator::kXor:
      return old ^ value;
  }
  return old;
}

template <typename T>
void ReduceIntegers(BulkOperator op, std::byte* memory, const std::byte* values, uint64_t bytes) {
  using Unsigned = std::make_unsigned_t<T>;
  ForEach<Unsigned>(memory, values, bytes, [op](Unsigned old, Unsigned value) {
    return static_cast<Unsigned>(Combine(op, static_cast<T>(old), static_cast<T>(value)));
  });
}

double CombineFloats(BulkOperator op, double old, double value) {
  if (op == BulkOperator::kAdd) return old + value;  // exact for 16-bit types but for one rounding
  if (std::isnan(old)) return value;
  if (std::isnan(value)) return old;
  const bool value_less = value < old || (value == old && std::signbit(value));
  return value_less == (op == BulkOperator::kMin) ? value : old;
}

void ReduceHalves(BulkOperator op, const FloatFormat& format, std::byte* memory,
                  const std::byte* values, uint64_t bytes) {
  ForEach<uint16_t>(memory, values, bytes, [&](uint16_t old, uint16_t value) {
    const double result = CombineFloats(op, DecodeFloat(format, old), DecodeFloat(format, value));
    return static_cast<uint16_t>(EncodeFloat(format, result, {.convention = Convention::kPtx}));
  });
}

}  // namespace

std::optional<BulkOperator> ParseBulkOperator(std::string_view word) {
  constexpr std::string_view kWords[] = {"add", "min", "max", "inc", "dec", "and", "or", "xor"};
  for (size_t i = 0; i < std::size(kWords); ++i) {
    if (word == kWords[i]) return static_cast<BulkOperator>(i);
  }
  return std::nullopt;
}

bool CanReduce(BulkOperator op, ScalarType type) {
  switch (type) {
    case ScalarType::kF16:
    case ScalarType::kBf16:
      return op <= BulkOperator::kMax;
    case ScalarType::kF32:
    case ScalarType::kF64:
      return op == BulkOperator::kAdd;
    case ScalarType::kS32:
    case ScalarType::kS64:
    case ScalarType::kU64:
      return op <= BulkOperator::kMax;
    case ScalarType::kU32:
      return op <= BulkOperator::kDec;
    case ScalarType::kB32:
    case ScalarType::kB64:
      return op >= BulkOperator::kAnd;
    default:
      return false;
  }
}

void Reduce(BulkOperator op, ScalarType type, std::byte* memory, const std::byte* values,
            uint64_t bytes) {
  switch (type) {
    case ScalarType::kF16:
      return ReduceHalves(op, kF16, memory, values, bytes);
    case ScalarType::kBf16:
      return ReduceHalves(op, kBF16, memory, values, bytes);
    case ScalarType::kF32:
      return ForEach<uint32_t>(memory, values, bytes, [](uint32_t old, uint32_t value) {
        return std::bit_cast<uint32_t>(std::bit_cast<float>(old) + std::bit_cast<float>(value));
      });
    case ScalarType::kF64:
      return ForEach<uint64_t>(memory, values, bytes, [](uint64_t old, uint64_t value) {
        return std::bit_cast<uint64_t>(std::bit_cast<double>(old) + std::bit_cast<double>(value));
      });
    case ScalarType::kS32:
      return ReduceIntegers<int32_t>(op, memory, values, bytes);
    case ScalarType::kS64:
      return ReduceIntegers<int64_t>(op, memory, values, bytes);
    case ScalarType::kU64:
    case ScalarType::kB64:
      return ReduceIntegers<uint64_t>(op, memory, values, bytes);
    default:
      return ReduceIntegers<uint32_t>(op, memory, values, bytes);
  }
}

}  // namespace warpyard::emulator
