// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/hlo/replica_groups.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "cc/base/status_macros.h"

namespace warpyard::hlo {
namespace {

absl::Status Invalid(std::string message) {
  return absl::InvalidArgumentError(absl::StrCat("replica groups: ", message));
}

// The product, or an error where a factor is not positive or the whole is more
// than the bound.
absl::StatusOr<int64_t> Product(const std::vector<int64_t>& factors) {
  int64_t product = 1;
  for (const int64_t factor : factors) {
    if (factor <= 0) {
      return Invalid(absl::StrCat("a dimension is ", factor, ", expected at least 1"));
    }
    if (factor > kMaxGroupMembers / product) {
      return Invalid(absl::StrCat("[", absl::StrJoin(factors, ","), "] holds more than ",
                                  kMaxGroupMembers, " ids"));
    }
    product *= factor;
  }
  return product;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool Take(std::string_view token) {
    SkipSpace();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }

  bool Peek(std::string_view token) {
    SkipSpace();
    return text_.substr(at_, token.size()) == token;
  }

  absl::Status Expect(std::string_view token) {
    if (Take(token)) return absl::OkStatus();
    return Unexpected(absl::StrCat("'", token, "'"));
  }

  // "1,2,3" up to `close`, which is taken.
  absl::StatusOr<std::vector<int64_t>> Numbers(std::string_view close) {
    std::vector<int64_t> numbers;
    if (Take(close)) return numbers;
    do {
      SkipSpace();
      const size_t begin = at_;
      while (at_ < text_.size() && absl::ascii_isdigit(static_cast<unsigned char>(text_[at_]))) {
        ++at_;
      }
      int64_t number;
      if (begin == at_) return Unexpected("a number");
      if (!absl::SimpleAtoi(text_.substr(begin, at_ - begin), &number)) {
        return Invalid(absl::StrCat("offset ", begin, ": the number does not fit 64 bits"));
      }
      if (static_cast<int64_t>(numbers.size()) >= kMaxGroupMembers) {
        return Invalid(absl::StrCat("more than ", kMaxGroupMembers, " ids"));
      }
      numbers.push_back(number);
    } while (Take(","));
    WARPYARD_RETURN_IF_ERROR(Expect(close));
    return numbers;
  }

  absl::Status ExpectEnd() {
    SkipSpace();
    return at_ == text_.size() ? absl::OkStatus() : Unexpected("the end");
  }

  absl::Status Unexpected(std::string_view expected) {
    SkipSpace();
    const std::string found =
        at_ < text_.size() ? absl::StrCat("'", text_.substr(at_, 1), "'") : "the end";
    return Invalid(absl::StrCat("offset ", at_, ": expected ", expected, ", found ", found));
  }

 private:
  void SkipSpace() {
    while (at_ < text_.size() && absl::ascii_isspace(static_cast<unsigned char>(text_[at_]))) {
      ++at_;
    }
  }

  std::string_view text_;
  size_t at_ = 0;
};

absl::StatusOr<ReplicaGroups> ParseIota(Reader& reader) {
  WARPYARD_ASSIGN_OR_RETURN(const std::vector<int64_t> shape, reader.Numbers("]"));
  if (shape.size() != 2) {
    return Invalid(absl::StrCat("the iota form has ", shape.size(),
                                " sizes, expected [group count, group size]"));
  }
  WARPYARD_RETURN_IF_ERROR(reader.Expect("<="));
  WARPYARD_RETURN_IF_ERROR(reader.Expect("["));
  WARPYARD_ASSIGN_OR_RETURN(std::vector<int64_t> reshape, reader.Numbers("]"));
  std::vector<int64_t> permutation;
  if (reader.Take("T")) {
    WARPYARD_RETURN_IF_ERROR(reader.Expect("("));
    WARPYARD_ASSIGN_OR_RETURN(permutation, reader.Numbers(")"));
    if (permutation.empty()) return Invalid("T() names no dimensions");
  }
  WARPYARD_RETURN_IF_ERROR(reader.ExpectEnd());
  return ReplicaGroups::FromIota(shape[0], shape[1], std::move(reshape), std::move(permutation));
}

// Row-major positions of `dimensions`, visited in the order of the transposed
// array.
std::vector<int64_t> TransposedIota(const std::vector<int64_t>& dimensions,
                                    const std::vector<int64_t>& permutation, int64_t count) {
  const size_t rank = dimensions.size();
  std::vector<int64_t> strides(rank, 1);
  for (size_t i = rank; i-- > 1;) strides[i - 1] = strides[i] * dimensions[i];
  std::vector<int64_t> position(rank, 0);
  std::vector<int64_t> ids;
  ids.reserve(count);
  for (int64_t i = 0; i < count; ++i) {
    int64_t id = 0;
    for (size_t d = 0; d < rank; ++d) id += position[d] * strides[permutation[d]];
    ids.push_back(id);
    for (size_t d = rank; d-- > 0;) {
      if (++position[d] < dimensions[permutation[d]]) break;
      position[d] = 0;
    }
  }
  return ids;
}

}  // namespace

absl::StatusOr<ReplicaGroups> ReplicaGroups::FromLists(std::vector<Group> groups) {
  absl::flat_hash_set<int64_t> seen;
  for (const Group& group : groups) {
    if (group.empty()) return Invalid("a group is empty");
    for (const int64_t id : group) {
      if (id < 0) return Invalid(absl::StrCat("id ", id, " is negative"));
      if (!seen.insert(id).second) return Invalid(absl::StrCat("id ", id, " occurs twice"));
    }
  }
  ReplicaGroups result;
  result.groups_ = std::move(groups);
  return result;
}

absl::StatusOr<ReplicaGroups> ReplicaGroups::FromIota(int64_t group_count, int64_t group_size,
                                                      std::vector<int64_t> reshape,
                                                      std::vector<int64_t> permutation) {
  WARPYARD_ASSIGN_OR_RETURN(const int64_t members, Product({group_count, group_size}));
  WARPYARD_ASSIGN_OR_RETURN(const int64_t ids, Product(reshape));
  if (members != ids) {
    return Invalid(absl::StrCat("[", group_count, ",", group_size, "] holds ", members,
                                " ids, but [", absl::StrJoin(reshape, ","), "] has ", ids));
  }
  std::vector<int64_t> order = permutation;
  if (order.empty()) {
    order.resize(reshape.size());
    std::iota(order.begin(), order.end(), 0);
  }
  std::vector<int64_t> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (sorted.size() != reshape.size() || sorted[i] != static_cast<int64_t>(i)) {
      return Invalid(absl::StrCat("T(", absl::StrJoin(permutation, ","),
                                  ") is no permutation of the ", reshape.size(), " dimensions of [",
                                  absl::StrJoin(reshape, ","), "]"));
    }
  }
  const std::vector<int64_t> flat = TransposedIota(reshape, order, ids);
  ReplicaGroups result;
  result.is_iota_ = true;
  for (int64_t i = 0; i < group_count; ++i) {
    result.groups_.emplace_back(flat.begin() + i * group_size, flat.begin() + (i + 1) * group_size);
  }
  result.reshape_ = std::move(reshape);
  result.permutation_ = std::move(permutation);
  return result;
}

absl::StatusOr<ReplicaGroups> ReplicaGroups::Parse(std::string_view text) {
  Reader reader(text);
  if (reader.Take("[")) return ParseIota(reader);
  WARPYARD_RETURN_IF_ERROR(reader.Expect("{"));
  std::vector<Group> groups;
  int64_t members = 0;
  if (!reader.Take("}")) {
    do {
      WARPYARD_RETURN_IF_ERROR(reader.Expect("{"));
      WARPYARD_ASSIGN_OR_RETURN(Group group, reader.Numbers("}"));
      members += static_cast<int64_t>(group.size());
      if (members > kMaxGroupMembers) {
        return Invalid(absl::StrCat("more than ", kMaxGroupMembers, " ids"));
      }
      groups.push_back(std::move(group));
    } while (reader.Take(","));
    WARPYARD_RETURN_IF_ERROR(reader.Expect("}"));
  }
  WARPYARD_RETURN_IF_ERROR(reader.ExpectEnd());
  return FromLists(std::move(groups));
}

std::string ReplicaGroups::ToString() const {
  if (is_iota_) {
    std::string text = absl::StrCat("[", groups_.size(), ",", groups_.front().size(), "]<=[",
                                    absl::StrJoin(reshape_, ","), "]");
    if (!permutation_.empty()) {
      absl::StrAppend(&text, "T(", absl::StrJoin(permutation_, ","), ")");
    }
    return text;
  }
  return absl::StrCat("{",
                      absl::StrJoin(groups_, ",",
                                    [](std::string* out, const Group& group) {
                                      absl::StrAppend(out, "{", absl::StrJoin(group, ","), "}");
                                    }),
                      "}");
}

absl::StatusOr<std::vector<Group>> ReplicaGroups::Expand(int64_t participants) const {
  if (participants <= 0 || participants > kMaxGroupMembers) {
    return Invalid(absl::StrCat(participants, " participants, expected 1 to ", kMaxGroupMembers));
  }
  if (IsAll()) {
    Group all(participants);
    std::iota(all.begin(), all.end(), 0);
    return std::vector<Group>{std::move(all)};
  }
  for (const Group& group : groups_) {
    for (const int64_t id : group) {
      if (id >= participants) {
        return Invalid(absl::StrCat("id ", id, " in a program of ", participants, " participants"));
      }
    }
  }
  return groups_;
}

}  // namespace warpyard::hlo
