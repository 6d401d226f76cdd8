// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Devices, contexts, modules, launches and errors of the emulated driver.

#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "cc/emulator/driver/testing/driver_under_test.h"

namespace warpyard::emulator::driver {
namespace {

TEST_F(DriverTest, Devices) {
  int count = 0;
  EXPECT_CU(CU(cuDeviceGetCount)(&count));
  EXPECT_EQ(count, 2);
  char name[64];
  EXPECT_CU(CU(cuDeviceGetName)(name, sizeof(name), 1));
  EXPECT_STREQ(name, "NVIDIA H100 SXM5 80GB");
  char brief[4];
  EXPECT_CU(CU(cuDeviceGetName)(brief, sizeof(brief), 1));
  EXPECT_STREQ(brief, "NVI");
  size_t bytes = 0;
  EXPECT_CU(CU(cuDeviceTotalMem_v2)(&bytes, 0));
  EXPECT_EQ(bytes, size_t{80} << 30);
  CUdevice device;
  EXPECT_EQ(CU(cuDeviceGet)(&device, 2), CUDA_ERROR_INVALID_DEVICE);
  EXPECT_EQ(CU(cuDeviceGet)(&device, -1), CUDA_ERROR_INVALID_DEVICE);
  EXPECT_CU(CU(cuDeviceGetByPCIBusId)(&device, "0000:02:00.0"));
  EXPECT_EQ(device, 1);
  CUuuid first, second;
  EXPECT_CU(CU(cuDeviceGetUuid_v2)(&first, 0));
  EXPECT_CU(CU(cuDeviceGetUuid_v2)(&second, 1));
  EXPECT_NE(std::memcmp(&first, &second, sizeof(first)), 0);
}

TEST_F(DriverTest, EveryAttributeHasAValue) {
  for (int attribute = 1; attribute < CU_DEVICE_ATTRIBUTE_MAX; ++attribute) {
    int value = -77;
    EXPECT_CU(CU(cuDeviceGetAttribute)(&value, static_cast<CUdevice_attribute>(attribute), 0));
    EXPECT_NE(value, -77) << attribute;
  }
  int value;
  EXPECT_EQ(CU(cuDeviceGetAttribute)(&value, CU_DEVICE_ATTRIBUTE_MAX, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_CU(CU(cuDeviceGetAttribute)(&value, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
  EXPECT_EQ(value, 132);
  EXPECT_CU(
      CU(cuDeviceGetAttribute)(&value, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 0));
  EXPECT_EQ(value, 232448);
}

TEST_F(DriverTest, FunctionsByNameAndVersion) {
  const auto find = [](const char* name, int version, cuuint64_t flags = 0) {
    void* function = nullptr;
    CUdriverProcAddressQueryResult status;
    EXPECT_CU(CU(cuGetProcAddress_v2)(name, &function, version, flags, &status)) << name;
    EXPECT_EQ(function != nullptr, status == CU_GET_PROC_ADDRESS_SUCCESS);
    return function;
  };
  EXPECT_EQ(find("cuMemAlloc", 13000), Symbol("cuMemAlloc_v2"));
  EXPECT_EQ(find("cuMemAlloc", 3000), Symbol("cuMemAlloc"));
  EXPECT_EQ(find("cuMemAlloc_v2", 13000), Symbol("cuMemAlloc_v2"));
  EXPECT_EQ(find("cuCtxCreate", 12000), Symbol("cuCtxCreate_v3"));
  EXPECT_EQ(find("cuCtxCreate", 13000), Symbol("cuCtxCreate_v4"));
  EXPECT_EQ(find("cuLaunchKernel", 13000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM),
            Symbol("cuLaunchKernel_ptsz"));
  EXPECT_EQ(find("cuMemcpyHtoD", 13000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM),
            Symbol("cuMemcpyHtoD_v2_ptds"));
  EXPECT_EQ(find("cuStreamBeginCapture", 13000), Symbol("cuStreamBeginCapture_v2"));
  void* function = &function;
  CUdriverProcAddressQueryResult status;
  EXPECT_CU(CU(cuGetProcAddress_v2)("cuMemAlloc", &function, 1000, 0, &status));
  EXPECT_EQ(status, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
  EXPECT_EQ(function, nullptr);
  EXPECT_CU(CU(cuGetProcAddress_v2)("cuNothing", &function, 13000, 0, &status));
  EXPECT_EQ(status, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
}

TEST_F(DriverTest, WhatIsMissingSaysSo) {
  testing::internal::CaptureStderr();
  CUtexObject texture;
  EXPECT_EQ(CU(cuTexObjectCreate)(&texture, nullptr, nullptr, nullptr), CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(CU(cuTexObjectCreate)(&texture, nullptr, nullptr, nullptr), CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "warpyard: cuTexObjectCreate is not supported by the emulated driver\n");
}

TEST_F(DriverTest, ErrorNames) {
  const char* text = nullptr;
  EXPECT_CU(CU(cuGetErrorName)(CUDA_ERROR_ILLEGAL_ADDRESS, &text));
  EXPECT_STREQ(text, "CUDA_ERROR_ILLEGAL_ADDRESS");
  EXPECT_CU(CU(cuGetErrorString)(CUDA_ERROR_OUT_OF_MEMORY, &text));
  EXPECT_STREQ(text, "out of memory");
  EXPECT_EQ(CU(cuGetErrorName)(static_cast<CUresult>(12345), &text), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(text, nullptr);
}

TEST_F(DriverTest, Saxpy) {
  constexpr unsigned kCount = 1000;
  std::vector<float> x(kCount), y(kCount);
  for (unsigned i = 0; i < kCount; ++i) x[i] = static_cast<float>(i), y[i] = 1;
  CUdeviceptr dx = Allocate(4 * kCount), dy = Allocate(4 * kCount);
  ASSERT_CU(CU(cuMemcpyHtoD_v2)(dx, x.data(), 4 * kCount));
  ASSERT_CU(CU(cuMemcpyHtoD_v2)(dy, y.data(), 4 * kCount));
  unsigned n = kCount;
  float a = 2;
  ASSERT_CU(Launch(Kernel("saxpy"), 4, 256, nullptr, {&n, &a, &dx, &dy}));
  ASSERT_CU(CU(cuMemcpyDtoH_v2)(y.data(), dy, 4 * kCount));
  for (unsigned i = 0; i < kCount; ++i) ASSERT_EQ(y[i], 2.0f * static_cast<float>(i) + 1) << i;

  // The same with arguments in one buffer.
  struct {
    unsigned n;
    float a;
    CUdeviceptr x, y;
  } buffer = {kCount, -2, dx, dy};
  size_t size = sizeof(buffer);
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   CU_LAUNCH_PARAM_END};
  ASSERT_CU(CU(cuLaunchKernel)(Kernel("saxpy"), 4, 1, 1, 256, 1, 1, 0, nullptr, nullptr, extra));
  ASSERT_CU(CU(cuMemcpyDtoH_v2)(y.data(), dy, 4 * kCount));
  for (unsigned i = 0; i < kCount; ++i) ASSERT_EQ(y[i], 1) << i;
}

TEST_F(DriverTest, LaunchesThatCannotBe) {
  CUdeviceptr x = Allocate(4);
  const CUfunction add_one = Kernel("add_one");
  EXPECT_EQ(Launch(add_one, 1, 1025, nullptr, {&x}), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(Launch(add_one, 0, 1, nullptr, {&x}), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuLaunchKernel)(add_one, 1, 65536, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr),
            CUDA_ERROR_INVALID_VALUE);
  void* arguments[] = {&x};
  EXPECT_EQ(CU(cuLaunchKernel)(add_one, 1, 1, 1, 1, 1, 1, 60000, nullptr, arguments, nullptr),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_CU(
      CU(cuFuncSetAttribute)(add_one, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100000));
  EXPECT_CU(CU(cuLaunchKernel)(add_one, 1, 1, 1, 1, 1, 1, 60000, nullptr, arguments, nullptr));
  EXPECT_EQ(
      CU(cuFuncSetAttribute)(add_one, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 300000),
      CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(Launch(reinterpret_cast<CUfunction>(uintptr_t{0xdeadbeef}), 1, 1, nullptr, {&x}),
            CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(Launch(add_one, 1, 1, reinterpret_cast<CUstream>(uintptr_t{0xdeadbeef}), {&x}),
            CUDA_ERROR_INVALID_HANDLE);
  EXPECT_CU(CU(cuCtxSynchronize)());
}

TEST_F(DriverTest, AFaultSticks) {
  testing::internal::CaptureStderr();
  ASSERT_CU(Launch(Kernel("wild"), 1, 1, nullptr, {}));
  EXPECT_EQ(CU(cuCtxSynchronize)(), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("wild: out-of-bounds write of 4 bytes"),
            std::string::npos);
  CUdeviceptr address;
  EXPECT_EQ(CU(cuMemAlloc_v2)(&address, 4), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(CU(cuCtxSynchronize)(), CUDA_ERROR_ILLEGAL_ADDRESS);
  // Until the context is reset.
  module_ = nullptr;
  EXPECT_CU(CU(cuDevicePrimaryCtxReset_v2)(device_));
  EXPECT_CU(CU(cuMemAlloc_v2)(&address, 4));
  EXPECT_CU(Launch(Kernel("add_one"), 1, 1, nullptr, {&address}));
  EXPECT_CU(CU(cuCtxSynchronize)());
}

TEST_F(DriverTest, ModulesAndLibraries) {
  CUmodule module;
  EXPECT_EQ(CU(cuModuleLoadData)(&module, "this is no PTX"), CUDA_ERROR_INVALID_IMAGE);
  EXPECT_EQ(CU(cuModuleLoadData)(&module, ".version 8.0\n.target sm_80\n.entry x( {"),
            CUDA_ERROR_INVALID_PTX);
  EXPECT_EQ(CU(cuModuleLoadData)(&module, ".version 8.8\n.target sm_120\n.address_size 64\n"),
            CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(CU(cuModuleLoad)(&module, "no such file"), CUDA_ERROR_FILE_NOT_FOUND);
  ASSERT_CU(CU(cuModuleLoadData)(&module, kPtx));
  CUfunction function;
  EXPECT_EQ(CU(cuModuleGetFunction)(&function, module, "absent"), CUDA_ERROR_NOT_FOUND);
  CUdeviceptr counter;
  size_t bytes;
  ASSERT_CU(CU(cuModuleGetGlobal_v2)(&counter, &bytes, module, "counter"));
  EXPECT_EQ(bytes, 4);
  EXPECT_EQ(Word(counter), 7);
  unsigned count;
  EXPECT_CU(CU(cuModuleGetFunctionCount)(&count, module));
  EXPECT_EQ(count, 4);
  EXPECT_CU(CU(cuModuleUnload)(module));
  EXPECT_EQ(CU(cuModuleUnload)(module), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(CU(cuMemcpyDtoH_v2)(&count, counter, 4), CUDA_ERROR_INVALID_VALUE);

  CUlibrary library;
  ASSERT_CU(CU(cuLibraryLoadData)(&library, kPtx, nullptr, nullptr, 0, nullptr, nullptr, 0));
  CUkernel kernel;
  ASSERT_CU(CU(cuLibraryGetKernel)(&kernel, library, "add_one"));
  ASSERT_CU(CU(cuLibraryGetGlobal)(&counter, &bytes, library, "counter"));
  // A CUkernel is launched as it is, or as the function of the context.
  ASSERT_CU(Launch(reinterpret_cast<CUfunction>(kernel), 1, 1, nullptr, {&counter}));
  ASSERT_CU(CU(cuKernelGetFunction)(&function, kernel));
  ASSERT_CU(Launch(function, 1, 1, nullptr, {&counter}));
  EXPECT_EQ(Word(counter), 9);
  size_t offset;
  ASSERT_CU(CU(cuKernelGetParamInfo)(kernel, 0, &offset, &bytes));
  EXPECT_EQ(offset, 0);
  EXPECT_EQ(bytes, 8);
  EXPECT_EQ(CU(cuKernelGetParamInfo)(kernel, 1, &offset, &bytes), CUDA_ERROR_INVALID_VALUE);
  EXPECT_CU(CU(cuLibraryUnload)(library));
  EXPECT_EQ(Launch(function, 1, 1, nullptr, {&counter}), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(DriverTest, Linker) {
  const char* const first =
      ".version 8.0\n.target sm_80\n.address_size 64\n"
      ".extern .func (.param .b32 r) twice(.param .b32 x);\n"
      ".visible .entry run(.param .u64 p)\n{ .reg .b32 %r<3>; .reg .b64 %d; \n"
      "ld.param.u64 %d, [p]; ld.global.u32 %r0, [%d];\n"
      "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r0; call (b), twice, (a);\n"
      "ld.param.b32 %r1, [b]; }\nst.global.u32 [%d], %r1; ret; }\n";
  const char* const second =
      ".version 8.1\n.target sm_80\n.address_size 64\n"
      ".visible .func (.param .b32 r) twice(.param .b32 x)\n{ .reg .b32 %r<2>;\n"
      "ld.param.b32 %r0, [x]; add.u32 %r1, %r0, %r0; st.param.b32 [r], %r1; ret; }\n";
  CUlinkState link;
  ASSERT_CU(CU(cuLinkCreate_v2)(0, nullptr, nullptr, &link));
  for (const char* const text : {first, second}) {
    ASSERT_CU(CU(cuLinkAddData_v2)(link, CU_JIT_INPUT_PTX, const_cast<char*>(text),
                                   std::strlen(text) + 1, "part", 0, nullptr, nullptr));
  }
  void* image;
  size_t bytes;
  ASSERT_CU(CU(cuLinkComplete)(link, &image, &bytes));
  EXPECT_GT(bytes, std::strlen(first) + std::strlen(second));
  ASSERT_CU(CU(cuModuleLoadData)(&module_, image));
  EXPECT_CU(CU(cuLinkDestroy)(link));
  CUdeviceptr x = Allocate(4);
  ASSERT_CU(CU(cuMemsetD32_v2)(x, 21, 1));
  ASSERT_CU(Launch(Kernel("run"), 1, 1, nullptr, {&x}));
  EXPECT_EQ(Word(x), 42);
}

TEST_F(DriverTest, ContextsAreAStack) {
  CUcontext current = nullptr;
  CUcontext other;
  ASSERT_CU(CU(cuCtxCreate_v4)(&other, nullptr, 0, 1));
  EXPECT_CU(CU(cuCtxGetCurrent)(&current));
  EXPECT_EQ(current, other);
  CUdevice device;
  EXPECT_CU(CU(cuCtxGetDevice)(&device));
  EXPECT_EQ(device, 1);
  CUdeviceptr there = Allocate(16);
  EXPECT_CU(CU(cuCtxPopCurrent_v2)(&current));
  EXPECT_EQ(current, other);
  EXPECT_CU(CU(cuCtxGetCurrent)(&current));
  EXPECT_EQ(current, context_);
  EXPECT_CU(CU(cuMemsetD8_v2)(there, 1, 16));
  std::thread([] {
    CUcontext none = reinterpret_cast<CUcontext>(1);
    EXPECT_CU(CU(cuCtxGetCurrent)(&none));
    EXPECT_EQ(none, nullptr);
    EXPECT_EQ(CU(cuCtxSynchronize)(), CUDA_ERROR_INVALID_CONTEXT);
  }).join();
  EXPECT_CU(CU(cuCtxDestroy_v2)(other));
  EXPECT_EQ(CU(cuCtxDestroy_v2)(other), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(CU(cuCtxPushCurrent_v2)(other), CUDA_ERROR_INVALID_CONTEXT);
  // What it allocated went with it.
  EXPECT_EQ(CU(cuMemsetD8_v2)(there, 1, 16), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuCtxDestroy_v2)(context_), CUDA_ERROR_INVALID_CONTEXT);
}

TEST_F(DriverTest, PeersNeedPermission) {
  CUcontext other;
  ASSERT_CU(CU(cuCtxCreate_v4)(&other, nullptr, 0, 1));
  CUdeviceptr there = Allocate(4);
  ASSERT_CU(CU(cuMemsetD32_v2)(there, 1, 1));
  ASSERT_CU(CU(cuCtxPopCurrent_v2)(&other));
  EXPECT_EQ(CU(cuCtxDisablePeerAccess)(other), CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
  ASSERT_CU(CU(cuCtxEnablePeerAccess)(other, 0));
  EXPECT_EQ(CU(cuCtxEnablePeerAccess)(other, 0), CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
  ASSERT_CU(Launch(Kernel("add_one"), 1, 1, nullptr, {&there}));
  EXPECT_EQ(Word(there), 2);
  ASSERT_CU(CU(cuCtxDisablePeerAccess)(other));
  testing::internal::CaptureStderr();
  ASSERT_CU(Launch(Kernel("add_one"), 1, 1, nullptr, {&there}));
  EXPECT_EQ(CU(cuCtxSynchronize)(), CUDA_ERROR_ILLEGAL_ADDRESS);
  testing::internal::GetCapturedStderr();
  EXPECT_CU(CU(cuCtxDestroy_v2)(other));
}

TEST_F(DriverTest, Occupancy) {
  int blocks;
  ASSERT_CU(CU(cuOccupancyMaxActiveBlocksPerMultiprocessor)(&blocks, Kernel("add_one"), 1024, 0));
  EXPECT_EQ(blocks, 2);
  int grid, block;
  ASSERT_CU(CU(cuOccupancyMaxPotentialBlockSize)(&grid, &block, Kernel("add_one"), nullptr, 0, 0));
  EXPECT_EQ(block, 1024);
  EXPECT_EQ(grid, 2 * 132);
}

TEST_F(DriverTest, AChildOfForkIsTold) {
  const pid_t child = fork();
  if (child == 0) {
    int count;
    _exit(CU(cuDeviceGetCount)(&count) == CUDA_ERROR_NOT_INITIALIZED &&
                  CU(cuInit)(0) == CUDA_ERROR_NOT_INITIALIZED
              ? 0
              : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace warpyard::emulator::driver
