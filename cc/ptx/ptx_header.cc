// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/ptx_header.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "cc/base/status_macros.h"
#include "cc/ptx/compilation.h"
#include "cc/ptx/forms.h"

namespace warpyard::ptx {
namespace {

// How much of a wrong text a message quotes.
constexpr size_t kQuotedBytes = 24;

// Skips blanks and comments of both kinds.
void SkipSpace(std::string_view& text) {
  for (;;) {
    text = absl::StripLeadingAsciiWhitespace(text);
    if (absl::StartsWith(text, "//")) {
      text.remove_prefix(std::min(text.size(), text.find('\n')));
    } else if (absl::StartsWith(text, "/*")) {
      const size_t end = text.find("*/", 2);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 2);
    } else {
      return;
    }
  }
}

// The argument of the directive that comes next.
absl::StatusOr<std::string_view> TakeDirective(std::string_view& text, std::string_view directive,
                                               std::string_view name) {
  SkipSpace(text);
  const bool found = absl::ConsumePrefix(&text, directive) && !text.empty() &&
                     absl::ascii_isspace(static_cast<unsigned char>(text.front()));
  if (!found) {
    const std::string_view there = text.substr(0, std::min(kQuotedBytes, text.find('\n')));
    return absl::InvalidArgumentError(absl::StrCat(
        name, " is not PTX: expected ", directive, " (a module opens with .version and .target), ",
        there.empty() ? "found the end" : absl::StrCat("found \"", absl::CHexEscape(there), "\"")));
  }
  SkipSpace(text);
  const size_t end = std::min(text.size(), text.find_first_of(" \t\r\n,;/"));
  const std::string_view argument = text.substr(0, end);
  text.remove_prefix(end);
  return argument;
}

}  // namespace

absl::StatusOr<PtxHeader> ReadPtxHeader(std::string_view ptx, std::string_view name) {
  WARPYARD_ASSIGN_OR_RETURN(const std::string_view isa_text, TakeDirective(ptx, ".version", name));
  absl::StatusOr<Version> isa = Version::Parse(isa_text);
  if (!isa.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(name, ": .version: ", isa.status().message()));
  }
  WARPYARD_ASSIGN_OR_RETURN(const std::string_view target_text,
                            TakeDirective(ptx, ".target", name));
  absl::StatusOr<ComputeCapability> target = ComputeCapability::Parse(target_text);
  if (!target.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(name, ": .target: ", target.status().message()));
  }
  return PtxHeader{*isa, *target};
}

absl::Status CheckPtxHeader(const PtxHeader& header, std::string_view name,
                            const ComputeCapability& target, std::string_view tool,
                            const Version& latest_isa) {
  if (header.isa > latest_isa) {
    return absl::UnimplementedError(absl::StrCat(
        name, " is PTX ISA ", header.isa.ToString(), ", but ", tool, " reads PTX ISA up to ",
        latest_isa.ToString(), ": compile for an older PTX ISA, or use a newer toolkit"));
  }
  if (CanCompileFor(header.target, target)) return absl::OkStatus();
  const std::string code = header.target.SmName();
  std::string why;
  switch (header.target.kind()) {
    case ComputeCapability::Kind::kArch:
      why = absl::StrCat("code for ", code, " compiles for ", code, " alone");
      break;
    case ComputeCapability::Kind::kFamily:
      why = absl::StrCat("code for ", code, " compiles within its family, from ",
                         header.target.Plain().SmName(), " up, alone");
      break;
    case ComputeCapability::Kind::kPlain:
      why = absl::StrCat("code for ", code, " compiles for ", code, " and later");
      break;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      name, " is PTX for ", code, " and cannot be compiled for ", target.SmName(), ": ", why));
}

absl::Status CheckPtxInput(const CompileRequest& request, size_t index, std::string_view tool,
                           const Version& latest_isa) {
  const std::string name = InputName(request, index);
  WARPYARD_ASSIGN_OR_RETURN(const PtxHeader header,
                            ReadPtxHeader(SourceText(request.inputs[index]), name));
  return CheckPtxHeader(header, name, request.target, tool, latest_isa);
}

}  // namespace warpyard::ptx
