// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/operations/barrier.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cc/emulator/testing/run_ptx.h"
#include "gtest/gtest.h"

namespace warpyard::emulator {
namespace {

// Threads pass values on through shared memory, round after round.
TEST(Barrier, OrdersAllThreadsOfABlock) {
  for (const int threads : {32, 40, 100, 1024}) {
    TestModule module(TestModule::Kernel(R"(
  .shared .align 4 .b8 tile[4096];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, tile;
  mov.u32 %r4, %r1;                  // the value
  mov.u32 %r5, 0;
LOOP:
  mad.lo.u32 %r6, %r1, 4, %r3;
  st.shared.u32 [%r6], %r4;
  bar.sync 0;
  add.u32 %r7, %r1, 1;
  rem.u32 %r7, %r7, %r2;
  mad.lo.u32 %r8, %r7, 4, %r3;
  ld.shared.u32 %r4, [%r8];
  barrier.cta.sync.aligned 0;
  add.u32 %r5, %r5, 1;
  setp.lt.u32 %p1, %r5, 50;
  @%p1 bra LOOP;
  mad.wide.u32 %rd2, %r1, 4, %rd0;
  st.global.u32 [%rd2], %r4;
)"));
    uint32_t* out = module.Allocate<uint32_t>(1024);
    const std::optional<Fault> fault =
        module.Launch("k", Dim3{1}, Dim3{static_cast<uint32_t>(threads)}, out, out);
    ASSERT_FALSE(fault.has_value()) << fault->ToString();
    for (int i = 0; i < threads; ++i) ASSERT_EQ(out[i], static_cast<uint32_t>((i + 50) % threads));
  }
}

// Threads that ended are no longer waited for.
TEST(Barrier, CountsThreadsThatLive) {
  TestModule module(TestModule::Kernel(R"(
  mov.u32 %r1, %tid.x;
  setp.ge.u32 %p1, %r1, 70;
  @%p1 exit;
  bar.sync 0;
  setp.ge.u32 %p2, %r1, 7;
  @%p2 bra OUT;
  bar.red.popc.u32 %r2, 0, %p2;
  bar.red.popc.u32 %r3, 3, !%p2;
  bar.red.and.pred %p3, 0, %p2;
  bar.red.or.pred %p4, 0, !%p2;
  selp.u32 %r4, 1000, 0, %p3;
  selp.u32 %r5, 2000, 0, %p4;
  add.u32 %r2, %r2, %r3;
  add.u32 %r2, %r2, %r4;
  add.u32 %r2, %r2, %r5;
  mad.wide.u32 %rd2, %r1, 4, %rd0;
  st.global.u32 [%rd2], %r2;
OUT:
)"));
  uint32_t* out = module.Allocate<uint32_t>(128);
  const std::optional<Fault> fault = module.Launch("k", Dim3{1}, Dim3{128}, out, out);
  ASSERT_FALSE(fault.has_value()) << fault->ToString();
  for (int i = 0; i < 128; ++i) EXPECT_EQ(out[i], i < 7 ? 2007u : 0u) << i;
}

// Warps 0 and 1 produce, warp 2 consumes: bar.arrive and bar.sync on named
// barriers with counts.
TEST(Barrier, NamedBarriersLetProducersGoOn) {
  TestModule module(TestModule::Kernel(R"(
  .shared .align 4 .b8 tile[256];
  .shared .align 4 .b8 sums[4];
  mov.u32 %r1, %tid.x;
  mov.u32 %r3, tile;
  mov.u32 %r5, 0;
  mov.u32 %r10, 0;
  setp.ge.u32 %p1, %r1, 64;
  @%p1 bra CONSUME;
PRODUCE:
  mad.lo.u32 %r6, %r1, 4, %r3;
  mad.lo.u32 %r7, %r5, 1000, %r1;
  st.shared.u32 [%r6], %r7;
  membar.cta;
  bar.arrive 1, 96;
  bar.sync 2, 96;
  add.u32 %r5, %r5, 1;
  setp.lt.u32 %p2, %r5, 10;
  @%p2 bra PRODUCE;
  bra DONE;
CONSUME:
  bar.sync 1, 96;
  sub.u32 %r8, %r1, 64;
  mad.lo.u32 %r6, %r8, 8, %r3;
  ld.shared.v2.u32 {%r11, %r12}, [%r6];
  add.u32 %r10, %r10, %r11;
  add.u32 %r10, %r10, %r12;
  bar.arrive 2, 96;
  add.u32 %r5, %r5, 1;
  setp.lt.u32 %p2, %r5, 10;
  @%p2 bra CONSUME;
DONE:
  mad.wide.u32 %rd2, %r1, 4, %rd0;
  st.global.u32 [%rd2], %r10;
)"));
  uint32_t* out = module.Allocate<uint32_t>(96);
  const std::optional<Fault> fault = module.Launch("k", Dim3{1}, Dim3{96}, out, out);
  ASSERT_FALSE(fault.has_value()) << fault->ToString();
  for (uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(out[64 + i], 2 * 45 * 1000 + 10 * (4 * i + 1)) << i;
  }
}

// __syncwarp in both branches of an if: lanes meet at different places.
TEST(Barrier, WarpBarrierJoinsLanesAtDifferentPlaces) {
  TestModule module(TestModule::Kernel(R"(
  .shared .align 4 .b8 tile[128];
  mov.u32 %r1, %tid.x;
  mov.u32 %r3, tile;
  mad.lo.u32 %r6, %r1, 4, %r3;
  xor.b32 %r7, %r6, 4;
  and.b32 %r2, %r1, 1;
  setp.eq.u32 %p1, %r2, 0;
  @%p1 bra EVEN;
  add.u32 %r4, %r1, 100;
  st.shared.u32 [%r6], %r4;
  bar.warp.sync 0xffffffff;
  ld.shared.u32 %r5, [%r7];
  bra DONE;
EVEN:
  add.u32 %r4, %r1, 200;
  st.shared.u32 [%r6], %r4;
  bar.warp.sync -1;
  ld.shared.u32 %r5, [%r7];
DONE:
  mad.wide.u32 %rd2, %r1, 4, %rd0;
  st.global.u32 [%rd2], %r5;
)"));
  uint32_t* out = module.Allocate<uint32_t>(32);
  const std::optional<Fault> fault = module.Launch("k", Dim3{1}, Dim3{32}, out, out);
  ASSERT_FALSE(fault.has_value()) << fault->ToString();
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], (i ^ 1) + ((i & 1) == 0 ? 100 : 200)) << i;
}

// Each block reads its neighbour's shared memory (mapa), waits, and writes into
// the other neighbour's.
TEST(Barrier, ClustersShareMemory) {
  TestModule module(TestModule::Kernel(R"(
  .shared .align 4 .b8 tile[256];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %cluster_ctarank;
  mov.u32 %r3, %cluster_nctarank;
  mov.u32 %r4, tile;
  mov.u32 %r20, %ctaid.x;
  mad.lo.u32 %r5, %r1, 4, %r4;
  mad.lo.u32 %r6, %r20, 1000, %r1;
  st.shared.u32 [%r5], %r6;
  barrier.cluster.arrive.release.aligned;
  barrier.cluster.wait.acquire.aligned;
  add.u32 %r7, %r2, 1;
  rem.u32 %r7, %r7, %r3;
  mapa.shared::cluster.u32 %r8, %r5, %r7;
  ld.shared::cluster.u32 %r9, [%r8];
  getctarank.shared::cluster.u32 %r10, %r8;
  cvt.u64.u32 %rd2, %r5;
  cvta.shared.u64 %rd3, %rd2;
  mapa.u64 %rd4, %rd3, %r7;
  ld.u32 %r11, [%rd4];
  barrier.cluster.arrive;
  barrier.cluster.wait;
  add.u32 %r12, %r9, %r10;
  add.u32 %r12, %r12, %r11;
  st.shared::cluster.u32 [%r8], %r12;
  barrier.cluster.arrive;
  barrier.cluster.wait;
  ld.shared.u32 %r13, [%r5];
  mad.lo.u32 %r14, %r20, 64, %r1;
  mad.wide.u32 %rd5, %r14, 4, %rd0;
  st.global.u32 [%rd5], %r13;
)"));
  module.config.has_cluster = true;
  module.config.cluster = Dim3{4};
  uint32_t* out = module.Allocate<uint32_t>(64 * 12);
  const std::optional<Fault> fault = module.Launch("k", Dim3{12}, Dim3{64}, out, out);
  ASSERT_FALSE(fault.has_value()) << fault->ToString();
  for (uint32_t block = 0; block < 12; ++block) {
    for (uint32_t i = 0; i < 64; ++i) {
      // Block b's memory is written by its predecessor, with what it read of b.
      const uint32_t own = block * 1000 + i;
      EXPECT_EQ(out[block * 64 + i], 2 * own + block % 4) << block << " " << i;
    }
  }
}

TEST(Barrier, SharedMemoryOfABlockThatIsNotThere) {
  TestModule module(TestModule::Kernel(R"(
  .shared .align 4 .b8 tile[256];
  mov.u32 %r4, tile;
  mapa.shared::cluster.u32 %r8, %r4, 3;
  ld.shared::cluster.u32 %r9, [%r8];
)"));
  uint32_t* out = module.Allocate<uint32_t>(1);
  const std::optional<Fault> fault = module.Launch("k", Dim3{1}, Dim3{1}, out, out);
  ASSERT_TRUE(fault.has_value());
  EXPECT_NE(fault->ToString().find("block 3 of a cluster of 1"), std::string::npos)
      << fault->ToString();
}

TEST(Barrier, DeadlocksTellWhoWaitsWhere) {
  TestModule module(TestModule::Kernel(R"(
  mov.u32 %r1, %tid.x;
  setp.lt.u32 %p1, %r1, 32;
  @%p1 bra ONE;
  bar.sync 2;
  bra OUT;
ONE:
  bar.sync 1;
OUT:
)"));
  uint32_t* out = module.Allocate<uint32_t>(1);
  const std::optional<Fault> fault = module.Launch("k", Dim3{1}, Dim3{48}, out, out);
  ASSERT_TRUE(fault.has_value());
  EXPECT_EQ(fault->kind, FaultKind::kDeadlock);
  const std::string text = fault->ToString();
  EXPECT_NE(text.find("warp 0, 32 lanes (0xffffffff) at line "), std::string::npos) << text;
  EXPECT_NE(text.find("'bar.sync 1"), std::string::npos) << text;
  EXPECT_NE(text.find("warp 1, 16 lanes (0x0000ffff) at line "), std::string::npos) << text;
}

TEST(Barrier, ThereAreSixteen) {
  TestModule module(TestModule::Kernel("mov.u32 %r1, 16;\nbar.sync %r1;"));
  uint32_t* out = module.Allocate<uint32_t>(1);
  const std::optional<Fault> fault = module.Launch("k", Dim3{1}, Dim3{32}, out, out);
  ASSERT_TRUE(fault.has_value());
  EXPECT_NE(fault->ToString().find("barrier 16; a block has 16"), std::string::npos);
}

// The grid barrier of cooperative_groups counts in a workspace whose address is
// in two environment registers.
TEST(Barrier, CooperativeGridsAreResidentTogether) {
  TestModule module(TestModule::Kernel(R"(
  mov.u32 %r1, %tid.x;
  mov.u32 %r20, %envreg1;
  mov.u32 %r21, %envreg2;
  mov.b64 %rd2, {%r21, %r20};
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %nctaid.x;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra JOIN;
  atom.global.add.u32 %r4, [%rd2], 1;
WAIT:
  ld.acquire.gpu.global.u32 %r5, [%rd2];
  setp.lt.u32 %p2, %r5, %r3;
  @%p2 bra WAIT;
JOIN:
  bar.sync 0;
  red.global.add.u32 [%rd0], 1;
)"));
  module.config.cooperative = true;
  uint32_t* out = module.Allocate<uint32_t>(1);
  const std::optional<Fault> fault = module.Launch("k", Dim3{132 * 8}, Dim3{128}, out, out);
  ASSERT_FALSE(fault.has_value()) << fault->ToString();
  EXPECT_EQ(*out, 132u * 8 * 128);
}

}  // namespace
}  // namespace warpyard::emulator
