// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/execution/launch.h"

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "cc/emulator/execution/observer.h"
#include "cc/emulator/syntax/ast.h"
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

// What CheckLaunch says about a configuration of `saxpy` on an H100.
absl::Status Checked(const std::function<void(LaunchConfig&)>& change,
                     std::string_view ptx = kSaxpy, std::string_view kernel = "saxpy") {
  TestModule module{std::string(ptx)};
  LaunchConfig config = module.config;
  config.function = module.loaded().FindKernel(kernel);
  change(config);
  return CheckLaunch(config);
}

TEST(CheckLaunch, HoldsLaunchesToTheDevice) {
  using Code = absl::StatusCode;
  EXPECT_TRUE(Checked([](LaunchConfig& c) { c.block = Dim3{1024}; }).ok());
  const auto expect = [](Code code, std::string_view text,
                         const std::function<void(LaunchConfig&)>& change) {
    const absl::Status status = Checked(change);
    EXPECT_EQ(status.code(), code) << status;
    EXPECT_NE(status.message().find(text), std::string_view::npos) << status;
  };
  expect(Code::kInvalidArgument, "block dimensions (1025, 1, 1)",
         [](LaunchConfig& c) { c.block = Dim3{1025}; });
  expect(Code::kInvalidArgument, "2048 threads per block; the device allows 1024",
         [](LaunchConfig& c) { c.block = Dim3{1024, 2}; });
  expect(Code::kInvalidArgument, "block dimensions (1, 1, 65)",
         [](LaunchConfig& c) { c.block = Dim3{1, 1, 65}; });
  expect(Code::kInvalidArgument, "grid dimensions (0, 1, 1)",
         [](LaunchConfig& c) { c.grid = Dim3{0}; });
  expect(Code::kInvalidArgument, "grid dimensions (1, 65536, 1)",
         [](LaunchConfig& c) { c.grid = Dim3{1, 65536}; });
  expect(Code::kInvalidArgument, "is no multiple of the cluster (4, 1, 1)", [](LaunchConfig& c) {
    c.has_cluster = true;
    c.cluster = Dim3{4};
    c.grid = Dim3{6};
  });
  expect(Code::kInvalidArgument, "a cluster of 32 blocks; the device allows 16",
         [](LaunchConfig& c) {
           c.has_cluster = true;
           c.cluster = Dim3{32};
           c.grid = Dim3{32};
         });
  expect(Code::kResourceExhausted, "shared memory",
         [](LaunchConfig& c) { c.dynamic_shared_bytes = 256 << 10; });
  // 132 multiprocessors with two blocks of 1024 threads each.
  expect(Code::kResourceExhausted, "a cooperative launch of 265 blocks; at most 264",
         [](LaunchConfig& c) {
           c.cooperative = true;
           c.block = Dim3{1024};
           c.grid = Dim3{265};
         });
}

TEST(CheckLaunch, NamesWhatIsNotExecuted) {
  const std::string ptx = TestModule::Kernel("tex.1d.v4.s32.s32 {%r1, %r2, %r3, %r4}, [t, {%r5}];",
                                             ".global .texref t;\n");
  const absl::Status status = Checked([](LaunchConfig&) {}, ptx, "k");
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented) << status;
  EXPECT_NE(status.message().find("tex.1d"), std::string_view::npos) << status;
}

TEST(Launch, CanBeCancelled) {
  TestModule module(TestModule::Kernel("L: bra L;"));
  std::atomic<bool> cancel = false;
  module.config.cancel = &cancel;
  std::thread other([&] {
    absl::SleepFor(absl::Milliseconds(20));
    cancel = true;
  });
  uint32_t* out = module.Allocate<uint32_t>(1);
  const std::optional<Fault> fault = module.Launch("k", Dim3{1}, Dim3{32}, out, out);
  other.join();
  ASSERT_TRUE(fault.has_value());
  EXPECT_EQ(fault->what, "the launch was cancelled");
}

// The earliest block's fault is reported, however many threads of the host run
// the grid, and a launch after a fault starts anew.
TEST(Launch, TheEarliestFaultIsReported) {
  TestModule module(TestModule::Kernel(R"(
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r3, 0;
SPEND:
  add.u32 %r3, %r3, 1;
  setp.lt.u32 %p2, %r3, 3000;
  @%p2 bra SPEND;
  setp.lt.u32 %p1, %r1, 40;
  @%p1 bra FINE;
  mov.u64 %rd2, 0;
  st.global.u32 [%rd2], %r1;
FINE:
  red.global.add.u32 [%rd0], 1;
)"));
  for (const int workers : {1, 2, 4}) {
    module.config.workers = workers;
    uint32_t* out = module.Allocate<uint32_t>(1);
    const std::optional<Fault> fault = module.Launch("k", Dim3{400}, Dim3{32}, out, out);
    ASSERT_TRUE(fault.has_value());
    EXPECT_EQ(fault->block[0], 40u) << workers;
  }
}

// What special registers say, in three dimensions.
TEST(Launch, SpecialRegisters) {
  TestModule module(TestModule::Kernel(R"(
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %tid.y;
  mov.u32 %r3, %tid.z;
  mov.u32 %r4, %ctaid.x;
  mov.u32 %r5, %ctaid.y;
  mov.u32 %r6, %ctaid.z;
  mov.u32 %r7, %laneid;
  mov.u32 %r8, %warpid;
  mov.u32 %r9, %lanemask_lt;
  // The thread's and the block's number.
  mad.lo.u32 %r10, %r3, 3, %r2;
  mad.lo.u32 %r10, %r10, 5, %r1;
  mad.lo.u32 %r11, %r6, 2, %r5;
  mad.lo.u32 %r11, %r11, 3, %r4;
  mad.lo.u32 %r12, %r11, 60, %r10;
  popc.b32 %r13, %r9;
  mad.lo.u32 %r14, %r8, 32, %r13;
  mad.lo.u32 %r14, %r11, 1000, %r14;
  mad.wide.u32 %rd2, %r12, 4, %rd0;
  st.global.u32 [%rd2], %r14;
)"));
  uint32_t* out = module.Allocate<uint32_t>(60 * 24);
  const std::optional<Fault> fault = module.Launch("k", Dim3{3, 2, 4}, Dim3{5, 3, 4}, out, out);
  ASSERT_FALSE(fault.has_value()) << fault->ToString();
  for (uint32_t i = 0; i < 60 * 24; ++i) EXPECT_EQ(out[i], i / 60 * 1000 + i % 60);
}

// Launches from several threads at a time, each helped by others.
TEST(Launch, SeveralAtATime) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([] {
      TestModule module(kSaxpy);
      module.config.workers = 3;
      constexpr int kCount = 50'000;
      float* x = module.Allocate(std::vector<float>(kCount, 3.0f));
      float* y = module.Allocate(std::vector<float>(kCount, 1.0f));
      for (int i = 1; i <= 5; ++i) {
        const std::optional<Fault> fault =
            module.Launch("saxpy", Dim3{(kCount + 63) / 64}, Dim3{64}, kCount, 1.0f, x, y);
        ASSERT_FALSE(fault.has_value()) << fault->ToString();
        for (int k = 0; k < kCount; ++k) ASSERT_EQ(y[k], 1.0f + 3.0f * i);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

class Watcher : public Observer {
 public:
  void BlockBegins(Block&) override { ++blocks; }
  void OnInstruction(Warp&, const Instruction&, uint32_t mask, uint32_t) override {
    lanes += std::popcount(mask);
  }
  void OnAccess(Warp& warp, const Instruction& instruction, const MemoryAccess& access) override {
    EXPECT_EQ(access.space, syntax::StateSpace::kGlobal);
    EXPECT_EQ(access.bytes, 4u);
    (access.kind == AccessKind::kWrite ? writes : reads) += std::popcount(access.mask);
    if (stop_at != nullptr && access.memory[0] == reinterpret_cast<std::byte*>(stop_at)) {
      warp.RaiseFault(instruction, 0, FaultKind::kSanitizer, "found");
    }
  }
  int blocks = 0;
  int lanes = 0;
  int reads = 0;
  int writes = 0;
  float* stop_at = nullptr;
};

TEST(Launch, AnObserverSeesEachAccess) {
  TestModule module(kSaxpy);
  float* x = module.Allocate<float>(100);
  float* y = module.Allocate<float>(100);
  Watcher watcher;
  module.config.observer = &watcher;
  std::optional<Fault> fault = module.Launch("saxpy", Dim3{2}, Dim3{64}, 100, 1.0f, x, y);
  ASSERT_FALSE(fault.has_value()) << fault->ToString();
  EXPECT_EQ(watcher.blocks, 2);
  EXPECT_EQ(watcher.reads, 200);
  EXPECT_EQ(watcher.writes, 100);
  EXPECT_GT(watcher.lanes, 128 * 10);
  watcher.stop_at = y + 64;
  fault = module.Launch("saxpy", Dim3{2}, Dim3{64}, 100, 1.0f, x, y);
  ASSERT_TRUE(fault.has_value());
  EXPECT_EQ(fault->kind, FaultKind::kSanitizer);
  EXPECT_EQ(fault->block[0], 1u);
}

}  // namespace
}  // namespace warpyard::emulator
