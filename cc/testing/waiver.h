// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// What excuses a test: a reason, somebody who cares, and a last day.

#ifndef WARPYARD_CC_TESTING_WAIVER_H_
#define WARPYARD_CC_TESTING_WAIVER_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/time/civil_time.h"

namespace warpyard::testing {

struct Waiver {
  std::string reason;
  std::string owner;
  absl::CivilDay expires;  // the last day on which it holds, UTC

  // Reads "reason, owner, YYYY-MM-DD"; a reason may have commas.
  // INVALID_ARGUMENT names the text and the form.
  static absl::StatusOr<Waiver> Parse(std::string_view text);

  // Whether its last day is over on `today`.
  bool Expired(absl::CivilDay today) const { return today > expires; }

  std::string ToString() const;
};

}  // namespace warpyard::testing

#endif  // WARPYARD_CC_TESTING_WAIVER_H_
