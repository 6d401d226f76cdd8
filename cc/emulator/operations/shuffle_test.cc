// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
#include "cc/emulator/operations/shuffle.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "cc/emulator/testing/run_ptx.h"
#include "gtest/gtest.h"

namespace warpyard::emulator {
namespace {

// Runs a body that turns %r1 (from memory, per lane) into %r2, for one warp.
std::vector<uint32_t> RunWarp(const std::string& body, const std::vector<uint32_t>& input,
                              std::string_view gpu = "h100") {
  std::string ptx = TestModule::Kernel(
      "mov.u32 %r0, %tid.x;\nmul.wide.u32 %rd2, %r0, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
      "add.s64 %rd4, %rd0, %rd2;\nld.global.u32 %r1, [%rd3];\n" +
      body + "\nst.global.u32 [%rd4], %r2;\n");
  if (gpu == "b200") {
    ptx.replace(ptx.find("sm_90a"), 6, "sm_100a");
  }
  TestModule module(ptx, gpu);
  uint32_t* in = module.Allocate(input);
  uint32_t* out = module.Allocate<uint32_t>(32);
  const auto fault = module.Launch("k", {1, 1, 1}, {32, 1, 1}, out, in);
  EXPECT_FALSE(fault.has_value()) << fault->ToString();
  return std::vector<uint32_t>(out, out + 32);
}

std::vector<uint32_t> Lanes() {
  std::vector<uint32_t> lanes(32);
  for (uint32_t i = 0; i < 32; ++i) lanes[i] = 100 + i;
  return lanes;
}

// What __shfl_*_sync document for widths that divide the warp.
TEST(ShuffleTest, ModesAndWidths) {
  for (int width : {32, 16, 8}) {
    const int clamp = (32 - width) << 8;
    const auto run = [&](const std::string& mode, int b, int c) {
      return RunWarp("shfl.sync." + mode + ".b32 %r2|%p1, %r1, " + std::to_string(b) + ", " +
                         std::to_string(c) + ", -1;\n@!%p1 add.u32 %r2, %r2, 1000;",
                     Lanes());
    };
    const auto up = run("up", 3, clamp), down = run("down", 3, clamp | 31),
               bfly = run("bfly", 5, clamp | 31), idx = run("idx", 2, clamp | 31);
    for (int lane = 0; lane < 32; ++lane) {
      const int base = lane / width * width;
      EXPECT_EQ(up[lane], lane - 3 >= base ? 100 + lane - 3 : 1100 + lane);
      EXPECT_EQ(down[lane], lane + 3 < base + width ? 100 + lane + 3 : 1100 + lane);
      EXPECT_EQ(bfly[lane], 100u + (lane ^ 5));
      EXPECT_EQ(idx[lane], 100u + base + 2);
    }
  }
}

TEST(ShuffleTest, DivergedHalvesShuffleAmongThemselves) {
  const auto out = RunWarp(
      "setp.lt.u32 %p1, %r0, 16;\n@%p1 bra low;\n"
      "shfl.sync.bfly.b32 %r2, %r1, 1, 31, 0xffff0000;\nbra.uni done;\n"
      "low:\nshfl.sync.down.b32 %r2, %r1, 15, 31, 0x0000ffff;\ndone:\n",
      Lanes());
  EXPECT_EQ(out[0], 115);
  for (uint32_t lane = 16; lane < 32; ++lane) EXPECT_EQ(out[lane], 100 + (lane ^ 1));
}

TEST(ShuffleTest, Votes) {
  std::vector<uint32_t> input(32, 1);
  input[5] = 0;
  const std::string predicate = "setp.ne.u32 %p1, %r1, 0;\n";
  const auto ballot = RunWarp(predicate + "vote.sync.ballot.b32 %r2, %p1, -1;", input);
  EXPECT_EQ(ballot[0], ~uint32_t{1 << 5});
  const auto none = RunWarp(predicate + "vote.sync.ballot.b32 %r2, !%p1, -1;", input);
  EXPECT_EQ(none[31], 1u << 5);
  const auto all =
      RunWarp(predicate + "vote.sync.all.pred %p2, %p1, -1;\nselp.u32 %r2, 1, 0, %p2;", input);
  EXPECT_EQ(all[3], 0);
  const auto any =
      RunWarp(predicate + "vote.sync.any.pred %p2, %p1, -1;\nselp.u32 %r2, 1, 0, %p2;", input);
  EXPECT_EQ(any[3], 1);
}

TEST(ShuffleTest, Matches) {
  std::vector<uint32_t> input(32);
  for (uint32_t i = 0; i < 32; ++i) input[i] = i % 4;
  EXPECT_EQ(RunWarp("match.any.sync.b32 %r2, %r1, -1;", input)[1], 0x22222222u);
  EXPECT_EQ(RunWarp("match.all.sync.b32 %r2|%p1, %r1, -1;", input)[1], 0u);
  EXPECT_EQ(RunWarp("match.all.sync.b32 %r2|%p1, %r1, -1;", std::vector<uint32_t>(32, 7))[1],
            0xffffffffu);
}

TEST(ShuffleTest, Reductions) {
  std::vector<uint32_t> input(32);
  for (uint32_t i = 0; i < 32; ++i) input[i] = static_cast<uint32_t>(static_cast<int>(i) - 7);
  EXPECT_EQ(RunWarp("redux.sync.add.s32 %r2, %r1, -1;", input)[0], 32u * 31 / 2 - 32 * 7);
  EXPECT_EQ(RunWarp("redux.sync.min.s32 %r2, %r1, -1;", input)[9], static_cast<uint32_t>(-7));
  EXPECT_EQ(RunWarp("redux.sync.min.u32 %r2, %r1, -1;", input)[9], 0u);
  EXPECT_EQ(RunWarp("redux.sync.xor.b32 %r2, %r0, -1;", input)[9], 0u);
  EXPECT_EQ(RunWarp("redux.sync.or.b32 %r2, %r0, -1;", input)[9], 31u);
  std::vector<uint32_t> floats(32);
  for (int i = 0; i < 32; ++i) floats[i] = std::bit_cast<uint32_t>(0.5f * (i - 20));
  floats[3] = 0x7fc00000;
  const auto run = [&](const std::string& op) {
    return RunWarp("mov.b32 %f1, %r1;\nredux.sync." + op + ".f32 %f2, %f1, -1;\nmov.b32 %r2, %f2;",
                   floats, "b200")[0];
  };
  EXPECT_EQ(run("max"), std::bit_cast<uint32_t>(5.5f));
  EXPECT_EQ(run("max.abs"), std::bit_cast<uint32_t>(10.0f));
  EXPECT_EQ(run("min"), std::bit_cast<uint32_t>(-10.0f));
  EXPECT_EQ(run("min.NaN"), 0x7fffffffu);
}

TEST(ShuffleTest, ElectsOneLaneAndKnowsWhoIsActive) {
  const auto elected = RunWarp("elect.sync %r3|%p1, -1;\nselp.u32 %r2, 1, 0, %p1;", Lanes());
  uint32_t leaders = 0;
  for (uint32_t one : elected) leaders += one;
  EXPECT_EQ(leaders, 1);
  const auto active =
      RunWarp("mov.u32 %r2, 0;\nsetp.lt.u32 %p1, %r0, 5;\n@%p1 activemask.b32 %r2;", Lanes());
  EXPECT_EQ(active[2], 31u);
  EXPECT_EQ(active[6], 0u);
}

}  // namespace
}  // namespace warpyard::emulator
