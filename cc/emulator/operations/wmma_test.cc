// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Fragments loaded, multiplied and stored in every layout, against sums of integers.
#include "cc/emulator/operations/wmma.h"

#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cc/emulator/testing/run_ptx.h"
#include "cc/numerics/small_float.h"
#include "gtest/gtest.h"

namespace warpyard::emulator {
namespace {

// "{%r10, %r11}": `count` registers of the given letters from `first` on.
std::string Registers(std::string_view letters, int first, int count) {
  std::string out = "{";
  for (int i = 0; i < count; ++i) absl::StrAppend(&out, i == 0 ? "" : ", ", letters, first + i);
  return out + "}";
}

// What the fragments of a type need.
struct Type {
  std::string_view name, result;
  int a, b, c;  // registers
};

// d = a b + c; c and d row by row.
std::string Source(int m, int n, int k, const Type& type, std::string_view a_layout,
                   std::string_view b_layout) {
  const std::string shape = absl::StrCat("m", m, "n", n, "k", k);
  const std::string_view word = type.name == "f64" ? "%fd" : "%r";
  const std::string_view sum = type.name == "f64" ? "%fd" : type.result == "f32" ? "%f" : "%r";
  const std::string a = Registers(word, 0, type.a), b = Registers(word, 10, type.b),
                    c = Registers(sum, 20, type.c);
  const std::string types = type.name == "f16" ? "f32.f32"
                                               : absl::StrCat(type.result, ".", type.name, ".",
                                                              type.name, ".", type.result);
  std::string body = "add.s64 %rd2, %rd1, 8192;\nadd.s64 %rd3, %rd1, 16384;\n";
  const auto load = [&](std::string_view matrix, std::string_view layout, std::string_view of,
                        const std::string& to, std::string_view from, int stride) {
    absl::StrAppend(&body, "wmma.load.", matrix, ".sync.aligned.", layout, ".", shape, ".global.",
                    of, " ", to, ", [", from, "], ", stride, ";\n");
  };
  load("a", a_layout, type.name, a, "%rd1", a_layout == "row" ? k : m);
  load("b", b_layout, type.name, b, "%rd2", b_layout == "row" ? n : k);
  load("c", "row", type.result, c, "%rd3", n);
  absl::StrAppend(&body, "wmma.mma.sync.aligned.", a_layout, ".", b_layout, ".", shape,
                  type.name == "f64" ? ".rn." : ".", types, " ", c, ", ", a, ", ", b, ", ", c,
                  ";\nwmma.store.d.sync.aligned.row.", shape, ".global.", type.result, " [%rd0], ",
                  c, ", ", n, ";\n");
  return TestModule::Kernel(body);
}

template <typename Memory, typename Result, typename Encode>
void Check(int m, int n, int k, const Type& type, Encode encode) {
  for (std::string_view a_layout : {"row", "col"}) {
    for (std::string_view b_layout : {"row", "col"}) {
      SCOPED_TRACE(absl::StrCat(type.name, " ", m, " ", n, " ", a_layout, " ", b_layout));
      TestModule module(Source(m, n, k, type, a_layout, b_layout));
      std::mt19937 random(7);
      std::vector<int> a(m * k), b(k * n), c(m * n);
      for (int& v : a) v = static_cast<int>(random() % 9) - 4;
      for (int& v : b) v = static_cast<int>(random() % 9) - 4;
      for (int& v : c) v = static_cast<int>(random() % 9) - 4;
      std::vector<Memory> ma(m * k), mb(k * n);
      std::vector<Result> mc(c.begin(), c.end());
      for (int i = 0; i < m; ++i) {
        for (int j = 0; j < k; ++j)
          ma[a_layout == "row" ? i * k + j : j * m + i] = encode(a[i * k + j]);
      }
      for (int i = 0; i < k; ++i) {
        for (int j = 0; j < n; ++j)
          mb[b_layout == "row" ? i * n + j : j * k + i] = encode(b[i * n + j]);
      }
      uint8_t* in = module.Allocate<uint8_t>(24576);
      std::memcpy(in, ma.data(), ma.size() * sizeof(Memory));
      std::memcpy(in + 8192, mb.data(), mb.size() * sizeof(Memory));
      std::memcpy(in + 16384, mc.data(), mc.size() * sizeof(Result));
      Result* pd = module.Allocate<Result>(m * n);
      const auto fault = module.Launch("k", {1, 1, 1}, {32, 1, 1}, pd, in);
      ASSERT_FALSE(fault.has_value()) << fault->ToString();
      for (int i = 0; i < m; ++i) {
        for (int j = 0; j < n; ++j) {
          int sum = c[i * n + j];
          for (int kk = 0; kk < k; ++kk) sum += a[i * k + kk] * b[kk * n + j];
          ASSERT_EQ(pd[i * n + j], static_cast<Result>(sum)) << i << " " << j;
        }
      }
    }
  }
}

TEST(WmmaTest, Half) {
  const auto encode = [](int v) { return static_cast<uint16_t>(EncodeFloat(kF16, v)); };
  Check<uint16_t, float>(16, 16, 16, {"f16", "f32", 8, 8, 8}, encode);
  Check<uint16_t, float>(32, 8, 16, {"f16", "f32", 8, 8, 8}, encode);
  Check<uint16_t, float>(8, 32, 16, {"f16", "f32", 8, 8, 8}, encode);
}

TEST(WmmaTest, Bfloat16) {
  const auto encode = [](int v) { return static_cast<uint16_t>(EncodeFloat(kBF16, v)); };
  Check<uint16_t, float>(16, 16, 16, {"bf16", "f32", 4, 4, 8}, encode);
  Check<uint16_t, float>(8, 32, 16, {"bf16", "f32", 2, 8, 8}, encode);
}

TEST(WmmaTest, Bytes) {
  const auto encode = [](int v) { return static_cast<int8_t>(v); };
  Check<int8_t, int>(16, 16, 16, {"s8", "s32", 2, 2, 8}, encode);
  Check<int8_t, int>(32, 8, 16, {"s8", "s32", 4, 1, 8}, encode);
}

TEST(WmmaTest, WideTypes) {
  const auto single = [](int v) { return static_cast<float>(v); };
  Check<float, float>(16, 16, 8, {"tf32", "f32", 4, 4, 8}, single);
  const auto wide = [](int v) { return static_cast<double>(v); };
  Check<double, double>(8, 8, 4, {"f64", "f64", 1, 1, 2}, wide);
}

}  // namespace
}  // namespace warpyard::emulator
