// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/target/requirement.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "cc/base/status_macros.h"
#include "cc/target/compute_capability.h"
#include "cc/target/requirement_parser.h"

namespace warpyard {
namespace {

using Clause = Requirement::Clause;
using Op = Requirement::Clause::Op;
using Value = Requirement::Value;
using VersionNumbers = Requirement::VersionNumbers;

constexpr size_t kMaxQuoted = 100;

// What a clause is held against.
struct Fact {
  Value value;
  // Of a compute capability: a GPU, which runs code of every suffix for its
  // number; otherwise a target that code is compiled for.
  bool device = false;
};

// As many numbers as a requirement writes count: 9.13 stands for every 9.13.x.
VersionNumbers Truncated(VersionNumbers found, size_t size) {
  found.resize(size, 0);
  return found;
}

bool Same(const Clause& clause, const Value& value, const Fact& fact) {
  if (clause.key == "sm") {
    const ComputeCapability& listed = value.capability;
    const ComputeCapability& found = fact.value.capability;
    if (listed.kind() == ComputeCapability::Kind::kPlain) return listed == found.Plain();
    return fact.device ? CanRun(listed, found, CodeKind::kCubin) : CanCompileFor(listed, found);
  }
  if (requirement_internal::IsVersionKey(clause.key)) {
    return Truncated(fact.value.version, value.version.size()) == value.version;
  }
  return value == fact.value;
}

template <typename T>
bool Compare(Op op, const T& found, const T& value) {
  switch (op) {
    case Op::kGreaterEqual:
      return found >= value;
    case Op::kGreater:
      return found > value;
    case Op::kLessEqual:
      return found <= value;
    case Op::kLess:
      return found < value;
    default:
      return false;
  }
}

bool Holds(const Clause& clause, const Fact& fact) {
  if (clause.op == Op::kHardware) return fact.value.number != 0;
  if (clause.op == Op::kIn) {
    return std::any_of(clause.values.begin(), clause.values.end(),
                       [&](const Value& value) { return Same(clause, value, fact); });
  }
  const Value& value = clause.values.front();
  if (clause.op == Op::kNotEqual) return !Same(clause, value, fact);
  if (clause.key == "sm") {
    return Compare(clause.op, fact.value.capability.Plain(), value.capability);
  }
  if (requirement_internal::IsVersionKey(clause.key)) {
    return Compare(clause.op, Truncated(fact.value.version, value.version.size()), value.version);
  }
  return Compare(clause.op, fact.value.number, value.number);
}

std::string ClauseToString(const Clause& clause) {
  if (clause.op == Op::kHardware) return clause.key;
  if (clause.op == Op::kIn && clause.texts.size() > 1) {
    return absl::StrCat(clause.key, " in {", absl::StrJoin(clause.texts, ", "), "}");
  }
  const std::string_view symbol = clause.op == Op::kGreaterEqual ? ">="
                                  : clause.op == Op::kGreater    ? ">"
                                  : clause.op == Op::kLessEqual  ? "<="
                                  : clause.op == Op::kLess       ? "<"
                                  : clause.op == Op::kNotEqual   ? "!="
                                                                 : "==";
  return absl::StrCat(clause.key, symbol, clause.texts.front());
}

std::string ClausesToString(const std::vector<Clause>& clauses) {
  return absl::StrJoin(clauses, " & ", [](std::string* out, const Clause& clause) {
    out->append(ClauseToString(clause));
  });
}

// Facts of which at least one meets all clauses of a key, if any fact does: what
// a clause accepts is a union of ranges, each of which begins at the lowest
// fact, at a value or right behind a value. For sm, simply all there are.
std::vector<Fact> Candidates(std::string_view key, const std::vector<Clause>& clauses) {
  namespace internal = requirement_internal;
  std::vector<Fact> facts;
  if (key == "os") {
    for (std::string_view system : internal::kSystems)
      facts.push_back({Value{.name = std::string(system)}});
    return facts;
  }
  if (key == "gpu") {
    for (std::string_view gpu : internal::kGpus) facts.push_back({Value{.name = std::string(gpu)}});
    return facts;
  }
  if (key == "sm") {
    using Kind = ComputeCapability::Kind;
    for (int number = 10; number < 1000; ++number) {
      const ComputeCapability cc(number / 10, number % 10);
      facts.push_back({Value{.capability = cc}, true});
      for (const Kind kind : {Kind::kPlain, Kind::kFamily, Kind::kArch}) {
        facts.push_back({Value{.capability = cc.WithKind(kind)}});
      }
    }
    return facts;
  }
  facts.push_back({Value{.version = {0}}});
  for (const Clause& clause : clauses) {
    for (const Value& value : clause.values) {
      Value next = value;
      if (internal::IsVersionKey(key)) {
        ++next.version.back();
      } else {
        ++next.number;
      }
      facts.push_back({value});
      if (key != "gpus" || next.number <= internal::kMostGpus) facts.push_back({next});
    }
  }
  return facts;
}

absl::Status CheckNoContradiction(const std::vector<Clause>& clauses) {
  std::set<std::string> keys;
  for (const Clause& clause : clauses) {
    if (clause.op != Op::kHardware) keys.insert(clause.key);
  }
  for (const std::string& key : keys) {
    std::vector<Clause> of_key;
    std::copy_if(clauses.begin(), clauses.end(), std::back_inserter(of_key),
                 [&key](const Clause& clause) { return clause.key == key; });
    const std::vector<Fact> facts = Candidates(key, of_key);
    const bool met = std::any_of(facts.begin(), facts.end(), [&of_key](const Fact& fact) {
      return std::all_of(of_key.begin(), of_key.end(),
                         [&fact](const Clause& clause) { return Holds(clause, fact); });
    });
    if (!met) {
      return absl::InvalidArgumentError(
          absl::StrCat("no ", key, " meets ", ClausesToString(of_key)));
    }
  }
  return absl::OkStatus();
}

absl::Status BadRequirement(std::string_view text, std::string_view why) {
  std::string quoted = absl::CHexEscape(text.substr(0, kMaxQuoted));
  if (text.size() > kMaxQuoted) absl::StrAppend(&quoted, "...");
  return absl::InvalidArgumentError(absl::StrCat("requirement \"", quoted, "\": ", why));
}

absl::StatusOr<Fact> ParseFact(std::string_view key, std::string_view text) {
  if (key == "hardware") {
    if (text == "yes" || text == "no") return Fact{Value{.number = text == "yes"}};
    return absl::InvalidArgumentError(
        absl::StrCat("fact hardware=\"", absl::CHexEscape(text), "\": expected yes or no"));
  }
  // Of a GPU that this version does not know, too.
  if (key == "gpu") return Fact{Value{.name = std::string(text)}};
  WARPYARD_ASSIGN_OR_RETURN(Value value, requirement_internal::ParseValue(key, text));
  return Fact{std::move(value), key == "sm"};
}

// What a fact of "none" is called.
std::string_view Absent(std::string_view key) {
  if (key == "cuda") return "no CUDA";
  if (key == "cudnn") return "no cuDNN";
  if (key == "driver") return "no driver";
  if (key == "nccl") return "no NCCL";
  return "no GPU";
}

constexpr std::string_view kMarker = "warpyard-requires:";

// What follows the marker, where `line` is a comment that begins with it.
std::optional<std::string_view> RequirementOfLine(std::string_view line) {
  line = absl::StripAsciiWhitespace(line);
  if (!absl::ConsumePrefix(&line, "//")) return std::nullopt;
  line = absl::StripLeadingAsciiWhitespace(line);
  if (!absl::ConsumePrefix(&line, kMarker)) return std::nullopt;
  return absl::StripLeadingAsciiWhitespace(line);
}

}  // namespace

std::string Evaluation::Clauses() const {
  return absl::StrJoin(findings, " & ", [](std::string* out, const Finding& finding) {
    out->append(finding.clause);
  });
}

std::string Evaluation::Found() const {
  return absl::StrJoin(
      findings, ", ", [](std::string* out, const Finding& finding) { out->append(finding.found); });
}

std::string Evaluation::ToString() const {
  if (met()) return "met";
  return absl::StrCat(verdict == Verdict::kUnmet ? "unmet: " : "unknown: ",
                      absl::StrJoin(findings, "; ", [](std::string* out, const Finding& finding) {
                        absl::StrAppend(out, finding.clause, " found ", finding.found);
                      }));
}

absl::StatusOr<Requirement> Requirement::Parse(std::string_view text) {
  absl::StatusOr<std::vector<Clause>> clauses = requirement_internal::ParseClauses(text);
  if (!clauses.ok()) return BadRequirement(text, clauses.status().message());
  if (const absl::Status status = CheckNoContradiction(*clauses); !status.ok()) {
    return BadRequirement(text, status.message());
  }
  Requirement requirement;
  requirement.clauses_ = *std::move(clauses);
  return requirement;
}

absl::StatusOr<Requirement> Requirement::ParseForTargets(std::string_view text) {
  WARPYARD_ASSIGN_OR_RETURN(Requirement requirement, Parse(text));
  for (const Clause& clause : requirement.clauses_) {
    if (clause.key == "sm") continue;
    return BadRequirement(text,
                          absl::StrCat("\"", clause.key,
                                       "\" is about the machine that a test runs on; only sm can "
                                       "be required of a target"));
  }
  return requirement;
}

absl::StatusOr<std::optional<Requirement>> Requirement::FindInSource(std::string_view source) {
  std::optional<Requirement> found;
  for (size_t line_number = 1; !source.empty(); ++line_number) {
    const size_t end = source.find('\n');
    const std::optional<std::string_view> text = RequirementOfLine(source.substr(0, end));
    source.remove_prefix(end == std::string_view::npos ? source.size() : end + 1);
    if (!text.has_value()) continue;
    absl::StatusOr<Requirement> requirement = ParseForTargets(*text);
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

absl::StatusOr<Evaluation> Requirement::Evaluate(const Facts& facts) const {
  std::vector<Evaluation::Finding> unmet, unknown;
  const auto target = facts.find("target");
  for (const Clause& clause : clauses_) {
    const std::string& key = clause.key;
    const auto entry = facts.find(key);
    std::string_view text = entry == facts.end() ? "?" : std::string_view(entry->second);
    absl::StatusOr<Fact> fact;
    if (key == "sm" && target != facts.end()) {
      text = target->second;
      fact = ParseFact(key, text);
      if (fact.ok()) fact->device = false;
    } else if (text == "none") {
      unmet.push_back({ClauseToString(clause), std::string(Absent(key))});
      continue;
    } else if (text == "?") {
      unknown.push_back({ClauseToString(clause), "unknown"});
      continue;
    } else {
      fact = ParseFact(key, text);
    }
    WARPYARD_RETURN_IF_ERROR(fact.status());
    if (!Holds(clause, *fact)) {
      unmet.push_back(
          {ClauseToString(clause), std::string(key == "hardware" ? "an emulated device" : text)});
    }
  }
  Evaluation evaluation;
  if (!unmet.empty()) {
    evaluation = {Evaluation::Verdict::kUnmet, std::move(unmet)};
  } else if (!unknown.empty()) {
    evaluation = {Evaluation::Verdict::kUnknown, std::move(unknown)};
  }
  return evaluation;
}

bool Requirement::MetByTarget(const ComputeCapability& target) const {
  const Fact fact = {Value{.capability = target}};
  return std::all_of(clauses_.begin(), clauses_.end(), [&fact](const Clause& clause) {
    return clause.key != "sm" || Holds(clause, fact);
  });
}

absl::Status Requirement::CheckTarget(const ComputeCapability& target) const {
  if (MetByTarget(target)) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("requires ", ToString(), ", but the target is ", target.ToString()));
}

std::string Requirement::ToString() const { return ClausesToString(clauses_); }

}  // namespace warpyard
