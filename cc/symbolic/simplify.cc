// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/symbolic/simplify.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "cc/symbolic/expr.h"
#include "cc/symbolic/expr_node.h"
#include "cc/symbolic/interval.h"

namespace warpyard::symbolic {
namespace {

using Kind = Expr::Kind;

// Passes over an expression until nothing changes; more than any needs.
constexpr int kMaxPasses = 16;

class RangeFinder {
 public:
  RangeFinder(const Ranges& ranges, absl::Span<const Constraint> known)
      : ranges_(ranges), constraints_(known) {}

  Interval Find(const Expr& e) {
    switch (e.kind()) {
      case Kind::kConstant:
        return Interval::Point(e.constant());
      case Kind::kVariable: {
        const Interval* const range = ranges_.find(e.variable());
        return range == nullptr ? Interval::All() : *range;
      }
      case Kind::kUndefined:
        return Interval::All();
      default:
        break;
    }
    if (const auto found = known_.find(e.id()); found != known_.end()) return found->second.second;
    Interval range = FindInner(e);
    for (const Constraint& constraint : constraints_) {
      if (constraint.expr == e) range = range.Intersect(constraint.in);
    }
    known_.emplace(e.id(), std::make_pair(e, range));
    return range;
  }

 private:
  Interval FindInner(const Expr& e) {
    const absl::Span<const Expr> operands = e.operands();
    if (e.kind() == Kind::kSum) {
      Interval sum = Interval::Point(e.constant());
      for (size_t i = 0; i < operands.size(); ++i) {
        sum = sum + Find(operands[i]) * Interval::Point(e.coefficients()[i]);
      }
      return sum;
    }
    Interval range = Find(operands[0]);
    for (const Expr& operand : operands.subspan(1)) {
      const Interval other = Find(operand);
      switch (e.kind()) {
        case Kind::kProduct:
          range = range * other;
          break;
        case Kind::kMod:
          range = range.Mod(other);
          break;
        case Kind::kFloorDiv:
          range = range.FloorDiv(other);
          break;
        case Kind::kCeilDiv:
          range = range.CeilDiv(other);
          break;
        case Kind::kMin:
          range = range.Min(other);
          break;
        default:
          range = range.Max(other);
      }
    }
    return range;
  }

  const Ranges& ranges_;
  const absl::Span<const Constraint> constraints_;
  // The expressions are kept, so that no other can take their place in memory.
  std::unordered_map<const void*, std::pair<Expr, Interval>> known_;
};

class Simplifier {
 public:
  Simplifier(const Ranges& ranges, absl::Span<const Constraint> known) : finder_(ranges, known) {}

  Expr Run(const Expr& e) {
    Expr current = e;
    for (int pass = 0; pass < kMaxPasses; ++pass) {
      const Expr next = Visit(current);
      if (next == current) break;
      current = next;
    }
    return current;
  }

 private:
  Expr Visit(const Expr& e) {
    if (e.is_constant() || e.is_undefined()) return e;
    if (e.is_variable()) {
      const Interval range = finder_.Find(e);
      return range.is_point() ? Expr(range.lower) : e;
    }
    if (const auto found = known_.find(e.id()); found != known_.end()) return found->second.second;
    Expr result = Rebuild(e, [&](const Expr& operand) { return Visit(operand); });
    if (result.is_undefined()) result = e;
    // Each step makes the expression smaller, or takes a quotient or a remainder apart.
    for (int step = 0; step < kMaxPasses; ++step) {
      std::optional<Expr> next = Step(result);
      if (!next.has_value() || next->is_undefined() || next->size() > result.size() ||
          *next == result) {
        break;
      }
      result = *std::move(next);
    }
    if (result.size() > e.size()) result = e;
    known_.emplace(e.id(), std::make_pair(e, result));
    return result;
  }

  std::optional<Expr> Step(const Expr& e) {
    if (e.is_constant()) return std::nullopt;
    const Interval range = finder_.Find(e);
    if (range.is_point()) return Expr(range.lower);
    switch (e.kind()) {
      case Kind::kSum:
        return StepSum(e);
      case Kind::kFloorDiv:
        return StepFloorDiv(e);
      case Kind::kCeilDiv:
        return StepCeilDiv(e);
      case Kind::kMod:
        return StepMod(e);
      case Kind::kMin:
      case Kind::kMax:
        return StepChoice(e);
      default:
        return std::nullopt;
    }
  }

  // Puts quotients and remainders together again. Each is rewritten by
  //   c floor(a / c) = a - a mod c            c (floor(a / c) mod m) = a mod (c m) - a mod c
  // and kept where the sum is smaller for it: where the other half was there.
  std::optional<Expr> StepSum(const Expr& e) {
    std::optional<Expr> best;
    for (size_t i = 0; i < e.operands().size(); ++i) {
      const Expr& term = e.operands()[i];
      const int64_t coefficient = e.coefficients()[i];
      const bool wrapped = term.kind() == Kind::kMod && term.operands()[1].is_constant();
      const Expr& quotient = wrapped ? term.operands()[0] : term;
      if (quotient.kind() != Kind::kFloorDiv) continue;
      const Expr& a = quotient.operands()[0];
      const Expr& divisor = quotient.operands()[1];
      if (!divisor.is_constant()) {
        // By what is no number the term has to be a product: see StepProductOfQuotient.
        continue;
      }
      const int64_t c = divisor.constant();
      if (coefficient % c != 0) continue;
      Expr replacement = a - Mod(a, divisor);
      if (wrapped) {
        int64_t period = 0;
        if (__builtin_mul_overflow(term.operands()[1].constant(), c, &period)) continue;
        replacement = Mod(a, Expr(period)) - Mod(a, divisor);
      }
      Expr candidate = e - term * Expr(coefficient) + replacement * Expr(coefficient / c);
      if (candidate.is_undefined()) continue;
      if (candidate.size() < (best.has_value() ? best->size() : e.size())) {
        best = std::move(candidate);
      }
    }
    if (best.has_value()) return best;
    return StepProductOfQuotient(e);
  }

  // b floor(a / b) + a mod b = a, where b is no number.
  std::optional<Expr> StepProductOfQuotient(const Expr& e) {
    for (size_t i = 0; i < e.operands().size(); ++i) {
      const Expr& term = e.operands()[i];
      if (term.kind() != Kind::kProduct) continue;
      for (const Expr& factor : term.operands()) {
        if (factor.kind() != Kind::kFloorDiv || factor.operands()[1].is_constant()) continue;
        const Expr& a = factor.operands()[0];
        const Expr& b = factor.operands()[1];
        if (!(term == factor * b)) continue;
        const Expr candidate = e + (a - Mod(a, b) - term) * Expr(e.coefficients()[i]);
        if (!candidate.is_undefined() && candidate.size() < e.size()) return candidate;
      }
    }
    return std::nullopt;
  }

  // a = g * `multiple` + `rest` with g dividing the divisor and `rest` in [0, g - 1].
  struct Parts {
    int64_t g;
    Expr multiple;
    Expr rest;
  };

  // Takes from the dividend what cannot carry into the quotient.
  std::optional<Parts> TakeApart(const Expr& a, int64_t divisor) {
    const Expr::Terms all = a.AsTerms();
    std::vector<int64_t> divisors;
    for (const auto& [atom, coefficient] : all.terms) {
      const int64_t g = std::gcd(coefficient % divisor, divisor);
      if (g > 1 && std::find(divisors.begin(), divisors.end(), g) == divisors.end()) {
        divisors.push_back(g);
      }
    }
    std::sort(divisors.rbegin(), divisors.rend());
    for (const int64_t g : divisors) {
      Expr::Terms multiple, rest;
      for (const auto& [atom, coefficient] : all.terms) {
        if (coefficient % g == 0) {
          multiple.terms.emplace_back(atom, coefficient / g);
        } else {
          rest.terms.emplace_back(atom, coefficient);
        }
      }
      if (multiple.terms.empty()) continue;
      rest.constant = all.constant;
      Interval range = finder_.Find(Expr::FromTerms(rest));
      if (!range.bounded() || range.empty()) continue;
      const int64_t lower = Interval::Floor(range.lower, g);
      if (lower != Interval::Floor(range.upper, g)) continue;
      // The whole steps in the rest go to the multiple.
      int64_t shift = 0;
      if (__builtin_mul_overflow(lower, g, &shift)) continue;
      if (__builtin_sub_overflow(rest.constant, shift, &rest.constant)) continue;
      multiple.constant = lower;
      Expr kept = Expr::FromTerms(std::move(multiple)), left = Expr::FromTerms(std::move(rest));
      if (kept.is_undefined() || left.is_undefined() || left.is(0)) continue;
      return Parts{g, std::move(kept), std::move(left)};
    }
    return std::nullopt;
  }

  std::optional<Expr> StepFloorDiv(const Expr& e) {
    const Expr& a = e.operands()[0];
    const Expr& b = e.operands()[1];
    if (!b.is_constant()) {
      // 0 <= a < b
      const Interval below = finder_.Find(b - a);
      if (finder_.Find(a).lower >= 0 && below.lower >= 1) return Expr(0);
      return std::nullopt;
    }
    if (const std::optional<Parts> parts = TakeApart(a, b.constant())) {
      return FloorDiv(parts->multiple, Expr(b.constant() / parts->g));
    }
    return std::nullopt;
  }

  std::optional<Expr> StepCeilDiv(const Expr& e) {
    const Expr& a = e.operands()[0];
    const Expr& b = e.operands()[1];
    if (b.is_constant() || finder_.Find(a).lower < 1) return std::nullopt;
    // 0 < a <= b
    if (finder_.Find(b - a).lower >= 0) return Expr(1);
    return std::nullopt;
  }

  std::optional<Expr> StepMod(const Expr& e) {
    const Expr& a = e.operands()[0];
    const Expr& b = e.operands()[1];
    if (!b.is_constant()) {
      if (finder_.Find(a).lower >= 0 && finder_.Find(b - a).lower >= 1) return a;
      return std::nullopt;
    }
    const int64_t divisor = b.constant();
    const Interval range = finder_.Find(a);
    if (range.bounded() && !range.empty()) {
      const int64_t period = Interval::Floor(range.lower, divisor);
      int64_t shift = 0;
      if (period == Interval::Floor(range.upper, divisor) &&
          !__builtin_mul_overflow(period, divisor, &shift)) {
        return a - Expr(shift);
      }
    }
    if (const std::optional<Parts> parts = TakeApart(a, divisor)) {
      return Mod(parts->multiple, Expr(divisor / parts->g)) * Expr(parts->g) + parts->rest;
    }
    return std::nullopt;
  }

  // Drops what another one is never beyond.
  std::optional<Expr> StepChoice(const Expr& e) {
    const bool least = e.kind() == Kind::kMin;
    const absl::Span<const Expr> operands = e.operands();
    for (size_t i = 0; i < operands.size(); ++i) {
      for (size_t k = 0; k < operands.size(); ++k) {
        if (i == k) continue;
        const Interval by_range = finder_.Find(operands[i]) - finder_.Find(operands[k]);
        const Expr difference = operands[i] - operands[k];
        const Interval by_terms =
            difference.is_undefined() ? Interval::All() : finder_.Find(difference);
        const Interval range = by_range.Intersect(by_terms);
        // Of two that are always equal the first stays.
        const bool dropped = least ? range.lower > 0 || (range.lower == 0 && k < i)
                                   : range.upper < 0 || (range.upper == 0 && k < i);
        const bool dropped_if_equal =
            (least ? range.lower >= 0 : range.upper <= 0) && !(range == Interval::Point(0));
        if (!dropped && !dropped_if_equal) continue;
        Expr rest = operands[i == 0 ? 1 : 0];
        for (size_t other = 0; other < operands.size(); ++other) {
          if (other != i) rest = least ? Min(rest, operands[other]) : Max(rest, operands[other]);
        }
        return rest;
      }
    }
    return std::nullopt;
  }

  RangeFinder finder_;
  std::unordered_map<const void*, std::pair<Expr, Expr>> known_;
};

// The same without remainders, ceilings and maxima, and with the constants of quotients in
// [0, divisor): so that what means the same has the same form more often.
Expr Plain(const Expr& e) {
  if (e.operands().empty()) return e;
  const Expr inner = Rebuild(e, [](const Expr& operand) { return Plain(operand); });
  const auto floor = [](const Expr& a, const Expr& b) {
    if (!b.is_constant()) return FloorDiv(a, b);
    const int64_t c = b.constant();
    const Expr::Terms all = a.AsTerms();
    // Far from where a multiple of the divisor would not fit.
    constexpr int64_t kFar = int64_t{1} << 62;
    bool fits = c < kFar && all.constant > -kFar && all.constant < kFar;
    for (const auto& [atom, coefficient] : all.terms) {
      fits = fits && coefficient > -kFar && coefficient < kFar;
    }
    if (!fits) return FloorDiv(a, b);
    Expr::Terms whole, rest;
    for (const auto& [atom, coefficient] : all.terms) {
      const int64_t quotient = Interval::Floor(coefficient, c);
      whole.terms.emplace_back(atom, quotient);
      rest.terms.emplace_back(atom, coefficient - quotient * c);
    }
    whole.constant = Interval::Floor(all.constant, c);
    rest.constant = all.constant - whole.constant * c;
    return Expr::FromTerms(std::move(whole)) + FloorDiv(Expr::FromTerms(std::move(rest)), b);
  };
  switch (inner.kind()) {
    case Kind::kMod: {
      const Expr& a = inner.operands()[0];
      const Expr& b = inner.operands()[1];
      return a - b * floor(a, b);
    }
    case Kind::kFloorDiv:
      return floor(inner.operands()[0], inner.operands()[1]);
    case Kind::kCeilDiv:
      return floor(inner.operands()[0] + inner.operands()[1] - 1, inner.operands()[1]);
    case Kind::kMax: {
      Expr least = -inner.operands()[0];
      for (const Expr& other : inner.operands().subspan(1)) least = Min(least, -other);
      return -least;
    }
    default:
      return inner;
  }
}

}  // namespace

Interval RangeOf(const Expr& e, const Ranges& ranges, absl::Span<const Constraint> known) {
  return RangeFinder(ranges, known).Find(e);
}

Expr Simplify(const Expr& e, const Ranges& ranges, absl::Span<const Constraint> known) {
  return Simplifier(ranges, known).Run(e);
}

bool ProvablyEqual(const Expr& a, const Expr& b, const Ranges& ranges,
                   absl::Span<const Constraint> known) {
  if (a.is_undefined() || b.is_undefined()) return false;
  if (a == b) return true;
  const Expr x = Simplify(a, ranges, known), y = Simplify(b, ranges, known);
  if (x == y) return true;
  const Expr difference = Plain(x) - Plain(y);
  if (difference.is_undefined()) return false;
  return Simplify(difference, ranges, known).is(0) ||
         RangeOf(difference, ranges, known) == Interval::Point(0);
}

}  // namespace warpyard::symbolic
