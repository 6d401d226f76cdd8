// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/testing/cuda_for_test.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "absl/log/check.h"
#include "absl/strings/match.h"
#include "cc/base/environment.h"
#include "cc/ptx/cuda_locator.h"

namespace warpyard::ptx {
namespace {

namespace fs = std::filesystem;

// The folder of the repository `cuda` in the runfiles. Its name is the
// canonical one, which ends in "cuda" after a separator that differs between
// releases of Bazel ("_main~overlay~cuda", "+overlay+cuda").
std::vector<std::string> CudaRunfiles(const Environment& environment) {
  std::vector<std::string> found;
  for (const char* variable : {"RUNFILES_DIR", "TEST_SRCDIR"}) {
    const std::optional<std::string> runfiles = environment.Get(variable);
    if (!runfiles.has_value()) continue;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(*runfiles, error)) {
      const std::string name = entry.path().filename().string();
      if (name == "cuda" || absl::EndsWith(name, "~cuda") || absl::EndsWith(name, "+cuda")) {
        found.push_back(entry.path().string());
      }
    }
    std::sort(found.begin(), found.end());
    if (!found.empty()) break;
  }
  return found;
}

}  // namespace

ToolPaths CudaForTest() {
  const Environment environment = Environment::FromProcess();
  CudaSearch search;
  if (const std::optional<std::string> root = environment.Get("WARPYARD_TEST_CUDA_ROOT")) {
    search.toolkits = {*root};
  } else {
    search.toolkits = CudaRunfiles(environment);
  }
  ToolPaths paths = LocateCuda(search);
  ToolPaths nothing;
  nothing.searched = paths.searched;
  CHECK(!(paths == nothing)) << "no part of CUDA is among the test's runfiles: add targets of "
                                "@cuda to its data";
  return paths;
}

}  // namespace warpyard::ptx
