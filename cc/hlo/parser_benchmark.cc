// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// How fast HLO text is read and written, in MB/s:
//   bazel run //cc/hlo:parser_benchmark -- FILE.hlo

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>

#include "absl/log/check.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "cc/base/file.h"
#include "cc/hlo/parser.h"
#include "cc/hlo/printer.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: parser_benchmark FILE.hlo\n");
    return 2;
  }
  auto text = warpyard::ReadFile(argv[1], int64_t{1} << 32);
  QCHECK_OK(text.status());
  const double megabytes = static_cast<double>(text->size()) / 1e6;
  absl::Duration parse = absl::InfiniteDuration(), print = parse;
  for (int round = 0; round < 20; ++round) {
    const absl::Time begin = absl::Now();
    auto module = warpyard::hlo::ParseModule(*text);
    const absl::Time parsed = absl::Now();
    QCHECK_OK(module.status());
    const std::string printed = warpyard::hlo::ModuleToString(**module);
    print = std::min(print, absl::Now() - parsed);
    parse = std::min(parse, parsed - begin);
  }
  std::printf("%.1f MB: parse %.1f MB/s, print %.1f MB/s (best of 20)\n", megabytes,
              megabytes / absl::ToDoubleSeconds(parse), megabytes / absl::ToDoubleSeconds(print));
}
