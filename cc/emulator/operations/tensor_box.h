// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Which global memory the rows of a tensor map's box are: the address arithmetic
// of the tensor memory accelerator, without any memory.

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_TENSOR_BOX_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_TENSOR_BOX_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "cc/emulator/execution/tensor_map.h"

namespace warpyard::emulator {

// One row of a box: elements along the innermost dimension. Those before `first`
// and from `first + count` on lie outside of the tensor.
struct BoxRow {
  uint64_t address = 0;  // of element `first`, in global memory
  uint32_t first = 0;
  uint32_t count = 0;
};

struct Box {
  uint32_t row_elements = 0;
  uint32_t row_bytes = 0;  // in global memory
  uint32_t pitch = 0;      // bytes from row to row in shared memory
  std::vector<BoxRow> rows;
  uint64_t shared_bytes() const { return uint64_t{pitch} * rows.size(); }
  // What completes transactions: elements outside count too.
  uint64_t transaction_bytes() const { return uint64_t{row_bytes} * rows.size(); }
};

// The box of a tiled map at `coordinates` (rank elements, innermost first).
absl::StatusOr<Box> TiledBox(const TensorMap& map, absl::Span<const int32_t> coordinates);
// .tile::gather4 and .tile::scatter4: {column, row, row, row, row} of a map of rank 2.
absl::StatusOr<Box> GatherBox(const TensorMap& map, absl::Span<const int32_t> coordinates);
// .im2col: coordinates {c, w, h, d, n} as rank has it, and an offset for each
// spatial dimension, W first.
absl::StatusOr<Box> Im2colBox(const TensorMap& map, absl::Span<const int32_t> coordinates,
                              absl::Span<const uint32_t> offsets);

// A row as it lies in shared memory before swizzling, from a row of global memory
// (packed types get their padding), and back. `count` elements.
void ToSharedRow(TensorElement element, const uint8_t* global, uint32_t count, uint8_t* shared);
void ToGlobalRow(TensorElement element, const uint8_t* shared, uint32_t count, uint8_t* global);

// Fills `bytes` bytes of a row with what stands for elements outside: zeros, or
// the NaN that all bits but the sign give, as PTX's cvt writes one.
void FillOutside(const TensorMap& map, uint8_t* row, uint32_t bytes);

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_TENSOR_BOX_H_
