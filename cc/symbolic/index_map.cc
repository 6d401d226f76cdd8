// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/symbolic/index_map.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "cc/base/status_macros.h"
#include "cc/symbolic/expr.h"
#include "cc/symbolic/index_map_text.h"
#include "cc/symbolic/interval.h"
#include "cc/symbolic/simplify.h"

namespace warpyard::symbolic {
namespace {

using Kind = Expr::Kind;

constexpr int kMaxPasses = 16;
// How many values at either end of a range are tried against a constraint.
constexpr int kMaxTries = 1024;

// The integers q with divisor * q in `in`, for a divisor of at least 1.
Interval Quotients(const Interval& in, int64_t divisor) {
  const Interval by = Interval::Point(divisor);
  return {in.CeilDiv(by).lower, in.FloorDiv(by).upper};
}

// Brings a constraint into its plain form, step by step from the root.
Constraint Plain(Constraint constraint) {
  while (!constraint.in.empty()) {
    const Expr& e = constraint.expr;
    if (e.kind() == Kind::kSum) {
      const Expr::Terms terms = e.AsTerms();
      int64_t common = 0;
      for (const auto& [atom, coefficient] : terms.terms) {
        if (coefficient == Interval::kMinusInfinity) return constraint;
        common = std::gcd(common, coefficient);
      }
      // The least of the terms, in the order of expressions, is not subtracted.
      const bool negate =
          std::min_element(terms.terms.begin(), terms.terms.end(),
                           [](const auto& a, const auto& b) { return a.first < b.first; })
              ->second < 0;
      if (terms.constant == 0 && common == 1 && !negate) return constraint;
      Interval in = constraint.in - Interval::Point(terms.constant);
      if (terms.constant == Interval::kMinusInfinity) return constraint;
      Expr::Terms rest;
      for (const auto& [atom, coefficient] : terms.terms) {
        rest.terms.emplace_back(atom, coefficient / common * (negate ? -1 : 1));
      }
      if (negate) in = -in;
      constraint = {Expr::FromTerms(std::move(rest)), Quotients(in, common)};
      continue;
    }
    const bool quotient = e.kind() == Kind::kFloorDiv || e.kind() == Kind::kCeilDiv;
    if (!quotient || !e.operands()[1].is_constant()) return constraint;
    const Interval by = Interval::Point(e.operands()[1].constant());
    const Interval margin = Interval::Point(by.lower - 1);
    const Interval multiples = constraint.in * by;
    Interval in = multiples;
    if (e.kind() == Kind::kFloorDiv) {
      in.upper = (multiples + margin).upper;
    } else {
      in.lower = (multiples - margin).lower;
    }
    constraint = {e.operands()[0], in};
  }
  return constraint;
}

}  // namespace

IndexMap::IndexMap(Ranges ranges, std::vector<Expr> results, std::vector<Constraint> constraints,
                   Names names)
    : ranges_(std::move(ranges)), results_(std::move(results)), names_(std::move(names)) {
  for (const Expr& result : results_) {
    if (result.is_undefined()) {
      *this = Undefined();
      return;
    }
  }
  for (const Constraint& constraint : constraints) AddConstraint(constraint.expr, constraint.in);
}

IndexMap IndexMap::Identity(absl::Span<const int64_t> sizes) {
  Ranges ranges;
  std::vector<Expr> results;
  for (size_t i = 0; i < sizes.size(); ++i) {
    ranges.dimensions.push_back({0, sizes[i] - 1});
    results.push_back(Expr::Dimension(static_cast<int>(i)));
  }
  return IndexMap(std::move(ranges), std::move(results));
}

IndexMap IndexMap::Undefined() {
  IndexMap map;
  map.undefined_ = true;
  return map;
}

IndexMap IndexMap::KnownEmpty(int dimensions, int results, int ranges, int runtimes) {
  IndexMap map;
  map.ranges_.dimensions.resize(dimensions);
  map.ranges_.ranges.resize(ranges);
  map.ranges_.runtimes.resize(runtimes);
  map.results_.resize(results);
  map.BecomeEmpty();
  return map;
}

void IndexMap::BecomeEmpty() {
  for (const VariableKind kind : kVariableKinds) {
    for (Interval& range : ranges_.of(kind)) range = Interval::Empty();
  }
  for (Expr& result : results_) result = Expr(0);
  constraints_.clear();
  known_empty_ = true;
}

void IndexMap::AddConstraint(const Expr& expr, const Interval& in) {
  if (undefined_ || known_empty_) return;
  if (expr.is_undefined()) {
    *this = Undefined();
    return;
  }
  const Constraint plain = Plain({expr, in});
  if (plain.in.empty()) return BecomeEmpty();
  if (plain.expr.is_constant()) {
    if (!plain.in.Contains(plain.expr.constant())) BecomeEmpty();
    return;
  }
  if (plain.in == Interval::All()) return;
  if (plain.expr.is_variable()) {
    const Variable variable = plain.expr.variable();
    std::vector<Interval>& ranges = ranges_.of(variable.kind);
    if (static_cast<size_t>(variable.index) < ranges.size()) {
      ranges[variable.index] = ranges[variable.index].Intersect(plain.in);
      return;
    }
  }
  const auto at =
      std::lower_bound(constraints_.begin(), constraints_.end(), plain,
                       [](const Constraint& a, const Constraint& b) { return a.expr < b.expr; });
  if (at != constraints_.end() && at->expr == plain.expr) {
    at->in = at->in.Intersect(plain.in);
    if (at->in.empty()) BecomeEmpty();
    return;
  }
  constraints_.insert(at, plain);
}

std::string IndexMap::ToString() const { return IndexMapToString(*this); }

absl::StatusOr<std::vector<int64_t>> IndexMap::Evaluate(const Point& point) const {
  if (undefined_) return absl::FailedPreconditionError("the map is undefined");
  std::vector<int64_t> values;
  values.reserve(results_.size());
  for (const Expr& result : results_) {
    WARPYARD_ASSIGN_OR_RETURN(const int64_t value, result.Evaluate(point));
    values.push_back(value);
  }
  return values;
}

absl::StatusOr<bool> IndexMap::InDomain(const Point& point) const {
  if (undefined_) return absl::FailedPreconditionError("the map is undefined");
  for (const VariableKind kind : kVariableKinds) {
    if (point.of(kind).size() != ranges_.of(kind).size()) {
      return absl::InvalidArgumentError("the point has other variables than the map");
    }
  }
  for (const VariableKind kind : kVariableKinds) {
    for (size_t i = 0; i < ranges_.of(kind).size(); ++i) {
      if (!ranges_.of(kind)[i].Contains(point.of(kind)[i])) return false;
    }
  }
  for (const Constraint& constraint : constraints_) {
    WARPYARD_ASSIGN_OR_RETURN(const int64_t value, constraint.expr.Evaluate(point));
    if (!constraint.in.Contains(value)) return false;
  }
  return !known_empty_;
}

// Of c x + rest in [l, u] follows c x in [l, u] - rest.
bool IndexMap::NarrowBySums(const Constraint& constraint) {
  if (constraint.expr.kind() != Kind::kSum) return false;
  bool narrowed = false;
  const Expr::Terms terms = constraint.expr.AsTerms();
  for (size_t i = 0; i < terms.terms.size(); ++i) {
    const auto& [atom, coefficient] = terms.terms[i];
    if (!atom.is_variable() || coefficient == Interval::kMinusInfinity) continue;
    const Variable variable = atom.variable();
    if (ranges_.find(variable) == nullptr) continue;
    Interval rest = Interval::Point(terms.constant);
    for (size_t k = 0; k < terms.terms.size(); ++k) {
      if (k == i) continue;
      rest = rest + RangeOf(terms.terms[k].first, ranges_) * Interval::Point(terms.terms[k].second);
    }
    Interval product = constraint.in - rest;
    if (coefficient < 0) product = -product;
    Interval& range = ranges_.of(variable.kind)[variable.index];
    const Interval narrow =
        range.Intersect(Quotients(product, coefficient < 0 ? -coefficient : coefficient));
    narrowed = narrowed || narrow != range;
    range = narrow;
  }
  return narrowed;
}

// Takes values off the ends of a range that the constraint, which is of this variable alone,
// does not allow: (d0 - 1) mod 2 in [0, 0] makes [1, 8] into [1, 7].
bool IndexMap::NarrowByTrying(const Constraint& constraint) {
  std::optional<Variable> only;
  for (const VariableKind kind : kVariableKinds) {
    for (size_t i = 0; i < ranges_.of(kind).size(); ++i) {
      const Variable variable = {kind, static_cast<int>(i)};
      if (!constraint.expr.Uses(variable)) continue;
      if (only.has_value()) return false;
      only = variable;
    }
  }
  if (!only.has_value()) return false;
  Interval& range = ranges_.of(only->kind)[only->index];
  const Interval before = range;
  Point point;
  point.of(only->kind).resize(only->index + 1);
  // An error, as of a divisor, is left to whoever evaluates the map.
  const auto allowed = [&](int64_t value) {
    point.of(only->kind)[only->index] = value;
    const absl::StatusOr<int64_t> found = constraint.expr.Evaluate(point);
    return !found.ok() || constraint.in.Contains(*found);
  };
  if (range.lower != Interval::kMinusInfinity && range.lower != Interval::kInfinity) {
    for (int i = 0; i < kMaxTries && !range.empty() && !allowed(range.lower); ++i) ++range.lower;
  }
  if (range.upper != Interval::kMinusInfinity && range.upper != Interval::kInfinity) {
    for (int i = 0; i < kMaxTries && !range.empty() && !allowed(range.upper); ++i) --range.upper;
  }
  return range != before;
}

bool IndexMap::NarrowRanges() {
  bool narrowed = false;
  for (const Constraint& constraint : constraints_) {
    narrowed = NarrowBySums(constraint) || narrowed;
    narrowed = NarrowByTrying(constraint) || narrowed;
  }
  return narrowed;
}

IndexMap IndexMap::Simplified() const {
  if (undefined_ || known_empty_) return *this;
  IndexMap map = *this;
  const auto has_empty_range = [&] {
    for (const VariableKind kind : kVariableKinds) {
      for (const Interval& range : map.ranges_.of(kind)) {
        if (range.empty()) return true;
      }
    }
    return false;
  };
  // Each pass makes ranges narrower or expressions simpler. Ranges can shrink by one for a
  // very long time (2 x = 3 y + 1), so their number is bounded.
  for (int pass = 0; pass < kMaxPasses; ++pass) {
    const IndexMap before = map;
    std::vector<Constraint> constraints;
    constraints.swap(map.constraints_);
    for (const Constraint& constraint : constraints) {
      const Expr simple = Simplify(constraint.expr, map.ranges_);
      const Interval range = RangeOf(simple, map.ranges_);
      if (constraint.in.Contains(range) && !range.empty()) continue;
      map.AddConstraint(simple, constraint.in.Intersect(range));
      if (map.known_empty_) return map;
    }
    if (has_empty_range()) {
      map.BecomeEmpty();
      return map;
    }
    map.NarrowRanges();
    if (has_empty_range()) {
      map.BecomeEmpty();
      return map;
    }
    if (map == before) break;
  }
  for (Expr& result : map.results_) result = Simplify(result, map.ranges_, map.constraints_);
  return map;
}

IndexMap IndexMap::WithoutUnusedVariables() const {
  if (undefined_) return *this;
  IndexMap map;
  map.known_empty_ = known_empty_;
  map.ranges_.dimensions = ranges_.dimensions;
  map.names_.dimensions = names_.dimensions;
  PerVariable<int> moved;
  for (const VariableKind kind : {VariableKind::kRange, VariableKind::kRuntime}) {
    for (size_t i = 0; i < ranges_.of(kind).size(); ++i) {
      const Variable variable = {kind, static_cast<int>(i)};
      const auto uses = [&](const Expr& e) { return e.Uses(variable); };
      const bool used = std::any_of(results_.begin(), results_.end(), uses) ||
                        std::any_of(constraints_.begin(), constraints_.end(),
                                    [&](const Constraint& c) { return uses(c.expr); });
      moved.of(kind).push_back(static_cast<int>(map.ranges_.of(kind).size()));
      if (!used) continue;
      map.ranges_.of(kind).push_back(ranges_.of(kind)[i]);
      const std::string* const name = names_.find(variable);
      if (name == nullptr || name->empty()) continue;
      map.names_.of(kind).resize(map.ranges_.of(kind).size());
      map.names_.of(kind).back() = *name;
    }
  }
  const auto move = [&](const Expr& e) {
    return e.Replace([&](Variable v) -> std::optional<Expr> {
      if (v.kind == VariableKind::kDimension) return std::nullopt;
      return Expr::Of({v.kind, moved.of(v.kind)[v.index]});
    });
  };
  for (const Expr& result : results_) map.results_.push_back(move(result));
  for (const Constraint& constraint : constraints_) {
    map.AddConstraint(move(constraint.expr), constraint.in);
  }
  return map;
}

}  // namespace warpyard::symbolic
