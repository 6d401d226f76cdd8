// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Modules and libraries: loading, and finding kernels and variables.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "cc/base/file.h"
#include "cc/emulator/driver/api.h"
#include "cc/emulator/driver/capture.h"
#include "cc/emulator/driver/context.h"
#include "cc/emulator/driver/handles.h"
#include "cc/emulator/driver/module.h"

namespace d = ::warpyard::emulator::driver;
using d::Handles;
using d::JitLogs;
using d::Kernel;
using d::KernelFunction;
using d::Library;
using d::Module;

namespace {

CUresult LoadModule(CUmodule* out, std::string_view image, JitLogs& logs) {
  WARPYARD_CU_CURRENT(context);
  WARPYARD_CU_TRY(d::CheckSafeCall());
  std::shared_ptr<const warpyard::emulator::Program> program;
  WARPYARD_CU_TRY(d::LoadProgram(image, context->device(), logs, &program));
  std::shared_ptr<Module> module;
  WARPYARD_CU_TRY(Module::Make(context->shared_from_this(), std::move(program), &module));
  *out = module->handle();
  return CUDA_SUCCESS;
}

CUresult LoadLibrary(CUlibrary* out, std::string_view image, JitLogs& logs) {
  WARPYARD_CU_TRY(d::Driver::Get().CheckInitialized());
  // PTX is chosen for the current device, else for the first.
  d::Device* device = d::Driver::Get().devices()[0].get();
  d::Context* current;
  if (d::CurrentContext(&current) == CUDA_SUCCESS) device = &current->device();
  std::shared_ptr<const warpyard::emulator::Program> program;
  WARPYARD_CU_TRY(d::LoadProgram(image, *device, logs, &program));
  *out = reinterpret_cast<CUlibrary>(Library::Make(std::move(program)).get());
  return CUDA_SUCCESS;
}

CUresult ReadImage(const char* path, std::string* image) {
  if (path == nullptr) return CUDA_ERROR_INVALID_VALUE;
  absl::StatusOr<std::string> read = warpyard::ReadFile(path, int64_t{4} << 30);
  if (!read.ok()) return CUDA_ERROR_FILE_NOT_FOUND;
  *image = *std::move(read);
  return image->empty() ? CUDA_ERROR_INVALID_IMAGE : CUDA_SUCCESS;
}

CUresult FindModule(CUmodule handle, std::shared_ptr<Module>* module) {
  WARPYARD_CU_TRY(d::Driver::Get().CheckInitialized());
  *module = Handles<Module>::Get().Find(handle);
  return *module == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
}

CUresult FindLibrary(CUlibrary handle, std::shared_ptr<Library>* library) {
  WARPYARD_CU_TRY(d::Driver::Get().CheckInitialized());
  *library = Handles<Library>::Get().Find(handle);
  return *library == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
}

CUresult FindGlobal(const Module& module, const char* name, CUdeviceptr* dptr, size_t* bytes) {
  if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const auto global = module.loaded().FindGlobal(name);
  if (!global.has_value()) return CUDA_ERROR_NOT_FOUND;
  if (dptr != nullptr) *dptr = global->address;
  if (bytes != nullptr) *bytes = global->size;
  return CUDA_SUCCESS;
}

CUresult ModuleOfLibrary(CUlibrary handle, std::shared_ptr<Module>* module) {
  std::shared_ptr<Library> library;
  WARPYARD_CU_TRY(FindLibrary(handle, &library));
  WARPYARD_CU_CURRENT(context);
  return library->ModuleIn(context->shared_from_this(), module);
}

}  // namespace

CUresult CUDAAPI cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned int numOptions,
                                    CUjit_option* options, void** optionValues) {
  if (module == nullptr) return CUDA_ERROR_INVALID_VALUE;
  JitLogs logs(numOptions, options, optionValues);
  std::string_view bytes;
  WARPYARD_CU_TRY(d::ImageBytes(image, &bytes));
  return LoadModule(module, bytes, logs);
}
CUresult CUDAAPI cuModuleLoadData(CUmodule* module, const void* image) {
  return cuModuleLoadDataEx(module, image, 0, nullptr, nullptr);
}
CUresult CUDAAPI cuModuleLoadFatBinary(CUmodule* module, const void* fatCubin) {
  return cuModuleLoadData(module, fatCubin);
}

CUresult CUDAAPI cuModuleLoad(CUmodule* module, const char* fname) {
  if (module == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::string image;
  WARPYARD_CU_TRY(ReadImage(fname, &image));
  JitLogs logs(0, nullptr, nullptr);
  return LoadModule(module, image, logs);
}

CUresult CUDAAPI cuModuleUnload(CUmodule hmod) {
  std::shared_ptr<Module> module;
  WARPYARD_CU_TRY(FindModule(hmod, &module));
  // Launches that are under way hold it.
  Handles<Module>::Get().Remove(hmod);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
  if (mode == nullptr) return CUDA_ERROR_INVALID_VALUE;
  WARPYARD_CU_TRY(d::Driver::Get().CheckInitialized());
  *mode = CU_MODULE_EAGER_LOADING;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuModuleGetFunction(CUfunction* hfunc, CUmodule hmod, const char* name) {
  if (hfunc == nullptr || name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<Module> module;
  WARPYARD_CU_TRY(FindModule(hmod, &module));
  const std::shared_ptr<KernelFunction> function = module->FindFunction(name);
  if (function == nullptr) return CUDA_ERROR_NOT_FOUND;
  *hfunc = function->handle();
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuModuleGetFunctionCount(unsigned int* count, CUmodule mod) {
  if (count == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<Module> module;
  WARPYARD_CU_TRY(FindModule(mod, &module));
  *count = static_cast<unsigned>(Module::KernelNames(module->loaded().program()).size());
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuModuleEnumerateFunctions(CUfunction* functions, unsigned int numFunctions,
                                            CUmodule mod) {
  if (functions == nullptr || numFunctions == 0) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<Module> module;
  WARPYARD_CU_TRY(FindModule(mod, &module));
  for (const std::string_view name : Module::KernelNames(module->loaded().program())) {
    if (numFunctions-- == 0) break;
    *functions++ = module->FindFunction(name)->handle();
  }
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuModuleGetGlobal_v2(CUdeviceptr* dptr, size_t* bytes, CUmodule hmod,
                                      const char* name) {
  std::shared_ptr<Module> module;
  WARPYARD_CU_TRY(FindModule(hmod, &module));
  return FindGlobal(*module, name, dptr, bytes);
}

CUresult CUDAAPI cuLibraryLoadData(CUlibrary* library, const void* code, CUjit_option* jitOptions,
                                   void** jitOptionsValues, unsigned int numJitOptions,
                                   CUlibraryOption* libraryOptions, void** libraryOptionValues,
                                   unsigned int numLibraryOptions) {
  if (library == nullptr) return CUDA_ERROR_INVALID_VALUE;
  JitLogs logs(numJitOptions, jitOptions, jitOptionsValues);
  std::string_view bytes;
  WARPYARD_CU_TRY(d::ImageBytes(code, &bytes));
  return LoadLibrary(library, bytes, logs);
}

CUresult CUDAAPI cuLibraryLoadFromFile(CUlibrary* library, const char* fileName,
                                       CUjit_option* jitOptions, void** jitOptionsValues,
                                       unsigned int numJitOptions, CUlibraryOption* libraryOptions,
                                       void** libraryOptionValues, unsigned int numLibraryOptions) {
  if (library == nullptr) return CUDA_ERROR_INVALID_VALUE;
  JitLogs logs(numJitOptions, jitOptions, jitOptionsValues);
  std::string image;
  WARPYARD_CU_TRY(ReadImage(fileName, &image));
  return LoadLibrary(library, image, logs);
}

CUresult CUDAAPI cuLibraryUnload(CUlibrary library) {
  std::shared_ptr<Library> found;
  WARPYARD_CU_TRY(FindLibrary(library, &found));
  Handles<Library>::Get().Remove(library);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuLibraryGetKernel(CUkernel* pKernel, CUlibrary library, const char* name) {
  if (pKernel == nullptr || name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<Library> found;
  WARPYARD_CU_TRY(FindLibrary(library, &found));
  const std::shared_ptr<Kernel> kernel = found->FindKernel(name);
  if (kernel == nullptr) return CUDA_ERROR_NOT_FOUND;
  *pKernel = kernel->handle();
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuLibraryGetKernelCount(unsigned int* count, CUlibrary lib) {
  if (count == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<Library> library;
  WARPYARD_CU_TRY(FindLibrary(lib, &library));
  *count = static_cast<unsigned>(library->kernels().size());
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuLibraryEnumerateKernels(CUkernel* kernels, unsigned int numKernels,
                                           CUlibrary lib) {
  if (kernels == nullptr || numKernels == 0) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<Library> library;
  WARPYARD_CU_TRY(FindLibrary(lib, &library));
  for (const std::shared_ptr<Kernel>& kernel : library->kernels()) {
    if (numKernels-- == 0) break;
    *kernels++ = kernel->handle();
  }
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuLibraryGetModule(CUmodule* pMod, CUlibrary library) {
  if (pMod == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<Module> module;
  WARPYARD_CU_TRY(ModuleOfLibrary(library, &module));
  *pMod = module->handle();
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuLibraryGetGlobal(CUdeviceptr* dptr, size_t* bytes, CUlibrary library,
                                    const char* name) {
  std::shared_ptr<Module> module;
  WARPYARD_CU_TRY(ModuleOfLibrary(library, &module));
  return FindGlobal(*module, name, dptr, bytes);
}

CUresult CUDAAPI cuLibraryGetManaged(CUdeviceptr* dptr, size_t* bytes, CUlibrary library,
                                     const char* name) {
  std::shared_ptr<Library> found;
  WARPYARD_CU_TRY(FindLibrary(library, &found));
  return CUDA_ERROR_NOT_FOUND;  // PTX has no managed variables that the emulator knows
}

CUresult CUDAAPI cuKernelGetFunction(CUfunction* pFunc, CUkernel kernel) {
  if (pFunc == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<KernelFunction> function;
  std::shared_ptr<Module> module;
  WARPYARD_CU_TRY(d::FindFunction(reinterpret_cast<CUfunction>(kernel), &function, &module));
  *pFunc = function->handle();
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuKernelGetLibrary(CUlibrary* pLib, CUkernel kernel) {
  if (pLib == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const std::shared_ptr<Kernel> found = Handles<Kernel>::Get().Find(kernel);
  const std::shared_ptr<Library> library = found == nullptr ? nullptr : found->library.lock();
  if (library == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  *pLib = reinterpret_cast<CUlibrary>(library.get());
  return CUDA_SUCCESS;
}
