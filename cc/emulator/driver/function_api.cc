// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// What kernels are and how they are to run: attributes, parameters, names.

#include <algorithm>
#include <cstddef>
#include <memory>

#include "cc/emulator/driver/api.h"
#include "cc/emulator/driver/context.h"
#include "cc/emulator/driver/function_attributes.h"
#include "cc/emulator/driver/handles.h"
#include "cc/emulator/driver/module.h"

namespace d = ::warpyard::emulator::driver;
using d::Kernel;
using d::KernelFunction;
using d::Module;
using ::warpyard::emulator::Function;

namespace {

CUresult Find(CUfunction handle, std::shared_ptr<KernelFunction>* function) {
  WARPYARD_CU_TRY(d::Driver::Get().CheckInitialized());
  std::shared_ptr<Module> module;
  return d::FindFunction(handle, function, &module);
}

CUresult Find(CUkernel handle, std::shared_ptr<Kernel>* kernel) {
  WARPYARD_CU_TRY(d::Driver::Get().CheckInitialized());
  *kernel = d::Handles<Kernel>::Get().Find(handle);
  // A CUfunction is no CUkernel.
  return *kernel == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
}

CUresult ParameterInfo(const Function& function, size_t index, size_t* offset, size_t* size) {
  if (offset == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (index >= function.parameters.size()) return CUDA_ERROR_INVALID_VALUE;
  *offset = function.parameters[index].offset;
  if (size != nullptr) *size = function.parameters[index].size;
  return CUDA_SUCCESS;
}

}  // namespace

CUresult CUDAAPI cuFuncGetAttribute(int* pi, CUfunction_attribute attrib, CUfunction hfunc) {
  if (pi == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<KernelFunction> function;
  WARPYARD_CU_TRY(Find(hfunc, &function));
  return d::GetFunctionAttribute(*function->function, function->module->loaded().program(),
                                 *function->settings, function->module->context()->device(), attrib,
                                 pi);
}

CUresult CUDAAPI cuFuncSetAttribute(CUfunction hfunc, CUfunction_attribute attrib, int value) {
  std::shared_ptr<KernelFunction> function;
  WARPYARD_CU_TRY(Find(hfunc, &function));
  return d::SetFunctionAttribute(*function->function,
                                 function->module->context()->device().generation(), attrib, value,
                                 *function->settings);
}

CUresult CUDAAPI cuKernelGetAttribute(int* pi, CUfunction_attribute attrib, CUkernel kernel,
                                      CUdevice dev) {
  if (pi == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<Kernel> found;
  WARPYARD_CU_TRY(Find(kernel, &found));
  const std::shared_ptr<d::Library> library = found->library.lock();
  if (library == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  d::Device* device;
  WARPYARD_CU_TRY(d::GetDevice(dev, &device));
  return d::GetFunctionAttribute(*found->function, library->program(), *found->settings, *device,
                                 attrib, pi);
}

CUresult CUDAAPI cuKernelSetAttribute(CUfunction_attribute attrib, int val, CUkernel kernel,
                                      CUdevice dev) {
  std::shared_ptr<Kernel> found;
  WARPYARD_CU_TRY(Find(kernel, &found));
  d::Device* device;
  WARPYARD_CU_TRY(d::GetDevice(dev, &device));
  return d::SetFunctionAttribute(*found->function, device->generation(), attrib, val,
                                 *found->settings);
}

CUresult CUDAAPI cuFuncSetCacheConfig(CUfunction hfunc, CUfunc_cache config) {
  std::shared_ptr<KernelFunction> function;
  WARPYARD_CU_TRY(Find(hfunc, &function));
  function->settings->cache_config = config;
  return CUDA_SUCCESS;
}
CUresult CUDAAPI cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice dev) {
  std::shared_ptr<Kernel> found;
  WARPYARD_CU_TRY(Find(kernel, &found));
  found->settings->cache_config = config;
  return CUDA_SUCCESS;
}
CUresult CUDAAPI cuFuncSetSharedMemConfig(CUfunction hfunc, CUsharedconfig config) {
  std::shared_ptr<KernelFunction> function;
  return Find(hfunc, &function);
}

CUresult CUDAAPI cuFuncGetModule(CUmodule* hmod, CUfunction hfunc) {
  if (hmod == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<KernelFunction> function;
  WARPYARD_CU_TRY(Find(hfunc, &function));
  *hmod = function->module->handle();
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuFuncGetName(const char** name, CUfunction hfunc) {
  if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<KernelFunction> function;
  WARPYARD_CU_TRY(Find(hfunc, &function));
  *name = function->name.c_str();
  return CUDA_SUCCESS;
}
CUresult CUDAAPI cuKernelGetName(const char** name, CUkernel hfunc) {
  if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<Kernel> kernel;
  WARPYARD_CU_TRY(Find(hfunc, &kernel));
  *name = kernel->name.c_str();
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuFuncGetParamInfo(CUfunction func, size_t paramIndex, size_t* paramOffset,
                                    size_t* paramSize) {
  std::shared_ptr<KernelFunction> function;
  WARPYARD_CU_TRY(Find(func, &function));
  return ParameterInfo(*function->function, paramIndex, paramOffset, paramSize);
}
CUresult CUDAAPI cuKernelGetParamInfo(CUkernel kernel, size_t paramIndex, size_t* paramOffset,
                                      size_t* paramSize) {
  std::shared_ptr<Kernel> found;
  WARPYARD_CU_TRY(Find(kernel, &found));
  return ParameterInfo(*found->function, paramIndex, paramOffset, paramSize);
}
CUresult CUDAAPI cuFuncGetParamCount(CUfunction func, size_t* paramCount) {
  if (paramCount == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<KernelFunction> function;
  WARPYARD_CU_TRY(Find(func, &function));
  *paramCount = function->function->parameters.size();
  return CUDA_SUCCESS;
}
CUresult CUDAAPI cuKernelGetParamCount(CUkernel kernel, size_t* paramCount) {
  if (paramCount == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<Kernel> found;
  WARPYARD_CU_TRY(Find(kernel, &found));
  *paramCount = found->function->parameters.size();
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuFuncIsLoaded(CUfunctionLoadingState* state, CUfunction function) {
  if (state == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<KernelFunction> found;
  WARPYARD_CU_TRY(Find(function, &found));
  *state = CU_FUNCTION_LOADING_STATE_LOADED;
  return CUDA_SUCCESS;
}
CUresult CUDAAPI cuFuncLoad(CUfunction function) {
  std::shared_ptr<KernelFunction> found;
  return Find(function, &found);
}
