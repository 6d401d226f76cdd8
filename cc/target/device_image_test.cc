// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/target/device_image.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cc/target/compute_capability.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard {
namespace {

using ::testing::HasSubstr;

ComputeCapability Cc(std::string_view text) { return ComputeCapability::Parse(text).value(); }

DeviceImage Cubin(std::string_view target) {
  return DeviceImage{Cc(target), DeviceImage::Kind::kCubin,
                     "\x7f"
                     "ELF",
                     target};
}
DeviceImage Ptx(std::string_view target) {
  return DeviceImage{Cc(target), DeviceImage::Kind::kPtx, ".version 9.5", target};
}

// The target and form that a device gets, "none" where nothing runs.
std::string Chosen(const std::vector<DeviceImage>& images, std::string_view device) {
  const DeviceImageSet set("//lib", images);
  absl::StatusOr<const DeviceImage*> image = set.Select(Cc(device));
  if (!image.ok()) return "none";
  return std::string((*image)->name) + ((*image)->kind == CodeKind::kCubin ? " cubin" : " ptx");
}

TEST(DeviceImageSetTest, TakesCubinBeforePtx) {
  EXPECT_EQ(Chosen({Ptx("9.0"), Cubin("9.0")}, "9.0"), "9.0 cubin");
  EXPECT_EQ(Chosen({Ptx("8.9"), Cubin("8.0")}, "8.9"), "8.0 cubin");
  EXPECT_EQ(Chosen({Ptx("9.0a"), Cubin("9.0")}, "9.0"), "9.0 cubin");
}

TEST(DeviceImageSetTest, TakesTheMostSpecific) {
  const std::vector<DeviceImage> images = {Cubin("10.0"), Cubin("10.0f"), Cubin("10.3"),
                                           Cubin("10.3a"), Ptx("7.5")};
  EXPECT_EQ(Chosen(images, "10.3"), "10.3a cubin");
  EXPECT_EQ(Chosen(images, "10.7"), "10.0f cubin");
  EXPECT_EQ(Chosen(images, "10.0"), "10.0f cubin");
  EXPECT_EQ(Chosen(images, "12.0"), "7.5 ptx");
}

TEST(DeviceImageSetTest, TakesTheHighestOfOneKind) {
  EXPECT_EQ(Chosen({Cubin("8.0"), Cubin("8.6")}, "8.9"), "8.6 cubin");
  EXPECT_EQ(Chosen({Ptx("9.0"), Ptx("7.5")}, "12.1"), "9.0 ptx");
  EXPECT_EQ(Chosen({Ptx("10.0f"), Ptx("10.3")}, "10.3"), "10.0f ptx");
}

TEST(DeviceImageSetTest, ChoiceDoesNotDependOnTheOrder) {
  std::vector<DeviceImage> images = {Cubin("8.0"), Cubin("8.6"), Ptx("8.0"), Ptx("8.6"),
                                     Cubin("9.0a")};
  std::sort(images.begin(), images.end(),
            [](const DeviceImage& a, const DeviceImage& b) { return a.bytes < b.bytes; });
  for (int rotation = 0; rotation < 5; ++rotation) {
    EXPECT_EQ(Chosen(images, "8.9"), "8.6 cubin");
    EXPECT_EQ(Chosen(images, "9.0"), "9.0a cubin");
    EXPECT_EQ(Chosen(images, "10.0"), "8.6 ptx");
    std::rotate(images.begin(), images.begin() + 1, images.end());
  }
}

TEST(DeviceImageSetTest, SaysWhatThereWasAndWhatWasNeeded) {
  const DeviceImageSet set("//lib:saxpy", {Cubin("9.0a"), Ptx("9.0a")});
  absl::StatusOr<const DeviceImage*> image = set.Select(Cc("10.0"));
  ASSERT_EQ(image.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(image.status().message(), HasSubstr("//lib:saxpy"));
  EXPECT_THAT(image.status().message(), HasSubstr("compute capability 10.0"));
  EXPECT_THAT(image.status().message(), HasSubstr("9.0a CUBIN, 9.0a PTX"));

  const DeviceImageSet empty("//lib:none", {});
  EXPECT_THAT(empty.Select(Cc("10.0")).status().message(), HasSubstr("none at all"));
}

}  // namespace
}  // namespace warpyard
