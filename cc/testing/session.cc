// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/testing/session.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/civil_time.h"
#include "cc/base/environment.h"
#include "cc/base/status_macros.h"
#include "cc/target/requirement.h"
#include "cc/testing/machine.h"
#include "cc/testing/verdict.h"
#include "cc/testing/waiver.h"

namespace warpyard::testing {
namespace {

std::string FactsJson(const Facts& facts) {
  return absl::StrCat("{",
                      absl::StrJoin(facts, ", ",
                                    [](std::string* out, const auto& fact) {
                                      absl::StrAppend(out, JsonString(fact.first), ": ",
                                                      JsonString(fact.second));
                                    }),
                      "}");
}

}  // namespace

std::string Unmet::ToString() const {
  return absl::StrCat("requires ", requirement, ", found ", found);
}

Session::Session(Environment environment, absl::StatusOr<Machine> machine, absl::CivilDay today)
    : environment_(std::move(environment)),
      machine_(std::move(machine)),
      today_(today),
      writer_(environment_) {
  const std::string strict = Get("WARPYARD_STRICT_SKIPS");
  strict_ = !strict.empty() && strict != "0";
}

absl::StatusOr<Session> Session::Create(Environment environment, absl::StatusOr<Machine> machine,
                                        absl::CivilDay today) {
  Session session(std::move(environment), std::move(machine), today);
  if (const std::string expected = session.Get("WARPYARD_TEST_XFAIL"); !expected.empty()) {
    WARPYARD_ASSIGN_OR_RETURN(session.expected_, Waiver::Parse(expected));
  }
  return session;
}

absl::StatusOr<std::optional<Unmet>> Session::FindUnmet(std::string_view text) {
  WARPYARD_ASSIGN_OR_RETURN(const Requirement requirement, Requirement::Parse(text));
  WARPYARD_RETURN_IF_ERROR(machine_.status());
  WARPYARD_ASSIGN_OR_RETURN(const Evaluation evaluation, requirement.Evaluate(machine_->ToFacts()));
  if (evaluation.met()) return std::nullopt;
  const Unmet unmet = {evaluation.Clauses(), evaluation.Found()};
  declared_.insert({unmet.ToString(), unmet});
  return unmet;
}

absl::StatusOr<std::optional<Unmet>> Session::OwnRequirementUnmet() {
  const std::string text = Get("WARPYARD_TEST_REQUIRES");
  if (text.empty()) return std::nullopt;
  return FindUnmet(text);
}

absl::Status Session::Attest() const {
  const std::string lane = Get("WARPYARD_LANE");
  const std::string claim = Get("WARPYARD_LANE_CLAIM");
  if (claim.empty()) return absl::OkStatus();
  if (!machine_.ok()) {
    return absl::FailedPreconditionError(
        absl::StrCat("lane ", lane, ": ", machine_.status().message()));
  }
  WARPYARD_ASSIGN_OR_RETURN(const Requirement requirement, Requirement::Parse(claim));
  WARPYARD_ASSIGN_OR_RETURN(const Evaluation evaluation, requirement.Evaluate(machine_->ToFacts()));
  const auto lie = [&lane](std::string_view what) {
    return absl::FailedPreconditionError(
        absl::StrCat("lane ", lane, " is not what it claims to be: ", what));
  };
  if (!evaluation.met()) return lie(evaluation.ToString());
  if (!Get("WARPYARD_EMULATE").empty() && !machine_->emulated) return lie("a real GPU");
  for (const MachineDevice& device : machine_->devices) {
    if (device.IsMig()) return lie(absl::StrCat(device.name, " is a slice of a GPU"));
  }
  return absl::OkStatus();
}

absl::Status Session::Begin(const std::vector<std::string>& cases, bool attested) {
  const auto number = [this](std::string_view name, std::string_view otherwise) {
    const std::string text = Get(name);
    const bool is_number = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
      return '0' <= c && c <= '9';
    });
    return is_number ? text : std::string(otherwise);
  };
  const bool claimed = !Get("WARPYARD_LANE_CLAIM").empty();
  return writer_.Run(
      {{"target", JsonString(Get("WARPYARD_TEST_TARGET"))},
       {"lane", JsonString(Get("WARPYARD_LANE"))},
       {"requires", JsonString(Get("WARPYARD_TEST_REQUIRES"))},
       {"shard", number("TEST_SHARD_INDEX", "0")},
       {"shards", number("TEST_TOTAL_SHARDS", "1")},
       {"facts", FactsJson(machine_.ok() ? machine_->ToFacts() : Facts())},
       {"attested", attested && claimed ? "true" : "false"},
       {"cases", absl::StrCat("[",
                              absl::StrJoin(cases, ", ",
                                            [](std::string* out, const std::string& name) {
                                              out->append(JsonString(name));
                                            }),
                              "]")}});
}

CaseVerdict Session::Decide(std::string_view suite, std::string_view name, Outcome outcome,
                            std::string_view text, double seconds,
                            const std::optional<Waiver>& own) const {
  CaseVerdict c = {std::string(suite), std::string(name), Verdict::kPassed, seconds};
  const std::optional<Waiver>& expected = own.has_value() ? own : expected_;
  if (outcome == Outcome::kSkipped) {
    c.verdict = Verdict::kSkipped;
    c.reason = text;
    if (const auto declared = declared_.find(text); declared != declared_.end()) {
      c.requirement = declared->second.requirement;
      c.found = declared->second.found;
    } else if (strict_) {
      c.verdict = Verdict::kFailed;
      c.message = absl::StrCat(
          "skipped without a declared requirement: ", text.empty() ? "no reason given" : text,
          ". Say what is needed with WARPYARD_REQUIRES, or let the test fail.");
    }
    return c;
  }
  if (expected.has_value() && expected->Expired(today_)) {
    c.verdict = Verdict::kFailed;
    c.message = absl::StrCat("the expected failure has expired: ", expected->ToString(),
                             text.empty() ? "" : "\n", text);
  } else if (outcome == Outcome::kFailed) {
    c.verdict = expected.has_value() ? Verdict::kXfail : Verdict::kFailed;
    c.message = text;
    if (expected.has_value()) c.reason = expected->ToString();
  } else if (own.has_value()) {
    c.verdict = Verdict::kXpass;
    c.message = absl::StrCat("passed, and is expected to fail: ", own->ToString());
  }
  return c;
}

absl::Status Session::Record(const CaseVerdict& c) {
  cases_.push_back(c);
  return writer_.Case(c);
}

bool Session::AnyBad() const {
  return std::any_of(cases_.begin(), cases_.end(), [](const CaseVerdict& c) { return c.bad(); });
}

std::string Session::WholeRunMessage(bool complete) {
  if (AnyBad()) return "";
  const auto count = [this](Verdict verdict) {
    return std::count_if(cases_.begin(), cases_.end(),
                         [verdict](const CaseVerdict& c) { return c.verdict == verdict; });
  };
  const auto ran = static_cast<long>(cases_.size()) - count(Verdict::kNeverRan);
  if (ran == 0) return complete ? "no test case ran" : "";
  // Of a part of the cases all may be skipped.
  const bool sharded = Get("TEST_TOTAL_SHARDS") != "" && Get("TEST_TOTAL_SHARDS") != "1";
  if (count(Verdict::kSkipped) == ran) {
    if (sharded) return "";
    const absl::StatusOr<std::optional<Unmet>> own = OwnRequirementUnmet();
    if (own.ok() && own->has_value()) return "";
    return "all cases were skipped. What all of them need belongs in `requires` of the target, so "
           "that it is seen where it runs";
  }
  if (expected_.has_value() && complete && count(Verdict::kXfail) == 0) {
    return absl::StrCat("all passed, and the target is expected to fail: ", expected_->ToString());
  }
  return "";
}

absl::StatusOr<std::string> Session::Finish(bool complete) {
  const std::string message = WholeRunMessage(complete);
  if (message.starts_with("all passed")) {
    CaseVerdict xpass = {"", "target", Verdict::kXpass, 0};
    xpass.message = message;
    WARPYARD_RETURN_IF_ERROR(Record(xpass));
  }
  WARPYARD_RETURN_IF_ERROR(
      writer_.End(!message.empty() || AnyBad() ? "failed" : "passed", message));
  return message;
}

absl::Status Session::SkipAll(const Unmet& unmet) {
  WARPYARD_RETURN_IF_ERROR(Begin({}));
  CaseVerdict c = {"", "target", Verdict::kSkipped, 0};
  c.requirement = unmet.requirement;
  c.found = unmet.found;
  c.reason = unmet.ToString();
  WARPYARD_RETURN_IF_ERROR(Record(c));
  return writer_.End("skipped", c.reason);
}

absl::Status Session::Infrastructure(std::string_view message) {
  WARPYARD_RETURN_IF_ERROR(Begin({}, /*attested=*/false));
  CaseVerdict c = {"", "lane", Verdict::kFailed, 0};
  c.message = message;
  WARPYARD_RETURN_IF_ERROR(Record(c));
  return writer_.End("infrastructure", message);
}

}  // namespace warpyard::testing
