// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/target/device_spec.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_replace.h"
#include "cc/target/compute_capability.h"
#include "cc/target/device_spec.pb.h"
#include "cc/target/generation.h"
#include "cc/target/text_proto.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::string_view kSpec = R"pb(
  name: "x100"
  aliases: [ "x100-sxm" ]
  product_name: "NVIDIA X100"
  compute_capability: "9.0"
  sm_count: 132
  boost_clock_mhz: 1980
  memory_clock_mhz: 2619
  memory_gb: 80
  memory_type: "HBM3"
  memory_bus_width_bits: 5120
  memory_bandwidth_gb_per_s: 3350
  l2_cache_bytes: 52428800
  nvlink_generation: 4
  nvlink_bandwidth_gb_per_s: 900
  host_link: PCIE
  pcie_generation: 5
  pcie_lanes: 16
  sources {
    kind: VENDOR_DOCUMENT
    document: "Data sheet"
    section: "Table 1"
    fields: [
      "product_name",
      "compute_capability",
      "sm_count",
      "boost_clock_mhz",
      "memory_clock_mhz",
      "memory_gb",
      "memory_type",
      "memory_bus_width_bits",
      "memory_bandwidth_gb_per_s",
      "l2_cache_bytes",
      "nvlink_generation",
      "nvlink_bandwidth_gb_per_s",
      "host_link",
      "pcie_generation",
      "pcie_lanes"
    ]
  }
  not_published: "base_clock_mhz"
)pb";

std::vector<Generation> Generations() {
  std::vector<Generation> generations(2);
  generations[0].compute_capability = ComputeCapability(8, 0);
  generations[1].compute_capability = ComputeCapability(9, 0);
  generations[1].native_target = ComputeCapability::Parse("9.0a").value();
  return generations;
}

TEST(DeviceSpecTest, Reads) {
  const std::vector<Generation> generations = Generations();
  absl::StatusOr<DeviceSpec> spec = DeviceSpecFromProto(
      ParseTextProto<target::DeviceSpecProto>("test", kSpec).value(), generations);
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_EQ(spec->name, "x100");
  EXPECT_THAT(spec->aliases, ElementsAre("x100-sxm"));
  EXPECT_EQ(spec->generation, &generations[1]);
  EXPECT_EQ(spec->compute_capability(), ComputeCapability(9, 0));
  EXPECT_EQ(spec->native_target().ToString(), "9.0a");
  EXPECT_EQ(spec->base_clock_mhz, std::nullopt);
  EXPECT_EQ(spec->boost_clock_mhz, 1980);
  EXPECT_EQ(spec->memory_bytes, int64_t{80} << 30);
  EXPECT_EQ(spec->memory_bandwidth_bytes_per_s, int64_t{3'350'000'000'000});
  EXPECT_EQ(spec->nvlink_bandwidth_bytes_per_s, int64_t{900'000'000'000});
}

TEST(DeviceSpecTest, RefusesWhatIsWrong) {
  struct Case {
    std::string_view from;
    std::string_view to;
    std::string_view reason;
  };
  for (const Case& c : std::vector<Case>{
           {"\"sm_count\",", "", "sm_count has no source"},
           {"sm_count: 132", "", "sm_count is neither set nor listed as not published"},
           {"\"base_clock_mhz\"", "\"sm_count\"", "sm_count is set and listed as not published"},
           {"name: \"x100\"", "name: \"X100\"", "name is not lower case"},
           {"name: \"x100\"", "name: \"\"", "name is not lower case"},
           {"name: \"x100\"", "name: \"9000\"", "name is not lower case"},
           {"\"x100-sxm\"", "\"x100 sxm\"", "alias \"x100 sxm\" is not lower case"},
           {"compute_capability: \"9.0\"", "compute_capability: \"9.7\"", "of no generation"},
           {"compute_capability: \"9.0\"", "compute_capability: \"new\"", "\"new\""},
           {"sm_count: 132", "sm_count: 0", "sm_count is 0, expected 1 to"},
           {"sm_count: 132", "sm_count: -1", "sm_count is -1"},
           {"memory_gb: 80", "memory_gb: 2000000000", "memory_gb is 2000000000"},
           {"boost_clock_mhz: 1980", "boost_clock_mhz: 0", "boost_clock_mhz is 0"},
           {"memory_bandwidth_gb_per_s: 3350", "memory_bandwidth_gb_per_s: 2000",
            "but clock and bus width give 3352.32"},
           {"nvlink_generation: 4", "nvlink_generation: 0", "disagree on whether there is NVLink"},
           {"host_link: PCIE", "host_link: INTEGRATED", "disagree on whether it is PCIe"},
           {"host_link: PCIE", "host_link: HOST_LINK_UNSPECIFIED", "host_link is unspecified"},
           {"pcie_lanes: 16", "pcie_lanes: 0", "disagree on whether it is PCIe"},
           {"not_published: \"base_clock_mhz\"",
            "base_clock_mhz: 1990 sources { kind: DEVICE_QUERY document: \"d\" section: \"s\" "
            "fields: \"base_clock_mhz\" }",
            "base_clock_mhz exceeds boost_clock_mhz"},
       }) {
    const std::string text = absl::StrReplaceAll(kSpec, {{c.from, c.to}});
    ASSERT_NE(text, kSpec) << c.from;
    absl::StatusOr<DeviceSpec> spec = DeviceSpecFromProto(
        ParseTextProto<target::DeviceSpecProto>("test", text).value(), Generations());
    ASSERT_EQ(spec.status().code(), absl::StatusCode::kInvalidArgument) << c.to;
    EXPECT_THAT(spec.status().message(), HasSubstr(c.reason));
    EXPECT_THAT(spec.status().message(), HasSubstr("GPU \""));
  }
}

}  // namespace
}  // namespace warpyard
