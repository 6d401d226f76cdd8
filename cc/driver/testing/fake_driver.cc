// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// A CUDA driver for tests of what calls one: memory of the host, work that is
// done at once, and faults to order. Device 0 and 1 are alike.
//
//   WARPYARD_FAKE_DEVICES   how many devices there are; 1 by default
//   WARPYARD_FAKE_VERSION   what cuDriverGetVersion says; 13000 by default
//
// Every image is a module with the kernels
//   add_one(float* data, int count)    adds 1 to each
//   fault()                            CUDA_ERROR_ILLEGAL_ADDRESS, for ever
// but for "broken", which is no image. It has a variable "table" of 16 bytes.

#include <cuda.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

constexpr uint64_t kMemory = uint64_t{1} << 30;
constexpr CUdevice kFirstDevice = 7;  // a CUdevice is no ordinal

int sticky = 0;
int pushed = 0;
uint64_t used = 0;
char variable[16];
int kernel_add_one;
int kernel_fault;
int capturing = 0;
int captured = 0;

int FromEnvironment(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::atoi(text) : otherwise;
}

CUresult Sticky() { return static_cast<CUresult>(sticky); }

}  // namespace

EXPORT CUresult cuInit(unsigned int) {
  return FromEnvironment("WARPYARD_FAKE_DEVICES", 1) > 0 ? CUDA_SUCCESS : CUDA_ERROR_NO_DEVICE;
}
EXPORT CUresult cuDriverGetVersion(int* version) {
  *version = FromEnvironment("WARPYARD_FAKE_VERSION", 13000);
  return CUDA_SUCCESS;
}
EXPORT CUresult cuGetErrorName(CUresult error, const char** name) {
  if (error == CUDA_ERROR_ILLEGAL_ADDRESS) {
    *name = "CUDA_ERROR_ILLEGAL_ADDRESS";
  } else if (error == CUDA_ERROR_OUT_OF_MEMORY) {
    *name = "CUDA_ERROR_OUT_OF_MEMORY";
  } else {
    return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}
EXPORT CUresult cuGetErrorString(CUresult error, const char** text) {
  if (error == CUDA_ERROR_ILLEGAL_ADDRESS) {
    *text = "an illegal memory access was encountered";
  } else if (error == CUDA_ERROR_OUT_OF_MEMORY) {
    *text = "out of memory";
  } else {
    return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceGetCount(int* count) {
  *count = FromEnvironment("WARPYARD_FAKE_DEVICES", 1);
  return CUDA_SUCCESS;
}
EXPORT CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  *device = kFirstDevice + ordinal;
  return CUDA_SUCCESS;
}
EXPORT CUresult cuDeviceGetName(char* name, int size, CUdevice) {
  std::snprintf(name, size, "Fake GPU");
  return CUDA_SUCCESS;
}
EXPORT CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice) {
  *value = attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR   ? 9
           : attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR ? 0
           : attribute == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT     ? 132
                                                                       : 1;
  return CUDA_SUCCESS;
}
EXPORT CUresult cuDeviceTotalMem(size_t* bytes, CUdevice) {
  *bytes = kMemory;
  return CUDA_SUCCESS;
}
EXPORT CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice) {
  for (int i = 0; i < 16; ++i) uuid->bytes[i] = static_cast<char>(i * 17);
  return CUDA_SUCCESS;
}
EXPORT CUresult cuDeviceCanAccessPeer(int* can, CUdevice from, CUdevice to) {
  *can = from != to;
  return CUDA_SUCCESS;
}
EXPORT CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  *context = reinterpret_cast<CUcontext>(static_cast<uintptr_t>(device));
  return CUDA_SUCCESS;
}
EXPORT CUresult cuDevicePrimaryCtxRelease(CUdevice) { return CUDA_SUCCESS; }
EXPORT CUresult cuCtxPushCurrent(CUcontext) {
  ++pushed;
  return CUDA_SUCCESS;
}
EXPORT CUresult cuCtxPopCurrent(CUcontext* context) {
  if (--pushed < 0) std::abort();
  *context = nullptr;
  return CUDA_SUCCESS;
}
EXPORT CUresult cuCtxSynchronize() { return Sticky(); }
EXPORT CUresult cuCtxEnablePeerAccess(CUcontext, unsigned int) {
  return CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
}

EXPORT CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned int count,
                                   CUjit_option* options, void** values) {
  if (std::strcmp(static_cast<const char*>(image), "broken") == 0) {
    for (unsigned int i = 0; i < count; ++i) {
      if (options[i] == CU_JIT_ERROR_LOG_BUFFER) {
        std::strcpy(static_cast<char*>(values[i]), "line 1: that is no PTX");
      }
    }
    return CUDA_ERROR_INVALID_PTX;
  }
  *module = reinterpret_cast<CUmodule>(variable);
  return CUDA_SUCCESS;
}
EXPORT CUresult cuModuleUnload(CUmodule) { return CUDA_SUCCESS; }
EXPORT CUresult cuModuleGetFunction(CUfunction* function, CUmodule, const char* name) {
  if (std::strcmp(name, "add_one") == 0) {
    *function = reinterpret_cast<CUfunction>(&kernel_add_one);
  } else if (std::strcmp(name, "fault") == 0) {
    *function = reinterpret_cast<CUfunction>(&kernel_fault);
  } else {
    return CUDA_ERROR_NOT_FOUND;
  }
  return CUDA_SUCCESS;
}
EXPORT CUresult cuModuleGetFunctionCount(unsigned int* count, CUmodule) {
  *count = 2;
  return CUDA_SUCCESS;
}
EXPORT CUresult cuModuleEnumerateFunctions(CUfunction* functions, unsigned int count, CUmodule) {
  if (count != 2) return CUDA_ERROR_INVALID_VALUE;
  functions[0] = reinterpret_cast<CUfunction>(&kernel_fault);
  functions[1] = reinterpret_cast<CUfunction>(&kernel_add_one);
  return CUDA_SUCCESS;
}
EXPORT CUresult cuFuncGetName(const char** name, CUfunction function) {
  *name = reinterpret_cast<int*>(function) == &kernel_fault ? "fault" : "add_one";
  return CUDA_SUCCESS;
}
EXPORT CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t* offset,
                                   size_t* size) {
  if (reinterpret_cast<int*>(function) == &kernel_fault || index > 1) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  *offset = index * 8;
  *size = index == 0 ? 8 : 4;
  return CUDA_SUCCESS;
}
EXPORT CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction) {
  *value = attribute == CU_FUNC_ATTRIBUTE_NUM_REGS ? 12 : 0;
  return CUDA_SUCCESS;
}
EXPORT CUresult cuFuncSetAttribute(CUfunction, CUfunction_attribute, int value) {
  return value > 232448 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}
EXPORT CUresult cuModuleGetGlobal(CUdeviceptr* address, size_t* bytes, CUmodule, const char* name) {
  if (std::strcmp(name, "table") != 0) return CUDA_ERROR_NOT_FOUND;
  *address = reinterpret_cast<CUdeviceptr>(variable);
  *bytes = sizeof(variable);
  return CUDA_SUCCESS;
}
EXPORT CUresult cuLaunchKernel(CUfunction function, unsigned int, unsigned int, unsigned int,
                               unsigned int block, unsigned int, unsigned int, unsigned int,
                               CUstream, void** parameters, void**) {
  if (sticky != 0) return Sticky();
  if (block > 1024) return CUDA_ERROR_INVALID_VALUE;
  if (capturing != 0) {
    ++captured;
    return CUDA_SUCCESS;
  }
  if (reinterpret_cast<int*>(function) == &kernel_fault) {
    sticky = CUDA_ERROR_ILLEGAL_ADDRESS;
    return CUDA_SUCCESS;
  }
  float* data = *static_cast<float**>(parameters[0]);
  const int count = *static_cast<int*>(parameters[1]);
  for (int i = 0; i < count; ++i) data[i] += 1;
  return CUDA_SUCCESS;
}
EXPORT CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function,
                                 void** parameters, void** extra) {
  if (config->numAttrs == 0) return CUDA_ERROR_INVALID_VALUE;
  for (unsigned int i = 0; i < config->numAttrs; ++i) {
    const CUlaunchAttribute& attribute = config->attrs[i];
    if (attribute.id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION && attribute.value.clusterDim.x > 8) {
      return CUDA_ERROR_INVALID_CLUSTER_SIZE;
    }
  }
  return cuLaunchKernel(function, config->gridDimX, config->gridDimY, config->gridDimZ,
                        config->blockDimX, config->blockDimY, config->blockDimZ,
                        config->sharedMemBytes, config->hStream, parameters, extra);
}

EXPORT CUresult cuMemAlloc(CUdeviceptr* address, size_t bytes) {
  if (used + bytes > kMemory) return CUDA_ERROR_OUT_OF_MEMORY;
  auto* block = static_cast<uint64_t*>(std::malloc(bytes + 16));
  block[0] = bytes;
  used += bytes;
  *address = reinterpret_cast<CUdeviceptr>(block + 2);
  return CUDA_SUCCESS;
}
EXPORT CUresult cuMemFree(CUdeviceptr address) {
  auto* block = reinterpret_cast<uint64_t*>(address) - 2;
  used -= block[0];
  std::free(block);
  return CUDA_SUCCESS;
}
EXPORT CUresult cuMemGetInfo(size_t* free_bytes, size_t* total) {
  *free_bytes = kMemory - used;
  *total = kMemory;
  return CUDA_SUCCESS;
}
EXPORT CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, size_t bytes, CUstream) {
  std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  return Sticky();
}
EXPORT CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t bytes, CUstream) {
  std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
  return Sticky();
}
EXPORT CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream) {
  std::memmove(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes);
  return Sticky();
}
EXPORT CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                                  CUcontext from_context, size_t bytes, CUstream stream) {
  if (to_context == nullptr || from_context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  return cuMemcpyAsync(to, from, bytes, stream);
}
EXPORT CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t bytes, CUstream) {
  std::memset(reinterpret_cast<void*>(to), value, bytes);
  return Sticky();
}

EXPORT CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned int, int) {
  *stream = reinterpret_cast<CUstream>(&used);
  return CUDA_SUCCESS;
}
EXPORT CUresult cuStreamDestroy(CUstream) { return CUDA_SUCCESS; }
EXPORT CUresult cuStreamSynchronize(CUstream) { return Sticky(); }
EXPORT CUresult cuStreamQuery(CUstream) { return Sticky(); }
EXPORT CUresult cuStreamWaitEvent(CUstream, CUevent, unsigned int) { return CUDA_SUCCESS; }
EXPORT CUresult cuEventCreate(CUevent* event, unsigned int) {
  *event = reinterpret_cast<CUevent>(&pushed);
  return CUDA_SUCCESS;
}
EXPORT CUresult cuEventDestroy(CUevent) { return CUDA_SUCCESS; }
EXPORT CUresult cuEventRecord(CUevent, CUstream) { return CUDA_SUCCESS; }
EXPORT CUresult cuEventQuery(CUevent) { return CUDA_ERROR_NOT_READY; }
EXPORT CUresult cuEventSynchronize(CUevent) { return CUDA_SUCCESS; }
EXPORT CUresult cuEventElapsedTime(float* milliseconds, CUevent, CUevent) {
  *milliseconds = 1.5f;
  return CUDA_SUCCESS;
}

EXPORT CUresult cuStreamBeginCapture(CUstream, CUstreamCaptureMode) {
  capturing = 1;
  captured = 0;
  return CUDA_SUCCESS;
}
EXPORT CUresult cuStreamEndCapture(CUstream, CUgraph* graph) {
  if (capturing == 0) return CUDA_ERROR_ILLEGAL_STATE;
  capturing = 0;
  *graph = reinterpret_cast<CUgraph>(&captured);
  return CUDA_SUCCESS;
}
EXPORT CUresult cuGraphGetNodes(CUgraph, CUgraphNode*, size_t* count) {
  *count = captured;
  return CUDA_SUCCESS;
}
EXPORT CUresult cuGraphInstantiateWithFlags(CUgraphExec* exec, CUgraph, unsigned long long) {
  *exec = reinterpret_cast<CUgraphExec>(&captured);
  return CUDA_SUCCESS;
}
EXPORT CUresult cuGraphDestroy(CUgraph) { return CUDA_SUCCESS; }
EXPORT CUresult cuGraphExecDestroy(CUgraphExec) { return CUDA_SUCCESS; }
EXPORT CUresult cuGraphLaunch(CUgraphExec, CUstream) { return CUDA_SUCCESS; }
