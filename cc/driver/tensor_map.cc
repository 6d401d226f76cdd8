// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/driver/tensor_map.h"

#include <cuda.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "cc/driver/driver.h"
#include "cc/driver/driver_table.h"

namespace warpyard::driver {
namespace {

constexpr size_t kMaxRank = 5;

constexpr std::pair<std::string_view, CUtensorMapDataType> kTypes[] = {
    {"u8", CU_TENSOR_MAP_DATA_TYPE_UINT8},      {"u16", CU_TENSOR_MAP_DATA_TYPE_UINT16},
    {"u32", CU_TENSOR_MAP_DATA_TYPE_UINT32},    {"s32", CU_TENSOR_MAP_DATA_TYPE_INT32},
    {"u64", CU_TENSOR_MAP_DATA_TYPE_UINT64},    {"s64", CU_TENSOR_MAP_DATA_TYPE_INT64},
    {"f16", CU_TENSOR_MAP_DATA_TYPE_FLOAT16},   {"f32", CU_TENSOR_MAP_DATA_TYPE_FLOAT32},
    {"f64", CU_TENSOR_MAP_DATA_TYPE_FLOAT64},   {"bf16", CU_TENSOR_MAP_DATA_TYPE_BFLOAT16},
    {"tf32", CU_TENSOR_MAP_DATA_TYPE_TFLOAT32},
};

}  // namespace

std::vector<std::string_view> TensorMapElementTypes() {
  std::vector<std::string_view> names;
  for (const auto& [name, type] : kTypes) names.push_back(name);
  return names;
}

absl::StatusOr<std::string> EncodeTensorMap(const Driver& driver, const TensorMapConfig& config) {
  const auto* found = std::end(kTypes);
  for (const auto& entry : kTypes) {
    if (entry.first == config.element_type) found = &entry;
  }
  if (found == std::end(kTypes)) {
    return absl::InvalidArgumentError(absl::StrCat("tensor map: element type \"",
                                                   config.element_type, "\", expected one of ",
                                                   absl::StrJoin(TensorMapElementTypes(), " ")));
  }
  const size_t rank = config.dimensions.size();
  if (rank < 1 || rank > kMaxRank || config.box.size() != rank ||
      config.byte_strides.size() != rank - 1 ||
      (!config.element_strides.empty() && config.element_strides.size() != rank)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "tensor map: ", rank, " dimensions (1 to 5), ", config.box.size(), " sides of the box, ",
        config.byte_strides.size(), " byte strides (one less than dimensions), ",
        config.element_strides.size(), " element strides"));
  }
  CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
  switch (config.swizzle_bytes) {
    case 0:
      break;
    case 32:
      swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
      break;
    case 64:
      swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
      break;
    case 128:
      swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
      break;
    default:
      return absl::InvalidArgumentError(absl::StrCat(
          "tensor map: a swizzle of ", config.swizzle_bytes, " bytes, expected 0, 32, 64 or 128"));
  }
  const std::vector<uint32_t> element_strides =
      config.element_strides.empty() ? std::vector<uint32_t>(rank, 1) : config.element_strides;
  CUtensorMap map = {};
  WARPYARD_CALL_DRIVER(driver.table(), cuTensorMapEncodeTiled, &map, found->second,
                       static_cast<cuuint32_t>(rank), reinterpret_cast<void*>(config.address),
                       config.dimensions.data(), config.byte_strides.data(), config.box.data(),
                       element_strides.data(), CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                       CU_TENSOR_MAP_L2_PROMOTION_NONE,
                       config.nan_out_of_bounds ? CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
                                                : CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  return std::string(reinterpret_cast<const char*>(&map), sizeof(map));
}

}  // namespace warpyard::driver
