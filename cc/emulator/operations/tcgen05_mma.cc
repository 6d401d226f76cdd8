// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
#include "cc/emulator/operations/tcgen05_mma.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "cc/emulator/execution/block.h"
#include "cc/emulator/operations/mma_arithmetic.h"
#include "cc/emulator/operations/mma_form.h"
#include "cc/emulator/operations/shared_matrix.h"
#include "cc/emulator/operations/tcgen05_memory.h"
#include "cc/numerics/small_float.h"

namespace warpyard::emulator {
namespace {

// Formats of A and B in the instruction descriptor.
std::optional<MmaType> OperandType(Tcgen05Kind kind, uint32_t code) {
  switch (kind) {
    case Tcgen05Kind::kF16:
      return code == 0   ? std::optional(MmaType::kF16)
             : code == 1 ? std::optional(MmaType::kBf16)
                         : std::nullopt;
    case Tcgen05Kind::kTf32:
      return code == 2 ? std::optional(MmaType::kTf32) : std::nullopt;
    case Tcgen05Kind::kI8:
      return code == 0   ? std::optional(MmaType::kU8)
             : code == 1 ? std::optional(MmaType::kS8)
                         : std::nullopt;
    case Tcgen05Kind::kMxf4:
    case Tcgen05Kind::kMxf4nvf4:
      return code == 1 ? std::optional(MmaType::kE2m1) : std::nullopt;
    default:
      switch (code) {
        case 0:
          return MmaType::kE4m3;
        case 1:
          return MmaType::kE5m2;
        case 3:
          return MmaType::kE2m3Padded;
        case 4:
          return MmaType::kE3m2Padded;
        case 5:
          return MmaType::kE2m1Padded;
        default:
          return std::nullopt;
      }
  }
}

int DenseK(Tcgen05Kind kind) {
  switch (kind) {
    case Tcgen05Kind::kF16:
      return 16;
    case Tcgen05Kind::kTf32:
      return 8;
    case Tcgen05Kind::kMxf4:
    case Tcgen05Kind::kMxf4nvf4:
      return 64;
    default:
      return 32;
  }
}

// A type as it lies in tensor memory, where nothing is padded to 16 bytes.
MmaType InTensorMemory(MmaType type) {
  switch (type) {
    case MmaType::kE2m3Padded:
      return MmaType::kE2m3;
    case MmaType::kE3m2Padded:
      return MmaType::kE3m2;
    case MmaType::kE2m1Padded:
      return MmaType::kE2m1Mid;
    default:
      return type;
  }
}

std::string CheckColumns(TensorMemory& memory, uint32_t first, uint32_t count,
                         std::string_view what) {
  if (memory.IsAllocated(first, count)) return "";
  return absl::StrCat("tcgen05.mma: columns ", first, " to ", first + count - 1, " of ", what,
                      " are not all allocated in tensor memory");
}

uint32_t ColumnsOfD(const Tcgen05Form& form, int blocks) {
  return static_cast<uint32_t>(blocks == 2 && form.m == 128 ? form.n / 2 : form.n);
}

// 64 rows of one block take every second 16 lanes, and so there is room for
// another matrix from lane 16 on; all others begin at lane 0.
std::string CheckFirstLane(const Tcgen05Form& form, int blocks, uint32_t lane,
                           std::string_view what) {
  const bool half = blocks == 1 && form.m == 64;
  if (lane == 0 || (half && lane == 16)) return "";
  return absl::StrCat(what, " begins at lane ", lane, " of tensor memory, expected ",
                      half ? "0 or 16" : "0");
}

std::string ReadA(Block& block, const Tcgen05Product& product, int rows, double* out) {
  const Tcgen05Form& form = product.form;
  if (!product.a_in_tensor_memory) {
    return ReadMatrix(block, product.a, form.a_mn_major, form.a, rows, form.k, out);
  }
  // Each lane has its row's elements side by side, 32 bits to a column.
  const TensorAddress at = TensorAddress::Of(product.a_address);
  TensorMemory& memory = TensorMemory::Of(block);
  const MmaType type = InTensorMemory(form.a);
  const auto columns = static_cast<uint32_t>(form.k * 4 / ElementsIn16Bytes(type));
  std::string wrong = CheckColumns(memory, at.column, columns, "A");
  if (wrong.empty()) wrong = CheckFirstLane(form, product.blocks, at.lane, "A");
  if (!wrong.empty()) return wrong;
  for (int row = 0; row < rows; ++row) {
    const uint32_t lane = at.lane + PlaceOfD(form, product.blocks, row, 0).lane;
    uint32_t words[64];
    for (uint32_t c = 0; c < columns; ++c) words[c] = memory.column(at.column + c)[lane];
    DecodeNumbers(type, words, static_cast<int>(columns / 4), out + row * form.k);
  }
  return "";
}

// Multiplies rows of k elements by their scales: row r's lie in lane r % 32 of
// column r / 32, a byte for each block of k.
std::string ApplyScales(Block& block, const Tcgen05Form& form, uint32_t address, int first_byte,
                        int rows, double* values) {
  const TensorAddress at = TensorAddress::Of(address);
  TensorMemory& memory = TensorMemory::Of(block);
  const auto columns = static_cast<uint32_t>((rows + 31) / 32);
  std::string wrong = CheckColumns(memory, at.column & 0x3ff, columns, "the scales");
  if (!wrong.empty()) return wrong;
  const int length = form.k / form.scales_per_row;
  for (int row = 0; row < rows; ++row) {
    const uint32_t word =
        memory.column((at.column & 0x3ff) + static_cast<uint32_t>(row) / 32)[row % 32];
    for (int part = 0; part < form.scales_per_row; ++part) {
      const uint32_t code = word >> ((first_byte + part) * 8) & 255;
      const double scale = form.scale == MmaScale::kUe8m0 ? DecodeFloat(kF8E8M0FNU, code)
                                                          : DecodeFloat(kF8E4M3FN, code & 127);
      double* const from = values + row * form.k + part * length;
      for (int i = 0; i < length; ++i) from[i] *= scale;
    }
  }
  return "";
}

double ReadResult(MmaResult type, uint32_t word) {
  switch (type) {
    case MmaResult::kF16:
      return ValueOfF16(word);
    case MmaResult::kS32:
      return static_cast<int32_t>(word);
    default:
      return std::bit_cast<float>(word);
  }
}

uint32_t WriteResult(const Tcgen05Form& form, double value) {
  switch (form.d) {
    case MmaResult::kF16:
      return ResultF16(value);
    case MmaResult::kS32:
      if (form.saturate) value = std::clamp(value, -2147483648.0, 2147483647.0);
      return static_cast<uint32_t>(static_cast<int64_t>(value));
    default:
      return ResultF32(value);
  }
}

}  // namespace

absl::StatusOr<Tcgen05Form> DecodeInstructionDescriptor(Tcgen05Kind kind, uint32_t descriptor,
                                                        int scale_vector, int blocks) {
  const auto wrong = [&](std::string_view what) {
    return absl::InvalidArgumentError(
        absl::StrFormat("tcgen05.mma: instruction descriptor 0x%08x: %s", descriptor, what));
  };
  Tcgen05Form form;
  const bool scaled = kind >= Tcgen05Kind::kMxf8f6f4;
  if ((descriptor >> 2 & 1) != 0) return wrong("it is sparse, the instruction is not");
  const auto a = OperandType(kind, descriptor >> 7 & 7),
             b = OperandType(kind, descriptor >> 10 & 7);
  if (!a.has_value() || !b.has_value()) {
    return wrong(absl::StrCat("format ", descriptor >> 7 & 7, " of A or ", descriptor >> 10 & 7,
                              " of B is none of this kind's"));
  }
  form.a = *a;
  form.b = *b;
  form.k = DenseK(kind);
  form.negate_a = (descriptor >> 13 & 1) != 0;
  form.negate_b = (descriptor >> 14 & 1) != 0;
  form.a_mn_major = (descriptor >> 15 & 1) != 0;
  form.b_mn_major = (descriptor >> 16 & 1) != 0;
  form.n = static_cast<int>(descriptor >> 17 & 63) * 8;
  form.m = static_cast<int>(descriptor >> 24 & 31) * 16;
  if (scaled) {
    form.b_scale_byte = static_cast<int>(descriptor >> 4 & 3);
    form.a_scale_byte = static_cast<int>(descriptor >> 29 & 3);
    form.scale = (descriptor >> 23 & 1) != 0 ? MmaScale::kUe8m0 : MmaScale::kUe4m3;
    if (form.scale == MmaScale::kUe4m3 && kind != Tcgen05Kind::kMxf4nvf4) {
      return wrong("scales of ue4m3 exist for .kind::mxf4nvf4 alone");
    }
    form.scales_per_row = scale_vector != 0                ? scale_vector
                          : kind == Tcgen05Kind::kMxf8f6f4 ? 1
                          : kind == Tcgen05Kind::kMxf4     ? 2
                          : form.scale == MmaScale::kUe4m3 ? 4
                                                           : 2;
    if (form.a_scale_byte + form.scales_per_row > 4 ||
        form.b_scale_byte + form.scales_per_row > 4) {
      return wrong("the scales go beyond the four bytes of a word");
    }
  } else {
    const uint32_t d = descriptor >> 4 & 3;
    form.saturate = (descriptor >> 3 & 1) != 0;
    if (kind == Tcgen05Kind::kI8) {
      if (d != 2) return wrong("D must be s32 (2) for .kind::i8");
      form.d = MmaResult::kS32;
    } else if (d == 0 && kind != Tcgen05Kind::kTf32) {
      form.d = MmaResult::kF16;
    } else if (d != 1) {
      return wrong(absl::StrCat("format ", d, " of D is none of this kind's"));
    }
  }
  const bool m_fits = blocks == 2 ? form.m == 128 || form.m == 256 : form.m == 64 || form.m == 128;
  if (!m_fits) return wrong(absl::StrCat("M is ", form.m));
  if (form.n < 8 || form.n > 256 || (form.m != 64 && form.n % 16 != 0)) {
    return wrong(absl::StrCat("N is ", form.n));
  }
  return form;
}

TensorPlace PlaceOfD(const Tcgen05Form& form, int blocks, int row, int column) {
  const auto r = static_cast<uint32_t>(row), c = static_cast<uint32_t>(column);
  if (blocks == 1 && form.m == 64) return {r / 16 * 32 + r % 16, c};
  if (blocks == 2 && form.m == 128) {
    // 64 rows of a block: the lower lanes have the first half of the columns.
    const auto half = static_cast<uint32_t>(form.n / 2);
    return {r + (c >= half ? 64 : 0), c % half};
  }
  return {r, c};
}

std::string RunTcgen05(Block& block, const Tcgen05Product& product) {
  const Tcgen05Form& form = product.form;
  std::vector<Block*> blocks = {&block};
  if (product.blocks == 2) {
    const uint32_t even = block.rank_in_cluster() & ~1u;
    auto& all = block.cluster().blocks();
    if (even + 1 >= all.size()) {
      return "tcgen05.mma.cta_group::2 needs a cluster whose blocks come in pairs";
    }
    blocks = {all[even], all[even + 1]};
  }
  const int rows = form.m / product.blocks;
  const auto k = static_cast<size_t>(form.k);
  // B^T: columns of D, one row of k each. Each block of a pair has half of them.
  std::vector<double> b(static_cast<size_t>(form.n) * k);
  const int part = form.n / product.blocks;
  for (size_t i = 0; i < blocks.size(); ++i) {
    std::string wrong = ReadMatrix(*blocks[i], product.b, form.b_mn_major, form.b, part, form.k,
                                   b.data() + i * static_cast<size_t>(part) * k);
    if (!wrong.empty()) return wrong;
  }
  if (form.negate_a != form.negate_b) {
    for (double& value : b) value = -value;
  }
  std::vector<double> a(static_cast<size_t>(rows) * k), a_columns(a.size());
  std::vector<double> d(static_cast<size_t>(form.n) * rows);
  const TensorAddress at = TensorAddress::Of(product.d);
  for (Block* const each : blocks) {
    TensorMemory& memory = TensorMemory::Of(*each);
    std::string wrong = CheckColumns(memory, at.column, ColumnsOfD(form, product.blocks), "D");
    if (wrong.empty()) wrong = CheckFirstLane(form, product.blocks, at.lane, "D");
    if (wrong.empty()) wrong = ReadA(*each, product, rows, a.data());
    std::vector<double> scaled_b;
    if (wrong.empty() && form.scale != MmaScale::kNone) {
      scaled_b = b;
      wrong = ApplyScales(*each, form, product.a_scales, form.a_scale_byte, rows, a.data());
      if (wrong.empty()) {
        wrong =
            ApplyScales(*each, form, product.b_scales, form.b_scale_byte, form.n, scaled_b.data());
      }
    }
    if (!wrong.empty()) return wrong;
    for (int row = 0; row < rows; ++row) {
      for (size_t i = 0; i < k; ++i) {
        a_columns[i * static_cast<size_t>(rows) + row] = a[static_cast<size_t>(row) * k + i];
      }
    }
    // D^T = B^T A^T: a column of D is a column of tensor memory.
    for (int column = 0; column < form.n; ++column) {
      double* const to = d.data() + static_cast<size_t>(column) * rows;
      if (!product.accumulate) {
        std::fill_n(to, rows, 0.0);
        continue;
      }
      for (int row = 0; row < rows; ++row) {
        const TensorPlace place = PlaceOfD(form, product.blocks, row, column);
        to[row] =
            ReadResult(form.d, memory.column(at.column + place.column)[at.lane + place.lane]) *
            product.d_scale;
      }
    }
    const std::vector<double>& left = scaled_b.empty() ? b : scaled_b;
    MultiplyAdd(form.n, rows, form.k, left.data(), form.k, a_columns.data(), rows, d.data(), rows);
    for (int column = 0; column < form.n; ++column) {
      for (int row = 0; row < rows; ++row) {
        const TensorPlace place = PlaceOfD(form, product.blocks, row, column);
        const uint32_t lane = at.lane + place.lane;
        const uint32_t bit = lane + (each == blocks[0] ? 0 : kTensorLanes);
        if ((product.disabled_lanes[bit / 32] >> (bit % 32) & 1) != 0) continue;
        memory.column(at.column + place.column)[lane] =
            WriteResult(form, d[static_cast<size_t>(column) * rows + row]);
      }
    }
  }
  return "";
}

}  // namespace warpyard::emulator
