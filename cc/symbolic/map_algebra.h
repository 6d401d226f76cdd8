// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// What is done with whole index maps: composition, inversion, comparison, and the
// enumeration that all of it can be checked against.

#ifndef WARPYARD_CC_SYMBOLIC_MAP_ALGEBRA_H_
#define WARPYARD_CC_SYMBOLIC_MAP_ALGEBRA_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "cc/symbolic/expr.h"
#include "cc/symbolic/index_map.h"

namespace warpyard::symbolic {

// The map that takes x to second(first(x)), simplified. Its dimensions are those of
// `first`; range and runtime variables are those of `first`, then those of `second`. A
// point is in its domain where first's domain has it, and second's has the results
// (for these variables of its own). INVALID_ARGUMENT where `first` has other results
// than `second` has dimensions. Undefined where either is; known to be empty where
// either is.
absl::StatusOr<IndexMap> Compose(const IndexMap& first, const IndexMap& second);

// The map from results back to dimensions, simplified: its domain are exactly the
// results of all points of the domain of `map`. Found are inverses of what layouts,
// reshapes, transposes, slices and pads are made of: each result a sum of parts with
// different weights, each dimension a variable of its own or all digits of one.
//
//   (d0, d1) -> (d0 * 8 + d1), d1 in [0, 7]   gives   (d0) -> (d0 / 8, d0 mod 8)
//
// INVALID_ARGUMENT for a map with range or runtime variables; UNIMPLEMENTED names a
// dimension that the results do not tell or that was not found in them.
absl::StatusOr<IndexMap> Invert(const IndexMap& map);

// Calls `function` with each point of the domain, the last variable fastest, and the
// results there. RESOURCE_EXHAUSTED where the ranges hold more than `most_points`;
// otherwise the first error of evaluation or of `function`.
absl::Status ForEachPoint(
    const IndexMap& map, int64_t most_points,
    absl::FunctionRef<absl::Status(const Point&, absl::Span<const int64_t>)> function);

// Whether no point is in the domain: by simplifying, and where that does not tell, by
// enumeration of up to `most_points`, with RESOURCE_EXHAUSTED beyond that.
absl::StatusOr<bool> IsEmpty(const IndexMap& map, int64_t most_points = 1 << 20);

enum class Comparison { kEqual, kDifferent, kUnknown };

// Whether two maps with as many variables and results have the same domain, and the
// same results everywhere in it: by their simplified forms, then by proof, then by
// enumeration of up to `most_points`. Undefined maps are equal to none.
Comparison CompareMaps(const IndexMap& a, const IndexMap& b, int64_t most_points = 1 << 16);

}  // namespace warpyard::symbolic

#endif  // WARPYARD_CC_SYMBOLIC_MAP_ALGEBRA_H_
