// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Copies arrive when they were waited for, and not before.
#include "cc/emulator/operations/async_copy.h"

#include <cstdint>
#include <string>
#include <vector>

#include "cc/emulator/execution/tensor_map.h"
#include "cc/emulator/operations/swizzle.h"
#include "cc/emulator/testing/run_ptx.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::emulator {
namespace {

using ::testing::HasSubstr;

constexpr char kShared[] = ".shared .align 1024 .b8 data[4096];\n.shared .align 8 .b64 barrier;\n";

// The lines that wait for phase 0 of the barrier.
constexpr char kWait[] =
    "again:\nmbarrier.try_wait.parity.shared::cta.b64 %p1, [barrier], 0;\n@!%p1 bra again;\n";

std::vector<uint32_t> Copied(const std::string& body, const std::vector<uint32_t>& input,
                             int threads = 32) {
  TestModule module(TestModule::Kernel(body, kShared));
  uint32_t* in = module.Allocate(input);
  uint32_t* out = module.Allocate<uint32_t>(1024);
  const auto fault = module.Launch("k", {1, 1, 1}, {static_cast<uint32_t>(threads), 1, 1}, out, in);
  EXPECT_FALSE(fault.has_value()) << fault->ToString();
  return std::vector<uint32_t>(out, out + 1024);
}

std::vector<uint32_t> Numbers(uint32_t count) {
  std::vector<uint32_t> numbers(count);
  for (uint32_t i = 0; i < count; ++i) numbers[i] = i + 1;
  return numbers;
}

// Thread t copies 16 bytes; a wait between them and the reading or not.
std::string SmallCopies(const std::string& between, const std::string& size = "") {
  return "mov.u32 %r0, %tid.x;\nmul.wide.u32 %rd2, %r0, 16;\nadd.s64 %rd3, %rd1, %rd2;\n"
         "add.s64 %rd4, %rd0, %rd2;\nmov.u32 %r1, data;\nmad.lo.u32 %r1, %r0, 16, %r1;\n"
         "cp.async.cg.shared.global [%r1], [%rd3], 16" +
         size + ";\n" + between +
         "ld.shared.v4.u32 {%r2, %r3, %r4, %r5}, [%r1];\n"
         "st.global.v4.u32 [%rd4], {%r2, %r3, %r4, %r5};\n";
}

TEST(AsyncCopyTest, SmallCopiesNeedTheirWait) {
  const std::vector<uint32_t> input = Numbers(128);
  EXPECT_EQ(Copied(SmallCopies("cp.async.commit_group;\ncp.async.wait_group 0;\n"), input)[77], 78);
  EXPECT_EQ(Copied(SmallCopies("cp.async.wait_all;\n"), input)[77], 78);
  // No wait; a group too few.
  EXPECT_EQ(Copied(SmallCopies(""), input)[77], 0xffffffffu);
  EXPECT_EQ(Copied(SmallCopies("cp.async.commit_group;\ncp.async.wait_group 1;\n"), input)[77],
            0xffffffffu);
  // Not committed, so in no group.
  EXPECT_EQ(Copied(SmallCopies("cp.async.wait_group 0;\n"), input)[77], 0xffffffffu);
}

TEST(AsyncCopyTest, WhatTheSourceSizeLeavesOutIsZero) {
  const auto out = Copied(SmallCopies("cp.async.wait_all;\n", ", 4"), Numbers(128));
  EXPECT_EQ(out[4], 5);
  EXPECT_EQ(out[5], 0);
  EXPECT_EQ(out[7], 0);
}

TEST(AsyncCopyTest, BarrierCountsCopiesOfItsThreads) {
  const auto out = Copied(
      "mov.u32 %r0, %tid.x;\nsetp.eq.u32 %p2, %r0, 0;\n"
      "@%p2 mbarrier.init.shared::cta.b64 [barrier], 32;\nbar.sync 0;\n" +
          SmallCopies("cp.async.mbarrier.arrive.noinc.shared.b64 [barrier];\n" +
                      std::string(kWait)),
      Numbers(128));
  EXPECT_EQ(out[127], 128);
}

constexpr char kInit[] =
    "mbarrier.init.shared::cta.b64 [barrier], 1;\n"
    "mbarrier.arrive.expect_tx.shared::cta.b64 _, [barrier], 256;\n";

TEST(AsyncCopyTest, BulkCopiesCompleteABarrier) {
  const std::string copy =
      "mov.u32 %r0, data;\nmov.u32 %r1, barrier;\n"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r0], [%rd1], 256, "
      "[%r1];\n";
  const std::string read = "ld.shared.u32 %r2, [data+252];\nst.global.u32 [%rd0], %r2;\n";
  EXPECT_EQ(Copied(kInit + copy + kWait + read, Numbers(64), 1)[0], 64);
  EXPECT_EQ(Copied(kInit + copy + read, Numbers(64), 1)[0], 0xffffffffu);
}

TEST(AsyncCopyTest, BulkStoresReadTheirSourceAtTheWait) {
  // The source is overwritten after the copy began: before the wait that is what
  // arrives, after it the copy is safe.
  const std::string begin =
      "mov.u32 %r0, data;\nmov.u32 %r1, 7;\nst.shared.u32 [%r0], %r1;\n"
      "cp.async.bulk.global.shared::cta.bulk_group [%rd0], [%r0], 16;\n"
      "cp.async.bulk.commit_group;\n";
  const std::string overwrite = "mov.u32 %r1, 9;\nst.shared.u32 [%r0], %r1;\n";
  EXPECT_EQ(Copied(begin + "cp.async.bulk.wait_group.read 0;\n" + overwrite, {0}, 1)[0], 7);
  EXPECT_EQ(Copied(begin + overwrite, {0}, 1)[0], 9);
}

TEST(AsyncCopyTest, BulkReductionsAddToMemory) {
  const auto out = Copied(
      "mov.u32 %r0, data;\nmov.u32 %r1, 5;\nst.shared.v4.u32 [%r0], {%r1, %r1, %r1, %r1};\n"
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd0], [%r0], 16;\n"
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd0], [%r0], 16;\n"
      "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\n",
      {0}, 1);
  EXPECT_EQ(out[3], 10);
}

TEST(AsyncCopyTest, WrongUsesAreFaults) {
  const auto fault = [](const std::string& body) -> std::string {
    TestModule module(TestModule::Kernel(body, kShared));
    uint32_t* in = module.Allocate<uint32_t>(64);
    uint32_t* out = module.Allocate<uint32_t>(64);
    const auto found = module.Launch("k", {1, 1, 1}, {1, 1, 1}, out, in);
    return found.has_value() ? found->ToString() : "";
  };
  EXPECT_THAT(fault("mbarrier.arrive.shared::cta.b64 %rd2, [barrier];\n"),
              HasSubstr("no initialised mbarrier"));
  EXPECT_THAT(fault("mbarrier.init.shared::cta.b64 [barrier], 1;\n"
                    "mbarrier.arrive.shared::cta.b64 %rd2, [barrier], 2;\n"),
              HasSubstr("2 arrivals at a barrier that expects 1 more"));
  EXPECT_THAT(fault("mov.u32 %r0, data;\nmov.u32 %r1, barrier;\n"
                    "mbarrier.init.shared::cta.b64 [barrier], 1;\n"
                    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r0], "
                    "[%rd1], 24, [%r1];\n"),
              HasSubstr("the size is 24, expected a multiple of 16"));
  EXPECT_THAT(fault("mov.u32 %r0, data;\nmov.u32 %r1, 0;\n"
                    "cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [%rd1, {%r1}], "
                    "[%r0];\n"),
              HasSubstr("no tensor map"));
}

// A tile of 16 rows of 128 bytes at (x, y) of a matrix of 20 x 40 words, swizzled;
// what is outside of the matrix is zero.
TEST(AsyncCopyTest, TensorTilesAreSwizzledAndFilled) {
  for (int swizzle : {0, 3, 4, 5, 6}) {
    for (const auto& [x, y] : {std::pair<int, int>{0, 0}, {16, 8}, {-8, -3}}) {
      const std::string body =
          kInit +
          std::string(
              "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [barrier], 1792;\n"
              "mov.u32 %r0, data;\nmov.u32 %r1, barrier;\nmov.u32 %r2, ") +
          std::to_string(x) + ";\nmov.u32 %r3, " + std::to_string(y) +
          ";\n"
          "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
          "[%r0], [%rd1, {%r2, %r3}], [%r1];\n" +
          kWait +
          "cp.async.bulk.global.shared::cta.bulk_group [%rd0], [%r0], 2048;\n"
          "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\n";
      TestModule module(TestModule::Kernel(body, kShared));
      uint32_t* matrix = module.Allocate(Numbers(800));
      const std::vector<uint64_t> dims = {40, 20}, strides = {160};
      const std::vector<uint32_t> box = {32, 16}, steps = {1, 1};
      const auto map = EncodeTiled({.element = 2,
                                    .address = reinterpret_cast<uint64_t>(matrix),
                                    .dims = dims,
                                    .strides = strides,
                                    .box = box,
                                    .element_strides = steps,
                                    .swizzle = swizzle});
      ASSERT_TRUE(map.ok()) << map.status();
      TensorMap* kept = module.Allocate(std::vector<TensorMap>{*map});
      uint32_t* out = module.Allocate<uint32_t>(512);
      const auto fault = module.Launch("k", {1, 1, 1}, {1, 1, 1}, out, kept);
      ASSERT_FALSE(fault.has_value()) << fault->ToString();
      for (int row = 0; row < 16; ++row) {
        for (int column = 0; column < 32; ++column) {
          const int r = y + row, c = x + column;
          const bool inside = r >= 0 && r < 20 && c >= 0 && c < 40;
          const uint32_t expected = inside ? static_cast<uint32_t>(r * 40 + c + 1) : 0;
          // 16-byte chunk `column / 4` of a row of eight, moved as the driver's
          // documentation of CUtensorMapSwizzle says.
          int chunk = column / 4, word = column % 4;
          if (swizzle == 3) chunk ^= row % 8;
          if (swizzle == 4 || swizzle == 5) chunk ^= row % 4 * 2;
          if (swizzle == 5 && row % 2 == 1) word ^= 2;
          if (swizzle == 6) chunk ^= row % 2 * 4;
          EXPECT_EQ(out[row * 32 + chunk * 4 + word], expected)
              << swizzle << " " << row << " " << column;
        }
      }
    }
  }
}

TEST(AsyncCopyTest, TensorStoresLeaveOutWhatIsOutside) {
  const std::string body =
      "mov.u32 %r0, data;\nmov.u32 %r5, 0;\nfill:\nadd.u32 %r6, %r0, %r5;\n"
      "st.shared.u32 [%r6], %r5;\nadd.u32 %r5, %r5, 4;\nsetp.lt.u32 %p1, %r5, 2048;\n"
      "@%p1 bra fill;\nmov.u32 %r2, 16;\nmov.u32 %r3, 10;\n"
      "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%rd1, {%r2, %r3}], [%r0];\n"
      "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\n";
  TestModule module(TestModule::Kernel(body, kShared));
  uint32_t* matrix = module.Allocate<uint32_t>(40 * 20);
  const std::vector<uint64_t> dims = {40, 20}, strides = {160};
  const std::vector<uint32_t> box = {32, 16}, steps = {1, 1};
  const auto map = EncodeTiled({.element = 2,
                                .address = reinterpret_cast<uint64_t>(matrix),
                                .dims = dims,
                                .strides = strides,
                                .box = box,
                                .element_strides = steps});
  ASSERT_TRUE(map.ok());
  TensorMap* kept = module.Allocate(std::vector<TensorMap>{*map});
  const auto fault = module.Launch("k", {1, 1, 1}, {1, 1, 1}, matrix, kept);
  ASSERT_FALSE(fault.has_value()) << fault->ToString();
  EXPECT_EQ(matrix[10 * 40 + 17], 4u);
  EXPECT_EQ(matrix[19 * 40 + 39], (9 * 32 + 23) * 4u);
  EXPECT_EQ(matrix[10 * 40 + 15], 0u);
}

// Two blocks of one cluster: the first copies to both, each sends a word to the other
// and adds to a word there; each waits for its own barrier.
TEST(AsyncCopyTest, BlocksOfAClusterReachEachOther) {
  std::string ptx = TestModule::Kernel(
      "mov.u32 %r0, %cluster_ctarank;\nmov.u32 %r1, data;\nmov.u32 %r2, barrier;\n"
      "mbarrier.init.shared::cta.b64 [barrier], 1;\nst.shared.u32 [data+260], 40;\n"
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [barrier], 264;\n"
      "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n"
      "setp.ne.u32 %p2, %r0, 0;\n@%p2 bra copied;\nmov.u16 %h0, 3;\n"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
      "[%r1], [%rd1], 256, [%r2], %h0;\ncopied:\nxor.b32 %r3, %r0, 1;\n"
      "mapa.shared::cluster.u32 %r4, %r1, %r3;\nmapa.shared::cluster.u32 %r5, %r2, %r3;\n"
      "add.u32 %r6, %r0, 500;\n"
      "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r4+256], %r6, [%r5];\n"
      "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 "
      "[%r4+260], %r6, [%r5];\n" +
          std::string(kWait) +
          "mul.wide.u32 %rd2, %r0, 16;\nadd.s64 %rd3, %rd0, %rd2;\n"
          "ld.shared.u32 %r7, [data+252];\nld.shared.u32 %r8, [data+256];\n"
          "ld.shared.u32 %r9, [data+260];\n"
          "st.global.v2.u32 [%rd3], {%r7, %r8};\nst.global.u32 [%rd3+8], %r9;\n"
          "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n",
      kShared);
  TestModule module(ptx);
  module.config.cluster = {2, 1, 1};
  module.config.has_cluster = true;
  uint32_t* in = module.Allocate(Numbers(64));
  uint32_t* out = module.Allocate<uint32_t>(8);
  const auto fault = module.Launch("k", {2, 1, 1}, {1, 1, 1}, out, in);
  ASSERT_FALSE(fault.has_value()) << fault->ToString();
  for (uint32_t rank = 0; rank < 2; ++rank) {
    EXPECT_EQ(out[rank * 4], 64u);
    EXPECT_EQ(out[rank * 4 + 1], 501 - rank);
    EXPECT_EQ(out[rank * 4 + 2], 541 - rank);
  }
}

}  // namespace
}  // namespace warpyard::emulator
