// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/testing/gpu_names.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace warpyard::testing {
namespace {

// Words that a driver's name must have, all of them, and the short name; the
// first row that fits counts. python/warpyard/testing/gpu_names.py has the same.
struct Row {
  std::string_view words;
  std::string_view name;
};
constexpr Row kRows[] = {
    {"GB300", "gb300"},
    {"B300", "b300"},
    {"GB200", "gb200"},
    {"B200", "b200"},
    {"GH200", "gh200"},
    {"H200", "h200"},
    {"H100 PCIe", "h100-pcie"},
    {"H100", "h100"},
    {"A100 40GB", "a100-40gb"},
    {"A100", "a100"},
    {"L40S", "l40s"},
    {"L4", "l4"},
    {"A10", "a10"},
    {"T4", "t4"},
    {"V100", "v100"},
    {"RTX 4090", "rtx4090"},
    {"RTX 5090", "rtx5090"},
    {"RTX PRO 6000", "rtx6000pro"},
    {"GB10", "spark"},
    {"Thor", "thor"},
};

}  // namespace

std::string ShortGpuName(std::string_view name) {
  const std::vector<std::string_view> words =
      absl::StrSplit(name, absl::ByAnyChar("- (),"), absl::SkipEmpty());
  for (const Row& row : kRows) {
    const std::vector<std::string_view> needed = absl::StrSplit(row.words, ' ');
    const bool fits = std::all_of(needed.begin(), needed.end(), [&words](std::string_view word) {
      return std::find(words.begin(), words.end(), word) != words.end();
    });
    if (fits) return std::string(row.name);
  }
  return absl::AsciiStrToLower(absl::StrJoin(words, "-"));
}

}  // namespace warpyard::testing
