// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
#include "cc/emulator/operations/tensor_box.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "cc/base/status_macros.h"
#include "cc/emulator/execution/tensor_map.h"

namespace warpyard::emulator {
namespace {

constexpr uint64_t kMaxBoxBytes = 1 << 20;

absl::Status CheckUse(const TensorMap& map, TensorMapMode mode, std::string_view name,
                      size_t coordinates, size_t expected) {
  WARPYARD_RETURN_IF_ERROR(CheckTensorMap(map));
  if (map.mode != mode) {
    return absl::InvalidArgumentError(
        absl::StrCat("the tensor map was not encoded for ", name, " copies"));
  }
  if (map.interleave != TensorInterleave::kNone) {
    return absl::UnimplementedError("interleaved tensor maps are not executed");
  }
  if (coordinates != expected) {
    return absl::InvalidArgumentError(absl::StrCat("the tensor map is of rank ", map.rank, ", the ",
                                                   "instruction has ", coordinates,
                                                   " coordinates, expected ", expected));
  }
  return absl::OkStatus();
}

Box MakeBox(const TensorMap& map, uint32_t elements) {
  Box box;
  box.row_elements = elements;
  box.row_bytes = elements * ElementBits(map.element) / 8;
  box.pitch = static_cast<uint32_t>(BoxRowBytes(map.element, elements));
  // Rows narrower than the swizzle's span still begin on one (CUDA programming
  // guide, "TMA swizzle": room for the full width is needed).
  box.pitch = std::max(box.pitch, static_cast<uint32_t>(SwizzleSpan(map.swizzle)));
  return box;
}

// Adds a row of `elements` elements that begins at column `column`; `inside`: whether
// the other coordinates are within the tensor; `address` is that of its column 0.
void AddRow(const TensorMap& map, uint32_t elements, int64_t column, bool inside, uint64_t address,
            Box& box) {
  BoxRow row;
  const int64_t begin = std::clamp<int64_t>(-column, 0, elements);
  const int64_t end =
      std::clamp<int64_t>(static_cast<int64_t>(map.dim(0)) - column, begin, elements);
  if (inside && end > begin) {
    row.first = static_cast<uint32_t>(begin);
    row.count = static_cast<uint32_t>(end - begin);
    row.address = address + static_cast<uint64_t>((column + begin) * ElementBits(map.element) / 8);
  }
  box.rows.push_back(row);
}

}  // namespace

absl::StatusOr<Box> TiledBox(const TensorMap& map, absl::Span<const int32_t> coordinates) {
  WARPYARD_RETURN_IF_ERROR(
      CheckUse(map, TensorMapMode::kTiled, "tiled", coordinates.size(), map.rank));
  Box box = MakeBox(map, map.box[0]);
  int steps[kMaxTensorRank] = {1, 1, 1, 1, 1};
  for (int i = 1; i < map.rank; ++i) {
    steps[i] = (map.box[i] + map.element_strides[i] - 1) / map.element_strides[i];
  }
  // A box that no shared memory holds is refused before it is listed row by row.
  uint64_t bytes = box.pitch;
  for (int i = 1; i < map.rank; ++i) bytes *= static_cast<uint64_t>(steps[i]);
  if (bytes > kMaxBoxBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("the box is of ", bytes, " bytes, which no shared memory holds"));
  }
  int at[kMaxTensorRank] = {};
  while (true) {
    bool inside = true;
    uint64_t address = map.address;
    for (int i = 1; i < map.rank; ++i) {
      const int64_t place = int64_t{coordinates[i]} + int64_t{at[i]} * map.element_strides[i];
      inside = inside && place >= 0 && place < static_cast<int64_t>(map.dim(i));
      address += static_cast<uint64_t>(place) * map.stride(i);
    }
    AddRow(map, map.box[0], coordinates[0], inside, address, box);
    int i = 1;
    while (i < map.rank && ++at[i] == steps[i]) at[i++] = 0;
    if (i >= map.rank) break;
  }
  return box;
}

absl::StatusOr<Box> GatherBox(const TensorMap& map, absl::Span<const int32_t> coordinates) {
  WARPYARD_RETURN_IF_ERROR(CheckUse(map, TensorMapMode::kTiled, "tiled", coordinates.size(), 5));
  if (map.rank != 2) {
    return absl::InvalidArgumentError(absl::StrCat("the tensor map is of rank ", map.rank,
                                                   "; gather4 and scatter4 need one of rank 2"));
  }
  Box box = MakeBox(map, map.box[0]);
  for (int i = 1; i < 5; ++i) {
    const int64_t row = coordinates[i];
    AddRow(map, map.box[0], coordinates[0], row >= 0 && row < static_cast<int64_t>(map.dim(1)),
           map.address + static_cast<uint64_t>(row) * map.stride(1), box);
  }
  return box;
}

absl::StatusOr<Box> Im2colBox(const TensorMap& map, absl::Span<const int32_t> coordinates,
                              absl::Span<const uint32_t> offsets) {
  if (map.mode == TensorMapMode::kIm2colW || map.mode == TensorMapMode::kIm2colW128) {
    return absl::UnimplementedError("im2col::w and im2col::w::128 are not executed");
  }
  WARPYARD_RETURN_IF_ERROR(
      CheckUse(map, TensorMapMode::kIm2col, "im2col", coordinates.size(), map.rank));
  const int spatial = map.rank - 2;
  if (static_cast<int>(offsets.size()) != spatial) {
    return absl::InvalidArgumentError(
        absl::StrCat("im2col: ", offsets.size(), " offsets, expected ", spatial));
  }
  Box box = MakeBox(map, map.box[0]);
  int64_t at[kMaxTensorRank] = {};
  for (int i = 1; i < map.rank; ++i) at[i] = coordinates[i];
  for (int pixel = 0; pixel < map.box[1]; ++pixel) {
    bool inside = true;
    uint64_t address = map.address;
    for (int i = 1; i < map.rank; ++i) {
      const int64_t place = at[i] + (i <= spatial ? int64_t{offsets[i - 1]} : 0);
      inside = inside && place >= 0 && place < static_cast<int64_t>(map.dim(i));
      address += static_cast<uint64_t>(place) * map.stride(i);
    }
    AddRow(map, map.box[0], coordinates[0], inside, address, box);
    // The next pixel of the bounding box, row by row, image by image.
    int i = 1;
    for (; i <= spatial; ++i) {
      at[i] += map.element_strides[i];
      if (at[i] < static_cast<int64_t>(map.dim(i)) + map.upper[i - 1]) break;
      at[i] = map.lower[i - 1];
    }
    if (i > spatial) ++at[spatial + 1];
  }
  return box;
}

void ToSharedRow(TensorElement element, const uint8_t* global, uint32_t count, uint8_t* shared) {
  const uint32_t packed = element == TensorElement::k16U4Align16   ? 8
                          : element == TensorElement::k16U6Align16 ? 12
                                                                   : 0;
  if (packed == 0) {
    std::memcpy(shared, global, uint64_t{count} * ElementBits(element) / 8);
    return;
  }
  for (uint32_t i = 0; i < count / 16; ++i) {
    std::memcpy(shared + i * 16, global + i * packed, packed);
    std::memset(shared + i * 16 + packed, 0, 16 - packed);
  }
}

void ToGlobalRow(TensorElement element, const uint8_t* shared, uint32_t count, uint8_t* global) {
  const uint32_t packed = element == TensorElement::k16U4Align16   ? 8
                          : element == TensorElement::k16U6Align16 ? 12
                                                                   : 0;
  if (packed == 0) {
    std::memcpy(global, shared, uint64_t{count} * ElementBits(element) / 8);
    return;
  }
  for (uint32_t i = 0; i < count / 16; ++i) {
    std::memcpy(global + i * packed, shared + i * 16, packed);
  }
}

void FillOutside(const TensorMap& map, uint8_t* row, uint32_t bytes) {
  std::memset(row, 0, bytes);
  if (map.fill_nan == 0) return;
  const uint32_t size = static_cast<uint32_t>(ElementBits(map.element)) / 8;
  for (uint32_t i = 0; i + size <= bytes; i += size) {
    std::memset(row + i, 0xff, size);
    row[i + size - 1] = 0x7f;
  }
}

}  // namespace warpyard::emulator
