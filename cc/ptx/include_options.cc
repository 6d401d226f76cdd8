// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/include_options.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/strip.h"

namespace warpyard::ptx {
namespace {

// NVRTC documentation, "Supported Compile Options"; nvcc documentation, 4.2.
constexpr std::string_view kFolderOptions[] = {"--include-path", "-include-path", "-isystem",
                                               "--system-include", "-I"};
constexpr std::string_view kHeaderOptions[] = {"--pre-include", "-pre-include", "-include"};
constexpr std::string_view kFileOptions[] = {"--options-file", "-options-file", "-optf",
                                             "--use-pch",      "-use-pch",      "--pch",
                                             "-pch",           "--create-pch",  "-create-pch"};

// The value of `option` at `extra[at]`: after '=', glued on (-Idir alone), or in
// the next element. Advances `at` past what it took.
bool TakeValue(const std::vector<std::string>& extra, size_t& at, std::string_view option,
               std::string& value) {
  std::string_view text = extra[at];
  if (!absl::ConsumePrefix(&text, option)) return false;
  if (text.empty()) {
    if (at + 1 < extra.size()) value = extra[++at];
    return true;
  }
  if (absl::ConsumePrefix(&text, "=") || option == "-I") {
    value = std::string(text);
    return true;
  }
  return false;
}

}  // namespace

std::optional<IncludeSearch> IncludeSearchOf(const CompileOptions& options,
                                             const ToolPaths& tools) {
  IncludeSearch search;
  search.include_dirs = options.include_dirs;
  for (const std::string& dir : {tools.cuda_include, tools.cccl_include}) {
    if (!dir.empty()) search.toolkit_dirs.push_back(dir);
  }
  for (size_t at = 0; at < options.extra.size(); ++at) {
    for (std::string_view option : kFileOptions) {
      if (options.extra[at] == option ||
          absl::StartsWith(options.extra[at], std::string(option) + "=")) {
        return std::nullopt;
      }
    }
    std::string value;
    for (std::string_view option : kHeaderOptions) {
      if (value.empty() && TakeValue(options.extra, at, option, value)) {
        search.pre_includes.push_back(value);
      }
    }
    if (!value.empty()) continue;
    for (std::string_view option : kFolderOptions) {
      if (value.empty() && TakeValue(options.extra, at, option, value)) {
        search.include_dirs.push_back(value);
      }
    }
  }
  return search;
}

}  // namespace warpyard::ptx
