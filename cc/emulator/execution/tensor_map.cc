// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
#include "cc/emulator/execution/tensor_map.h"

#include <cstdint>
#include <cstring>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "cc/base/status_macros.h"

namespace warpyard::emulator {
namespace {

constexpr uint64_t kMaxDim = uint64_t{1} << 31;
constexpr uint64_t kMaxStride = uint64_t{1} << 40;

bool IsPadded(TensorElement element) {
  return element == TensorElement::k16U4Align16 || element == TensorElement::k16U6Align16;
}

absl::Status CheckRange(std::string_view what, int64_t value, int64_t low, int64_t high) {
  if (value >= low && value <= high) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(what, " is ", value, "; it must be in [", low, ", ", high, "]"));
}

absl::Status CheckMultiple(std::string_view what, uint64_t value, uint64_t of,
                           std::string_view why) {
  if (value % of == 0) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(what, " is ", value, "; it must be a multiple of ", of, why));
}

// What tiled and im2col maps have in common.
template <typename Tensor>
absl::StatusOr<TensorMap> EncodeCommon(const Tensor& tensor, int min_rank) {
  TensorMap map;
  std::memset(&map, 0, sizeof(map));
  map.mark = TensorMap::kMark;
  const int64_t rank = static_cast<int64_t>(tensor.dims.size());
  WARPYARD_RETURN_IF_ERROR(CheckRange("tensorRank", rank, min_rank, kMaxTensorRank));
  if (static_cast<int64_t>(tensor.strides.size()) != rank - 1 ||
      static_cast<int64_t>(tensor.element_strides.size()) != rank) {
    return absl::InvalidArgumentError(
        absl::StrCat("globalStrides has ", tensor.strides.size(), " and elementStrides ",
                     tensor.element_strides.size(), " elements; a tensor of rank ", rank, " needs ",
                     rank - 1, " and ", rank));
  }
  WARPYARD_RETURN_IF_ERROR(CheckRange("tensorDataType", tensor.element, 0, 15));
  WARPYARD_RETURN_IF_ERROR(CheckRange("interleave", tensor.interleave, 0, 2));
  WARPYARD_RETURN_IF_ERROR(CheckRange("swizzle", tensor.swizzle, 0, 6));
  WARPYARD_RETURN_IF_ERROR(CheckRange("l2Promotion", tensor.l2_promotion, 0, 3));
  WARPYARD_RETURN_IF_ERROR(CheckRange("oobFill", tensor.oob_fill, 0, 1));
  map.rank = static_cast<uint8_t>(rank);
  map.element = static_cast<TensorElement>(tensor.element);
  map.interleave = static_cast<TensorInterleave>(tensor.interleave);
  map.swizzle = static_cast<TensorSwizzle>(tensor.swizzle);
  map.l2_promotion = static_cast<uint8_t>(tensor.l2_promotion);
  map.fill_nan = static_cast<uint8_t>(tensor.oob_fill);
  map.address = tensor.address;
  for (int i = 0; i < rank; ++i) {
    if (tensor.dims[i] == 0 || tensor.dims[i] > kMaxDim) {
      return absl::InvalidArgumentError(
          absl::StrCat("globalDim[", i, "] is ", tensor.dims[i], "; it must be in [1, 2^31]"));
    }
    map.dims_minus_1[i] = static_cast<uint32_t>(tensor.dims[i] - 1);
    WARPYARD_RETURN_IF_ERROR(
        CheckRange(absl::StrCat("elementStrides[", i, "]"), tensor.element_strides[i], 1, 8));
    map.element_strides[i] = static_cast<uint8_t>(tensor.element_strides[i]);
  }
  // TMA has no stride for the innermost dimension unless the layout is interleaved.
  if (map.interleave == TensorInterleave::kNone) map.element_strides[0] = 1;
  for (int i = 0; i + 1 < rank; ++i) {
    if (tensor.strides[i] >= kMaxStride) {
      return absl::InvalidArgumentError(absl::StrCat(
          "globalStrides[", i, "] is ", tensor.strides[i], "; it must be less than 2^40"));
    }
    map.strides[i] = tensor.strides[i];
  }
  return map;
}

// Rules that also hold for a map that tensormap.replace has changed.
absl::Status CheckTogether(const TensorMap& map) {
  const bool padded = IsPadded(map.element);
  const bool interleave32 = map.interleave == TensorInterleave::k32B;
  if (map.interleave != TensorInterleave::kNone && map.rank < 3) {
    return absl::InvalidArgumentError(absl::StrCat(
        "tensorRank is ", map.rank, "; an interleaved tensor must be of rank 3 or more"));
  }
  const uint64_t unit = interleave32 || padded ? 32 : 16;
  const std::string_view why = interleave32 ? " with INTERLEAVE_32B"
                               : padded     ? " for a padded type"
                                            : "";
  WARPYARD_RETURN_IF_ERROR(CheckMultiple("globalAddress", map.address, unit, why));
  for (int i = 0; i + 1 < map.rank; ++i) {
    WARPYARD_RETURN_IF_ERROR(
        CheckMultiple(absl::StrCat("globalStrides[", i, "]"), map.strides[i], unit, why));
  }
  if (padded) {
    WARPYARD_RETURN_IF_ERROR(CheckMultiple("globalDim[0]", map.dim(0), 128, " for a padded type"));
    if (map.box[0] != 128) {
      return absl::InvalidArgumentError(
          absl::StrCat(map.mode == TensorMapMode::kTiled ? "boxDim[0]" : "channelsPerPixel", " is ",
                       map.box[0], "; it must be 128 for a padded type"));
    }
  }
  if (map.element == TensorElement::k16U4Align8) {
    WARPYARD_RETURN_IF_ERROR(CheckMultiple("globalDim[0]", map.dim(0), 2, " for packed 4 bits"));
  }
  if (interleave32 && map.swizzle != TensorSwizzle::k32B) {
    return absl::InvalidArgumentError("with INTERLEAVE_32B the swizzle must be SWIZZLE_32B");
  }
  if (map.element == TensorElement::k16U6Align16 && map.interleave != TensorInterleave::kNone) {
    return absl::InvalidArgumentError("type 16U6_ALIGN16B cannot be interleaved");
  }
  if (map.element == TensorElement::k16U6Align16 &&
      (map.swizzle == TensorSwizzle::k32B || map.swizzle == TensorSwizzle::k128BAtom32BFlip8B ||
       (map.swizzle == TensorSwizzle::k64B && map.mode < TensorMapMode::kIm2colW))) {
    return absl::InvalidArgumentError(
        "type 16U6_ALIGN16B can be swizzled as 128B, 128B_ATOM_32B or 128B_ATOM_64B alone");
  }
  if (map.element == TensorElement::k16U4Align16 && map.swizzle != TensorSwizzle::kNone &&
      map.swizzle != TensorSwizzle::k128B && map.swizzle != TensorSwizzle::k128BAtom32B) {
    return absl::InvalidArgumentError(
        "type 16U4_ALIGN16B can be swizzled as 128B or 128B_ATOM_32B alone");
  }
  if (map.fill_nan != 0 && !IsFloatingPoint(map.element)) {
    return absl::InvalidArgumentError(
        "NaN for elements out of bounds needs a floating-point type of 16 bits or more");
  }
  if (map.interleave == TensorInterleave::kNone) {
    const uint64_t row = BoxRowBytes(map.element, map.box[0]);
    WARPYARD_RETURN_IF_ERROR(CheckMultiple("the box's inner dimension in bytes", row, 16, ""));
    const uint64_t span = SwizzleSpan(map.swizzle);
    if (span != 0 && row > span) {
      return absl::InvalidArgumentError(absl::StrCat("the box's inner dimension is ", row,
                                                     " bytes; the swizzle allows at most ", span));
    }
  }
  return absl::OkStatus();
}

}  // namespace

uint64_t TensorMap::stride(int i) const {
  if (i > 0) return strides[i - 1];
  return ElementBits(element) / 8;
}

int ElementBits(TensorElement element) {
  switch (element) {
    case TensorElement::kUint8:
      return 8;
    case TensorElement::kUint16:
    case TensorElement::kFloat16:
    case TensorElement::kBfloat16:
      return 16;
    case TensorElement::kUint64:
    case TensorElement::kInt64:
    case TensorElement::kFloat64:
      return 64;
    case TensorElement::k16U4Align8:
    case TensorElement::k16U4Align16:
      return 4;
    case TensorElement::k16U6Align16:
      return 6;
    default:
      return 32;
  }
}

bool IsFloatingPoint(TensorElement element) {
  return element >= TensorElement::kFloat16 && element <= TensorElement::kTfloat32Ftz;
}

uint64_t BoxRowBytes(TensorElement element, uint64_t count) {
  if (IsPadded(element)) return count;  // 16 values in 16 bytes
  return count * ElementBits(element) / 8;
}

int SwizzleSpan(TensorSwizzle swizzle) {
  switch (swizzle) {
    case TensorSwizzle::kNone:
      return 0;
    case TensorSwizzle::k32B:
      return 32;
    case TensorSwizzle::k64B:
      return 64;
    default:
      return 128;
  }
}

absl::StatusOr<TensorMap> EncodeTiled(const TiledTensor& tensor) {
  WARPYARD_ASSIGN_OR_RETURN(TensorMap map, EncodeCommon(tensor, 1));
  if (tensor.box.size() != tensor.dims.size()) {
    return absl::InvalidArgumentError(absl::StrCat("boxDim has ", tensor.box.size(),
                                                   " elements; the tensor is of rank ", map.rank));
  }
  for (int i = 0; i < map.rank; ++i) {
    WARPYARD_RETURN_IF_ERROR(CheckRange(absl::StrCat("boxDim[", i, "]"), tensor.box[i], 1, 256));
    map.box[i] = static_cast<uint16_t>(tensor.box[i]);
  }
  WARPYARD_RETURN_IF_ERROR(CheckTogether(map));
  return map;
}

namespace {

absl::StatusOr<TensorMap> EncodeIm2colCommon(const Im2colTensor& tensor, TensorMapMode mode,
                                             int corners) {
  WARPYARD_ASSIGN_OR_RETURN(TensorMap map, EncodeCommon(tensor, 3));
  map.mode = mode;
  if (corners == 0) corners = map.rank - 2;
  if (static_cast<int>(tensor.lower_corner.size()) != corners ||
      static_cast<int>(tensor.upper_corner.size()) != corners) {
    return absl::InvalidArgumentError(absl::StrCat(
        "pixelBoxLowerCorner and pixelBoxUpperCorner have ", tensor.lower_corner.size(), " and ",
        tensor.upper_corner.size(), " elements; ", corners, " are needed"));
  }
  // The corners share 16 bits of the descriptor between the spatial dimensions.
  const int bits = corners == 1 ? 16 : corners == 2 ? 8 : 5;
  const int low = -(1 << (bits - 1));
  const int high = (1 << (bits - 1)) - 1;
  for (int i = 0; i < corners; ++i) {
    const int dimension = corners - i;  // {D, H, W} to W first, behind the channels
    WARPYARD_RETURN_IF_ERROR(CheckRange(absl::StrCat("pixelBoxLowerCorner[", i, "]"),
                                        tensor.lower_corner[i], low, high));
    WARPYARD_RETURN_IF_ERROR(CheckRange(absl::StrCat("pixelBoxUpperCorner[", i, "]"),
                                        tensor.upper_corner[i], low, high));
    map.lower[dimension - 1] = static_cast<int16_t>(tensor.lower_corner[i]);
    map.upper[dimension - 1] = static_cast<int16_t>(tensor.upper_corner[i]);
    const int64_t extent =
        static_cast<int64_t>(map.dim(dimension)) + tensor.upper_corner[i] - tensor.lower_corner[i];
    if (extent <= 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the bounding box is ", extent, " elements wide in dimension ", dimension, ": globalDim ",
          map.dim(dimension), " + upper corner ", tensor.upper_corner[i], " - lower corner ",
          tensor.lower_corner[i], "; it must have a non-zero area"));
    }
  }
  WARPYARD_RETURN_IF_ERROR(CheckRange("channelsPerPixel", tensor.channels_per_pixel, 1, 256));
  map.box[0] = static_cast<uint16_t>(tensor.channels_per_pixel);
  if (mode == TensorMapMode::kIm2colW128) {
    map.box[1] = 128;
  } else {
    WARPYARD_RETURN_IF_ERROR(CheckRange("pixelsPerColumn", tensor.pixels_per_column, 1, 1024));
    map.box[1] = static_cast<uint16_t>(tensor.pixels_per_column);
  }
  WARPYARD_RETURN_IF_ERROR(CheckTogether(map));
  return map;
}

}  // namespace

absl::StatusOr<TensorMap> EncodeIm2col(const Im2colTensor& tensor) {
  return EncodeIm2colCommon(tensor, TensorMapMode::kIm2col, 0);
}

absl::StatusOr<TensorMap> EncodeIm2colWide(const Im2colTensor& tensor, int wide_mode) {
  WARPYARD_RETURN_IF_ERROR(CheckRange("mode", wide_mode, 0, 1));
  const auto swizzle = static_cast<TensorSwizzle>(tensor.swizzle);
  if (swizzle != TensorSwizzle::k64B && swizzle != TensorSwizzle::k128B &&
      swizzle != TensorSwizzle::k128BAtom32B) {
    return absl::InvalidArgumentError(absl::StrCat(
        "swizzle is ", tensor.swizzle,
        "; im2col wide maps can be swizzled as 64B (2), 128B (3) or 128B_ATOM_32B (4) alone"));
  }
  return EncodeIm2colCommon(
      tensor, wide_mode == 0 ? TensorMapMode::kIm2colW : TensorMapMode::kIm2colW128, 1);
}

absl::Status ReplaceAddress(TensorMap& map, uint64_t address) {
  WARPYARD_RETURN_IF_ERROR(CheckTensorMap(map));
  TensorMap changed = map;
  changed.address = address;
  WARPYARD_RETURN_IF_ERROR(CheckTogether(changed));
  map = changed;
  return absl::OkStatus();
}

absl::Status CheckTensorMap(const TensorMap& map) {
  if (map.mark != TensorMap::kMark) {
    return absl::InvalidArgumentError(
        "the 128 bytes are no tensor map; expected what cuTensorMapEncodeTiled or a kin of it "
        "wrote");
  }
  WARPYARD_RETURN_IF_ERROR(CheckRange("rank", map.rank, 1, kMaxTensorRank));
  WARPYARD_RETURN_IF_ERROR(CheckRange("element type", static_cast<int>(map.element), 0, 15));
  WARPYARD_RETURN_IF_ERROR(CheckRange("mode", static_cast<int>(map.mode), 0, 3));
  WARPYARD_RETURN_IF_ERROR(CheckRange("interleave", static_cast<int>(map.interleave), 0, 2));
  WARPYARD_RETURN_IF_ERROR(CheckRange("swizzle", static_cast<int>(map.swizzle), 0, 6));
  const int boxes = map.mode == TensorMapMode::kTiled ? map.rank : 2;
  for (int i = 0; i < boxes; ++i) {
    WARPYARD_RETURN_IF_ERROR(CheckRange(absl::StrCat("box dimension ", i), map.box[i], 1,
                                        map.mode == TensorMapMode::kTiled || i == 0 ? 256 : 1024));
  }
  for (int i = 0; i < map.rank; ++i) {
    WARPYARD_RETURN_IF_ERROR(
        CheckRange(absl::StrCat("element stride ", i), map.element_strides[i], 1, 8));
  }
  return CheckTogether(map);
}

namespace {

// Field values of tensormap.replace's .elemtype in the order of the PTX manual.
constexpr TensorElement kElementOfField[] = {
    TensorElement::kUint8,       TensorElement::kUint16,     TensorElement::kUint32,
    TensorElement::kInt32,       TensorElement::kUint64,     TensorElement::kInt64,
    TensorElement::kFloat16,     TensorElement::kFloat32,    TensorElement::kFloat32Ftz,
    TensorElement::kFloat64,     TensorElement::kBfloat16,   TensorElement::kTfloat32,
    TensorElement::kTfloat32Ftz, TensorElement::k16U4Align8, TensorElement::k16U4Align16,
    TensorElement::k16U6Align16};

absl::Status ReplaceSwizzleMode(TensorMap& map, uint64_t value) {
  WARPYARD_RETURN_IF_ERROR(CheckRange("swizzle_mode", static_cast<int64_t>(value), 0, 3));
  map.swizzle = static_cast<TensorSwizzle>(value);
  return absl::OkStatus();
}

// 0: 16 bytes, 1: 32 bytes, 2: 32 bytes with flipped halves, 3: 64 bytes.
absl::Status ReplaceSwizzleAtomicity(TensorMap& map, uint64_t value) {
  WARPYARD_RETURN_IF_ERROR(CheckRange("swizzle_atomicity", static_cast<int64_t>(value), 0, 3));
  if (map.swizzle < TensorSwizzle::k128B) {
    if (value == 0) return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrCat(
        "swizzle_atomicity is ", value, "; without a 128-byte swizzle it must be 0 (16 bytes)"));
  }
  map.swizzle = static_cast<TensorSwizzle>(static_cast<int>(TensorSwizzle::k128B) + value);
  return absl::OkStatus();
}

}  // namespace

absl::Status ReplaceField(TensorMap& map, std::string_view field, int index, uint64_t value) {
  const auto signed_value = static_cast<int64_t>(value);
  if (map.mark != TensorMap::kMark) {
    return absl::InvalidArgumentError("the 128 bytes are no tensor map");
  }
  const bool is_stride = field == "global_stride";
  if (field == "box_dim" || field == "global_dim" || field == "element_stride" || is_stride) {
    WARPYARD_RETURN_IF_ERROR(CheckRange(absl::StrCat("index of ", field), index, 0,
                                        is_stride ? kMaxTensorRank - 2 : kMaxTensorRank - 1));
  }
  if (field == "global_address") {
    map.address = value;
  } else if (field == "rank") {
    WARPYARD_RETURN_IF_ERROR(CheckRange("rank", signed_value, 0, kMaxTensorRank - 1));
    map.rank = static_cast<uint8_t>(value + 1);
  } else if (field == "box_dim") {
    WARPYARD_RETURN_IF_ERROR(CheckRange("box_dim", signed_value, 1, 256));
    map.box[index] = static_cast<uint16_t>(value);
  } else if (field == "global_dim") {
    WARPYARD_RETURN_IF_ERROR(CheckRange("global_dim", signed_value, 1, kMaxDim));
    map.dims_minus_1[index] = static_cast<uint32_t>(value - 1);
  } else if (is_stride) {
    WARPYARD_RETURN_IF_ERROR(CheckRange("global_stride", signed_value, 0, kMaxStride - 1));
    map.strides[index] = value;
  } else if (field == "element_stride") {
    WARPYARD_RETURN_IF_ERROR(CheckRange("element_stride", signed_value, 1, 8));
    map.element_strides[index] = static_cast<uint8_t>(value);
  } else if (field == "elemtype") {
    WARPYARD_RETURN_IF_ERROR(CheckRange("elemtype", signed_value, 0, 15));
    map.element = kElementOfField[value];
  } else if (field == "interleave_layout") {
    WARPYARD_RETURN_IF_ERROR(CheckRange("interleave_layout", signed_value, 0, 2));
    map.interleave = static_cast<TensorInterleave>(value);
  } else if (field == "swizzle_mode") {
    return ReplaceSwizzleMode(map, value);
  } else if (field == "swizzle_atomicity") {
    return ReplaceSwizzleAtomicity(map, value);
  } else if (field == "fill_mode") {
    WARPYARD_RETURN_IF_ERROR(CheckRange("fill_mode", signed_value, 0, 1));
    map.fill_nan = static_cast<uint8_t>(value);
  } else {
    return absl::InvalidArgumentError(absl::StrCat("tensormap.replace: no field .", field));
  }
  return absl::OkStatus();
}

}  // namespace warpyard::emulator
