// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Fatbins of NVIDIA's own tools (testdata: nvcc 13.5, one kernel), with and
// without compression; images that are broken; modules that are linked.

#include "cc/emulator/driver/image.h"

#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "cc/emulator/driver/carried_ptx.h"
#include "cc/emulator/driver/fatbin.h"
#include "cc/emulator/driver/lz4_block.h"
#include "cc/emulator/driver/ptx_linker.h"
#include "cc/emulator/driver/zstd_frame.h"
#include "cc/target/compute_capability.h"
#include "gtest/gtest.h"

namespace warpyard::emulator::driver {
namespace {

constexpr ComputeCapability kHopper(9, 0);

std::string TestFile(std::string_view name) {
  std::ifstream file(absl::StrCat("cc/emulator/driver/testdata/", name), std::ios::binary);
  EXPECT_TRUE(file.good()) << name;
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(FatbinTest, AllKindsOfCompression) {
  const absl::StatusOr<std::vector<std::string>> plain =
      FindPtx(TestFile("saxpy_plain.fatbin"), kHopper);
  ASSERT_TRUE(plain.ok()) << plain.status();
  ASSERT_EQ(plain->size(), 1);
  EXPECT_TRUE(absl::StrContains(plain->front(), ".visible .entry saxpy("));
  for (const char* const name : {"saxpy_zstd.fatbin", "saxpy_lz4.fatbin"}) {
    const absl::StatusOr<std::vector<std::string>> other = FindPtx(TestFile(name), kHopper);
    ASSERT_TRUE(other.ok()) << name << ": " << other.status();
    // They differ in what nvcc puts before the first directive alone.
    EXPECT_EQ(other->front().substr(other->front().find(".version")),
              plain->front().substr(plain->front().find(".version")))
        << name;
  }
}

TEST(FatbinTest, TakesTheBestPtxForTheDevice) {
  const std::string both = TestFile("saxpy_lz4.fatbin");  // sm_80 and sm_90
  EXPECT_EQ(TargetOf(FindPtx(both, ComputeCapability(10, 0))->front()), "sm_90");
  EXPECT_EQ(TargetOf(FindPtx(both, kHopper)->front()), "sm_90");
  EXPECT_EQ(TargetOf(FindPtx(both, ComputeCapability(8, 9))->front()), "sm_80");
  EXPECT_EQ(FindPtx(both, ComputeCapability(7, 5)).status().code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST(FatbinTest, MachineCodeAlone) {
  const absl::Status status = FindPtx(TestFile("saxpy_cubin.fatbin"), kHopper).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_TRUE(absl::StrContains(status.message(), "machine code (CUBIN) and no PTX"));
}

TEST(FatbinTest, SizeWithoutBeingTold) {
  for (const char* const name : {"saxpy_plain.fatbin", "saxpy_zstd.fatbin", "saxpy_lz4.fatbin"}) {
    const std::string file = TestFile(name);
    EXPECT_EQ(*ImageSize(file.data()), file.size()) << name;
  }
}

// Mutations of every file must give a status or an answer, never a crash; run
// under AddressSanitizer.
TEST(FatbinTest, BrokenBytes) {
  std::mt19937 random(1);
  for (const char* const name :
       {"saxpy_plain.fatbin", "saxpy_zstd.fatbin", "saxpy_lz4.fatbin", "saxpy_cubin.fatbin"}) {
    const std::string whole = TestFile(name);
    for (size_t size = 0; size < whole.size(); size += 7) {
      EXPECT_FALSE(ReadFatbin(whole.substr(0, size)).ok()) << name << " cut to " << size;
    }
    for (int i = 0; i < 20000; ++i) {
      std::string broken = whole;
      for (unsigned k = 0; k <= random() % 3; ++k) {
        broken[random() % broken.size()] = static_cast<char>(random());
      }
      (void)FindPtx(broken, kHopper).ok();
    }
  }
}

TEST(ZstdTest, RefusesALie) {
  EXPECT_FALSE(DecompressZstd("", 0).ok());
  EXPECT_FALSE(DecompressZstd(std::string_view("\x28\xb5\x2f\xfd\x20\x05\x01\0\0", 9), 5).ok());
  // One raw block of five bytes.
  const std::string_view frame("\x28\xb5\x2f\xfd\x20\x05\x29\0\0hello", 14);
  EXPECT_EQ(*DecompressZstd(frame, 5), "hello");
  EXPECT_FALSE(DecompressZstd(frame, 6).ok());
  // A run of seven.
  EXPECT_EQ(*DecompressZstd(std::string_view("\x28\xb5\x2f\xfd\x20\x07\x3b\0\0a", 10), 7),
            "aaaaaaa");
}

TEST(Lz4Test, LiteralsAndMatches) {
  // "abcd", eight bytes from four back, "x" at last.
  const std::string_view block(
      "\x44"
      "abcd\x04\0\x10x",
      9);
  EXPECT_EQ(*DecompressLz4(block, 13), "abcdabcdabcdx");
  EXPECT_FALSE(DecompressLz4(block, 12).ok());
  EXPECT_FALSE(DecompressLz4(std::string_view("\x04\x01\0", 3), 8).ok());  // nothing to repeat
  EXPECT_FALSE(DecompressLz4("", size_t{1} << 40).ok());
}

TEST(CarriedPtxTest, RoundTrip) {
  const std::string cubin = CubinOfPtx({"first", "second"});
  EXPECT_EQ(FindCarriedPtx(cubin), std::vector<std::string>({"first", "second"}));
  EXPECT_EQ(*ImageSize(cubin.data()), cubin.size());
  EXPECT_EQ(*FindPtx(cubin, kHopper), std::vector<std::string>({"first", "second"}));
  // A CUBIN of ptxas keeps its bytes and gets a section.
  const absl::StatusOr<std::vector<FatbinEntry>> entries =
      ReadFatbin(TestFile("saxpy_cubin.fatbin"));
  ASSERT_TRUE(entries.ok());
  ASSERT_EQ(entries->size(), 1);
  ASSERT_EQ(entries->front().kind, FatbinEntry::Kind::kElf);
  const std::string& real = entries->front().data;
  EXPECT_TRUE(FindCarriedPtx(real).empty());
  const std::string carrying = *CarryPtx(real, {"ptx"});
  EXPECT_EQ(FindCarriedPtx(carrying), std::vector<std::string>({"ptx"}));
  EXPECT_EQ(*ImageSize(carrying.data()), carrying.size());
  EXPECT_FALSE(CarryPtx("no ELF", {"ptx"}).ok());
}

TEST(LinkPtxTest, OwnNamesAreToldApart) {
  const std::string header = ".version 8.0\n.target sm_80\n.address_size 64\n";
  const std::string first = header + ".global .u32 state;\n.visible .entry a() { ret; }\n";
  const std::string second =
      ".version 8.3\n.target sm_80\n.address_size 64\n// state\n.global .u32 state;\n"
      ".visible .entry b() { .reg .b64 %rd; mov.u64 %rd, state; ret; }\n";
  const absl::StatusOr<std::string> linked = LinkPtx({first, second});
  ASSERT_TRUE(linked.ok()) << linked.status();
  EXPECT_TRUE(absl::StartsWith(*linked, ".version 8.3\n.target sm_80\n"));
  EXPECT_TRUE(absl::StrContains(*linked, "state$module1"));
  EXPECT_TRUE(absl::StrContains(*linked, "mov.u64 %rd, state$module2;"));
  EXPECT_TRUE(absl::StrContains(*linked, "// state\n"));
  EXPECT_EQ(linked->find(".version", 1), std::string::npos);
  EXPECT_EQ(LinkPtx({first, first}).status().message(), "modules 1 and 2 both define a");
  EXPECT_TRUE(absl::StartsWith(LinkPtx({first, "bad"}).status().message(), "module 2: "));
  EXPECT_EQ(*LinkPtx({first}), first);
}

}  // namespace
}  // namespace warpyard::emulator::driver
