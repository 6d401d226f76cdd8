// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Launches.

#include <memory>
#include <utility>

#include "cc/emulator/driver/api.h"
#include "cc/emulator/driver/capture.h"
#include "cc/emulator/driver/context.h"
#include "cc/emulator/driver/event.h"
#include "cc/emulator/driver/launch_operation.h"
#include "cc/emulator/driver/stream.h"

namespace d = ::warpyard::emulator::driver;

namespace {

CUresult SubmitLaunch(CUfunction function, const warpyard::emulator::Dim3& grid,
                      const warpyard::emulator::Dim3& block, unsigned shared_bytes, CUstream handle,
                      void** parameters, void** extra, const d::LaunchOptions& options) {
  std::shared_ptr<d::Stream> stream;
  WARPYARD_CU_TRY(d::FindStream(handle, &stream));
  std::shared_ptr<const d::Launch> launch;
  WARPYARD_CU_TRY(
      d::Launch::Make(function, grid, block, shared_bytes, parameters, extra, options, &launch));
  return d::Submit(*stream, std::move(launch));
}

}  // namespace

CUresult CUDAAPI cuLaunchKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY,
                                unsigned int gridDimZ, unsigned int blockDimX,
                                unsigned int blockDimY, unsigned int blockDimZ,
                                unsigned int sharedMemBytes, CUstream hStream, void** kernelParams,
                                void** extra) {
  return SubmitLaunch(f, {gridDimX, gridDimY, gridDimZ}, {blockDimX, blockDimY, blockDimZ},
                      sharedMemBytes, hStream, kernelParams, extra, {});
}

CUresult CUDAAPI cuLaunchCooperativeKernel(CUfunction f, unsigned int gridDimX,
                                           unsigned int gridDimY, unsigned int gridDimZ,
                                           unsigned int blockDimX, unsigned int blockDimY,
                                           unsigned int blockDimZ, unsigned int sharedMemBytes,
                                           CUstream hStream, void** kernelParams) {
  d::LaunchOptions options;
  options.cooperative = true;
  return SubmitLaunch(f, {gridDimX, gridDimY, gridDimZ}, {blockDimX, blockDimY, blockDimZ},
                      sharedMemBytes, hStream, kernelParams, nullptr, options);
}

CUresult CUDAAPI cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction f, void** kernelParams,
                                  void** extra) {
  if (config == nullptr) return CUDA_ERROR_INVALID_VALUE;
  d::LaunchOptions options;
  WARPYARD_CU_TRY(d::ReadAttributes(config->attrs, config->numAttrs, &options));
  return SubmitLaunch(f, {config->gridDimX, config->gridDimY, config->gridDimZ},
                      {config->blockDimX, config->blockDimY, config->blockDimZ},
                      config->sharedMemBytes, config->hStream, kernelParams, extra, options);
}
