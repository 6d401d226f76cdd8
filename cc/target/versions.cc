// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/target/versions.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/log/check.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "cc/base/version.h"
#include "cc/target/compute_capability.h"
#include "cc/target/embedded_versions.h"
#include "cc/target/text_proto.h"
#include "cc/target/versions.pb.h"

namespace warpyard {
namespace {

Version MajorMinor(const Version& version) { return Version(version.major(), version.minor()); }

absl::Status BadRow(std::string_view row, std::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat("versions.textproto, ", row, ": ", why));
}

// Parses the cells of one row, and keeps the first error.
class RowReader {
 public:
  explicit RowReader(std::string row) : row_(std::move(row)) {}

  Version Required(std::string_view text) {
    absl::StatusOr<Version> version = Version::Parse(text);
    if (version.ok()) return *version;
    Fail(version.status().message());
    return Version();
  }

  std::optional<Version> Optional(std::string_view text) {
    if (text.empty()) return std::nullopt;
    return Required(text);
  }

  ComputeCapability Target(std::string_view text) {
    absl::StatusOr<ComputeCapability> cc = ComputeCapability::Parse(text);
    if (cc.ok()) return *cc;
    Fail(cc.status().message());
    return ComputeCapability();
  }

  void Fail(std::string_view why) {
    if (status_.ok()) status_ = BadRow(row_, why);
  }

  const absl::Status& status() const { return status_; }

 private:
  std::string row_;
  absl::Status status_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<VersionTables>> VersionTables::FromText(std::string_view text) {
  absl::StatusOr<target::VersionTablesProto> proto =
      ParseTextProto<target::VersionTablesProto>("versions.textproto", text);
  if (!proto.ok()) return proto.status();
  auto tables = std::unique_ptr<VersionTables>(new VersionTables());

  if (proto->cuda_releases().empty()) return BadRow("cuda_releases", "there is none");
  for (const target::CudaRelease& row : proto->cuda_releases()) {
    RowReader reader(absl::StrCat("cuda_releases ", row.cuda()));
    Release release;
    release.cuda = reader.Required(row.cuda());
    release.ptx_isa = reader.Required(row.ptx_isa());
    release.driver_branch = reader.Optional(row.driver_branch());
    release.linux_driver = reader.Optional(row.linux_driver());
    release.windows_driver = reader.Optional(row.windows_driver());
    release.driver_only = row.driver_only();
    if (release.cuda != MajorMinor(release.cuda)) reader.Fail("cuda is not major.minor");
    if (release.linux_driver.has_value() && !release.driver_branch.has_value()) {
      reader.Fail("it has a driver but no driver_branch");
    }
    if (!tables->releases_.empty()) {
      const Release& before = tables->releases_.back();
      if (release.cuda <= before.cuda) reader.Fail("cuda does not rise");
      if (release.ptx_isa < before.ptx_isa) reader.Fail("ptx_isa falls");
      if (release.linux_driver.has_value() && before.linux_driver.has_value() &&
          *release.linux_driver <= *before.linux_driver) {
        reader.Fail("linux_driver does not rise");
      }
      if (release.windows_driver.has_value() && before.windows_driver.has_value() &&
          *release.windows_driver <= *before.windows_driver) {
        reader.Fail("windows_driver does not rise");
      }
    }
    if (!reader.status().ok()) return reader.status();
    tables->releases_.push_back(release);
  }

  for (const Release& release : tables->releases_) tables->ptx_isas_.push_back(release.ptx_isa);
  for (const std::string& text : proto->other_ptx_isas()) {
    RowReader reader("other_ptx_isas");
    tables->ptx_isas_.push_back(reader.Required(text));
    if (!reader.status().ok()) return reader.status();
  }
  std::sort(tables->ptx_isas_.begin(), tables->ptx_isas_.end());
  tables->ptx_isas_.erase(std::unique(tables->ptx_isas_.begin(), tables->ptx_isas_.end()),
                          tables->ptx_isas_.end());

  Version introduced_before;
  for (const target::PtxTarget& row : proto->ptx_targets()) {
    RowReader reader(absl::StrCat("ptx_targets ", row.target()));
    Target entry;
    entry.cc = reader.Target(row.target());
    entry.ptx_isa = reader.Required(row.ptx_isa());
    entry.first_toolkit = reader.Optional(row.first_toolkit());
    entry.last_toolkit = reader.Optional(row.last_toolkit());
    if (!row.renamed_to().empty()) reader.Target(row.renamed_to());
    if (entry.ptx_isa < introduced_before) reader.Fail("ptx_isa falls");
    introduced_before = entry.ptx_isa;
    if (std::any_of(tables->targets_.begin(), tables->targets_.end(),
                    [&entry](const Target& other) { return other.cc == entry.cc; })) {
      reader.Fail("it stands there twice");
    }
    if (entry.first_toolkit.has_value() && !tables->FindRelease(*entry.first_toolkit).ok()) {
      reader.Fail("first_toolkit is no CUDA release");
    }
    if (entry.last_toolkit.has_value() && !tables->FindRelease(*entry.last_toolkit).ok()) {
      reader.Fail("last_toolkit is no CUDA release");
    }
    if (std::none_of(tables->releases_.begin(), tables->releases_.end(),
                     [&entry](const Release& release) {
                       return !release.driver_only && release.ptx_isa >= entry.ptx_isa;
                     })) {
      reader.Fail("no toolkit has its ptx_isa");
    }
    if (!reader.status().ok()) return reader.status();
    tables->targets_.push_back(entry);
  }
  std::sort(tables->targets_.begin(), tables->targets_.end(),
            [](const Target& a, const Target& b) { return a.cc < b.cc; });

  for (const target::MinorVersionCompatibility& row : proto->minor_version_compatibility()) {
    RowReader reader(absl::StrCat("minor_version_compatibility ", row.cuda_major()));
    if (row.cuda_major() <= 0) reader.Fail("cuda_major is not positive");
    MinorCompatibility entry;
    entry.cuda_major = static_cast<uint32_t>(row.cuda_major());
    entry.first_driver_branch = reader.Required(row.first_driver_branch());
    if (!reader.status().ok()) return reader.status();
    tables->minor_compatibility_.push_back(entry);
  }
  return tables;
}

const VersionTables& VersionTables::Embedded() {
  // Never destroyed, so that threads that outlive main may still ask.
  static const VersionTables* const tables = [] {
    absl::StatusOr<std::unique_ptr<VersionTables>> read =
        FromText(EmbeddedVersions().front().contents);
    CHECK(read.ok()) << read.status();
    return read->release();
  }();
  return *tables;
}

std::vector<Version> VersionTables::CudaReleases() const {
  std::vector<Version> versions;
  for (const Release& release : releases_) versions.push_back(release.cuda);
  return versions;
}

std::vector<ComputeCapability> VersionTables::Targets() const {
  std::vector<ComputeCapability> targets;
  for (const Target& target : targets_) targets.push_back(target.cc);
  return targets;
}

absl::StatusOr<const VersionTables::Release*> VersionTables::FindRelease(
    const Version& cuda) const {
  for (const Release& release : releases_) {
    if (release.cuda == MajorMinor(cuda)) return &release;
  }
  return absl::NotFoundError(absl::StrCat("there is no CUDA ", MajorMinor(cuda),
                                          "; the tables know ", releases_.front().cuda, " to ",
                                          releases_.back().cuda));
}

absl::StatusOr<const VersionTables::Target*> VersionTables::FindTarget(
    const ComputeCapability& cc) const {
  for (const Target& target : targets_) {
    if (target.cc == cc) return &target;
  }
  return absl::NotFoundError(absl::StrCat("no PTX ISA up to ", releases_.back().ptx_isa,
                                          " knows the target ", cc.SmName()));
}

absl::StatusOr<Version> VersionTables::HighestPtxIsa(const Version& cuda) const {
  if (MajorMinor(cuda) > releases_.back().cuda) return releases_.back().ptx_isa;
  absl::StatusOr<const Release*> release = FindRelease(cuda);
  if (!release.ok()) return release.status();
  return (*release)->ptx_isa;
}

absl::StatusOr<std::vector<ComputeCapability>> VersionTables::TargetsOfPtxIsa(
    const Version& ptx_isa) const {
  if (!std::binary_search(ptx_isas_.begin(), ptx_isas_.end(), ptx_isa)) {
    return absl::NotFoundError(absl::StrCat("there is no PTX ISA ", ptx_isa, "; the tables know ",
                                            ptx_isas_.front(), " to ", ptx_isas_.back()));
  }
  std::vector<ComputeCapability> targets;
  for (const Target& target : targets_) {
    if (target.ptx_isa <= ptx_isa) targets.push_back(target.cc);
  }
  return targets;
}

absl::StatusOr<Version> VersionTables::PtxIsaIntroducing(const ComputeCapability& target) const {
  absl::StatusOr<const Target*> found = FindTarget(target);
  if (!found.ok()) return found.status();
  return (*found)->ptx_isa;
}

absl::StatusOr<ToolkitRange> VersionTables::ToolkitsFor(const ComputeCapability& target) const {
  absl::StatusOr<const Target*> found = FindTarget(target);
  if (!found.ok()) return found.status();
  const Target& entry = **found;
  if (entry.first_toolkit.has_value())
    return ToolkitRange{*entry.first_toolkit, entry.last_toolkit};
  // FromText saw to it that there is one.
  const auto first =
      std::find_if(releases_.begin(), releases_.end(), [&entry](const Release& release) {
        return !release.driver_only && release.ptx_isa >= entry.ptx_isa;
      });
  return ToolkitRange{first->cuda, entry.last_toolkit};
}

absl::Status VersionTables::CheckToolkitCompilesFor(const Version& toolkit,
                                                    const ComputeCapability& target) const {
  absl::StatusOr<ToolkitRange> range = ToolkitsFor(target);
  if (!range.ok()) return range.status();
  const Version cuda = MajorMinor(toolkit);
  if (cuda >= range->first && (!range->last.has_value() || cuda <= *range->last)) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(absl::StrCat(
      "CUDA ", cuda, " does not compile for ", target.SmName(), "; it needs a toolkit from ",
      range->first, range->last.has_value() ? absl::StrCat(" to ", *range->last) : " on"));
}

absl::StatusOr<std::vector<ComputeCapability>> VersionTables::TargetsOfToolkit(
    const Version& toolkit) const {
  absl::StatusOr<const Release*> release = FindRelease(toolkit);
  if (!release.ok()) return release.status();
  if ((*release)->driver_only) {
    return absl::NotFoundError(
        absl::StrCat("CUDA ", (*release)->cuda, " came as a driver; there is no such toolkit"));
  }
  std::vector<ComputeCapability> targets;
  for (const Target& target : targets_) {
    if (CheckToolkitCompilesFor(toolkit, target.cc).ok()) targets.push_back(target.cc);
  }
  return targets;
}

absl::StatusOr<Version> VersionTables::MinimumDriver(const Version& cuda, DriverOs os) const {
  absl::StatusOr<const Release*> release = FindRelease(cuda);
  if (!release.ok()) return release.status();
  const std::optional<Version>& driver =
      os == DriverOs::kLinux ? (*release)->linux_driver : (*release)->windows_driver;
  if (driver.has_value()) return *driver;
  return absl::NotFoundError(
      absl::StrCat("NVIDIA has published no minimum ", os == DriverOs::kLinux ? "Linux" : "Windows",
                   " driver for CUDA ", (*release)->cuda,
                   (*release)->driver_branch.has_value()
                       ? absl::StrCat("; its driver branch is r", *(*release)->driver_branch)
                       : ""));
}

absl::StatusOr<Version> VersionTables::MinimumDriverForMinorCompatibility(
    const Version& cuda) const {
  for (const MinorCompatibility& entry : minor_compatibility_) {
    if (entry.cuda_major == cuda.major()) return entry.first_driver_branch;
  }
  return absl::NotFoundError(
      absl::StrCat("CUDA ", cuda.major(), " has no minor version compatibility"));
}

absl::StatusOr<Version> VersionTables::CudaOfDriver(const Version& driver, DriverOs os) const {
  const Release* best = nullptr;
  for (const Release& release : releases_) {
    std::optional<Version> first =
        os == DriverOs::kLinux ? release.linux_driver : release.windows_driver;
    // Where only the branch is known, its first driver counts.
    if (!first.has_value()) first = release.driver_branch;
    if (first.has_value() && driver >= *first) best = &release;
  }
  if (best != nullptr) return best->cuda;
  return absl::NotFoundError(
      absl::StrCat("driver ", driver, " is older than any in the tables of CUDA releases"));
}

}  // namespace warpyard
