// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Which CUDA toolkit, PTX ISA, target and driver go together: NVIDIA's tables
// (versions.textproto), linked into the program.

#ifndef WARPYARD_CC_TARGET_VERSIONS_H_
#define WARPYARD_CC_TARGET_VERSIONS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cc/base/version.h"
#include "cc/target/compute_capability.h"

namespace warpyard {

// NVIDIA numbers the drivers of the two apart, within the same branches.
enum class DriverOs { kLinux, kWindows };

// The toolkits that compile for a target.
struct ToolkitRange {
  Version first;
  std::optional<Version> last;  // absent: the newest one known still does
};

// Immutable, and so safe to use from many threads.
//
// Wherever a CUDA version is asked for, major and minor count: 13.5.37 is 13.5.
class VersionTables {
 public:
  // versions.textproto, read from the program itself on first use.
  static const VersionTables& Embedded();

  // Reads the text of a VersionTablesProto. INVALID_ARGUMENT names the row and
  // what is wrong with it; rows must rise.
  static absl::StatusOr<std::unique_ptr<VersionTables>> FromText(std::string_view text);

  // The newest CUDA release in the tables.
  const Version& LatestCuda() const { return releases_.back().cuda; }
  // All CUDA releases, rising.
  std::vector<Version> CudaReleases() const;
  // All PTX ISA versions, rising.
  const std::vector<Version>& PtxIsas() const { return ptx_isas_; }
  // All targets, rising.
  std::vector<ComputeCapability> Targets() const;

  // The highest PTX ISA that a CUDA release (toolkit or driver) reads. For a
  // release newer than the tables this is the newest PTX ISA known, which it
  // reads too. NOT_FOUND for a version that never was.
  absl::StatusOr<Version> HighestPtxIsa(const Version& cuda) const;

  // The names that `.target` takes in PTX of this ISA, rising. NOT_FOUND for
  // an ISA that never was.
  absl::StatusOr<std::vector<ComputeCapability>> TargetsOfPtxIsa(const Version& ptx_isa) const;

  // The first PTX ISA that can name the target: 8.0 for 9.0a. NOT_FOUND for a
  // target that PTX does not know.
  absl::StatusOr<Version> PtxIsaIntroducing(const ComputeCapability& target) const;

  // The toolkits that compile for a target: 9.0 to 12.9 for 7.0. NOT_FOUND for
  // a target that PTX does not know.
  absl::StatusOr<ToolkitRange> ToolkitsFor(const ComputeCapability& target) const;

  // OK when the toolkit compiles for the target; otherwise FAILED_PRECONDITION
  // says which toolkits do, or NOT_FOUND that none does.
  absl::Status CheckToolkitCompilesFor(const Version& toolkit,
                                       const ComputeCapability& target) const;

  // All targets that a toolkit compiles for, rising. NOT_FOUND for a version
  // that was never released as a toolkit or is newer than the tables.
  absl::StatusOr<std::vector<ComputeCapability>> TargetsOfToolkit(const Version& toolkit) const;

  // The oldest driver with everything that the CUDA release has. NOT_FOUND
  // where NVIDIA has not published it (CUDA before 7.0, the newest toolkit,
  // and on Windows since 13.0); the message then names the driver branch where
  // that is known.
  absl::StatusOr<Version> MinimumDriver(const Version& cuda, DriverOs os = DriverOs::kLinux) const;

  // The oldest driver branch on which binaries of the toolkit run at all, by
  // CUDA minor version compatibility: 580 for all of CUDA 13. New features do
  // not work there, and PTX of the newer ISA does not load.
  absl::StatusOr<Version> MinimumDriverForMinorCompatibility(const Version& cuda) const;

  // The CUDA release that a driver brings: 13.0 for 580.95.05. For a driver
  // newer than the tables this is the newest release whose driver is known.
  // NOT_FOUND for one that is older than the tables.
  absl::StatusOr<Version> CudaOfDriver(const Version& driver, DriverOs os = DriverOs::kLinux) const;

 private:
  struct Release {
    Version cuda;
    Version ptx_isa;
    std::optional<Version> driver_branch;
    std::optional<Version> linux_driver;
    std::optional<Version> windows_driver;
    bool driver_only = false;
  };
  struct Target {
    ComputeCapability cc;
    Version ptx_isa;
    std::optional<Version> first_toolkit;
    std::optional<Version> last_toolkit;
  };
  struct MinorCompatibility {
    uint32_t cuda_major = 0;
    Version first_driver_branch;
  };

  VersionTables() = default;

  absl::StatusOr<const Release*> FindRelease(const Version& cuda) const;
  absl::StatusOr<const Target*> FindTarget(const ComputeCapability& cc) const;

  std::vector<Release> releases_;  // rising
  std::vector<Version> ptx_isas_;  // rising
  std::vector<Target> targets_;    // rising by compute capability
  std::vector<MinorCompatibility> minor_compatibility_;
};

}  // namespace warpyard

#endif  // WARPYARD_CC_TARGET_VERSIONS_H_
