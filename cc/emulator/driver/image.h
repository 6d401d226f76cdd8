// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The PTX in what a client gives as a module: PTX text, a fatbin, or a CUBIN
// that carries its PTX along.

#ifndef WARPYARD_CC_EMULATOR_DRIVER_IMAGE_H_
#define WARPYARD_CC_EMULATOR_DRIVER_IMAGE_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "cc/target/compute_capability.h"

namespace warpyard::emulator::driver {

// How many bytes an image has that begins at `image` and whose size nobody
// told, as with cuModuleLoadData: a fatbin and an ELF file say it themselves,
// text ends with a zero byte. INVALID_ARGUMENT for anything else. Reads no byte
// behind the image if it is whole.
absl::StatusOr<size_t> ImageSize(const void* image);

// The PTX modules of an image that make the program for a device, to be linked
// where there are several. A fatbin's best PTX for the device is taken: the
// highest architecture that the device runs.
//
// INVALID_ARGUMENT for what is no image; FAILED_PRECONDITION where the image has
// machine code alone, or PTX for other devices.
absl::StatusOr<std::vector<std::string>> FindPtx(std::string_view image,
                                                 const ComputeCapability& device);

}  // namespace warpyard::emulator::driver

#endif  // WARPYARD_CC_EMULATOR_DRIVER_IMAGE_H_
