// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: any text gives a module or an error; what is read prints, and its
// print is read and printed alike; the verifier takes whatever was read.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/log/check.h"
#include "cc/hlo/parser.h"
#include "cc/hlo/printer.h"
#include "cc/hlo/verifier.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using warpyard::hlo::ParseModule;
  using warpyard::hlo::ParseOptions;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const ParseOptions options{.allow_unknown_attributes = true};
  auto module = ParseModule(text, options);
  if (!module.ok()) {
    CHECK(!module.status().message().empty());
    return 0;
  }
  (void)VerifyModule(**module);  // right or wrong
  const std::string printed = ModuleToString(**module);
  auto again = ParseModule(printed, options);
  CHECK_OK(again.status()) << printed;
  CHECK_EQ(ModuleToString(**again), printed);
  return 0;
}
