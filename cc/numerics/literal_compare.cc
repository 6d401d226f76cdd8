// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/numerics/literal_compare.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/numeric/int128.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "cc/numerics/convert.h"
#include "cc/numerics/element_type.h"
#include "cc/numerics/literal.h"
#include "cc/numerics/literal_text.h"
#include "cc/numerics/small_float.h"

namespace warpyard {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

int64_t Saturated(absl::int128 value) {
  const absl::int128 greatest = std::numeric_limits<int64_t>::max();
  return static_cast<int64_t>(std::min(value < 0 ? -value : value, greatest));
}

// Where a value of `type` stands in the order of all its values.
absl::int128 Position(ElementType type, const char* element) {
  if (type == ElementType::kU64) {
    return static_cast<uint64_t>(ReadInt64(type, element));
  }
  if (!IsFloat(type)) return ReadInt64(type, element);
  if (type == ElementType::kF64) {
    uint64_t bits;
    std::memcpy(&bits, element, sizeof(bits));
    const absl::int128 magnitude = bits & ~(uint64_t{1} << 63);
    return bits >> 63 != 0 ? -magnitude : magnitude;
  }
  uint32_t bits = 0;
  std::memcpy(&bits, element, ByteWidth(type));
  const FloatFormat format = FormatOf(type);
  const uint32_t sign = format.sign_bit();
  const int64_t magnitude = bits & ~sign;
  return (bits & sign) != 0 ? -magnitude : magnitude;
}

struct Error {
  double absolute = 0;
  double relative = 0;
  int64_t ulps = 0;
  double excess = 0;  // how many times the tolerance the error is; above 1 does not pass
};

// Both are of `type`, or `expected` was rounded to it and is `value` before that.
Error Measure(ElementType type, const char* expected, double value, const char* found,
              const Tolerance& tolerance) {
  Error error;
  if (!IsFloat(type)) {
    const absl::int128 distance = Position(type, expected) - Position(type, found);
    error.ulps = Saturated(distance);
    error.absolute = static_cast<double>(distance < 0 ? -distance : distance);
  } else {
    const double other = ReadDouble(type, found);
    if (std::isnan(value) && std::isnan(other)) return error;
    if (std::isnan(value) || std::isnan(other) ||
        ((std::isinf(value) || std::isinf(other)) && value != other)) {
      return {kInfinity, kInfinity, std::numeric_limits<int64_t>::max(), kInfinity};
    }
    if (value == other) return error;
    error.absolute = std::abs(value - other);
    error.ulps = Saturated(Position(type, expected) - Position(type, found));
  }
  if (error.absolute == 0) return error;
  error.relative = value == 0 ? kInfinity : error.absolute / std::abs(value);
  const double allowed = tolerance.absolute + tolerance.relative * std::abs(value);
  const double by_value = error.absolute <= allowed ? 0
                          : allowed == 0            ? kInfinity
                                                    : error.absolute / allowed;
  const double by_steps =
      error.ulps <= tolerance.ulps ? 0
      : tolerance.ulps == 0 ? kInfinity
                            : static_cast<double>(error.ulps) / static_cast<double>(tolerance.ulps);
  error.excess = std::min(by_value, by_steps);
  return error;
}

Error Worse(const Error& a, const Error& b) {
  return {std::max(a.absolute, b.absolute), std::max(a.relative, b.relative),
          std::max(a.ulps, b.ulps), std::max(a.excess, b.excess)};
}

}  // namespace

std::string Comparison::ToString() const {
  if (ok()) {
    return absl::StrFormat(
        "all %d elements are within the tolerance (greatest errors: %g absolute, %g relative, %d "
        "ulps)",
        elements, greatest_absolute, greatest_relative, greatest_ulps);
  }
  std::string out = absl::StrFormat("%d of %d elements differ%s", differing, elements,
                                    worst.empty() ? "" : "; the worst:");
  for (const Difference& one : worst) {
    absl::StrAppendFormat(&out, "\n  [%s] expected %s, found %s: %g absolute, %g relative, %d ulps",
                          absl::StrJoin(one.index, ","), one.expected, one.found, one.absolute,
                          one.relative, one.ulps);
  }
  return out;
}

absl::StatusOr<Comparison> Compare(const Literal& expected, const Literal& found,
                                   const Tolerance& tolerance, int max_worst) {
  if (expected.dimensions() != found.dimensions()) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected the dimensions [", absl::StrJoin(expected.dimensions(), ","),
                     "], found [", absl::StrJoin(found.dimensions(), ","), "]"));
  }
  const ElementType type = found.element_type();
  const Literal rounded = expected.Convert(type);
  const ElementType part = ComponentType(type);
  Comparison result;
  result.elements = found.element_count();
  struct Candidate {
    Error error;
    std::vector<int64_t> index;
  };
  std::vector<Candidate> candidates;
  const auto worse = [](const Candidate& a, const Candidate& b) {
    if (a.error.excess != b.error.excess) return a.error.excess > b.error.excess;
    if (a.error.ulps != b.error.ulps) return a.error.ulps > b.error.ulps;
    return a.index < b.index;
  };
  const auto trim = [&] {
    std::sort(candidates.begin(), candidates.end(), worse);
    if (static_cast<int>(candidates.size()) > max_worst) candidates.resize(std::max(max_worst, 0));
  };
  ForEachIndex(found.dimensions(), [&](absl::Span<const int64_t> index) {
    const char* const other = found.At(found.Offset(index));
    const int64_t at = expected.Offset(index);
    const char* const same = rounded.At(at);
    // Most elements are the same, bit by bit.
    if (expected.element_type() == type && std::memcmp(same, other, ByteWidth(type)) == 0) return;
    Error error;
    if (IsComplex(type)) {
      const std::complex<double> value = expected.GetComplex(at);
      error = Worse(
          Measure(part, same, value.real(), other, tolerance),
          Measure(part, same + ByteWidth(part), value.imag(), other + ByteWidth(part), tolerance));
    } else {
      error = Measure(type, same, expected.GetDouble(at), other, tolerance);
    }
    result.greatest_absolute = std::max(result.greatest_absolute, error.absolute);
    result.greatest_relative = std::max(result.greatest_relative, error.relative);
    result.greatest_ulps = std::max(result.greatest_ulps, error.ulps);
    if (error.excess <= 1) return;
    ++result.differing;
    candidates.push_back({error, {index.begin(), index.end()}});
    if (candidates.size() >= 4096) trim();
  });
  trim();
  for (const Candidate& one : candidates) {
    result.worst.push_back(
        {one.index,
         ElementToString(expected.element_type(), expected.At(expected.Offset(one.index))),
         ElementToString(type, found.At(found.Offset(one.index))), one.error.absolute,
         one.error.relative, one.error.ulps});
  }
  return result;
}

}  // namespace warpyard
