// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The compute capability of a device, or the target that code was compiled
// for, and NVIDIA's rules for which code runs on which device.

#ifndef WARPYARD_CC_TARGET_COMPUTE_CAPABILITY_H_
#define WARPYARD_CC_TARGET_COMPUTE_CAPABILITY_H_

#include <compare>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"

namespace warpyard {

// A device has a plain compute capability ("9.0"). A compilation target has a
// kind besides: which set of features the code may use (CUDA Programming
// Guide, 5.1.2.3 "Feature Set Compiler Targets").
class ComputeCapability {
 public:
  // In rising order of what the code may use and falling order of where it runs.
  enum class Kind : uint8_t {
    kPlain,   // "9.0", sm_90: features that all later generations keep
    kFamily,  // "10.0f", sm_100f: features shared by a family
    kArch,    // "9.0a", sm_90a: every feature of this one generation
  };

  // The capability of nothing: 0.0. No text parses to it.
  constexpr ComputeCapability() = default;

  // `major` in [1, 99], `minor` in [0, 9].
  constexpr ComputeCapability(int major, int minor, Kind kind = Kind::kPlain)
      : major_(static_cast<uint8_t>(major)), minor_(static_cast<uint8_t>(minor)), kind_(kind) {}

  // Reads "9.0", "9.0a", "10.3f", "sm_90a" or "compute_100f". The form says
  // nothing of whether a GPU or a compiler knows the number (see versions.h),
  // but 'a' needs 9.0 and 'f' needs 10.0 at least, where NVIDIA began them.
  // INVALID_ARGUMENT quotes the text and says what is wrong with it.
  static absl::StatusOr<ComputeCapability> Parse(std::string_view text);

  constexpr int major() const { return major_; }
  constexpr int minor() const { return minor_; }
  constexpr Kind kind() const { return kind_; }

  // The capability of the device itself, without the code's suffix: "9.0" of "9.0a".
  constexpr ComputeCapability Plain() const { return ComputeCapability(major_, minor_); }
  // The same number with another suffix.
  constexpr ComputeCapability WithKind(Kind kind) const {
    return ComputeCapability(major_, minor_, kind);
  }

  std::string ToString() const;     // "9.0a"
  std::string SmName() const;       // "sm_90a"
  std::string ComputeName() const;  // "compute_90a"

  friend constexpr bool operator==(const ComputeCapability&, const ComputeCapability&) = default;
  // By number, then by kind: 9.0 < 9.0a < 10.0 < 10.0f < 10.0a < 10.3.
  friend constexpr std::strong_ordering operator<=>(const ComputeCapability&,
                                                    const ComputeCapability&) = default;

  template <typename H>
  friend H AbslHashValue(H h, const ComputeCapability& cc) {
    return H::combine(std::move(h), cc.major_, cc.minor_, cc.kind_);
  }

  template <typename Sink>
  friend void AbslStringify(Sink& sink, const ComputeCapability& cc) {
    sink.Append(cc.ToString());
  }
  friend std::ostream& operator<<(std::ostream& out, const ComputeCapability& cc) {
    return out << cc.ToString();
  }

 private:
  uint8_t major_ = 0;
  uint8_t minor_ = 0;
  Kind kind_ = Kind::kPlain;
};

// The two forms in which code meets a device.
enum class CodeKind {
  kCubin,  // machine code
  kPtx,    // text that the driver compiles when it loads it
};

// Whether a device of compute capability `device` (its suffix is ignored) runs
// code compiled for `code`:
//
//   plain CUBIN   on its own major, from its minor up; on and for Tegra chips
//                 only on exactly its own (CUDA C++ Programming Guide, "Binary
//                 Compatibility")
//   plain PTX     on that number and every later one (PTX ISA, ".target")
//   'f', both     within its family, from its minor up (CUDA Programming
//                 Guide, Table 28 "Family-Specific Compatibility"; PTX ISA,
//                 ".target", table "Architecture Families")
//   'a', both     on exactly its own
//
//   CanRun({8, 0}, {8, 6}, CodeKind::kCubin)                    // true
//   CanRun({9, 0, Kind::kArch}, {10, 0}, CodeKind::kPtx)        // false
//
// Whether the driver is new enough for the code is another matter: versions.h.
bool CanRun(const ComputeCapability& code, const ComputeCapability& device, CodeKind kind);

// Whether code that uses the features of `source` can be compiled for the
// target `target`, by the rule that ptxas states under --gpu-name: plain for
// any target from its number up; 'f' for a target of its family from its minor
// up, where to use family features the target itself must be an 'f' or an 'a';
// 'a' for exactly itself.
bool CanCompileFor(const ComputeCapability& source, const ComputeCapability& target);

}  // namespace warpyard

#endif  // WARPYARD_CC_TARGET_COMPUTE_CAPABILITY_H_
