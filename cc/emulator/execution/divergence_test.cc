// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Threads of a warp that go different ways: every thread must do what it would
// do alone.

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "cc/emulator/testing/run_ptx.h"
#include "gtest/gtest.h"

namespace warpyard::emulator {
namespace {

// A random program of `blocks` basic blocks with arbitrary edges (loops that
// cross, jumps into loops, ends in the middle). x is the state of a thread, acc
// what it collects, fuel the blocks that it may still enter.
struct Block {
  enum Kind { kJump, kBranch, kTable, kCall, kExitIf } kind;
  uint32_t multiplier, addend;
  int bit;
  int targets[4];
};

std::vector<Block> RandomProgram(std::mt19937& random, int blocks) {
  std::vector<Block> program;
  const auto any = [&](int n) { return static_cast<int>(random() % n); };
  for (int i = 0; i < blocks; ++i) {
    Block block;
    const int roll = any(12);
    block.kind = roll < 2    ? Block::kJump
                 : roll < 8  ? Block::kBranch
                 : roll < 10 ? Block::kTable
                 : roll < 11 ? Block::kCall
                             : Block::kExitIf;
    block.multiplier = random() | 1;
    block.addend = random();
    block.bit = any(20);
    for (int& target : block.targets) target = any(blocks);
    program.push_back(block);
  }
  return program;
}

// What one thread does.
uint32_t Recurse(uint32_t x) {
  const uint32_t n = x & 3;
  if (n == 0) return x * 7 + 1;
  if ((x & 16) != 0) return Recurse(x - 1) ^ x;
  return Recurse(x - n) + 5;
}

uint32_t Interpret(const std::vector<Block>& program, uint32_t x, uint32_t fuel) {
  uint32_t acc = 0;
  int at = 0;
  for (;;) {
    const Block& block = program[at];
    if (fuel == 0) return acc;
    --fuel;
    x = x * block.multiplier + block.addend;
    acc = (acc << 1 | acc >> 31) ^ x;
    const uint32_t choice = x >> block.bit;
    switch (block.kind) {
      case Block::kJump:
        at = block.targets[0];
        break;
      case Block::kBranch:
        at = (choice & 1) != 0 ? block.targets[0] : block.targets[1];
        break;
      case Block::kTable:
        at = block.targets[choice & 3];
        break;
      case Block::kCall:
        x = Recurse(x);
        at = block.targets[0];
        break;
      case Block::kExitIf:
        if ((choice & 63) == 5) return acc;
        at = block.targets[0];
        break;
    }
  }
}

constexpr char kRecurse[] = R"(
.func (.param .b32 result) recurse(.param .b32 argument)
{
  .reg .b32 %r<8>;
  .reg .pred %p<3>;
  ld.param.u32 %r1, [argument];
  and.b32 %r2, %r1, 3;
  setp.eq.u32 %p1, %r2, 0;
  @%p1 bra LEAF;
  and.b32 %r3, %r1, 16;
  setp.ne.u32 %p2, %r3, 0;
  @%p2 bra ODD;
  sub.u32 %r4, %r1, %r2;
  {
    .param .b32 a; .param .b32 r;
    st.param.b32 [a], %r4;
    call.uni (r), recurse, (a);
    ld.param.b32 %r5, [r];
  }
  add.u32 %r6, %r5, 5;
  bra DONE;
ODD:
  sub.u32 %r4, %r1, 1;
  {
    .param .b32 a; .param .b32 r;
    st.param.b32 [a], %r4;
    call.uni (r), recurse, (a);
    ld.param.b32 %r5, [r];
  }
  xor.b32 %r6, %r5, %r1;
  bra DONE;
LEAF:
  mul.lo.u32 %r6, %r1, 7;
  add.u32 %r6, %r6, 1;
DONE:
  st.param.b32 [result], %r6;
  ret;
}
)";

// %r1: thread, %r2: x, %r3: acc, %r4: fuel.
std::string Write(const std::vector<Block>& program, uint32_t fuel) {
  std::string text = absl::StrCat(R"(
  mov.u32 %r1, %tid.x;
  ld.global.u32 %r10, [%rd1];
  mad.lo.u32 %r2, %r1, 2654435761, %r10;
  mov.u32 %r3, 0;
  mov.u32 %r4, )",
                                  fuel, ";\n");
  for (size_t i = 0; i < program.size(); ++i) {
    const Block& block = program[i];
    absl::StrAppend(&text, "B", i, ":\n  setp.eq.u32 %p1, %r4, 0;\n  @%p1 bra END;\n",
                    "  sub.u32 %r4, %r4, 1;\n  mad.lo.u32 %r2, %r2, ", block.multiplier, ", ",
                    block.addend, ";\n  shf.l.wrap.b32 %r3, %r3, %r3, 1;\n",
                    "  xor.b32 %r3, %r3, %r2;\n  shr.u32 %r5, %r2, ", block.bit, ";\n");
    const auto target = [&](int k) { return absl::StrCat("B", block.targets[k]); };
    switch (block.kind) {
      case Block::kJump:
        absl::StrAppend(&text, "  bra ", target(0), ";\n");
        break;
      case Block::kBranch:
        absl::StrAppend(&text, "  and.b32 %r6, %r5, 1;\n  setp.ne.u32 %p2, %r6, 0;\n  @%p2 bra ",
                        target(0), ";\n  bra ", target(1), ";\n");
        break;
      case Block::kTable:
        absl::StrAppend(&text, "  and.b32 %r6, %r5, 3;\nT", i, ": .branchtargets ", target(0), ", ",
                        target(1), ", ", target(2), ", ", target(3), ";\n  brx.idx %r6, T", i,
                        ";\n");
        break;
      case Block::kCall:
        absl::StrAppend(&text,
                        "  {\n  .param .b32 a; .param .b32 r;\n  st.param.b32 [a], %r2;\n"
                        "  call.uni (r), recurse, (a);\n  ld.param.b32 %r2, [r];\n  }\n  bra ",
                        target(0), ";\n");
        break;
      case Block::kExitIf:
        absl::StrAppend(&text,
                        "  and.b32 %r6, %r5, 63;\n  setp.ne.u32 %p2, %r6, 5;\n"
                        "  @%p2 bra ",
                        target(0), ";\n  mad.wide.u32 %rd2, %r1, 4, %rd0;\n",
                        "  st.global.u32 [%rd2], %r3;\n  exit;\n");
        break;
    }
  }
  return text + "END:\n  mad.wide.u32 %rd2, %r1, 4, %rd0;\n  st.global.u32 [%rd2], %r3;\n";
}

TEST(Divergence, RandomProgramsDoWhatEachThreadWouldAlone) {
  for (int seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    const std::vector<Block> program = RandomProgram(random, 2 + seed % 23);
    const uint32_t fuel = 20 + random() % 400;
    TestModule module(TestModule::Kernel(Write(program, fuel), kRecurse));
    const uint32_t salt = random();
    uint32_t* in = module.Allocate(std::vector<uint32_t>{salt});
    constexpr int kThreads = 80;
    uint32_t* out = module.Allocate<uint32_t>(kThreads);
    const std::optional<Fault> fault = module.Launch("k", Dim3{1}, Dim3{kThreads}, out, in);
    ASSERT_FALSE(fault.has_value()) << seed << ": " << fault->ToString();
    for (uint32_t i = 0; i < kThreads; ++i) {
      ASSERT_EQ(out[i], Interpret(program, i * 2654435761u + salt, fuel))
          << "seed " << seed << ", thread " << i;
    }
  }
}

// A lock that each thread of a warp takes in turn: who holds it must get on
// although 31 others go round and round before it in the code.
TEST(Divergence, ALockWithinAWarpIsPassedOn) {
  TestModule module(TestModule::Kernel(R"(
SPIN:
  atom.global.cas.b32 %r1, [%rd1], 0, 1;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra SPIN;
  ld.volatile.global.u32 %r2, [%rd0];
  add.u32 %r2, %r2, 1;
  st.volatile.global.u32 [%rd0], %r2;
  membar.gl;
  atom.global.exch.b32 %r3, [%rd1], 0;
)"));
  module.config.time_limit = absl::Seconds(60);
  uint32_t* lock = module.Allocate<uint32_t>(1);
  uint32_t* count = module.Allocate<uint32_t>(1);
  const std::optional<Fault> fault = module.Launch("k", Dim3{4}, Dim3{128}, count, lock);
  ASSERT_FALSE(fault.has_value()) << fault->ToString();
  EXPECT_EQ(*count, 4u * 128);
}

// The same without an atomic operation in the loop that waits: lane 0 sets a
// flag that the others read.
TEST(Divergence, AFlagOfAnotherLaneIsSeen) {
  TestModule module(TestModule::Kernel(R"(
  mov.u32 %r1, %laneid;
  setp.eq.u32 %p1, %r1, 31;
  @%p1 bra SET;
WAIT:
  ld.global.u32 %r2, [%rd1];
  setp.eq.u32 %p2, %r2, 0;
  @%p2 bra WAIT;
  bra DONE;
SET:
  st.global.u32 [%rd1], 7;
DONE:
  mad.wide.u32 %rd2, %r1, 4, %rd0;
  ld.global.u32 %r3, [%rd1];
  st.global.u32 [%rd2], %r3;
)"));
  module.config.time_limit = absl::Seconds(60);
  uint32_t* flag = module.Allocate<uint32_t>(1);
  uint32_t* out = module.Allocate<uint32_t>(32);
  const std::optional<Fault> fault = module.Launch("k", Dim3{1}, Dim3{32}, out, flag);
  ASSERT_FALSE(fault.has_value()) << fault->ToString();
  for (int i = 0; i < 32; ++i) EXPECT_EQ(out[i], 7u);
}

// Blocks of an ordinary launch that wait for later ones, as a grid barrier
// without a cooperative launch does where the grid fits the device.
TEST(Divergence, BlocksThatWaitForLaterOnesGetThem) {
  TestModule module(TestModule::Kernel(R"(
  mov.u32 %r1, %tid.x;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra GO;
  red.global.add.u32 [%rd1], 1;
WAIT:
  ld.acquire.gpu.global.u32 %r2, [%rd1];
  mov.u32 %r3, %nctaid.x;
  setp.lt.u32 %p2, %r2, %r3;
  @%p2 bra WAIT;
GO:
  bar.sync 0;
  red.global.add.u32 [%rd0], 1;
)"));
  module.config.time_limit = absl::Seconds(60);
  for (int workers : {1, 3}) {
    module.config.workers = workers;
    uint32_t* arrived = module.Allocate<uint32_t>(1);
    uint32_t* count = module.Allocate<uint32_t>(1);
    const std::optional<Fault> fault = module.Launch("k", Dim3{24}, Dim3{96}, count, arrived);
    ASSERT_FALSE(fault.has_value()) << fault->ToString();
    EXPECT_EQ(*count, 24u * 96);
  }
}

TEST(Divergence, AnEndlessLoopMeetsTheTimeLimit) {
  TestModule module(TestModule::Kernel("L: bra L;"));
  module.config.time_limit = absl::Milliseconds(30);
  uint32_t* out = module.Allocate<uint32_t>(1);
  const std::optional<Fault> fault = module.Launch("k", Dim3{2}, Dim3{64}, out, out);
  ASSERT_TRUE(fault.has_value());
  EXPECT_EQ(fault->kind, FaultKind::kTimeout);
  EXPECT_EQ(fault->ToString(), "k: the kernel ran longer than its time limit of 30ms");
}

}  // namespace
}  // namespace warpyard::emulator
