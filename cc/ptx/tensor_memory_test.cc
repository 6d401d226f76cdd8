// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/tensor_memory.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace warpyard::ptx {
namespace {

using Columns = std::map<std::string, int64_t>;

std::string Kernel(std::string_view name, std::string_view body) {
  return absl::StrCat(".visible .entry ", name, "(\n\t.param .u64 ", name, "_param_0\n)\n{\n", body,
                      "\n\tret;\n}\n");
}

constexpr std::string_view kAlloc = "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 ";

TEST(TensorMemoryTest, ReadsTheOperand) {
  EXPECT_EQ(TensorMemoryColumns(Kernel("k", absl::StrCat(kAlloc, "[%r1], 512;"))),
            (Columns{{"k", 512}}));
  EXPECT_EQ(TensorMemoryColumns(Kernel("k", absl::StrCat(kAlloc, "[%r1], 0x200;"))),
            (Columns{{"k", 512}}));
  EXPECT_EQ(TensorMemoryColumns(Kernel("k", absl::StrCat("@%p1 ", kAlloc, "[%r1], 32;"))),
            (Columns{{"k", 32}}));
}

TEST(TensorMemoryTest, ReadsARegisterThatHoldsAConstant) {
  const std::string body = absl::StrCat("\tmov.b32 \t%r2, 1024;\n\t// begin inline asm\n\t", kAlloc,
                                        "[%r1], %r2;\n\t// end inline asm\n");
  EXPECT_EQ(TensorMemoryColumns(Kernel("k", body)), (Columns{{"k", 1024}}));
}

TEST(TensorMemoryTest, KnowsNothingOfAVariable) {
  for (const char* setup : {"ld.param.u32 %r2, [p];", "add.u32 %r2, %r3, %r4;",
                            "mov.u32 %r2, 64;\nadd.u32 %r2, %r2, 1;", ""}) {
    EXPECT_EQ(TensorMemoryColumns(Kernel("k", absl::StrCat(setup, kAlloc, "[%r1], %r2;"))),
              Columns())
        << setup;
  }
}

TEST(TensorMemoryTest, TakesTheLargestOfAKernelAndKeepsKernelsApart) {
  const std::string ptx = absl::StrCat(
      ".version 8.6\n.target sm_100a\n.extern .func f;\n",
      Kernel("a", absl::StrCat(kAlloc, "[%r1], 64;", "LABEL:\n", kAlloc, "[%r1], 128;")),
      Kernel("none", "add.u32 %r1, %r2, %r3;"),
      Kernel("b", absl::StrCat("{ .reg .b32 %x;\n", kAlloc, "[%r1], 256; }")));
  EXPECT_EQ(TensorMemoryColumns(ptx), (Columns{{"a", 128}, {"b", 256}}));
}

TEST(TensorMemoryTest, PassesOverComments) {
  const std::string body =
      absl::StrCat("// ", kAlloc, "[%r1], 512;\n/* ", kAlloc, "[%r1], 256; */\n");
  EXPECT_EQ(TensorMemoryColumns(Kernel("k", body)), Columns());
}

TEST(TensorMemoryTest, OtherPtxHasNone) {
  EXPECT_EQ(TensorMemoryColumns(""), Columns());
  EXPECT_EQ(TensorMemoryColumns(Kernel("k", "")), Columns());
}

TEST(TensorMemoryTest, SurvivesEveryCut) {
  const std::string ptx =
      absl::StrCat(Kernel("a", absl::StrCat("mov.b32 {%r1, %r2}, %rd1;\nmov.b32 %r3, 64;\n", kAlloc,
                                            "[%r1], %r3; /* c */")),
                   Kernel("b", "ret;"));
  for (size_t length = 0; length <= ptx.size(); ++length) {
    (void)TensorMemoryColumns(std::string_view(ptx).substr(0, length));
  }
}

}  // namespace
}  // namespace warpyard::ptx
