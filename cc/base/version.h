// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// A dotted version number, compared component by component: of a CUDA toolkit
// ("13.5"), a PTX ISA ("9.5"), a driver ("580.95.05") or a library ("9.13.0").

#ifndef WARPYARD_CC_BASE_VERSION_H_
#define WARPYARD_CC_BASE_VERSION_H_

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"

namespace warpyard {

// One to four components. A missing component counts as 0, so "13" == "13.0"
// and "9.10" > "9.9". Text is kept as it was written: "580.95.05" prints so,
// although it equals "580.95.5". The default version is "0".
//
//   ASSIGN_OR_RETURN(Version cuda, Version::Parse("13.5.37"));
//   if (cuda >= Version(13, 0)) ...
class Version {
 public:
  static constexpr size_t kMaxComponents = 4;
  static constexpr uint32_t kMaxComponent = 999'999'999;

  constexpr Version() = default;

  // Each of `major`, `minor`, `patch` must be at most kMaxComponent.
  constexpr explicit Version(uint32_t major) : components_{major}, size_(1) {}
  constexpr Version(uint32_t major, uint32_t minor) : components_{major, minor}, size_(2) {}
  constexpr Version(uint32_t major, uint32_t minor, uint32_t patch)
      : components_{major, minor, patch}, size_(3) {}

  // Accepts digits separated by single dots and nothing else: no "v", no
  // spaces, no suffix. INVALID_ARGUMENT quotes the text and says what is wrong.
  static absl::StatusOr<Version> Parse(std::string_view text);

  constexpr uint32_t major() const { return components_[0]; }
  constexpr uint32_t minor() const { return components_[1]; }
  constexpr uint32_t patch() const { return components_[2]; }

  // How many components were written, at least 1.
  constexpr size_t size() const { return size_; }

  // As it was parsed, leading zeros included.
  std::string ToString() const;

  friend constexpr bool operator==(const Version& a, const Version& b) {
    return a.components_ == b.components_;
  }
  friend constexpr std::strong_ordering operator<=>(const Version& a, const Version& b) {
    return a.components_ <=> b.components_;
  }

  template <typename H>
  friend H AbslHashValue(H h, const Version& version) {
    return H::combine(std::move(h), version.components_);
  }

  template <typename Sink>
  friend void AbslStringify(Sink& sink, const Version& version) {
    sink.Append(version.ToString());
  }
  friend std::ostream& operator<<(std::ostream& out, const Version& version) {
    return out << version.ToString();
  }

 private:
  std::array<uint32_t, kMaxComponents> components_ = {};
  // Digits each component was written with, 0 when it was not parsed; only
  // printing looks at it.
  std::array<uint8_t, kMaxComponents> widths_ = {};
  uint8_t size_ = 1;
};

}  // namespace warpyard

#endif  // WARPYARD_CC_BASE_VERSION_H_
