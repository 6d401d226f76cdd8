// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/symbolic/index_map_text.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "cc/base/status_macros.h"
#include "cc/symbolic/expr.h"
#include "cc/symbolic/index_map.h"
#include "cc/symbolic/interval.h"
#include "cc/symbolic/parse.h"

namespace warpyard::symbolic {
namespace {

constexpr size_t kMaxVariables = 4096;
constexpr size_t kMaxResults = 4096;
constexpr std::string_view kWords[] = {"mod", "floordiv", "ceildiv", "min",
                                       "max", "in",       "inf",     "undefined"};

class MapReader {
 public:
  explicit MapReader(std::string_view text) : reader_(text) {}

  absl::StatusOr<IndexMap> Read() {
    if (reader_.Consume("UNDEFINED")) {
      if (!reader_.AtEnd()) return reader_.Error("the end of the map");
      return IndexMap::Undefined();
    }
    WARPYARD_RETURN_IF_ERROR(ReadNames(VariableKind::kDimension, "(", ")"));
    if (reader_.Consume("[")) {
      WARPYARD_RETURN_IF_ERROR(ReadNames(VariableKind::kRange, "", "]"));
    }
    if (reader_.Consume("{")) {
      WARPYARD_RETURN_IF_ERROR(ReadNames(VariableKind::kRuntime, "", "}"));
    }
    WARPYARD_RETURN_IF_ERROR(reader_.Expect("->"));
    WARPYARD_RETURN_IF_ERROR(reader_.Expect("("));
    std::vector<Expr> results;
    if (!reader_.Consume(")")) {
      do {
        WARPYARD_ASSIGN_OR_RETURN(Expr result, ReadExpr());
        results.push_back(std::move(result));
        if (results.size() > kMaxResults) return TooMany("results", kMaxResults);
      } while (reader_.Consume(","));
      WARPYARD_RETURN_IF_ERROR(reader_.Expect(")"));
    }
    return ReadDomain(std::move(results));
  }

 private:
  static absl::Status TooMany(std::string_view what, size_t most) {
    return absl::ResourceExhaustedError(absl::StrCat("more than ", most, " ", what));
  }

  absl::StatusOr<Expr> ReadExpr() {
    return reader_.ConsumeExpr([&](std::string_view name) -> std::optional<Variable> {
      const auto found = variables_.find(name);
      return found == variables_.end() ? std::nullopt : std::optional(found->second);
    });
  }

  absl::Status ReadNames(VariableKind kind, std::string_view open, std::string_view close) {
    if (!open.empty()) WARPYARD_RETURN_IF_ERROR(reader_.Expect(open));
    if (reader_.Consume(close)) return absl::OkStatus();
    std::vector<std::string>& names = names_.of(kind);
    do {
      const size_t position = reader_.position();
      const std::string_view name = reader_.ConsumeName();
      if (name.empty() ||
          std::find(std::begin(kWords), std::end(kWords), name) != std::end(kWords)) {
        reader_.set_position(position);
        return reader_.Error("the name of a variable");
      }
      const Variable variable = {kind, static_cast<int>(names.size())};
      if (variables_.size() >= kMaxVariables) return TooMany("variables", kMaxVariables);
      if (!variables_.emplace(std::string(name), variable).second) {
        reader_.set_position(position);
        return reader_.Error("a name that no other variable has");
      }
      names.emplace_back(name);
    } while (reader_.Consume(","));
    return reader_.Expect(close);
  }

  // Names that variables have anyway are not kept.
  void DropDefaultNames() {
    for (const VariableKind kind : kVariableKinds) {
      bool any = false;
      for (size_t i = 0; i < names_.of(kind).size(); ++i) {
        std::string& name = names_.of(kind)[i];
        if (name == VariableName({kind, static_cast<int>(i)})) name.clear();
        any = any || !name.empty();
      }
      if (!any) names_.of(kind).clear();
    }
  }

  absl::StatusOr<IndexMap> ReadDomain(std::vector<Expr> results) {
    Ranges ranges;
    PerVariable<bool> has_range;
    for (const VariableKind kind : kVariableKinds) {
      ranges.of(kind).resize(names_.of(kind).size());
      has_range.of(kind).resize(names_.of(kind).size());
    }
    std::vector<Constraint> constraints;
    if (reader_.Consume(",")) {
      if (reader_.Consume("KNOWN")) {
        WARPYARD_RETURN_IF_ERROR(reader_.Expect("EMPTY"));
        if (!reader_.AtEnd()) return reader_.Error("the end of the map");
        IndexMap map = IndexMap::KnownEmpty(
            static_cast<int>(ranges.dimensions.size()), static_cast<int>(results.size()),
            static_cast<int>(ranges.ranges.size()), static_cast<int>(ranges.runtimes.size()));
        DropDefaultNames();
        map.set_names(std::move(names_));
        return map;
      }
      WARPYARD_RETURN_IF_ERROR(reader_.Expect("domain"));
      WARPYARD_RETURN_IF_ERROR(reader_.Expect(":"));
      do {
        WARPYARD_ASSIGN_OR_RETURN(Expr e, ReadExpr());
        WARPYARD_RETURN_IF_ERROR(reader_.Expect("in"));
        WARPYARD_ASSIGN_OR_RETURN(const Interval in, reader_.ConsumeInterval());
        if (e.is_variable() && !has_range.of(e.variable().kind)[e.variable().index]) {
          ranges.of(e.variable().kind)[e.variable().index] = in;
          has_range.of(e.variable().kind)[e.variable().index] = true;
        } else {
          constraints.push_back({std::move(e), in});
          if (constraints.size() > kMaxResults) return TooMany("constraints", kMaxResults);
        }
      } while (reader_.Consume(","));
    }
    if (!reader_.AtEnd()) return reader_.Error("',' or the end of the map");
    for (const VariableKind kind : kVariableKinds) {
      for (size_t i = 0; i < has_range.of(kind).size(); ++i) {
        if (!has_range.of(kind)[i]) {
          return absl::InvalidArgumentError(
              absl::StrCat("the domain has no range for ", names_.of(kind)[i]));
        }
      }
    }
    DropDefaultNames();
    return IndexMap(std::move(ranges), std::move(results), std::move(constraints),
                    std::move(names_));
  }

  TextReader reader_;
  Names names_;
  std::map<std::string, Variable, std::less<>> variables_;
};

}  // namespace

std::string IndexMapToString(const IndexMap& map) {
  if (map.is_undefined()) return "UNDEFINED";
  const Names& names = map.names();
  const auto list = [&](VariableKind kind) {
    std::vector<std::string> all;
    for (size_t i = 0; i < map.ranges().of(kind).size(); ++i) {
      all.push_back(VariableName({kind, static_cast<int>(i)}, names));
    }
    return absl::StrJoin(all, ", ");
  };
  std::string out = absl::StrCat("(", list(VariableKind::kDimension), ")");
  if (map.range_count() > 0) absl::StrAppend(&out, "[", list(VariableKind::kRange), "]");
  if (map.runtime_count() > 0) absl::StrAppend(&out, "{", list(VariableKind::kRuntime), "}");
  absl::StrAppend(&out, " -> (",
                  absl::StrJoin(map.results(), ", ",
                                [&](std::string* text, const Expr& e) {
                                  absl::StrAppend(text, e.ToString(names));
                                }),
                  ")");
  if (map.is_known_empty()) return out + ", KNOWN EMPTY";
  std::vector<std::string> domain;
  for (const VariableKind kind : kVariableKinds) {
    for (size_t i = 0; i < map.ranges().of(kind).size(); ++i) {
      domain.push_back(absl::StrCat(VariableName({kind, static_cast<int>(i)}, names), " in ",
                                    map.ranges().of(kind)[i]));
    }
  }
  std::vector<std::string> constraints;
  for (const Constraint& constraint : map.constraints()) {
    constraints.push_back(absl::StrCat(constraint.expr.ToString(names), " in ", constraint.in));
  }
  std::sort(constraints.begin(), constraints.end());
  domain.insert(domain.end(), constraints.begin(), constraints.end());
  if (!domain.empty()) absl::StrAppend(&out, ", domain: ", absl::StrJoin(domain, ", "));
  return out;
}

absl::StatusOr<IndexMap> ParseIndexMap(std::string_view text) { return MapReader(text).Read(); }

}  // namespace warpyard::symbolic
