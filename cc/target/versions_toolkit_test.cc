// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The tables, and the rules of CanRun and CanCompileFor, against what the
// compilers of the pinned toolkit really accept.

#include <dlfcn.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "cc/base/version.h"
#include "cc/target/compute_capability.h"
#include "cc/target/generation.h"
#include "cc/target/spec_database.h"
#include "cc/target/versions.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard {
namespace {

using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using Kind = ComputeCapability::Kind;

const VersionTables& Tables() { return VersionTables::Embedded(); }

// The tool that the build names in `variable`.
std::string Tool(const char* variable) {
  const char* path = std::getenv(variable);
  EXPECT_NE(path, nullptr) << variable;
  return path == nullptr ? "" : path;
}

struct Output {
  int exit_code;
  std::string text;  // standard output and error
};

// Arguments here hold no character that a shell takes for its own.
Output Execute(const std::string& command) {
  std::FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) {
    ADD_FAILURE() << command;
    return {-1, ""};
  }
  std::string text;
  char buffer[4096];
  while (const size_t size = std::fread(buffer, 1, sizeof(buffer), pipe)) {
    text.append(buffer, size);
  }
  const int status = pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text};
}

std::string Scratch(std::string_view file) { return absl::StrCat(testing::TempDir(), "/", file); }

// An empty kernel for a target, in a file.
std::string StubPtx(const ComputeCapability& target, const Version& ptx_isa) {
  const std::string path = Scratch(absl::StrCat("stub_", target.SmName(), "_", ptx_isa, ".ptx"));
  std::ofstream(path) << ".version " << ptx_isa << "\n.target " << target.SmName() << "\n"
                      << (ptx_isa >= Version(2, 3) ? ".address_size 64\n" : "")
                      << ".entry k() { ret; }\n";
  return path;
}

Output Ptxas(const std::string& ptx, const ComputeCapability& target, std::string_view output,
             std::string_view options = "") {
  return Execute(absl::StrCat(Tool("WARPYARD_TEST_PTXAS"), " ", options, " -arch ", target.SmName(),
                              " ", ptx, " -o ", output));
}

// "release 13.5, V13.5.37" of `ptxas --version`.
Version Toolkit() {
  const std::string text = Execute(Tool("WARPYARD_TEST_PTXAS") + " --version").text;
  const size_t begin = text.find("release ");
  EXPECT_NE(begin, std::string::npos) << text;
  if (begin == std::string::npos) return Version();
  const std::string_view rest = std::string_view(text).substr(begin + 8);
  return Version::Parse(rest.substr(0, rest.find(','))).value();
}

std::vector<ComputeCapability> Targets() {
  return Tables().TargetsOfToolkit(Toolkit()).value_or(std::vector<ComputeCapability>());
}

TEST(PtxasTest, IsTheLatestReleaseOfTheTables) { EXPECT_EQ(Toolkit(), Tables().LatestCuda()); }

TEST(PtxasTest, ListsThePtxIsasOfTheTables) {
  const Output output = Execute(Tool("WARPYARD_TEST_PTXAS") + " --list-version");
  ASSERT_EQ(output.exit_code, 0) << output.text;
  std::vector<Version> isas;
  for (std::string_view line : absl::StrSplit(output.text, '\n', absl::SkipWhitespace())) {
    isas.push_back(Version::Parse(line).value());
  }
  EXPECT_THAT(isas, ElementsAreArray(Tables().PtxIsas()));
  EXPECT_EQ(Tables().HighestPtxIsa(Toolkit()).value(), isas.back());
}

// ptxas lists the targets that it compiles for under --gpu-name.
TEST(PtxasTest, CompilesForTheTargetsOfTheTables) {
  const std::string help = Execute(Tool("WARPYARD_TEST_PTXAS") + " --help").text;
  const size_t begin = help.find("Allowed values", help.find("--gpu-name"));
  const size_t end = help.find("Default value", begin);
  ASSERT_NE(end, std::string::npos) << help;
  const std::string values = help.substr(begin, end - begin);
  std::set<ComputeCapability> listed;
  for (std::string_view word : absl::StrSplit(values, absl::ByAnyChar(" ,'\n."))) {
    if (!absl::StartsWith(word, "sm_")) continue;
    if (absl::StatusOr<ComputeCapability> cc = ComputeCapability::Parse(word); cc.ok()) {
      listed.insert(*cc);
    }
  }
  EXPECT_THAT(Targets(), ElementsAreArray(listed));

  for (const ComputeCapability& target : Tables().Targets()) {
    const std::string stub = StubPtx(ComputeCapability(7, 5), Version(6, 3));
    const bool accepted = Ptxas(stub, target, Scratch("out.cubin")).exit_code == 0;
    const bool wanted = Tables().CheckToolkitCompilesFor(Toolkit(), target).ok();
    EXPECT_EQ(accepted, wanted && target.Plain() >= ComputeCapability(7, 5)) << target;
  }
}

// Each `.target` is named in the PTX ISA that introduced it, and not in the one
// of the release before. (What 5.1 names, which no release had, is not
// published.)
TEST(PtxasTest, KnowsEachTargetFromItsPtxIsaOn) {
  std::vector<Version> isas;
  for (const Version& cuda : Tables().CudaReleases()) {
    const Version isa = Tables().HighestPtxIsa(cuda).value();
    if (isas.empty() || isas.back() != isa) isas.push_back(isa);
  }
  for (const ComputeCapability& target : Tables().Targets()) {
    // What ptxas no longer compiles for, or names otherwise by now, is read as
    // PTX for its lowest target from there on.
    const Version introduced = Tables().PtxIsaIntroducing(target).value();
    const auto at = std::find(isas.begin(), isas.end(), introduced);
    ASSERT_NE(at, isas.end()) << target;
    ComputeCapability compile_for = target;
    if (!Tables().CheckToolkitCompilesFor(Toolkit(), target).ok()) {
      compile_for =
          target.major() == 10 ? ComputeCapability(11, 0, target.kind()) : ComputeCapability(7, 5);
    }
    const Output now = Ptxas(StubPtx(target, introduced), compile_for, Scratch("out.cubin"));
    EXPECT_EQ(now.exit_code, 0) << target << " in " << introduced << ": " << now.text;
    if (at == isas.begin()) continue;
    const Version before = *(at - 1);
    const Output then = Ptxas(StubPtx(target, before), compile_for, Scratch("out.cubin"));
    EXPECT_NE(then.exit_code, 0) << target << " in " << before;
  }
}

TEST(PtxasTest, CompilesPtxAsCanCompileForSays) {
  const Version isa = Tables().HighestPtxIsa(Toolkit()).value();
  for (const ComputeCapability& source : Targets()) {
    const std::string stub = StubPtx(source, isa);
    for (const ComputeCapability& target : Targets()) {
      // An empty kernel uses no family feature, so ptxas takes plain targets of
      // the family too.
      const bool plain_of_family = source.kind() == Kind::kFamily &&
                                   target.kind() == Kind::kPlain &&
                                   CanRun(source, target, CodeKind::kPtx);
      EXPECT_EQ(Ptxas(stub, target, Scratch("out.cubin")).exit_code == 0,
                CanCompileFor(source, target) || plain_of_family)
          << source << " for " << target;
    }
  }
}

// The bound of static shared memory, which ptxas enforces.
TEST(PtxasTest, StaticSharedMemoryEndsWhereTheGenerationSays) {
  const Version isa = Tables().HighestPtxIsa(Toolkit()).value();
  for (const ComputeCapability& target : Targets()) {
    if (target.kind() != Kind::kPlain) continue;
    const Generation* generation = SpecDatabase::Embedded().FindGeneration(target);
    ASSERT_NE(generation, nullptr) << target;
    for (const int excess : {0, 1}) {
      const std::string path = Scratch("shared.ptx");
      std::ofstream(path) << ".version " << isa << "\n.target " << target.SmName()
                          << "\n.address_size 64\n.visible .entry k() {\n.shared .b8 s["
                          << generation->shared_memory_per_block + excess
                          << "];\n.reg .b16 r;\nld.shared.b8 r, [s];\nst.shared.b8 [s+1], r;\n"
                             "ret;\n}\n";
      const Output output = Ptxas(path, target, Scratch("out.cubin"));
      EXPECT_EQ(output.exit_code == 0, excess == 0) << target << ": " << output.text;
    }
  }
}

// nvlink takes a CUBIN for a target where it could run there, but knows nothing
// of the note that Tegra exchanges no CUBINs.
TEST(NvlinkTest, LinksCubinsAsCanRunSays) {
  const Version isa = Tables().HighestPtxIsa(Toolkit()).value();
  for (const ComputeCapability& code : Targets()) {
    const std::string cubin = Scratch(absl::StrCat(code.SmName(), ".cubin"));
    ASSERT_EQ(Ptxas(StubPtx(code, isa), code, cubin, "-c").exit_code, 0) << code;
    for (const ComputeCapability& device : Targets()) {
      // A device is asked for by the target that takes all code for it.
      const ComputeCapability arch = device.WithKind(Kind::kArch);
      const std::vector<ComputeCapability> targets = Targets();
      const bool has_arch = std::find(targets.begin(), targets.end(), arch) != targets.end();
      if (device.kind() != Kind::kPlain) continue;
      if (code.major() == 8 && (code.minor() == 7 || device.minor() == 7)) continue;
      const Output linked = Execute(absl::StrCat(Tool("WARPYARD_TEST_NVLINK"), " -arch ",
                                                 (has_arch ? arch : device).SmName(), " ", cubin,
                                                 " -o ", Scratch("linked.cubin")));
      EXPECT_EQ(linked.exit_code == 0, CanRun(code, device, CodeKind::kCubin))
          << code << " on " << device << ": " << linked.text;
    }
  }
}

// NVRTC lists numbers without suffixes.
TEST(NvrtcTest, SupportsTheTargetsOfTheTables) {
  std::string library;
  for (std::string_view path : absl::StrSplit(Tool("WARPYARD_TEST_NVRTC"), ' ')) {
    if (absl::StrContains(path, "libnvrtc.so")) library = path;
  }
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(handle, nullptr) << library << ": " << dlerror();
  const auto get_count =
      reinterpret_cast<int (*)(int*)>(dlsym(handle, "nvrtcGetNumSupportedArchs"));
  const auto get_archs = reinterpret_cast<int (*)(int*)>(dlsym(handle, "nvrtcGetSupportedArchs"));
  ASSERT_NE(get_count, nullptr);
  ASSERT_NE(get_archs, nullptr);
  int count = 0;
  ASSERT_EQ(get_count(&count), 0);
  std::vector<int> archs(count);
  ASSERT_EQ(get_archs(archs.data()), 0);

  std::vector<int> wanted;
  for (const ComputeCapability& target : Targets()) {
    if (target.kind() == Kind::kPlain) wanted.push_back(target.major() * 10 + target.minor());
  }
  EXPECT_THAT(archs, ElementsAreArray(wanted));
}

}  // namespace
}  // namespace warpyard
