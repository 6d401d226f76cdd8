// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/cuda_locator.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "cc/base/environment.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::ptx {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class CudaLocatorTest : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::path(::testing::TempDir()) /
            ::testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(root_);
    fs::create_directories(root_);
  }

  std::string Path(std::string_view relative) const { return (root_ / relative).string(); }

  void AddFile(std::string_view relative) const {
    fs::create_directories((root_ / relative).parent_path());
    std::ofstream(root_ / relative) << "x";
  }

  void AddProgram(std::string_view relative) const {
    AddFile(relative);
    fs::permissions(root_ / relative, fs::perms::owner_all);
  }

  // The layout of the wheels.
  void AddWheels(const std::string& at) const {
    for (const char* file :
         {"lib/libnvrtc.so.13", "lib/libnvrtc-builtins.so.13.5", "lib/libnvvm.so.4",
          "lib/libnvJitLink.so.13", "nvvm/libdevice/libdevice.10.bc", "include/cuda_fp16.h",
          "include/cccl/cuda/std/cstdint"}) {
      AddFile(absl::StrCat(at, "/", file));
    }
    for (const char* program : {"bin/ptxas", "bin/nvlink", "bin/nvdisasm", "bin/cuobjdump"}) {
      AddProgram(absl::StrCat(at, "/", program));
    }
  }

  fs::path root_;
};

TEST_F(CudaLocatorTest, FindsEverythingInWheels) {
  AddWheels("cu13");
  EXPECT_EQ(LocateCuda({.toolkits = {Path("cu13")}}),
            (ToolPaths{.nvrtc = Path("cu13/lib/libnvrtc.so.13"),
                       .nvvm = Path("cu13/lib/libnvvm.so.4"),
                       .nvjitlink = Path("cu13/lib/libnvJitLink.so.13"),
                       .ptxas = Path("cu13/bin/ptxas"),
                       .nvlink = Path("cu13/bin/nvlink"),
                       .nvdisasm = Path("cu13/bin/nvdisasm"),
                       .cuobjdump = Path("cu13/bin/cuobjdump"),
                       .cuda_include = Path("cu13/include"),
                       .cccl_include = Path("cu13/include/cccl"),
                       .libdevice = Path("cu13/nvvm/libdevice/libdevice.10.bc"),
                       .driver = "libcuda.so.1",
                       .searched = {Path("cu13")}}));
}

TEST_F(CudaLocatorTest, FindsLibrariesWhereInstallersPutThem) {
  AddFile("cuda/lib64/libnvrtc.so.12");
  AddFile("cuda/nvvm/lib64/libnvvm.so.4");
  const ToolPaths paths = LocateCuda({.toolkits = {Path("cuda")}});
  EXPECT_EQ(paths.nvrtc, Path("cuda/lib64/libnvrtc.so.12"));
  EXPECT_EQ(paths.nvvm, Path("cuda/nvvm/lib64/libnvvm.so.4"));
  EXPECT_EQ(paths.nvjitlink, "");
  EXPECT_EQ(paths.ptxas, "");
  EXPECT_EQ(paths.cuda_include, "");
}

TEST_F(CudaLocatorTest, TakesTheHighestVersionOfALibrary) {
  for (const char* file : {"libnvrtc.so", "libnvrtc.so.9", "libnvrtc.so.12", "libnvrtc.so.12.9.86",
                           "libnvrtc.alt.so.99", "libnvrtc.so.99.alt", "libnvrtc-builtins.so.77"}) {
    AddFile(absl::StrCat("cuda/lib/", file));
  }
  fs::create_symlink("nowhere", root_ / "cuda/lib/libnvrtc.so.88");
  EXPECT_EQ(LocateCuda({.toolkits = {Path("cuda")}}).nvrtc, Path("cuda/lib/libnvrtc.so.12.9.86"));
}

TEST_F(CudaLocatorTest, EarlierPlacesWinPartByPart) {
  AddProgram("first/bin/ptxas");
  AddWheels("second");
  AddProgram("path/nvlink");
  const ToolPaths paths =
      LocateCuda({.toolkits = {Path("first"), Path("second")}, .program_folders = {Path("path")}});
  EXPECT_EQ(paths.ptxas, Path("first/bin/ptxas"));
  EXPECT_EQ(paths.nvlink, Path("second/bin/nvlink"));
  EXPECT_THAT(paths.searched, ElementsAre(Path("first"), Path("second"), "PATH"));
}

TEST_F(CudaLocatorTest, AFileThatCannotRunIsNoProgram) {
  AddFile("cuda/bin/ptxas");
  EXPECT_EQ(LocateCuda({.toolkits = {Path("cuda")}}).ptxas, "");
}

TEST_F(CudaLocatorTest, TheVariableIsTheOnlyPlace) {
  AddWheels("hint");
  AddProgram("path/ptxas");
  AddFile("root/lib/libnvrtc.so.13");
  const Environment environment(std::map<std::string, std::string, std::less<>>{
      {"WARPYARD_CUDA_ROOT", Path("root")}, {"PATH", Path("path")}});
  const ToolPaths paths = LocateCuda(environment, {Path("hint")});
  EXPECT_EQ(paths.nvrtc, Path("root/lib/libnvrtc.so.13"));
  EXPECT_EQ(paths.ptxas, "");
  EXPECT_THAT(paths.searched, ElementsAre(Path("root")));
}

TEST_F(CudaLocatorTest, HintsComeBeforeThePath) {
  AddProgram("path/ptxas");
  AddProgram("path/nvlink");
  AddProgram("hint/bin/ptxas");
  const Environment environment(std::map<std::string, std::string, std::less<>>{
      {"PATH", absl::StrCat(":/nowhere:", Path("path"))}});
  const CudaSearch search = DefaultCudaSearch(environment, {Path("hint")});
  EXPECT_THAT(search.toolkits, ElementsAre(Path("hint"), "/usr/local/cuda"));
  EXPECT_THAT(search.program_folders, ElementsAre("/nowhere", Path("path")));
  EXPECT_EQ(LocateCuda(environment, {Path("hint")}).ptxas, Path("hint/bin/ptxas"));
}

TEST_F(CudaLocatorTest, APartThatIsMissingSaysHowToInstallIt) {
  const ToolPaths paths = LocateCuda({.toolkits = {Path("empty")}});
  const absl::Status status = PartNotFound(CudaPart::kNvrtc, paths);
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(status.message(), HasSubstr("NVRTC (libnvrtc.so) was not found in"));
  EXPECT_THAT(status.message(), HasSubstr(Path("empty")));
  EXPECT_THAT(status.message(), HasSubstr("pip install nvidia-cuda-nvrtc"));
  EXPECT_THAT(status.message(), HasSubstr("WARPYARD_CUDA_ROOT"));
  EXPECT_THAT(PartNotFound(CudaPart::kPtxas, {}).message(),
              HasSubstr("ptxas was not found. Install it with: pip install nvidia-cuda-nvcc"));
  EXPECT_THAT(PartNotFound(CudaPart::kNvJitLink, {}).message(),
              HasSubstr("pip install nvidia-nvjitlink"));
  EXPECT_THAT(PartNotFound(CudaPart::kNvvm, {}).message(), HasSubstr("pip install nvidia-nvvm"));
}

}  // namespace
}  // namespace warpyard::ptx
