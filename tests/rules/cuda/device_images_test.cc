// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// What cuda_device_library links into a program.

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cc/ptx/cubin_reader.h"
#include "cc/target/compute_capability.h"
#include "cc/target/device_image.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/rules/cuda/norm_kernels.h"
#include "tests/rules/cuda/scale_kernels.h"
#include "tests/rules/cuda/scale_ptx_only.h"
#include "tests/rules/cuda/warp_sum.h"
#include "tests/rules/cuda/wgmma_for_hopper.h"

namespace warpyard {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> Names(const DeviceImageSet& set) {
  std::vector<std::string> names;
  for (const DeviceImage& image : set.images()) names.emplace_back(image.name);
  return names;
}

std::string Selected(const DeviceImageSet& set, int major, int minor) {
  const absl::StatusOr<const DeviceImage*> image = set.Select(ComputeCapability(major, minor));
  return image.ok() ? std::string((*image)->name) : std::string(image.status().message());
}

std::vector<std::string> KernelNames(const ptx::Cubin& cubin) {
  std::vector<std::string> names;
  for (const ptx::CubinKernel& kernel : cubin.kernels) names.push_back(kernel.resources.name);
  return names;
}

TEST(DeviceImagesTest, ImagesStandInTheOrderAskedFor) {
  EXPECT_EQ(ScaleKernels().name(), "//tests/rules/cuda:scale_kernels");
  EXPECT_THAT(Names(ScaleKernels()),
              ElementsAre("scale_kernels.sm_75.cubin", "scale_kernels.sm_80.cubin",
                          "scale_kernels.sm_90a.cubin", "scale_kernels.sm_100a.cubin",
                          "scale_kernels.sm_120a.cubin", "scale_kernels.compute_75.ptx",
                          "scale_kernels.compute_80.ptx", "scale_kernels.compute_90a.ptx",
                          "scale_kernels.compute_100a.ptx", "scale_kernels.compute_120a.ptx"));
}

TEST(DeviceImagesTest, EachCubinIsForItsTarget) {
  int cubins = 0;
  for (const DeviceImage& image : ScaleKernels().images()) {
    if (image.kind != CodeKind::kCubin) continue;
    SCOPED_TRACE(image.name);
    ++cubins;
    const absl::StatusOr<ptx::Cubin> cubin = ptx::ReadCubin(image.bytes);
    ASSERT_TRUE(cubin.ok()) << cubin.status();
    EXPECT_EQ(cubin->target, image.target);
    EXPECT_FALSE(cubin->relocatable);
    EXPECT_THAT(KernelNames(*cubin), ElementsAre("scale"));
  }
  EXPECT_EQ(cubins, 5);
}

TEST(DeviceImagesTest, EachPtxIsForItsTarget) {
  int texts = 0;
  for (const DeviceImage& image : ScaleKernels().images()) {
    if (image.kind != CodeKind::kPtx) continue;
    ++texts;
    const std::string text(image.bytes);
    EXPECT_THAT(text, HasSubstr("\n.target " + image.target.SmName() + "\n"));
    EXPECT_THAT(text, HasSubstr(".visible .entry scale("));
    EXPECT_EQ(text.find('\0'), std::string::npos);
  }
  EXPECT_EQ(texts, 5);
}

TEST(DeviceImagesTest, DevicesGetTheBestImage) {
  EXPECT_EQ(Selected(ScaleKernels(), 7, 5), "scale_kernels.sm_75.cubin");
  EXPECT_EQ(Selected(ScaleKernels(), 8, 6), "scale_kernels.sm_80.cubin");
  EXPECT_EQ(Selected(ScaleKernels(), 9, 0), "scale_kernels.sm_90a.cubin");
  EXPECT_EQ(Selected(ScaleKernels(), 10, 0), "scale_kernels.sm_100a.cubin");
  // An 'a' target runs nowhere else: PTX for an older generation does.
  EXPECT_EQ(Selected(ScaleKernels(), 10, 3), "scale_kernels.compute_80.ptx");
  EXPECT_EQ(Selected(ScaleKernels(), 12, 0), "scale_kernels.sm_120a.cubin");
  EXPECT_THAT(Selected(ScaleKernels(), 7, 0), HasSubstr("//tests/rules/cuda:scale_kernels"));
}

TEST(DeviceImagesTest, DefinesAndHeadersReachDeviceCode) {
  // FACTOR is 2.5f for the one library and 0.5f for the other.
  for (const DeviceImage& image : ScaleKernels().images()) {
    if (image.kind != CodeKind::kPtx) continue;
    EXPECT_THAT(image.bytes, HasSubstr("0f40200000"));
  }
  ASSERT_EQ(kernels::HalvingPtx().images().size(), 1u);
  const DeviceImage& image = kernels::HalvingPtx().images().front();
  EXPECT_EQ(image.kind, CodeKind::kPtx);
  EXPECT_EQ(image.target, ComputeCapability(8, 0));
  EXPECT_THAT(image.bytes, HasSubstr("0f3F000000"));
}

TEST(DeviceImagesTest, SourcesAreLinked) {
  for (const DeviceImage& image : NormKernels().images()) {
    SCOPED_TRACE(image.name);
    if (image.kind == CodeKind::kPtx) {
      EXPECT_THAT(image.bytes, HasSubstr(".visible .entry length("));
      EXPECT_THAT(image.bytes, HasSubstr(".visible .entry log_norm("));
      EXPECT_THAT(image.bytes, Not(HasSubstr(".extern")));
      continue;
    }
    const absl::StatusOr<ptx::Cubin> cubin = ptx::ReadCubin(image.bytes);
    ASSERT_TRUE(cubin.ok()) << cubin.status();
    EXPECT_EQ(cubin->target, image.target.kind() == ComputeCapability::Kind::kFamily
                                 ? image.target.Plain()
                                 : image.target);
    EXPECT_THAT(KernelNames(*cubin), ElementsAre("length", "log_norm"));
  }
}

TEST(DeviceImagesTest, CooperativeGroupsAndCubCompile) {
  ASSERT_EQ(WarpSum().images().size(), 2u);
  EXPECT_THAT(WarpSum().images()[1].bytes, HasSubstr("shfl.sync"));
}

TEST(DeviceImagesTest, ArchitectureSpecificInstructions) {
  ASSERT_EQ(WgmmaForHopper().images().size(), 2u);
  EXPECT_THAT(WgmmaForHopper().images()[1].bytes, HasSubstr("wgmma.fence.sync.aligned;"));
}

}  // namespace
}  // namespace warpyard
