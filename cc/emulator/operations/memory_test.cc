// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/operations/memory.h"

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cc/emulator/testing/run_ptx.h"
#include "gtest/gtest.h"

namespace warpyard::emulator {
namespace {

std::vector<uint8_t> Bytes(size_t count) {
  std::vector<uint8_t> bytes(count);
  for (size_t i = 0; i < count; ++i) bytes[i] = static_cast<uint8_t>(i * 37 + (i >> 8) * 11 + 90);
  return bytes;
}

struct LoadCase {
  const char* type;
  int bytes;
  bool is_signed;
  const char* reg;  // %h, %r or %rd
  int register_bytes;
};

// Each type in each register that may hold it, by contiguous, equal, strided and
// scattered addresses, with all lanes and with some.
TEST(Memory, LoadsEveryTypeInEveryShape) {
  const LoadCase cases[] = {
      {"u8", 1, false, "%h2", 2},   {"s8", 1, true, "%h2", 2},    {"b8", 1, false, "%r2", 4},
      {"s8", 1, true, "%r2", 4},    {"u8", 1, false, "%rd5", 8},  {"s8", 1, true, "%rd5", 8},
      {"u16", 2, false, "%h2", 2},  {"s16", 2, true, "%r2", 4},   {"b16", 2, false, "%r2", 4},
      {"s16", 2, true, "%rd5", 8},  {"u32", 4, false, "%r2", 4},  {"s32", 4, true, "%rd5", 8},
      {"u32", 4, false, "%rd5", 8}, {"f32", 4, false, "%f2", 4},  {"b64", 8, false, "%rd5", 8},
      {"s64", 8, true, "%rd5", 8},  {"f64", 8, false, "%fd2", 8},
  };
  const std::vector<uint8_t> bytes = Bytes(8192);
  for (const LoadCase& c : cases) {
    for (const int shape : {0, 1, 2, 3}) {
      for (const bool strong : {false, true}) {
        for (const char* space : {"", ".global"}) {
          // Element index by lane: contiguous, equal, step of 3, scattered.
          const char* index[] = {"mov.u32 %r3, %r1;", "mov.u32 %r3, 5;", "mul.lo.u32 %r3, %r1, 3;",
                                 "mul.lo.u32 %r3, %r1, 2654435761;\nshr.u32 %r3, %r3, 23;"};
          const std::string type =
              absl::StrCat("ld", strong ? ".volatile" : "", space, ".", c.type, " ", c.reg);
          TestModule module(TestModule::Kernel(absl::StrCat(
              "mov.u32 %r1, %tid.x;\n", index[shape], "\nmad.wide.u32 %rd2, %r3, ", c.bytes,
              ", %rd1;\n", "setp.eq.u32 %p1, %r1, 40;\n@%p1 bra OUT;\n",  // one lane of warp 1
              type, ", [%rd2+", c.bytes * 2, "];\n", "mad.wide.u32 %rd3, %r1, 8, %rd0;\n",
              "st.global.b", c.register_bytes * 8, " [%rd3], ", c.reg, ";\nOUT:\n")));
          const uint8_t* in = module.Allocate(bytes);
          uint64_t* out = module.Allocate<uint64_t>(64);
          const std::optional<Fault> fault = module.Launch("k", Dim3{1}, Dim3{64}, out, in);
          ASSERT_FALSE(fault.has_value()) << fault->ToString();
          for (uint32_t i = 0; i < 64; ++i) {
            const uint32_t at = (shape == 0   ? i
                                 : shape == 1 ? 5
                                 : shape == 2 ? i * 3
                                              : i * 2654435761u >> 23) +
                                2;
            uint64_t expected = 0;
            std::memcpy(&expected, &bytes[at * c.bytes], c.bytes);
            if (c.is_signed && (expected >> (c.bytes * 8 - 1) & 1) != 0 && c.bytes < 8) {
              expected |= ~uint64_t{0} << c.bytes * 8;
            }
            if (c.register_bytes < 8) {
              expected &= (uint64_t{1} << c.register_bytes * 8) - 1;
            }
            if (i == 40) expected = 0;
            ASSERT_EQ(out[i], expected) << type << " shape " << shape << " lane " << i;
          }
        }
      }
    }
  }
}

TEST(Memory, LoadsAndStoresVectors) {
  struct Case {
    const char* what;
    int bytes;
    const char* registers;
  };
  const Case cases[] = {
      {"v2.b8", 2, "{%h1, %h2}"},
      {"v4.u8", 4, "{%r2, %r3, %r4, %r5}"},
      {"v2.u16", 4, "{%h1, %h2}"},
      {"v4.b16", 8, "{%h1, %h2, %h3, %h4}"},
      {"v2.f32", 8, "{%f1, %f2}"},
      {"v4.u32", 16, "{%r2, %r3, %r4, %r5}"},
      {"v2.f64", 16, "{%fd1, %fd2}"},
      {"v8.b32", 32, "{%r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9}"},
      {"v4.b64", 32, "{%rd4, %rd5, %rd6, %rd7}"},
      {"b128", 16, "%b1"},
  };
  const std::vector<uint8_t> bytes = Bytes(4096);
  for (const Case& c : cases) {
    for (const bool reversed : {false, true}) {
      TestModule module(TestModule::Kernel(
          absl::StrCat("mov.u32 %r1, %tid.x;\n", reversed ? "xor.b32 %r1, %r1, 21;\n" : "",
                       "mad.wide.u32 %rd2, %r1, ", c.bytes, ", %rd1;\nmad.wide.u32 %rd3, %r1, ",
                       c.bytes, ", %rd0;\n", "ld.global.", c.what, " ", c.registers,
                       ", [%rd2];\nst.global.", c.what, " [%rd3], ", c.registers, ";\n")));
      const uint8_t* in = module.Allocate(bytes);
      uint8_t* out = module.Allocate<uint8_t>(64 * c.bytes);
      const std::optional<Fault> fault = module.Launch("k", Dim3{1}, Dim3{50}, out, in);
      ASSERT_FALSE(fault.has_value()) << fault->ToString();
      for (int i = 0; i < 50 * c.bytes && !reversed; ++i) {
        ASSERT_EQ(out[i], bytes[i]) << c.what << " byte " << i;
      }
      // Whole elements moved, so what was written is what was there.
      for (int t = 0; t < 50; ++t) {
        const int element = reversed ? t ^ 21 : t;
        for (int i = 0; i < c.bytes; ++i) {
          ASSERT_EQ(out[element * c.bytes + i], bytes[element * c.bytes + i]) << c.what;
        }
      }
    }
  }
}

TEST(Memory, SharedLocalConstantAndGenericSpaces) {
  TestModule module(TestModule::Kernel(R"(
  .shared .align 16 .b8 tile[512];
  .local .align 8 .b8 own[64];
  mov.u32 %r1, %tid.x;
  // shared: written by name, read by another thread through a generic address
  mov.u32 %r2, tile;
  shl.b32 %r3, %r1, 2;
  add.u32 %r4, %r2, %r3;
  mul.lo.u32 %r5, %r1, 100;
  st.shared.u32 [%r4], %r5;
  bar.sync 0;
  xor.b32 %r6, %r3, 252;
  add.u32 %r6, %r6, %r2;
  cvt.u64.u32 %rd2, %r6;
  cvta.shared.u64 %rd3, %rd2;
  ld.u32 %r7, [%rd3];            // 100 * (63 - tid)
  isspacep.shared %p1, %rd3;
  selp.u32 %r8, 1000000, 0, %p1;
  add.u32 %r7, %r7, %r8;
  // local: an array of the thread
  mov.u64 %rd4, own;
  cvta.local.u64 %rd5, %rd4;
  st.u32 [%rd5+12], %r7;
  ld.local.u32 %r9, [own+12];
  isspacep.local %p2, %rd5;
  selp.u32 %r10, 2000000, 0, %p2;
  add.u32 %r9, %r9, %r10;
  // const
  and.b32 %r11, %r1, 3;
  mov.u64 %rd6, table;
  mad.wide.u32 %rd7, %r11, 4, %rd6;
  ld.const.u32 %r12, [%rd7];
  add.u32 %r9, %r9, %r12;
  cvta.const.u64 %rd8, %rd7;
  isspacep.const %p3, %rd8;
  isspacep.global %p4, %rd8;
  isspacep.global %p5, %rd0;
  selp.u32 %r13, 4000000, 0, %p3;
  add.u32 %r9, %r9, %r13;
  selp.u32 %r13, 8000000, 0, %p4;
  add.u32 %r9, %r9, %r13;
  selp.u32 %r13, 16000000, 0, %p5;
  add.u32 %r9, %r9, %r13;
  // a pointer in an initialiser
  ld.global.u64 %rd9, [pointer];
  ld.global.u32 %r14, [%rd9];
  add.u32 %r9, %r9, %r14;
  mad.wide.u32 %rd10, %r1, 4, %rd0;
  st.global.u32 [%rd10], %r9;
)",
                                       ".const .align 4 .u32 table[4] = {1, 2, 3, 4};\n"
                                       ".global .align 4 .u32 value[2] = {7, 50};\n"
                                       ".global .align 8 .u64 pointer = value+4;\n"));
  uint32_t* out = module.Allocate<uint32_t>(64);
  const std::optional<Fault> fault = module.Launch("k", Dim3{1}, Dim3{64}, out, out);
  ASSERT_FALSE(fault.has_value()) << fault->ToString();
  for (uint32_t i = 0; i < 64; ++i) {
    EXPECT_EQ(out[i], 100 * (63 - i) + 1000000 + 2000000 + (i & 3) + 1 + 4000000 + 16000000 + 50)
        << i;
  }
}

TEST(Memory, KernelParametersCanBeAddressed) {
  TestModule module(R"(
.version 8.7
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out, .param .align 8 .b8 data[40])
{
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd0, [out];
  mov.u32 %r1, %tid.x;
  mov.b64 %rd1, data;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.param.u32 %r2, [%rd3];
  cvta.param.u64 %rd4, %rd3;
  ld.u32 %r3, [%rd4];
  add.u32 %r2, %r2, %r3;
  add.s64 %rd5, %rd0, %rd2;
  st.global.u32 [%rd5], %r2;
  ret;
}
)");
  struct Data {
    uint32_t values[10];
  } data;
  for (int i = 0; i < 10; ++i) data.values[i] = 1000 + i * i;
  uint32_t* out = module.Allocate<uint32_t>(10);
  std::optional<Fault> fault = module.Launch("k", Dim3{1}, Dim3{10}, out, data);
  ASSERT_FALSE(fault.has_value()) << fault->ToString();
  for (int i = 0; i < 10; ++i) EXPECT_EQ(out[i], 2 * data.values[i]);
  fault = module.Launch("k", Dim3{1}, Dim3{11}, out, data);
  ASSERT_TRUE(fault.has_value());
  EXPECT_EQ(fault->kind, FaultKind::kIllegalAddress);
}

TEST(Memory, StackPointersComeAndGo) {
  TestModule module(TestModule::Kernel(R"(
  mov.u32 %r1, %tid.x;
  stacksave.u64 %rd2;
  add.u32 %r2, %r1, 1;
  mul.wide.u32 %rd3, %r2, 16;
  alloca.u64 %rd4, %rd3, 16;
  st.local.u32 [%rd4], %r1;
  alloca.u64 %rd5, 8;
  st.local.u32 [%rd5], 77;
  ld.local.u32 %r3, [%rd4];
  stackrestore.u64 %rd2;
  stacksave.u64 %rd6;
  sub.u64 %rd7, %rd6, %rd2;
  cvt.u32.u64 %r4, %rd7;
  add.u32 %r3, %r3, %r4;
  mad.wide.u32 %rd8, %r1, 4, %rd0;
  st.global.u32 [%rd8], %r3;
)"));
  uint32_t* out = module.Allocate<uint32_t>(96);
  const std::optional<Fault> fault = module.Launch("k", Dim3{1}, Dim3{96}, out, out);
  ASSERT_FALSE(fault.has_value()) << fault->ToString();
  for (uint32_t i = 0; i < 96; ++i) EXPECT_EQ(out[i], i);
}

struct FaultCase {
  const char* body;
  FaultKind kind;
  const char* text;
};

TEST(Memory, WrongAddressesAreTold) {
  const FaultCase cases[] = {
      {"ld.global.u32 %r2, [%rd1+2];", FaultKind::kMisalignedAddress, "misaligned read of 4 bytes"},
      {"ld.global.v4.u32 {%r2,%r3,%r4,%r5}, [%rd1+8];", FaultKind::kMisalignedAddress,
       "the address must be a multiple of 16"},
      {"ld.global.u32 %r2, [%rd1+64];", FaultKind::kIllegalAddress,
       "0 bytes past the 64-byte allocation"},
      {"ld.global.u64 %rd2, [%rd1+64];", FaultKind::kIllegalAddress, "read of 8 bytes"},
      {"mov.u64 %rd2, 0;\nld.u32 %r2, [%rd2+16];", FaultKind::kIllegalAddress, "a null pointer"},
      {".shared .b8 s[64];\nld.shared.u32 %r2, [s+64];", FaultKind::kIllegalAddress,
       "of shared memory"},
      {"mov.u32 %r2, 0;\nld.shared.u32 %r2, [%r2];", FaultKind::kIllegalAddress,
       "the block has 0 bytes"},
      {".local .b8 l[16];\nst.local.u32 [l+16], %r2;", FaultKind::kIllegalAddress,
       "the thread uses 16 bytes"},
      {"mov.u64 %rd2, c;\ncvta.const.u64 %rd3, %rd2;\nst.u32 [%rd3], %r2;",
       FaultKind::kIllegalAddress, "the memory is read-only: c"},
      {"trap;", FaultKind::kTrap, "trap"},
  };
  for (const FaultCase& c : cases) {
    TestModule module(TestModule::Kernel(c.body, ".const .u32 c = 1;\n"));
    uint32_t* in = module.Allocate<uint32_t>(16);
    const std::optional<Fault> fault = module.Launch("k", Dim3{1}, Dim3{1}, in, in);
    ASSERT_TRUE(fault.has_value()) << c.body;
    EXPECT_EQ(fault->kind, c.kind) << fault->ToString();
    EXPECT_NE(fault->ToString().find(c.text), std::string::npos) << fault->ToString();
    EXPECT_NE(fault->ToString().find("by thread (0,0,0) of block (0,0,0)"), std::string::npos);
  }
}

TEST(Memory, MemoryOfAnotherDeviceNeedsPeerAccess) {
  TestModule module(TestModule::Kernel("ld.global.u32 %r2, [%rd1];\nst.global.u32 [%rd0], %r2;"));
  uint32_t* out = module.Allocate<uint32_t>(1);
  alignas(256) static uint32_t other[64] = {9};
  Allocation allocation;
  allocation.base = reinterpret_cast<uint64_t>(other);
  allocation.size = sizeof(other);
  allocation.device = 3;
  ASSERT_TRUE(module.map().Add(allocation).ok());
  module.config.reachable_devices = 1;
  std::optional<Fault> fault = module.Launch("k", Dim3{1}, Dim3{1}, out, other);
  ASSERT_TRUE(fault.has_value());
  EXPECT_NE(fault->ToString().find("memory of device 3"), std::string::npos) << fault->ToString();
  module.config.reachable_devices = 9;
  fault = module.Launch("k", Dim3{1}, Dim3{1}, out, other);
  ASSERT_FALSE(fault.has_value()) << fault->ToString();
  EXPECT_EQ(*out, 9u);
}

}  // namespace
}  // namespace warpyard::emulator
