// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Tensor maps (cc/emulator/execution/tensor_map.h).

#include <cstdint>
#include <cstring>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "cc/emulator/driver/api.h"
#include "cc/emulator/driver/device.h"
#include "cc/emulator/execution/tensor_map.h"

namespace d = ::warpyard::emulator::driver;
using ::warpyard::emulator::Im2colTensor;
using ::warpyard::emulator::TensorMap;
using ::warpyard::emulator::TiledTensor;

namespace {

constexpr cuuint32_t kMaxRank = ::warpyard::emulator::kMaxTensorRank;

CUresult Give(const absl::StatusOr<TensorMap>& map, CUtensorMap* out) {
  if (!map.ok()) {
    d::Report(map.status().message());
    return CUDA_ERROR_INVALID_VALUE;
  }
  static_assert(sizeof(*out) == sizeof(TensorMap));
  std::memcpy(out, &*map, sizeof(TensorMap));
  return CUDA_SUCCESS;
}

}  // namespace

CUresult CUDAAPI cuTensorMapEncodeTiled(
    CUtensorMap* tensorMap, CUtensorMapDataType tensorDataType, cuuint32_t tensorRank,
    void* globalAddress, const cuuint64_t* globalDim, const cuuint64_t* globalStrides,
    const cuuint32_t* boxDim, const cuuint32_t* elementStrides, CUtensorMapInterleave interleave,
    CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2Promotion,
    CUtensorMapFloatOOBfill oobFill) {
  if (tensorMap == nullptr || tensorRank == 0 || tensorRank > kMaxRank || globalDim == nullptr ||
      (globalStrides == nullptr && tensorRank > 1) || boxDim == nullptr ||
      elementStrides == nullptr) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  TiledTensor tensor;
  tensor.element = tensorDataType;
  tensor.address = reinterpret_cast<uint64_t>(globalAddress);
  tensor.dims = {globalDim, tensorRank};
  tensor.strides = {globalStrides, tensorRank - 1};
  tensor.box = {boxDim, tensorRank};
  tensor.element_strides = {elementStrides, tensorRank};
  tensor.interleave = interleave;
  tensor.swizzle = swizzle;
  tensor.l2_promotion = l2Promotion;
  tensor.oob_fill = oobFill;
  return Give(::warpyard::emulator::EncodeTiled(tensor), tensorMap);
}

CUresult CUDAAPI cuTensorMapEncodeIm2col(
    CUtensorMap* tensorMap, CUtensorMapDataType tensorDataType, cuuint32_t tensorRank,
    void* globalAddress, const cuuint64_t* globalDim, const cuuint64_t* globalStrides,
    const int* pixelBoxLowerCorner, const int* pixelBoxUpperCorner, cuuint32_t channelsPerPixel,
    cuuint32_t pixelsPerColumn, const cuuint32_t* elementStrides, CUtensorMapInterleave interleave,
    CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2Promotion,
    CUtensorMapFloatOOBfill oobFill) {
  if (tensorMap == nullptr || tensorRank < 3 || tensorRank > kMaxRank || globalDim == nullptr ||
      globalStrides == nullptr || pixelBoxLowerCorner == nullptr ||
      pixelBoxUpperCorner == nullptr || elementStrides == nullptr) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  Im2colTensor tensor;
  tensor.element = tensorDataType;
  tensor.address = reinterpret_cast<uint64_t>(globalAddress);
  tensor.dims = {globalDim, tensorRank};
  tensor.strides = {globalStrides, tensorRank - 1};
  tensor.lower_corner = {pixelBoxLowerCorner, tensorRank - 2};
  tensor.upper_corner = {pixelBoxUpperCorner, tensorRank - 2};
  tensor.channels_per_pixel = channelsPerPixel;
  tensor.pixels_per_column = pixelsPerColumn;
  tensor.element_strides = {elementStrides, tensorRank};
  tensor.interleave = interleave;
  tensor.swizzle = swizzle;
  tensor.l2_promotion = l2Promotion;
  tensor.oob_fill = oobFill;
  return Give(::warpyard::emulator::EncodeIm2col(tensor), tensorMap);
}

CUresult CUDAAPI cuTensorMapEncodeIm2colWide(
    CUtensorMap* tensorMap, CUtensorMapDataType tensorDataType, cuuint32_t tensorRank,
    void* globalAddress, const cuuint64_t* globalDim, const cuuint64_t* globalStrides,
    int pixelBoxLowerCornerWidth, int pixelBoxUpperCornerWidth, cuuint32_t channelsPerPixel,
    cuuint32_t pixelsPerColumn, const cuuint32_t* elementStrides, CUtensorMapInterleave interleave,
    CUtensorMapIm2ColWideMode mode, CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2Promotion,
    CUtensorMapFloatOOBfill oobFill) {
  if (tensorMap == nullptr || tensorRank < 3 || tensorRank > kMaxRank || globalDim == nullptr ||
      globalStrides == nullptr || elementStrides == nullptr) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  Im2colTensor tensor;
  tensor.element = tensorDataType;
  tensor.address = reinterpret_cast<uint64_t>(globalAddress);
  tensor.dims = {globalDim, tensorRank};
  tensor.strides = {globalStrides, tensorRank - 1};
  tensor.lower_corner = {&pixelBoxLowerCornerWidth, 1};
  tensor.upper_corner = {&pixelBoxUpperCornerWidth, 1};
  tensor.channels_per_pixel = channelsPerPixel;
  tensor.pixels_per_column = pixelsPerColumn;
  tensor.element_strides = {elementStrides, tensorRank};
  tensor.interleave = interleave;
  tensor.swizzle = swizzle;
  tensor.l2_promotion = l2Promotion;
  tensor.oob_fill = oobFill;
  return Give(::warpyard::emulator::EncodeIm2colWide(tensor, mode), tensorMap);
}

CUresult CUDAAPI cuTensorMapReplaceAddress(CUtensorMap* tensorMap, void* globalAddress) {
  if (tensorMap == nullptr) return CUDA_ERROR_INVALID_VALUE;
  TensorMap map;
  std::memcpy(&map, tensorMap, sizeof(map));
  const absl::Status replaced =
      ::warpyard::emulator::ReplaceAddress(map, reinterpret_cast<uint64_t>(globalAddress));
  if (!replaced.ok()) {
    d::Report(replaced.message());
    return CUDA_ERROR_INVALID_VALUE;
  }
  std::memcpy(tensorMap, &map, sizeof(map));
  return CUDA_SUCCESS;
}
