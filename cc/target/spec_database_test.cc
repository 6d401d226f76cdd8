// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/target/spec_database.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "cc/target/compute_capability.h"
#include "cc/target/device_spec.h"
#include "cc/target/device_spec.pb.h"
#include "cc/target/embedded_file.h"
#include "cc/target/embedded_generations.h"
#include "cc/target/embedded_specs.h"
#include "cc/target/generation.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const SpecDatabase& Db() { return SpecDatabase::Embedded(); }

std::string_view GenerationsText() { return EmbeddedGenerations().front().contents; }

std::string_view SpecText(std::string_view name) {
  for (const EmbeddedFile& file : EmbeddedSpecs()) {
    if (file.name == name) return file.contents;
  }
  ADD_FAILURE() << name;
  return "";
}

TEST(SpecDatabaseTest, HoldsEveryGpuThatLanesAndTargetsName) {
  std::vector<std::string> names;
  for (const DeviceSpec& spec : Db().All()) names.push_back(spec.name);
  EXPECT_THAT(names, ElementsAre("v100", "t4", "a100", "a100-40gb", "a10", "l4", "l40s", "rtx4090",
                                 "gh200", "h100", "h100-pcie", "h200", "b200", "gb200", "b300",
                                 "gb300", "thor", "rtx5090", "rtx6000pro", "spark"));
}

TEST(SpecDatabaseTest, FileNameIsTheGpusName) {
  std::set<std::string> files;
  for (const EmbeddedFile& file : EmbeddedSpecs()) files.emplace(file.name);
  for (const DeviceSpec& spec : Db().All()) {
    EXPECT_TRUE(files.contains(absl::StrCat(spec.name, ".textproto"))) << spec.name;
  }
  EXPECT_EQ(files.size(), Db().All().size());
}

// That each figure is set and sourced, or listed as not published, is checked
// on reading; what a product cannot be without must be published.
TEST(SpecDatabaseTest, OnlyClocksMayBeUnpublished) {
  for (const DeviceSpec& spec : Db().All()) {
    EXPECT_GT(spec.sm_count, 0) << spec.name;
    EXPECT_GT(spec.memory_bytes, int64_t{1} << 30) << spec.name;
    EXPECT_GT(spec.memory_bandwidth_bytes_per_s, 0) << spec.name;
    EXPECT_GT(spec.l2_cache_bytes, 0) << spec.name;
    EXPECT_TRUE(spec.boost_clock_mhz.has_value()) << spec.name;
    EXPECT_TRUE(spec.memory_clock_mhz.has_value()) << spec.name;
    EXPECT_FALSE(spec.product_name.empty()) << spec.name;
  }
  for (const Generation& generation : Db().AllGenerations()) {
    EXPECT_FALSE(generation.architecture.empty()) << generation.compute_capability;
  }
}

TEST(SpecDatabaseTest, ProductsOfAGenerationShareItsBoundsAndMakeSense) {
  for (const DeviceSpec& spec : Db().All()) {
    ASSERT_EQ(spec.generation, Db().FindGeneration(spec.compute_capability())) << spec.name;
    // Compute clocks of the products here lie between these.
    EXPECT_GE(*spec.boost_clock_mhz, 1000) << spec.name;
    EXPECT_LE(*spec.boost_clock_mhz, 3000) << spec.name;
    // NVLink generations follow architectures: 2 Volta, 3 Ampere, 4 Hopper, 5 Blackwell.
    const std::map<int, int> nvlink = {{7, 2}, {8, 3}, {9, 4}, {10, 5}};
    if (spec.nvlink_generation > 0) {
      EXPECT_EQ(spec.nvlink_generation, nvlink.at(spec.compute_capability().major())) << spec.name;
    }
  }
}

// The same chip in two products: the figures of the chip cannot fall with more
// of it enabled.
TEST(SpecDatabaseTest, ProductsOfOneChipAreConsistent) {
  const auto at = [](std::string_view name) -> const DeviceSpec& {
    return *Db().FindByName(name).value();
  };
  EXPECT_EQ(at("a100").sm_count, at("a100-40gb").sm_count);
  EXPECT_EQ(at("a100").l2_cache_bytes, at("a100-40gb").l2_cache_bytes);
  EXPECT_LT(at("a100-40gb").memory_bytes, at("a100").memory_bytes);
  EXPECT_LT(at("h100-pcie").sm_count, at("h100").sm_count);
  EXPECT_EQ(at("h100").sm_count, at("h200").sm_count);
  EXPECT_EQ(at("h100").l2_cache_bytes, at("h100-pcie").l2_cache_bytes);
  EXPECT_EQ(at("h200").l2_cache_bytes, at("gh200").l2_cache_bytes);
  EXPECT_EQ(at("b200").l2_cache_bytes, at("b300").l2_cache_bytes);
  EXPECT_EQ(at("gb200").l2_cache_bytes, at("gb300").l2_cache_bytes);
  EXPECT_LT(at("rtx5090").sm_count, at("rtx6000pro").sm_count);
  EXPECT_LT(at("rtx5090").l2_cache_bytes, at("rtx6000pro").l2_cache_bytes);
}

TEST(SpecDatabaseTest, KnowsTheFiguresOfAnH100) {
  absl::StatusOr<const DeviceSpec*> h100 = Db().FindByName("h100");
  ASSERT_TRUE(h100.ok()) << h100.status();
  EXPECT_EQ((*h100)->product_name, "NVIDIA H100 SXM5 80GB");
  EXPECT_EQ((*h100)->native_target().ToString(), "9.0a");
  EXPECT_EQ((*h100)->sm_count, 132);
  EXPECT_EQ((*h100)->generation->shared_memory_per_block_optin, 227 * 1024);
  EXPECT_EQ((*h100)->host_link, target::PCIE);
  EXPECT_EQ((*Db().FindByName("b200"))->generation->tensor_memory_columns, 512);
  EXPECT_EQ((*Db().FindByName("l4"))->native_target().ToString(), "8.9");
}

TEST(SpecDatabaseTest, FindsByNameAndAliasInAnyCase) {
  for (const DeviceSpec& spec : Db().All()) {
    EXPECT_EQ(Db().FindByName(spec.name).value(), &spec);
    for (const std::string& alias : spec.aliases) {
      EXPECT_EQ(Db().FindByName(alias).value(), &spec) << alias;
    }
  }
  EXPECT_EQ(Db().FindByName("H100").value()->name, "h100");
  EXPECT_EQ(Db().FindByName("GB10").value()->name, "spark");
}

TEST(SpecDatabaseTest, AnUnknownNameIsToldTheNearestAndAll) {
  absl::StatusOr<const DeviceSpec*> found = Db().FindByName("h1000");
  ASSERT_EQ(found.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(found.status().message(), HasSubstr("unknown GPU \"h1000\"; did you mean h100?"));
  EXPECT_THAT(found.status().message(), HasSubstr("v100, t4, a100"));
  EXPECT_THAT(Db().FindByName("rtx-5090").status().message(), HasSubstr("did you mean rtx5090?"));

  EXPECT_THAT(Db().FindByName("mi300x").status().message(), Not(HasSubstr("did you mean")));
  EXPECT_THAT(Db().FindByName("").status().message(), Not(HasSubstr("did you mean")));
  EXPECT_LT(Db().FindByName(std::string(1 << 20, 'h')).status().message().size(), 500u);
}

TEST(SpecDatabaseTest, FindsByComputeCapability) {
  std::vector<std::string> names;
  const ComputeCapability with_suffix = ComputeCapability::Parse("9.0a").value();
  for (const DeviceSpec* spec : Db().ByComputeCapability(with_suffix)) names.push_back(spec->name);
  EXPECT_THAT(names, ElementsAre("gh200", "h100", "h100-pcie", "h200"));
  EXPECT_TRUE(Db().ByComputeCapability(ComputeCapability(6, 0)).empty());
  EXPECT_EQ(Db().FindGeneration(ComputeCapability(6, 0)), nullptr);
  EXPECT_EQ(Db().FindGeneration(with_suffix)->architecture, "Hopper");
}

TEST(SpecDatabaseTest, GenerationsRise) {
  EXPECT_TRUE(std::is_sorted(Db().AllGenerations().begin(), Db().AllGenerations().end(),
                             [](const Generation& a, const Generation& b) {
                               return a.compute_capability < b.compute_capability;
                             }));
  EXPECT_TRUE(std::is_sorted(
      Db().All().begin(), Db().All().end(), [](const DeviceSpec& a, const DeviceSpec& b) {
        return std::tie(a.compute_capability(), a.name) < std::tie(b.compute_capability(), b.name);
      }));
}

TEST(FromTextTest, NamesTheFileAndThePlace) {
  const EmbeddedFile broken = {"broken.textproto", "name: \"x\"\nsm_count: many\n"};
  EXPECT_THAT(SpecDatabase::FromText(GenerationsText(), {broken}).status().message(),
              HasSubstr("broken.textproto:2:11"));
  EXPECT_THAT(SpecDatabase::FromText("generations { warp_sise: 32 }", {}).status().message(),
              HasSubstr("generations.textproto:1:"));
  const EmbeddedFile empty = {"empty.textproto", ""};
  EXPECT_THAT(SpecDatabase::FromText(GenerationsText(), {empty}).status().message(),
              HasSubstr("empty.textproto: GPU \"\": "));
}

TEST(FromTextTest, RefusesAGenerationTwice) {
  EXPECT_THAT(SpecDatabase::FromText(absl::StrCat(GenerationsText(), GenerationsText()), {})
                  .status()
                  .message(),
              HasSubstr("stands there twice"));
}

TEST(FromTextTest, RefusesANameTwice) {
  const std::string twin =
      absl::StrReplaceAll(SpecText("l4.textproto"), {{"name: \"l4\"", "name: \"h100-sxm5\""}});
  const EmbeddedFile files[] = {{"h100.textproto", SpecText("h100.textproto")},
                                {"twin.textproto", twin}};
  EXPECT_THAT(SpecDatabase::FromText(GenerationsText(), files).status().message(),
              HasSubstr("twin.textproto: the name \"h100-sxm5\" is taken by h100.textproto"));
}

}  // namespace
}  // namespace warpyard
