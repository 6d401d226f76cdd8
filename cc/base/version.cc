// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/base/version.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace warpyard {
namespace {

// Long enough for any component that is in range, short enough to keep an
// error message about hostile input readable.
constexpr size_t kMaxDigits = 9;
constexpr size_t kMaxQuoted = 64;

absl::Status BadVersion(std::string_view text, std::string_view why) {
  std::string quoted = absl::CHexEscape(text.substr(0, kMaxQuoted));
  if (text.size() > kMaxQuoted) absl::StrAppend(&quoted, "...");
  return absl::InvalidArgumentError(absl::StrCat("version \"", quoted, "\": ", why,
                                                 "; expected numbers and dots, as in \"13.5\""));
}

}  // namespace

absl::StatusOr<Version> Version::Parse(std::string_view text) {
  if (text.empty()) return BadVersion(text, "it is empty");
  Version version;
  version.size_ = 0;
  size_t begin = 0;
  while (true) {
    size_t end = begin;
    while (end < text.size() && absl::ascii_isdigit(static_cast<unsigned char>(text[end]))) ++end;
    const std::string_view digits = text.substr(begin, end - begin);
    if (version.size_ == kMaxComponents) return BadVersion(text, "it has more than 4 components");
    if (digits.empty()) {
      return BadVersion(text, absl::StrCat("component ", version.size_ + 1, " has no digits"));
    }
    if (digits.size() > kMaxDigits) {
      return BadVersion(text, absl::StrCat("component ", version.size_ + 1, " has more than ",
                                           kMaxDigits, " digits"));
    }
    if (!absl::SimpleAtoi(digits, &version.components_[version.size_])) {
      return BadVersion(text, absl::StrCat("component ", version.size_ + 1, " is not a number"));
    }
    version.widths_[version.size_] = static_cast<uint8_t>(digits.size());
    ++version.size_;
    if (end == text.size()) return version;
    if (text[end] != '.') {
      return BadVersion(text, absl::StrCat("unexpected character at position ", end));
    }
    begin = end + 1;
  }
}

std::string Version::ToString() const {
  std::string text;
  for (size_t i = 0; i < size_; ++i) {
    if (i > 0) text.push_back('.');
    const std::string digits = absl::StrCat(components_[i]);
    if (digits.size() < widths_[i]) text.append(widths_[i] - digits.size(), '0');
    text.append(digits);
  }
  return text;
}

}  // namespace warpyard
