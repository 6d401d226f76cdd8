// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// What a GoogleTest case says about itself: what it needs, and that it is known
// to fail. For programs with the main function of //cc/testing:main.
//
//   TEST(Attention, Forward) {
//     WARPYARD_REQUIRES("sm>=9.0 & cudnn>=9.13");
//     ...
//   }

#ifndef WARPYARD_CC_TESTING_REQUIRES_H_
#define WARPYARD_CC_TESTING_REQUIRES_H_

#include <optional>
#include <string>
#include <string_view>

#include "cc/testing/machine.h"
#include "gtest/gtest.h"

// Skips the case unless the machine meets the requirement; the skip carries the
// requirement and what was found. In a function that returns void: a test,
// SetUp() of its fixture, or SetUpTestSuite(), which skips the whole suite. In
// any other helper return what WhyUnmet() gives. A text that is no requirement is a
// failure on every machine.
#define WARPYARD_REQUIRES(requirement)                      \
  if (const ::std::optional<::std::string> warpyard_unmet = \
          ::warpyard::testing::WhyUnmet(requirement);       \
      !warpyard_unmet.has_value())                          \
    ;                                                       \
  else                                                      \
    GTEST_SKIP() << *warpyard_unmet

// Says that the running case is known to fail until the day `expires`
// ("2027-01-31"), that day included. That it passes is then a failure.
#define WARPYARD_XFAIL(reason, owner, expires) \
  ::warpyard::testing::ExpectFailure("", reason, owner, expires)

// The same on machines that meet the requirement `when`.
#define WARPYARD_XFAIL_WHEN(when, reason, owner, expires) \
  ::warpyard::testing::ExpectFailure(when, reason, owner, expires)

namespace warpyard::testing {

// Why the running case must be skipped: "requires sm>=9.0, found 8.0"; absent
// where the requirement is met.
std::optional<std::string> WhyUnmet(std::string_view requirement);

void ExpectFailure(std::string_view when, std::string_view reason, std::string_view owner,
                   std::string_view expires);

// The machine that the program runs on: its devices and versions.
const Machine& TestMachine();

// Runs all cases, after the lane was attested and the target's requirement
// checked: what //cc/testing:main calls. The exit code: 0, 1 when something
// failed, 75 when the machine is not what its lane claims.
int RunAllTests();

}  // namespace warpyard::testing

#endif  // WARPYARD_CC_TESTING_REQUIRES_H_
