// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Megabytes of PTX parsed and decoded a second, and what is not executed:
//
//   decoder_benchmark [--unsupported] FILE.ptx...

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "cc/base/file.h"
#include "cc/emulator/operations/all_operations.h"
#include "cc/emulator/program/decoder.h"
#include "cc/emulator/program/program.h"
#include "cc/emulator/syntax/parser.h"

int main(int argc, char** argv) {
  using Clock = std::chrono::steady_clock;
  using warpyard::emulator::Function;
  using warpyard::emulator::Program;
  const warpyard::emulator::OperationTable& operations = warpyard::emulator::AllOperations();
  size_t files = 0, bytes = 0, failures = 0, instructions = 0, kernels = 0, unable = 0;
  double parse_seconds = 0, decode_seconds = 0;
  bool list = false;
  std::map<std::string, size_t> unsupported;
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--unsupported") {
      list = true;
      continue;
    }
    absl::StatusOr<std::string> text = warpyard::ReadFile(argv[i], 1 << 30);
    if (!text.ok()) {
      std::fprintf(stderr, "%s\n", text.status().ToString().c_str());
      return 2;
    }
    ++files;
    bytes += text->size();
    const Clock::time_point start = Clock::now();
    auto module = warpyard::emulator::syntax::Parse(*std::move(text));
    const Clock::time_point parsed = Clock::now();
    parse_seconds += std::chrono::duration<double>(parsed - start).count();
    if (!module.ok()) {
      ++failures;
      std::fprintf(stderr, "%s: %s\n", argv[i], module.status().ToString().c_str());
      continue;
    }
    absl::StatusOr<std::unique_ptr<Program>> program =
        warpyard::emulator::Decode(*std::move(module), operations);
    decode_seconds += std::chrono::duration<double>(Clock::now() - parsed).count();
    if (!program.ok()) {
      ++failures;
      std::fprintf(stderr, "%s: %s\n", argv[i], program.status().ToString().c_str());
      continue;
    }
    for (const Function& function : (*program)->functions) {
      instructions += function.code.size();
      kernels += function.is_entry;
      unable += function.is_entry && !function.unsupported.empty();
      for (const std::string& what : function.unsupported) {
        ++unsupported[what.substr(what.find(": ") + 2)];
      }
    }
  }
  if (list) {
    for (const auto& [what, count] : unsupported) std::printf("%6zu %s\n", count, what.c_str());
  }
  const double megabytes = static_cast<double>(bytes) / 1e6;
  std::printf("%zu files, %zu refused; %zu kernels, %zu with an operation that is not executed\n",
              files, failures, kernels, unable);
  std::printf(
      "%.2f MB, %zu instructions: parsed at %.0f MB/s, decoded at %.0f MB/s, %.0f MB/s "
      "in all\n",
      megabytes, instructions, megabytes / parse_seconds, megabytes / decode_seconds,
      megabytes / (parse_seconds + decode_seconds));
  return failures == 0 ? 0 : 1;
}
