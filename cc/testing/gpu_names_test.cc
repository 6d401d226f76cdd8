// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/testing/gpu_names.h"

#include "cc/target/device_spec.h"
#include "cc/target/spec_database.h"
#include "gtest/gtest.h"

namespace warpyard::testing {
namespace {

TEST(ShortGpuNameTest, WhatDriversSay) {
  EXPECT_EQ(ShortGpuName("NVIDIA H100 80GB HBM3"), "h100");
  EXPECT_EQ(ShortGpuName("NVIDIA H100 80GB HBM3 MIG 1g.10gb"), "h100");
  EXPECT_EQ(ShortGpuName("NVIDIA H100 PCIe"), "h100-pcie");
  EXPECT_EQ(ShortGpuName("NVIDIA H200"), "h200");
  EXPECT_EQ(ShortGpuName("NVIDIA GH200 480GB"), "gh200");
  EXPECT_EQ(ShortGpuName("NVIDIA A100-SXM4-80GB"), "a100");
  EXPECT_EQ(ShortGpuName("NVIDIA A100-SXM4-40GB"), "a100-40gb");
  EXPECT_EQ(ShortGpuName("NVIDIA A10"), "a10");
  EXPECT_EQ(ShortGpuName("NVIDIA L4"), "l4");
  EXPECT_EQ(ShortGpuName("NVIDIA L40S"), "l40s");
  EXPECT_EQ(ShortGpuName("NVIDIA B200"), "b200");
  EXPECT_EQ(ShortGpuName("NVIDIA GB200"), "gb200");
  EXPECT_EQ(ShortGpuName("NVIDIA B300 SXM6 AC"), "b300");
  EXPECT_EQ(ShortGpuName("NVIDIA GB300"), "gb300");
  EXPECT_EQ(ShortGpuName("NVIDIA GB10"), "spark");
  EXPECT_EQ(ShortGpuName("NVIDIA Thor"), "thor");
  EXPECT_EQ(ShortGpuName("NVIDIA GeForce RTX 5090"), "rtx5090");
  EXPECT_EQ(ShortGpuName("NVIDIA GeForce RTX 4090"), "rtx4090");
  EXPECT_EQ(ShortGpuName("NVIDIA RTX PRO 6000 Blackwell Workstation Edition"), "rtx6000pro");
  EXPECT_EQ(ShortGpuName("Tesla V100-SXM2-16GB"), "v100");
  EXPECT_EQ(ShortGpuName("Tesla T4"), "t4");
}

// The emulated driver says product names.
TEST(ShortGpuNameTest, EveryProductOfTheDatabase) {
  for (const DeviceSpec& spec : SpecDatabase::Embedded().All()) {
    EXPECT_EQ(ShortGpuName(spec.product_name), spec.name);
  }
}

TEST(ShortGpuNameTest, OthersKeepTheirName) {
  EXPECT_EQ(ShortGpuName("NVIDIA TITAN V"), "nvidia-titan-v");
  EXPECT_EQ(ShortGpuName(""), "");
}

}  // namespace
}  // namespace warpyard::testing
