// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Tensor maps: the 128 opaque bytes of a CUtensorMap, as the emulated driver
// writes them (cuTensorMapEncodeTiled and kin) and the emulated tensor memory
// accelerator reads them (cp.async.bulk.tensor, tensormap.replace).
//
// NVIDIA's own encoding is not public; this one is Warpyard's, and begins with a
// mark so that bytes that are no tensor map are told from one. The rules of
// encoding are those of the CUDA driver API, "Tensor Map Object Management".

#ifndef WARPYARD_CC_EMULATOR_EXECUTION_TENSOR_MAP_H_
#define WARPYARD_CC_EMULATOR_EXECUTION_TENSOR_MAP_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace warpyard::emulator {

inline constexpr int kMaxTensorRank = 5;

// Numbers of CUtensorMapDataType.
enum class TensorElement : uint8_t {
  kUint8 = 0,
  kUint16 = 1,
  kUint32 = 2,
  kInt32 = 3,
  kUint64 = 4,
  kInt64 = 5,
  kFloat16 = 6,
  kFloat32 = 7,
  kFloat64 = 8,
  kBfloat16 = 9,
  kFloat32Ftz = 10,
  kTfloat32 = 11,
  kTfloat32Ftz = 12,
  k16U4Align8 = 13,   // 16 values of 4 bits in 8 bytes, in shared memory too
  k16U4Align16 = 14,  // 8 bytes of values, then 8 of padding in shared memory
  k16U6Align16 = 15,  // 12 bytes of values, then 4 of padding in shared memory
};

// Numbers of CUtensorMapInterleave.
enum class TensorInterleave : uint8_t { kNone = 0, k16B = 1, k32B = 2 };

// Numbers of CUtensorMapSwizzle. 96 bytes exist for im2col wide maps alone.
enum class TensorSwizzle : uint8_t {
  kNone = 0,
  k32B = 1,
  k64B = 2,
  k128B = 3,
  k128BAtom32B = 4,
  k128BAtom32BFlip8B = 5,
  k128BAtom64B = 6,
};

enum class TensorMapMode : uint8_t { kTiled = 0, kIm2col = 1, kIm2colW = 2, kIm2colW128 = 3 };

// What lies in the 128 bytes. Plain data; made by the functions below.
struct alignas(64) TensorMap {
  static constexpr uint32_t kMark = 0x70614d54;  // "TMap"

  uint32_t mark;
  TensorElement element;
  TensorMapMode mode;
  TensorInterleave interleave;
  TensorSwizzle swizzle;
  uint64_t address;     // of element 0 of every dimension
  uint64_t strides[4];  // bytes, of dimensions 1 and up
  uint32_t dims_minus_1[kMaxTensorRank];
  uint8_t rank;
  uint8_t fill_nan;      // out-of-bounds elements are a NaN instead of zero
  uint8_t l2_promotion;  // kept, without effect
  uint8_t reserved;
  // Tiled: extents of the box. Im2col: box[0] channels per pixel, box[1] pixels per column.
  uint16_t box[kMaxTensorRank];
  uint8_t element_strides[kMaxTensorRank];
  uint8_t reserved2;
  // Im2col: offsets of the bounding box, for dimensions 1 to rank - 2 (W first).
  int16_t lower[3];
  int16_t upper[3];
  uint8_t padding[28];

  uint64_t dim(int i) const { return uint64_t{dims_minus_1[i]} + 1; }
  uint64_t stride(int i) const;  // bytes; dimension 0: that of one element, packed types 0
};
static_assert(sizeof(TensorMap) == 128);

// Bits of an element in global memory: 4 and 6 for the packed types.
int ElementBits(TensorElement element);
// Whether the element type is a floating point type, for which NaN fill is allowed.
bool IsFloatingPoint(TensorElement element);
// Bytes that `count` elements of a row of the box take in shared memory.
uint64_t BoxRowBytes(TensorElement element, uint64_t count);
// Bytes of a swizzle's span: 0 for kNone, else 32, 64 or 128.
int SwizzleSpan(TensorSwizzle swizzle);

// Arguments of cuTensorMapEncodeTiled. `dims`, `box` and `element_strides` have
// rank elements, innermost dimension first; `strides` rank - 1, in bytes. Numbers of
// enumerations are the driver's, unchecked.
struct TiledTensor {
  int element = 0;
  uint64_t address = 0;
  absl::Span<const uint64_t> dims;
  absl::Span<const uint64_t> strides;
  absl::Span<const uint32_t> box;
  absl::Span<const uint32_t> element_strides;
  int interleave = 0;
  int swizzle = 0;
  int l2_promotion = 0;
  int oob_fill = 0;
};

// Arguments of cuTensorMapEncodeIm2col. The corners have rank - 2 elements in the
// driver's order, {D, H, W}: the outermost dimension first.
struct Im2colTensor {
  int element = 0;
  uint64_t address = 0;
  absl::Span<const uint64_t> dims;
  absl::Span<const uint64_t> strides;
  absl::Span<const int> lower_corner;
  absl::Span<const int> upper_corner;
  uint32_t channels_per_pixel = 0;
  uint32_t pixels_per_column = 0;
  absl::Span<const uint32_t> element_strides;
  int interleave = 0;
  int swizzle = 0;
  int l2_promotion = 0;
  int oob_fill = 0;
};

// INVALID_ARGUMENT names the argument, what it is, and the rule that it breaks.
absl::StatusOr<TensorMap> EncodeTiled(const TiledTensor& tensor);
absl::StatusOr<TensorMap> EncodeIm2col(const Im2colTensor& tensor);
// Arguments of cuTensorMapEncodeIm2colWide: the corners have one element, that of
// W; `wide_mode` is a CUtensorMapIm2ColWideMode (0: W, 1: W128).
absl::StatusOr<TensorMap> EncodeIm2colWide(const Im2colTensor& tensor, int wide_mode);
// cuTensorMapReplaceAddress.
absl::Status ReplaceAddress(TensorMap& map, uint64_t address);

// Checks bytes that a kernel offers as a tensor map, also after tensormap.replace.
// INVALID_ARGUMENT says what is wrong.
absl::Status CheckTensorMap(const TensorMap& map);

// tensormap.replace (PTX ISA): field names are its modifiers without the dot
// ("global_address", "rank", "box_dim", "global_dim", "global_stride",
// "element_stride", "elemtype", "interleave_layout", "swizzle_mode",
// "swizzle_atomicity", "fill_mode"); `index` is the dimension where the field has
// one. Values are checked for the range of the field; what they make together is
// checked when the map is used.
absl::Status ReplaceField(TensorMap& map, std::string_view field, int index, uint64_t value);

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_EXECUTION_TENSOR_MAP_H_
