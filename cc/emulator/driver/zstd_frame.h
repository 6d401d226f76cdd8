// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Zstandard frames (RFC 8878), decompression alone, without dictionaries.

#ifndef WARPYARD_CC_EMULATOR_DRIVER_ZSTD_FRAME_H_
#define WARPYARD_CC_EMULATOR_DRIVER_ZSTD_FRAME_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace warpyard::emulator::driver {

// The `size` bytes that the frame at the beginning of `bytes` holds. The
// checksum, where there is one, is not looked at. INVALID_ARGUMENT for a frame
// that is broken or holds another number of bytes.
absl::StatusOr<std::string> DecompressZstd(std::string_view bytes, size_t size);

}  // namespace warpyard::emulator::driver

#endif  // WARPYARD_CC_EMULATOR_DRIVER_ZSTD_FRAME_H_
