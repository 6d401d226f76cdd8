// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/target/requirement_parser.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "cc/base/status_macros.h"
#include "cc/target/compute_capability.h"
#include "cc/target/requirement.h"

namespace warpyard::requirement_internal {
namespace {

using Clause = Requirement::Clause;
using Op = Requirement::Clause::Op;
using Value = Requirement::Value;

constexpr size_t kMaxText = 1024;
constexpr std::string_view kKeys[] = {"cuda",     "cudnn",  "driver", "gpu", "gpus",
                                      "hardware", "memory", "nccl",   "os",  "sm"};

template <typename Range>
bool Contains(const Range& range, std::string_view text) {
  return std::find(std::begin(range), std::end(range), text) != std::end(range);
}

absl::Status Bad(std::string_view what) { return absl::InvalidArgumentError(what); }

// `"TEXT" WHY`.
absl::Status BadText(std::string_view text, std::string_view why) {
  return Bad(absl::StrCat("\"", absl::CHexEscape(text), "\"", why));
}

bool IsNumber(std::string_view text, size_t most_digits) {
  return !text.empty() && text.size() <= most_digits &&
         std::all_of(text.begin(), text.end(), absl::ascii_isdigit);
}

absl::StatusOr<Value> ParseSm(std::string_view text) {
  absl::StatusOr<ComputeCapability> value = ComputeCapability::Parse(text);
  if (value.ok()) return Value{.capability = *value};
  if (text.ends_with('a') || text.ends_with('f')) {
    const char suffix = text.back();
    if (ComputeCapability::Parse(text.substr(0, text.size() - 1)).ok()) {
      return BadText(text, absl::StrCat(": the suffix '", std::string(1, suffix), "' exists from ",
                                        suffix == 'a' ? "9.0" : "10.0", " on"));
    }
  }
  return BadText(text, " is no compute capability; expected for example 9.0, 9.0a or sm_100f");
}

absl::StatusOr<Value> ParseVersion(std::string_view text) {
  const std::vector<std::string_view> parts = absl::StrSplit(text, '.');
  Value value;
  for (std::string_view part : parts) {
    uint32_t number = 0;
    if (parts.size() > 4 || !IsNumber(part, 9) || !absl::SimpleAtoi(part, &number)) {
      return BadText(text, " is no version; expected numbers and dots, as in 9.13");
    }
    value.version.push_back(number);
  }
  return value;
}

absl::StatusOr<Value> ParseGpus(std::string_view text) {
  int64_t count = 0;
  if (!IsNumber(text, 4) || !absl::SimpleAtoi(text, &count) || count > kMostGpus) {
    return BadText(text, absl::StrCat(" is no number of GPUs; expected 0 to ", kMostGpus));
  }
  return Value{.number = count};
}

absl::StatusOr<Value> ParseMemory(std::string_view text) {
  static constexpr std::pair<std::string_view, int> kUnits[] = {
      {"KiB", 10}, {"MiB", 20}, {"GiB", 30}, {"TiB", 40}};
  for (const auto& [unit, shift] : kUnits) {
    std::string_view digits = text;
    int64_t count = 0;
    if (absl::ConsumeSuffix(&digits, unit) && IsNumber(digits, 7) &&
        absl::SimpleAtoi(digits, &count)) {
      return Value{.number = count << shift};
    }
  }
  return BadText(text, " is no size; expected for example 40GiB");
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text), rest_(text) {}

  absl::StatusOr<std::vector<Clause>> Parse() {
    if (text_.size() > kMaxText) {
      return Bad(absl::StrCat("it has more than ", kMaxText, " characters"));
    }
    SkipSpace();
    if (rest_.empty()) return Bad("it is empty");
    std::vector<Clause> clauses;
    while (true) {
      WARPYARD_ASSIGN_OR_RETURN(Clause clause, ParseClause());
      clauses.push_back(std::move(clause));
      SkipSpace();
      if (rest_.empty()) return clauses;
      if (!Take("&")) return Expected("& or the end");
    }
  }

 private:
  absl::StatusOr<Clause> ParseClause() {
    Clause clause;
    clause.key = TakeWord();
    if (clause.key.empty()) return Expected("a key");
    if (!Contains(kKeys, clause.key)) {
      return BadText(clause.key, absl::StrCat(" is no key; keys are ", absl::StrJoin(kKeys, ", ")));
    }
    if (clause.key == "hardware") {
      clause.op = Op::kHardware;
      return clause;
    }
    static constexpr std::pair<std::string_view, Op> kOps[] = {
        {">=", Op::kGreaterEqual}, {"<=", Op::kLessEqual}, {"==", Op::kIn},
        {"!=", Op::kNotEqual},     {">", Op::kGreater},    {"<", Op::kLess},
    };
    for (const auto& [symbol, op] : kOps) {
      if (!Take(symbol)) continue;
      clause.op = op;
      WARPYARD_RETURN_IF_ERROR(TakeValue(clause));
      WARPYARD_RETURN_IF_ERROR(CheckOrder(clause, symbol));
      return clause;
    }
    const std::string_view before = rest_;
    if (TakeWord() != "in") {
      rest_ = before;
      return Expected(absl::StrCat(">=, >, <=, <, ==, != or in after ", clause.key));
    }
    if (!Take("{")) return Expected("{ after in");
    while (true) {
      WARPYARD_RETURN_IF_ERROR(TakeValue(clause));
      if (Take("}")) return clause;
      if (!Take(",")) return Expected(", or }");
    }
  }

  // Refuses < and its like where there is no order.
  static absl::Status CheckOrder(const Clause& clause, std::string_view symbol) {
    if (clause.op == Op::kIn || clause.op == Op::kNotEqual) return absl::OkStatus();
    if (clause.key == "os" || clause.key == "gpu") {
      return Bad(absl::StrCat(clause.key, " has no order; use ==, != or in"));
    }
    if (clause.key == "sm") {
      const ComputeCapability& cc = clause.values.front().capability;
      if (cc.kind() != ComputeCapability::Kind::kPlain) {
        return Bad(absl::StrCat(symbol, " compares numbers; write ", cc.Plain().ToString(),
                                ", or sm==", cc.ToString()));
      }
    }
    return absl::OkStatus();
  }

  absl::Status TakeValue(Clause& clause) {
    const std::string word(TakeWord());
    if (word.empty()) return Expected("a value");
    WARPYARD_ASSIGN_OR_RETURN(Value value, ParseValue(clause.key, word));
    clause.texts.push_back(clause.key == "sm" ? value.capability.ToString() : word);
    clause.values.push_back(std::move(value));
    return absl::OkStatus();
  }

  std::string_view TakeWord() {
    SkipSpace();
    size_t size = 0;
    while (size < rest_.size() && IsWordChar(rest_[size])) ++size;
    const std::string_view word = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return word;
  }

  static bool IsWordChar(char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '-';
  }

  bool Take(std::string_view symbol) {
    SkipSpace();
    return absl::ConsumePrefix(&rest_, symbol);
  }

  void SkipSpace() { rest_ = absl::StripLeadingAsciiWhitespace(rest_); }

  absl::Status Expected(std::string_view what) {
    SkipSpace();
    return Bad(absl::StrCat("expected ", what, " at position ", text_.size() - rest_.size()));
  }

  std::string_view text_;
  std::string_view rest_;
};

}  // namespace

bool IsVersionKey(std::string_view key) {
  return key == "cuda" || key == "cudnn" || key == "driver" || key == "nccl";
}

absl::StatusOr<Value> ParseValue(std::string_view key, std::string_view text) {
  if (key == "sm") return ParseSm(text);
  if (key == "gpus") return ParseGpus(text);
  if (key == "memory") return ParseMemory(text);
  if (key == "os") {
    if (Contains(kSystems, text)) return Value{.name = std::string(text)};
    return BadText(text, " is no operating system; expected linux, macos or windows");
  }
  if (key == "gpu") {
    if (Contains(kGpus, text)) return Value{.name = std::string(text)};
    return BadText(
        text, absl::StrCat(" is no GPU that is known; known are ", absl::StrJoin(kGpus, ", ")));
  }
  return ParseVersion(text);
}

absl::StatusOr<std::vector<Clause>> ParseClauses(std::string_view text) {
  return Parser(text).Parse();
}

}  // namespace warpyard::requirement_internal
