// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/testing/requires.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/log/check.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/civil_time.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "cc/base/environment.h"
#include "cc/base/file_lock.h"
#include "cc/base/status_macros.h"
#include "cc/target/requirement.h"
#include "cc/testing/gpu_share.h"
#include "cc/testing/machine.h"
#include "cc/testing/session.h"
#include "cc/testing/verdict.h"
#include "cc/testing/waiver.h"
#include "gtest/gtest.h"

namespace warpyard::testing {
namespace {

constexpr int kExitInfrastructure = 75;

// Of the process; made by RunAllTests.
Session* current = nullptr;
// Of the running case.
std::optional<Waiver> expected;

// For what cannot be told in a verdict: the files cannot be written.
void CheckWritten(const absl::Status& status) {
  if (!status.ok()) ADD_FAILURE() << "verdicts: " << status;
}

std::string SkipText(const ::testing::TestResult& result) {
  for (int i = 0; i < result.total_part_count(); ++i) {
    const ::testing::TestPartResult& part = result.GetTestPartResult(i);
    if (part.skipped()) return std::string(absl::StripAsciiWhitespace(part.message()));
  }
  return "";
}

std::string FailureText(const ::testing::TestResult& result) {
  std::string text;
  for (int i = 0; i < result.total_part_count(); ++i) {
    const ::testing::TestPartResult& part = result.GetTestPartResult(i);
    if (!part.failed()) continue;
    const char* file = part.file_name() == nullptr ? "unknown file" : part.file_name();
    absl::StrAppend(&text, text.empty() ? "" : "\n", file, ":", part.line_number(), "\n",
                    part.message());
  }
  return text;
}

std::string FullName(const ::testing::TestInfo& info) {
  return absl::StrCat(info.test_suite_name(), ".", info.name());
}

// The suite of the running case.
const ::testing::TestSuite& SuiteOf(const ::testing::TestInfo& info) {
  const ::testing::TestSuite& suite = *::testing::UnitTest::GetInstance()->current_test_suite();
  DCHECK(std::string_view(suite.name()) == info.test_suite_name());
  return suite;
}

// Calls `visit` with each case that the filter and the shard leave.
template <typename Visit>
void ForEachCase(Visit visit) {
  const ::testing::UnitTest& program = *::testing::UnitTest::GetInstance();
  for (int i = 0; i < program.total_test_suite_count(); ++i) {
    const ::testing::TestSuite& suite = *program.GetTestSuite(i);
    for (int j = 0; j < suite.total_test_count(); ++j) {
      const ::testing::TestInfo& info = *suite.GetTestInfo(j);
      if (info.is_reportable()) visit(info);
    }
  }
}

// Turns what GoogleTest sees into verdicts.
class Listener : public ::testing::EmptyTestEventListener {
 public:
  void OnTestStart(const ::testing::TestInfo& info) override {
    expected.reset();
    // GoogleTest runs the cases of a suite whose SetUpTestSuite was skipped.
    const ::testing::TestSuite& suite = SuiteOf(info);
    if (suite.ad_hoc_test_result().Skipped()) {
      GTEST_SKIP() << SkipText(suite.ad_hoc_test_result());
    }
  }

  void OnTestEnd(const ::testing::TestInfo& info) override {
    const ::testing::TestResult& result = *info.result();
    const Session::Outcome outcome = result.Failed()    ? Session::Outcome::kFailed
                                     : result.Skipped() ? Session::Outcome::kSkipped
                                                        : Session::Outcome::kPassed;
    const std::string text = result.Failed() ? FailureText(result) : SkipText(result);
    const CaseVerdict c =
        current->Decide(info.test_suite_name(), info.name(), outcome, text,
                        static_cast<double>(result.elapsed_time()) / 1000, expected);
    if (result.Skipped() && SuiteOf(info).ad_hoc_test_result().Failed()) {
      // GoogleTest calls it skipped.
      CheckWritten(current->Record({info.test_suite_name(), info.name(), Verdict::kNeverRan, 0, "",
                                    "", "SetUpTestSuite failed"}));
      return;
    }
    if (c.bad() && !result.Failed()) ADD_FAILURE() << c.message;
    if (c.verdict == Verdict::kXfail) {
      std::printf("warpyard: %s is expected to fail: %s\n", FullName(info).c_str(),
                  c.reason.c_str());
    }
    CheckWritten(current->Record(c));
  }

  // What SetUpTestSuite or TearDownTestSuite did wrong.
  void OnTestSuiteEnd(const ::testing::TestSuite& suite) override {
    const ::testing::TestResult& result = suite.ad_hoc_test_result();
    if (!result.Failed()) return;
    CheckWritten(
        current->Record(current->Decide(suite.name(), "SetUpTestSuite", Session::Outcome::kFailed,
                                        FailureText(result), 0, std::nullopt)));
  }
};

// What GoogleTest never started: disabled cases, and all of them where an
// Environment skipped or failed.
absl::Status RecordTheRest() {
  const ::testing::TestResult& whole = ::testing::UnitTest::GetInstance()->ad_hoc_test_result();
  absl::Status status;
  ForEachCase([&](const ::testing::TestInfo& info) {
    const auto& done = current->cases();
    for (const CaseVerdict& c : done) {
      if (c.suite == info.test_suite_name() && c.name == info.name()) return;
    }
    CaseVerdict c = {info.test_suite_name(), info.name(), Verdict::kNeverRan, 0};
    if (!info.should_run()) {
      c.reason = "disabled";
    } else if (whole.Skipped()) {
      c = current->Decide(c.suite, c.name, Session::Outcome::kSkipped, SkipText(whole), 0,
                          std::nullopt);
    }
    status.Update(current->Record(c));
  });
  if (whole.Failed()) {
    status.Update(current->Record(current->Decide("", "environment", Session::Outcome::kFailed,
                                                  FailureText(whole), 0, std::nullopt)));
  }
  return status;
}

// Waits for its part of the real GPUs; an emulated one is each process's own.
absl::StatusOr<std::vector<FileLock>> ShareGpu(const Environment& environment,
                                               const absl::StatusOr<Machine>& machine) {
  if (!machine.ok() || machine->emulated || machine->devices.empty() ||
      !environment.Get("WARPYARD_LANE").has_value()) {
    return std::vector<FileLock>();
  }
  int64_t memory = 0;
  if (const auto text = environment.Get("WARPYARD_TEST_MEMORY"); text.has_value()) {
    WARPYARD_ASSIGN_OR_RETURN(const Requirement requirement,
                              Requirement::Parse(absl::StrCat("memory>=", *text)));
    memory = requirement.clauses().front().values.front().number;
  }
  int64_t total = machine->devices.front().memory_bytes;
  for (const MachineDevice& device : machine->devices) {
    total = std::min(total, device.memory_bytes);
  }
  int gpus = 1;
  (void)absl::SimpleAtoi(environment.Get("WARPYARD_TEST_GPUS").value_or("1"), &gpus);
  return AcquireGpuSlots(GpuSlotsNeeded(memory, total, gpus), GpuLockFolder(environment));
}

int Fail(const absl::Status& status) {
  std::fprintf(stderr, "warpyard: %s\n", std::string(status.message()).c_str());
  return 1;
}

int FailForTheMachine(const absl::Status& status) {
  const std::string message(status.message());
  std::fprintf(stderr, "warpyard: infrastructure: %s\n", message.c_str());
  const absl::Status written = current->Infrastructure(message);
  return written.ok() ? kExitInfrastructure : Fail(written);
}

// A test may change its folder before it opens the driver.
void MakeDriverPathAbsolute() {
  const char* path = std::getenv("WARPYARD_CUDA_DRIVER");
  if (path == nullptr || std::string_view(path) == "system" || *path == '\0') return;
  std::error_code error;
  const std::string absolute = std::filesystem::absolute(path, error).string();
  if (error) return;
#if defined(_WIN32)
  _putenv_s("WARPYARD_CUDA_DRIVER", absolute.c_str());
#else
  setenv("WARPYARD_CUDA_DRIVER", absolute.c_str(), 1);
#endif
}

absl::StatusOr<int> RunCases(const Environment& environment) {
  // The report is ours; GoogleTest would write its own over it.
  if (environment.Get("XML_OUTPUT_FILE").has_value()) GTEST_FLAG_SET(output, "");
  ::testing::UnitTest& program = *::testing::UnitTest::GetInstance();
  program.listeners().Append(new Listener);

  // Which cases run is known once GoogleTest has applied filter and shard.
  class Planner : public ::testing::EmptyTestEventListener {
   public:
    void OnTestIterationStart(const ::testing::UnitTest&, int) override {
      std::vector<std::string> planned;
      ForEachCase(
          [&planned](const ::testing::TestInfo& info) { planned.push_back(FullName(info)); });
      CheckWritten(current->Begin(planned));
    }
  };
  program.listeners().Append(new Planner);
  const int gtest_code = RUN_ALL_TESTS();

  const bool sharded = environment.Get("TEST_TOTAL_SHARDS").value_or("1") != "1";
  WARPYARD_RETURN_IF_ERROR(RecordTheRest());
  WARPYARD_ASSIGN_OR_RETURN(const std::string message,
                            current->Finish(GTEST_FLAG_GET(filter) == "*" && !sharded));
  if (!message.empty()) std::fprintf(stderr, "warpyard: %s\n", message.c_str());
  const bool bad = !message.empty() || current->AnyBad();
  // Failures that were expected are no failure of the program.
  const bool xfailed =
      std::any_of(current->cases().begin(), current->cases().end(),
                  [](const CaseVerdict& c) { return c.verdict == Verdict::kXfail; });
  return bad || (gtest_code != 0 && !xfailed) ? 1 : 0;
}

}  // namespace

std::optional<std::string> WhyUnmet(std::string_view requirement) {
  CHECK(current != nullptr) << "the program needs the main function of //cc/testing:main";
  const auto unmet = current->FindUnmet(requirement);
  if (!unmet.ok()) {
    ADD_FAILURE() << unmet.status().message();
    return std::string(unmet.status().message());
  }
  if (!unmet->has_value()) return std::nullopt;
  return (*unmet)->ToString();
}

void ExpectFailure(std::string_view when, std::string_view reason, std::string_view owner,
                   std::string_view expires) {
  CHECK(current != nullptr) << "the program needs the main function of //cc/testing:main";
  absl::StatusOr<Waiver> waiver = Waiver::Parse(absl::StrCat(reason, ", ", owner, ", ", expires));
  if (!waiver.ok()) {
    ADD_FAILURE() << waiver.status().message();
    return;
  }
  if (!when.empty()) {
    absl::StatusOr<Requirement> requirement = Requirement::Parse(when);
    if (!requirement.ok()) {
      ADD_FAILURE() << requirement.status().message();
      return;
    }
    const absl::StatusOr<Evaluation> evaluation = requirement->Evaluate(TestMachine().ToFacts());
    if (!evaluation.ok() || !evaluation->met()) return;
  }
  expected = *std::move(waiver);
}

const Machine& TestMachine() {
  CHECK(current != nullptr) << "the program needs the main function of //cc/testing:main";
  CHECK_OK(current->machine().status());
  return *current->machine();
}

int RunAllTests() {
  // A death test runs its statement in a process of its own, which only has to die.
  if (!GTEST_FLAG_GET(internal_run_death_test).empty() || GTEST_FLAG_GET(list_tests)) {
    static Session* child =
        new Session(*Session::Create(Environment(), Machine(), absl::CivilDay()));
    current = child;
    return RUN_ALL_TESTS();
  }
  MakeDriverPathAbsolute();
  const Environment environment = Environment::FromProcess();
  absl::StatusOr<Machine> machine = ProbeMachine(environment);
  absl::StatusOr<Session> session =
      Session::Create(environment, machine, absl::ToCivilDay(absl::Now(), absl::UTCTimeZone()));
  if (!session.ok()) return Fail(session.status());
  current = &*session;

  if (const absl::Status status = session->Attest(); !status.ok()) return FailForTheMachine(status);
  const auto own = session->OwnRequirementUnmet();
  if (!own.ok()) return FailForTheMachine(own.status());
  if (own->has_value()) {
    std::fprintf(stderr, "warpyard: skipped: %s\n", (*own)->ToString().c_str());
    if (const auto file = environment.Get("TEST_SHARD_STATUS_FILE"); file.has_value()) {
      std::ofstream touch(*file, std::ios::app);
    }
    const absl::Status written = session->SkipAll(**own);
    return written.ok() ? 0 : Fail(written);
  }
  const absl::StatusOr<std::vector<FileLock>> share = ShareGpu(environment, machine);
  if (!share.ok()) return FailForTheMachine(share.status());
  const absl::StatusOr<int> code = RunCases(environment);
  current = nullptr;
  return code.ok() ? *code : Fail(code.status());
}

}  // namespace warpyard::testing
