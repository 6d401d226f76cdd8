// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/target/requirement.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "cc/target/compute_capability.h"

namespace warpyard {
namespace {

using Clause = SmRequirement::Clause;
using Op = SmRequirement::Clause::Op;

constexpr size_t kMaxText = 1024;
constexpr size_t kMaxQuoted = 100;

// Keys of the whole requirement language, which have no meaning for a target.
constexpr std::string_view kOtherKeys[] = {"cuda",     "cudnn",  "driver", "gpus",
                                           "hardware", "memory", "nccl",   "os"};

bool IsWordChar(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
}

class RequirementParser {
 public:
  explicit RequirementParser(std::string_view text) : text_(text), rest_(text) {}

  absl::StatusOr<std::vector<Clause>> Parse() {
    if (text_.size() > kMaxText) {
      return Bad(absl::StrCat("it has more than ", kMaxText, " characters"));
    }
    SkipSpace();
    if (rest_.empty()) return Bad("it is empty");
    std::vector<Clause> clauses;
    while (true) {
      absl::StatusOr<Clause> clause = ParseClause();
      if (!clause.ok()) return clause.status();
      clauses.push_back(*std::move(clause));
      SkipSpace();
      if (rest_.empty()) return clauses;
      if (!absl::ConsumePrefix(&rest_, "&")) return BadHere("expected & or the end");
    }
  }

 private:
  absl::StatusOr<Clause> ParseClause() {
    SkipSpace();
    const std::string_view key = TakeWord();
    if (key.empty()) return BadHere("expected sm");
    if (key != "sm") {
      const bool other =
          std::find(std::begin(kOtherKeys), std::end(kOtherKeys), key) != std::end(kOtherKeys);
      return Bad(absl::StrCat("\"", absl::CHexEscape(key), "\" ",
                              other ? "is about the machine that a test runs on; only sm can be "
                                      "required of a target"
                                    : "is no key; only sm can be required of a target"));
    }
    SkipSpace();
    Clause clause;
    static constexpr std::pair<std::string_view, Op> kOps[] = {
        {">=", Op::kGreaterEqual}, {"<=", Op::kLessEqual}, {"==", Op::kIn},
        {"!=", Op::kNotEqual},     {">", Op::kGreater},    {"<", Op::kLess},
    };
    for (const auto& [symbol, op] : kOps) {
      if (!absl::ConsumePrefix(&rest_, symbol)) continue;
      clause.op = op;
      absl::StatusOr<ComputeCapability> value = ParseValue();
      if (!value.ok()) return value.status();
      const bool ordered = op != Op::kIn && op != Op::kNotEqual;
      if (ordered && value->kind() != ComputeCapability::Kind::kPlain) {
        return Bad(absl::StrCat("\"sm", symbol, value->ToString(), "\": ", symbol,
                                " compares numbers; write ", value->Plain().ToString(),
                                ", or sm==", value->ToString()));
      }
      clause.values.push_back(*value);
      return clause;
    }
    if (TakeWord() != "in") return BadHere("expected >=, >, <=, <, ==, != or in after sm");
    SkipSpace();
    if (!absl::ConsumePrefix(&rest_, "{")) return BadHere("expected { after in");
    while (true) {
      absl::StatusOr<ComputeCapability> value = ParseValue();
      if (!value.ok()) return value.status();
      clause.values.push_back(*value);
      SkipSpace();
      if (absl::ConsumePrefix(&rest_, "}")) return clause;
      if (!absl::ConsumePrefix(&rest_, ",")) return BadHere("expected , or }");
    }
  }

  absl::StatusOr<ComputeCapability> ParseValue() {
    SkipSpace();
    const std::string_view word = TakeWord();
    if (word.empty()) return BadHere("expected a compute capability");
    absl::StatusOr<ComputeCapability> value = ComputeCapability::Parse(word);
    if (!value.ok()) return Bad(value.status().message());
    return value;
  }

  std::string_view TakeWord() {
    size_t size = 0;
    while (size < rest_.size() && IsWordChar(rest_[size])) ++size;
    const std::string_view word = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return word;
  }

  void SkipSpace() { rest_ = absl::StripLeadingAsciiWhitespace(rest_); }

  absl::Status BadHere(std::string_view why) const {
    return Bad(absl::StrCat(why, " at position ", text_.size() - rest_.size()));
  }

  absl::Status Bad(std::string_view why) const {
    std::string quoted = absl::CHexEscape(text_.substr(0, kMaxQuoted));
    if (text_.size() > kMaxQuoted) absl::StrAppend(&quoted, "...");
    return absl::InvalidArgumentError(absl::StrCat("requirement \"", quoted, "\": ", why));
  }

  std::string_view text_;
  std::string_view rest_;
};

// Whether a target is what a listed value stands for.
bool Matches(const ComputeCapability& value, const ComputeCapability& target) {
  if (value.kind() == ComputeCapability::Kind::kPlain) return value == target.Plain();
  return CanCompileFor(value, target);
}

bool Met(const Clause& clause, const ComputeCapability& target) {
  const ComputeCapability number = target.Plain();
  switch (clause.op) {
    case Op::kGreaterEqual:
      return number >= clause.values.front();
    case Op::kGreater:
      return number > clause.values.front();
    case Op::kLessEqual:
      return number <= clause.values.front();
    case Op::kLess:
      return number < clause.values.front();
    case Op::kNotEqual:
      return !Matches(clause.values.front(), target);
    case Op::kIn:
      return std::any_of(
          clause.values.begin(), clause.values.end(),
          [&target](const ComputeCapability& value) { return Matches(value, target); });
  }
  return false;
}

void AppendTarget(std::string* out, const ComputeCapability& cc) { out->append(cc.ToString()); }

std::string ClauseToString(const Clause& clause) {
  const std::string first = clause.values.front().ToString();
  switch (clause.op) {
    case Op::kGreaterEqual:
      return absl::StrCat("sm>=", first);
    case Op::kGreater:
      return absl::StrCat("sm>", first);
    case Op::kLessEqual:
      return absl::StrCat("sm<=", first);
    case Op::kLess:
      return absl::StrCat("sm<", first);
    case Op::kNotEqual:
      return absl::StrCat("sm!=", first);
    case Op::kIn:
      if (clause.values.size() == 1) return absl::StrCat("sm==", first);
      return absl::StrCat("sm in {", absl::StrJoin(clause.values, ", ", AppendTarget), "}");
  }
  return "";
}

constexpr std::string_view kMarker = "warpyard-requires:";

// What follows the marker, where `line` is a comment that begins with it.
std::optional<std::string_view> RequirementOfLine(std::string_view line) {
  line = absl::StripAsciiWhitespace(line);
  if (!absl::ConsumePrefix(&line, "//")) return std::nullopt;
  line = absl::StripLeadingAsciiWhitespace(line);
  if (!absl::ConsumePrefix(&line, kMarker)) return std::nullopt;
  return line;
}

}  // namespace

absl::StatusOr<SmRequirement> SmRequirement::Parse(std::string_view text) {
  absl::StatusOr<std::vector<Clause>> clauses = RequirementParser(text).Parse();
  if (!clauses.ok()) return clauses.status();
  SmRequirement requirement;
  requirement.clauses_ = *std::move(clauses);
  return requirement;
}

absl::StatusOr<std::optional<SmRequirement>> SmRequirement::FindInSource(std::string_view source) {
  std::optional<SmRequirement> found;
  for (size_t line_number = 1; !source.empty(); ++line_number) {
    const size_t end = source.find('\n');
    const std::optional<std::string_view> text = RequirementOfLine(source.substr(0, end));
    source.remove_prefix(end == std::string_view::npos ? source.size() : end + 1);
    if (!text.has_value()) continue;
    absl::StatusOr<SmRequirement> requirement = Parse(*text);
    if (!requirement.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("line ", line_number, ": ", requirement.status().message()));
    }
    if (!found.has_value()) found.emplace();
    std::move(requirement->clauses_.begin(), requirement->clauses_.end(),
              std::back_inserter(found->clauses_));
  }
  return found;
}

bool SmRequirement::MetByTarget(const ComputeCapability& target) const {
  return std::all_of(clauses_.begin(), clauses_.end(),
                     [&target](const Clause& clause) { return Met(clause, target); });
}

absl::Status SmRequirement::CheckTarget(const ComputeCapability& target) const {
  if (MetByTarget(target)) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("requires ", ToString(), ", but the target is ", target.ToString()));
}

std::string SmRequirement::ToString() const {
  return absl::StrJoin(clauses_, " & ", [](std::string* out, const Clause& clause) {
    out->append(ClauseToString(clause));
  });
}

}  // namespace warpyard
