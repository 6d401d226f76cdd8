// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Fragments are put together here element by element, with the formulas that the
// PTX manual prints for each shape, and products are made in integers.
#include "cc/emulator/operations/mma_form.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <random>
#include <string_view>
#include <vector>

#include "cc/emulator/operations/mma.h"
#include "cc/numerics/small_float.h"
#include "gtest/gtest.h"

namespace warpyard::emulator {
namespace {

MmaForm Parse(std::vector<std::string_view> modifiers) {
  auto form = ParseMmaForm(modifiers);
  EXPECT_TRUE(form.ok()) << form.status();
  return form.ok() ? *form : MmaForm();
}

// Registers of 32 or 64 bits, and setting of element i of a lane's fragment.
struct Fragment {
  explicit Fragment(int registers, int word_bytes = 4)
      : word_bytes(word_bytes), bytes(registers * 32 * word_bytes) {}
  void Set(int lane, int i, int bits, uint64_t code) {
    const int per_word = word_bytes * 8 / bits;
    uint8_t* word = &bytes[(i / per_word * 32 + lane) * word_bytes];
    uint64_t value = 0;
    std::memcpy(&value, word, word_bytes);
    const int shift = i % per_word * bits;
    const uint64_t ones = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
    value = (value & ~(ones << shift)) | (code & ones) << shift;
    std::memcpy(word, &value, word_bytes);
  }
  uint64_t Get(int lane, int i, int bits) const {
    const int per_word = word_bytes * 8 / bits;
    uint64_t value = 0;
    std::memcpy(&value, &bytes[(i / per_word * 32 + lane) * word_bytes], word_bytes);
    value >>= i % per_word * bits;
    return bits == 64 ? value : value & ((uint64_t{1} << bits) - 1);
  }
  void* row(int i) { return bytes.data() + i * 32 * word_bytes; }
  int word_bytes;
  std::vector<uint8_t> bytes;
};

// One shape as the manual prints it: elements per lane, and row and column of element i.
struct Layout {
  int count;
  std::function<int(int lane, int i)> row, column;
};

struct Case {
  std::vector<std::string_view> modifiers;
  int bits;             // of an element of A and B
  Layout a, b;          // row and column of A; k and n of B
  int lowest, highest;  // values
};

uint64_t Encode(MmaType type, int value) {
  switch (type) {
    case MmaType::kF16:
      return EncodeFloat(kF16, value);
    case MmaType::kBf16:
      return EncodeFloat(kBF16, value);
    case MmaType::kTf32:
      // The lower 13 bits are not looked at.
      return std::bit_cast<uint32_t>(static_cast<float>(value)) | 0x1abc;
    case MmaType::kF64:
      return std::bit_cast<uint64_t>(static_cast<double>(value));
    case MmaType::kE4m3:
      return EncodeFloat(kF8E4M3FN, value);
    case MmaType::kE5m2:
      return EncodeFloat(kF8E5M2, value);
    case MmaType::kE3m2:
      return EncodeFloat(kF6E3M2FN, value);
    case MmaType::kE2m3:
      return EncodeFloat(kF6E2M3FN, value);
    case MmaType::kE2m1Mid:
      return EncodeFloat(kF4E2M1FN, value) << 2;
    case MmaType::kE2m1:
      return EncodeFloat(kF4E2M1FN, value);
    default:
      return static_cast<uint64_t>(value);
  }
}

int ColumnOfC(int lane, int i) { return lane % 4 * 2 + (i & 1); }
int RowOfC(int lane, int i) { return lane / 4 + (i >= 2 ? 8 : 0); }

void Check(const Case& test) {
  const MmaForm form = Parse(test.modifiers);
  SCOPED_TRACE(test.modifiers[2]);
  SCOPED_TRACE(test.modifiers[6]);
  std::mt19937 random(1);
  std::uniform_int_distribution<int> values(test.lowest, test.highest);
  const int word = test.bits == 64 ? 8 : 4;
  std::vector<int> a(form.m * form.k), b(form.k * 8), c(form.m * 8);
  for (int& v : a) v = values(random);
  for (int& v : b) v = values(random);
  for (int& v : c) v = values(random);
  Fragment fa(form.a_registers(), word), fb(form.b_registers(), word);
  ASSERT_EQ(test.a.count * test.bits, form.a_registers() * word * 8);
  ASSERT_EQ(test.b.count * test.bits, form.b_registers() * word * 8);
  const bool half = form.d == MmaResult::kF16;
  const int c_bits = half ? 16 : word * 8;
  Fragment fc(form.c_registers(), word), fd(form.d_registers(), word);
  const auto encode_c = [&](int value) -> uint64_t {
    if (half) return EncodeFloat(kF16, value);
    if (form.d == MmaResult::kF64) return std::bit_cast<uint64_t>(static_cast<double>(value));
    if (form.d == MmaResult::kS32) return static_cast<uint32_t>(value);
    return std::bit_cast<uint32_t>(static_cast<float>(value));
  };
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < test.a.count; ++i) {
      fa.Set(lane, i, test.bits,
             Encode(form.a, a[test.a.row(lane, i) * form.k + test.a.column(lane, i)]));
    }
    for (int i = 0; i < test.b.count; ++i) {
      fb.Set(lane, i, test.bits,
             Encode(form.b, b[test.b.row(lane, i) * 8 + test.b.column(lane, i)]));
    }
    for (int i = 0; i < form.m / 4; ++i) {
      fc.Set(lane, i, c_bits, encode_c(c[RowOfC(lane, i) * 8 + ColumnOfC(lane, i)]));
    }
  }
  MmaOperands operands;
  for (int i = 0; i < form.a_registers(); ++i) operands.a[i] = fa.row(i);
  for (int i = 0; i < form.b_registers(); ++i) operands.b[i] = fb.row(i);
  for (int i = 0; i < form.c_registers(); ++i) operands.c[i] = fc.row(i);
  for (int i = 0; i < form.d_registers(); ++i) operands.d[i] = fd.row(i);
  RunMma(form, operands);
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < form.m / 4; ++i) {
      const int row = RowOfC(lane, i), column = ColumnOfC(lane, i);
      int sum = c[row * 8 + column];
      for (int k = 0; k < form.k; ++k) {
        const int x = a[row * form.k + k], y = b[k * 8 + column];
        sum += form.a == MmaType::kB1 ? (form.bit_and ? x & y : x ^ y) : x * y;
      }
      ASSERT_EQ(fd.Get(lane, i, c_bits), encode_c(sum)) << lane << " " << i;
    }
  }
}

int Group(int lane, int) { return lane / 4; }

TEST(MmaFormTest, ManualLayoutsOf16BitTypes) {
  const Layout a16 = {8, [](int l, int i) { return l / 4 + (i < 2 || (i >= 4 && i < 6) ? 0 : 8); },
                      [](int l, int i) { return l % 4 * 2 + (i & 1) + (i < 4 ? 0 : 8); }};
  const Layout b16 = {4, [](int l, int i) { return l % 4 * 2 + (i & 1) + (i < 2 ? 0 : 8); }, Group};
  const Layout a8 = {4, [](int l, int i) { return l / 4 + (i < 2 ? 0 : 8); },
                     [](int l, int i) { return l % 4 * 2 + (i & 1); }};
  const Layout b8 = {2, [](int l, int i) { return l % 4 * 2 + i; }, Group};
  Check({{"sync", "aligned", "m16n8k16", "row", "col", "f32", "f16", "f16", "f32"},
         16,
         a16,
         b16,
         -9,
         9});
  Check({{"sync", "aligned", "m16n8k16", "row", "col", "f16", "f16", "f16", "f16"},
         16,
         a16,
         b16,
         -9,
         9});
  Check({{"sync", "aligned", "m16n8k16", "row", "col", "f32", "bf16", "bf16", "f32"},
         16,
         a16,
         b16,
         -9,
         9});
  Check({{"sync", "aligned", "m16n8k8", "row", "col", "f32", "f16", "f16", "f32"},
         16,
         a8,
         b8,
         -9,
         9});
}

TEST(MmaFormTest, ManualLayoutsOfWideTypes) {
  const auto row = [](int l, int i) { return l / 4 + i % 2 * 8; };
  const auto column = [](int l, int i) { return l % 4 + i / 2 * 4; };
  const auto k = [](int l, int i) { return l % 4 + i * 4; };
  Check({{"sync", "aligned", "m16n8k8", "row", "col", "f32", "tf32", "tf32", "f32"},
         32,
         {4, row, column},
         {2, k, Group},
         -99,
         99});
  Check({{"sync", "aligned", "m16n8k4", "row", "col", "f32", "tf32", "tf32", "f32"},
         32,
         {2, row, column},
         {1, k, Group},
         -99,
         99});
  for (const auto& [shape, steps] :
       {std::pair<std::string_view, int>{"m16n8k4", 1}, {"m16n8k8", 2}, {"m16n8k16", 4}}) {
    Check({{"sync", "aligned", shape, "row", "col", "f64", "f64", "f64", "f64"},
           64,
           {steps * 2, row, column},
           {steps, k, Group},
           -99,
           99});
  }
  Check({{"sync", "aligned", "m8n8k4", "row", "col", "f64", "f64", "f64", "f64"},
         64,
         {1, Group, k},
         {1, k, Group},
         -99,
         99});
}

TEST(MmaFormTest, ManualLayoutsOfBytes) {
  const Layout a32 = {16,
                      [](int l, int i) { return l / 4 + (i < 4 || (i >= 8 && i < 12) ? 0 : 8); },
                      [](int l, int i) { return l % 4 * 4 + (i & 3) + (i < 8 ? 0 : 16); }};
  const Layout b32 = {8, [](int l, int i) { return l % 4 * 4 + (i & 3) + (i < 4 ? 0 : 16); },
                      Group};
  for (const auto& [x, y] : {std::pair<std::string_view, std::string_view>{"e4m3", "e5m2"},
                             {"e5m2", "e4m3"},
                             {"e3m2", "e2m1"},
                             {"e2m3", "e3m2"}}) {
    Check({{"sync", "aligned", "m16n8k32", "row", "col", "f32", x, y, "f32"}, 8, a32, b32, -4, 4});
    Check({{"sync", "aligned", "m16n8k32", "row", "col", "f16", x, y, "f16"}, 8, a32, b32, -4, 4});
  }
  Check({{"sync", "aligned", "m16n8k32", "row", "col", "s32", "s8", "s8", "s32"},
         8,
         a32,
         b32,
         -128,
         127});
  Check({{"sync", "aligned", "m16n8k32", "row", "col", "satfinite", "s32", "u8", "s8", "s32"},
         8,
         a32,
         b32,
         0,
         127});
  Check({{"sync", "aligned", "m8n8k16", "row", "col", "s32", "s8", "s8", "s32"},
         8,
         {4, Group, [](int l, int i) { return l % 4 * 4 + i; }},
         {4, [](int l, int i) { return l % 4 * 4 + i; }, Group},
         -128,
         127});
}

TEST(MmaFormTest, ManualLayoutsOfFourBitsAndBits) {
  Check({{"sync", "aligned", "m16n8k64", "row", "col", "s32", "s4", "s4", "s32"},
         4,
         {32, [](int l, int i) { return l / 4 + (i < 8 || (i >= 16 && i < 24) ? 0 : 8); },
          [](int l, int i) { return l % 4 * 8 + (i & 7) + (i < 16 ? 0 : 32); }},
         {16, [](int l, int i) { return l % 4 * 8 + (i & 7) + (i < 8 ? 0 : 32); }, Group},
         -8,
         7});
  const Layout a256 = {128,
                       [](int l, int i) { return l / 4 + (i < 32 || (i >= 64 && i < 96) ? 0 : 8); },
                       [](int l, int i) { return l % 4 * 32 + (i & 31) + (i < 64 ? 0 : 128); }};
  const Layout b256 = {64, [](int l, int i) { return l % 4 * 32 + (i & 31) + (i < 32 ? 0 : 128); },
                       Group};
  Check({{"sync", "aligned", "m16n8k256", "row", "col", "s32", "b1", "b1", "s32", "xor", "popc"},
         1,
         a256,
         b256,
         0,
         1});
  Check({{"sync", "aligned", "m16n8k256", "row", "col", "s32", "b1", "b1", "s32", "and", "popc"},
         1,
         a256,
         b256,
         0,
         1});
}

TEST(MmaFormTest, SatfiniteClampsAndOtherwiseSumsWrap) {
  for (bool saturate : {false, true}) {
    MmaForm form = Parse({"sync", "aligned", "m8n8k16", "row", "col", "s32", "s8", "s8", "s32"});
    form.saturate = saturate;
    Fragment a(1), b(1), c(2), d(2);
    for (uint8_t& byte : a.bytes) byte = 127;
    for (uint8_t& byte : b.bytes) byte = 127;
    for (int lane = 0; lane < 32; ++lane) c.Set(lane, 0, 32, 0x7fffff00);
    MmaOperands operands;
    operands.a[0] = a.row(0);
    operands.b[0] = b.row(0);
    for (int i = 0; i < 2; ++i) {
      operands.c[i] = c.row(i);
      operands.d[i] = d.row(i);
    }
    RunMma(form, operands);
    EXPECT_EQ(d.Get(0, 0, 32), saturate ? 0x7fffffffu : 0x7fffff00u + 127 * 127 * 16);
    EXPECT_EQ(d.Get(0, 1, 32), 127u * 127 * 16);
  }
}

// Rows of two stored elements out of four (one of two for tf32), metadata as the manual's
// figures have it, against a dense product.
TEST(MmaFormTest, SparseAExpandsByItsMetadata) {
  for (const auto& modifiers : std::vector<std::vector<std::string_view>>{
           {"sp", "sync", "aligned", "m16n8k16", "row", "col", "f32", "f16", "f16", "f32"},
           {"sp", "sync", "aligned", "m16n8k32", "row", "col", "f32", "f16", "f16", "f32"},
           {"sp", "sync", "aligned", "m16n8k16", "row", "col", "f32", "tf32", "tf32", "f32"},
           {"sp", "sync", "aligned", "m16n8k32", "row", "col", "s32", "s8", "s8", "s32"},
           {"sp", "sync", "aligned", "m16n8k64", "row", "col", "s32", "s8", "s8", "s32"}}) {
    const MmaForm form = Parse(modifiers);
    const bool tf32 = form.a == MmaType::kTf32;
    const int stored = form.k / 2;
    for (int selector = 0; selector < form.selector_count(); ++selector) {
      std::mt19937 random(selector);
      uint32_t metadata[32] = {};
      std::vector<int> places(16 * stored);
      for (int row = 0; row < 16; ++row) {
        for (int i = 0; i < stored; ++i) {
          int code, place;
          if (tf32) {
            const int which = static_cast<int>(random() & 1);
            code = which == 0 ? 0b0100 : 0b1110;
            place = i * 2 + which;
          } else {
            code = i % 2 == 0 ? static_cast<int>(random() % 2) : 2 + static_cast<int>(random() % 2);
            place = i / 2 * 4 + code;
          }
          places[row * stored + i] = place;
          const int bits = tf32 ? 4 : 2;
          // m16n8k16 of 16 bits: one lane; m16n8k32: lane k / 16; bytes: lanes alternate rows.
          int lane, shift;
          if (form.a == MmaType::kS8) {
            lane = i * bits / 32 * 2 + row / 8;
            shift = i * bits % 32;
            lane += selector * 2;
          } else {
            lane = i * bits / 16 + selector * (form.selector_count() == 4 ? 1 : 2);
            shift = i * bits % 16 + row / 8 * 16;
          }
          metadata[row % 8 * 4 + lane] |= static_cast<uint32_t>(code) << shift;
        }
      }
      for (int row = 0; row < 16; ++row) {
        for (int i = 0; i < stored; ++i) {
          ASSERT_EQ(DenseColumn(form, metadata, selector, row, i), places[row * stored + i])
              << modifiers[3] << " " << row << " " << i;
        }
      }
    }
  }
}

TEST(MmaFormTest, QuadPairsAreFourProducts) {
  for (const std::string_view a_layout : {"row", "col"}) {
    for (const std::string_view b_layout : {"row", "col"}) {
      const MmaForm form =
          Parse({"sync", "aligned", "m8n8k4", a_layout, b_layout, "f32", "f16", "f16", "f32"});
      std::mt19937 random(3);
      Fragment fa(2), fb(2), fc(8), fd(8);
      int a[4][8][4], b[4][4][8];
      for (int lane = 0; lane < 32; ++lane) {
        const int q = lane % 16 / 4;
        for (int i = 0; i < 4; ++i) {
          const int x = static_cast<int>(random() % 9) - 4, y = static_cast<int>(random() % 9) - 4;
          fa.Set(lane, i, 16, EncodeFloat(kF16, x));
          fb.Set(lane, i, 16, EncodeFloat(kF16, y));
          const int near = lane % 4, far = lane < 16 ? 0 : 4;
          (a_layout == "row" ? a[q][near + far][i] : a[q][i + far][near]) = x;
          (b_layout == "row" ? b[q][near][i + far] : b[q][i][near + far]) = y;
        }
      }
      MmaOperands operands;
      for (int i = 0; i < 2; ++i) {
        operands.a[i] = fa.row(i);
        operands.b[i] = fb.row(i);
      }
      for (int i = 0; i < 8; ++i) {
        operands.c[i] = fc.row(i);
        operands.d[i] = fd.row(i);
      }
      RunMma(form, operands);
      for (int lane = 0; lane < 32; ++lane) {
        const int q = lane % 16 / 4;
        for (int i = 0; i < 8; ++i) {
          const int x = (lane & 1) + (i & 2);
          const int row = lane < 16 ? x : x + 4;
          const int column = (i & 4) + (lane & 2) + (i & 1);
          int sum = 0;
          for (int k = 0; k < 4; ++k) sum += a[q][row][k] * b[q][k][column];
          EXPECT_EQ(std::bit_cast<float>(static_cast<uint32_t>(fd.Get(lane, i, 32))), sum);
        }
      }
    }
  }
}

// Scales of two, four and one half are put where the manual's selectors look for them.
TEST(MmaFormTest, BlockScalesMultiplyTheirBlocks) {
  const MmaForm form = Parse({"sync", "aligned", "kind::mxf4nvf4", "block_scale", "scale_vec::4X",
                              "m16n8k64", "row", "col", "f32", "e2m1", "e2m1", "f32", "ue4m3"});
  ASSERT_EQ(form.scales_per_row, 4);
  Fragment a(4), b(2), c(4), d(4);
  for (uint8_t& byte : a.bytes) byte = 0x22;  // 1.0
  for (uint8_t& byte : b.bytes) byte = 0x22;
  uint32_t a_scale[32] = {}, b_scale[32] = {};
  for (int row = 0; row < 16; ++row) {
    uint32_t word = 0;
    for (int part = 0; part < 4; ++part) {
      word |= EncodeFloat(kF8E4M3FN, row == 9 ? part + 1 : 1) << part * 8;
    }
    a_scale[row % 8 * 4 + 2 + row / 8] = word;  // thread-id 1: the upper pair
  }
  for (int column = 0; column < 8; ++column) {
    b_scale[column * 4 + 3] = (column == 5 ? 0x40404040u : 0x38383838u);  // 2 or 1
  }
  MmaOperands operands;
  for (int i = 0; i < 4; ++i) {
    operands.a[i] = a.row(i);
    operands.c[i] = c.row(i);
    operands.d[i] = d.row(i);
  }
  for (int i = 0; i < 2; ++i) operands.b[i] = b.row(i);
  operands.a_scale = a_scale;
  operands.b_scale = b_scale;
  operands.a_thread = 1;
  operands.b_thread = 3;
  RunMma(form, operands);
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < 4; ++i) {
      const float expected =
          16.0f * (RowOfC(lane, i) == 9 ? 1 + 2 + 3 + 4 : 4) * (ColumnOfC(lane, i) == 5 ? 2 : 1);
      EXPECT_EQ(std::bit_cast<float>(static_cast<uint32_t>(d.Get(lane, i, 32))), expected);
    }
  }
}

TEST(MmaFormTest, RefusesWhatTheManualDoesNotHave) {
  for (const auto& modifiers : std::vector<std::vector<std::string_view>>{
           {"sync", "aligned", "m16n8k16", "col", "col", "f32", "f16", "f16", "f32"},
           {"sync", "aligned", "m16n8k16", "row", "col", "f32", "tf32", "tf32", "f32"},
           {"sync", "aligned", "m16n8k32", "row", "col", "f16", "s8", "s8", "f16"},
           {"sync", "aligned", "m16n8k16", "row", "col", "f32", "f16", "bf16", "f32"},
           {"sync", "aligned", "m16n8k256", "row", "col", "s32", "b1", "b1", "s32"}}) {
    EXPECT_FALSE(ParseMmaForm(modifiers).ok());
  }
}

}  // namespace
}  // namespace warpyard::emulator
