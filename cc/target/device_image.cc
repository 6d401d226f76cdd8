// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/target/device_image.h"

#include <string>
#include <string_view>
#include <tuple>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "cc/target/compute_capability.h"

namespace warpyard {
namespace {

// Greater is better.
auto Rank(const DeviceImage& image) {
  return std::make_tuple(image.kind == CodeKind::kCubin, image.target.kind(), image.target.Plain());
}

std::string Describe(const DeviceImage& image) {
  return absl::StrCat(image.target.ToString(), image.kind == CodeKind::kCubin ? " CUBIN" : " PTX");
}

}  // namespace

absl::StatusOr<const DeviceImage*> DeviceImageSet::Select(const ComputeCapability& device) const {
  const DeviceImage* best = nullptr;
  for (const DeviceImage& image : images_) {
    if (!CanRun(image.target, device, image.kind)) continue;
    if (best == nullptr || Rank(image) > Rank(*best)) best = &image;
  }
  if (best != nullptr) return best;
  return absl::NotFoundError(
      absl::StrCat("device library ", name_, " has no image that runs on compute capability ",
                   device.Plain().ToString(), "; it has ",
                   images_.empty() ? "none at all"
                                   : absl::StrJoin(images_, ", ",
                                                   [](std::string* out, const DeviceImage& image) {
                                                     out->append(Describe(image));
                                                   }),
                   ". Add a target that runs there to the library's `targets`"));
}

}  // namespace warpyard
