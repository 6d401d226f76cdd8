// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Devices: count, names, attributes, identity, peers.

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <string>

#include "absl/strings/ascii.h"
#include "cc/emulator/driver/api.h"
#include "cc/emulator/driver/device.h"
#include "cc/emulator/driver/device_attributes.h"

namespace d = ::warpyard::emulator::driver;

namespace {

CUresult CopyText(const std::string& text, char* out, int length) {
  if (out == nullptr || length <= 0) return CUDA_ERROR_INVALID_VALUE;
  const size_t count = std::min(text.size(), static_cast<size_t>(length) - 1);
  std::memcpy(out, text.data(), count);
  out[count] = '\0';
  return CUDA_SUCCESS;
}

}  // namespace

CUresult CUDAAPI cuDeviceGetCount(int* count) {
  if (count == nullptr) return CUDA_ERROR_INVALID_VALUE;
  WARPYARD_CU_TRY(d::Driver::Get().CheckInitialized());
  *count = d::Driver::Get().device_count();
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDeviceGet(CUdevice* device, int ordinal) {
  if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
  d::Device* found;
  WARPYARD_CU_TRY(d::GetDevice(ordinal, &found));
  *device = ordinal;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDeviceGetName(char* name, int len, CUdevice dev) {
  d::Device* device;
  WARPYARD_CU_TRY(d::GetDevice(dev, &device));
  return CopyText(device->posed.name(), name, len);
}

CUresult CUDAAPI cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice dev) {
  if (uuid == nullptr) return CUDA_ERROR_INVALID_VALUE;
  d::Device* device;
  WARPYARD_CU_TRY(d::GetDevice(dev, &device));
  std::memcpy(uuid->bytes, device->posed.uuid.data(), sizeof(uuid->bytes));
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDeviceGetUuid(CUuuid* uuid, CUdevice dev) {
  return cuDeviceGetUuid_v2(uuid, dev);
}

CUresult CUDAAPI cuDeviceTotalMem_v2(size_t* bytes, CUdevice dev) {
  if (bytes == nullptr) return CUDA_ERROR_INVALID_VALUE;
  d::Device* device;
  WARPYARD_CU_TRY(d::GetDevice(dev, &device));
  *bytes = device->budget.capacity();
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDeviceGetAttribute(int* pi, CUdevice_attribute attrib, CUdevice dev) {
  if (pi == nullptr) return CUDA_ERROR_INVALID_VALUE;
  d::Device* device;
  WARPYARD_CU_TRY(d::GetDevice(dev, &device));
  const std::optional<int> value = d::DeviceAttribute(device->posed, attrib);
  if (!value.has_value()) return CUDA_ERROR_INVALID_VALUE;
  *pi = *value;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDeviceComputeCapability(int* major, int* minor, CUdevice dev) {
  if (major == nullptr || minor == nullptr) return CUDA_ERROR_INVALID_VALUE;
  WARPYARD_CU_TRY(cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, dev));
  return cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, dev);
}

CUresult CUDAAPI cuDeviceGetProperties(CUdevprop* prop, CUdevice dev) {
  if (prop == nullptr) return CUDA_ERROR_INVALID_VALUE;
  d::Device* device;
  WARPYARD_CU_TRY(d::GetDevice(dev, &device));
  const auto get = [&](CUdevice_attribute attribute) {
    return d::DeviceAttribute(device->posed, attribute).value_or(0);
  };
  *prop = {};
  prop->maxThreadsPerBlock = get(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  prop->maxThreadsDim[0] = get(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X);
  prop->maxThreadsDim[1] = get(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y);
  prop->maxThreadsDim[2] = get(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z);
  prop->maxGridSize[0] = get(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X);
  prop->maxGridSize[1] = get(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y);
  prop->maxGridSize[2] = get(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z);
  prop->sharedMemPerBlock = get(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
  prop->totalConstantMemory = get(CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY);
  prop->SIMDWidth = get(CU_DEVICE_ATTRIBUTE_WARP_SIZE);
  prop->memPitch = get(CU_DEVICE_ATTRIBUTE_MAX_PITCH);
  prop->regsPerBlock = get(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK);
  prop->clockRate = get(CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
  prop->textureAlign = get(CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDeviceGetPCIBusId(char* pciBusId, int len, CUdevice dev) {
  d::Device* device;
  WARPYARD_CU_TRY(d::GetDevice(dev, &device));
  return CopyText(device->posed.PciBusId(), pciBusId, len);
}

CUresult CUDAAPI cuDeviceGetByPCIBusId(CUdevice* dev, const char* pciBusId) {
  if (dev == nullptr || pciBusId == nullptr) return CUDA_ERROR_INVALID_VALUE;
  WARPYARD_CU_TRY(d::Driver::Get().CheckInitialized());
  const std::string wanted = absl::AsciiStrToLower(pciBusId);
  for (const std::unique_ptr<d::Device>& device : d::Driver::Get().devices()) {
    const std::string id = device->posed.PciBusId();
    // The domain and the function may be left out.
    if (wanted == id || wanted == id.substr(5) || wanted == id.substr(5, 5) ||
        wanted == id.substr(0, 10)) {
      *dev = device->ordinal();
      return CUDA_SUCCESS;
    }
  }
  return CUDA_ERROR_INVALID_DEVICE;
}

CUresult CUDAAPI cuDeviceGetLuid(char* luid, unsigned int* deviceNodeMask, CUdevice dev) {
  // Only Windows has them.
  return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult CUDAAPI cuDeviceGetExecAffinitySupport(int* pi, CUexecAffinityType type, CUdevice dev) {
  if (pi == nullptr) return CUDA_ERROR_INVALID_VALUE;
  d::Device* device;
  WARPYARD_CU_TRY(d::GetDevice(dev, &device));
  *pi = 0;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDeviceGetTexture1DLinearMaxWidth(size_t* maxWidthInElements,
                                                    CUarray_format format, unsigned numChannels,
                                                    CUdevice dev) {
  if (maxWidthInElements == nullptr) return CUDA_ERROR_INVALID_VALUE;
  d::Device* device;
  WARPYARD_CU_TRY(d::GetDevice(dev, &device));
  *maxWidthInElements = size_t{1} << 28;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDeviceCanAccessPeer(int* canAccessPeer, CUdevice dev, CUdevice peerDev) {
  if (canAccessPeer == nullptr) return CUDA_ERROR_INVALID_VALUE;
  d::Device* device;
  WARPYARD_CU_TRY(d::GetDevice(dev, &device));
  d::Device* peer;
  WARPYARD_CU_TRY(d::GetDevice(peerDev, &peer));
  *canAccessPeer = device != peer ? 1 : 0;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDeviceGetP2PAttribute(int* value, CUdevice_P2PAttribute attrib,
                                         CUdevice srcDevice, CUdevice dstDevice) {
  if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  d::Device* source;
  WARPYARD_CU_TRY(d::GetDevice(srcDevice, &source));
  d::Device* destination;
  WARPYARD_CU_TRY(d::GetDevice(dstDevice, &destination));
  if (source == destination) return CUDA_ERROR_INVALID_DEVICE;
  switch (attrib) {
    case CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK:
      *value = 0;
      return CUDA_SUCCESS;
    case CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED:
    case CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED:
      *value = 1;
      return CUDA_SUCCESS;
    case CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED:
      *value = 0;
      return CUDA_SUCCESS;
    default:
      *value = 0;
      return CUDA_ERROR_INVALID_VALUE;
  }
}
