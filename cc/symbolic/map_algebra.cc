// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/symbolic/map_algebra.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "cc/base/status_macros.h"
#include "cc/symbolic/expr.h"
#include "cc/symbolic/index_map.h"
#include "cc/symbolic/interval.h"
#include "cc/symbolic/simplify.h"

namespace warpyard::symbolic {
namespace {

using Kind = Expr::Kind;

// Names of `first`, then those of `second` that are not among them.
Names JoinNames(const IndexMap& first, const IndexMap& second) {
  Names names = first.names();
  std::set<std::string> taken;
  for (const VariableKind kind : kVariableKinds) {
    for (size_t i = 0; i < first.ranges().of(kind).size(); ++i) {
      taken.insert(VariableName({kind, static_cast<int>(i)}, names));
    }
  }
  for (const VariableKind kind : {VariableKind::kRange, VariableKind::kRuntime}) {
    const size_t shift = first.ranges().of(kind).size();
    const std::vector<std::string>& own = second.names().of(kind);
    for (size_t i = 0; i < own.size(); ++i) {
      if (own[i].empty() || !taken.insert(own[i]).second) continue;
      names.of(kind).resize(shift + i + 1);
      names.of(kind)[shift + i] = own[i];
    }
  }
  return names;
}

// Finds the values of the parts that results are made of, from the results down.
class Inverter {
 public:
  explicit Inverter(const IndexMap& map) : map_(map) {}

  // Expressions of the inverse's dimensions for those of the map.
  absl::StatusOr<std::vector<Expr>> Find() {
    for (size_t i = 0; i < map_.results().size(); ++i) {
      Learn(map_.results()[i], Expr::Dimension(static_cast<int>(i)));
    }
    for (const Constraint& constraint : map_.constraints()) {
      if (constraint.in.is_point()) Learn(constraint.expr, Expr(constraint.in.lower));
    }
    // What is known can be a digit of a number, the number a sum, and a part of that what
    // leads on.
    for (size_t known = 0; known != known_.size();) {
      known = known_.size();
      for (size_t i = 0; i < known; ++i) {
        const auto [part, value] = known_[i];
        TakeApart(part, value);
        const std::optional<Expr> number = NumberOf(part);
        if (!number.has_value()) continue;
        if (const std::optional<Expr> whole = FromDigits(*number)) Learn(*number, *whole);
      }
    }
    std::vector<Expr> values;
    for (int i = 0; i < map_.dimension_count(); ++i) {
      const Interval range = map_.ranges().dimensions[i];
      if (range.is_point()) {
        values.emplace_back(range.lower);
        continue;
      }
      const std::optional<Expr> value = Known(Expr::Dimension(i));
      if (!value.has_value()) {
        return absl::UnimplementedError(absl::StrCat(
            "cannot find dimension ", VariableName({VariableKind::kDimension, i}, map_.names()),
            " from the results of ", map_.ToString()));
      }
      values.push_back(*value);
    }
    return values;
  }

 private:
  std::optional<Expr> Known(const Expr& part) const {
    for (const auto& [known, value] : known_) {
      if (known == part) return value;
    }
    return std::nullopt;
  }

  void Learn(const Expr& e, const Expr& value) {
    if (!e.is_constant() && !Known(e).has_value()) known_.emplace_back(e, value);
  }

  // `e` has this value. If it is a sum, its parts are taken from it, the heaviest first,
  // where all that is lighter cannot reach the weight of the next one.
  void TakeApart(const Expr& e, const Expr& value) {
    if (e.kind() != Kind::kSum) return;
    struct Part {
      Expr atom;
      Interval range;
      int64_t weight;
    };
    std::vector<Part> parts;
    Expr rest = value - Expr(e.constant());
    for (size_t i = 0; i < e.operands().size(); ++i) {
      Part part = {e.operands()[i], RangeOf(e.operands()[i], map_.ranges()), e.coefficients()[i]};
      if (const std::optional<Expr> known = Known(part.atom)) {
        rest = rest - *known * Expr(part.weight);
        continue;
      }
      if (!part.range.bounded() || part.weight == Interval::kMinusInfinity) return;
      parts.push_back(std::move(part));
    }
    std::sort(parts.begin(), parts.end(),
              [](const Part& a, const Part& b) { return std::abs(a.weight) < std::abs(b.weight); });
    Interval reach = Interval::Point(0);
    for (const Part& part : parts) {
      // w a = w lower + w (a - lower);  -w a = -w upper + w (upper - a)
      rest = rest - Expr(part.weight) * Expr(part.weight < 0 ? part.range.upper : part.range.lower);
      const int64_t weight = std::abs(part.weight);
      if (reach.upper >= weight) return;
      reach = reach + Interval{0, part.range.size() - 1} * Interval::Point(weight);
    }
    for (size_t i = parts.size(); i-- > 0;) {
      const Part& part = parts[i];
      const Expr weight = std::abs(part.weight);
      const Expr steps = FloorDiv(rest, weight);
      rest = Mod(rest, weight);
      Learn(part.atom,
            part.weight < 0 ? Expr(part.range.upper) - steps : steps + Expr(part.range.lower));
    }
  }

  // The number of which an expression is a digit: x of x / 4, x mod 4, (x / 4) mod 8.
  static std::optional<Expr> NumberOf(const Expr& part) {
    if (part.kind() == Kind::kMod && part.operands()[1].is_constant()) {
      const Expr& a = part.operands()[0];
      const bool quotient = a.kind() == Kind::kFloorDiv && a.operands()[1].is_constant();
      return quotient ? a.operands()[0] : a;
    }
    if (part.kind() == Kind::kFloorDiv && part.operands()[1].is_constant()) {
      return part.operands()[0];
    }
    return std::nullopt;
  }

  // A number whose digits are all known.
  std::optional<Expr> FromDigits(const Expr& number) const {
    const Interval range = RangeOf(number, map_.ranges());
    Expr sum = 0;
    int64_t weight = 1;
    while (true) {
      // In the form that the simplified results have it.
      const Expr quotient = Simplify(FloorDiv(number, Expr(weight)), map_.ranges());
      if (weight > 1) {
        if (const std::optional<Expr> rest = Known(quotient)) return sum + *rest * Expr(weight);
      }
      if (range.lower >= 0 && range.upper < weight) return sum;
      bool found = false;
      for (const auto& [part, value] : known_) {
        if (part.kind() != Kind::kMod || !part.operands()[1].is_constant() ||
            !(part.operands()[0] == quotient)) {
          continue;
        }
        sum = sum + value * Expr(weight);
        if (__builtin_mul_overflow(weight, part.operands()[1].constant(), &weight)) {
          return std::nullopt;
        }
        found = true;
        break;
      }
      if (!found) return std::nullopt;
    }
  }

  const IndexMap& map_;
  std::vector<std::pair<Expr, Expr>> known_;
};

// How many points the ranges hold, saturated.
int64_t BoxSize(const Ranges& ranges) {
  Interval size = Interval::Point(1);
  for (const VariableKind kind : kVariableKinds) {
    for (const Interval& range : ranges.of(kind)) {
      if (range.empty()) return 0;
      size = size * Interval::Point(range.size());
    }
  }
  return size.upper;
}

}  // namespace

absl::StatusOr<IndexMap> Compose(const IndexMap& first, const IndexMap& second) {
  if (first.is_undefined() || second.is_undefined()) return IndexMap::Undefined();
  if (first.results().size() != second.ranges().dimensions.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("a map of ", first.results().size(), " results cannot be followed by one of ",
                     second.ranges().dimensions.size(), " dimensions"));
  }
  if (first.is_known_empty() || second.is_known_empty()) {
    return IndexMap::KnownEmpty(first.dimension_count(), static_cast<int>(second.results().size()),
                                first.range_count() + second.range_count(),
                                first.runtime_count() + second.runtime_count());
  }
  const auto move = [&](const Expr& e) {
    return e.Replace([&](Variable v) -> std::optional<Expr> {
      if (v.kind == VariableKind::kDimension) return first.results()[v.index];
      const auto shift = static_cast<int>(first.ranges().of(v.kind).size());
      return Expr::Of({v.kind, v.index + shift});
    });
  };
  Ranges ranges = first.ranges();
  for (const VariableKind kind : {VariableKind::kRange, VariableKind::kRuntime}) {
    const std::vector<Interval>& own = second.ranges().of(kind);
    ranges.of(kind).insert(ranges.of(kind).end(), own.begin(), own.end());
  }
  std::vector<Expr> results;
  for (const Expr& result : second.results()) results.push_back(move(result));
  std::vector<Constraint> constraints = first.constraints();
  for (size_t i = 0; i < first.results().size(); ++i) {
    constraints.push_back({first.results()[i], second.ranges().dimensions[i]});
  }
  for (const Constraint& constraint : second.constraints()) {
    constraints.push_back({move(constraint.expr), constraint.in});
  }
  return IndexMap(std::move(ranges), std::move(results), std::move(constraints),
                  JoinNames(first, second))
      .Simplified();
}

absl::StatusOr<IndexMap> Invert(const IndexMap& map) {
  if (map.is_undefined()) return IndexMap::Undefined();
  const IndexMap simple = map.Simplified();
  const auto results = static_cast<int>(simple.results().size());
  if (simple.is_known_empty()) return IndexMap::KnownEmpty(results, map.dimension_count());
  if (map.range_count() > 0 || map.runtime_count() > 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("a map with range or runtime variables has no inverse: ", map.ToString()));
  }
  WARPYARD_ASSIGN_OR_RETURN(std::vector<Expr> values, Inverter(simple).Find());
  Ranges ranges;
  for (const Expr& result : simple.results()) {
    ranges.dimensions.push_back(RangeOf(result, simple.ranges(), simple.constraints()));
  }
  const auto move = [&](const Expr& e) {
    return e.Replace([&](Variable v) -> std::optional<Expr> { return values[v.index]; });
  };
  // By construction: a point is in the domain where its values are a point of the map's domain
  // that leads back to it.
  std::vector<Constraint> constraints;
  for (int i = 0; i < map.dimension_count(); ++i) {
    constraints.push_back({values[i], simple.ranges().dimensions[i]});
  }
  for (int i = 0; i < results; ++i) {
    const Expr back = move(simple.results()[i]);
    const Expr self = Expr::Dimension(i);
    if (!ProvablyEqual(back, self, ranges))
      constraints.push_back({back - self, Interval::Point(0)});
  }
  for (const Constraint& constraint : simple.constraints()) {
    constraints.push_back({move(constraint.expr), constraint.in});
  }
  return IndexMap(std::move(ranges), std::move(values), std::move(constraints)).Simplified();
}

absl::Status ForEachPoint(
    const IndexMap& map, int64_t most_points,
    absl::FunctionRef<absl::Status(const Point&, absl::Span<const int64_t>)> function) {
  if (map.is_undefined()) return absl::FailedPreconditionError("the map is undefined");
  const int64_t size = BoxSize(map.ranges());
  if (size == 0 || map.is_known_empty()) return absl::OkStatus();
  if (size > most_points) {
    return absl::ResourceExhaustedError(absl::StrCat("the ranges of ", map.ToString(), " hold ",
                                                     size, " points, more than ", most_points));
  }
  Point point;
  std::vector<std::pair<int64_t*, Interval>> counters;
  for (const VariableKind kind : kVariableKinds) {
    point.of(kind).resize(map.ranges().of(kind).size());
    for (size_t i = 0; i < point.of(kind).size(); ++i) {
      const Interval range = map.ranges().of(kind)[i];
      point.of(kind)[i] = range.lower;
      counters.emplace_back(&point.of(kind)[i], range);
    }
  }
  while (true) {
    WARPYARD_ASSIGN_OR_RETURN(const bool inside, map.InDomain(point));
    if (inside) {
      WARPYARD_ASSIGN_OR_RETURN(const std::vector<int64_t> values, map.Evaluate(point));
      WARPYARD_RETURN_IF_ERROR(function(point, values));
    }
    size_t at = counters.size();
    while (at > 0 && *counters[at - 1].first == counters[at - 1].second.upper) {
      *counters[at - 1].first = counters[at - 1].second.lower;
      --at;
    }
    if (at == 0) return absl::OkStatus();
    ++*counters[at - 1].first;
  }
}

absl::StatusOr<bool> IsEmpty(const IndexMap& map, int64_t most_points) {
  if (map.is_undefined()) return absl::FailedPreconditionError("the map is undefined");
  const IndexMap simple = map.Simplified();
  if (simple.is_known_empty()) return true;
  if (simple.constraints().empty()) return false;
  // Found: leaves the walk.
  bool found = false;
  const absl::Status status =
      ForEachPoint(simple, most_points, [&](const Point&, absl::Span<const int64_t>) {
        found = true;
        return absl::CancelledError();
      });
  if (found) return false;
  if (!status.ok()) return status;
  return true;
}

Comparison CompareMaps(const IndexMap& a, const IndexMap& b, int64_t most_points) {
  if (a.is_undefined() || b.is_undefined()) return Comparison::kDifferent;
  for (const VariableKind kind : kVariableKinds) {
    if (a.ranges().of(kind).size() != b.ranges().of(kind).size()) return Comparison::kDifferent;
  }
  if (a.results().size() != b.results().size()) return Comparison::kDifferent;
  const IndexMap x = a.Simplified(), y = b.Simplified();
  if (x == y) return Comparison::kEqual;
  if (x.ranges() == y.ranges() && x.constraints() == y.constraints()) {
    bool all = true;
    for (size_t i = 0; i < x.results().size() && all; ++i) {
      all = ProvablyEqual(x.results()[i], y.results()[i], x.ranges(), x.constraints());
    }
    if (all) return Comparison::kEqual;
  }
  // A point of either domain must be one of the other.
  for (const auto& [one, other] : {std::pair(&x, &y), std::pair(&y, &x)}) {
    bool different = false;
    const absl::Status status =
        ForEachPoint(*one, most_points, [&](const Point& point, absl::Span<const int64_t> values) {
          const absl::StatusOr<bool> inside = other->InDomain(point);
          if (!inside.ok()) return inside.status();
          const absl::StatusOr<std::vector<int64_t>> found = other->Evaluate(point);
          if (!*inside) {
            different = true;
          } else if (!found.ok()) {
            return found.status();
          } else {
            different = !std::equal(values.begin(), values.end(), found->begin());
          }
          return different ? absl::CancelledError() : absl::OkStatus();
        });
    if (different) return Comparison::kDifferent;
    if (!status.ok()) return Comparison::kUnknown;
  }
  return Comparison::kEqual;
}

}  // namespace warpyard::symbolic
