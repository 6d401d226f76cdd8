// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/operations/atomic.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cc/emulator/testing/run_ptx.h"
#include "gtest/gtest.h"

namespace warpyard::emulator {
namespace {

// Lane i applies `operation` with operand[i] to memory[i % 4] on global and on
// shared memory, generic and not, as atom and as red. What is left, and the
// multiset of old values, must be what applying them in lane order gives.
template <typename T, typename F>
void Check(const std::string& operation, const std::string& type, const std::vector<T>& start,
           const std::vector<T>& operands, F apply) {
  const int bytes = sizeof(T);
  const std::string bits = absl::StrCat(bytes * 8);
  const std::string a = bytes == 2 ? "%h1" : bytes == 4 ? "%r10" : "%rd10";
  const std::string d = bytes == 2 ? "%h2" : bytes == 4 ? "%r11" : "%rd11";
  const std::string t = bytes == 2 ? "%h3" : bytes == 4 ? "%r12" : "%rd12";
  for (const bool shared : {false, true}) {
    for (const bool generic : {false, true}) {
      for (const bool red : {false, true}) {
        // (Some operations have no red: those with exch and cas.)
        if (red && (operation == "exch" || operation == "cas")) continue;
        const std::string space = generic ? "" : shared ? ".shared" : ".global";
        const std::string address = shared && !generic ? "%r6" : "%rd6";
        const std::string suffix =
            type == "f16" || type == "bf16" || type == "f16x2" || type == "bf16x2" ? ".noftz" : "";
        TestModule module(TestModule::Kernel(absl::StrCat(
            ".shared .align 16 .b8 cells[64];\n", "mov.u32 %r1, %tid.x;\nand.b32 %r2, %r1, 3;\n",
            "mul.lo.u32 %r3, %r2, ", bytes, ";\nmad.wide.u32 %rd2, %r2, ", bytes, ", %rd1;\n",
            "ld.global.b", bits, " ", t, ", [%rd2];\nmov.u32 %r5, cells;\n",
            "add.u32 %r6, %r5, %r3;\nst.shared.b", bits, " [%r6], ", t, ";\nbar.sync 0;\n",
            "mad.wide.u32 %rd3, %r1, ", bytes, ", %rd1;\nld.global.b", bits, " ", a,
            ", [%rd3+64];\nmov.b64 %rd6, %rd2;\n",
            shared ? "cvt.u64.u32 %rd5, %r6;\ncvta.shared.u64 %rd6, %rd5;\n" : "",
            red ? absl::StrCat("red", space, ".", operation, suffix, ".", type, " [", address,
                               "], ", a, ";\n")
                : absl::StrCat("atom", space, ".", operation, suffix, ".", type, " ", d, ", [",
                               address, "], ", a, operation == "cas" ? absl::StrCat(", ", a) : "",
                               ";\nmad.wide.u32 %rd4, %r1, ", bytes, ", %rd0;\nst.global.b", bits,
                               " [%rd4+64], ", d, ";\n"),
            "bar.sync 0;\nld.shared.b", bits, " ", t, ", [%r6];\n",
            shared ? "" : absl::StrCat("ld.global.b", bits, " ", t, ", [%rd2];\n"),
            "mad.wide.u32 %rd7, %r2, ", bytes, ", %rd0;\nst.global.b", bits, " [%rd7], ", t,
            ";\n")));
        std::vector<uint8_t> in(64 + 32 * bytes);
        std::memcpy(in.data(), start.data(), 4 * bytes);
        for (int i = 0; i < 32; ++i) {
          std::memcpy(&in[64 + i * bytes], &operands[i % operands.size()], bytes);
        }
        const uint8_t* device_in = module.Allocate(in);
        uint8_t* out = module.Allocate<uint8_t>(64 + 32 * bytes);
        const std::optional<Fault> fault = module.Launch("k", Dim3{1}, Dim3{32}, out, device_in);
        ASSERT_FALSE(fault.has_value()) << fault->ToString();
        std::vector<T> cells = start;
        for (int i = 0; i < 32; ++i) {
          T& cell = cells[i % 4];
          T old;
          std::memcpy(&old, out + 64 + i * bytes, bytes);
          if (!red) {
            ASSERT_EQ(std::memcmp(&old, &cell, bytes), 0) << operation << "." << type << " " << i;
          }
          cell = apply(cell, operands[i % operands.size()], shared);
        }
        ASSERT_EQ(std::memcmp(out, cells.data(), 4 * bytes), 0)
            << operation << "." << type << (shared ? " shared" : "") << (generic ? " generic" : "")
            << (red ? " red" : " atom");
      }
    }
  }
}

template <typename T>
void CheckIntegers(const std::string& suffix, bool bitwise) {
  using U = std::make_unsigned_t<T>;
  const std::vector<T> start = {T(0), T(-1), T(5), std::numeric_limits<T>::min()};
  const std::vector<T> operands = {T(3), T(-7), T(1), std::numeric_limits<T>::max(), T(0), T(12)};
  if (bitwise) {
    const std::string b = "b" + suffix.substr(1);
    Check<T>("and", b, start, operands, [](T a, T x, bool) { return T(a & x); });
    Check<T>("or", b, start, operands, [](T a, T x, bool) { return T(a | x); });
    Check<T>("xor", b, start, operands, [](T a, T x, bool) { return T(a ^ x); });
    Check<T>("exch", b, start, operands, [](T, T x, bool) { return x; });
    Check<T>("cas", b, start, operands, [](T a, T x, bool) { return a == x ? x : a; });
  }
  Check<T>("add", suffix, start, operands, [](T a, T x, bool) { return T(U(a) + U(x)); });
  Check<T>("min", suffix, start, operands, [](T a, T x, bool) { return std::min(a, x); });
  Check<T>("max", suffix, start, operands, [](T a, T x, bool) { return std::max(a, x); });
}

TEST(Atomic, Integers) {
  CheckIntegers<uint32_t>("u32", true);
  CheckIntegers<int32_t>("s32", false);
  CheckIntegers<uint64_t>("u64", true);
  CheckIntegers<int64_t>("s64", false);
  const std::vector<uint32_t> start = {0, 5, 1000, 7};
  const std::vector<uint32_t> limits = {6, 6, 6, 8, 2};
  Check<uint32_t>("inc", "u32", start, limits,
                  [](uint32_t a, uint32_t b, bool) { return a >= b ? 0 : a + 1; });
  Check<uint32_t>("dec", "u32", start, limits,
                  [](uint32_t a, uint32_t b, bool) { return a == 0 || a > b ? b : a - 1; });
  const std::vector<uint16_t> small = {1, 2, 65535, 0};
  Check<uint16_t>("cas", "b16", small, {1, 3, 65535},
                  [](uint16_t a, uint16_t x, bool) { return a == x ? x : a; });
}

TEST(Atomic, Floats) {
  const float tiny = std::numeric_limits<float>::denorm_min();
  const auto flushed = [](float x) {
    return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x;
  };
  Check<float>("add", "f32", {0.0f, tiny * 3, 1.5f, -1e30f},
               {1.25f, tiny, -tiny, 3e20f, 0.1f, std::numeric_limits<float>::min(), -2.0f},
               // PTX ISA, "atom": on global memory subnormals are flushed, on
               // shared memory they are not.
               [&](float a, float x, bool shared) {
                 return shared ? a + x : flushed(flushed(a) + flushed(x));
               });
  Check<double>("add", "f64", {0.0, 1e300, -0.5, 5e-324}, {0.1, 3.0, 5e-324, -1e299},
                [](double a, double x, bool) { return a + x; });
}

uint16_t Bf16(float x) {  // of values that are exact
  return static_cast<uint16_t>(std::bit_cast<uint32_t>(x) >> 16);
}
float FromBf16(uint16_t h) { return std::bit_cast<float>(uint32_t{h} << 16); }

TEST(Atomic, HalfPrecision) {
  // bf16 by rounding the float sum to nearest, ties to even.
  const auto add = [](uint16_t a, uint16_t b, bool) {
    const uint32_t bits = std::bit_cast<uint32_t>(FromBf16(a) + FromBf16(b));
    return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  };
  Check<uint16_t>("add", "bf16", {Bf16(0.0f), Bf16(256.0f), Bf16(-1.5f), Bf16(0.125f)},
                  {Bf16(1.0f), Bf16(0.5f), Bf16(-3.0f), Bf16(0.0078125f)}, add);
  Check<uint32_t>("add", "bf16x2", {0u, 0x3f803f80u, 0x43800000u, 0x00003f00u},
                  {0x3f803f00u, 0xbf803f80u, 0x40003c00u}, [&](uint32_t a, uint32_t b, bool) {
                    return add(a & 0xffff, b & 0xffff, false) |
                           uint32_t{add(a >> 16, b >> 16, false)} << 16;
                  });
  // f16 with small integers: sums are exact.
  const auto f16 = [](int x) {  // 0 <= x < 2048
    if (x == 0) return uint16_t{0};
    const int exponent = std::bit_width(static_cast<unsigned>(x)) - 1;
    return static_cast<uint16_t>((exponent + 15) << 10 | ((x << 10 >> exponent) & 0x3ff));
  };
  const auto value = [](uint16_t h) {
    return h == 0 ? 0 : ((h & 0x3ff) | 0x400) << ((h >> 10) - 15) >> 10;
  };
  const auto add_f16 = [&](uint16_t a, uint16_t b, bool) { return f16(value(a) + value(b)); };
  Check<uint16_t>("add", "f16", {f16(0), f16(1), f16(100), f16(7)}, {f16(3), f16(50), f16(1)},
                  add_f16);
  Check<uint32_t>("add", "f16x2", {0u, uint32_t{f16(9)} << 16 | f16(2), 0u, 0u},
                  {uint32_t{f16(1)} << 16 | f16(20), uint32_t{f16(4)}},
                  [&](uint32_t a, uint32_t b, bool) {
                    return add_f16(a & 0xffff, b & 0xffff, false) |
                           uint32_t{add_f16(a >> 16, b >> 16, false)} << 16;
                  });
}

TEST(Atomic, Vectors) {
  TestModule module(TestModule::Kernel(R"(
  mov.f32 %f1, 0f3f800000;
  mov.f32 %f2, 0f40000000;
  mov.f32 %f3, 0f40400000;
  mov.f32 %f4, 0f40800000;
  red.global.v4.f32.add [%rd1], {%f1, %f2, %f3, %f4};
  atom.global.v2.f32.add {%f5, %f6}, [%rd1+16], {%f1, %f2};
  mov.u32 %r1, %tid.x;
  mad.wide.u32 %rd2, %r1, 8, %rd0;
  st.global.v2.f32 [%rd2], {%f5, %f6};
  mov.b32 %r2, 0x3c003c00;                // 1, 1
  red.global.v4.f16x2.max.noftz [%rd1+32], {%r2, %r2, %r2, %r2};
)"));
  float* cells = module.Allocate<float>(16);
  float* out = module.Allocate<float>(64);
  const std::optional<Fault> fault = module.Launch("k", Dim3{1}, Dim3{32}, out, cells);
  ASSERT_FALSE(fault.has_value()) << fault->ToString();
  for (int i = 0; i < 4; ++i) EXPECT_EQ(cells[i], 32.0f * (i + 1));
  EXPECT_EQ(cells[4], 32.0f);
  EXPECT_EQ(cells[5], 64.0f);
  for (int i = 0; i < 32; ++i) EXPECT_EQ(out[2 * i + 1], 2.0f * i);
  for (int i = 8; i < 12; ++i) EXPECT_EQ(std::bit_cast<uint32_t>(cells[i]), 0x3c003c00u);
}

TEST(Atomic, Of128Bits) {
  TestModule module(TestModule::Kernel(R"(
  mov.u32 %r1, %tid.x;
  cvt.u64.u32 %rd2, %r1;
  mov.u64 %rd3, 5;
  mov.b128 %b1, {%rd2, %rd3};             // expected: (tid, 5)
  add.u64 %rd4, %rd2, 1;
  mov.b128 %b2, {%rd4, %rd3};
  atom.global.cas.b128 %b3, [%rd1], %b1, %b2;
  mov.b128 {%rd5, %rd6}, %b3;
  mad.wide.u32 %rd7, %r1, 8, %rd0;
  st.global.u64 [%rd7], %rd5;
  atom.global.exch.b128 %b0, [%rd1+16], %b2;
)"));
  uint64_t* cells = module.Allocate(std::vector<uint64_t>{0, 5, 1, 2});
  uint64_t* out = module.Allocate<uint64_t>(32);
  const std::optional<Fault> fault = module.Launch("k", Dim3{1}, Dim3{32}, out, cells);
  ASSERT_FALSE(fault.has_value()) << fault->ToString();
  // Lanes come in order, so each finds what the one before left.
  for (uint64_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], i);
  EXPECT_EQ(cells[0], 32u);
  EXPECT_EQ(cells[1], 5u);
  EXPECT_EQ(cells[2], 32u);
}

// Blocks on several threads of the host count in the same cell.
TEST(Atomic, BlocksOnSeveralThreads) {
  TestModule module(TestModule::Kernel(R"(
  red.global.add.u32 [%rd0], 1;
  mov.u32 %r1, %ctaid.x;
  red.global.max.u32 [%rd0+4], %r1;
)"));
  module.config.workers = 4;
  uint32_t* out = module.Allocate<uint32_t>(2);
  const std::optional<Fault> fault = module.Launch("k", Dim3{3000}, Dim3{64}, out, out);
  ASSERT_FALSE(fault.has_value()) << fault->ToString();
  EXPECT_EQ(out[0], 3000u * 64);
  EXPECT_EQ(out[1], 2999u);
}

}  // namespace
}  // namespace warpyard::emulator
