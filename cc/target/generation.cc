// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/target/generation.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "cc/target/compute_capability.h"
#include "cc/target/device_spec.pb.h"
#include "cc/target/figure_sources.h"

namespace warpyard {
namespace {

using target::GenerationProto;

std::vector<target::Source> SourcesOf(const GenerationProto& proto,
                                      const std::vector<target::SharedSource>& shared_sources) {
  std::vector<target::Source> sources;
  for (const target::SharedSource& shared : shared_sources) {
    const auto& only = shared.compute_capabilities();
    if (only.empty() ||
        std::find(only.begin(), only.end(), proto.compute_capability()) != only.end()) {
      sources.push_back(shared.source());
    }
  }
  sources.insert(sources.end(), proto.sources().begin(), proto.sources().end());
  return sources;
}

// What must hold between figures, whatever the generation.
std::vector<std::string> Contradictions(const Generation& g) {
  std::vector<std::string> found;
  const auto require = [&found](bool holds, std::string_view rule) {
    if (!holds) found.emplace_back(rule);
  };
  const auto multiple = [](int value, int unit) { return unit > 0 && value % unit == 0; };

  require(g.compute_capability.kind() == ComputeCapability::Kind::kPlain,
          "compute_capability has a suffix");
  require(g.native_target.Plain() == g.compute_capability,
          "native_target is of another compute capability");
  require(g.max_threads_per_sm == g.max_warps_per_sm * g.warp_size,
          "max_threads_per_sm is not max_warps_per_sm x warp_size");
  require(g.max_threads_per_block <= g.max_threads_per_sm,
          "max_threads_per_block exceeds max_threads_per_sm");
  require(g.max_blocks_per_sm <= g.max_warps_per_sm, "max_blocks_per_sm exceeds max_warps_per_sm");
  require(!g.named_barriers_per_sm.has_value() || *g.named_barriers_per_sm >= g.max_blocks_per_sm,
          "named_barriers_per_sm is below max_blocks_per_sm");
  require(multiple(g.registers_per_sm, g.sub_partitions_per_sm * g.register_allocation_unit),
          "registers_per_sm is no multiple of sub_partitions_per_sm x register_allocation_unit");
  require(g.max_registers_per_block <= g.registers_per_sm,
          "max_registers_per_block exceeds registers_per_sm");
  require(g.shared_memory_per_block <= g.shared_memory_per_block_optin,
          "shared_memory_per_block exceeds shared_memory_per_block_optin");
  require(g.shared_memory_per_block_optin + g.reserved_shared_memory_per_block ==
              g.shared_memory_per_sm,
          "shared_memory_per_block_optin + reserved_shared_memory_per_block is not "
          "shared_memory_per_sm");
  require(multiple(g.shared_memory_per_sm, g.shared_memory_allocation_unit),
          "shared_memory_per_sm is no multiple of shared_memory_allocation_unit");
  require(multiple(g.reserved_shared_memory_per_block, g.shared_memory_allocation_unit),
          "reserved_shared_memory_per_block is no multiple of shared_memory_allocation_unit");
  const std::vector<int>& carveouts = g.shared_memory_carveouts_kib;
  require(std::is_sorted(carveouts.begin(), carveouts.end()),
          "shared_memory_carveouts_kib does not rise");
  require(!carveouts.empty() && carveouts.back() * 1024 == g.shared_memory_per_sm,
          "the last of shared_memory_carveouts_kib is not shared_memory_per_sm");
  require(g.tensor_memory_columns % 32 == 0, "tensor_memory_columns is no multiple of 32");
  require(!g.max_cluster_size_nonportable.has_value() ||
              *g.max_cluster_size_nonportable >= g.max_cluster_size_portable,
          "max_cluster_size_nonportable is below max_cluster_size_portable");
  return found;
}

// No figure of a GPU here needs more; a larger one is a slip of the hand that
// could overflow a product.
constexpr int kMaxFigure = 1 << 24;

}  // namespace

absl::StatusOr<Generation> GenerationFromProto(
    const GenerationProto& proto, const std::vector<target::SharedSource>& shared_sources) {
  const std::string name = absl::StrCat("generation ", proto.compute_capability());
  Generation g;
  g.sources = SourcesOf(proto, shared_sources);
  const absl::Status sourced = CheckFigureSources(
      name, proto, g.sources, {proto.not_published().begin(), proto.not_published().end()},
      /*exempt=*/{"sources", "not_published"});
  if (!sourced.ok()) return sourced;

  absl::StatusOr<ComputeCapability> compute_capability =
      ComputeCapability::Parse(proto.compute_capability());
  if (!compute_capability.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(name, ": ", compute_capability.status().message()));
  }
  g.compute_capability = *compute_capability;
  absl::StatusOr<ComputeCapability> native_target = ComputeCapability::Parse(proto.native_target());
  if (!native_target.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(name, ": ", native_target.status().message()));
  }
  g.native_target = *native_target;
  g.architecture = proto.architecture();

  std::vector<std::string> out_of_range;
  const auto take = [&out_of_range](std::string_view field, int value, int least) {
    if (value < least || value > kMaxFigure) {
      out_of_range.push_back(
          absl::StrCat(field, " is ", value, ", expected ", least, " to ", kMaxFigure));
    }
    return value;
  };
#define WARPYARD_TAKE(field, least) g.field = take(#field, proto.field(), least)
  WARPYARD_TAKE(warp_size, 1);
  WARPYARD_TAKE(max_threads_per_block, 1);
  WARPYARD_TAKE(max_threads_per_sm, 1);
  WARPYARD_TAKE(max_warps_per_sm, 1);
  WARPYARD_TAKE(max_blocks_per_sm, 1);
  WARPYARD_TAKE(sub_partitions_per_sm, 1);
  WARPYARD_TAKE(registers_per_sm, 1);
  WARPYARD_TAKE(max_registers_per_block, 1);
  WARPYARD_TAKE(max_registers_per_thread, 1);
  WARPYARD_TAKE(register_allocation_unit, 1);
  WARPYARD_TAKE(shared_memory_per_sm, 1);
  WARPYARD_TAKE(shared_memory_per_block, 1);
  WARPYARD_TAKE(shared_memory_per_block_optin, 1);
  WARPYARD_TAKE(reserved_shared_memory_per_block, 0);
  WARPYARD_TAKE(shared_memory_allocation_unit, 1);
  WARPYARD_TAKE(constant_memory, 1);
  WARPYARD_TAKE(tensor_memory_columns, 0);
  WARPYARD_TAKE(max_cluster_size_portable, 1);
#undef WARPYARD_TAKE
  for (const int kib : proto.shared_memory_carveouts_kib()) {
    g.shared_memory_carveouts_kib.push_back(take("shared_memory_carveouts_kib", kib, 0));
  }
  if (proto.has_named_barriers_per_sm()) {
    g.named_barriers_per_sm = take("named_barriers_per_sm", proto.named_barriers_per_sm(), 1);
  }
  if (proto.has_max_cluster_size_nonportable()) {
    g.max_cluster_size_nonportable =
        take("max_cluster_size_nonportable", proto.max_cluster_size_nonportable(), 1);
  }
  // Rules between figures assume each to be in range.
  const std::vector<std::string> breaches = out_of_range.empty() ? Contradictions(g) : out_of_range;
  if (!breaches.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(name, ": ", absl::StrJoin(breaches, "; ")));
  }
  return g;
}

}  // namespace warpyard
