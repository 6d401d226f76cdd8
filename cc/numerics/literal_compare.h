// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Whether an array is what it should be, within a tolerance, and where it is
// furthest from it.

#ifndef WARPYARD_CC_NUMERICS_LITERAL_COMPARE_H_
#define WARPYARD_CC_NUMERICS_LITERAL_COMPARE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cc/numerics/literal.h"

namespace warpyard {

// An element passes when its error is at most `absolute` + `relative` * |expected|,
// or when it is at most `ulps` representable values away. NaN passes for NaN alone,
// an infinity for itself; -0 and 0 are 0 apart, and 1 ulp as patterns go is not
// counted between them. With all zeros, values must be equal.
struct Tolerance {
  double absolute = 0;
  double relative = 0;
  int64_t ulps = 0;
};

struct Difference {
  std::vector<int64_t> index;
  std::string expected, found;  // as text
  double absolute = 0;          // infinite where either is, or is NaN
  double relative = 0;          // to |expected|; infinite where that is 0
  int64_t ulps = 0;             // in steps of the found type; of integers, the difference
};

struct Comparison {
  int64_t elements = 0;
  int64_t differing = 0;          // that did not pass
  std::vector<Difference> worst;  // of these, by how far beyond the tolerance, then by index
  double greatest_absolute = 0;   // over all elements
  double greatest_relative = 0;
  int64_t greatest_ulps = 0;

  bool ok() const { return differing == 0; }
  // For people: how many differ, and the worst, one a line.
  std::string ToString() const;
};

// Compares all elements by index, whatever the layouts. The types may differ: then
// values are compared as numbers, and steps are those of `found`'s type, to which
// `expected` is rounded. For complex numbers errors are the greater ones of the two
// parts. INVALID_ARGUMENT where the dimensions differ.
absl::StatusOr<Comparison> Compare(const Literal& expected, const Literal& found,
                                   const Tolerance& tolerance, int max_worst = 10);

}  // namespace warpyard

#endif  // WARPYARD_CC_NUMERICS_LITERAL_COMPARE_H_
