// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Memory set to a value, at once or as work of a stream.

#include <cstddef>
#include <memory>

#include "cc/emulator/driver/api.h"
#include "cc/emulator/driver/capture.h"
#include "cc/emulator/driver/context.h"
#include "cc/emulator/driver/copy_operations.h"
#include "cc/emulator/driver/stream.h"

namespace d = ::warpyard::emulator::driver;

namespace {

CUresult SetMemory(CUdeviceptr destination, size_t pitch, unsigned value, unsigned element_size,
                   size_t width, size_t height, CUstream handle, bool wait) {
  std::shared_ptr<d::Stream> stream;
  WARPYARD_CU_TRY(d::FindStream(handle, &stream));
  CUDA_MEMSET_NODE_PARAMS_v2 params{};
  params.dst = destination;
  params.pitch = pitch;
  params.value = value;
  params.elementSize = element_size;
  params.width = width;
  params.height = height;
  params.ctx = stream->context()->handle();
  WARPYARD_CU_TRY(d::CheckSet(params));
  auto set = std::make_shared<d::Set>(params);
  return wait ? d::SubmitAndWait(*stream, std::move(set)) : d::Submit(*stream, std::move(set));
}

}  // namespace

CUresult CUDAAPI cuMemsetD8_v2(CUdeviceptr dstDevice, unsigned char uc, size_t N) {
  return SetMemory(dstDevice, 0, uc, 1, N, 1, nullptr, true);
}
CUresult CUDAAPI cuMemsetD16_v2(CUdeviceptr dstDevice, unsigned short us, size_t N) {
  return SetMemory(dstDevice, 0, us, 2, N, 1, nullptr, true);
}
CUresult CUDAAPI cuMemsetD32_v2(CUdeviceptr dstDevice, unsigned int ui, size_t N) {
  return SetMemory(dstDevice, 0, ui, 4, N, 1, nullptr, true);
}
CUresult CUDAAPI cuMemsetD2D8_v2(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc,
                                 size_t Width, size_t Height) {
  return SetMemory(dstDevice, dstPitch, uc, 1, Width, Height, nullptr, true);
}
CUresult CUDAAPI cuMemsetD2D16_v2(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us,
                                  size_t Width, size_t Height) {
  return SetMemory(dstDevice, dstPitch, us, 2, Width, Height, nullptr, true);
}
CUresult CUDAAPI cuMemsetD2D32_v2(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui,
                                  size_t Width, size_t Height) {
  return SetMemory(dstDevice, dstPitch, ui, 4, Width, Height, nullptr, true);
}
CUresult CUDAAPI cuMemsetD8Async(CUdeviceptr dstDevice, unsigned char uc, size_t N,
                                 CUstream hStream) {
  return SetMemory(dstDevice, 0, uc, 1, N, 1, hStream, false);
}
CUresult CUDAAPI cuMemsetD16Async(CUdeviceptr dstDevice, unsigned short us, size_t N,
                                  CUstream hStream) {
  return SetMemory(dstDevice, 0, us, 2, N, 1, hStream, false);
}
CUresult CUDAAPI cuMemsetD32Async(CUdeviceptr dstDevice, unsigned int ui, size_t N,
                                  CUstream hStream) {
  return SetMemory(dstDevice, 0, ui, 4, N, 1, hStream, false);
}
CUresult CUDAAPI cuMemsetD2D8Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc,
                                   size_t Width, size_t Height, CUstream hStream) {
  return SetMemory(dstDevice, dstPitch, uc, 1, Width, Height, hStream, false);
}
CUresult CUDAAPI cuMemsetD2D16Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us,
                                    size_t Width, size_t Height, CUstream hStream) {
  return SetMemory(dstDevice, dstPitch, us, 2, Width, Height, hStream, false);
}
CUresult CUDAAPI cuMemsetD2D32Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui,
                                    size_t Width, size_t Height, CUstream hStream) {
  return SetMemory(dstDevice, dstPitch, ui, 4, Width, Height, hStream, false);
}
