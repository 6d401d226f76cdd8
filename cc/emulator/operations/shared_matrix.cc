// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
#include "cc/emulator/operations/shared_matrix.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"
#include "cc/emulator/execution/block.h"
#include "cc/emulator/execution/tensor_map.h"
#include "cc/emulator/operations/mma_arithmetic.h"
#include "cc/emulator/operations/swizzle.h"

namespace warpyard::emulator {
namespace {

SharedMatrix DecodeCommon(uint64_t descriptor) {
  SharedMatrix matrix;
  matrix.start = static_cast<uint32_t>(descriptor & 0x3fff) << 4;
  matrix.leading_offset = static_cast<uint32_t>(descriptor >> 16 & 0x3fff) << 4;
  matrix.stride_offset = static_cast<uint32_t>(descriptor >> 32 & 0x3fff) << 4;
  matrix.base_offset = static_cast<uint32_t>(descriptor >> 49 & 7);
  return matrix;
}

}  // namespace

absl::StatusOr<SharedMatrix> DecodeSm90Descriptor(uint64_t descriptor) {
  constexpr TensorSwizzle kSwizzles[] = {TensorSwizzle::kNone, TensorSwizzle::k128B,
                                         TensorSwizzle::k64B, TensorSwizzle::k32B};
  SharedMatrix matrix = DecodeCommon(descriptor);
  matrix.swizzle = kSwizzles[descriptor >> 62];
  return matrix;
}

absl::StatusOr<SharedMatrix> DecodeSm100Descriptor(uint64_t descriptor) {
  SharedMatrix matrix = DecodeCommon(descriptor);
  if ((descriptor >> 46 & 7) != 1) {
    return absl::InvalidArgumentError(
        absl::StrFormat("matrix descriptor 0x%016x: bits 46 to 48 are %u, expected 1", descriptor,
                        static_cast<uint32_t>(descriptor >> 46 & 7)));
  }
  if ((descriptor >> 52 & 1) != 0) {
    return absl::UnimplementedError(
        "matrix descriptors with an absolute leading address are not executed");
  }
  switch (descriptor >> 61) {
    case 0:
      matrix.swizzle = TensorSwizzle::kNone;
      break;
    case 1:
      matrix.swizzle = TensorSwizzle::k128BAtom32B;
      break;
    case 2:
      matrix.swizzle = TensorSwizzle::k128B;
      break;
    case 4:
      matrix.swizzle = TensorSwizzle::k64B;
      break;
    case 6:
      matrix.swizzle = TensorSwizzle::k32B;
      break;
    default:
      return absl::InvalidArgumentError(
          absl::StrFormat("matrix descriptor 0x%016x: swizzle mode %u, expected 0, 1, 2, 4 or 6",
                          descriptor, static_cast<uint32_t>(descriptor >> 61)));
  }
  return matrix;
}

uint32_t ChunkAddress(const SharedMatrix& matrix, bool mn_major, uint32_t row, uint32_t chunk) {
  const uint32_t span = static_cast<uint32_t>(SwizzleSpan(matrix.swizzle));
  uint32_t offset;
  if (span == 0) {
    // Core matrices of eight rows of 16 bytes, one behind the other.
    const uint32_t outer = mn_major ? matrix.leading_offset : matrix.stride_offset;
    const uint32_t inner = mn_major ? matrix.stride_offset : matrix.leading_offset;
    offset = row % 8 * 16 + row / 8 * outer + chunk * inner;
  } else {
    // Atoms of eight rows as wide as the swizzle's span (four where it moves 32 bytes).
    const uint32_t atom_rows = matrix.swizzle == TensorSwizzle::k128BAtom32B && mn_major ? 4 : 8;
    offset = row % atom_rows * span + row / atom_rows * matrix.stride_offset;
    if (mn_major) {
      offset += chunk % (span / 16) * 16 + chunk / (span / 16) * matrix.leading_offset;
    } else {
      offset += chunk * 16;
    }
  }
  const uint32_t pattern = matrix.base_offset << 7;
  return SwizzledAddress(matrix.swizzle, matrix.start + offset - pattern) + pattern;
}

std::string ReadMatrix(Block& block, const SharedMatrix& matrix, bool mn_major, MmaType type,
                       int rows, int k, double* out) {
  const std::byte* const memory = block.shared();
  const uint32_t first = block.shared_offset();
  const uint32_t bytes = block.shared_bytes();
  const int step = ElementsIn16Bytes(type);
  const uint32_t lines = static_cast<uint32_t>(mn_major ? k : rows);
  const uint32_t chunks = static_cast<uint32_t>((mn_major ? rows : k) / step);
  double elements[128];
  for (uint32_t line = 0; line < lines; ++line) {
    for (uint32_t chunk = 0; chunk < chunks; ++chunk) {
      const uint32_t at = ChunkAddress(matrix, mn_major, line, chunk) - first;
      if (at > bytes || bytes - at < 16) {
        return absl::StrFormat(
            "a matrix descriptor leads to shared address 0x%x (row %u, 16 bytes number %u), "
            "outside of the block's %u bytes: start 0x%x, leading offset %u, stride offset %u",
            at + first, line, chunk, bytes, matrix.start, matrix.leading_offset,
            matrix.stride_offset);
      }
      if (mn_major) {
        DecodeNumbers(type, memory + at, 1, elements);
        double* to = out + chunk * static_cast<uint32_t>(step * k) + line;
        for (int i = 0; i < step; ++i) to[i * k] = elements[i];
      } else {
        DecodeNumbers(type, memory + at, 1, out + line * static_cast<uint32_t>(k) + chunk * step);
      }
    }
  }
  return "";
}

}  // namespace warpyard::emulator
