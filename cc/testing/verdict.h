// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// What became of each test case, written down as it happens:
// warpyard_verdicts.jsonl in TEST_UNDECLARED_OUTPUTS_DIR, one JSON object a line
// (docs/testing.md lists the fields), and XML_OUTPUT_FILE, the same in JUnit's
// form. python/warpyard/testing/verdicts.py writes the same.

#ifndef WARPYARD_CC_TESTING_VERDICT_H_
#define WARPYARD_CC_TESTING_VERDICT_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "cc/base/environment.h"

namespace warpyard::testing {

enum class Verdict { kPassed, kFailed, kSkipped, kXfail, kXpass, kNeverRan };

// "passed", "never_ran" ...
std::string_view VerdictName(Verdict verdict);

// One test case. `requirement` and `found` are of a declared skip.
struct CaseVerdict {
  std::string suite;
  std::string name;
  Verdict verdict = Verdict::kPassed;
  double seconds = 0;
  std::string requirement = {};
  std::string found = {};
  std::string reason = {};
  std::string message = {};

  bool bad() const { return verdict == Verdict::kFailed || verdict == Verdict::kXpass; }
};

// The cases as a JUnit report. `target` names the suite of cases without one.
std::string JunitReport(std::string_view target, absl::Span<const CaseVerdict> cases);

// Text as a JSON string, with its quotes; what is not UTF-8 becomes U+FFFD.
std::string JsonString(std::string_view text);

// Pairs of a name and a JSON value.
using JsonFields = std::vector<std::pair<std::string, std::string>>;

// Writes to the files that the environment names, if it names any.
class VerdictWriter {
 public:
  explicit VerdictWriter(const Environment& environment);

  // The first line: what is about to run, and where.
  absl::Status Run(const JsonFields& fields);
  absl::Status Case(const CaseVerdict& verdict);
  // The last line, and the report.
  absl::Status End(std::string_view verdict, std::string_view message);

 private:
  absl::Status Line(std::string_view kind, const JsonFields& fields) const;

  std::string path_;
  std::string xml_;
  std::string target_;
  std::vector<CaseVerdict> cases_;
};

}  // namespace warpyard::testing

#endif  // WARPYARD_CC_TESTING_VERDICT_H_
