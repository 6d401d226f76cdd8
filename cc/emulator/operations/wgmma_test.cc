// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// One product of a warpgroup, with its operands in every layout of shared memory
// and in registers, against sums of integers.
#include "cc/emulator/operations/wgmma.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cc/emulator/operations/shared_matrix.h"
#include "cc/emulator/testing/run_ptx.h"
#include "cc/numerics/small_float.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::emulator {
namespace {

using ::testing::HasSubstr;

constexpr uint32_t kSharedStart = 1024;  // of `data`: behind what the system reserves
constexpr int kM = 64, kN = 16, kK = 16;

uint64_t Descriptor(uint32_t address, uint32_t leading, uint32_t stride, uint64_t swizzle) {
  return address >> 4 | uint64_t{leading >> 4} << 16 | uint64_t{stride >> 4} << 32 | swizzle << 62;
}

// How an operand lies: of 16-bit elements, `rows` (M or N) by 16 (K).
struct Layout {
  bool mn_major;
  uint64_t swizzle;  // of the descriptor: 0 none, 1 128 bytes, 2 64, 3 32
};

// Places of elements as the CUDA documentation of swizzles has it: rows of the
// span's length, whose 16-byte chunks are exclusive-or'ed with the row number.
struct Placed {
  uint32_t leading, stride;
  uint32_t bytes;
};
uint32_t PlaceOf(const Layout& layout, int rows, int row, int k, Placed* placed) {
  const int major = layout.mn_major ? row : k;  // along the contiguous direction
  const int minor = layout.mn_major ? k : row;
  const int major_size = layout.mn_major ? rows : kK;
  const int minor_size = layout.mn_major ? kK : rows;
  const int span = layout.swizzle == 0 ? 16 : 256 >> layout.swizzle;
  const int per_span = span / 2;
  const int minor_groups = minor_size / 8;
  // Spans along the major direction are panels of all minor rows.
  const int panel = major / per_span, chunk = major % per_span / 8;
  const int in_panel = minor % 8;
  const int atom = span * 8;
  const uint32_t panel_bytes = static_cast<uint32_t>(atom * minor_groups);
  const int mixed = chunk ^ (in_panel * span / 128 % (span / 16));
  placed->stride = static_cast<uint32_t>(atom);
  placed->leading = panel_bytes;
  placed->bytes = panel_bytes * static_cast<uint32_t>((major_size + per_span - 1) / per_span);
  if (layout.swizzle == 0 && layout.mn_major) std::swap(placed->leading, placed->stride);
  return static_cast<uint32_t>(panel) * panel_bytes + static_cast<uint32_t>(minor / 8 * atom) +
         static_cast<uint32_t>(in_panel * span + mixed * 16 + major % 8 * 2);
}

// PTX that copies 8192 bytes of input to `data`, multiplies, and writes D.
std::string Kernel(std::string_view a, uint64_t a_descriptor, uint64_t b_descriptor,
                   std::string_view wait, std::string_view tail = ", 1, 1, 1, ") {
  std::string ptx =
      "mov.u32 %r0, %tid.x;\nmov.u32 %r1, %r0;\nfill:\nmul.wide.u32 %rd2, %r1, 4;\n"
      "add.s64 %rd3, %rd1, %rd2;\nld.global.u32 %r2, [%rd3];\nmov.u32 %r3, data;\n"
      "mad.lo.u32 %r3, %r1, 4, %r3;\nst.shared.u32 [%r3], %r2;\nadd.u32 %r1, %r1, 128;\n"
      "setp.lt.u32 %p1, %r1, 2048;\n@%p1 bra fill;\nbar.sync 0;\n";
  absl::StrAppend(&ptx, "mov.b64 %rd4, ", a_descriptor, ";\nmov.b64 %rd5, ", b_descriptor,
                  ";\nsetp.eq.u32 %p2, 0, 0;\n");
  for (int i = 0; i < 8; ++i) absl::StrAppend(&ptx, "mov.f32 %f", i, ", 0f3f800000;\n");
  absl::StrAppend(&ptx, a == "%rd4" ? "" : a);
  absl::StrAppend(&ptx,
                  "wgmma.fence.sync.aligned;\n"
                  "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 "
                  "{%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}, ",
                  a == "%rd4" ? "%rd4" : "{%r10, %r11, %r12, %r13}", ", %rd5", ", %p2, 1, 1, ",
                  tail, ";\nwgmma.commit_group.sync.aligned;\n", wait);
  absl::StrAppend(&ptx,
                  "mul.wide.u32 %rd6, %r0, 32;\nadd.s64 %rd7, %rd0, %rd6;\n"
                  "st.global.v4.f32 [%rd7], {%f0, %f1, %f2, %f3};\n"
                  "st.global.v4.f32 [%rd7+16], {%f4, %f5, %f6, %f7};\n");
  return TestModule::Kernel(ptx, ".shared .align 1024 .b8 data[8192];\n");
}

struct Operands {
  std::vector<int> a, b;
  std::vector<uint16_t> memory = std::vector<uint16_t>(4096);
  Placed a_placed, b_placed;
};

Operands Make(const Layout& a, const Layout& b) {
  Operands made;
  std::mt19937 random(5);
  for (int i = 0; i < kM * kK; ++i) made.a.push_back(static_cast<int>(random() % 17) - 8);
  for (int i = 0; i < kN * kK; ++i) made.b.push_back(static_cast<int>(random() % 17) - 8);
  for (int row = 0; row < kM; ++row) {
    for (int k = 0; k < kK; ++k) {
      made.memory[PlaceOf(a, kM, row, k, &made.a_placed) / 2] =
          static_cast<uint16_t>(EncodeFloat(kF16, made.a[row * kK + k]));
    }
  }
  for (int row = 0; row < kN; ++row) {
    for (int k = 0; k < kK; ++k) {
      made.memory[(4096 + PlaceOf(b, kN, row, k, &made.b_placed)) / 2] =
          static_cast<uint16_t>(EncodeFloat(kF16, made.b[row * kK + k]));
    }
  }
  return made;
}

std::vector<float> Run128(const std::string& ptx, const Operands& operands) {
  TestModule module(ptx);
  uint16_t* in = module.Allocate(operands.memory);
  float* out = module.Allocate<float>(1024);
  const auto fault = module.Launch("k", {1, 1, 1}, {128, 1, 1}, out, in);
  EXPECT_FALSE(fault.has_value()) << fault->ToString();
  return std::vector<float>(out, out + 1024);
}

// D as the manual's figure of the accumulator has it.
void ExpectProduct(const std::vector<float>& out, const Operands& operands) {
  for (int thread = 0; thread < 128; ++thread) {
    for (int i = 0; i < 8; ++i) {
      const int row = thread / 32 * 16 + thread % 32 / 4 + (i / 2 % 2) * 8;
      const int column = i / 4 * 8 + thread % 4 * 2 + i % 2;
      int sum = 1;
      for (int k = 0; k < kK; ++k) sum += operands.a[row * kK + k] * operands.b[column * kK + k];
      ASSERT_EQ(out[thread * 8 + i], static_cast<float>(sum)) << thread << " " << i;
    }
  }
}

TEST(WgmmaTest, EverySwizzleInBothMajors) {
  for (uint64_t a_swizzle : {0, 1, 2, 3}) {
    for (uint64_t b_swizzle : {0, 3, 2, 1}) {
      for (bool a_mn : {false, true}) {
        for (bool b_mn : {false, true}) {
          // A span along N must hold whole columns: 16 of them are 32 bytes.
          if (b_mn && (b_swizzle == 1 || b_swizzle == 2)) continue;
          SCOPED_TRACE(absl::StrCat(a_swizzle, b_swizzle, a_mn, b_mn));
          const Operands operands = Make({a_mn, a_swizzle}, {b_mn, b_swizzle});
          const uint64_t a = Descriptor(kSharedStart, operands.a_placed.leading,
                                        operands.a_placed.stride, a_swizzle);
          const uint64_t b = Descriptor(kSharedStart + 4096, operands.b_placed.leading,
                                        operands.b_placed.stride, b_swizzle);
          if (operands.a_placed.bytes > 4096 && !a_mn) continue;  // rows wider than the operand
          const auto out = Run128(Kernel("%rd4", a, b, "wgmma.wait_group.sync.aligned 0;\n",
                                         absl::StrCat(a_mn ? 1 : 0, ", ", b_mn ? 1 : 0)),
                                  operands);
          ExpectProduct(out, operands);
        }
      }
    }
  }
}

TEST(WgmmaTest, AccumulatorsAreNanBeforeTheWait) {
  const Layout plain = {false, 0};
  const Operands operands = Make(plain, plain);
  const uint64_t a =
      Descriptor(kSharedStart, operands.a_placed.leading, operands.a_placed.stride, 0);
  const uint64_t b =
      Descriptor(kSharedStart + 4096, operands.b_placed.leading, operands.b_placed.stride, 0);
  for (float value : Run128(Kernel("%rd4", a, b, "", "0, 0"), operands)) {
    ASSERT_TRUE(std::isnan(value));
  }
  for (float value :
       Run128(Kernel("%rd4", a, b, "wgmma.wait_group.sync.aligned 1;\n", "0, 0"), operands)) {
    ASSERT_TRUE(std::isnan(value));
  }
}

TEST(WgmmaTest, CopiesOfAccumulatorsGetTheirValues) {
  const Layout plain = {false, 0};
  const Operands operands = Make(plain, plain);
  const uint64_t a =
      Descriptor(kSharedStart, operands.a_placed.leading, operands.a_placed.stride, 0);
  const uint64_t b =
      Descriptor(kSharedStart + 4096, operands.b_placed.leading, operands.b_placed.stride, 0);
  std::string moves;
  for (int i = 0; i < 8; ++i) absl::StrAppend(&moves, "mov.f32 %f", i + 8, ", %f", i, ";\n");
  moves += "wgmma.wait_group.sync.aligned 0;\n";
  for (int i = 0; i < 8; ++i) absl::StrAppend(&moves, "mov.f32 %f", i, ", %f", i + 8, ";\n");
  ExpectProduct(Run128(Kernel("%rd4", a, b, moves, "0, 0"), operands), operands);
}

TEST(WgmmaTest, DescriptorsThatLeaveSharedMemoryAreFaults) {
  TestModule module(Kernel("%rd4", Descriptor(0x3fff0, 128, 256, 0),
                           Descriptor(kSharedStart, 128, 256, 0),
                           "wgmma.wait_group.sync.aligned 0;\n", "0, 0"));
  uint16_t* in = module.Allocate<uint16_t>(4096);
  float* out = module.Allocate<float>(1024);
  const auto fault = module.Launch("k", {1, 1, 1}, {128, 1, 1}, out, in);
  ASSERT_TRUE(fault.has_value());
  EXPECT_THAT(fault->ToString(), HasSubstr("outside of the block's 8192 bytes"));
}

TEST(WgmmaTest, Sm100DescriptorsSayWhatIsWrong) {
  EXPECT_FALSE(DecodeSm100Descriptor(0).ok());
  EXPECT_TRUE(DecodeSm100Descriptor(uint64_t{1} << 46 | uint64_t{2} << 61).ok());
  EXPECT_THAT(DecodeSm100Descriptor(uint64_t{1} << 46 | uint64_t{3} << 61).status().message(),
              HasSubstr("swizzle mode 3"));
}

}  // namespace
}  // namespace warpyard::emulator
