// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The linker of the driver: PTX and fatbins in, an image that carries the PTX out.

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "cc/base/file.h"
#include "cc/emulator/driver/api.h"
#include "cc/emulator/driver/carried_ptx.h"
#include "cc/emulator/driver/context.h"
#include "cc/emulator/driver/handles.h"
#include "cc/emulator/driver/image.h"
#include "cc/emulator/driver/module.h"
#include "cc/emulator/driver/program_loader.h"

namespace d = ::warpyard::emulator::driver;

namespace {

struct Link {
  std::mutex mutex;
  warpyard::ComputeCapability device;
  std::vector<std::string> modules;
  std::string image;  // once it is complete
  std::vector<CUjit_option> options;
  std::vector<void*> values;
};

CUresult Find(CUlinkState handle, std::shared_ptr<Link>* link) {
  WARPYARD_CU_TRY(d::Driver::Get().CheckInitialized());
  *link = d::Handles<Link>::Get().Find(handle);
  return *link == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
}

// The logs of the whole link are those of its creation.
void Log(Link& link, std::string_view text) {
  d::Report(text);
  d::JitLogs logs(static_cast<unsigned>(link.options.size()), link.options.data(),
                  link.values.data());
  logs.Error(text);
}

CUresult Add(Link& link, CUjitInputType type, std::string_view data, std::string_view name) {
  const std::lock_guard<std::mutex> lock(link.mutex);
  if (!link.image.empty()) return CUDA_ERROR_INVALID_VALUE;  // complete
  switch (type) {
    case CU_JIT_INPUT_PTX:
    case CU_JIT_INPUT_CUBIN:
    case CU_JIT_INPUT_FATBINARY:
    case CU_JIT_INPUT_OBJECT:
    case CU_JIT_INPUT_LIBRARY:
      break;
    case CU_JIT_INPUT_NVVM:
      return d::NotSupported("cuLinkAddData of NVVM IR");
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
  absl::StatusOr<std::vector<std::string>> modules = d::FindPtx(data, link.device);
  if (!modules.ok()) {
    Log(link, absl::StrCat(name, ": ", modules.status().message()));
    return modules.status().code() == absl::StatusCode::kFailedPrecondition
               ? CUDA_ERROR_NO_BINARY_FOR_GPU
               : CUDA_ERROR_INVALID_IMAGE;
  }
  if (type == CU_JIT_INPUT_PTX) {
    // As the driver, which compiles PTX when it is added.
    const auto program = d::CompilePtx(*modules, link.device);
    if (!program.ok()) {
      Log(link, absl::StrCat(name, ": PTX: ", program.status().message()));
      return program.status().code() == absl::StatusCode::kFailedPrecondition
                 ? CUDA_ERROR_NO_BINARY_FOR_GPU
                 : CUDA_ERROR_INVALID_PTX;
    }
  }
  for (std::string& module : *modules) link.modules.push_back(std::move(module));
  return CUDA_SUCCESS;
}

}  // namespace

CUresult CUDAAPI cuLinkCreate_v2(unsigned int numOptions, CUjit_option* options,
                                 void** optionValues, CUlinkState* stateOut) {
  if (stateOut == nullptr || (numOptions > 0 && (options == nullptr || optionValues == nullptr))) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  WARPYARD_CU_CURRENT(context);
  auto link = std::make_shared<Link>();
  link->device = context->device().spec().compute_capability();
  if (numOptions > 0) {
    link->options.assign(options, options + numOptions);
    link->values.assign(optionValues, optionValues + numOptions);
  }
  *stateOut = d::Handles<Link>::Get().Add<CUlinkState>(std::move(link));
  return CUDA_SUCCESS;
}
CUresult CUDAAPI cuLinkCreate(unsigned int numOptions, CUjit_option* options, void** optionValues,
                              CUlinkState* stateOut) {
  return cuLinkCreate_v2(numOptions, options, optionValues, stateOut);
}

CUresult CUDAAPI cuLinkAddData_v2(CUlinkState state, CUjitInputType type, void* data, size_t size,
                                  const char* name, unsigned int numOptions, CUjit_option* options,
                                  void** optionValues) {
  std::shared_ptr<Link> link;
  WARPYARD_CU_TRY(Find(state, &link));
  if (data == nullptr || size == 0) return CUDA_ERROR_INVALID_VALUE;
  return Add(*link, type, {static_cast<const char*>(data), size}, name == nullptr ? "input" : name);
}
CUresult CUDAAPI cuLinkAddData(CUlinkState state, CUjitInputType type, void* data, size_t size,
                               const char* name, unsigned int numOptions, CUjit_option* options,
                               void** optionValues) {
  return cuLinkAddData_v2(state, type, data, size, name, numOptions, options, optionValues);
}

CUresult CUDAAPI cuLinkAddFile_v2(CUlinkState state, CUjitInputType type, const char* path,
                                  unsigned int numOptions, CUjit_option* options,
                                  void** optionValues) {
  std::shared_ptr<Link> link;
  WARPYARD_CU_TRY(Find(state, &link));
  if (path == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const absl::StatusOr<std::string> data = warpyard::ReadFile(path, int64_t{4} << 30);
  if (!data.ok()) return CUDA_ERROR_FILE_NOT_FOUND;
  return Add(*link, type, *data, path);
}
CUresult CUDAAPI cuLinkAddFile(CUlinkState state, CUjitInputType type, const char* path,
                               unsigned int numOptions, CUjit_option* options,
                               void** optionValues) {
  return cuLinkAddFile_v2(state, type, path, numOptions, options, optionValues);
}

CUresult CUDAAPI cuLinkComplete(CUlinkState state, void** cubinOut, size_t* sizeOut) {
  if (cubinOut == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<Link> link;
  WARPYARD_CU_TRY(Find(state, &link));
  const std::lock_guard<std::mutex> lock(link->mutex);
  if (link->image.empty()) {
    const auto program = d::CompilePtx(link->modules, link->device);
    if (!program.ok()) {
      Log(*link, program.status().message());
      return CUDA_ERROR_INVALID_IMAGE;
    }
    link->image = d::CubinOfPtx({link->modules.begin(), link->modules.end()});
  }
  *cubinOut = link->image.data();
  if (sizeOut != nullptr) *sizeOut = link->image.size();
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuLinkDestroy(CUlinkState state) {
  WARPYARD_CU_TRY(d::Driver::Get().CheckInitialized());
  return d::Handles<Link>::Get().Remove(state) == nullptr ? CUDA_ERROR_INVALID_HANDLE
                                                          : CUDA_SUCCESS;
}
