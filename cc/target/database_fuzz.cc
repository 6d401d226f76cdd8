// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Texts of any content in place of the database's own: reading gives a
// database or a reason, and what was read can be asked anything.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "absl/log/check.h"
#include "absl/status/statusor.h"
#include "cc/base/version.h"
#include "cc/target/compute_capability.h"
#include "cc/target/device_spec.h"
#include "cc/target/embedded_file.h"
#include "cc/target/embedded_generations.h"
#include "cc/target/generation.h"
#include "cc/target/kernel_limits.h"
#include "cc/target/occupancy.h"
#include "cc/target/spec_database.h"
#include "cc/target/versions.h"

namespace warpyard {
namespace {

void FuzzGenerations(std::string_view text) {
  absl::StatusOr<std::unique_ptr<SpecDatabase>> database = SpecDatabase::FromText(text, {});
  if (!database.ok()) return;
  for (const Generation& generation : (*database)->AllGenerations()) {
    absl::StatusOr<Occupancy> occupancy = ComputeOccupancy(
        generation, {.threads_per_block = 256, .registers_per_thread = 64, .named_barriers = 3});
    CHECK(occupancy.ok()) << occupancy.status();
    CHECK_GE(occupancy->active_blocks, 0);
    CHECK(!occupancy->limits.empty());
    (void)CheckKernelLimits("k", {.threads_per_block = 256, .cluster_size = 2}, generation);
  }
}

void FuzzSpec(std::string_view text) {
  const EmbeddedFile file = {"fuzz.textproto", text};
  absl::StatusOr<std::unique_ptr<SpecDatabase>> database =
      SpecDatabase::FromText(EmbeddedGenerations().front().contents, {file});
  if (!database.ok()) return;
  const DeviceSpec& spec = (*database)->All().front();
  CHECK((*database)->FindByName(spec.name).value() == &spec);
  CHECK_GT(spec.memory_bytes, 0);
}

void FuzzVersions(std::string_view text) {
  absl::StatusOr<std::unique_ptr<VersionTables>> tables = VersionTables::FromText(text);
  if (!tables.ok()) return;
  for (const ComputeCapability& target : (*tables)->Targets()) {
    CHECK((*tables)->ToolkitsFor(target).ok());
    CHECK((*tables)->PtxIsaIntroducing(target).ok());
  }
  for (const Version& cuda : (*tables)->CudaReleases()) {
    CHECK((*tables)->HighestPtxIsa(cuda).ok()) << cuda;
    (void)(*tables)->TargetsOfToolkit(cuda);
  }
  (void)(*tables)->CudaOfDriver(Version(580));
}

}  // namespace
}  // namespace warpyard

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  warpyard::FuzzGenerations(text);
  warpyard::FuzzSpec(text);
  warpyard::FuzzVersions(text);
  return 0;
}
