// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/testing/resource_usage.h"

#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "gtest/gtest.h"

namespace warpyard::ptx {

std::map<std::string, ResourceUsage> ParseResourceUsage(std::string_view text) {
  std::map<std::string, ResourceUsage> usage;
  int64_t common_constant = 0;
  std::string function;
  for (std::string_view line : absl::StrSplit(text, '\n')) {
    line = absl::StripAsciiWhitespace(line);
    if (line == "Common:") {
      function.clear();
    } else if (absl::ConsumePrefix(&line, "Function ")) {
      function = std::string(absl::StripSuffix(line, ":"));
    } else {
      for (std::string_view word : absl::StrSplit(line, ' ', absl::SkipEmpty())) {
        const std::vector<std::string_view> pair = absl::StrSplit(word, ':');
        int64_t value;
        if (pair.size() != 2 || !absl::SimpleAtoi(pair[1], &value)) continue;
        const bool constant = absl::StartsWith(pair[0], "CONSTANT[");
        if (function.empty()) {
          if (constant) common_constant += value;
        } else {
          usage[function][constant ? "CONSTANT" : std::string(pair[0])] += value;
        }
      }
    }
  }
  for (auto& [name, figures] : usage) figures["CONSTANT"] += common_constant;
  return usage;
}

void ExpectSameUsage(const Cubin& cubin, const std::map<std::string, ResourceUsage>& usage) {
  EXPECT_FALSE(usage.empty());
  EXPECT_EQ(cubin.kernels.size(), usage.size());
  for (const CubinKernel& kernel : cubin.kernels) {
    const KernelResources& resources = kernel.resources;
    SCOPED_TRACE(resources.name);
    const auto found = usage.find(resources.name);
    if (found == usage.end()) {
      ADD_FAILURE() << "cuobjdump does not see this kernel";
      continue;
    }
    const ResourceUsage& figures = found->second;
    const auto figure = [&](const std::string& key) {
      const auto entry = figures.find(key);
      return entry == figures.end() ? -1 : entry->second;
    };
    EXPECT_EQ(resources.registers, figure("REG"));
    EXPECT_EQ(resources.static_shared_bytes + kernel.reserved_shared_bytes, figure("SHARED"));
    EXPECT_EQ(resources.constant_bytes, figure("CONSTANT"));
    // The linker sums the stack up; until then cuobjdump shows none.
    if (cubin.relocatable) continue;
    EXPECT_EQ(kernel.whole_stack_known, figures.contains("STACK"));
    if (kernel.whole_stack_known) {
      EXPECT_EQ(resources.local_bytes, figure("STACK"));
    }
  }
}

}  // namespace warpyard::ptx
