// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// What a kernel's source demands of the target that it is compiled for.

#ifndef WARPYARD_CC_TARGET_REQUIREMENT_H_
#define WARPYARD_CC_TARGET_REQUIREMENT_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cc/target/compute_capability.h"

namespace warpyard {

// The `sm` part of the requirement language:
//
//   sm>=9.0
//   sm>=9.0 & sm<12.0
//   sm in {10.0a, 10.3a}
//   sm==9.0a
//
//   requirement = clause { "&" clause }
//   clause      = "sm" ( ">=" | ">" | "<=" | "<" ) NUMBER
//               | "sm" ( "==" | "!=" ) TARGET
//               | "sm" "in" "{" TARGET { "," TARGET } "}"
//
// NUMBER is a compute capability without a suffix; comparisons look at major
// and minor of the target alone. TARGET may carry one: 9.0 is met by every
// target of that number, 9.0a by 9.0a alone, and 10.0f by the 'f' and 'a'
// targets of its family from 10.0 on: by what code for it can be compiled for.
// White space separates and is otherwise ignored.
class SmRequirement {
 public:
  // One condition; a requirement is met when all its clauses are.
  struct Clause {
    enum class Op { kGreaterEqual, kGreater, kLessEqual, kLess, kNotEqual, kIn };
    Op op = Op::kIn;
    // One for every operator but kIn ("==" is kIn of one).
    std::vector<ComputeCapability> values;
  };

  // INVALID_ARGUMENT quotes the text and says what is wrong where. A key other
  // than sm is refused: it is about the machine that a test runs on, not about
  // the target that code is compiled for.
  static absl::StatusOr<SmRequirement> Parse(std::string_view text);

  // Finds lines `// warpyard-requires: REQUIREMENT` in CUDA C++ or PTX text,
  // where nothing but white space stands before the slashes. Several lines must
  // all be met. Absent when there is none; INVALID_ARGUMENT names the line.
  static absl::StatusOr<std::optional<SmRequirement>> FindInSource(std::string_view source);

  // Whether code that declares this can be compiled for `target`.
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
