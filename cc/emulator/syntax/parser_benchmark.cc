// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Megabytes of PTX parsed a second:  parser_benchmark FILE.ptx...

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "cc/base/file.h"
#include "cc/emulator/syntax/parser.h"

int main(int argc, char** argv) {
  using Clock = std::chrono::steady_clock;
  size_t bytes = 0, failures = 0;
  double seconds = 0;
  for (int i = 1; i < argc; ++i) {
    const absl::StatusOr<std::string> text = warpyard::ReadFile(argv[i], 1 << 30);
    if (!text.ok()) {
      std::fprintf(stderr, "%s\n", text.status().ToString().c_str());
      return 2;
    }
    std::string copy = *text;
    const Clock::time_point start = Clock::now();
    const auto module = warpyard::emulator::syntax::Parse(std::move(copy));
    seconds += std::chrono::duration<double>(Clock::now() - start).count();
    bytes += text->size();
    if (!module.ok()) {
      ++failures;
      std::fprintf(stderr, "%s: %s\n", argv[i], module.status().ToString().c_str());
    }
  }
  std::printf("%d files, %zu not parsed, %.2f MB in %.1f ms: %.1f MB/s\n", argc - 1, failures,
              bytes / 1e6, seconds * 1e3, seconds > 0 ? bytes / 1e6 / seconds : 0.0);
  return failures == 0 ? 0 : 1;
}
