// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The emulated driver as a client sees it: opened at run time, functions by name.

#ifndef WARPYARD_CC_EMULATOR_DRIVER_TESTING_DRIVER_UNDER_TEST_H_
#define WARPYARD_CC_EMULATOR_DRIVER_TESTING_DRIVER_UNDER_TEST_H_

#ifndef __CUDA_API_VERSION_INTERNAL
#define __CUDA_API_VERSION_INTERNAL
#endif
#include <cuda.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace warpyard::emulator::driver {

inline void* Symbol(const char* name) {
  static void* const library = [] {
    const char* const path = std::getenv("WARPYARD_CUDA_DRIVER");
    void* const opened = dlopen(path == nullptr ? "" : path, RTLD_NOW | RTLD_LOCAL);
    if (path == nullptr || opened == nullptr) {
      std::fprintf(stderr, "WARPYARD_CUDA_DRIVER: %s\n", path == nullptr ? "unset" : dlerror());
      std::abort();
    }
    return opened;
  }();
  return dlsym(library, name);
}

// Calls a function of the library under test: CU(cuInit)(0).
#define CU(function) \
  (reinterpret_cast<decltype(&function)>(::warpyard::emulator::driver::Symbol(#function)))

#define EXPECT_CU(call) EXPECT_EQ(call, CUDA_SUCCESS)
#define ASSERT_CU(call) ASSERT_EQ(call, CUDA_SUCCESS)

// y[i] = a * x[i] + y[i], and kernels that go wrong or take long.
inline constexpr char kPtx[] = R"(.version 8.0
.target sm_80
.address_size 64
.visible .global .align 4 .u32 counter = 7;
.visible .entry saxpy(.param .u32 n, .param .f32 a, .param .u64 x, .param .u64 y)
{
  .reg .pred %p; .reg .b32 %r<6>; .reg .f32 %f<4>; .reg .b64 %rd<6>;
  ld.param.u32 %r0, [n]; ld.param.f32 %f0, [a]; ld.param.u64 %rd0, [x]; ld.param.u64 %rd1, [y];
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  setp.ge.u32 %p, %r4, %r0;
  @%p bra done;
  mul.wide.u32 %rd2, %r4, 4; add.u64 %rd3, %rd0, %rd2; add.u64 %rd4, %rd1, %rd2;
  ld.global.f32 %f1, [%rd3]; ld.global.f32 %f2, [%rd4];
  fma.rn.f32 %f3, %f0, %f1, %f2;
  st.global.f32 [%rd4], %f3;
done:
  ret;
}
.visible .entry add_one(.param .u64 x)
{
  .reg .b32 %r<2>; .reg .b64 %rd<2>;
  ld.param.u64 %rd0, [x]; ld.global.u32 %r0, [%rd0]; add.u32 %r1, %r0, 1;
  st.global.u32 [%rd0], %r1;
  ret;
}
.visible .entry wild()
{
  .reg .b64 %rd<2>; .reg .b32 %r<2>;
  mov.u64 %rd0, 4096; mov.u32 %r0, 1; st.global.u32 [%rd0], %r0;
  ret;
}
.visible .entry forever(.param .u64 x)
{
  .reg .pred %p; .reg .b32 %r<2>; .reg .b64 %rd<2>;
  ld.param.u64 %rd0, [x];
again:
  ld.volatile.global.u32 %r0, [%rd0]; setp.eq.u32 %p, %r0, 0;
  @%p bra again;
  ret;
}
)";

// A test with the primary context of device 0 current, which is reset before and
// after, so that an error of one test is not another's.
class DriverTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_CU(CU(cuInit)(0));
    ASSERT_CU(CU(cuDeviceGet)(&device_, 0));
    ASSERT_CU(CU(cuDevicePrimaryCtxRetain)(&context_, device_));
    ASSERT_CU(CU(cuCtxSetCurrent)(context_));
  }
  void TearDown() override {
    CU(cuCtxSetCurrent)(nullptr);
    EXPECT_CU(CU(cuDevicePrimaryCtxReset_v2)(device_));
    EXPECT_CU(CU(cuDevicePrimaryCtxRelease_v2)(device_));
  }

  CUfunction Kernel(const char* name) {
    if (module_ == nullptr) {
      EXPECT_CU(CU(cuModuleLoadData)(&module_, kPtx));
    }
    CUfunction function = nullptr;
    EXPECT_CU(CU(cuModuleGetFunction)(&function, module_, name));
    return function;
  }
  CUresult Launch(CUfunction function, unsigned grid, unsigned block, CUstream stream,
                  std::vector<void*> arguments) {
    return CU(cuLaunchKernel)(function, grid, 1, 1, block, 1, 1, 0, stream, arguments.data(),
                              nullptr);
  }
  CUdeviceptr Allocate(size_t bytes) {
    CUdeviceptr address = 0;
    EXPECT_CU(CU(cuMemAlloc_v2)(&address, bytes));
    return address;
  }
  uint32_t Word(CUdeviceptr address) {
    uint32_t word = 0;
    EXPECT_CU(CU(cuMemcpyDtoH_v2)(&word, address, sizeof(word)));
    return word;
  }

  CUdevice device_ = 0;
  CUcontext context_ = nullptr;
  CUmodule module_ = nullptr;
};

}  // namespace warpyard::emulator::driver

#endif  // WARPYARD_CC_EMULATOR_DRIVER_TESTING_DRIVER_UNDER_TEST_H_
