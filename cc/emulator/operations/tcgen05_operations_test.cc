// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
#include "cc/emulator/operations/tcgen05_operations.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cc/emulator/operations/tcgen05_mma.h"
#include "cc/emulator/testing/run_ptx.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::emulator {
namespace {

using ::testing::HasSubstr;

// A kernel for sm_100a of four warps. %r1: address of 64 columns; `body` may write %r40
// and on; %r0 is the thread, %r2 the address with the warp's first lane.
std::string Kernel(const std::string& body, bool free = true) {
  std::string ptx = TestModule::Kernel(
      absl::StrCat("mov.u32 %r0, %tid.x;\nsetp.lt.u32 %p1, %r0, 32;\n@!%p1 bra allocated;\n"
                   "mov.u32 %r3, place;\n"
                   "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r3], 64;\n"
                   "allocated:\nbar.sync 0;\nld.shared.u32 %r1, [place];\n"
                   "and.b32 %r4, %r0, 96;\nshl.b32 %r4, %r4, 16;\nadd.u32 %r2, %r1, %r4;\n",
                   body, "bar.sync 0;\n",
                   free ? "@!%p1 bra freed;\n"
                          "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 64;\nfreed:\n"
                        : ""),
      ".shared .align 16 .b8 place[16];\n.shared .align 16 .b8 response[16];\n"
      ".shared .align 8 .b64 barrier;\n");
  ptx.replace(ptx.find("sm_90a"), 6, "sm_100a");
  return ptx;
}

std::optional<Fault> Launch(const std::string& ptx, std::vector<uint32_t>* out) {
  TestModule module(ptx, "b200");
  uint32_t* memory = module.Allocate<uint32_t>(512);
  const auto fault = module.Launch("k", {1, 1, 1}, {128, 1, 1}, memory, memory);
  out->assign(memory, memory + 512);
  return fault;
}

constexpr char kStore[] =
    "mul.wide.u32 %rd2, %r0, 16;\nadd.s64 %rd3, %rd0, %rd2;\n"
    "st.global.v4.u32 [%rd3], {%r40, %r41, %r42, %r43};\n";

TEST(Tcgen05Test, WhatIsStoredIsLoadedInAnotherShape) {
  // Each thread writes 1000 * thread + column to its lane.
  std::string body = "mul.lo.u32 %r10, %r0, 1000;\n";
  for (int i = 0; i < 8; ++i) absl::StrAppend(&body, "add.u32 %r", 11 + i, ", %r10, ", i, ";\n");
  body +=
      "tcgen05.st.sync.aligned.32x32b.x8.b32 [%r2], {%r11, %r12, %r13, %r14, %r15, %r16, %r17, "
      "%r18};\ntcgen05.wait::st.sync.aligned;\n"
      "tcgen05.ld.sync.aligned.16x256b.x1.b32 {%r40, %r41, %r42, %r43}, [%r2];\n"
      "tcgen05.wait::ld.sync.aligned;\n";
  std::vector<uint32_t> out;
  const auto fault = Launch(Kernel(body + kStore), &out);
  ASSERT_FALSE(fault.has_value()) << fault->ToString();
  for (uint32_t thread = 0; thread < 128; ++thread) {
    for (uint32_t i = 0; i < 4; ++i) {
      // As an accumulator of mma: rows l / 4 and 8 more, columns 2 (l % 4) and the next.
      const uint32_t lane = thread / 32 * 32 + thread % 32 / 4 + i / 2 * 8;
      EXPECT_EQ(out[thread * 4 + i], lane * 1000 + thread % 4 * 2 + i % 2);
    }
  }
}

TEST(Tcgen05Test, StoresAreThereAfterTheirWaitAlone) {
  const std::string body =
      "mov.u32 %r10, 5;\ntcgen05.st.sync.aligned.32x32b.x1.b32 [%r2], {%r10};\n"
      "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r40}, [%r2];\ntcgen05.wait::ld.sync.aligned;\n"
      "tcgen05.wait::st.sync.aligned;\n"
      "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r41}, [%r2];\ntcgen05.wait::ld.sync.aligned;\n"
      "mov.u32 %r42, 0;\nmov.u32 %r43, 0;\n";
  std::vector<uint32_t> out;
  const auto fault = Launch(Kernel(body + kStore), &out);
  ASSERT_FALSE(fault.has_value()) << fault->ToString();
  EXPECT_EQ(out[0], 0xffffffffu);
  EXPECT_EQ(out[1], 5u);
}

TEST(Tcgen05Test, WrongUsesAreFaults) {
  std::vector<uint32_t> out;
  auto fault = Launch(Kernel("", /*free=*/false), &out);
  ASSERT_TRUE(fault.has_value());
  EXPECT_THAT(fault->ToString(), HasSubstr("64 columns of tensor memory allocated"));
  fault = Launch(Kernel("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r40}, [%r1];\n"), &out);
  ASSERT_TRUE(fault.has_value());
  EXPECT_THAT(fault->ToString(), HasSubstr("tensor memory lane 0; warp "));
  fault = Launch(Kernel("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r40}, [%r2+64];\n"), &out);
  ASSERT_TRUE(fault.has_value());
  EXPECT_THAT(fault->ToString(), HasSubstr("not all allocated"));
}

TEST(Tcgen05Test, ShapesCoverTheirCellsOnce) {
  for (const auto& [shape, lanes, columns] :
       {std::tuple<TensorShape, uint32_t, uint32_t>{TensorShape::k32x32b, 32, 4},
        {TensorShape::k16x64b, 16, 8},
        {TensorShape::k16x128b, 16, 16},
        {TensorShape::k16x256b, 16, 32},
        {TensorShape::k16x32bx2, 16, 8}}) {
    std::set<std::pair<uint32_t, uint32_t>> seen;
    for (int r = 0; r < 4 * RegistersOf(shape); ++r) {
      for (int thread = 0; thread < 32; ++thread) {
        const TensorCell cell = CellOf(shape, thread, r, 4);
        EXPECT_LT(cell.lane, lanes);
        EXPECT_LT(cell.column, columns);
        EXPECT_TRUE(seen.emplace(cell.lane, cell.column).second);
      }
    }
    EXPECT_EQ(seen.size(), lanes * columns);
  }
}

TEST(Tcgen05Test, InstructionDescriptors) {
  // As gemm_tcgen05.cu makes it: f32, bf16, N 256, M 128.
  const uint32_t good = 1 << 4 | 1 << 7 | 1 << 10 | 256 / 8 << 17 | 128 / 16 << 24;
  const auto form = DecodeInstructionDescriptor(Tcgen05Kind::kF16, good, 0, 1);
  ASSERT_TRUE(form.ok()) << form.status();
  EXPECT_EQ(form->m, 128);
  EXPECT_EQ(form->n, 256);
  EXPECT_EQ(form->k, 16);
  EXPECT_EQ(form->a, MmaType::kBf16);
  EXPECT_FALSE(DecodeInstructionDescriptor(Tcgen05Kind::kTf32, good, 0, 1).ok());
  EXPECT_THAT(
      DecodeInstructionDescriptor(Tcgen05Kind::kF16, good | 1 << 24, 0, 1).status().message(),
      HasSubstr("M is 144"));
}

TEST(Tcgen05Test, NoClusterIsGivenAway) {
  const std::string body =
      "setp.ne.u32 %p2, %r0, 0;\n@%p2 bra asked;\n"
      "mbarrier.init.shared::cta.b64 [barrier], 1;\n"
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [barrier], 16;\n"
      "mov.u32 %r5, response;\nmov.u32 %r6, barrier;\n"
      "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 "
      "[%r5], [%r6];\nagain:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 %p3, [barrier], 0;\n@!%p3 bra again;\nasked:\n"
      "bar.sync 0;\nld.shared.b128 %b0, [response];\n"
      "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p4, %b0;\n"
      "selp.u32 %r40, 1, 2, %p4;\nmov.u32 %r41, 0;\nmov.u32 %r42, 0;\nmov.u32 %r43, 0;\n";
  std::vector<uint32_t> out;
  const auto fault = Launch(Kernel(body + kStore), &out);
  ASSERT_FALSE(fault.has_value()) << fault->ToString();
  EXPECT_EQ(out[0], 2u);
}

}  // namespace
}  // namespace warpyard::emulator
