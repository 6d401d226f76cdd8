// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/target/compute_capability.h"

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace warpyard {
namespace {

using Kind = ComputeCapability::Kind;

// PTX ISA 9.4, section 11.1.2 ".target", table "Architecture Families"; CUDA
// Programming Guide, Table 28. A number that stands nowhere here is in no
// family: a wrong "runs" is a crash, a wrong "does not" only a recompilation.
struct FamilyMember {
  int family;  // any number that members share
  ComputeCapability cc;
};
constexpr FamilyMember kFamilies[] = {
    {10, {10, 0}}, {10, {10, 3}}, {10, {10, 7}},  //
    {11, {11, 0}},                                //
    {12, {12, 0}}, {12, {12, 1}},
};

// Chips of the Tegra line, whose CUBINs are not exchanged with any other chip
// (CUDA C++ Programming Guide, "Binary Compatibility", note).
constexpr ComputeCapability kTegra[] = {{5, 3}, {6, 2}, {7, 2}, {8, 7}, {11, 0}};

// sm_101 was renamed to sm_110 with PTX ISA 9.0 (PTX ISA, ".target", notes).
constexpr ComputeCapability kRenamedFrom = {10, 1};
constexpr ComputeCapability kRenamedTo = {11, 0};

// Where NVIDIA began each suffix (CUDA Programming Guide, 5.1.2.3).
constexpr ComputeCapability kFirstArch = {9, 0};
constexpr ComputeCapability kFirstFamily = {10, 0};

int FamilyOf(const ComputeCapability& cc) {
  for (const FamilyMember& member : kFamilies) {
    if (member.cc == cc.Plain()) return member.family;
  }
  return 0;
}

bool IsTegra(const ComputeCapability& cc) {
  for (const ComputeCapability& tegra : kTegra) {
    if (tegra == cc.Plain()) return true;
  }
  return false;
}

ComputeCapability CurrentName(const ComputeCapability& cc) {
  return cc.Plain() == kRenamedFrom ? kRenamedTo.WithKind(cc.kind()) : cc;
}

bool InFamilyFrom(const ComputeCapability& code, const ComputeCapability& device) {
  const int family = FamilyOf(code);
  return family != 0 && family == FamilyOf(device) && code.Plain() <= device.Plain();
}

std::string_view Suffix(Kind kind) {
  switch (kind) {
    case Kind::kPlain:
      return "";
    case Kind::kFamily:
      return "f";
    case Kind::kArch:
      return "a";
  }
  return "";
}

constexpr size_t kMaxQuoted = 40;

absl::Status BadText(std::string_view text, std::string_view why) {
  std::string quoted = absl::CHexEscape(text.substr(0, kMaxQuoted));
  if (text.size() > kMaxQuoted) absl::StrAppend(&quoted, "...");
  return absl::InvalidArgumentError(
      absl::StrCat("compute capability \"", quoted, "\": ", why,
                   "; expected for example 9.0, 9.0a, 10.3f, sm_90a or compute_100f"));
}

// Leading digits of `text`, removed from it.
std::string_view TakeDigits(std::string_view& text) {
  size_t count = 0;
  while (count < text.size() && absl::ascii_isdigit(static_cast<unsigned char>(text[count]))) {
    ++count;
  }
  const std::string_view digits = text.substr(0, count);
  text.remove_prefix(count);
  return digits;
}

}  // namespace

absl::StatusOr<ComputeCapability> ComputeCapability::Parse(std::string_view text) {
  if (text.empty()) return BadText(text, "it is empty");
  std::string_view rest = text;
  const bool prefixed = absl::ConsumePrefix(&rest, "sm_") || absl::ConsumePrefix(&rest, "compute_");

  std::string_view major = TakeDigits(rest);
  std::string_view minor;
  if (prefixed) {
    if (major.empty()) return BadText(text, "no digits follow the prefix");
    if (major.size() < 2)
      return BadText(text, "it has one digit, where major and minor are needed");
    minor = major.substr(major.size() - 1);
    major.remove_suffix(1);
  } else {
    if (major.empty()) return BadText(text, "it begins with neither a digit, sm_ nor compute_");
    if (!absl::ConsumePrefix(&rest, ".")) {
      return BadText(
          text, rest.empty() ? "the minor number is missing" : "no dot follows the major number");
    }
    minor = TakeDigits(rest);
    if (minor.empty()) return BadText(text, "the minor number is missing");
  }
  if (major.front() == '0') return BadText(text, "the major number begins with 0");
  if (major.size() > 2) return BadText(text, "the major number has more than 2 digits");
  if (minor.size() > 1) return BadText(text, "the minor number has more than 1 digit");

  int major_number = 0;
  for (const char digit : major) major_number = major_number * 10 + (digit - '0');
  const ComputeCapability plain(major_number, minor.front() - '0');
  if (rest.empty()) return plain;
  if (rest == "a") {
    if (plain < kFirstArch) return BadText(text, "the suffix 'a' exists from 9.0 on");
    return plain.WithKind(Kind::kArch);
  }
  if (rest == "f") {
    if (plain < kFirstFamily) return BadText(text, "the suffix 'f' exists from 10.0 on");
    return plain.WithKind(Kind::kFamily);
  }
  return BadText(text, absl::StrCat("\"", absl::CHexEscape(rest.substr(0, kMaxQuoted)),
                                    "\" is no suffix (a and f are)"));
}

std::string ComputeCapability::ToString() const {
  return absl::StrCat(major(), ".", minor(), Suffix(kind_));
}

std::string ComputeCapability::SmName() const {
  return absl::StrCat("sm_", major(), minor(), Suffix(kind_));
}

std::string ComputeCapability::ComputeName() const {
  return absl::StrCat("compute_", major(), minor(), Suffix(kind_));
}

bool CanRun(const ComputeCapability& code, const ComputeCapability& device, CodeKind kind) {
  const ComputeCapability on = device.Plain();
  switch (code.kind()) {
    case Kind::kArch:
      return CurrentName(code).Plain() == CurrentName(on);
    case Kind::kFamily:
      return InFamilyFrom(CurrentName(code), CurrentName(on));
    case Kind::kPlain:
      break;
  }
  if (kind == CodeKind::kPtx) return code <= on;
  if (code == on) return true;
  return code.major() == on.major() && code.minor() < on.minor() && !IsTegra(code) && !IsTegra(on);
}

bool CanCompileFor(const ComputeCapability& source, const ComputeCapability& target) {
  switch (source.kind()) {
    case Kind::kArch:
      return CurrentName(source) == CurrentName(target);
    case Kind::kFamily:
      return target.kind() != Kind::kPlain &&
             InFamilyFrom(CurrentName(source), CurrentName(target));
    case Kind::kPlain:
      return source <= target.Plain();
  }
  return false;
}

}  // namespace warpyard
