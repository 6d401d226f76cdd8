// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/testing/waiver.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/time/civil_time.h"

namespace warpyard::testing {

absl::StatusOr<Waiver> Waiver::Parse(std::string_view text) {
  const auto wrong = [text] {
    return absl::InvalidArgumentError(absl::StrCat(
        "\"", absl::CHexEscape(text), "\" is no waiver; expected \"reason, owner, YYYY-MM-DD\""));
  };
  const size_t last = text.rfind(',');
  if (last == std::string_view::npos || last == 0) return wrong();
  const size_t first = text.rfind(',', last - 1);
  if (first == std::string_view::npos) return wrong();
  Waiver waiver;
  waiver.reason = absl::StripAsciiWhitespace(text.substr(0, first));
  waiver.owner = absl::StripAsciiWhitespace(text.substr(first + 1, last - first - 1));
  const std::string_view day = absl::StripAsciiWhitespace(text.substr(last + 1));
  const bool ten = day.size() == 10 && std::count(day.begin(), day.end(), '-') == 2;
  if (waiver.reason.empty() || waiver.owner.empty() || !ten ||
      !absl::ParseCivilTime(day, &waiver.expires)) {
    return wrong();
  }
  return waiver;
}

std::string Waiver::ToString() const {
  return absl::StrCat(reason, ", ", owner, ", ", absl::FormatCivilTime(expires));
}

}  // namespace warpyard::testing
