// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
#include "cc/emulator/operations/mma_form.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>

#include "cc/emulator/execution/special_rows.h"
#include "cc/emulator/operations/mma_arithmetic.h"
#include "cc/numerics/small_float.h"

namespace warpyard::emulator {
namespace {

constexpr int kMaxK = 256;  // of numbers and integers; bits are handled as words
constexpr int kMaxM = 16;
constexpr int kN = 8;

// Elements of 16 bytes: what the four lanes of a group have in one register. f64
// has 64-bit registers, so that it is 4 and not 2.
int Span(MmaType type) { return type == MmaType::kF64 ? 4 : ElementsIn16Bytes(type); }

// Bits of metadata that one row has in a word, and elements (or pairs) per chunk of it.
struct MetadataLayout {
  int bits_per_index;   // 2, or 4 for 32-bit types
  int indices_per_row;  // stored elements (pairs for 4-bit types)
  int span;             // dense elements (pairs) that one index chooses from: 4, or 2 for tf32
  int stored_per_span;
};

bool IsFourBits(MmaType type) {
  return type == MmaType::kS4 || type == MmaType::kU4 || type == MmaType::kE2m1;
}

MetadataLayout LayoutOf(const MmaForm& form) {
  if (form.a == MmaType::kTf32) return {4, form.k / 2, 2, 1};
  const int units = IsFourBits(form.a) ? form.k / 2 : form.k;
  return {2, units / 2, 4, 2};
}

template <typename T>
void Decode(MmaType type, const void* source, int chunks, T* out) {
  if constexpr (std::is_same_v<T, double>) {
    if (type == MmaType::kF64) chunks *= 2;
    DecodeNumbers(type, source, chunks, out);
  } else {
    DecodeIntegers(type, source, chunks, out);
  }
}

// Decodes A into rows of `columns` elements.
template <typename T>
void GatherA(const MmaForm& form, const MmaOperands& operands, int columns, T* out) {
  const int span = Span(form.a);
  const int halves = form.m / 8;
  T buffer[8 * 32];
  for (int r = 0; r < form.a_registers(); ++r) {
    Decode(form.a, operands.a[r], 8, buffer);
    T* to = out + r % halves * 8 * columns + r / halves * span;
    for (int g = 0; g < 8; ++g) std::copy_n(buffer + g * span, span, to + g * columns);
  }
}

// Decodes B into k rows of 8 elements.
template <typename T>
void GatherB(const MmaForm& form, const MmaOperands& operands, T* out) {
  const int span = Span(form.b);
  T buffer[8 * 32];
  for (int r = 0; r < form.b_registers(); ++r) {
    Decode(form.b, operands.b[r], 8, buffer);
    T* to = out + r * span * kN;
    for (int i = 0; i < span; ++i) {
      for (int g = 0; g < 8; ++g) to[i * kN + g] = buffer[g * span + i];
    }
  }
}

// Puts the stored elements of A where the metadata says, zeros elsewhere.
template <typename T>
void Expand(const MmaForm& form, const MmaOperands& operands, const T* stored, T* dense) {
  const MetadataLayout layout = LayoutOf(form);
  const int unit = IsFourBits(form.a) ? 2 : 1;
  std::fill_n(dense, form.m * form.k, T{0});
  for (int row = 0; row < form.m; ++row) {
    for (int i = 0; i < layout.indices_per_row; ++i) {
      const int column = DenseColumn(form, operands.metadata, operands.selector, row, i);
      for (int j = 0; j < unit; ++j) {
        dense[row * form.k + column * unit + j] = stored[row * (form.k / 2) + i * unit + j];
      }
    }
  }
}

template <typename T, typename Value>
void GatherPairs(const MmaForm& form, const void* const* rows, T* out, Value value) {
  for (int r = 0; r < form.m / 4; ++r) {
    for (int lane = 0; lane < 32; ++lane) {
      out[(lane / 4 + r / 2 * 8) * kN + lane % 4 * 2 + r % 2] = value(rows[r], lane);
    }
  }
}

void GatherC(const MmaForm& form, const MmaOperands& operands, double* out) {
  if (form.c == MmaResult::kF16) {
    for (int r = 0; r < form.m / 8; ++r) {
      const auto* words = static_cast<const uint32_t*>(operands.c[r]);
      for (int lane = 0; lane < 32; ++lane) {
        double* to = out + (lane / 4 + r * 8) * kN + lane % 4 * 2;
        to[0] = ValueOfF16(words[lane]);
        to[1] = ValueOfF16(words[lane] >> 16);
      }
    }
  } else if (form.c == MmaResult::kF64) {
    GatherPairs(form, operands.c, out,
                [](const void* row, int lane) { return static_cast<const double*>(row)[lane]; });
  } else {
    GatherPairs(form, operands.c, out, [](const void* row, int lane) -> double {
      return static_cast<const float*>(row)[lane];
    });
  }
}

void ScatterD(const MmaForm& form, const MmaOperands& operands, const double* values) {
  if (form.d == MmaResult::kF16) {
    for (int r = 0; r < form.m / 8; ++r) {
      auto* words = static_cast<uint32_t*>(operands.d[r]);
      for (int lane = 0; lane < 32; ++lane) {
        const double* from = values + (lane / 4 + r * 8) * kN + lane % 4 * 2;
        words[lane] = ResultF16(from[0]) | ResultF16(from[1]) << 16;
      }
    }
    return;
  }
  for (int r = 0; r < form.m / 4; ++r) {
    for (int lane = 0; lane < 32; ++lane) {
      const double value = values[(lane / 4 + r / 2 * 8) * kN + lane % 4 * 2 + r % 2];
      if (form.d == MmaResult::kF64) {
        static_cast<double*>(operands.d[r])[lane] = value;
      } else {
        static_cast<uint32_t*>(operands.d[r])[lane] = ResultF32(value);
      }
    }
  }
}

double ScaleOf(MmaScale kind, uint32_t byte) {
  return DecodeFloat(kind == MmaScale::kUe8m0 ? kF8E8M0FNU : kF8E4M3FN,
                     kind == MmaScale::kUe8m0 ? byte : byte & 0x7f);
}

// Multiplies the elements by the scale of their row (column for B) and block of
// k. Scales are powers of two or have four bits, elements at most five: products
// of two scaled elements stay exact in a double.
void ApplyScales(const MmaForm& form, const MmaOperands& operands, double* a, double* b) {
  const int block = form.k / form.scales_per_row;
  for (int part = 0; part < form.scales_per_row; ++part) {
    for (int row = 0; row < form.m; ++row) {
      // Two lanes of a group hold the scales of rows g and g + 8.
      const int lane = row % 8 * 4 + operands.a_thread * 2 + row / 8;
      const uint32_t byte = operands.a_scale[lane] >> ((operands.a_byte + part) * 8) & 255;
      const double scale = ScaleOf(form.scale, byte);
      for (int i = 0; i < block; ++i) a[row * form.k + part * block + i] *= scale;
    }
    for (int column = 0; column < kN; ++column) {
      const int lane = column * 4 + operands.b_thread;
      const uint32_t byte = operands.b_scale[lane] >> ((operands.b_byte + part) * 8) & 255;
      const double scale = ScaleOf(form.scale, byte);
      for (int i = 0; i < block; ++i) b[(part * block + i) * kN + column] *= scale;
    }
  }
}

void RunNumbers(const MmaForm& form, const MmaOperands& operands) {
  alignas(32) double a[kMaxM * kMaxK], b[kMaxK * kN], d[kMaxM * kN];
  if (form.sparse) {
    double stored[kMaxM * kMaxK / 2];
    GatherA(form, operands, form.k / 2, stored);
    Expand(form, operands, stored, a);
  } else {
    GatherA(form, operands, form.k, a);
  }
  GatherB(form, operands, b);
  GatherC(form, operands, d);
  if (form.scale != MmaScale::kNone) ApplyScales(form, operands, a, b);
  if (form.a == MmaType::kF64) {
    FusedMultiplyAdd(form.m, kN, form.k, a, form.k, b, kN, d, kN);
  } else {
    MultiplyAdd(form.m, kN, form.k, a, form.k, b, kN, d, kN);
  }
  ScatterD(form, operands, d);
}

// Adds the sums to C and writes D.
void FinishIntegers(const MmaForm& form, const MmaOperands& operands, const int32_t* sums) {
  for (int r = 0; r < form.m / 4; ++r) {
    const auto* c = static_cast<const int32_t*>(operands.c[r]);
    auto* d = static_cast<int32_t*>(operands.d[r]);
    for (int lane = 0; lane < 32; ++lane) {
      const int32_t sum = sums[(lane / 4 + r / 2 * 8) * kN + lane % 4 * 2 + r % 2];
      int64_t total = int64_t{sum} + c[lane];
      if (form.saturate) {
        total = std::clamp<int64_t>(total, std::numeric_limits<int32_t>::min(),
                                    std::numeric_limits<int32_t>::max());
      }
      d[lane] = static_cast<int32_t>(static_cast<uint32_t>(total));
    }
  }
}

void RunIntegers(const MmaForm& form, const MmaOperands& operands) {
  alignas(32) int32_t a[kMaxM * kMaxK], b[kMaxK * kN], sums[kMaxM * kN] = {};
  if (form.sparse) {
    int32_t stored[kMaxM * kMaxK / 2];
    GatherA(form, operands, form.k / 2, stored);
    Expand(form, operands, stored, a);
  } else {
    GatherA(form, operands, form.k, a);
  }
  GatherB(form, operands, b);
  MultiplyAdd(form.m, kN, form.k, a, form.k, b, kN, sums, kN);
  FinishIntegers(form, operands, sums);
}

void RunBits(const MmaForm& form, const MmaOperands& operands) {
  int32_t sums[kMaxM * kN] = {};
  const int halves = form.m / 8;
  for (int r = 0; r < form.a_registers(); ++r) {
    const auto* a = static_cast<const uint32_t*>(operands.a[r]);
    const auto* b = static_cast<const uint32_t*>(operands.b[r / halves]);
    for (int row = 0; row < 8; ++row) {
      for (int column = 0; column < kN; ++column) {
        int count = 0;
        for (int t = 0; t < 4; ++t) {
          const uint32_t x = a[row * 4 + t], y = b[column * 4 + t];
          count += std::popcount(form.bit_and ? x & y : x ^ y);
        }
        sums[(row + r % halves * 8) * kN + column] += count;
      }
    }
  }
  FinishIntegers(form, operands, sums);
}

// PTX ISA, "Matrix Fragments for mma.m8n8k4 with .f16": lanes 4 q to 4 q + 3 and
// those plus 16 make product q.
void RunQuadPairs(const MmaForm& form, const MmaOperands& operands) {
  const auto half = [](const void* const* rows, int lane, int i) {
    return ValueOfF16(static_cast<const uint32_t*>(rows[i / 2])[lane] >> (i % 2 * 16));
  };
  double d[4][8][8];
  for (int q = 0; q < 4; ++q) {
    double a[8][4], b[4][8];
    for (int member = 0; member < 8; ++member) {
      const int lane = q * 4 + member % 4 + member / 4 * 16;
      const int upper = member / 4 * 4;
      for (int i = 0; i < 4; ++i) {
        (form.a_column_major ? a[i + upper][member % 4] : a[member][i]) = half(operands.a, lane, i);
        (form.b_column_major ? b[i][member] : b[member % 4][i + upper]) = half(operands.b, lane, i);
      }
      for (int i = 0; i < 8; ++i) {
        if (form.c == MmaResult::kF16) {
          d[q][member][i] = half(operands.c, lane, i);
        } else {
          d[q][upper + (lane & 1) + (i & 2)][(i & 4) + (lane & 2) + (i & 1)] =
              static_cast<const float*>(operands.c[i])[lane];
        }
      }
    }
    for (int i = 0; i < 8; ++i) {
      for (int k = 0; k < 4; ++k) {
        for (int j = 0; j < 8; ++j) d[q][i][j] += a[i][k] * b[k][j];
      }
    }
  }
  for (int lane = 0; lane < 32; ++lane) {
    const int q = lane / 4 % 4, upper = lane / 16 * 4, member = lane % 4 + upper;
    for (int i = 0; i < 8; ++i) {
      if (form.d == MmaResult::kF16) {
        if (i % 2 == 1) continue;
        static_cast<uint32_t*>(operands.d[i / 2])[lane] =
            ResultF16(d[q][member][i]) | ResultF16(d[q][member][i + 1]) << 16;
      } else {
        static_cast<uint32_t*>(operands.d[i])[lane] =
            ResultF32(d[q][upper + (lane & 1) + (i & 2)][(i & 4) + (lane & 2) + (i & 1)]);
      }
    }
  }
}

}  // namespace

int MmaForm::a_registers() const {
  if (quad_pairs) return 2;
  return m / 8 * (sparse ? k / 2 : k) / Span(a);
}

int MmaForm::b_registers() const { return quad_pairs ? 2 : k / Span(b); }

int MmaForm::ResultRegisters(MmaResult result) const {
  if (quad_pairs) return result == MmaResult::kF16 ? 4 : 8;
  return result == MmaResult::kF16 ? m / 8 : m / 4;
}

int MmaForm::selector_count() const {
  // 16 rows of metadata are 256, 512 or 1024 bits: a word of one, two or four lanes of a group.
  const MetadataLayout layout = LayoutOf(*this);
  const int words = m * layout.indices_per_row * layout.bits_per_index / 32;
  return words == 8 ? 4 : words == 16 ? 2 : 1;
}

int DenseColumn(const MmaForm& form, const uint32_t* metadata, int selector, int row, int index) {
  const MetadataLayout layout = LayoutOf(form);
  const int group = row % 8;
  const int upper = row / 8;
  const int at = index * layout.bits_per_index;  // bit in the row's metadata
  const int lanes = 4 / form.selector_count();   // of a group
  int lane, shift;
  if (ElementsIn16Bytes(form.a) <= 8) {
    // Types of 16 bits and more: rows g and g + 8 share a word, 16 bits each.
    lane = selector * lanes + at / 16;
    shift = at % 16 + upper * 16;
  } else {
    // Narrower types: a word is of one row; rows g and g + 8 alternate.
    lane = selector * lanes + at / 32 * 2 + upper;
    shift = at % 32;
  }
  const uint32_t code = metadata[group * 4 + lane] >> shift;
  const int first = index / layout.stored_per_span * layout.span;
  // For tf32 the four bits are two indices of 16-bit halves: 0b0100 or 0b1110.
  if (form.a == MmaType::kTf32) return first + static_cast<int>(code >> 1 & 1);
  return first + static_cast<int>(code & 3);
}

void RunMma(const MmaForm& form, const MmaOperands& operands) {
  if (form.quad_pairs) return RunQuadPairs(form, operands);
  if (form.a == MmaType::kB1) return RunBits(form, operands);
  if (IsIntegerMma(form.a)) return RunIntegers(form, operands);
  RunNumbers(form, operands);
}

}  // namespace warpyard::emulator
