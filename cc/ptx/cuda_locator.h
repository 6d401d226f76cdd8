// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Where the parts of a CUDA toolkit are on this machine.

#ifndef WARPYARD_CC_PTX_CUDA_LOCATOR_H_
#define WARPYARD_CC_PTX_CUDA_LOCATOR_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "cc/base/environment.h"

namespace warpyard::ptx {

// Names the folder of a toolkit (with bin, include, lib or lib64, and nvvm).
// Where it is set, no other place is searched.
inline constexpr char kCudaRootVariable[] = "WARPYARD_CUDA_ROOT";

// Absolute paths; empty where a part is not there. A part may come from another
// place than the next: providers compare versions themselves.
struct ToolPaths {
  std::string nvrtc;      // libnvrtc.so.13
  std::string nvvm;       // libnvvm.so.4
  std::string nvjitlink;  // libnvJitLink.so.13
  std::string ptxas;      // programs
  std::string nvlink;
  std::string nvdisasm;
  std::string cuobjdump;
  std::string cuda_include;  // the folder of cuda_fp16.h
  std::string cccl_include;  // the folder of cuda/std (libcu++)
  std::string libdevice;     // libdevice.10.bc
  // A file, or a name for the system's loader. It is there where a GPU is.
  std::string driver = "libcuda.so.1";

  // The places that were searched, in order, for messages.
  std::vector<std::string> searched;

  friend bool operator==(const ToolPaths&, const ToolPaths&) = default;
};

// The places to search, the first ones first.
struct CudaSearch {
  std::vector<std::string> toolkits = {};         // folders of whole toolkits
  std::vector<std::string> program_folders = {};  // folders of programs alone (PATH)
};

// `WARPYARD_CUDA_ROOT` alone where it is set. Otherwise `hints` (folders of
// toolkits that the caller knows, such as site-packages/nvidia/cu13),
// /usr/local/cuda, and for programs the folders of `PATH`.
CudaSearch DefaultCudaSearch(const Environment& environment, const std::vector<std::string>& hints);

// Takes each part from the first place that has it. Looks at the file system
// alone: nothing is opened or run.
ToolPaths LocateCuda(const CudaSearch& search);

// `LocateCuda(DefaultCudaSearch(environment, hints))`.
ToolPaths LocateCuda(const Environment& environment, const std::vector<std::string>& hints);

// The parts that a message can ask the user to install.
enum class CudaPart { kNvrtc, kNvvm, kNvJitLink, kPtxas, kNvlink, kHeaders, kCccl, kLibdevice };

// "Install it with: pip install nvidia-cuda-nvrtc (or set WARPYARD_CUDA_ROOT to
// the folder of a CUDA toolkit)".
std::string InstallRemedy(CudaPart part);

// NOT_FOUND, saying what is missing, where it was searched and how to install it.
absl::Status PartNotFound(CudaPart part, const ToolPaths& paths);

}  // namespace warpyard::ptx

#endif  // WARPYARD_CC_PTX_CUDA_LOCATOR_H_
