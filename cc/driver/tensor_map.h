// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Tensor maps: what TMA instructions know of a tensor in global memory (CUDA
// Driver API, "Tensor Map Object Management").

#ifndef WARPYARD_CC_DRIVER_TENSOR_MAP_H_
#define WARPYARD_CC_DRIVER_TENSOR_MAP_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "cc/driver/driver.h"

namespace warpyard::driver {

// A tiled map. The first dimension is the one whose elements are neighbours.
struct TensorMapConfig {
  std::string_view element_type = {};  // "f16": see TensorMapElementTypes
  uint64_t address = 0;                // a multiple of 16
  std::vector<uint64_t> dimensions = {};
  std::vector<uint64_t> byte_strides = {};  // of all dimensions but the first
  std::vector<uint32_t> box = {};
  std::vector<uint32_t> element_strides = {};  // all 1 where it is empty
  int swizzle_bytes = 0;                       // 0, 32, 64 or 128
  bool nan_out_of_bounds = false;              // instead of zeros
};

// "u8 u16 ...", for messages.
std::vector<std::string_view> TensorMapElementTypes();

// The 128 bytes of the CUtensorMap, to be passed to a kernel by value.
// INVALID_ARGUMENT: lengths that do not fit together, an unknown element type, or
// what the driver refuses (alignment, boxes, strides).
absl::StatusOr<std::string> EncodeTensorMap(const Driver& driver, const TensorMapConfig& config);

}  // namespace warpyard::driver

#endif  // WARPYARD_CC_DRIVER_TENSOR_MAP_H_
