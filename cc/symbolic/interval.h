// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Closed intervals of integers. The least and the greatest int64 stand for all
// that is beyond them, so that sums and products saturate and stay sound.

#ifndef WARPYARD_CC_SYMBOLIC_INTERVAL_H_
#define WARPYARD_CC_SYMBOLIC_INTERVAL_H_

#include <algorithm>
#include <cstdint>
#include <limits>
#include <ostream>
#include <string>
#include <utility>

namespace warpyard::symbolic {

// An interval holds the integers x with lower <= x <= upper; one with lower > upper
// holds none. Each operation gives the least interval that holds the results of all
// pairs of members (of FloorDiv and the like: where the divisor is positive), or a
// greater one where it says so. Of an empty interval all results are empty.
struct Interval {
  static constexpr int64_t kMinusInfinity = std::numeric_limits<int64_t>::min();
  static constexpr int64_t kInfinity = std::numeric_limits<int64_t>::max();

  int64_t lower = kMinusInfinity;
  int64_t upper = kInfinity;

  static constexpr Interval All() { return {}; }
  static constexpr Interval Empty() { return {0, -1}; }
  static constexpr Interval Point(int64_t x) { return {x, x}; }

  constexpr bool empty() const { return lower > upper; }
  constexpr bool is_point() const { return lower == upper && bounded(); }
  constexpr bool bounded() const { return lower != kMinusInfinity && upper != kInfinity; }
  constexpr bool Contains(int64_t x) const { return lower <= x && x <= upper; }
  constexpr bool Contains(const Interval& other) const {
    return other.empty() || (lower <= other.lower && other.upper <= upper);
  }
  // How many members; kInfinity where that is no int64.
  constexpr int64_t size() const {
    if (empty()) return 0;
    int64_t size = 0;
    if (!bounded() || __builtin_sub_overflow(upper, lower, &size) ||
        __builtin_add_overflow(size, 1, &size)) {
      return kInfinity;
    }
    return size;
  }

  constexpr Interval Intersect(const Interval& other) const {
    const Interval both = {std::max(lower, other.lower), std::min(upper, other.upper)};
    return both.empty() ? Empty() : both;
  }
  // The least interval that holds both.
  constexpr Interval Union(const Interval& other) const {
    if (empty()) return other;
    if (other.empty()) return *this;
    return {std::min(lower, other.lower), std::max(upper, other.upper)};
  }

  constexpr Interval operator-() const {
    if (empty()) return Empty();
    return {Negate(upper), Negate(lower)};
  }
  constexpr Interval operator+(const Interval& other) const {
    if (empty() || other.empty()) return Empty();
    return {Add(lower, other.lower, kMinusInfinity), Add(upper, other.upper, kInfinity)};
  }
  constexpr Interval operator-(const Interval& other) const { return *this + -other; }
  constexpr Interval operator*(const Interval& other) const {
    if (empty() || other.empty()) return Empty();
    const int64_t corners[] = {Multiply(lower, other.lower), Multiply(lower, other.upper),
                               Multiply(upper, other.lower), Multiply(upper, other.upper)};
    return {*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4)};
  }
  constexpr Interval Min(const Interval& other) const {
    if (empty() || other.empty()) return Empty();
    return {std::min(lower, other.lower), std::min(upper, other.upper)};
  }
  constexpr Interval Max(const Interval& other) const {
    if (empty() || other.empty()) return Empty();
    return {std::max(lower, other.lower), std::max(upper, other.upper)};
  }
  // Divisors below 1 have no quotient; with none at least 1 the result is empty.
  constexpr Interval FloorDiv(const Interval& divisor) const {
    const Interval by = divisor.Intersect({1, kInfinity});
    if (empty() || by.empty()) return Empty();
    const int64_t corners[] = {Floor(lower, by.lower), Floor(lower, by.upper),
                               Floor(upper, by.lower), Floor(upper, by.upper)};
    return {*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4)};
  }
  constexpr Interval CeilDiv(const Interval& divisor) const {
    return -((-*this).FloorDiv(divisor));
  }
  // Not always the least: [0, m - 1] where the members cross a multiple of the divisor.
  constexpr Interval Mod(const Interval& divisor) const {
    const Interval by = divisor.Intersect({1, kInfinity});
    if (empty() || by.empty()) return Empty();
    int64_t base = 0;
    if (by.is_point() && bounded() && Floor(lower, by.lower) == Floor(upper, by.lower) &&
        !__builtin_mul_overflow(Floor(lower, by.lower), by.lower, &base)) {
      return {lower - base, upper - base};
    }
    const int64_t greatest = by.upper == kInfinity ? kInfinity : by.upper - 1;
    if (lower >= 0) return {upper < by.lower ? lower : 0, std::min(upper, greatest)};
    return {0, greatest};
  }

  // "[0, 7]"; "-inf" and "inf" for the ends of int64.
  std::string ToString() const {
    const auto text = [](int64_t x) {
      return x == kInfinity ? "inf" : x == kMinusInfinity ? "-inf" : std::to_string(x);
    };
    return "[" + text(lower) + ", " + text(upper) + "]";
  }

  friend constexpr bool operator==(const Interval&, const Interval&) = default;
  template <typename H>
  friend H AbslHashValue(H h, const Interval& i) {
    return H::combine(std::move(h), i.lower, i.upper);
  }
  template <typename Sink>
  friend void AbslStringify(Sink& sink, const Interval& i) {
    sink.Append(i.ToString());
  }
  friend std::ostream& operator<<(std::ostream& out, const Interval& i) {
    return out << i.ToString();
  }

  // floor(a / b) for b > 0; infinities stay.
  static constexpr int64_t Floor(int64_t a, int64_t b) {
    if (a == kInfinity || a == kMinusInfinity) return a;
    if (b == kInfinity) return a < 0 ? -1 : 0;
    const int64_t quotient = a / b;
    return a % b < 0 ? quotient - 1 : quotient;
  }

 private:
  static constexpr int64_t Negate(int64_t x) {
    if (x == kMinusInfinity) return kInfinity;
    return x == kInfinity ? kMinusInfinity : -x;
  }
  // `beyond` is what the sum of the two infinities would be at this end.
  static constexpr int64_t Add(int64_t a, int64_t b, int64_t beyond) {
    if (a == beyond || b == beyond) return beyond;
    if (a == kInfinity || a == kMinusInfinity) return a;
    if (b == kInfinity || b == kMinusInfinity) return b;
    int64_t sum = 0;
    if (!__builtin_add_overflow(a, b, &sum)) return sum;
    return a < 0 ? kMinusInfinity : kInfinity;
  }
  static constexpr int64_t Multiply(int64_t a, int64_t b) {
    if (a == 0 || b == 0) return 0;
    int64_t product = 0;
    const bool infinite =
        a == kInfinity || a == kMinusInfinity || b == kInfinity || b == kMinusInfinity;
    if (!infinite && !__builtin_mul_overflow(a, b, &product)) return product;
    return (a < 0) == (b < 0) ? kInfinity : kMinusInfinity;
  }
};

}  // namespace warpyard::symbolic

#endif  // WARPYARD_CC_SYMBOLIC_INTERVAL_H_
