// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Compiled GPU code inside a program, and the choice of what a device gets.
// The Bazel rule cuda_device_library generates sources that fill these.

#ifndef WARPYARD_CC_TARGET_DEVICE_IMAGE_H_
#define WARPYARD_CC_TARGET_DEVICE_IMAGE_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "cc/target/compute_capability.h"

namespace warpyard {

// Code for one target. Text and bytes are not owned, and live as long as the
// program where the rule generated them.
struct DeviceImage {
  using Kind = CodeKind;

  ComputeCapability target;
  Kind kind = Kind::kPtx;
  // A CUBIN (ELF), or PTX text without a terminating zero.
  std::string_view bytes;
  // For messages: "saxpy.sm_90a.cubin".
  std::string_view name;
};

// The images of one library, in the order that the build gave them.
class DeviceImageSet {
 public:
  // `name` is what messages call the library: "//examples:saxpy".
  DeviceImageSet(std::string_view name, std::vector<DeviceImage> images)
      : name_(name), images_(std::move(images)) {}

  std::string_view name() const { return name_; }
  const std::vector<DeviceImage>& images() const { return images_; }

  // The image for a device (a suffix is ignored): of those that run there, a
  // CUBIN before PTX; then an 'a' before an 'f' before a plain one; then the
  // highest target; then the first. NOT_FOUND names the device and every image
  // that there is.
  absl::StatusOr<const DeviceImage*> Select(const ComputeCapability& device) const;

 private:
  std::string name_;
  std::vector<DeviceImage> images_;
};

}  // namespace warpyard

#endif  // WARPYARD_CC_TARGET_DEVICE_IMAGE_H_
