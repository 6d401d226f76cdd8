// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
#include "cc/emulator/operations/matrix_load.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cc/emulator/testing/run_ptx.h"
#include "gtest/gtest.h"

namespace warpyard::emulator {
namespace {

// Fills 1024 bytes of `data` with 16-bit numbers 0, 1, …; %r1 is the address of row
// number lane of 16 bytes; runs `body`, then writes %r4 to %r7 of each lane.
std::vector<uint16_t> Run32(const std::string& body, std::string_view target = "sm_90a") {
  std::string ptx = TestModule::Kernel(
      absl::StrCat(
          "mov.u32 %r0, %tid.x;\nmov.u32 %r1, data;\nmad.lo.u32 %r1, %r0, 16, %r1;\n"
          "shl.b32 %r2, %r0, 3;\n",
          "mov.u32 %r8, 0;\nfill:\nadd.u32 %r9, %r2, %r8;\ncvt.u16.u32 %h0, %r9;\n"
          "mad.lo.u32 %r10, %r8, 2, %r1;\nst.shared.u16 [%r10], %h0;\nadd.u32 %r8, %r8, 1;\n"
          "setp.lt.u32 %p1, %r8, 8;\n@%p1 bra fill;\nbar.sync 0;\n",
          body,
          "\nmul.wide.u32 %rd2, %r0, 16;\nadd.s64 %rd3, %rd0, %rd2;\n"
          "st.global.v4.u32 [%rd3], {%r4, %r5, %r6, %r7};\n"),
      ".shared .align 128 .b8 data[512];\n");
  if (target != "sm_90a") ptx.replace(ptx.find("sm_90a"), 6, target);
  TestModule module(ptx, target == "sm_90a" ? "h100" : "b200");
  uint16_t* out = module.Allocate<uint16_t>(256);
  const auto fault = module.Launch("k", {1, 1, 1}, {32, 1, 1}, out, out);
  EXPECT_FALSE(fault.has_value()) << fault->ToString();
  return std::vector<uint16_t>(out, out + 256);
}

// Lane l's register r holds row l / 4 of matrix r, columns 2 (l % 4) and the next;
// transposed, column l / 4 and those rows.
TEST(MatrixLoadTest, FourMatricesPlainAndTransposed) {
  const auto plain = Run32("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r4, %r5, %r6, %r7}, [%r1];");
  const auto transposed =
      Run32("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r4, %r5, %r6, %r7}, [%r1];");
  for (int lane = 0; lane < 32; ++lane) {
    for (int r = 0; r < 4; ++r) {
      for (int i = 0; i < 2; ++i) {
        const int minor = lane % 4 * 2 + i, major = lane / 4;
        EXPECT_EQ(plain[lane * 8 + r * 2 + i], r * 64 + major * 8 + minor);
        EXPECT_EQ(transposed[lane * 8 + r * 2 + i], r * 64 + minor * 8 + major);
      }
    }
  }
}

TEST(MatrixLoadTest, StoresUndoLoads) {
  for (const std::string trans : {"", ".trans"}) {
    const auto out = Run32(
        absl::StrCat("ldmatrix.sync.aligned.m8n8.x4", trans,
                     ".shared.b16 {%r4, %r5, %r6, %r7}, [%r1];\nmov.u32 %r12, 0;\nbar.sync 0;\n"
                     "st.shared.v4.u32 [%r1], {%r12, %r12, %r12, %r12};\nbar.sync 0;\n"
                     "stmatrix.sync.aligned.m8n8.x4",
                     trans,
                     ".shared.b16 [%r1], {%r4, %r5, %r6, %r7};\nbar.sync 0;\n"
                     "ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r1];"));
    for (int i = 0; i < 256; ++i) ASSERT_EQ(out[i], i);
  }
}

TEST(MatrixLoadTest, MovmatrixIsATransposedLoad) {
  const auto loaded =
      Run32("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r4, %r5, %r6, %r7}, [%r1];");
  const auto moved = Run32(
      "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r4, %r5, %r6, %r7}, [%r1];\n"
      "movmatrix.sync.aligned.m8n8.trans.b16 %r4, %r4;\n"
      "movmatrix.sync.aligned.m8n8.trans.b16 %r5, %r5;\n"
      "movmatrix.sync.aligned.m8n8.trans.b16 %r6, %r6;\n"
      "movmatrix.sync.aligned.m8n8.trans.b16 %r7, %r7;\n");
  EXPECT_EQ(loaded, moved);
}

// The places that CUTLASS documents for ldmatrix.m16n16.trans.b8.
TEST(MatrixLoadTest, ByteMatrices) {
  const auto out = Run32(
      "ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8 {%r4, %r5, %r6, %r7}, [%r1];", "sm_100a");
  const auto byte = [](int row, int column) {
    return (row * 8 + column / 2) >> (column % 2 * 8) & 255;
  };
  for (int lane = 0; lane < 32; ++lane) {
    for (int r = 0; r < 4; ++r) {
      for (int i = 0; i < 4; ++i) {
        const int row = r / 2 * 16 + lane % 4 * 4 + r % 2 * 2 + i % 2;
        const int column = lane / 4 + i / 2 * 8;
        const int found = out[lane * 8 + r * 2 + i / 2] >> (i % 2 * 8) & 255;
        ASSERT_EQ(found, byte(row, column)) << lane << " " << r << " " << i;
      }
    }
  }
}

TEST(MatrixLoadTest, PackedElementsAreUnpacked) {
  const uint8_t packed[16] = {0x21, 0x43, 0x65, 0x87, 0xa9, 0xcb, 0xed, 0x0f};
  uint8_t bytes[16];
  UnpackSixteen(4, packed, bytes);
  for (int i = 0; i < 16; ++i) EXPECT_EQ(bytes[i], (i + 1) % 16);
  const uint8_t six[16] = {0b01000001, 0b00100000, 0b00001100};  // 1, 1, 2, 3
  UnpackSixteen(6, six, bytes);
  EXPECT_EQ(bytes[0], 1);
  EXPECT_EQ(bytes[1], 1);
  EXPECT_EQ(bytes[2], 2);
  EXPECT_EQ(bytes[3], 3);
}

}  // namespace
}  // namespace warpyard::emulator
