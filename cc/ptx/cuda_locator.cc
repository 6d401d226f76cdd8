// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/cuda_locator.h"

#include <unistd.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "cc/base/environment.h"
#include "cc/base/version.h"

namespace warpyard::ptx {
namespace {

namespace fs = std::filesystem;

// Folders of a toolkit that hold libraries: wheels have lib, installers lib64,
// and libNVVM has its own in installers.
constexpr std::string_view kLibraryFolders[] = {"lib", "lib64"};
constexpr std::string_view kNvvmFolders[] = {"lib", "lib64", "nvvm/lib64", "nvvm/lib"};

bool IsFile(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

bool IsFolder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool IsProgram(const fs::path& path) { return IsFile(path) && access(path.c_str(), X_OK) == 0; }

std::string Absolute(const fs::path& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error);
  return (error ? path : absolute).lexically_normal().string();
}

// The file `<stem>.so[.version]` of the highest version in a folder, or "".
// Symbolic links count as what they are called.
std::string FindLibraryIn(const fs::path& folder, std::string_view stem) {
  std::string best;
  Version best_version;
  std::error_code error;
  fs::directory_iterator entries(folder, error);
  for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
    const std::string file = entries->path().filename().string();
    std::string_view rest = file;
    if (!absl::ConsumePrefix(&rest, stem) || !absl::ConsumePrefix(&rest, ".so")) continue;
    Version version;
    if (absl::ConsumePrefix(&rest, ".")) {
      absl::StatusOr<Version> parsed = Version::Parse(rest);
      if (!parsed.ok()) continue;  // libnvrtc.so.13.alt and the like
      version = *parsed;
    } else if (!rest.empty()) {
      continue;
    }
    if (!IsFile(entries->path())) continue;  // a link to nothing
    // Of equal versions (13 and 13.0) the first in the alphabet, so that the
    // folder's order does not matter.
    if (best.empty() || version > best_version || (version == best_version && file < best)) {
      best = file;
      best_version = version;
    }
  }
  return best.empty() ? "" : Absolute(folder / best);
}

// Looks through one toolkit for the parts that are not found yet.
class ToolkitVisitor {
 public:
  explicit ToolkitVisitor(ToolPaths& paths) : paths_(paths) {}

  void Visit(const fs::path& root) {
    FindLibrary(paths_.nvrtc, root, kLibraryFolders, "libnvrtc");
    FindLibrary(paths_.nvjitlink, root, kLibraryFolders, "libnvJitLink");
    FindLibrary(paths_.nvvm, root, kNvvmFolders, "libnvvm");
    VisitPrograms(root / "bin");
    FindFile(paths_.libdevice, root / "nvvm/libdevice/libdevice.10.bc");
    if (paths_.cuda_include.empty() && IsFile(root / "include/cuda_fp16.h")) {
      paths_.cuda_include = Absolute(root / "include");
    }
    for (const std::string_view folder : {"include/cccl", "cccl/include", "include"}) {
      if (paths_.cccl_include.empty() && IsFolder(root / folder / "cuda/std")) {
        paths_.cccl_include = Absolute(root / folder);
      }
    }
  }

  void VisitPrograms(const fs::path& folder) {
    FindProgram(paths_.ptxas, folder / "ptxas");
    FindProgram(paths_.nvlink, folder / "nvlink");
    FindProgram(paths_.nvdisasm, folder / "nvdisasm");
    FindProgram(paths_.cuobjdump, folder / "cuobjdump");
  }

 private:
  template <typename Folders>
  static void FindLibrary(std::string& slot, const fs::path& root, const Folders& folders,
                          std::string_view stem) {
    for (const std::string_view folder : folders) {
      if (slot.empty()) slot = FindLibraryIn(root / folder, stem);
    }
  }

  static void FindFile(std::string& slot, const fs::path& path) {
    if (slot.empty() && IsFile(path)) slot = Absolute(path);
  }

  static void FindProgram(std::string& slot, const fs::path& path) {
    if (slot.empty() && IsProgram(path)) slot = Absolute(path);
  }

  ToolPaths& paths_;
};

struct PartInfo {
  std::string_view what;
  std::string_view package;
};

PartInfo Info(CudaPart part) {
  switch (part) {
    case CudaPart::kNvrtc:
      return {"NVRTC (libnvrtc.so)", "nvidia-cuda-nvrtc"};
    case CudaPart::kNvvm:
      return {"libNVVM (libnvvm.so)", "nvidia-nvvm"};
    case CudaPart::kNvJitLink:
      return {"nvJitLink (libnvJitLink.so)", "nvidia-nvjitlink"};
    case CudaPart::kPtxas:
      return {"ptxas", "nvidia-cuda-nvcc"};
    case CudaPart::kNvlink:
      return {"nvlink", "nvidia-cuda-nvcc"};
    case CudaPart::kHeaders:
      return {"CUDA's headers", "nvidia-cuda-runtime nvidia-cuda-crt"};
    case CudaPart::kCccl:
      return {"libcu++ (cuda/std)", "nvidia-cuda-cccl"};
    case CudaPart::kLibdevice:
      return {"libdevice (libdevice.10.bc)", "nvidia-nvvm"};
  }
  return {"a part of CUDA", "nvidia-cuda-nvcc"};
}

}  // namespace

CudaSearch DefaultCudaSearch(const Environment& environment,
                             const std::vector<std::string>& hints) {
  CudaSearch search;
  if (std::optional<std::string> root = environment.Get(kCudaRootVariable)) {
    search.toolkits.push_back(*std::move(root));
    return search;
  }
  search.toolkits = hints;
  search.toolkits.push_back("/usr/local/cuda");
  if (const std::optional<std::string> path = environment.Get("PATH")) {
    for (const std::string_view folder : absl::StrSplit(*path, ':', absl::SkipEmpty())) {
      search.program_folders.emplace_back(folder);
    }
  }
  return search;
}

ToolPaths LocateCuda(const CudaSearch& search) {
  ToolPaths paths;
  ToolkitVisitor visitor(paths);
  for (const std::string& root : search.toolkits) {
    visitor.Visit(root);
    paths.searched.push_back(Absolute(root));
  }
  for (const std::string& folder : search.program_folders) visitor.VisitPrograms(folder);
  if (!search.program_folders.empty()) paths.searched.push_back("PATH");
  return paths;
}

ToolPaths LocateCuda(const Environment& environment, const std::vector<std::string>& hints) {
  return LocateCuda(DefaultCudaSearch(environment, hints));
}

std::string InstallRemedy(CudaPart part) {
  return absl::StrCat("Install it with: pip install ", Info(part).package, " (or set ",
                      kCudaRootVariable, " to the folder of a CUDA toolkit)");
}

absl::Status PartNotFound(CudaPart part, const ToolPaths& paths) {
  return absl::NotFoundError(absl::StrCat(
      Info(part).what, " was not found",
      paths.searched.empty() ? std::string()
                             : absl::StrCat(" in ", absl::StrJoin(paths.searched, ", ")),
      ". ", InstallRemedy(part)));
}

}  // namespace warpyard::ptx
