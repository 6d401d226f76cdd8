// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/numerics/literal.h"

#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/log/check.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "cc/base/status_macros.h"
#include "cc/numerics/convert.h"
#include "cc/numerics/element_type.h"

namespace warpyard {
namespace {

absl::StatusOr<int64_t> CountElements(ElementType type, absl::Span<const int64_t> dimensions) {
  int64_t count = 1;
  bool empty = false;
  for (const int64_t size : dimensions) {
    if (size < 0) {
      return absl::InvalidArgumentError(absl::StrCat("a dimension of ", ElementTypeName(type), "[",
                                                     absl::StrJoin(dimensions, ","),
                                                     "] is negative"));
    }
    empty = empty || size == 0;
  }
  if (empty) return 0;
  for (const int64_t size : dimensions) {
    if (__builtin_mul_overflow(count, size, &count) ||
        count > Literal::kMaxBytes / ByteWidth(type)) {
      return absl::ResourceExhaustedError(absl::StrCat(
          ElementTypeName(type), "[", absl::StrJoin(dimensions, ","), "] has more than the ",
          Literal::kMaxBytes, " bytes that an array may have"));
    }
  }
  return count;
}

}  // namespace

absl::StatusOr<Literal> Literal::Create(ElementType type, absl::Span<const int64_t> dimensions,
                                        absl::Span<const int64_t> minor_to_major) {
  WARPYARD_ASSIGN_OR_RETURN(const int64_t count, CountElements(type, dimensions));
  const auto rank = static_cast<int64_t>(dimensions.size());
  Literal literal;
  literal.type_ = type;
  literal.count_ = count;
  literal.dimensions_.assign(dimensions.begin(), dimensions.end());
  if (minor_to_major.empty()) {
    for (int64_t i = rank - 1; i >= 0; --i) literal.minor_to_major_.push_back(i);
  } else {
    std::vector<bool> seen(rank, false);
    for (const int64_t i : minor_to_major) {
      if (i < 0 || i >= rank || seen[i] || minor_to_major.size() != dimensions.size()) {
        return absl::InvalidArgumentError(absl::StrCat("layout {",
                                                       absl::StrJoin(minor_to_major, ","),
                                                       "} is no order of ", rank, " dimensions"));
      }
      seen[i] = true;
    }
    literal.minor_to_major_.assign(minor_to_major.begin(), minor_to_major.end());
  }
  literal.strides_.assign(rank, 0);
  int64_t stride = 1;
  for (const int64_t i : literal.minor_to_major_) {
    literal.strides_[i] = stride;
    if (count != 0) stride *= dimensions[i];
  }
  literal.bytes_.assign(count * ByteWidth(type), 0);
  return literal;
}

absl::StatusOr<Literal> Literal::FromBytes(ElementType type, absl::Span<const int64_t> dimensions,
                                           std::string_view bytes) {
  WARPYARD_ASSIGN_OR_RETURN(Literal literal, Create(type, dimensions));
  if (bytes.size() != literal.bytes_.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat(ElementTypeName(type), "[", absl::StrJoin(dimensions, ","), "] has ",
                     literal.bytes_.size(), " bytes; ", bytes.size(), " were given"));
  }
  if (!bytes.empty()) std::memcpy(literal.bytes_.data(), bytes.data(), bytes.size());
  return literal;
}

bool Literal::is_row_major() const {
  for (int64_t i = 0; i < rank(); ++i) {
    if (minor_to_major_[i] != rank() - 1 - i) return false;
  }
  return true;
}

Literal Literal::Convert(ElementType type, const FloatConversion& how) const {
  Literal result;
  result.type_ = type;
  result.count_ = count_;
  result.dimensions_ = dimensions_;
  result.minor_to_major_ = minor_to_major_;
  result.strides_ = strides_;
  result.bytes_.resize(count_ * ByteWidth(type));
  ConvertElements(type_, bytes_.data(), type, result.bytes_.data(), count_, how);
  return result;
}

absl::StatusOr<Literal> Literal::Relayout(absl::Span<const int64_t> minor_to_major) const {
  WARPYARD_ASSIGN_OR_RETURN(Literal result, Create(type_, dimensions_, minor_to_major));
  if (result.minor_to_major_ == minor_to_major_) {
    result.bytes_ = bytes_;
    return result;
  }
  const int width = ByteWidth(type_);
  ForEachIndex(dimensions_, [&](absl::Span<const int64_t> index) {
    std::memcpy(result.At(result.Offset(index)), At(Offset(index)), width);
  });
  return result;
}

void Literal::CheckSize(size_t size) const {
  CHECK_EQ(size, static_cast<size_t>(ByteWidth(type_)))
      << "an element of " << ElementTypeName(type_) << " has another size";
}

}  // namespace warpyard
