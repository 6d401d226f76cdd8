// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The language in which a test says what it needs of a machine, and a kernel's
// source what it needs of its target: "sm>=9.0 & cudnn>=9.13".
//
//   requirement = clause { "&" clause }
//   clause      = "hardware" | KEY OPERATOR VALUE
//               | KEY "in" "{" VALUE { "," VALUE } "}"
//
// docs/requirements.md says what keys, operators and values mean. The language
// is read alike by bazel/private/testing/requirement.bzl and
// python/warpyard/testing/requirement.py; one table of cases, with the wording
// of errors, holds the three together (tests/requirements/cases.bzl).

#ifndef WARPYARD_CC_TARGET_REQUIREMENT_H_
#define WARPYARD_CC_TARGET_REQUIREMENT_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cc/target/compute_capability.h"

namespace warpyard {

// What is known of a machine: texts by key, as in a requirement (`sm` is the
// device's). "none" says that the machine has no such thing, which no clause
// accepts; a key that is absent or "?" is not known. `hardware` is "yes" or
// "no". `target` in the place of `sm` asks about code compiled for it.
using Facts = std::map<std::string, std::string, std::less<>>;

// What a requirement comes to on a machine.
struct Evaluation {
  enum class Verdict { kMet, kUnmet, kUnknown };
  struct Finding {
    std::string clause;
    std::string found;
  };

  Verdict verdict = Verdict::kMet;
  // Clauses that are not met or, where there are none such, not known to be.
  std::vector<Finding> findings;

  bool met() const { return verdict == Verdict::kMet; }
  std::string Clauses() const;  // "cudnn>=9.13 & gpus>=2"
  std::string Found() const;    // "9.10.2, 1"
  // "met", or "unmet: cudnn>=9.13 found 9.10.2; gpus>=2 found 1".
  std::string ToString() const;
};

class Requirement {
 public:
  // The numbers of a version, one to four.
  using VersionNumbers = std::vector<uint32_t>;

  // Of the fields, the one that the key has: `capability` of sm, `version` of
  // versions, `number` of gpus (a count), memory (bytes) and hardware (0 or 1),
  // `name` of os and gpu.
  struct Value {
    ComputeCapability capability = {};
    VersionNumbers version = {};
    int64_t number = 0;
    std::string name = {};

    friend bool operator==(const Value&, const Value&) = default;
  };

  // One condition; a requirement is met when all its clauses are.
  struct Clause {
    enum class Op { kGreaterEqual, kGreater, kLessEqual, kLess, kNotEqual, kIn, kHardware };
    std::string key;
    Op op = Op::kIn;
    // None for kHardware, one for every other operator but kIn ("==" is kIn of one).
    std::vector<Value> values;
    std::vector<std::string> texts;
  };

  // INVALID_ARGUMENT quotes the text and says what is wrong where; clauses of
  // one key that nothing can meet together are wrong too.
  static absl::StatusOr<Requirement> Parse(std::string_view text);

  // A requirement of the target that code is compiled for: INVALID_ARGUMENT for
  // every key but sm, as the others are about the machine that a test runs on.
  static absl::StatusOr<Requirement> ParseForTargets(std::string_view text);

  // Finds lines `// warpyard-requires: REQUIREMENT` in CUDA C++ or PTX text,
  // where nothing but white space stands before the slashes. Several lines must
  // all be met. Absent when there is none; INVALID_ARGUMENT names the line.
  static absl::StatusOr<std::optional<Requirement>> FindInSource(std::string_view source);

  // INVALID_ARGUMENT for a fact that is none.
  absl::StatusOr<Evaluation> Evaluate(const Facts& facts) const;

  // Whether code that declares this can be compiled for `target`; clauses of
  // other keys than sm do not count.
  bool MetByTarget(const ComputeCapability& target) const;

  // OK when MetByTarget; otherwise FAILED_PRECONDITION with both, so that a
  // caller can report why it left the target out.
  absl::Status CheckTarget(const ComputeCapability& target) const;

  // "sm>=9.0 & sm in {10.0a, 10.3a}": parses back to the same.
  std::string ToString() const;

  const std::vector<Clause>& clauses() const { return clauses_; }

 private:
  std::vector<Clause> clauses_;
};

}  // namespace warpyard

#endif  // WARPYARD_CC_TARGET_REQUIREMENT_H_
