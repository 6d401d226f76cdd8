// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/cubin_reader.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "cc/base/file.h"
#include "cc/ptx/testing/resource_usage.h"
#include "gtest/gtest.h"

namespace warpyard::ptx {
namespace {

// CUBINs of four toolkits: see testdata/cubins/make_cubins.py.
const std::string kFolder = "cc/ptx/testdata/cubins";

std::vector<std::string> Examples() {
  std::vector<std::string> names;
  const std::vector<std::string> files = ListFolder(kFolder).value();
  for (const std::string& file : files) {
    std::string_view name = file;
    if (absl::ConsumeSuffix(&name, ".cubin")) names.emplace_back(name);
  }
  return names;
}

std::string Example(std::string_view name) {
  return ReadFile(absl::StrCat(kFolder, "/", name, ".cubin"), 1 << 20).value();
}

TEST(CubinReaderTest, TellsTheSameAsNvidiasToolAboutEveryExample) {
  ASSERT_GE(Examples().size(), 15u);
  for (const std::string& name : Examples()) {
    SCOPED_TRACE(name);
    const absl::StatusOr<Cubin> cubin = ReadCubin(Example(name));
    ASSERT_TRUE(cubin.ok()) << cubin.status();
    const std::string usage = ReadFile(absl::StrCat(kFolder, "/", name, ".usage"), 1 << 20).value();
    ExpectSameUsage(*cubin, ParseResourceUsage(usage));
  }
}

TEST(CubinReaderTest, ReadsTheTargetWithItsSuffix) {
  for (const std::string& name : Examples()) {
    std::string_view target = name;
    target.remove_prefix(target.find("sm_"));
    const bool relocatable = absl::ConsumeSuffix(&target, "-rdc");
    const Cubin cubin = ReadCubin(Example(name)).value();
    EXPECT_EQ(cubin.target.SmName(), target) << name;
    EXPECT_EQ(cubin.relocatable, relocatable) << name;
  }
}

TEST(CubinReaderTest, ReadsBoundsAndBarriers) {
  for (const std::string& name : Examples()) {
    SCOPED_TRACE(name);
    const Cubin cubin = ReadCubin(Example(name)).value();
    ASSERT_EQ(cubin.kernels.size(), 2u);
    const KernelResources& plain = cubin.kernels[0].resources;
    EXPECT_EQ(plain.name, "plain");
    EXPECT_EQ(plain.max_threads_per_block, 0);
    EXPECT_EQ(plain.barriers, 0);
    const KernelResources& rich = cubin.kernels[1].resources;
    EXPECT_EQ(rich.name, "rich");
    EXPECT_EQ(rich.max_threads_per_block, 256);  // .maxntid 128, 2, 1
    EXPECT_EQ(rich.barriers, 4);                 // bar.sync 3
    EXPECT_EQ(rich.local_bytes, 400);
    if (!cubin.relocatable) {
      EXPECT_EQ(rich.static_shared_bytes, 1024);
    }
  }
}

TEST(CubinReaderTest, RefusesWhatIsNoCubin) {
  EXPECT_EQ(ReadCubin("").status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(ReadCubin(".version 8.0\n.target sm_90\n").status().code(),
            absl::StatusCode::kInvalidArgument);
  std::string other = Example("13.5-sm_90");
  other[18] = 62;  // x86-64
  EXPECT_TRUE(absl::StrContains(ReadCubin(other).status().message(), "not CUDA's"));
}

TEST(CubinReaderTest, RefusesAnUnknownAbi) {
  std::string bytes = Example("13.5-sm_90");
  bytes[8] = 9;
  EXPECT_EQ(ReadCubin(bytes).status().code(), absl::StatusCode::kUnimplemented);
}

// The section headers are at the end, so a cut file never reads as a whole one.
TEST(CubinReaderTest, RefusesEveryCut) {
  for (std::string_view name : {"13.5-sm_100a", "12.4-sm_75"}) {
    const std::string bytes = Example(name);
    const Cubin whole = ReadCubin(bytes).value();
    for (size_t length = 0; length < bytes.size(); ++length) {
      // A copy of just that length, so that a sanitizer sees each step beyond it.
      const std::string cut(bytes, 0, length);
      const absl::StatusOr<Cubin> cubin = ReadCubin(cut);
      if (!cubin.ok()) continue;
      // What follows the section headers (program headers) is not needed here.
      ASSERT_EQ(cubin->kernels.size(), whole.kernels.size()) << length;
      ASSERT_GT(length, bytes.size() - 1024);
    }
  }
}

TEST(CubinReaderTest, SurvivesEveryFlippedBit) {
  for (std::string_view name : {"13.5-sm_90", "11.8-sm_80"}) {
    std::string bytes = Example(name);
    for (size_t at = 0; at < bytes.size(); ++at) {
      for (int bit = 0; bit < 8; ++bit) {
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
        const absl::StatusOr<Cubin> cubin = ReadCubin(bytes);
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
        if (cubin.ok()) continue;
        ASSERT_FALSE(cubin.status().message().empty());
      }
    }
  }
}

}  // namespace
}  // namespace warpyard::ptx
