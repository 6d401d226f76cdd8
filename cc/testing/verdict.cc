// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/testing/verdict.h"

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "cc/base/environment.h"
#include "cc/base/file.h"
#include "cc/base/status_macros.h"

namespace warpyard::testing {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD
constexpr size_t kMaxAttribute = 500;

// How many bytes at the start of `text` are one character of UTF-8; 0 where
// they are none.
size_t CharacterSize(std::string_view text) {
  const auto byte = [text](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < size) return 0;
  for (size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  // Overlong forms, surrogates, and what is above U+10FFFF.
  const unsigned char second = byte(1);
  if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
      (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f)) {
    return 0;
  }
  return size;
}

// Calls `append` with each character, or with U+FFFD.
template <typename Append>
void ForEachCharacter(std::string_view text, Append append) {
  while (!text.empty()) {
    const size_t size = CharacterSize(text);
    append(size == 0 ? kReplacement : text.substr(0, size));
    text.remove_prefix(std::max<size_t>(size, 1));
  }
}

std::string Xml(std::string_view text) {
  std::string out;
  ForEachCharacter(text, [&out](std::string_view c) {
    if (c == "&") {
      out += "&amp;";
    } else if (c == "<") {
      out += "&lt;";
    } else if (c == ">") {
      out += "&gt;";
    } else if (c == "\"") {
      out += "&quot;";
    } else if (c == "\n") {
      out += "&#10;";
    } else if (c == "\t") {
      out += "&#9;";
    } else if ((c.size() == 1 && static_cast<unsigned char>(c[0]) < 0x20) || c == "\xef\xbf\xbe" ||
               c == "\xef\xbf\xbf") {
      out += kReplacement;  // XML 1.0 cannot hold it
    } else {
      out += c;
    }
  });
  return out;
}

void AppendCase(std::string* out, std::string_view suite, const CaseVerdict& c) {
  absl::StrAppendFormat(out, "    <testcase classname=\"%s\" name=\"%s\" time=\"%.3f\">\n",
                        Xml(suite), Xml(c.name), c.seconds);
  absl::StrAppend(out, "      <properties><property name=\"warpyard.verdict\" value=\"",
                  VerdictName(c.verdict), "\"/></properties>\n");
  const std::string_view told = c.message.empty() ? c.reason : c.message;
  const std::string brief = Xml(told.substr(0, kMaxAttribute));
  if (c.bad()) {
    absl::StrAppend(out, "      <failure message=\"", brief, "\">", Xml(c.message), "</failure>\n");
  } else if (c.verdict != Verdict::kPassed) {
    absl::StrAppend(out, "      <skipped message=\"", Xml(c.reason.substr(0, kMaxAttribute)),
                    "\"/>\n");
  }
  absl::StrAppend(out, "    </testcase>\n");
}

}  // namespace

std::string_view VerdictName(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPassed:
      return "passed";
    case Verdict::kFailed:
      return "failed";
    case Verdict::kSkipped:
      return "skipped";
    case Verdict::kXfail:
      return "xfail";
    case Verdict::kXpass:
      return "xpass";
    case Verdict::kNeverRan:
      return "never_ran";
  }
  return "";
}

std::string JunitReport(std::string_view target, absl::Span<const CaseVerdict> cases) {
  std::vector<std::string> suites;  // in the order in which they began
  const auto suite_of = [target](const CaseVerdict& c) {
    return c.suite.empty() ? std::string(target) : c.suite;
  };
  for (const CaseVerdict& c : cases) {
    if (std::find(suites.begin(), suites.end(), suite_of(c)) == suites.end()) {
      suites.push_back(suite_of(c));
    }
  }
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (const std::string& suite : suites) {
    int tests = 0, failures = 0, skipped = 0;
    double seconds = 0;
    std::string body;
    for (const CaseVerdict& c : cases) {
      if (suite_of(c) != suite) continue;
      ++tests;
      failures += c.bad();
      skipped += !c.bad() && c.verdict != Verdict::kPassed;
      seconds += c.seconds;
      AppendCase(&body, suite, c);
    }
    absl::StrAppendFormat(&out,
                          "  <testsuite name=\"%s\" tests=\"%d\" failures=\"%d\" errors=\"0\" "
                          "skipped=\"%d\" time=\"%.3f\">\n",
                          Xml(suite), tests, failures, skipped, seconds);
    absl::StrAppend(&out, body, "  </testsuite>\n");
  }
  return absl::StrCat(out, "</testsuites>\n");
}

std::string JsonString(std::string_view text) {
  std::string out = "\"";
  ForEachCharacter(text, [&out](std::string_view c) {
    if (c == "\"" || c == "\\") {
      absl::StrAppend(&out, "\\", c);
    } else if (c == "\n") {
      out += "\\n";
    } else if (c.size() == 1 && static_cast<unsigned char>(c[0]) < 0x20) {
      absl::StrAppendFormat(&out, "\\u%04x", static_cast<int>(c[0]));
    } else {
      out += c;
    }
  });
  return out + "\"";
}

VerdictWriter::VerdictWriter(const Environment& environment)
    : xml_(environment.Get("XML_OUTPUT_FILE").value_or("")),
      target_(environment.Get("WARPYARD_TEST_TARGET").value_or("test")) {
  if (const auto folder = environment.Get("TEST_UNDECLARED_OUTPUTS_DIR"); folder.has_value()) {
    path_ = absl::StrCat(*folder, "/warpyard_verdicts.jsonl");
    // Where that fails, opening the file says why.
    MakeFolders(*folder).IgnoreError();
  }
}

absl::Status VerdictWriter::Line(std::string_view kind, const JsonFields& fields) const {
  if (path_.empty()) return absl::OkStatus();
  std::string line = absl::StrCat("{\"schema\": 1, \"kind\": ", JsonString(kind));
  for (const auto& [name, value] : fields) {
    absl::StrAppend(&line, ", ", JsonString(name), ": ", value);
  }
  // Opened for each line, so that a test that dies loses none before.
  std::ofstream file(path_, std::ios::app | std::ios::binary);
  file << line << "}\n";
  file.flush();
  if (!file) return absl::UnknownError(absl::StrCat("cannot write '", path_, "'"));
  return absl::OkStatus();
}

absl::Status VerdictWriter::Run(const JsonFields& fields) {
  JsonFields all = {{"started", JsonString(absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", absl::Now(),
                                                            absl::UTCTimeZone()))}};
  all.insert(all.end(), fields.begin(), fields.end());
  return Line("run", all);
}

absl::Status VerdictWriter::Case(const CaseVerdict& c) {
  cases_.push_back(c);
  return Line("case", {{"suite", JsonString(c.suite)},
                       {"name", JsonString(c.name)},
                       {"verdict", JsonString(VerdictName(c.verdict))},
                       {"seconds", absl::StrFormat("%.6f", c.seconds)},
                       {"requirement", JsonString(c.requirement)},
                       {"found", JsonString(c.found)},
                       {"reason", JsonString(c.reason)},
                       {"message", JsonString(c.message)}});
}

absl::Status VerdictWriter::End(std::string_view verdict, std::string_view message) {
  WARPYARD_RETURN_IF_ERROR(
      Line("end", {{"verdict", JsonString(verdict)}, {"message", JsonString(message)}}));
  if (xml_.empty()) return absl::OkStatus();
  return WriteFileAtomically(xml_, JunitReport(target_, cases_));
}

}  // namespace warpyard::testing
