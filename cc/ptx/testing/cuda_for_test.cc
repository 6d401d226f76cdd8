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

// Appends the folders in `parent`; nothing where it is none.
void AppendFolders(const fs::path& parent, std::vector<fs::path>& folders) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(parent, error)) {
    folders.push_back(entry.path());
  }
}

// The toolkits in the repository `cuda` of the runfiles, which is laid out like
// site-packages. The repository's name is the canonical one, which ends in
// "cuda" after a separator that differs between releases of Bazel
// ("_main~overlay~cuda", "+overlay+cuda").
std::vector<std::string> CudaRunfiles(const Environment& environment) {
  std::vector<fs::path> repositories;
  for (const char* variable : {"RUNFILES_DIR", "TEST_SRCDIR"}) {
    const std::optional<std::string> runfiles = environment.Get(variable);
    if (runfiles.has_value() && repositories.empty()) AppendFolders(*runfiles, repositories);
  }
  std::vector<fs::path> toolkits;
  for (const fs::path& repository : repositories) {
    const std::string name = repository.filename().string();
    if (name != "cuda" && !absl::EndsWith(name, "~cuda") && !absl::EndsWith(name, "+cuda")) {
      continue;
    }
    AppendFolders(repository / "site-packages/nvidia", toolkits);
  }
  std::vector<std::string> paths;
  for (const fs::path& toolkit : toolkits) paths.push_back(toolkit.string());
  std::sort(paths.begin(), paths.end());
  return paths;
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
