// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/execution/profile.h"

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "cc/emulator/testing/run_ptx.h"
#include "gtest/gtest.h"

namespace warpyard::emulator {
namespace {

Profile Of(const std::string& body) {
  TestModule module(TestModule::Kernel(body));
  uint32_t* memory = module.Allocate<uint32_t>(64 * 64);
  Profile profile;
  module.config.observer = &profile;
  const std::optional<Fault> fault = module.Launch("k", Dim3{2}, Dim3{64}, memory, memory);
  EXPECT_FALSE(fault.has_value()) << fault->ToString();
  return profile;
}

// A load of 4 bytes by each lane, `stride` bytes apart.
Profile Strided(int stride) {
  return Of(absl::StrCat("mov.u32 %r1, %laneid;\nmad.wide.u32 %rd2, %r1, ", stride,
                         ", %rd0;\nld.global.u32 %r2, [%rd2];\n"));
}

TEST(Profile, CountsSectors) {
  // Four warps, one load each.
  EXPECT_EQ(Strided(4).global_sectors, 4u * 4);
  EXPECT_EQ(Strided(4).global.load_requests, 4u);
  EXPECT_EQ(Strided(4).global.load_bytes, 4u * 128);
  EXPECT_EQ(Strided(0).sectors_per_request(), 1);
  EXPECT_EQ(Strided(8).sectors_per_request(), 8);
  EXPECT_EQ(Strided(32).sectors_per_request(), 32);
  EXPECT_EQ(Strided(128).sectors_per_request(), 32);
}

Profile Shared(const std::string& load, int stride) {
  return Of(absl::StrCat(".shared .align 16 .b8 tile[8192];\nmov.u32 %r1, %laneid;\n",
                         "mov.u32 %r2, tile;\nmad.lo.u32 %r3, %r1, ", stride, ", %r2;\n", load));
}

TEST(Profile, CountsBankConflicts) {
  const std::string word = "ld.shared.u32 %r4, [%r3];";
  EXPECT_EQ(Shared(word, 4).shared_conflicts, 0u);
  EXPECT_EQ(Shared(word, 0).shared_conflicts, 0u);  // a broadcast
  EXPECT_EQ(Shared(word, 8).shared_conflicts, 4u * 1);
  EXPECT_EQ(Shared(word, 128).shared_conflicts, 4u * 31);
  EXPECT_EQ(Shared(word, 132).shared_conflicts, 0u);
  const std::string quad = "ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r3];";
  EXPECT_EQ(Shared(quad, 16).shared_conflicts, 0u);
  EXPECT_EQ(Shared(quad, 16).shared_rounds, 4u * 4);
}

TEST(Profile, CountsInstructionsBarriersAndDivergence) {
  const Profile profile = Of(R"(
  mov.u32 %r1, %tid.x;
  and.b32 %r2, %r1, 1;
  setp.eq.u32 %p1, %r2, 0;
  @%p1 bra EVEN;
  add.u32 %r3, %r1, 1;
  add.u32 %r3, %r3, 1;
EVEN:
  bar.sync 0;
)");
  EXPECT_EQ(profile.launches, 1u);
  EXPECT_EQ(profile.blocks, 2u);
  EXPECT_EQ(profile.barriers, 2u);
  EXPECT_EQ(profile.divergent_instructions, 4u * 2);
  // and, add, add in four warps.
  EXPECT_EQ(profile.instructions[static_cast<int>(OperationClass::kInteger)], 4u * 3);
  EXPECT_EQ(profile.lanes[static_cast<int>(OperationClass::kInteger)], 4u * (32 + 16 + 16));
  EXPECT_NE(profile.ToString().find("1 launches, 2 blocks"), std::string::npos);
}

}  // namespace
}  // namespace warpyard::emulator
