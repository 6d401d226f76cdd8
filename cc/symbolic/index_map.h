// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Index maps: which elements of one array an element of another one stands for.
//
//   (d0, d1)[s0] -> (d0 * 2 + s0 - 1, d1), domain: d0 in [0, 6], d1 in [0, 3],
//       s0 in [0, 2], d0 * 2 + s0 in [1, 13]
//
// A map has variables with closed ranges, an expression for each result, and
// constraints: its domain are the points within the ranges that meet them all.

#ifndef WARPYARD_CC_SYMBOLIC_INDEX_MAP_H_
#define WARPYARD_CC_SYMBOLIC_INDEX_MAP_H_

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "cc/symbolic/expr.h"
#include "cc/symbolic/interval.h"
#include "cc/symbolic/simplify.h"

namespace warpyard::symbolic {

class IndexMap {
 public:
  // The map of no variables to no results: that of a scalar to a scalar.
  IndexMap() = default;
  // Constraints are taken as AddConstraint() does. With a result that is undefined, the
  // map is.
  IndexMap(Ranges ranges, std::vector<Expr> results, std::vector<Constraint> constraints = {},
           Names names = {});

  // Dimensions from 0 to each size - 1, to themselves.
  static IndexMap Identity(absl::Span<const int64_t> sizes);
  // The map of what cannot be described.
  static IndexMap Undefined();
  // A map with so many variables and results, and no point in its domain.
  static IndexMap KnownEmpty(int dimensions, int results, int ranges = 0, int runtimes = 0);

  bool is_undefined() const { return undefined_; }
  // Whether it was found that no point is in the domain. Where this is false the domain
  // may still be empty: see IsEmpty().
  bool is_known_empty() const { return known_empty_; }

  int dimension_count() const { return static_cast<int>(ranges_.dimensions.size()); }
  int range_count() const { return static_cast<int>(ranges_.ranges.size()); }
  int runtime_count() const { return static_cast<int>(ranges_.runtimes.size()); }
  const Ranges& ranges() const { return ranges_; }
  const std::vector<Expr>& results() const { return results_; }
  // In the fixed order of their expressions, each of which occurs once.
  const std::vector<Constraint>& constraints() const { return constraints_; }
  const Names& names() const { return names_; }
  // Other names for the variables; an empty one is that of VariableName().
  void set_names(Names names) { names_ = std::move(names); }

  // Narrows the domain. The constraint is brought into a form without constants, common
  // factors and quotients where these are at the root: d0 * 2 - 2 in [0, 5] narrows the
  // range of d0 to [1, 3].
  void AddConstraint(const Expr& expr, const Interval& in);

  // The values of the results. Errors are those of Expr::Evaluate; FAILED_PRECONDITION for
  // an undefined map. That the point is in the domain is not checked.
  absl::StatusOr<std::vector<int64_t>> Evaluate(const Point& point) const;
  // Whether the point is within all ranges and meets all constraints.
  absl::StatusOr<bool> InDomain(const Point& point) const;

  // The same function on the same domain: ranges as narrow as the constraints allow by
  // looking at one of them at a time, constraints that always hold dropped, expressions as
  // Simplify() has them. An empty domain that is found is a KnownEmpty map. Simplifying the
  // result again changes nothing, unless constraints that depend on each other let the ranges
  // shrink in more steps than are made.
  IndexMap Simplified() const;

  // Without range and runtime variables that neither a result nor a constraint uses; the
  // others move up. Only for what is not empty: the range of a variable that goes is not.
  IndexMap WithoutUnusedVariables() const;

  // "UNDEFINED"; "(d0, d1) -> (0), KNOWN EMPTY"; or the form above, with constraints in the
  // order of their texts. ParseIndexMap() gives the map back.
  std::string ToString() const;

  // The same variables, ranges, results and constraints, whatever their names. For maps of
  // one meaning that are written in two ways see CompareMaps().
  friend bool operator==(const IndexMap& a, const IndexMap& b) {
    return a.undefined_ == b.undefined_ && a.known_empty_ == b.known_empty_ &&
           a.ranges_ == b.ranges_ && a.results_ == b.results_ && a.constraints_ == b.constraints_;
  }
  template <typename Sink>
  friend void AbslStringify(Sink& sink, const IndexMap& map) {
    sink.Append(map.ToString());
  }
  friend std::ostream& operator<<(std::ostream& out, const IndexMap& map) {
    return out << map.ToString();
  }

 private:
  void BecomeEmpty();
  bool NarrowRanges();
  bool NarrowBySums(const Constraint& constraint);
  bool NarrowByTrying(const Constraint& constraint);

  Ranges ranges_;
  std::vector<Expr> results_;
  std::vector<Constraint> constraints_;
  Names names_;
  bool undefined_ = false;
  bool known_empty_ = false;
};

// Reads what ToString() writes, and the same with other blanks, in any order of the
// domain. Each variable needs its range there. INVALID_ARGUMENT with the position of
// what is wrong, or an error of TextReader.
absl::StatusOr<IndexMap> ParseIndexMap(std::string_view text);

}  // namespace warpyard::symbolic

#endif  // WARPYARD_CC_SYMBOLIC_INDEX_MAP_H_
