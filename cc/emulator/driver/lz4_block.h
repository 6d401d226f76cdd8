// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// LZ4 blocks (lz4_Block_format.md of the LZ4 project), decompression alone.

#ifndef WARPYARD_CC_EMULATOR_DRIVER_LZ4_BLOCK_H_
#define WARPYARD_CC_EMULATOR_DRIVER_LZ4_BLOCK_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace warpyard::emulator::driver {

// The `size` bytes that the block holds. INVALID_ARGUMENT for a block that is
// broken or holds another number of bytes.
absl::StatusOr<std::string> DecompressLz4(std::string_view block, size_t size);

}  // namespace warpyard::emulator::driver

#endif  // WARPYARD_CC_EMULATOR_DRIVER_LZ4_BLOCK_H_
