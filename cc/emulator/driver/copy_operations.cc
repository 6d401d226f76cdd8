// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/driver/copy_operations.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "cc/emulator/driver/memory.h"

namespace warpyard::emulator::driver {
namespace {

// One side of a copy.
struct Side {
  std::byte* first;  // of the box
  size_t pitch;      // bytes from row to row
  size_t slice;      // bytes from plane to plane
  bool device;       // must be memory that the driver knows
};

bool Sum(size_t a, size_t b, size_t* sum) { return !__builtin_add_overflow(a, b, sum); }
bool Product(size_t a, size_t b, size_t* product) { return !__builtin_mul_overflow(a, b, product); }

CUresult MakeSide(CUmemorytype type, const void* host, CUdeviceptr device, size_t x, size_t y,
                  size_t z, size_t pitch, size_t height, const CUDA_MEMCPY3D& params, Side* side) {
  if (params.Height > 1 && pitch != 0 && pitch < params.WidthInBytes) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (params.Depth > 1 && height != 0 && height < params.Height) return CUDA_ERROR_INVALID_VALUE;
  side->pitch = pitch != 0 ? pitch : params.WidthInBytes;
  const size_t rows = height != 0 ? height : params.Height;
  size_t skipped_rows;
  size_t skipped;
  size_t unused;
  if (!Product(side->pitch, rows, &side->slice) || !Product(side->slice, z, &skipped) ||
      !Product(side->pitch, y, &skipped_rows) || !Sum(skipped, skipped_rows, &skipped) ||
      !Sum(skipped, x, &skipped)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (params.Depth > 0 && !Product(side->slice, params.Depth, &unused)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  uint64_t base;
  switch (type) {
    case CU_MEMORYTYPE_HOST:
      base = reinterpret_cast<uint64_t>(host);
      side->device = false;
      break;
    case CU_MEMORYTYPE_DEVICE:
      base = device;
      side->device = true;
      break;
    case CU_MEMORYTYPE_UNIFIED:
      base = device;
      side->device = false;
      break;
    case CU_MEMORYTYPE_ARRAY:
      return NotSupported("a copy from or to a CUDA array");
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
  if (base == 0) return CUDA_ERROR_INVALID_VALUE;
  side->first = reinterpret_cast<std::byte*>(base + skipped);
  return CUDA_SUCCESS;
}

CUresult MakeSides(const CUDA_MEMCPY3D& params, Side* source, Side* destination) {
  WARPYARD_CU_TRY(MakeSide(params.srcMemoryType, params.srcHost, params.srcDevice,
                           params.srcXInBytes, params.srcY, params.srcZ, params.srcPitch,
                           params.srcHeight, params, source));
  return MakeSide(params.dstMemoryType, params.dstHost, params.dstDevice, params.dstXInBytes,
                  params.dstY, params.dstZ, params.dstPitch, params.dstHeight, params, destination);
}

CUresult CheckSide(const Side& side, const CUDA_MEMCPY3D& params) {
  const uint64_t first = reinterpret_cast<uint64_t>(side.first);
  const uint64_t bytes =
      side.slice * (params.Depth - 1) + side.pitch * (params.Height - 1) + params.WidthInBytes;
  if (side.device) return CheckDeviceRange(first, bytes);
  // Unified: what begins in known memory must stay there.
  if (MemoryTable::Get().Find(first) != nullptr) return CheckDeviceRange(first, bytes);
  return CUDA_SUCCESS;
}

template <typename T>
void Fill(void* row, size_t count, T value) {
  std::fill_n(static_cast<T*>(row), count, value);
}

}  // namespace

CUDA_MEMCPY3D LinearCopy(CUdeviceptr destination, CUdeviceptr source, size_t bytes) {
  CUDA_MEMCPY3D params{};
  params.srcMemoryType = CU_MEMORYTYPE_UNIFIED;
  params.srcDevice = source;
  params.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
  params.dstDevice = destination;
  params.WidthInBytes = bytes;
  params.Height = 1;
  params.Depth = 1;
  return params;
}

CUresult CheckCopy(const CUDA_MEMCPY3D& params) {
  if (params.WidthInBytes == 0 || params.Height == 0 || params.Depth == 0) return CUDA_SUCCESS;
  Side source;
  Side destination;
  WARPYARD_CU_TRY(MakeSides(params, &source, &destination));
  WARPYARD_CU_TRY(CheckSide(source, params));
  return CheckSide(destination, params);
}

CUresult Copy::Execute(Context& context) const {
  if (params.WidthInBytes == 0 || params.Height == 0 || params.Depth == 0) return CUDA_SUCCESS;
  Side source;
  Side destination;
  WARPYARD_CU_TRY(MakeSides(params, &source, &destination));
  // Memory may have been freed since the copy was enqueued.
  if (CheckSide(source, params) != CUDA_SUCCESS || CheckSide(destination, params) != CUDA_SUCCESS) {
    Report("a copy uses device memory that was freed before it ran");
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  }
  for (size_t z = 0; z < params.Depth; ++z) {
    for (size_t y = 0; y < params.Height; ++y) {
      std::memmove(destination.first + z * destination.slice + y * destination.pitch,
                   source.first + z * source.slice + y * source.pitch, params.WidthInBytes);
    }
  }
  return CUDA_SUCCESS;
}

CUresult CheckSet(const CUDA_MEMSET_NODE_PARAMS_v2& params) {
  const size_t size = params.elementSize;
  if (size != 1 && size != 2 && size != 4) return CUDA_ERROR_INVALID_VALUE;
  if (params.width == 0 || params.height == 0) return CUDA_SUCCESS;
  size_t row;
  if (!Product(params.width, size, &row)) return CUDA_ERROR_INVALID_VALUE;
  if (params.dst % size != 0) return CUDA_ERROR_INVALID_VALUE;
  size_t bytes = row;
  if (params.height > 1) {
    if (params.pitch % size != 0 || params.pitch < row) return CUDA_ERROR_INVALID_VALUE;
    if (!Product(params.pitch, params.height - 1, &bytes) || !Sum(bytes, row, &bytes)) {
      return CUDA_ERROR_INVALID_VALUE;
    }
  }
  return CheckDeviceRange(params.dst, bytes);
}

CUresult Set::Execute(Context& context) const {
  if (CheckSet(params) != CUDA_SUCCESS) {
    Report("a set uses device memory that was freed before it ran");
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  }
  for (size_t y = 0; y < params.height; ++y) {
    void* const row = HostPointer(params.dst + y * params.pitch);
    switch (params.elementSize) {
      case 1:
        std::memset(row, static_cast<int>(params.value & 0xff), params.width);
        break;
      case 2:
        Fill<uint16_t>(row, params.width, static_cast<uint16_t>(params.value));
        break;
      default:
        Fill<uint32_t>(row, params.width, params.value);
        break;
    }
  }
  return CUDA_SUCCESS;
}

}  // namespace warpyard::emulator::driver
