// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/target/generation.h"

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "cc/target/compute_capability.h"
#include "cc/target/device_spec.pb.h"
#include "cc/target/text_proto.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kGeneration = R"pb(
  compute_capability: "9.0"
  architecture: "Hopper"
  native_target: "9.0a"
  warp_size: 32
  max_threads_per_block: 1024
  max_threads_per_sm: 2048
  max_warps_per_sm: 64
  max_blocks_per_sm: 32
  named_barriers_per_sm: 64
  sub_partitions_per_sm: 4
  registers_per_sm: 65536
  max_registers_per_block: 65536
  max_registers_per_thread: 255
  register_allocation_unit: 256
  shared_memory_per_sm: 233472
  shared_memory_per_block: 49152
  shared_memory_per_block_optin: 232448
  reserved_shared_memory_per_block: 1024
  shared_memory_allocation_unit: 128
  shared_memory_carveouts_kib: [ 0, 100, 228 ]
  constant_memory: 65536
  tensor_memory_columns: 0
  max_cluster_size_portable: 8
  sources {
    kind: VENDOR_DOCUMENT
    document: "Guide"
    section: "Table 1"
    fields: [
      "compute_capability",
      "architecture",
      "native_target",
      "warp_size",
      "max_threads_per_block",
      "max_threads_per_sm",
      "max_warps_per_sm",
      "max_blocks_per_sm",
      "named_barriers_per_sm",
      "sub_partitions_per_sm",
      "registers_per_sm",
      "max_registers_per_block",
      "max_registers_per_thread",
      "register_allocation_unit",
      "shared_memory_per_sm",
      "shared_memory_per_block",
      "shared_memory_per_block_optin",
      "reserved_shared_memory_per_block",
      "shared_memory_allocation_unit",
      "shared_memory_carveouts_kib",
      "constant_memory",
      "tensor_memory_columns"
    ]
  }
  not_published: "max_cluster_size_nonportable"
)pb";

constexpr std::string_view kSharedSource = R"pb(
  source {
    kind: VENDOR_DOCUMENT
    document: "Guide"
    section: "Table 2"
    fields: "max_cluster_size_portable"
  }
  compute_capabilities: [ "9.0", "9.0a", "9" ]
)pb";

absl::StatusOr<Generation> Read(std::string_view text,
                                std::string_view shared_source = kSharedSource) {
  return GenerationFromProto(ParseTextProto<target::GenerationProto>("test", text).value(),
                             {ParseTextProto<target::SharedSource>("test", shared_source).value()});
}

TEST(GenerationTest, Reads) {
  absl::StatusOr<Generation> generation = Read(kGeneration);
  ASSERT_TRUE(generation.ok()) << generation.status();
  EXPECT_EQ(generation->compute_capability, ComputeCapability(9, 0));
  EXPECT_EQ(generation->native_target, ComputeCapability::Parse("9.0a").value());
  EXPECT_EQ(generation->architecture, "Hopper");
  EXPECT_EQ(generation->shared_memory_per_block_optin, 227 * 1024);
  EXPECT_EQ(generation->shared_memory_carveouts_kib, (std::vector<int>{0, 100, 228}));
  EXPECT_EQ(generation->named_barriers_per_sm, 64);
  EXPECT_EQ(generation->max_cluster_size_nonportable, std::nullopt);
  EXPECT_EQ(generation->sources.size(), 2u);
}

TEST(GenerationTest, RefusesWhatIsWrong) {
  struct Case {
    std::string_view from;
    std::string_view to;
    std::string_view reason;
  };
  for (const Case& c : std::vector<Case>{
           // Sources.
           {"\"constant_memory\",", "", "constant_memory has no source"},
           {"constant_memory: 65536", "", "which is unset"},
           {"constant_memory: 65536", "", "constant_memory is neither set nor listed"},
           {"\"warp_size\",", "\"warp_sise\",", "names warp_sise, which is no figure"},
           {"\"max_cluster_size_nonportable\"", "\"warp_size\"",
            "warp_size is set and listed as not published"},
           {"document: \"Guide\"", "", "lacks a kind, a document"},
           {"kind: VENDOR_DOCUMENT", "", "lacks a kind, a document"},
           // Ranges.
           {"warp_size: 32", "warp_size: 0", "warp_size is 0, expected 1 to"},
           {"warp_size: 32", "warp_size: -32", "warp_size is -32"},
           {"registers_per_sm: 65536", "registers_per_sm: 2000000000", "registers_per_sm is"},
           {"tensor_memory_columns: 0", "tensor_memory_columns: -1", "tensor_memory_columns is -1"},
           // Text.
           {"compute_capability: \"9.0\"", "compute_capability: \"9\"", "minor number is missing"},
           {"compute_capability: \"9.0\"", "compute_capability: \"9.0a\"", "has a suffix"},
           {"native_target: \"9.0a\"", "native_target: \"10.0a\"", "another compute capability"},
           {"native_target: \"9.0a\"", "native_target: \"h100\"", "compute capability \"h100\""},
           // Contradictions.
           {"max_threads_per_sm: 2048", "max_threads_per_sm: 1536", "max_warps_per_sm x warp_size"},
           {"max_blocks_per_sm: 32", "max_blocks_per_sm: 65", "max_blocks_per_sm exceeds"},
           {"named_barriers_per_sm: 64", "named_barriers_per_sm: 31", "named_barriers_per_sm is"},
           {"registers_per_sm: 65536", "registers_per_sm: 65537",
            "registers_per_sm is no multiple"},
           {"max_registers_per_block: 65536", "max_registers_per_block: 65537",
            "max_registers_per_block exceeds"},
           {"shared_memory_per_block: 49152", "shared_memory_per_block: 300000",
            "shared_memory_per_block exceeds"},
           {"reserved_shared_memory_per_block: 1024", "reserved_shared_memory_per_block: 0",
            "is not shared_memory_per_sm"},
           {"[ 0, 100, 228 ]", "[ 100, 0, 228 ]", "does not rise"},
           {"[ 0, 100, 228 ]", "[ 0, 100 ]", "the last of shared_memory_carveouts_kib"},
           {"tensor_memory_columns: 0", "tensor_memory_columns: 500", "no multiple of 32"},
       }) {
    const std::string text = absl::StrReplaceAll(kGeneration, {{c.from, c.to}});
    ASSERT_NE(text, kGeneration) << c.from;
    absl::StatusOr<Generation> generation = Read(text);
    ASSERT_EQ(generation.status().code(), absl::StatusCode::kInvalidArgument) << c.to;
    EXPECT_THAT(generation.status().message(), HasSubstr(c.reason));
    EXPECT_THAT(generation.status().message(), HasSubstr("generation 9"));
  }
}

TEST(GenerationTest, ASharedSourceCoversItsGenerationsAlone) {
  const std::string other = absl::StrReplaceAll(kSharedSource, {{"\"9.0\",", "\"8.9\","}});
  EXPECT_THAT(Read(kGeneration, other).status().message(),
              HasSubstr("max_cluster_size_portable has no source"));
}

}  // namespace
}  // namespace warpyard
