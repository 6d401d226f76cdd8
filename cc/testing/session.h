// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// One run of a test program: what its cases' outcomes come to. Knows nothing of
// GoogleTest, which run.cc connects.

#ifndef WARPYARD_CC_TESTING_SESSION_H_
#define WARPYARD_CC_TESTING_SESSION_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/civil_time.h"
#include "cc/base/environment.h"
#include "cc/testing/machine.h"
#include "cc/testing/verdict.h"
#include "cc/testing/waiver.h"

namespace warpyard::testing {

// A requirement that the machine does not meet.
struct Unmet {
  std::string requirement;
  std::string found;

  // "requires cudnn>=9.13, found 9.10.2"
  std::string ToString() const;
};

class Session {
 public:
  // What every case can come to, before it is judged.
  enum class Outcome { kPassed, kFailed, kSkipped };

  // `machine` may be an error: then every requirement is one too. INVALID_ARGUMENT
  // for a waiver in the environment that is none.
  static absl::StatusOr<Session> Create(Environment environment, absl::StatusOr<Machine> machine,
                                        absl::CivilDay today);

  const absl::StatusOr<Machine>& machine() const { return machine_; }

  // What of a requirement the machine does not meet; remembers that the skip
  // was declared. INVALID_ARGUMENT where the text is no requirement.
  absl::StatusOr<std::optional<Unmet>> FindUnmet(std::string_view requirement);

  // Holds the machine against what the lane claims, if there is a lane:
  // FAILED_PRECONDITION where it is another.
  absl::Status Attest() const;

  // What of the target's own requirement is not met.
  absl::StatusOr<std::optional<Unmet>> OwnRequirementUnmet();

  // Whether skips that were not declared are failures.
  bool strict() const { return strict_; }

  // --- Files ---

  absl::Status Begin(const std::vector<std::string>& cases, bool attested = true);

  // The verdict on a case, not yet written down. `text` is why it was skipped,
  // or the failure; `expected` that it is expected to fail.
  CaseVerdict Decide(std::string_view suite, std::string_view name, Outcome outcome,
                     std::string_view text, double seconds,
                     const std::optional<Waiver>& expected) const;
  absl::Status Record(const CaseVerdict& verdict);

  // Closes the files. What is wrong with the run as a whole, or ""; `complete`
  // says that all of the program's cases were to run: no filter, no shard.
  absl::StatusOr<std::string> Finish(bool complete);

  // Whether anything recorded fails the program.
  bool AnyBad() const;
  const std::vector<CaseVerdict>& cases() const { return cases_; }

  // Writes that nothing ran, as the target's own requirement is not met.
  absl::Status SkipAll(const Unmet& unmet);
  // Writes that the machine was at fault.
  absl::Status Infrastructure(std::string_view message);

 private:
  Session(Environment environment, absl::StatusOr<Machine> machine, absl::CivilDay today);

  std::string Get(std::string_view name) const { return environment_.Get(name).value_or(""); }
  std::string WholeRunMessage(bool complete);

  Environment environment_;
  absl::StatusOr<Machine> machine_;
  absl::CivilDay today_;
  bool strict_ = false;
  std::optional<Waiver> expected_;  // of the whole target
  std::map<std::string, Unmet, std::less<>> declared_;
  VerdictWriter writer_;
  std::vector<CaseVerdict> cases_;
};

}  // namespace warpyard::testing

#endif  // WARPYARD_CC_TESTING_SESSION_H_
