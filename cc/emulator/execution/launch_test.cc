// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/execution/launch.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cc/emulator/testing/run_ptx.h"
#include "gtest/gtest.h"

namespace warpyard::emulator {
namespace {

// saxpy as NVRTC 13.5 writes it for sm_80.
constexpr char kSaxpy[] = R"(
.version 9.5
.target sm_80
.address_size 64
.visible .entry saxpy(
	.param .u32 saxpy_param_0,
	.param .f32 saxpy_param_1,
	.param .u64 saxpy_param_2,
	.param .u64 saxpy_param_3
)
{
	.reg .pred 	%p<2>;
	.reg .f32 	%f<5>;
	.reg .b32 	%r<6>;
	.reg .b64 	%rd<8>;
	ld.param.u32 	%r2, [saxpy_param_0];
	ld.param.f32 	%f1, [saxpy_param_1];
	ld.param.u64 	%rd1, [saxpy_param_2];
	ld.param.u64 	%rd2, [saxpy_param_3];
	mov.u32 	%r3, %ctaid.x;
	mov.u32 	%r4, %ntid.x;
	mov.u32 	%r5, %tid.x;
	mad.lo.s32 	%r1, %r3, %r4, %r5;
	setp.ge.s32 	%p1, %r1, %r2;
	@%p1 bra 	$L__BB0_2;
	cvta.to.global.u64 	%rd3, %rd1;
	mul.wide.s32 	%rd4, %r1, 4;
	add.s64 	%rd5, %rd3, %rd4;
	ld.global.nc.f32 	%f2, [%rd5];
	cvta.to.global.u64 	%rd6, %rd2;
	add.s64 	%rd7, %rd6, %rd4;
	ld.global.f32 	%f3, [%rd7];
	fma.rn.f32 	%f4, %f1, %f2, %f3;
	st.global.f32 	[%rd7], %f4;
$L__BB0_2:
	ret;
}
)";

TEST(Launch, RunsSaxpyOfManyBlocks) {
  TestModule module(kSaxpy);
  constexpr int kCount = 100'003;
  std::vector<float> x(kCount), y(kCount);
  for (int i = 0; i < kCount; ++i) {
    x[i] = static_cast<float>(i % 1000);
    y[i] = static_cast<float>(i % 77);
  }
  float* device_x = module.Allocate(x);
  for (int workers : {1, 2, 4}) {
    float* device_y = module.Allocate(y);
    module.config.workers = workers;
    const std::optional<Fault> fault = module.Launch("saxpy", Dim3{(kCount + 255) / 256}, Dim3{256},
                                                     kCount, 2.0f, device_x, device_y);
    ASSERT_FALSE(fault.has_value()) << fault->ToString();
    for (int i = 0; i < kCount; ++i) ASSERT_EQ(device_y[i], 2 * x[i] + y[i]) << i;
  }
}

TEST(Launch, TellsWhoWentOutOfBounds) {
  TestModule module(kSaxpy);
  float* x = module.Allocate<float>(64);
  float* y = module.Allocate<float>(61);
  const std::optional<Fault> fault = module.Launch("saxpy", Dim3{2}, Dim3{32}, 64, 2.0f, x, y);
  ASSERT_TRUE(fault.has_value());
  EXPECT_EQ(fault->kind, FaultKind::kIllegalAddress);
  const std::string text = fault->ToString();
  EXPECT_NE(text.find("out-of-bounds read of 4 bytes"), std::string::npos) << text;
  EXPECT_NE(text.find("by thread (29,0,0) of block (1,0,0): 0 bytes past the 244-byte allocation"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("ld.global.f32"), std::string::npos) << text;
}

}  // namespace
}  // namespace warpyard::emulator
